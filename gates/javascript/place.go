package javascript

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
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
		if s.Word == nil {
			continue
		}
		if name, known := s.Word.Const(); known && in.text.Home != "" {
			if !path.IsAbs(name) {
				name = path.Join(in.text.Dir, name)
			}
			name = path.Clean(name)
			in.cut = in.cut || !path.IsAbs(name) && strings.HasPrefix(name, "..") || name == "/" || strings.HasPrefix(in.text.Home+"/", name+"/")
		}
	}
}

// mayCut notes what a function that facts know makes of places.
func (in *reader) mayCut(e *code.Entry, sig *code.Signature, self *code.Shape, args arguments) {
	if in.cut {
		return
	}
	if self != nil && in.named(self) && !keepsPlace(sig.Result) {
		in.cut = true
		return
	}
	passed := args.positional
	switch {
	case strings.HasPrefix(e.Name, "node:path.") || hasNoText(sig.Result):
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

// keep lets data have a value, of which nothing is known where it comes back.
func (in *reader) keep(v code.Value) {
	in.escape(v)
	in.cut = in.cut || holdsPlace(v, 0)
}

// named reports whether a text is a place: one of which the text of the program does not
// tell, or the way to something below that.
func (in *reader) named(s *code.Shape) bool {
	if isPlace(s.Type) {
		return true
	}
	if s.Type != "str" || s.Word == nil || !in.placed {
		return false
	}
	prefix := s.Word.Prefix()
	return strings.HasPrefix(prefix, "/") || strings.HasPrefix(prefix, "./")
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
