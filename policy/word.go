package policy

import "strings"

// Word is one word of a simple command after bash's quoting and expansions,
// as far as they can be known.
//
//	main.go        {Text: "main.go"}
//	"src/$f"       {Parts: ["src/", hole "$f"]}
//	*.go           {Parts: [glob "*", ".go"]}
//
// A word with nil Parts is constant: its value is Text. Otherwise Parts holds
// the value piece by piece and Text is unused.
type Word struct {
	Text  string
	Parts []Part
	Pos   Pos
}

// PartKind says what is known about a piece of a word.
type PartKind uint8

// The kinds of parts.
const (
	Lit   PartKind = iota // known text
	Glob                  // unquoted pattern text (*, ?, [a-z], extglob): the word becomes the matching file names, or stays as it is
	Hole                  // a value that is not known, but stays inside this one word (quoted)
	Split                 // an unquoted value that is not known: it may be nothing, or any number of words
)

// Shape is what is known about the value of a hole.
type Shape uint8

// Numeric reports whether a value can only be a number or nothing, which is
// harmless wherever something is calculated.
func (s Shape) Numeric() bool { return s == ShapeNumber || s == ShapeCount }

// The shapes. ShapeAny is the zero value: nothing is known.
const (
	ShapeAny     Shape = iota
	ShapeWord          // no blanks, no leading "-"; empty only where a program that prints it fails (git rev-parse HEAD)
	ShapeNumber        // decimal digits, with or without a leading "-"; of the shell's own, so that there are some ($#)
	ShapeCount         // a number, or nothing where the program that prints it fails (wc -l)
	ShapePath          // an absolute path without a newline
	ShapeName          // a word of letters, digits and the signs @ ^ ~, as names of revisions are; empty only where a program that prints it fails
	ShapePaths         // a path without a leading "-"; of a Split: any number of words that are each such a path
	ShapeNumbers       // whole numbers, a line each, from the first operand, or 1, to the last one; none where the program that prints them fails (seq 3)
)

// Part is a piece of a word.
type Part struct {
	Text  string // Lit: the value. Glob: the pattern. Holes: the source as written, for messages ("$f")
	Kind  PartKind
	Shape Shape  // for holes
	Match string // for holes: the pattern of which the value is one match, as in a loop over *.json; "" where there is none
}

// Const returns the word's value and true if all of it is known. A word with
// a glob is not constant.
func (w Word) Const() (string, bool) {
	if w.Parts == nil {
		return w.Text, true
	}
	return "", false
}

// IsConst reports whether all of the word's value is known.
func (w Word) IsConst() bool { return w.Parts == nil }

