package code

import (
	"slices"
	"strings"
	"unicode"
)

// Names are the names of files that a text may be, or hold: a text without blanks is one,
// of a list each item, and of a longer text the parts that look like names. A name may
// lose what stands behind its last dot.
func Names(text string) []string { return names(text, isList(text)) }

// Words are Names of a text that is cut at blanks, so that each of its words may be one.
func Words(text string) []string { return names(text, true) }

func names(text string, list bool) (names []string) {
	if isName(text) && len(text) <= maxName {
		names = append(names, withStem(text)...)
	}
	if strings.IndexFunc(text, parts) < 0 {
		return names
	}
	for part := range strings.FieldsFuncSeq(text, parts) {
		if isName(part) && len(part) <= maxName && (list || strings.ContainsAny(part, "./~_")) {
			names = append(names, withStem(part)...)
		}
	}
	if holdsRoot(text) {
		names = append(names, "/")
	}
	return names
}

// withStem is a name, and the same without what stands behind its last dot.
func withStem(name string) []string {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 || strings.IndexByte(name[at:], '/') >= 0 || !isName(name[:at]) || name[at-1] == '/' {
		return []string{name}
	}
	return []string{name, name[:at]}
}

// Pieces are what is left of a name where it is cut at one of the signs in it: what stands
// before that, and what stands behind it, of a dot also with that. The directories that it
// leads through are none.
func Pieces(name string) (pieces []string) {
	for at, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			continue
		}
		before, with, behind := name[:at], "", name[at+len(string(r)):]
		switch r {
		case '/':
			before = ""
		case '.':
			with = name[at:]
		}
		for _, piece := range [...]string{before, with, behind} {
			if len(piece) >= shortest && piece != name && strings.Trim(piece, "./") != "" {
				pieces = append(pieces, piece)
			}
		}
		if len(pieces) > maxPieces {
			break
		}
	}
	return pieces
}

// shortest is how many bytes the name of a file has that is worth a look.
const shortest = 3

// maxPieces bounds the pieces of one name: one has few signs.
const maxPieces = 60

// holdsRoot reports whether the root directory is an item of a list in a text: a slash
// between quotes, commas or lines, where more than that stands.
func holdsRoot(text string) bool {
	if !strings.ContainsFunc(text, isQuote) {
		return false
	}
	return slices.Contains(strings.FieldsFunc(text, isQuote), "/")
}

func isQuote(r rune) bool { return strings.ContainsRune("\"'`,;|\t\n", r) }

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
	return text != "" && !strings.ContainsAny(text, " \t\r\n\x00") && (strings.Trim(text, "/.") != "" || Climbs(text))
}

// Climbs reports whether a text leads to the directory above another one: a part of it
// is "..".
func Climbs(text string) bool {
	for part := range strings.SplitSeq(text, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}
