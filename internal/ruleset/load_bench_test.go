package ruleset

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLoad is what a hook pays for a file of the user's with 100 programs.
func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "[[programs]]\nname = \"tool%d\"\n[[programs.allow]]\nsubcommand = \"status\"\noperands = [\"read*\"]\nexamples = [\"tool%d status a\"]\n", i, i)
	}
	b.ReportAllocs()
	for b.Loop() {
		f := Load("x.toml", []byte(text.String()), User)
		if len(f.errs) > 0 {
			b.Fatal(f.errs)
		}
	}
}
