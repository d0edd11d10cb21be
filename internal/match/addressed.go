package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// addressed tells what a word is where a file is read: whatever looks like an
// address is fetched by who knows which library (pandoc -H http://x/a, gdalinfo
// /vsicurl/http://x/a), and a file: address is the file that it names.
func addressed(k Kind, w policy.Word) (Kind, policy.Word) {
	text := w.Prefix()
	colon := strings.IndexByte(text, ':')
	if colon < 0 {
		return k, w
	}
	scheme, rest := text[:colon], text[colon+1:]
	if strings.EqualFold(scheme, "file") {
		return k, fileURI(w, rest)
	}
	for _, known := range [...]string{"http", "https", "ftp", "npm", "jsr"} {
		if strings.EqualFold(scheme, known) {
			return URL, w
		}
	}
	at := strings.Index(text, "://")
	if at < 0 {
		return k, w
	}
	start := at
	for start > 0 && isScheme("x"+text[start-1:start]) {
		start--
	}
	for start < at && !isLetter(text[start]) {
		start++
	}
	if at-start < 2 {
		return k, w
	}
	if strings.EqualFold(text[start:at], "file") {
		return k, fileURI(w, text[at+1:])
	}
	return URL, behind(w, start)
}

// behind is a word without the known text at its start.
func behind(w policy.Word, n int) policy.Word {
	if w.Parts == nil {
		return policy.Word{Text: w.Text[n:], Pos: w.Pos}
	}
	parts := append([]policy.Part(nil), w.Parts...)
	for i := range parts {
		cut := min(n, len(parts[i].Text))
		parts[i].Text = parts[i].Text[cut:]
		if n -= cut; n == 0 {
			break
		}
	}
	return policy.Word{Parts: parts, Pos: w.Pos}
}

// fileURI is the file that file:rest names for a program that reads files by
// such names (sqlite3 'file:a.db?immutable=1'): without a host, a query and a
// fragment. Where more than its end is not known it may be any file.
func fileURI(w policy.Word, rest string) policy.Word {
	known := w.Parts == nil
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest, known = rest[:end], true
	}
	if host, ok := strings.CutPrefix(rest, "//"); ok {
		if i := strings.IndexByte(host, '/'); i >= 0 {
			rest = host[i:]
		}
	}
	rest = Unescaped(rest)
	if known {
		return policy.Word{Text: rest, Pos: w.Pos}
	}
	return policy.Word{Parts: []policy.Part{{Text: rest}, {Kind: policy.Hole, Text: w.String()}}, Pos: w.Pos}
}

// Unescaped reads the %XX of an address. What is none stays.
func Unescaped(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := strings.IndexByte(hexDigits, s[i+1]|0x20), strings.IndexByte(hexDigits, s[i+2]|0x20)
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

// registered is the address of an image: the machine that serves it, and its
// name there. One that is not all known is an address that is not, and what
// scanners take for an image may be a file, which is read.
//
//	alpine               docker.io/library/alpine
//	ghcr.io/acme/app:v1  ghcr.io/acme/app:v1
//	dir:src, ./src       a file
func registered(w policy.Word) (Kind, policy.Word) {
	text := w.Prefix()
	if text != "" && strings.IndexByte("./~", text[0]) >= 0 {
		return Read, w
	}
	if _, rest, has := strings.Cut(text, "://"); has {
		text = rest // docker://alpine
	} else if scheme, rest, has := strings.Cut(text, ":"); has {
		switch scheme {
		case "dir", "file", "sbom", "oci-dir", "oci-archive", "docker-archive", "singularity":
			return Read, behind(w, len(scheme)+1)
		case "registry", "docker", "podman", "containerd":
			text = rest
		}
	}
	if !w.IsConst() {
		return URL, w
	}
	first, _, deep := strings.Cut(text, "/")
	switch {
	case !deep:
		text = "docker.io/library/" + text
	case !strings.ContainsAny(first, ".:") && first != "localhost":
		text = "docker.io/" + text
	}
	return URL, policy.Word{Text: text, Pos: w.Pos}
}
