package python

import (
	"github.com/bashgate/bashgate/internal/python"
)

// This file notes, while sight looks at a tree, what flows into a name, an attribute and
// what a function gives, whatever runs when.

// flows are the expressions whose values may come to stand somewhere, by names: "x", ".x" of
// an attribute, "f()" of what a function gives.
type flows struct {
	into     map[string][]python.Expr      // nil among them: what comes from elsewhere
	holds    map[string][]python.Expr      // what is put into what stands there
	set      map[python.Expr][]python.Expr // what attributes and items that stand before = are given
	lambdas  map[*python.Lambda]string     // the names that they are given
	handlers map[string]python.Expr        // what has functions as attributes, by the functions' names
	function string                        // that is looked at; "": none
}

// raised is the name of what the text raises.
const raised = "raise"

// flow notes that a value may come to stand under a name.
func (f *flows) flow(name string, value python.Expr) {
	if f.into == nil {
		f.into = map[string][]python.Expr{}
	}
	f.into[name] = append(f.into[name], value)
	if l, is := value.(*python.Lambda); is {
		if f.lambdas == nil {
			f.lambdas = map[*python.Lambda]string{}
		}
		f.lambdas[l] = name
	}
}

// result notes what the function at hand gives, or yields.
func (f *flows) result(value python.Expr) {
	if value != nil {
		f.flow(f.function+"()", value)
	}
}

// comes notes what a target is given, or each name in it: of what a loop goes through or a
// call gives, any part.
func (f *flows) comes(t, value python.Expr) {
	switch t := t.(type) {
	case *python.Name:
		f.flow(t.ID, value)
	case *python.Attribute:
		f.gives(t, value)
		f.flow("."+t.Attr, value)
		if f.handlers == nil {
			f.handlers = map[string]python.Expr{}
		}
		switch v := value.(type) {
		case *python.Lambda:
			f.handlers["."+t.Attr] = t.Value
		case *python.Name:
			f.handlers[v.ID] = t.Value
		}
	case *python.Subscript:
		f.gives(t, value)
		f.put(t.Value, value)
	case *python.Starred:
		f.comes(t.Value, value)
	case *python.Tuple, *python.List:
		parts := elements(value)
		targets := elements(t)
		for i, t := range targets {
			if len(parts) == len(targets) && !hasStar(parts) && !hasStar(targets) {
				f.comes(t, parts[i])
			} else {
				f.comes(t, &part{value, -1})
			}
		}
	}
}

// gives notes what an attribute or an item is given.
func (f *flows) gives(t, value python.Expr) {
	if f.set == nil {
		f.set = map[python.Expr][]python.Expr{}
	}
	f.set[t] = append(f.set[t], value)
}

// goes notes what a loop gives its targets.
func (f *flows) goes(t, over python.Expr) {
	list := elements(t)
	if list == nil {
		f.comes(t, &part{over, -1})
	}
	for i, t := range list {
		f.comes(t, &part{over, i})
	}
}

// part stands for each thing that a loop goes through, or what is at a place of each.
type part struct {
	python.Expr
	at int // -1: all of it
}

// put notes that something is put into what an expression stands for.
func (f *flows) put(e, value python.Expr) {
	for {
		switch of := e.(type) {
		case *python.Name:
			f.grow(of.ID, value)
			return
		case *python.Attribute:
			f.grow("."+of.Attr, value)
			return
		case *python.Subscript:
			e = of.Value
		case *python.Call: // f(x).append(y)
			e = of.Func
		default:
			return
		}
	}
}

func (f *flows) grow(name string, value python.Expr) {
	if f.holds == nil {
		f.holds = map[string][]python.Expr{}
	}
	f.holds[name] = append(f.holds[name], value)
}

// taken stands for what a parameter of a function may be.
type taken struct {
	python.Expr                // the default; nil: none
	function    string         // as it is called
	lambda      *python.Lambda // nil: it is a def
	name        string
	at          int  // among the arguments by position; behind all of them: -1
	self        bool // the object itself comes first
	rest        bool // all further ones
}

// takes notes the parameters of a function.
func (f *flows) takes(args *python.Arguments, function string, lambda *python.Lambda, self bool) {
	note := func(a *python.Arg, at int, rest bool) {
		f.flow(a.Name, &taken{a.Default, function, lambda, a.Name, at, self, rest})
	}
	at := 0
	for _, list := range [...][]python.Arg{args.PosOnly, args.Args} {
		for i := range list {
			note(&list[i], at, false)
			at++
		}
	}
	for i := range args.KwOnly {
		note(&args.KwOnly[i], -1, false)
	}
	for _, a := range [...]*python.Arg{args.Vararg, args.Kwarg} {
		if a != nil {
			note(a, at, true)
		}
	}
}

// captures notes the names of a pattern.
func (f *flows) captures(p python.Pattern, subject python.Expr) {
	all := func(list []python.Pattern) {
		for _, p := range list {
			f.captures(p, subject)
		}
	}
	switch p := p.(type) {
	case *python.MatchSequence:
		all(p.Patterns)
	case *python.MatchMapping:
		f.flow(p.Rest, subject)
		all(p.Patterns)
	case *python.MatchClass:
		all(p.Patterns)
		all(p.KwdPatterns)
	case *python.MatchStar:
		f.flow(p.Name, subject)
	case *python.MatchAs:
		f.flow(p.Name, subject)
		if p.Pattern != nil {
			f.captures(p.Pattern, subject)
		}
	case *python.MatchOr:
		all(p.Patterns)
	}
}
