package python

import (
	"testing"

	"github.com/bashgate/bashgate/internal/python"
)

// Parts of texts are what Python 3.11 says that they are.
func TestCut(t *testing.T) {
	for expr, want := range map[string]string{
		"[1:]": "bcde", "[:-1]": "abcd", "[::-1]": "edcba", "[1:4]": "bcd", "[1:4:2]": "bd", "[4:1:-1]": "edc", "[-2:]": "de", "[:2]": "ab", "[3:1]": "",
		"[-9:2]": "ab", "[9:]": "", "[:9]": "abcde", "[9::-2]": "eca", "[:-9:-1]": "edcba", "[-9::-1]": "", "[:0:-1]": "edcb", "[-1:-4:-1]": "edc", "[2::3]": "c", "[:]": "abcde",
	} {
		p, err := python.Parse("'abcde'" + expr)
		if err != nil {
			t.Fatal(err)
		}
		sub := p.Body[0].(*python.ExprStmt).Value.(*python.Subscript)
		if got, known := cut("abcde", sub.Slice.(*python.Slice)); !known || got != want {
			t.Errorf("%s: %q, %v, want %q", expr, got, known, want)
		}
	}
	if got, known := cut("ééx", &python.Slice{}); !known || got != "ééx" {
		t.Errorf("%q", got)
	}
}
