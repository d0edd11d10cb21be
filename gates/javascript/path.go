package javascript

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/policy"
)

// pathFunction is the name of a function of the module path that works on any system
// but Windows.
func pathFunction(full string) (string, bool) {
	for _, module := range [...]string{"node:path.posix.", "node:path/posix.", "node:path."} {
		if name, ok := strings.CutPrefix(full, module); ok {
			return name, true
		}
	}
	return "", false
}

// ofPaths calls a function of the module path of which more is known than its type.
func (in *reader) ofPaths(name string, args arguments) (code.Value, bool) {
	switch name {
	case "join", "resolve":
		return in.pathJoin(args, name == "resolve")
	case "normalize", "toNamespacedPath":
		if len(args.positional) > 0 {
			return in.pathJoin(arguments{positional: args.positional[:1]}, false)
		}
	case "relative":
		if !args.open && len(args.positional) == 2 {
			return in.relative(args.positional[0], args.positional[1]), true
		}
	case "format":
		return in.pathFormat(args.arg(0))
	}
	return nil, false
}

// pathJoin is path.join and path.resolve.
func (in *reader) pathJoin(args arguments, resolve bool) (code.Value, bool) {
	if args.open {
		for _, v := range args.all() {
			in.cut = in.cut || mayClimb(v)
		}
		return nil, false
	}
	out := code.Value{{Type: "Cwd"}}
	in.placed = in.placed || resolve
	if !resolve {
		out = nil
	}
	for _, v := range args.positional {
		var next code.Value
		if out == nil {
			out = v
			continue
		}
		for _, a := range out {
			for _, b := range v {
				if !in.step() {
					return nil, true
				}
				in.cut = in.cut || beginsUnknown(&a) && mayClimb(code.Value{b})
				next = code.Join(next, in.made(joinedTo(joinTwo(a, b, resolve), &a, &b)))
			}
		}
		out = next
	}
	here := slices.ContainsFunc(args.arg(0), func(s code.Shape) bool { return s.Type == "Cwd" })
	var named code.Value
	for _, s := range out {
		switch {
		case s.Kind != code.Object:
			named = code.Join(named, code.Of("str"))
		case s.Type == "Cwd" || s.Word == nil:
			named = code.Join(named, code.Value{{Type: s.Type, Made: s.Made}})
		default:
			w := *s.Word
			if text, ok := w.Const(); ok && text != "" {
				clean := path.Clean(text)
				if here && !resolve && s.Type == "str" && clean != "." && !path.IsAbs(clean) && !code.Climbs(clean) {
					clean = "./" + clean // a part of it may be cut off
				}
				w = policy.Const(clean)
			}
			kind := "str"
			if isPlace(s.Type) {
				kind = s.Type
			} else if resolve {
				kind = "Location"
			}
			named = code.Join(named, code.Value{{Type: kind, Word: &w, Made: s.Made}})
		}
	}
	return in.made(named), true
}

// beginsUnknown reports whether nothing is known of where a path begins.
func beginsUnknown(s *code.Shape) bool {
	if s.Type == "Cwd" {
		return false
	}
	if s.Word == nil {
		return true
	}
	_, whole := s.Word.Const()
	return !whole && s.Word.Prefix() == ""
}

