package javascript

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/policy"
)

// Texts that name directories: where the text runs, what a program prints, links that
// were followed. Such a text is a place as long as it is the whole: something may stand
// behind it. What is cut from one may be the name of any directory above, that in which
// the user's secrets lie among them, and the text names none of these.

// isPlace reports whether a type is that of texts that name places.
func isPlace(name string) bool { return name == "Cwd" || name == "Location" || name == "Printed" }

// placed is the type of a text that begins with one of two, or holds it.
func placed(a, b *code.Shape) string {
	switch {
	case a.Type == "Printed" || b.Type == "Printed":
		return "Printed"
	case isPlace(a.Type) || isPlace(b.Type):
		return "Location"
	}
	return "str"
}

// listed notes of what is listed that it may be the home directory, or above that: what
// a program prints, and what a name leads to.
func (in *reader) listed(v code.Value) {
	for i := range v {
		s := &v[i]
		in.cut = in.cut || s.Type == "Printed"
		if s.Word == nil || in.text.Home == "" {
			continue
		}
		name, known := s.Word.Const()
		if !known { // something in a directory, or that itself
			in.cut = in.cut || climbsBehind(s.Word)
			prefix := s.Word.Prefix()
			name = prefix[:strings.LastIndexByte(prefix, '/')+1]
			if name == "" {
				continue
			}
		}
		in.cut = in.cut || in.aboveHome(name)
	}
}

// aboveHome reports whether a name is that of the home directory, or of one above it.
func (in *reader) aboveHome(name string) bool {
	if !path.IsAbs(name) {
		name = path.Join(in.text.Dir, name)
	}
	name = path.Clean(name)
	return !path.IsAbs(name) && strings.HasPrefix(name, "..") || name == "/" || strings.HasPrefix(in.text.Home+"/", name+"/")
}

// climbsBehind reports whether a word leads up behind something that is not known.
func climbsBehind(w *policy.Word) bool {
	unknown := false
	for _, p := range w.Parts {
		if p.Kind != policy.Lit {
			unknown = true
		} else if unknown && code.Climbs(p.Text) {
			return true
		}
	}
	return false
}

// mayClimb reports whether a value is, or holds, a text that leads up.
func mayClimb(v code.Value) bool { return climbs(v, 0) }

func climbs(v code.Value, depth int) bool {
	return slices.ContainsFunc(v, func(s code.Shape) bool {
		if s.Kind != code.Object {
			return false
		}
		if s.Box != nil {
			return depth < 4 && climbs(s.Box.Any, depth+1)
		}
		if s.Word == nil {
			return false
		}
		text, known := s.Word.Const()
		return known && code.Climbs(text)
	})
}

// makesClimb reports whether a function makes a text or a list that leads up of what it is
// called on, or is passed: it may put that there several times.
func makesClimb(name string, self *code.Shape, args arguments) bool {
	passed := args.all()
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "repeat":
		text, known := "", false
		if self != nil && self.Word != nil {
			text, known = self.Word.Const()
		}
		return known && (code.Climbs(text) || strings.Contains(text, ".") && strings.Trim(text, "./") == "")
	case "replace", "replaceAll":
		passed = passed[1:] // what is looked for
	case "fill", "padStart", "padEnd":
	default:
		return false
	}
	return self != nil && mayClimb(code.Value{*self}) || slices.ContainsFunc(passed, mayClimb)
}

// mayCut notes what a function that facts know makes of places.
func (in *reader) mayCut(e *code.Entry, sig *code.Signature, self *code.Shape, args arguments) {
	if method, ok := strings.CutPrefix(e.Name, "str."); ok && in.sight != nil && (method == "slice" || method == "substring" || method == "substr") {
		in.sight.noteCut(method, self, args)
	}
	if in.cut {
		return
	}
	if self != nil && in.named(self) && !keepsPlace(sig.Result) && !goesBelow(e.Name, self, args) {
		in.cut = true
		return
	}
	passed := args.positional
	if makesClimb(e.Name, self, args) {
		in.cut = true
		return
	}
	_, isPath := pathFunction(e.Name)
	switch {
	case isPath || hasNoText(sig.Result):
		return // paths are put together, and nothing comes back
	case self != nil && self.Type == "str" && len(passed) > 0 && !strings.HasSuffix(e.Name, ".concat"):
		passed = passed[1:] // what is looked for
	}
	for _, p := range sig.Params {
		if acts(p) {
			return // what is in a place
		}
	}
	for _, v := range passed {
		in.cut = in.cut || holdsPlace(v, 0)
	}
	in.cut = in.cut || holdsPlace(args.more, 0)
}

// goesBelow reports whether a function takes the directory in which the text runs away
// from the way to something in it, and leaves the rest.
func goesBelow(name string, self *code.Shape, args arguments) bool {
	if name != "str.replace" || args.open || len(args.positional) != 2 || self.Word == nil || !strings.HasPrefix(self.Word.Prefix(), "./") || mayClimb(code.Value{*self}) {
		return false
	}
	rest, known := args.positional[1].Const("str")
	return known && rest == "" && len(args.positional[0]) > 0 && !slices.ContainsFunc(args.positional[0], func(s code.Shape) bool {
		if s.Type == "Cwd" {
			return false
		}
		if s.Word == nil {
			return true
		}
		text, known := s.Word.Const()
		return s.Type != "str" || !known || text != "./"
	})
}

// keep lets data have a value, of which nothing is known where it comes back.
func (in *reader) keep(v code.Value) {
	in.escape(v)
	in.cut = in.cut || holdsPlace(v, 0)
}

// named reports whether a text is a place: one of which the text of the program does not
// tell, or the way to something below that, or a whole path of which a part is one.
func (in *reader) named(s *code.Shape) bool {
	if isPlace(s.Type) {
		return true
	}
	if s.Type != "str" || s.Word == nil {
		return false
	}
	prefix := s.Word.Prefix()
	if text, known := s.Word.Const(); known && (code.Climbs(text) || len(text) > 1 && path.IsAbs(text)) {
		return true
	}
	return in.placed && (strings.HasPrefix(prefix, "/") || strings.HasPrefix(prefix, "./"))
}

// keepsPlace reports whether a function of texts gives the whole text, or none.
func keepsPlace(t code.Type) bool {
	return len(t) == 1 && t[0].Name == "self" || hasNoText(t)
}

// hasNoText reports whether all of a type are numbers, truths, and nothing.
func hasNoText(t code.Type) bool {
	return !slices.ContainsFunc(t, func(one code.OneType) bool { return one.Name != "number" && one.Name != "bool" && one.Name != "none" })
}

// holdsPlace reports whether a place is among what a value holds.
func holdsPlace(v code.Value, depth int) bool {
	if depth > 4 {
		return true
	}
	for i := range v {
		s := &v[i]
		if isPlace(s.Type) {
			return true
		}
		if s.Box == nil {
			continue
		}
		if holdsPlace(s.Box.Any, depth+1) {
			return true
		}
		for _, item := range s.Box.Items {
			if holdsPlace(item, depth+1) {
				return true
			}
		}
	}
	return false
}
