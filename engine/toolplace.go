package engine

import (
	"strings"
	"unicode"

	"github.com/bashgate/bashgate/internal/match"
)

// placesOf lists what an argument that is a place may mean: agents' tools do not
// take a path as it stands. Claude Code (2.1.329) cuts off blanks at both ends, pi
// (0.73.1) an @ before it and takes odd blanks for plain ones, VS Code reads
// addresses. Each reading is judged.
func placesOf(kind match.Kind, value string) []string {
	list := []string{value}
	switch kind {
	case match.Read, match.Path, match.Write, match.Target, match.Source, match.Delete, match.Move, match.Dir:
	default:
		return list
	}
	add := func(reading string) string {
		if reading != "" && reading != list[len(list)-1] {
			list = append(list, reading)
		}
		return reading
	}
	plain := add(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, value))
	plain = add(strings.TrimFunc(plain, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' }))
	plain = add(strings.TrimPrefix(plain, "@"))
	if scheme, rest, ok := strings.Cut(plain, ":/"); ok && isScheme(scheme) && !strings.HasPrefix(scheme, "http") {
		rest = "/" + rest
		if after, remote := strings.CutPrefix(rest, "//"); remote { // vscode-remote://machine/path
			_, rest, _ = strings.Cut(after, "/")
			rest = "/" + rest
		}
		add(match.Unescaped(rest))
	}
	return list
}

// isScheme reports whether an address may begin so: RFC 3986, 3.1. One letter is
// a drive.
func isScheme(s string) bool {
	return len(s) > 1 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.") == ""
}
