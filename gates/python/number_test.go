package python_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
)

// TestNumberFacts is a law: what facts say to give numbers or nothing gives no text in a
// real Python, whatever it is given. Where a number is wanted nothing else is asked about.
func TestNumberFacts(t *testing.T) {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: there is no python3 that tells what the functions give which facts say to give numbers")
	}
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
	input, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(interpreter, "-I", "-W", "ignore", "testdata/numbers.py")
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	looked := 0
	if _, err := fmt.Sscanf(lines[len(lines)-1], "looked into %d", &looked); err != nil || looked < 200 {
		t.Errorf("%d facts were looked into: %v", looked, err)
	}
	for _, lie := range lines[:len(lines)-1] {
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
