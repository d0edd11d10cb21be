package code

import (
	"strings"
	"unicode"
)

// Names are the names of files that a text may be, or hold: a text without blanks is one,
// and of a longer one, or of a list, the parts that look like names.
func Names(text string) (names []string) {
	if isName(text) && len(text) <= maxName {
		names = append(names, text)
	}
	if strings.IndexFunc(text, parts) < 0 {
		return names
	}
	for part := range strings.FieldsFuncSeq(text, parts) {
		if isName(part) && len(part) <= maxName && strings.ContainsAny(part, "./~_") {
			names = append(names, part)
		}
	}
	return names
}

// parts reports whether a character may stand between the names of a list, or around
// them in a sentence: those of names alone do not.
func parts(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/~", r)
}

// maxName is the longest text that is taken for a name, in bytes.
const maxName = 256

func isName(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t\r\n\x00") && (strings.Trim(text, "/.") != "" || strings.Trim(text, "/") == "..")
}
