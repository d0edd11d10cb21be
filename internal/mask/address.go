package mask

import "strings"

// addresses finds the passwords of addresses: https://user:PASSWORD@host,
// redis://:PASSWORD@host, user:PASSWORD@tcp(host)/db.
func (f *finder) addresses() {
	text := f.text
	for i := 0; ; {
		at := strings.Index(text[i:], "://")
		if at < 0 {
			break
		}
		i += at + len("://")
		end := i + addressEnd(text[i:])
		f.userinfo(i, end)
	}
	for _, place := range [...]string{"@tcp(", "@unix(", "@udp("} {
		for i := 0; ; {
			at := strings.Index(text[i:], place)
			if at < 0 {
				break
			}
			end := i + at
			start := end
			for start > i && !blank(text[start-1]) && !quote(text[start-1]) && text[start-1] != ':' {
				start--
			}
			if start > 0 && text[start-1] == ':' {
				f.mark(start, end)
			}
			i = end + len(place)
		}
	}
}

// maxAddress is how much of an address is looked at, in bytes.
const maxAddress = 4 << 10

// addressEnd is where an address ends in a text.
func addressEnd(text string) int {
	text = text[:min(len(text), maxAddress)]
	if i := strings.IndexAny(text, " \t\r\n\"'`<>\\"); i >= 0 {
		return i
	}
	return len(text)
}

// userinfo marks the secret before the @ of an address without its scheme.
func (f *finder) userinfo(start, end int) {
	address := f.text[start:end]
	stop := strings.IndexAny(address, "/?#")
	if stop < 0 {
		stop = len(address)
	}
	at := strings.LastIndexByte(address[:stop], '@')
	colon := strings.IndexByte(address[:stop], ':')
	if at < 0 && colon >= 0 && stop < len(address) && strings.Trim(address[colon+1:stop], "0123456789") != "" {
		// No port: a password with a slash in it.
		if n := strings.IndexByte(address[stop:], '@'); n >= 0 {
			at = stop + n
		}
	}
	switch {
	case at < 0:
	case colon >= 0 && colon < at:
		if !strings.HasPrefix(address[colon+1:], "$") {
			f.mark(start+colon+1, start+at)
		}
	case at >= 16 && strings.ContainsAny(address[:at], "0123456789") && !strings.ContainsAny(address[:at], "$.{"):
		f.mark(start, start+at) // a token in the place of the user
	}
}
