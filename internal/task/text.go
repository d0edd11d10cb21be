package task

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file holds the texts that readers put together. Such a text is a
// policy.Word whose holes are known by the variables that the shell sees in
// their place. A Split stands for words: a value of the user's environment or
// machine. A Hole stands for any text, with operators of the shell in it: a
// value that the file or the line chooses, or that a template computes. No
// text that has one can be judged.

// someWords stands for words that are not known.
func someWords(name string) policy.Word { return policy.UnknownWords(variableOf(name)) }

// anyText stands for a text of which nothing is known.
func anyText(name string) policy.Word { return policy.Unknown(variableOf(name)) }

// variableOf is the variable that the shell sees in the place of a value: a
// makefile may call one anything.
func variableOf(name string) string {
	if !isName(name) {
		name = "unknown"
	}
	return "${" + name + "}"
}

// isOpen reports whether some of a text may be anything.
func isOpen(w policy.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p policy.Part) bool { return p.Kind == policy.Hole })
}

// sameText reports whether two texts are made alike.
func sameText(a, b policy.Word) bool { return a.Text == b.Text && slices.Equal(a.Parts, b.Parts) }

// textBuilder puts a text together. The zero value is empty.
type textBuilder struct {
	parts []policy.Part
	lit   strings.Builder
	size  int // bytes of known text
}

func (b *textBuilder) string(s string) {
	b.size += len(s)
	b.lit.WriteString(s)
}

func (b *textBuilder) word(w policy.Word) {
	b.string(w.Text)
	for _, p := range w.Parts {
		b.part(p)
	}
}

func (b *textBuilder) part(p policy.Part) {
	if p.Kind == policy.Lit {
		b.string(p.Text)
		return
	}
	b.flush()
	b.parts = append(b.parts, p)
}

func (b *textBuilder) flush() {
	if b.lit.Len() > 0 {
		b.parts = append(b.parts, policy.Part{Text: b.lit.String()})
		b.lit.Reset()
	}
}

// done returns the text; the builder is empty again.
func (b *textBuilder) done() policy.Word {
	var w policy.Word
	if b.parts == nil {
		w.Text = b.lit.String()
	} else {
		b.flush()
		w.Parts = b.parts
	}
	*b = textBuilder{}
	return w
}

// concat is texts one behind the other.
func concat(words ...policy.Word) policy.Word { return joinTexts(words, "") }

// joinTexts is texts with a separator between them.
func joinTexts(words []policy.Word, separator string) policy.Word {
	var b textBuilder
	for i, w := range words {
		if i > 0 {
			b.string(separator)
		}
		b.word(w)
	}
	return b.done()
}

// splitText cuts a text at each of some bytes; what is not known is not cut.
func splitText(w policy.Word, at string) []policy.Word {
	var pieces []policy.Word
	var b textBuilder
	known := func(text string) {
		for {
			i := strings.IndexAny(text, at)
			if i < 0 {
				b.string(text)
				return
			}
			b.string(text[:i])
			pieces = append(pieces, b.done())
			text = text[i+1:]
		}
	}
	known(w.Text)
	for _, p := range w.Parts {
		if p.Kind == policy.Lit {
			known(p.Text)
		} else {
			b.part(p)
		}
	}
	return append(pieces, b.done())
}

// textFields are the words of a text, as strings.Fields has them.
func textFields(w policy.Word) []policy.Word {
	return slices.DeleteFunc(splitText(w, " \t\n\v\f\r"), func(w policy.Word) bool { return w.Parts == nil && w.Text == "" })
}

// trimStart is a text without some bytes at its start.
func trimStart(w policy.Word, cut string) policy.Word {
	if w.Parts == nil {
		w.Text = strings.TrimLeft(w.Text, cut)
	} else if first := w.Parts[0]; first.Kind == policy.Lit {
		first.Text = strings.TrimLeft(first.Text, cut)
		w = concat(policy.Const(first.Text), policy.Word{Parts: w.Parts[1:]})
	}
	return w
}

// opaque stands for what a function makes of texts when one of them is not
// known: words, if all of them are.
func opaque(texts ...policy.Word) policy.Word {
	w := concat(texts...)
	if isOpen(w) || !plainWords(w.Text) || slices.ContainsFunc(w.Parts, func(p policy.Part) bool { return p.Kind == policy.Lit && !plainWords(p.Text) }) {
		return anyText("unknown")
	}
	return someWords("unknown")
}

// plainWords reports whether a text is words and nothing else to a shell.
func plainWords(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && strings.IndexByte("_-./:=,+@%^~ \t", c) < 0 {
			return false
		}
	}
	return true
}

// rendered writes a text with shell variables in place of what is not known.
// Between single quotes and behind a backslash a variable would not be one, so
// it is moved out of them.
func rendered(w policy.Word) string {
	if w.Parts == nil {
		return w.Text
	}
	var r renderer
	for i, p := range w.Parts {
		if p.Kind == policy.Lit {
			r.known(p.Text, i+1 < len(w.Parts))
			continue
		}
		if r.comment {
			continue
		}
		if r.blank = false; r.inside() == '\'' {
			r.WriteString(`'"` + p.Text + `"'`)
		} else {
			r.WriteString(p.Text)
		}
	}
	return r.String()
}

// renderer follows the quotes of a text while it is written.
type renderer struct {
	strings.Builder
	nest    []byte // the quotes and substitutions that are open: ' " ( `
	blank   bool   // behind a blank, where a comment may begin
	comment bool   // in one, up to the end of the line
}

func (r *renderer) inside() byte {
	if len(r.nest) == 0 {
		return 0
	}
	return r.nest[len(r.nest)-1]
}

func (r *renderer) toggle(c byte) {
	if r.inside() == c {
		r.nest = r.nest[:len(r.nest)-1]
	} else {
		r.nest = append(r.nest, c)
	}
}

// known writes known text; before says that something unknown follows it.
func (r *renderer) known(text string, before bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch in := r.inside(); {
		case r.comment:
			if c != '\n' {
				continue
			}
			r.comment = false
		case in == '\'':
			if c == '\'' {
				r.toggle(c)
			}
		case c == '\\' && i+1 == len(text) && before:
			continue // it quotes a character that is not known
		case c == '\\' && i+1 < len(text):
			r.WriteByte(c)
			i++
			c = text[i]
		case c == '"', c == '`':
			r.toggle(c)
		case c == '$' && strings.HasPrefix(text[i:], "$("):
			r.WriteByte(c)
			i++
			c = '('
			r.nest = append(r.nest, c)
		case c == ')' && in == '(':
			r.nest = r.nest[:len(r.nest)-1]
		case c == '\'' && in != '"':
			r.toggle(c)
		case c == '#' && (r.blank || r.Len() == 0) && in != '"':
			r.comment = true
			continue
		}
		r.WriteByte(c)
		r.blank = strings.IndexByte(" \t\n;&|(", c) >= 0
	}
}
