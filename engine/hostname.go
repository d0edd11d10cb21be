package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Programs don't agree about what machine a URL names. curl takes one to three
// slashes behind the scheme, browsers and node any number of either kind and
// none; to the ones "\" ends the machine's name, to the others it does not; some
// end a user's name at the first "@". This file lists every machine that one of
// them would talk to, so that the strictest answer counts.

// named are the machines that an address may name.
type named struct {
	hosts   []string // in lower case, as rules name them; "" where there is none
	unclear bool     // it is written so that programs may read one that is not among them
}

// hostNames reads a URL, or an address without a scheme. Its hosts are names and
// addresses in the spelling that hostAddress gives them: http://0xA9FEA9FE/ is
// 169.254.169.254.
func hostNames(text string) named {
	var n named
	n.read(text)
	// Browsers drop these before they read.
	clean := text
	if strings.ContainsAny(text, "\t\n\r") { // a replacer is large, and this is asked of every word
		clean = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	}
	if clean = strings.Trim(clean, blanks); clean != text {
		n.read(clean)
	}
	if len(n.hosts) == 0 { // "A:\", of which every program makes something else
		n.hosts, n.unclear = []string{""}, true
	}
	return n
}

// blanks are the characters that browsers take from both ends of a URL.
const blanks = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

func (n *named) read(text string) {
	scheme, rest := cutScheme(text)
	slash := strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`)
	if scheme == "" || !slash || rest[0] == '/' && !strings.HasPrefix(rest, "//") && !fetched(scheme) {
		n.authority(strings.TrimPrefix(text, "//")) // host:port, host:/path
	}
	switch {
	case fetched(scheme) && slash, web(scheme):
		n.authority(strings.TrimLeft(rest, `/\`))
	case scheme != "" && strings.HasPrefix(rest, "//"):
		n.authority(rest[2:])
	case scheme == "file":
		n.authority("")
	case scheme == "" && strings.HasPrefix(text, `\`):
		n.authority(strings.TrimLeft(text, `/\`))
	}
}

// cutScheme parts a URL at its scheme, which is returned in lower case; "" where
// there is none.
func cutScheme(text string) (scheme, rest string) {
	i := strings.IndexByte(text, ':')
	if i <= 0 {
		return "", text
	}
	for k, c := range []byte(text[:i]) {
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; !letter && (k == 0 || (c < '0' || c > '9') && strings.IndexByte("+-.", c) < 0) {
			return "", text
		}
	}
	return strings.ToLower(text[:i]), text[i+1:]
}

// web reports whether browsers read a host behind a scheme, however many
// slashes stand there.
func web(scheme string) bool {
	switch scheme {
	case "http", "https", "ftp", "ws", "wss":
		return true
	}
	return false
}

// fetched reports whether curl reads a host behind a scheme and one to three
// slashes.
func fetched(scheme string) bool {
	switch scheme {
	case "dict", "ftps", "gopher", "gophers", "imap", "imaps", "ldap", "ldaps", "mqtt", "pop3", "pop3s", "rtmp", "rtsp", "scp", "sftp", "smb", "smbs", "smtp", "smtps", "telnet", "tftp":
		return true
	}
	return web(scheme)
}

// authority reads user@host:port and what follows.
func (n *named) authority(text string) {
	for _, ends := range [...]string{"/?#", `/?#\`, `/?#\;`} {
		part := text
		if i := strings.IndexAny(part, ends); i >= 0 {
			part = part[:i]
		}
		n.host(part[strings.LastIndexByte(part, '@')+1:])
		if _, first, ok := strings.Cut(part, "@"); ok && strings.Contains(first, "@") {
			first, _, _ = strings.Cut(first, "@")
			n.host(first)
		}
	}
}

// host reads host:port, where the host may hold escapes.
func (n *named) host(text string) {
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "[") {
		inner, _, _ := strings.Cut(text[1:], "]")
		addr, ok := hostAddress(inner)
		if !ok {
			n.unclear = true
			addr = inner
		}
		n.add(addr)
		n.embedded(addr)
		return
	}
	if addr, ok := hostAddress(text); ok {
		n.add(addr)
		n.embedded(addr)
		return
	}
	text, _, _ = strings.Cut(text, ":")
	decoded := strings.ToLower(match.Unescaped(text))
	if text = strings.ToLower(mapped(decoded)); text != decoded {
		n.unclear = true
	}
	if strings.ContainsAny(text, "/?#@:") || strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune(`%{}[]\^|<>"`, c) }) {
		n.unclear = true
	}
	if dots := strings.TrimRight(text, "."); dots != text && dots != "" {
		text = dots
	}
	if addr, ok := hostAddress(text); ok {
		text = addr
	}
	n.add(text)
}

func (n *named) add(host string) {
	if !slices.Contains(n.hosts, host) {
		n.hosts = append(n.hosts, host)
	}
}

// embedded adds the IPv4 address that some networks reach by one of IPv6:
// ::a.b.c.d, 64:ff9b::a.b.c.d (RFC 6052) and 2002:a.b.c.d:: (RFC 3056).
func (n *named) embedded(addr string) {
	a, ok := ipv6(addr)
	switch {
	case !ok:
	case a[0] == 0x64 && a[1] == 0xff9b, a[0]|a[1]|a[2]|a[3]|a[4]|a[5] == 0 && a[6] != 0:
		n.add(dotted(uint32(a[6])<<16 | uint32(a[7])))
	case a[0] == 0x2002:
		n.add(dotted(uint32(a[1])<<16 | uint32(a[2])))
	}
}

// mapped writes the commonest of the characters that names of machines are
// mapped from (UTS 46) as what they are mapped to, so that blocks hold. A name
// any such is unclear all the same.
func mapped(text string) string {
	plain := true
	for i := range len(text) {
		plain = plain && text[i] < 0x80
	}
	if plain {
		return text
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 0xff01 && c <= 0xff5e: // full width
			return c - 0xff01 + '!'
		case c == 0x3002 || c == 0xff61: // full stops
			return '.'
		case c == 0xad || c == 0x200b || c == 0x2060 || c == 0xfeff || c == 0x200c || c == 0x200d: // dropped
			return -1
		}
		return c
	}, text)
}

// hostUnclear asks about an address that programs may read in another way.
func (n *Node) hostUnclear(w policy.Word) {
	n.reason("host.unclear", policy.Ask, "Names a machine in a way that programs may read differently: "+w.String(), policy.Network, policy.ReachNetwork)
	n.last().Hint = "write the machine's name in plain letters"
}
