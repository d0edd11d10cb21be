package match_test

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func BenchmarkParse(b *testing.B) {
	p := syntax.NewParser()
	for _, line := range []string{"git status", "git log --oneline -n 5 main", "ls -la", "grep -rn x ."} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				p.Parse(strings.NewReader(line), "")
			}
		})
	}
}
