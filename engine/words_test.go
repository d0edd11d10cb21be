package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
)

// Words of one letter and of none are words of every program.
func TestOddWords(t *testing.T) {
	e := engine.New(engine.Options{})
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			if n := len(p.Levels); n > 0 {
				line := "ls | " + p.Name + " - -- '' = : @ + -= --= .. ~ '*' '!'; " + p.Name + " ''; " + p.Name + " - < a"
				if v := judge(e, line, ""); len(v.Tree) == 0 {
					t.Errorf("%s: nothing was seen", line)
				}
			}
		}
	}
}
