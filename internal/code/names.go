package code

import (
	"strings"
	"unicode"
)

// Names are the names of files that a text may be, or hold: a text without blanks is one,
// of a list each item, and of a longer text the parts that look like names.
func Names(text string) []string { return names(text, isList(text)) }

// Words are Names of a text that is cut at blanks, so that each of its words may be one.
func Words(text string) []string { return names(text, true) }

func names(text string, list bool) (names []string) {
	if isName(text) && len(text) <= maxName {
		names = append(names, text)
	}
	if strings.IndexFunc(text, parts) < 0 {
		return names
	}
	for part := range strings.FieldsFuncSeq(text, parts) {
		if isName(part) && len(part) <= maxName && (list || strings.ContainsAny(part, "./~_")) {
			names = append(names, part)
		}
	}
	return names
}

// isList reports whether one word at most stands between any two signs of a text, as
// between commas or in lines: a sentence has more.
func isList(text string) bool {
	words := 0
	inWord := false
	for _, r := range text {
		switch {
		case !parts(r):
			if !inWord {
				words++
			}
			inWord = true
		case r == ' ' || r == '\t':
			inWord = false
		default:
			words, inWord = 0, false
		}
		if words > 1 {
			return false
		}
	}
	return true
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
