package python_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates/python"
	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
)

// TestLiveFacts is a law: what facts call plain data is none of the library's own objects
// that it reads again, if it can be changed. Such a one is a view.
func TestLiveFacts(t *testing.T) {
	var rows [][2]any
	for line := range strings.Lines(gen.Code) {
		language, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		name, what, _ := strings.Cut(rest, "\t")
		if language != "python" {
			continue
		}
		if what == "module" {
			rows = append(rows, [2]any{name, nil})
			continue
		}
		if kind, is := strings.CutPrefix(what, ": "); is {
			if kinds, err := code.ParseType(kind); err == nil {
				rows = append(rows, [2]any{":" + name, typeRows(kinds)})
			}
			continue
		}
		if sig, err := code.ParseSignature(strings.TrimPrefix(what, ".")); err == nil && !slices.ContainsFunc(sig.Params, acts) {
			rows = append(rows, [2]any{name, typeRows(sig.Result)})
		}
	}
	for _, lie := range realPython(t, "testdata/live.py", rows, 300) {
		t.Errorf("facts say that this is plain data, and the library keeps it: %s", lie)
	}
}

// acts reports whether more is done with a parameter than to look at it.
func acts(p code.Param) bool {
	return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool {
		return k.Own != code.Shown && !(k.Own == code.NotOwn && (k.Kind == match.Data || k.Kind == match.Code))
	})
}

// TestForeignModules is a law: each module that Python's library looks for, and that is
// none of its own, is held for one that it may load, unless only modules look for it that
// a text is asked about for.
func TestForeignModules(t *testing.T) {
	var asked []string
	for line := range strings.Lines(gen.Code) {
		if rest, is := strings.CutPrefix(line, "python\t"); is {
			if name, what, _ := strings.Cut(rest, "\t"); strings.HasPrefix(what, "! ") {
				asked = append(asked, name)
			}
		}
	}
	for _, line := range realPython(t, "testdata/foreign.py", asked, 15) {
		name, by, _ := strings.Cut(line, " ")
		if !python.MayLoad(name) {
			t.Errorf("%s is looked for by %s", name, by)
		}
	}
}
