package code

import (
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// Signature says what a call means.
//
//	(read, mode:data=r|rb?, *) -> file
//
// Each parameter has the kinds of what is passed for it, behind its name where
// it may be passed by that; = with globs stands for the values for which the
// signature holds, ? for a parameter that may be missing. *KIND takes all further
// arguments, and a lone * any that are data, by name too. self is what a method
// is called on.
type Signature struct {
	Params []Param
	Result Type
}

// Param is one parameter.
type Param struct {
	Name     string
	Kinds    []Kind
	Globs    []string // the values for which the signature holds; nil: any
	Optional bool
	Rest     bool // takes all further arguments
}

// Kind says what an argument means.
type Kind struct {
	match.Kind
	Lang string // of Code
	Own  Own
	Args []Type // Calls: what it is called with
}

// Own are the kinds that only code has.
type Own uint8

// The kinds beside those of words.
const (
	NotOwn   Own = iota
	Variable     // the name of an environment variable, whose value is read
	Calls        // what is passed is called
	Changes      // a container is changed: what else is passed may be in it then
	Shown        // it is made a text or a number: its special methods are called
)

// Takes reports whether a call may mean the signature: nothing that it needs is
// missing from what is passed for its parameters, and what is passed is among the
// values for which it holds. open says that further arguments may be passed.
func (s *Signature) Takes(passed []Value, open bool) bool {
	for i := range s.Params {
		p := &s.Params[i]
		switch {
		case p.Name == "self", p.Rest:
		case passed[i] == nil && !p.Optional && !open, passed[i] != nil && p.Globs != nil && !passed[i].matches(p.Globs):
			return false
		}
	}
	return true
}

// ParseSignature reads what stands behind a function's name.
func ParseSignature(s string) (Signature, error) {
	var sig Signature
	if !strings.HasPrefix(s, "(") {
		return sig, fmt.Errorf("%q has no parameters in parentheses", s)
	}
	end := closing(s)
	if end < 0 {
		return sig, fmt.Errorf("%q has no closing parenthesis", s)
	}
	for _, p := range split(s[1:end], ',') {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		param, err := parseParam(p)
		if err != nil {
			return sig, err
		}
		for name := range strings.SplitSeq(param.Name, "|") { // several that mean the same
			param.Name = name
			sig.Params = append(sig.Params, param)
		}
	}
	rest := strings.TrimSpace(s[end+1:])
	if rest == "" {
		sig.Result = Type{{Name: "none"}}
		return sig, nil
	}
	result, ok := strings.CutPrefix(rest, "->")
	if !ok {
		return sig, fmt.Errorf("%q stands behind the parameters, where -> TYPE may stand", rest)
	}
	var err error
	sig.Result, err = ParseType(strings.TrimSpace(result))
	return sig, err
}

func parseParam(s string) (p Param, err error) {
	if s == "*" {
		return Param{Rest: true, Kinds: []Kind{{Kind: match.Data}}}, nil
	}
	s, p.Rest = strings.CutPrefix(s, "*")
	s, p.Optional = strings.CutSuffix(s, "?")
	s, globs, has := strings.Cut(s, "=")
	if has {
		p.Globs = strings.Split(globs, "|")
	}
	if name, kinds, ok := strings.Cut(s, ":"); ok {
		p.Name, s = name, kinds
	}
	for _, word := range strings.Split(s, "+") {
		k, err := parseKind(word)
		if err != nil {
			return p, err
		}
		p.Kinds = append(p.Kinds, k)
	}
	return p, nil
}

func parseKind(s string) (Kind, error) {
	name, types, has := strings.Cut(s, "[")
	switch name {
	case "variable":
		return Kind{Own: Variable}, nil
	case "changes":
		return Kind{Own: Changes}, nil
	case "shown":
		return Kind{Own: Shown}, nil
	case "calls":
		k := Kind{Own: Calls}
		if has {
			for _, t := range split(strings.TrimSuffix(types, "]"), ';') {
				one, err := ParseType(strings.TrimSpace(t))
				if err != nil {
					return k, err
				}
				k.Args = append(k.Args, one)
			}
		}
		return k, nil
	}
	kind, lang, ok := match.ParseKind(s)
	if !ok {
		return Kind{}, fmt.Errorf("%q is no kind of argument", s)
	}
	return Kind{Kind: kind, Lang: lang}, nil
}

// Type is what a value may be: one of several types. Nil says that nothing is
// known.
type Type []OneType

// OneType is a type, and what a container of it holds.
type OneType struct {
	Name  string
	Of    Type   // nil: plain data
	Items []Type // of a container with so many items: tuple[str;int]
}

// ParseType reads a type: "str", "list[pathlib.Path]|none".
func ParseType(s string) (Type, error) {
	var t Type
	for _, one := range split(s, '|') {
		one = strings.TrimSpace(one)
		if one == "" {
			continue
		}
		name, of, has := strings.Cut(one, "[")
		o := OneType{Name: name}
		if has {
			of, ok := strings.CutSuffix(of, "]")
			if !ok {
				return nil, fmt.Errorf("%q has no closing bracket", one)
			}
			var err error
			if items := split(of, ';'); len(items) > 1 {
				for _, item := range items {
					one, err := ParseType(item)
					if err != nil {
						return nil, err
					}
					o.Items = append(o.Items, one)
				}
			} else if o.Of, err = ParseType(of); err != nil {
				return nil, err
			}
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != "" || name == "" {
			return nil, fmt.Errorf("%q is no name of a type", name)
		}
		t = append(t, o)
	}
	return t, nil
}

// closing is where the parenthesis ends that the text begins with; -1 if nowhere.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split cuts at a separator that stands in no brackets.
func split(s string, at byte) (parts []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case at:
			if depth == 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	return append(parts, s[from:])
}
