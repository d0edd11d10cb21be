package task

import "strings"

// This file holds the texts that readers of makefiles, justfiles and Taskfiles
// put together. What is not known in one is a name between two marks; the shell
// sees a variable there. A value of the user's environment or machine is taken
// for words. A value that the file or the line chooses may be any text, with
// operators of the shell in it: its name begins with "!", and no text that it
// is put into can be judged.

const (
	unknownStart = 0x01
	unknownEnd   = 0x02
)

// unknownText stands for words that are not known.
func unknownText(name string) string { return "\x01" + oneWord(name) + "\x02" }

// openText stands for any text.
func openText(name string) string { return "\x01!" + oneWord(name) + "\x02" }

// oneWord keeps a mark whole where a text is cut into lines or words: a
// makefile may call a variable anything.
func oneWord(name string) string {
	if strings.ContainsAny(name, " \t\r\n\x01\x02") {
		return "unknown"
	}
	return name
}

// unsure reports whether some of a text is not known.
func unsure(text string) bool { return strings.IndexByte(text, unknownStart) >= 0 }

// isOpen reports whether some of a text may be anything.
func isOpen(text string) bool { return strings.Contains(text, "\x01!") }

// opaque stands for what a function makes of texts when one of them is not
// known: words, if all of them are.
func opaque(texts ...string) string {
	for _, text := range texts {
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', strings.IndexByte("_-./:=,+@%^~ \t\x01\x02", c) >= 0:
			default: // also the "!" of an open text
				return openText("unknown")
			}
		}
	}
	return unknownText("unknown")
}

// rendered writes a text with shell variables in place of what is not known.
// Between single quotes and behind a backslash a variable would not be one, so
// it is moved out of them.
func rendered(text string) string {
	if !unsure(text) {
		return text
	}
	var b strings.Builder
	var nest []byte // the quotes and substitutions that are open: ' " ( `
	inside := func() byte {
		if len(nest) == 0 {
			return 0
		}
		return nest[len(nest)-1]
	}
	toggle := func(c byte) {
		if inside() == c {
			nest = nest[:len(nest)-1]
		} else {
			nest = append(nest, c)
		}
	}
	blank := true // a comment may begin here
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == unknownStart {
			name, _, _ := strings.Cut(text[i+1:], "\x02")
			i += len(name) + 1
			name = strings.TrimPrefix(name, "!")
			if !isName(name) {
				name = "unknown"
			}
			if inside() == '\'' {
				b.WriteString(`'"${` + name + `}"'`)
			} else {
				b.WriteString("${" + name + "}")
			}
			blank = false
			continue
		}
		switch in := inside(); {
		case in == '\'':
			if c == '\'' {
				toggle(c)
			}
		case c == '\\' && i+1 < len(text):
			if text[i+1] == unknownStart {
				continue // it quotes a character that is not known
			}
			b.WriteByte(c)
			i++
			c = text[i]
		case c == '"', c == '`':
			toggle(c)
		case c == '$' && strings.HasPrefix(text[i:], "$("):
			b.WriteByte(c)
			i++
			c = '('
			nest = append(nest, c)
		case c == ')' && in == '(':
			nest = nest[:len(nest)-1]
		case c == '\'' && in != '"':
			toggle(c)
		case c == '#' && blank && in != '"':
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return b.String()
			}
			i += end
			c = '\n'
		}
		b.WriteByte(c)
		blank = strings.IndexByte(" \t\n;&|(", c) >= 0
	}
	return b.String()
}
