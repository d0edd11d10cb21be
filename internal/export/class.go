package export

import "strings"

// Words are written in patterns as sets of bytes that no shell makes anything
// of. What is not in them is not allowed, whatever the rules say of it.
const (
	plainFirst = `A-Za-z0-9_.\/:@%,` // an operand's first byte
	plainRest  = `A-Za-z0-9_.\/:@%,+=^-`
	plainSet   = `-A-Za-z0-9_.\/:@%,+=^` // a word without quotes; "-" must stand first
	singleSet  = ` !#-&(-\[\]-~`         // between single quotes, without either quote and the backslash
	doubleSet  = ` #%-\[\]-_a-~`         // between double quotes, without what means something there
)

// names writes the programs' names as a pattern.
func names(list []string) string { return oneOf(list, escape) }

// paths writes subcommands as a pattern, each behind a blank.
func paths(list []string) string {
	spaced := make([]string, len(list))
	for i, p := range list {
		if p != "" {
			spaced[i] = " " + p
		}
	}
	return oneOf(spaced, escape)
}

// required writes the words that stand behind the path.
func required(groups [][]string) string {
	var b strings.Builder
	for _, group := range groups {
		b.WriteString(" " + oneOf(group, escape))
	}
	return b.String()
}

// globPattern writes a glob over words as a pattern over the line. Quotes,
// which may stand at a word's ends, count as its ends; any is what stands for
// any text.
func globPattern(glob, any, before, after string) string {
	var b strings.Builder
	if rest := strings.TrimLeft(glob, "*"); rest == glob {
		b.WriteString(before)
	} else {
		glob = rest
	}
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '*':
			if i == len(glob)-1 {
				return b.String()
			}
			b.WriteString(any)
		case c == '?':
			b.WriteString(".")
		case c == '[':
			end := strings.IndexByte(glob[i+1:], ']')
			if end < 0 {
				b.WriteString(`\[`)
				continue
			}
			set := glob[i+1 : i+1+end]
			if rest, ok := strings.CutPrefix(set, "!"); ok {
				set = "^" + rest
			}
			b.WriteString("[" + set + "]")
			i += end + 1
		default:
			b.WriteString(fold(string(c)))
		}
	}
	b.WriteString(after)
	return b.String()
}

// wordPattern writes a glob over a word as a pattern that ends where the word
// does.
func wordPattern(glob string) string {
	text := globPattern(glob, `[`+plainSet+`]*`, "", "")
	if strings.HasSuffix(glob, "*") {
		text += `[` + plainSet + `]*`
	}
	return text
}
