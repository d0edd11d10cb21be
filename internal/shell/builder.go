package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// builder puts together the words that one word of the text becomes.
type builder struct {
	words   []policy.Word
	parts   []policy.Part
	text    string // literal text after parts, while it is one piece
	buf     []byte // the same, when it is more than one
	open    bool   // there is a word, even if it is empty
	split   bool   // unquoted values are split into words
	globs   bool   // unquoted patterns are kept apart
	ifs     string // the separators
	lost    bool   // the separators are not known
	zsh     bool   // zsh may run it
	tabs    bool   // a here-document whose lines lose their first tabs
	assign  bool   // an assigned value: "~" counts after ":"
	either  bool   // a word that is like one: "~" is a home to bash and text to zsh
	leading bool   // "~" counts at the beginning alone: an element of an array, what braces make
	doubt   bool   // some patterns may be text; the whole word tells
	nested  bool   // in the word of an expansion that stands in double quotes
	pos     policy.Pos
}

// lit adds known text.
func (b *builder) lit(s string) {
	if s == "" {
		return
	}
	b.open = true
	switch {
	case len(b.buf) > 0:
		b.buf = append(b.buf, s...)
	case b.text == "":
		b.text = s
	default:
		b.buf = append(append(b.buf[:0], b.text...), s...)
		b.text = ""
	}
}

func (b *builder) byte(c byte) {
	b.open = true
	if len(b.buf) == 0 {
		b.buf = append(b.buf, b.text...)
		b.text = ""
	}
	b.buf = append(b.buf, c)
}

func (b *builder) flush() {
	if s := b.take(); s != "" {
		b.parts = append(b.parts, policy.Part{Kind: policy.Lit, Text: s})
	}
}

func (b *builder) take() string {
	s := b.text
	if len(b.buf) > 0 {
		s = string(b.buf)
		b.buf = b.buf[:0]
	}
	b.text = ""
	return s
}

// part adds a piece that is not literal.
func (b *builder) part(p policy.Part) {
	b.flush()
	if !b.split && p.Kind == policy.Split {
		p.Kind = policy.Hole
	}
	b.parts = append(b.parts, p)
	b.open = true
}

// end ends the word in hand, if there is one.
func (b *builder) end() {
	if b.open {
		b.words = append(b.words, b.word())
	}
}

// word takes the word in hand.
func (b *builder) word() policy.Word {
	if b.doubt || b.split && b.parts != nil {
		b.flush()
		b.settle()
	}
	w := policy.Word{Pos: b.pos}
	if b.parts == nil {
		w.Text = b.take()
		if len(w.Text) > maxConst {
			w.Text, w.Parts = "", []policy.Part{{Kind: policy.Hole, Text: policy.Clip(w.Text, maxSource)}}
		}
	} else {
		b.flush()
		w.Parts = b.parts
		if len(w.Parts) > maxParts {
			w.Parts = []policy.Part{{Kind: policy.Hole, Text: "..."}}
			if b.split {
				w.Parts[0].Kind = policy.Split
			}
		}
		b.parts = nil
	}
	b.open = false
	return w
}

// value adds a value that stands in quotes: it stays inside the word.
func (b *builder) value(v policy.Word, source string) {
	if v.Parts == nil {
		b.lit(v.Text)
		return
	}
	for _, p := range v.Parts {
		switch p.Kind {
		case policy.Lit:
			b.lit(p.Text)
		default:
			if p.Text == "" {
				p.Text = source
			}
			b.part(p)
		}
	}
}

// unquoted adds a value that is split into words and whose patterns become
// file names.
func (b *builder) unquoted(v policy.Word, source string) {
	if !b.split {
		b.value(v, source)
		return
	}
	if v.Parts == nil {
		b.fields(v.Text, source)
		return
	}
	for _, p := range v.Parts {
		switch p.Kind {
		case policy.Lit:
			b.fields(p.Text, source)
		case policy.Glob:
			b.part(p)
		default:
			if p.Text == "" {
				p.Text = source
			}
			p.Kind = policy.Split
			if b.lost || b.ifs != defaultIFS {
				p.Shape = policy.ShapeAny
			}
			b.part(p)
		}
	}
}

const defaultIFS = " \t\n"

// fields adds known text that is split.
func (b *builder) fields(s, source string) {
	if s == "" {
		return
	}
	if !b.split {
		b.glob(s)
		return
	}
	if b.lost {
		b.part(policy.Part{Kind: policy.Split, Text: source})
		return
	}
	if b.zsh && strings.ContainsAny(s, b.ifs+"*?[") {
		// zsh neither splits what a variable holds nor takes it for a pattern.
		b.part(policy.Part{Kind: policy.Split, Text: source})
		return
	}
	if !strings.ContainsAny(s, b.ifs) {
		b.glob(s)
		return
	}
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if strings.IndexByte(b.ifs, c) < 0 {
			continue
		}
		b.glob(s[start:i])
		if !isBlank(c) {
			b.open = true // an empty word before a separator counts
		}
		b.end()
		i = b.blanks(s, i)
		// Blanks around another separator belong to it.
		if isBlank(c) && i+1 < len(s) && strings.IndexByte(b.ifs, s[i+1]) >= 0 && len(b.words) > 0 {
			i = b.blanks(s, i+1)
		}
		start = i + 1
	}
	b.glob(s[start:])
}

// blanks returns the last of the blanks that separate and follow a place.
func (b *builder) blanks(s string, i int) int {
	for i+1 < len(s) && isBlank(s[i+1]) && strings.IndexByte(b.ifs, s[i+1]) >= 0 {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }
