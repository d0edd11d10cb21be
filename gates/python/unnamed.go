package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// This file asks about reads of whose names nothing is known but that the text computes them.

// about is a call with the signature by which it was read.
type about struct {
	sig  *code.Signature
	at   int // which of its parameters is looked at
	args *arguments
}

// passedFor lists the expressions that stand for what a parameter is given: where nobody sees
// which these are, all that the call at hand passes.
func (in *reader) passedFor(a about) (list []python.Expr) {
	c := a.args.call
	if c == nil {
		if c = in.within; c == nil {
			return nil
		}
		list = append(list, c.Args...)
		for _, k := range c.Keywords {
			list = append(list, k.Value)
		}
		if f, is := c.Func.(*python.Attribute); is {
			list = append(list, f.Value)
		}
		return list
	}
	if a.sig.Params[a.at].Name == "self" {
		if f, is := c.Func.(*python.Attribute); is {
			return []python.Expr{f.Value}
		}
		return c.Args
	}
	stands := func(e python.Expr) code.Value { return code.Value{{Kind: code.Defined, Own: e}} }
	tags := arguments{}
	for _, e := range c.Args {
		if star, is := e.(*python.Starred); is {
			tags.open, tags.more = true, code.Join(tags.more, stands(star.Value))
		} else if tags.open {
			tags.more = code.Join(tags.more, stands(e))
		} else {
			tags.positional = append(tags.positional, stands(e))
		}
	}
	for _, k := range c.Keywords {
		if k.Name != "" {
			tags.named = append(tags.named, named{k.Name, stands(k.Value)})
		} else {
			tags.open, tags.others = true, code.Join(tags.others, stands(k.Value))
		}
	}
	passed, _ := in.fits(a.sig, tags)
	if a.at < len(passed) {
		for _, s := range passed[a.at] {
			if e, is := s.Own.(python.Expr); is {
				list = append(list, e)
			}
		}
	}
	return list
}

// unnamed is a read, or a word of a command, of whose name nothing is known.
type unnamed struct {
	list  []python.Expr // that stand for it
	line  int
	start bool // it is a word of a command
}

// unnamedBy is a parameter of a call.
type unnamedBy struct {
	call *python.Call
	at   int
}

// unnames notes what a parameter is given that names files, where nothing may be known of it.
func (in *reader) unnames(v code.Value, name string, a about, start bool) {
	if slices.ContainsFunc(v.Words(name), func(w policy.Word) bool { return hasUnknown(&w) }) {
		key := unnamedBy{a.args.call, a.at}
		if key.call == nil {
			key.call = in.within
		}
		if !in.unnamedBy[key] {
			if in.unnamedBy == nil {
				in.unnamedBy = map[unnamedBy]bool{}
			}
			in.unnamedBy[key] = true
			in.unnamed = append(in.unnamed, unnamed{in.passedFor(a), in.line, start})
		}
	}
}

// computed asks about files whose names the text computes of what is its own. It lists what
// else these names may be: what the text puts together of things that it names.
func (s *sight) computed(names []string) (more []string) {
	in := s.in
	own, joins := false, false
	if len(in.unnamed) == 0 {
		return nil
	}
	hidden := s.hides()
	o := s.origins()
	var all []python.Expr
	for _, u := range in.unnamed {
		all = append(all, u.list...)
	}
	o.solve(all)
	for _, u := range in.unnamed {
		from := o.any(u.list...)
		if hidden {
			from |= made
		}
		switch {
		case from&made == 0:
			own, joins = own || from&(given|joined) != 0, joins || from&joined != 0
		case u.start:
			in.doubts(u.line)
		default:
			in.ask(u.line, "python.computed", "Python code that reads a file whose name it computes")
		}
	}
	if own {
		for _, name := range names { // the last of a path, which may be cut off
			if at := strings.LastIndexByte(strings.TrimRight(name, "/"), '/'); at >= 0 && at < len(name)-1 {
				more = append(more, name[at+1:])
			}
		}
	}
	if !joins {
		return more
	}
	filled, many := o.filled(append(names, more...))
	if many != nil {
		in.ask(int(many.Pos().Line), "python.computed", "Python code that reads a file whose name it puts together of very many others")
	}
	return append(more, filled...)
}

// filled lists what that may be which is put together, with names in the place of what is
// not known; and what gives too many, if anything does.
func (o *origins) filled(names []string) (list []string, many python.Expr) {
	names = slices.Concat(names, o.signs, o.s.in.text.Words)
	for _, name := range names {
		if lower := strings.ToLower(name); lower != name {
			names = append(names, lower)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, e := range o.joins {
		words := o.s.in.composed[e].words
		for i := range words {
			filled, ok := filledWith(&words[i], names)
			for _, text := range filled {
				if bare := strings.TrimSpace(text); bare != text {
					filled = append(filled, bare)
				}
			}
			if list = append(list, filled...); !ok || len(list) > maxGuessed {
				return list, e
			}
		}
	}
	return list, nil
}

// filledWith is what a word may be with texts in the place of what may be anything; what is a
// number, or a match of a pattern, is left out. It reports false where these are too many.
func filledWith(w *policy.Word, texts []string) (list []string, ok bool) {
	list = []string{""}
	parts := w.Parts
	if parts == nil {
		parts = []policy.Part{{Text: w.Text}}
	}
	for i := range parts {
		add := []string{""}
		switch p := &parts[i]; {
		case p.Kind == policy.Lit:
			add[0] = p.Text
		case isUnknown(p):
			add = texts
		}
		if len(list)*len(add) > maxGuessed {
			return nil, false
		}
		longer := make([]string, 0, len(list)*len(add))
		for _, text := range list {
			for _, more := range add {
				longer = append(longer, text+more)
			}
		}
		list = longer
	}
	return list, true
}
