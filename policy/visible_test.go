package policy

import "testing"

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"plain é 😀 \\ \"":             "plain é 😀 \\ \"",
		"a\nb\tc\rd":                  `a\nb\tc\rd`,
		"\x1b[31mred\x07\x7f":         `\x1b[31mred\x07\x7f`,
		"\u009b31m":                   `\x9b31m`,
		"user\u202egnp.exe\u200b":     `user\u202egnp.exe\u200b`,
		"\U000e0041tag":               `\U000e0041tag`,
		"rm\u3164\u2800\u115fx":       `rm\u3164\u2800\u115fx`,
		"a\U000e0100b":                `a\U000e0100b`,
		"bad \xff\xed\xa0\x80 \ufffd": "bad \\xff\\xed\\xa0\\x80 \ufffd",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":             "''",
		"a-b/c.d":      "a-b/c.d",
		"a b":          "'a b'",
		"it's":         `'it'\''s'`,
		"\x01'\x1b\n":  `$'\x01\'\x1b\n'`,
		"\u202e":       `$'\u202e'`,
		"\U000e0041":   `$'\U000e0041'`,
		"\xff\\\x7f\t": `$'\xff\\\x7f\t'`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}
