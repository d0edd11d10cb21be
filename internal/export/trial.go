package export

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// trial judges command lines with holes by the tables of one program.
type trial struct {
	tables []*match.Program
	within bool // a profile keeps reading to certain directories
	call   match.Call
	tape   *tape // what is known of the tables
	cmd    policy.Command
	words  []policy.Word // of the last line: the next one is written over it
}

// hole is a word that may be anything that does not begin with a dash.
func hole() policy.Word { return policy.Word{Parts: anything[:]} }

var anything = [...]policy.Part{{Kind: policy.Hole, Text: "$word", Shape: policy.ShapePaths}}

var workspace = [...]string{"/workspace"}

func (t *trial) begin(f *Form) []policy.Word {
	words := append(t.words[:0], policy.Const(t.tables[0].Name))
	for _, w := range f.Path {
		words = append(words, policy.Const(w))
	}
	return words
}

// opening is the line's beginning with what it requires.
func (t *trial) opening(f *Form) []policy.Word {
	words := t.begin(f)
	for _, group := range f.Required {
		words = append(words, policy.Const(group[0]))
	}
	return words
}

func (t *trial) holes(words []policy.Word, n int) []policy.Word {
	for range n {
		words = append(words, hole())
	}
	return words
}

// line is a command line with options and n operands.
func (t *trial) line(f *Form, options []Option, n int) []policy.Word {
	return t.holes(t.optionWords(t.opening(f), options), n)
}

// optionWords adds options, each in all the ways that it may be written.
func (t *trial) optionWords(words []policy.Word, options []Option) []policy.Word {
	for i := range options {
		o := &options[i]
		if o.Bare {
			words = append(words, policy.Const(o.Spelling))
		}
		if o.Glued {
			if o.glued == nil {
				o.glued = append([]policy.Part{{Text: o.Spelling + o.sign()}}, anything[:]...)
			}
			words = append(words, policy.Word{Parts: o.glued})
		}
		if o.Apart {
			words = append(words, policy.Const(o.Spelling), hole())
		}
	}
	return words
}

// holds reports whether the words are allowed whatever the holes are, with
// the Form's rule among those that hold. What operands may not be for that is
// added to the Form.
func (t *trial) holds(f *Form, words []policy.Word) bool {
	t.words = words
	if answer, ok := t.tape.next(); ok && answer != again {
		return answer == yes
	}
	except := len(f.Except)
	held := t.tried(f, words)
	if len(f.Except) > except {
		t.tape.note(again)
	} else {
		t.tape.note(reply(held))
	}
	return held
}

// tried is holds, without what is known.
func (t *trial) tried(f *Form, words []policy.Word) bool {
	c := &t.call
	c.Reset()
	t.cmd = policy.Command{Words: words, Dirs: workspace[:]}
	c.Cmd, c.Name = &t.cmd, t.tables[0].Name
	for _, p := range t.tables {
		c.Judge(p)
	}
	for _, handler := range c.Handlers {
		gates.Handle(handler, c)
	}
	// What is allowed where no other rule holds is so where another allow does.
	own := f.Rule.Otherwise && !slices.ContainsFunc(t.tables, func(p *match.Program) bool { return p.Unknown > policy.Allow })
	var except []string
	for i := range c.Held {
		h := &c.Held[i]
		if h.Decision == policy.Allow {
			own = own || h.Rule == f.Rule || f.Rule.Otherwise
			continue
		}
		if len(h.Rule.Args) == 0 || slices.ContainsFunc(h.Rule.Args, func(g string) bool { return strings.HasPrefix(g, "@") }) {
			return false
		}
		except = append(except, h.Rule.Args...)
	}
	if !own {
		return false
	}
	for i := range c.Unknowns {
		if c.Unknowns[i].Decision > policy.Allow {
			return false
		}
	}
	for i := range c.Uses {
		u := &c.Uses[i]
		if u.Kind == match.Code && f.Script != nil {
			continue // its examples are judged as lines
		}
		if !harmless(u.Kind) || u.Dirs != nil || t.within && (u.Kind == match.Read || u.Kind == match.Path) {
			return false
		}
	}
	for _, glob := range except {
		if !slices.Contains(f.Except, glob) {
			f.Except = append(f.Except, glob)
		}
	}
	return true
}

// holdsAny reports whether the Form's beginning is allowed with any words
// behind it, options that nobody declared among them.
func (t *trial) holdsAny(f *Form) bool {
	if f.Min > 0 || f.Max >= 0 || f.Reads {
		return false
	}
	anything := policy.UnknownWords("$words")
	for _, more := range [...][]policy.Word{
		{anything},
		{anything, anything, hole(), anything},
		{policy.Const("-Z"), policy.Const("--undeclared-option"), policy.Const("--undeclared-option=x"), hole()},
		{policy.Const("+x"), policy.Const("x=y"), policy.Const("--"), policy.Const("-Z")},
	} {
		if !t.holds(f, append(t.opening(f), more...)) {
			return false
		}
	}
	// An option that is declared might do what an undeclared one is not
	// expected to.
	for _, p := range t.tables {
		for i := range p.Levels {
			if len(p.Levels[i].Options) > 0 {
				return false
			}
		}
	}
	return len(f.Except) == 0
}
