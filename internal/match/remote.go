package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// located tells what a source or target is: a local file, a place on another
// machine (host:path), or an address (s3://bucket/key). A word that may be
// either stands for the machine.
func located(k Kind, w policy.Word) (Kind, policy.Word) {
	local := Read
	if k == Target {
		local = Write
	}
	text, known := w.Const()
	if !known {
		text = w.Prefix()
	}
	if scheme, rest, ok := strings.Cut(text, "://"); ok && isScheme(scheme) {
		if strings.EqualFold(scheme, "file") {
			return fileURL(local, rest, w)
		}
		return URL, w
	}
	colon, slash := strings.IndexByte(text, ':'), strings.IndexByte(text, '/')
	if strings.HasPrefix(text, "[") {
		if end := strings.Index(text, "]:"); end > 0 {
			colon, slash = end+1, -1
		}
	}
	switch {
	case slash >= 0 && (colon < 0 || slash < colon):
		return local, w
	case colon >= 0:
		host := text[:colon]
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = host[at+1:]
		}
		return Host, policy.Word{Text: strings.Trim(host, "[]"), Pos: w.Pos}
	case known || beginsWithPath(w):
		return local, w
	case k == Target:
		return Write, w
	}
	return Host, w
}

// beginsWithPath reports whether the unknown start of a word is surely a
// local path.
func beginsWithPath(w policy.Word) bool {
	p := w.Parts[0]
	return p.Kind == policy.Hole && p.Shape == policy.ShapePath
}

// fetched tells what an address is: file:/path is read, the rest fetched.
func fetched(w policy.Word) (Kind, policy.Word) {
	text := w.Prefix()
	if len(text) >= 5 && strings.EqualFold(text[:5], "file:") {
		return fileURL(Read, text[5:], w)
	}
	return URL, w
}

// fileURL is the file that file://rest names. Patterns and whatever is not
// known leave an address, about which the engine asks.
func fileURL(k Kind, rest string, w policy.Word) (Kind, policy.Word) {
	if w.Parts != nil || strings.ContainsAny(rest, "{}[]%?#") {
		return URL, policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: w.String()}}, Pos: w.Pos}
	}
	rest, slashes := strings.CutPrefix(strings.TrimPrefix(rest, ":"), "//")
	if slashes || strings.HasPrefix(rest, "localhost/") {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			rest = rest[i:]
		}
	}
	return k, policy.Word{Text: rest, Pos: w.Pos}
}

func isScheme(s string) bool {
	for i := range len(s) {
		if b := s[i]; !isLetter(b) && (i == 0 || !isDigit(b) && b != '+' && b != '-' && b != '.') {
			return false
		}
	}
	return s != ""
}
