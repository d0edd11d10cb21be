package export

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/race"
)

// What stands between these lines of docs/exports.md is written here.
const (
	countsBegin = "<!-- counts begin: go test ./internal/export -run ExportsPage -update -->\n"
	countsEnd   = "<!-- counts end -->\n"
)

// TestExportsPage holds that the counts in docs/exports.md are those that
// bashgate export --stats prints for the built-in rules, and that what was
// measured is of the version that the target names;
// go test ./internal/export -run ExportsPage -update writes them.
func TestExportsPage(t *testing.T) {
	race.Sequential(t)
	const page = "../../docs/exports.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(data), countsBegin)
	got, after, ended := strings.Cut(rest, countsEnd)
	if !begun || !ended {
		t.Fatalf("%s: no counts: %q and %q are missing", page, strings.TrimSpace(countsBegin), strings.TrimSpace(countsEnd))
	}
	for _, target := range Targets() {
		if row := fmt.Sprintf("\n| `%s` | %s |", target.Name, target.Tested); target.Judged && target.Tested[0] != '(' && !strings.Contains(after, row) {
			t.Errorf("%s: what was measured with %s is not of the version that judged it, %s", page, target.Title, target.Tested)
		}
	}
	want := counts()
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s: the counts are not what the exports hold: run the test with -update\n%s", page, want)
	}
	if err := os.WriteFile(page, []byte(before+countsBegin+want+countsEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// counts is the table of the targets: how much of the built-in rules each
// target's file holds.
func counts() string {
	rules, strict := useful(), Collect(builtIn(), true)
	var b strings.Builder
	fmt.Fprintf(&b, "| target | rules | sets allowed, of %d | in mode strict, of %d |\n|---|---|---|---|\n", len(rules.Forms), len(strict.Forms))
	for _, target := range Targets() {
		all, some := target.Export(rules, Options{}).Stats, target.Export(strict, Options{Strict: true}).Stats
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d |\n", target.Name, all.Rules, all.Kept, some.Kept)
	}
	return b.String()
}
