package python_test

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
)

// TestNumberFacts is a law: what facts say to give numbers or nothing gives no text in a
// real Python, whatever it is given. Where a number is wanted nothing else is asked about.
func TestNumberFacts(t *testing.T) {
	var rows [][2]any
	for line := range strings.Lines(gen.Code) {
		language, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		name, what, _ := strings.Cut(rest, "\t")
		if language != "python" {
			continue
		}
		if kind, is := strings.CutPrefix(what, ": "); is {
			if kinds, err := code.ParseType(kind); err == nil {
				rows = append(rows, [2]any{":" + name, typeRows(kinds)})
			}
			continue
		}
		if sig, err := code.ParseSignature(strings.TrimPrefix(what, ".")); err == nil {
			rows = append(rows, [2]any{name, typeRows(sig.Result)})
		}
	}
	for _, lie := range realPython(t, "testdata/numbers.py", rows, 200) {
		t.Errorf("facts say that this is a number or nothing: %s", lie)
	}
}

// typeRows is a type as the script takes it.
func typeRows(kinds code.Type) [][3]any {
	rows := [][3]any{}
	for _, one := range kinds {
		row := [3]any{one.Name, nil, nil}
		if one.Of != nil {
			row[1] = typeRows(one.Of)
		}
		if one.Items != nil {
			items := make([]any, len(one.Items))
			for i, item := range one.Items {
				items[i] = typeRows(item)
			}
			row[2] = items
		}
		rows = append(rows, row)
	}
	return rows
}
