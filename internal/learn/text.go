package learn

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// The texts of rules. An id stands in a rule's text and is made of it, so that
// rules are written with a place for one.

// idPlace stands for a rule's id. No word of a command can be it: words stand
// between quotes.
const idPlace = "\x00"

// identified puts the id into a text: all rules of a proposal carry it.
func identified(text, id string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, idPlace) {
		if i == 1 {
			b.WriteString(id)
		} else if i > 1 {
			fmt.Fprintf(&b, "%s.%d", id, i)
		}
		b.WriteString(part)
	}
	return b.String()
}

// identity is a proposal's id: words that say what it is about, and what tells it
// from others.
func identity(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	const digits = "abcdefghijklmnopqrstuvwxyz234567" // base32, whose package would be part of every hook's start
	bits := uint32(sum[0])<<16 | uint32(sum[1])<<8 | uint32(sum[2])
	tail := string([]byte{digits[bits>>19], digits[bits>>14&31], digits[bits>>9&31], digits[bits>>4&31]})
	var b strings.Builder
	for _, c := range []byte(strings.ToLower(name)) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteByte(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	words := strings.Trim(b.String(), "-")
	if len(words) > 30 {
		words = strings.Trim(words[:30], "-")
	}
	if words == "" {
		words = "rule"
	}
	return words + "-" + tail
}

// quoted is a string of TOML.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// list is an array of strings.
func list(items []string) string {
	out := make([]string, len(items))
	for i, s := range items {
		out[i] = quoted(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// plain is the glob that only this text matches.
func plain(s string) string {
	if s == "" {
		return "!?*"
	}
	var b strings.Builder
	for i, c := range []byte(s) {
		if strings.IndexByte(`*?[]\|`, c) >= 0 || c == '!' && i == 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	// In a pattern of operands " or " begins something else.
	return strings.ReplaceAll(b.String(), " or ", ` \or `)
}
