package toml

import (
	"errors"
	"testing"
)

// What can't be read names the character that a person sees, and what is meant.
func TestUnreadable(t *testing.T) {
	for _, row := range []struct{ text, want, hint string }{
		{"a = “strict”\n", "1:5: unexpected character U+201C '“' at start of value", `write straight quotes: "`},
		{"a = ‘b’\n", "1:5: unexpected character U+2018 '‘' at start of value", `write straight quotes: "`},
		{"“a” = 1\n", "1:1: invalid character at start of key: U+201C '“'", `write straight quotes: "`},
		{"a = 1 é\n", "1:7: expected newline but got U+00E9 'é'", ""},
		{"a = strict\n", "1:5: unexpected character U+0073 's' at start of value", `a text stands in quotes: "strict"`},
		{"a = [ask, \"b\"]\n", "1:6: unexpected character U+0061 'a' at start of value", `a text stands in quotes: "ask"`},
		{"a = tool # all\n", "1:5: expected keyword \"true\"", `a text stands in quotes: "tool"`},
		{"a = \n", "1:5: unexpected character U+000A at start of value", ""},
	} {
		_, err := Parse([]byte(row.text))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Error() != row.want || e.Hint != row.hint {
			t.Errorf("%q: %v, %+v; want %q, %q", row.text, err, e, row.want, row.hint)
		}
	}
}
