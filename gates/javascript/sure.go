package javascript

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
)

// maxSure bounds how deep constants are looked for.
const maxSure = 40

const dataKind = match.Data

func text(s string) code.Value { return code.Const("str", s) }

// value is what an expression is as far as constants, names with one value, and texts
// and paths put together of them show; a text of which nothing is known else.
func (s *sight) value(e javascript.Expr, depth int) code.Value {
	unknown := code.Of("str")
	if depth++; depth > maxSure {
		return unknown
	}
	switch e := e.(type) {
	case *javascript.String:
		return text(e.Value)
	case *javascript.Number:
		if e.Value == math.Trunc(e.Value) && e.Value >= 0 && e.Value < 1<<53 {
			return code.Const("number", strconv.FormatFloat(e.Value, 'f', -1, 64))
		}
	case *javascript.Bool:
		return code.Const("bool", strconv.FormatBool(e.Value))
	case *javascript.Null:
		return code.Of("none")
	case *javascript.Template:
		if e.Tag != nil {
			break
		}
		out := text(e.Texts[0])
		for i, x := range e.List {
			out = concat(concat(out, textOf(s.value(x, depth))), text(e.Texts[i+1]))
		}
		return s.bounded(out)
	case *javascript.Binary:
		if e.Op != "+" || !s.isText(e.X, 0) && !s.isText(e.Y, 0) {
			break
		}
		return s.bounded(concat(textOf(s.value(e.X, depth)), textOf(s.value(e.Y, depth))))
	case *javascript.Cond:
		return s.bounded(code.Join(s.value(e.Then, depth), s.value(e.Else, depth)))
	case *oneOf:
		var out code.Value
		for _, item := range e.list {
			out = code.Join(out, s.value(item, depth))
		}
		return s.bounded(out)
	case *javascript.Name:
		if s.names[e.Name] == nil {
			if e.Name == "__dirname" && !s.exact || e.Name == "undefined" {
				return s.in.global(e.Name)
			}
			break
		}
		var out code.Value
		for _, v := range s.each(e.Name) {
			out = code.Join(out, s.value(v, depth))
		}
		return s.bounded(out)
	case param:
		return e.value(s)
	case *javascript.Call:
		return s.valueOfCall(e, depth)
	}
	return unknown
}

// literally is the value of an expression as a text: directories, which value tells
// as where they lie, are not known.
func (s *sight) literally(e javascript.Expr) code.Value {
	s.exact = true
	defer func() { s.exact = false }()
	return s.value(e, 0)
}

// bounded is a value that may be few things.
func (s *sight) bounded(v code.Value) code.Value {
	if len(v) == 0 || len(v) > 16 {
		return code.Of("str")
	}
	return v
}

// isText reports whether an expression is surely a text.
func (s *sight) isText(e javascript.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *javascript.String, *javascript.Template:
		return true
	case *javascript.Binary:
		return e.Op == "+" && (s.isText(e.X, depth) || s.isText(e.Y, depth))
	case *javascript.Name:
		if s.names[e.Name] == nil {
			return e.Name == "__dirname"
		}
		values := s.each(e.Name)
		return len(values) > 0 && !slices.ContainsFunc(values, func(v javascript.Expr) bool { return !s.isText(v, depth) })
	case param:
		return e.isText(s)
	case *oneOf:
		return len(e.list) > 0 && !slices.ContainsFunc(e.list, func(x javascript.Expr) bool { return !s.isText(x, depth) })
	}
	return false
}

func (s *sight) valueOfCall(e *javascript.Call, depth int) code.Value {
	full, _ := s.dotted(e.F)
	if s.exact && full != "node:path.join" {
		return code.Of("str")
	}
	switch full {
	case "process.cwd", "node:process.cwd":
		return code.Value{{Type: "Cwd"}}
	case "node:os.homedir":
		if s.in.text.Home != "" {
			return code.Const("str", s.in.text.Home)
		}
	case "node:path.join", "node:path.resolve":
		args := arguments{at: e}
		for _, a := range e.Args {
			if _, spread := a.(*javascript.Spread); spread {
				return code.Of("str")
			}
			args.positional = append(args.positional, s.value(a, depth))
		}
		if v, ok := s.in.pathJoin(args, strings.HasSuffix(full, "resolve")); ok && len(args.positional) > 0 {
			return s.bounded(v)
		}
	}
	return code.Of("str")
}