// Prefix returns the known text at the start of the word: all of it for a
// constant one.
func (w Word) Prefix() string {
	if w.Parts == nil {
		return w.Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind != Lit {
			break
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// HasHole reports whether some of the value is unknown. A glob is not a hole.
func (w Word) HasHole() bool {
	for _, p := range w.Parts {
		if p.Kind == Hole || p.Kind == Split {
			return true
		}
	}
	return false
}

// HasGlob reports whether an unquoted pattern is in the word.
func (w Word) HasGlob() bool {
	for _, p := range w.Parts {
		if p.Kind == Glob {
			return true
		}
	}
	return false
}

// MaySplit reports whether the word may become no words or several: an
// unquoted hole (but for one whose shape forbids it) or a glob.
func (w Word) MaySplit() bool {
	for _, p := range w.Parts {
		if p.splits() || p.Kind == Glob {
			return true
		}
	}
	return w.MayVanish()
}

// MayVanish reports whether the word may become no word at all: all of it is
// unquoted values that may be empty. A program that prints one word prints
// none where it fails; numbers are always there.
func (w Word) MayVanish() bool {
	for _, p := range w.Parts {
		if p.Kind != Split || p.Shape == ShapeNumber {
			return false
		}
	}
	return len(w.Parts) > 0
}

// splits reports whether an unquoted value may be no words or several. A path
// may hold blanks.
func (p Part) splits() bool {
	return p.Kind == Split && p.Shape != ShapeWord && p.Shape != ShapeName && !p.Shape.Numeric()
}

// MayBeOption reports whether the word, or one of the words it becomes, may
// begin with "-". A constant word is an option only by its text.
func (w Word) MayBeOption() bool {
	if w.Parts == nil {
		return strings.HasPrefix(w.Text, "-")
	}
	begun := false // the first of the words has begun with something else
	for _, p := range w.Parts {
		if begun && !p.splits() {
			continue
		}
		switch p.Kind {
		case Lit:
			if strings.HasPrefix(p.Text, "-") {
				return true
			}
			begun = p.Text != ""
		case Glob:
			return true
		default:
			// What follows a blank in an unquoted value may begin with
			// anything, unless its shape speaks of each word.
			switch p.Shape {
			case ShapeAny, ShapeNumber, ShapeCount:
				return true
			case ShapePath:
				if p.Kind == Split {
					return true
				}
			}
			// A program that fails prints nothing, and then what follows
			// begins the word.
		}
	}
	return false
}

// String returns the word as a shell would accept it, for messages: constant
// text quoted where it must be, holes as they were written.
func (w Word) String() string {
	if w.Parts == nil {
		return Quote(w.Text)
	}
	var b strings.Builder
	b.Grow(w.size())
	w.write(&b)
	return b.String()
}

// write writes what String returns.
func (w Word) write(b *strings.Builder) {
	if w.Parts == nil {
		b.WriteString(Quote(w.Text))
		return
	}
	for i := range w.Parts {
		p := &w.Parts[i]
		switch p.Kind {
		case Lit:
			if p.Text != "" {
				b.WriteString(Quote(p.Text))
			}
		case Hole:
			b.WriteByte('"')
			b.WriteString(p.Text)
			b.WriteByte('"')
		default:
			b.WriteString(p.Text)
		}
	}
}

// size is how many bytes String returns where no constant text is quoted.
func (w Word) size() int {
	n := len(w.Text)
	for i := range w.Parts {
		n += len(w.Parts[i].Text) + 2
	}
	return n
}

// Unresolved writes the word for a shell, with a variable in place of each
// value that is not known, so that the rest can still be judged for blocks and
// reach.
func (w Word) Unresolved() string {
	if w.Parts == nil {
		return w.Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind == Lit || p.Kind == Glob {
			b.WriteString(p.Text)
		} else {
			b.WriteString("${unknown}")
		}
	}
	return b.String()
}

// IsNumber reports whether s is decimal digits, perhaps after a minus: what a
// value of ShapeNumber is.
func IsNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Escapes reports whether what stands behind s is escaped: s ends in an odd
// number of backslashes.
func Escapes(s string) bool {
	return (len(s)-len(strings.TrimRight(s, "\\")))%2 == 1
}

// Const makes a constant word.
func Const(s string) Word { return Word{Text: s} }

// Unknown makes a word that is one unknown value, written as source.
func Unknown(source string) Word {
	return Word{Parts: []Part{{Kind: Hole, Text: source}}}
}

// UnknownWords makes a word that stands for any number of unknown values.
func UnknownWords(source string) Word {
	return Word{Parts: []Part{{Kind: Split, Text: source}}}
}

// isPlain reports whether no shell makes more of a character than the character.
func isPlain(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '-' <= r && r <= ':': // -./0123456789:
		return true
	}
	return r < 0x80 && strings.IndexByte("%+,=@_^", byte(r)) >= 0
}

// Quote returns s as one shell word. Control characters are shown escaped, so
// that a message can't hide anything.
func Quote(s string) string {
	switch s {
	case "":
		return "''"
	case "[", "]":
		return s // alone they are no pattern
	}
	plain := true
	for _, r := range s {
		if r < 0x20 || r == 0x7f || isInvisible(r) {
			return ansiQuote(s)
		}
		plain = plain && isPlain(r)
	}
	if plain {
		return s
	}
	if !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
