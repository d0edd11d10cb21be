package rulegen

import (
	"fmt"
	"go/token"
	"strings"
)

// goNames turns the names of programs and files into Go names, no two alike.
type goNames struct {
	taken map[string]bool
}

var signs = map[rune]string{'+': "Plus", '.': "Dot", '[': "Bracket", ':': "Colon", '!': "Not", '@': "At"}

// name returns prefix and text in camel case: "table" and "apt-get" make
// tableAptGet.
func (n *goNames) name(prefix, text string) string {
	var b strings.Builder
	b.WriteString(prefix)
	up := prefix != ""
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' && b.Len() > 0:
			if up {
				b.WriteString(strings.ToUpper(string(r)))
			} else {
				b.WriteRune(r)
			}
			up = false
		case signs[r] != "":
			b.WriteString(signs[r])
			up = true
		case r == '-' || r == '_' || r == ' ':
			up = true
		default:
			fmt.Fprintf(&b, "X%x", r)
			up = true
		}
	}
	name := b.String()
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	for i := 2; n.taken[name] || token.IsKeyword(name); i++ {
		name = fmt.Sprintf("%s_%d", b.String(), i)
	}
	n.taken[name] = true
	return name
}