// constants reports whether an expression is a constant, or a list or an object of
// such.
func (s *sight) constants(e javascript.Expr) bool {
	switch e := e.(type) {
	case *javascript.Array:
		list, ok := s.list(e)
		return ok && !slices.ContainsFunc(list, func(x javascript.Expr) bool { return !s.constants(x) })
	case *javascript.Object:
		for i := range e.Props {
			if p := &e.Props[i]; p.Kind != "" || p.Computed != nil || isForbidden(p.Key) || !s.constants(p.Value) {
				return false
			}
		}
		return true
	}
	if s.in.met("node:os.homedir") {
		return isKnown(s.literally(e)) // what is told is a place in words
	}
	return isKnown(s.value(e, 0))
}

// isKnown reports whether each of what a value may be is known.
func isKnown(v code.Value) bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(one code.Shape) bool {
		if one.Type == "none" || one.Type == "Cwd" {
			return false
		}
		if one.Word == nil {
			return true
		}
		_, known := one.Word.Const()
		return !known
	})
}

// effect looks at the arguments of a call with effects.
func (s *sight) effect(at any, entry *code.Entry, args []javascript.Expr) {
	for i, a := range args {
		switch a := a.(type) {
		case *javascript.Spread:
			s.refuse("arguments of " + entry.Name + " that no text shows")
		case *javascript.Function:
		case *javascript.Object:
			if !s.option(a) {
				s.refuse("options of " + entry.Name + " that no text shows")
			}
		case *javascript.Array:
			if !s.areWords(a) {
				s.refuse("a list that no text shows, for " + entry.Name)
			}
		default:
			if n, ok := a.(*javascript.Name); ok && s.function(n.Name) != nil {
				continue
			}
			s.word(entry, i, a)
		}
	}
	if method := entry.Name[strings.LastIndexByte(entry.Name, '.')+1:]; method == "cp" || method == "cpSync" {
		s.set(&s.copies)
	}
	if !s.gather {
		s.effects[at] = entry.Name
		s.args[at] = s.shown(args)
		s.order = append(s.order, at)
	}
}

// option reports whether options are constants that mean what they look like.
func (s *sight) option(o *javascript.Object) bool {
	for i := range o.Props {
		p := &o.Props[i]
		if p.Kind != "" || p.Computed != nil || isForbidden(p.Key) || slices.ContainsFunc(o.Props[:i], func(q javascript.Property) bool { return q.Key == p.Key }) {
			return false
		}
		switch v := p.Value.(type) {
		case *javascript.Bool, *javascript.Null:
			if p.Key == "mode" || p.Key == "stdio" || p.Key == "cwd" {
				return false
			}
		case *javascript.String:
			if p.Key == "mode" || p.Key == "stdio" && !isPipe(v) || v.Value == "" {
				return false
			}
		case *javascript.Number:
			if p.Key == "mode" && v.Value > 0o777 || p.Key == "stdio" || p.Key == "cwd" {
				return false
			}
		case *javascript.Array:
			if p.Key == "args" || p.Key == "cmd" {
				if !s.areWords(v) {
					return false
				}
				continue
			}
			list, ok := s.list(v)
			if p.Key != "stdio" || !ok || slices.ContainsFunc(list, func(x javascript.Expr) bool { return !isPipe(x) }) {
				return false
			}
		case *javascript.Object:
			if p.Key != "headers" || slices.ContainsFunc(v.Props, func(h javascript.Property) bool {
				_, is := h.Value.(*javascript.String)
				return !is || h.Kind != "" || h.Computed != nil
			}) {
				return false
			}
		default:
			if !s.constants(v) || p.Key == "stdio" || p.Key == "mode" || p.Key == "cwd" && len(s.value(v, 0)) != 1 {
				return false
			}
		}
	}
	return true
}

// areWords reports whether a list holds texts alone that are known.
func (s *sight) areWords(a *javascript.Array) bool {
	list, ok := s.list(a)
	several := 1
	return ok && !slices.ContainsFunc(list, func(x javascript.Expr) bool {
		v := s.literally(x)
		several *= max(1, len(v))
		return !s.isText(x, 0) || !isKnown(v) || several > maxTails
	})
}

// isPipe reports whether a stream of a program that is started leads nowhere but to
// the text or to where the text's own lead.
func isPipe(e javascript.Expr) bool {
	t, ok := e.(*javascript.String)
	return ok && (t.Value == "pipe" || t.Value == "inherit" || t.Value == "ignore")
}

