package python

import "strings"

// checkCoding refuses a text whose first two lines say that it is in another
// encoding than UTF-8, unless it has the same meaning in that one. Python
// regards what they say in files and not in -c.
func checkCoding(text string) {
	rest, marked := strings.CutPrefix(text, bom)
	offset := len(text) - len(rest)
	for range 2 {
		line, after, _ := strings.Cut(rest, "\n")
		comment := strings.TrimLeft(line, " \t\f")
		if comment != "" && comment[0] != '#' && comment != "\r" {
			return
		}
		switch coding := declaredCoding(comment); coding {
		case "", "utf-8", "utf8":
		case "ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "iso8859-1", "iso-latin-1":
			if marked || !isASCII(text) {
				panic(&SyntaxError{positionIn(text, offset), "another encoding than UTF-8 is declared"})
			}
		default:
			panic(&SyntaxError{positionIn(text, offset), "another encoding than UTF-8 is declared"})
		}
		rest = after
		offset = len(text) - len(rest)
	}
}

// declaredCoding returns the name that stands in a comment behind the first
// coding: or coding= that is followed by one, or nothing.
func declaredCoding(comment string) string {
	for {
		_, after, found := strings.Cut(comment, "coding")
		if !found {
			return ""
		}
		comment = after
		if after == "" || after[0] != ':' && after[0] != '=' {
			continue
		}
		after = strings.TrimLeft(after[1:], " \t")
		n := 0
		for n < len(after) && (isNameByte(after[n]) || after[n] == '-' || after[n] == '.') {
			n++
		}
		if n > 0 {
			return strings.ReplaceAll(strings.ToLower(after[:n]), "_", "-")
		}
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
