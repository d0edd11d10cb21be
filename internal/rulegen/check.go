package rulegen

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// checkFiles loads rule files among all the others, and prints what is wrong
// with the named ones.
func checkFiles(root string, names []string, stdout, stderr io.Writer) int {
	want := map[string]bool{}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			fmt.Fprintln(stderr, "rulegen: error:", err)
			return 1
		}
		rel, err := filepath.Rel(root, abs)
		if err != nil || strings.HasPrefix(rel, "..") {
			rel = abs
		}
		if _, err := os.Stat(abs); err != nil {
			fmt.Fprintln(stderr, "rulegen: error:", err)
			return 1
		}
		want[filepath.ToSlash(rel)] = true
	}
	set, err := load(os.DirFS(root))
	if err != nil {
		fmt.Fprintln(stderr, "rulegen: error:", err)
		return 1
	}
	bad := 0
	for _, e := range append(set.errs, set.judgeExamples()...) {
		if want[e.File] {
			fmt.Fprintln(stderr, e)
			bad++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !slices.ContainsFunc(set.all, func(f *ruleset.File) bool { return f.Name == name }) {
			fmt.Fprintf(stderr, "rulegen: error: %s does not lie in rules, rules/packs or rules/profiles\n", name)
			bad++
		}
	}
	if bad > 0 {
		fmt.Fprintf(stderr, "%d %s\n", bad, plural(bad, "error"))
		return 1
	}
	for _, g := range set.gates() {
		if want[g.File] {
			fmt.Fprintf(stdout, "%s: %s\n", g.File, ruleset.Count(g))
		}
	}
	return 0
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
