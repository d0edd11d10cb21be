package python_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRead reads a megabyte of simple statements.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 1_000_000; i++ {
		fmt.Fprintf(&text, "x%d = 'a%d'\ny%d = x%d.upper() + str(%d)\nif len(y%d) > 3:\n    print(x%d, y%d)\n", i, i, i, i, i, i, i, i)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if r := read(text.String()); len(r.Asks) > 0 {
			b.Fatal(said(r))
		}
	}
}