func joinTwo(a, b code.Shape, resolve bool) code.Value {
	kind := placed(&a, &b)
	if a.Kind != code.Object || b.Kind != code.Object {
		return code.Of(kind)
	}
	if resolve && isAbsolute(&b) {
		return code.Value{b}
	}
	left, right := wordOf(&a), wordOf(&b)
	if text, whole := left.Const(); whole && text == "" && a.Type != "Cwd" {
		return code.Value{b}
	}
	text, whole := right.Const()
	switch {
	case isPlace(b.Type) && isAbsolute(&b) && !strings.HasPrefix(right.Prefix(), "/"):
		right, whole = policy.Unknown("..."), false // the whole way stands there
	case whole && text == "":
		return code.Value{a}
	}
	unknown := !whole && right.Prefix() == ""
	switch {
	case a.Type == "Cwd" && unknown:
		if kind == "Printed" {
			return code.Of(kind)
		}
		return code.Of("Location")
	case a.Type == "Cwd":
		left = policy.Const(".")
		if kind = "str"; isPlace(b.Type) {
			kind = b.Type
		}
	case unknown && isPlace(kind) && a.Word != nil:
		if _, known := left.Const(); !known {
			return code.Value{{Type: kind, Word: a.Word}} // something below it
		}
	case a.Word == nil && b.Word == nil, resolve && unknown && !isPlace(kind):
		return code.Of(kind) // it may be absolute
	}
	if resolve && unknown {
		return code.Of(kind)
	}
	w := code.Concat(left, policy.Const("/"), right)
	return code.Value{{Type: kind, Word: &w}}
}

// isAbsolute reports whether a path is surely one from the root: it begins there, or was
// resolved before, which its word does not tell.
func isAbsolute(s *code.Shape) bool {
	if s.Type == "Cwd" {
		return true
	}
	if s.Word == nil {
		return false
	}
	_, whole := s.Word.Const()
	return strings.HasPrefix(s.Word.Prefix(), "/") || isPlace(s.Type) && whole
}

// relative is path.relative: the way from one directory to another. From where the text
// runs that is what is asked for itself; else it may lead up.
func (in *reader) relative(from, to code.Value) (out code.Value) {
	for _, a := range from {
		for _, b := range to {
			if !in.step() {
				return nil
			}
			way := in.relativeTwo(&a, &b)
			if b.Hides() {
				way = made("str")
			}
			out = code.Join(out, way)
		}
	}
	return out
}

func (in *reader) relativeTwo(a, b *code.Shape) code.Value {
	start, known := in.absolute(a)
	end, also := in.absolute(b)
	switch {
	case known && also:
		if way, err := filepath.Rel(start, end); err == nil {
			return code.Const("str", way)
		}
	case known && in.text.Dir != "" && start == path.Clean(in.text.Dir) && b.Kind == code.Object:
		if b.Type == "str" && b.Word != nil && !strings.HasPrefix(b.Word.Prefix(), "/") {
			return code.Value{*b}
		}
		return code.Of("str")
	}
	w := code.Concat(policy.Const("../"), policy.Unknown("..."))
	return code.Value{{Type: "str", Word: &w}}
}

// absolute is the whole path that a text names, if it is known.
func (in *reader) absolute(s *code.Shape) (string, bool) {
	if s.Kind != code.Object || in.text.Dir == "" {
		return "", false
	}
	name := ""
	if s.Type != "Cwd" {
		if s.Word == nil {
			return "", false
		}
		text, known := s.Word.Const()
		if name = text; !known {
			return "", false
		}
	}
	if path.IsAbs(name) {
		return path.Clean(name), true
	}
	return path.Join(in.text.Dir, name), true
}

// pathFormat is path.format of an object that the text shows.
func (in *reader) pathFormat(v code.Value) (code.Value, bool) {
	if len(v) != 1 || v[0].Type != "dict" || v[0].Box == nil || !v[0].Box.Exact {
		return nil, false
	}
	field := func(name string) code.Value {
		for i, key := range v[0].Box.Keys {
			if k, _ := constKey(key); k == name {
				return textOf(v[0].Box.Items[i])
			}
		}
		return nil
	}
	out, dir := field("base"), field("dir")
	if out == nil {
		out = code.Const("str", "")
		for _, name := range [...]string{"name", "ext"} {
			if part := field(name); part != nil {
				out = concat(out, part)
			}
		}
	}
	if dir == nil {
		dir = field("root")
	}
	if dir == nil {
		return out, true
	}
	return in.pathJoin(arguments{positional: []code.Value{dir, out}}, false)
}
