package code

import "strings"

// Names are the names of files that a text may be, or hold: a text without blanks is one,
// and of a longer one, or of a list, the parts that look like names.
func Names(text string) (names []string) {
	if isName(text) && len(text) <= maxName {
		names = append(names, text)
	}
	if !strings.ContainsAny(text, separators) {
		return names
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if isName(part) && len(part) <= maxName && strings.ContainsAny(part, "./~_") {
			names = append(names, part)
		}
	}
	return names
}

// maxName is the longest text that is taken for a name, in bytes.
const maxName = 256

// separators are what lists of names have between them, and sentences around them.
const separators = " \t\r\n,;:|=\"'`()[]{}<>\x00"

func isName(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t\r\n\x00") && (strings.Trim(text, "/.") != "" || strings.Trim(text, "/") == "..")
}
