package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// links reads a text in which addresses stand, as the fetching tools do that
// are told in words what to fetch.
//
//	Compare https://example.org/a with (http://example.com/b).
//
// Where an address ends is for each tool to say: one is judged with and
// without the punctuation behind it.
func links(text policy.Word, _ *match.Call) match.Reading {
	var out match.Reading
	whole, ok := text.Const()
	if !ok {
		whole = text.Prefix()
	}
	add := func(address string) {
		if n := len(out.Uses); n == 0 || out.Uses[n-1].Word.Text != address {
			out.Uses = append(out.Uses, match.Use{Kind: match.URL, Word: policy.Const(address)})
		}
	}
	for token := range strings.FieldsSeq(whole) {
		for from := 0; ; {
			at := strings.Index(token[from:], "://")
			if at < 0 {
				break
			}
			at += from
			begin := at
			for begin > from && (token[begin-1]|0x20 >= 'a' && token[begin-1]|0x20 <= 'z') {
				begin--
			}
			from = at + len("://")
			if begin == at || from == len(token) {
				continue
			}
			address := token[begin:]
			add(address)
			ends := "\"'`<>(){}|,;\\]"
			if token[from] == '[' { // an IPv6 address
				ends = ends[:len(ends)-1]
			}
			if end := strings.IndexAny(address, ends); end > 0 {
				add(address[:end])
			}
		}
	}
	return out
}