// word looks at one argument of a call with effects.
func (s *sight) word(entry *code.Entry, i int, a javascript.Expr) {
	v := s.value(a, 0)
	known := isKnown(v)
	if !slices.ContainsFunc(entry.Calls, func(sig code.Signature) bool { return positional(&sig, i) != nil }) {
		s.refuse("an argument of " + entry.Name + " that it does not take")
	}
	for _, sig := range entry.Calls {
		p := positional(&sig, i)
		if p == nil {
			continue
		}
		switch k := p.Kinds[0]; {
		case k.Own == code.Variable && !known:
			s.refuse("a variable of the environment that no text shows")
		case k.Own != code.NotOwn:
		case k.Kind == match.Data && (known || p.Globs == nil && !p.Optional && !p.Rest):
		case (k.Kind == match.Read || k.Kind == match.Path) && !known && i == 0: // it may be any file
		case !known || (k.Kind == match.Script || k.Kind == match.Command) && !isKnown(s.literally(a)):
			s.refuse("what " + entry.Name + " works with, which no text shows")
		default:
			for _, one := range v {
				if !plainWord(k.Kind, one) || (k.Kind == match.Write || k.Kind == match.Target) && makesParents(entry.Name) && goesBack(one) {
					s.refuse("what " + entry.Name + " works with")
				}
			}
		}
	}
}

// plainWord reports whether a constant means to a call what it looks like.
func plainWord(k match.Kind, one code.Shape) bool {
	if one.Type == "Cwd" {
		return k != match.URL && k != match.Script && k != match.Command
	}
	if one.Word == nil || one.Type == "bool" {
		return false
	}
	word, _ := one.Word.Const()
	switch {
	case one.Type == "number":
		return k == match.Read && word == "0" || k == match.Write && (word == "1" || word == "2")
	case k == match.URL:
		rest, ok := strings.CutPrefix(word, "https://")
		if !ok {
			rest, ok = strings.CutPrefix(word, "http://")
		}
		host, _, _ := strings.Cut(rest, "/")
		return ok && host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:") == "" &&
			!strings.ContainsFunc(rest, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' || r == '#' })
	}
	return word != "" && !strings.ContainsRune(word, 0)
}

// makesParents reports whether a function makes the directories above what it writes.
func makesParents(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "mkdir", "mkdirSync", "cp", "cpSync":
		return true
	}
	return name == "Bun.write"
}

// goesBack reports whether a path leaves a directory that it names: a/../b, for which a
// is made, too.
func goesBack(one code.Shape) bool {
	if one.Word == nil {
		return false
	}
	named := false
	for part := range strings.SplitSeq(one.Word.Prefix(), "/") {
		if part == ".." && named {
			return true
		}
		named = named || part != "" && part != "." && part != ".."
	}
	return false
}

// positional is the parameter for an argument without a name; nil: there is none.
func positional(sig *code.Signature, i int) *code.Param {
	for k := range sig.Params {
		p := &sig.Params[k]
		if p.Name != "" {
			continue
		}
		if i == 0 || p.Rest {
			return p
		}
		i--
	}
	return nil
}

// shown are the arguments of a call with effects as the tree shows them; nil stands
// for a function.
func (s *sight) shown(list []javascript.Expr) (values []code.Value) {
	for _, a := range list {
		v := s.value(a, 0)
		switch a := a.(type) {
		case *javascript.Array:
			v = s.items(a)
		case *javascript.Object:
			v = s.table(a)
		case *javascript.Function:
			v = nil
		case *javascript.Name:
			if s.function(a.Name) != nil {
				v = nil
			}
		}
		values = append(values, v)
	}
	return values
}

// table is an object of constants.
func (s *sight) table(o *javascript.Object) code.Value {
	box, known := s.box(o)
	for i := range o.Props {
		if known {
			break
		}
		p := &o.Props[i]
		v := s.value(p.Value, 0)
		switch x := p.Value.(type) {
		case *javascript.Array:
			v = s.items(x)
		case *javascript.Object:
			v = s.table(x)
		}
		box.Keys, box.Items = append(box.Keys, text(p.Key)), append(box.Items, v)
	}
	return code.Value{{Type: "dict", Box: box}}
}

// box is what a list or an object holds that a call is passed, once.
func (s *sight) box(at any) (box *code.Box, known bool) {
	if box, known = s.boxes[at]; !known {
		box = &code.Box{Exact: true}
		s.boxes[at] = box
	}
	return box, known
}

// items is a list of constants.
func (s *sight) items(a *javascript.Array) code.Value {
	box, known := s.box(a)
	for _, item := range a.Items {
		if known {
			break
		}
		v := s.value(item, 0)
		box.Items = append(box.Items, v)
		box.Any = code.Join(box.Any, v)
	}
	return code.Value{{Type: "list", Box: box}}
}
