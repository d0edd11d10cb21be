package export

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/race"
)

// TestAnswers holds that what is kept is what the built-in rules' tables and the judge
// answer now, and that exports are the same with it and without it;
// go test ./internal/export -run Answers -update writes it.
func TestAnswers(t *testing.T) {
	if race.On {
		t.Skip("tens of seconds, and other tests derive at once, too")
	}
	s := builtIn()
	families := familiesOf(s.Gates)
	for _, f := range families {
		f.tapes = recording()
	}
	derived := s.collect(families, false)
	var b strings.Builder
	b.WriteString(gates.Compiler + "\n")
	for _, f := range families {
		b.WriteString(f.names[0] + "\t" + f.tapes.String() + "\n")
	}
	if *update {
		if err := os.WriteFile("answers.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if answersText != b.String() {
		t.Fatal("answers.txt is not what is answered now: go generate ./internal/export")
	}
	s.BuiltIn = true
	for _, strict := range [...]bool{false, true} {
		if strict {
			derived = Collect(builtIn(), true)
		}
		kept := Collect(s, strict)
		if diff := cmp.Diff(derived.Dropped, kept.Dropped); diff != "" {
			t.Errorf("strict %t: others are dropped:\n%s", strict, diff)
		}
		for _, target := range Targets() {
			options := Options{Strict: strict}
			if a, b := target.Export(derived, options), target.Export(kept, options); string(a.Text) != string(b.Text) {
				t.Errorf("strict %t: the file of %s is another one", strict, target.Title)
			}
		}
	}
}
