package ruleset

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestLint(t *testing.T) {
	const name = "testdata/lint/all.txtar"
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f := Load(a.Files[0].Name, a.Files[0].Data, User)
	gates, err := Compile([]*File{f}, Known{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	found := map[string]bool{}
	for _, n := range Lint(f, gates[0]) {
		found[n.Check] = true
		b.WriteString(n.Check + " " + n.Error.Error() + "\n")
	}
	for _, c := range Checks() {
		if !found[c.Name] {
			t.Errorf("the check %s finds nothing", c.Name)
		}
		delete(found, c.Name)
	}
	for check := range found {
		t.Errorf("%s is not in Checks", check)
	}
	if *update {
		a.Files[1].Data = []byte(b.String())
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(a.Files[1].Data), b.String()); diff != "" {
		t.Errorf("notes differ (-want +got; go test -u rewrites them):\n%s", diff)
	}
}

// TestWords holds the word lists together: each word once, each explained.
func TestWords(t *testing.T) {
	for _, list := range []string{"style", "trait", "effect", "kind", "reach", "unknown", "answer", "strict", "where", "adds", "base", "prints"} {
		words := wordList(list)
		if len(words) == 0 {
			t.Errorf("no words for %q", list)
		}
		for i, w := range words {
			if w.Name == "" || w.Doc == "" || slices.ContainsFunc(words[:i], func(o Word) bool { return o.Name == w.Name }) {
				t.Errorf("%s: the word %q is empty, unexplained or listed twice", list, w.Name)
			}
		}
	}
	if n := len(Effects()); n != len(effectDocs) {
		t.Errorf("%d effects, %d explanations", n, len(effectDocs))
	}
}
