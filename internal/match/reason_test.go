package match

import "testing"

func TestFill(t *testing.T) {
	settings := map[string]string{"tool": "mine", "empty": ""}
	for in, want := range map[string]string{
		"":                               "",
		"plain":                          "plain",
		"use {tool:theirs} now":          "use mine now",
		"use {other:theirs} now":         "use theirs now",
		"{tool:a}{other:b}{empty:c}":     "mineb",
		"find -exec {} + and {a,b}":      "find -exec {} + and {a,b}",
		"open { tool:x} and {tool:y":     "open { tool:x} and {tool:y",
		"{x {tool:y}":                    "{x mine",
		"a setting inside: {tool:{b:c}}": "a setting inside: mine}",
	} {
		if got := Fill(in, settings); got != want {
			t.Errorf("Fill(%q) = %q, want %q", in, got, want)
		}
	}
}
