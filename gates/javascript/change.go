package javascript

import (
	"slices"

	"github.com/bashgate/bashgate/internal/javascript"
)

// isChange reports whether what data can do under a name changes it.
func isChange(name string) bool {
	switch name {
	case "push", "unshift", "splice", "fill", "set", "add", "copyWithin", "reverse", "sort", "pop", "shift", "append", "delete", "clear":
		return true
	}
	return false
}

// change looks at what is changed. Who else runs may have it, too, if the text has not
// made it: a file of JSON that is loaded, the arguments.
func (s *sight) change(e javascript.Expr) {
	if !s.isMade(e, 0) {
		s.set(&s.changes)
	}
}

// isMade reports whether an expression gives a list or an object that the text has made,
// whatever that holds.
func (s *sight) isMade(e javascript.Expr, depth int) bool {
	if depth++; depth > maxSure {
		return false
	}
	switch e := e.(type) {
	case *javascript.Object, *javascript.Array, *javascript.String, *javascript.Template:
		return true
	case *javascript.New:
		full, _ := s.dotted(e.F)
		return full != "Object" // which gives what it is given
	case *javascript.Name:
		n := s.names[e.Name]
		return n != nil && s.inScope(e.Name) && !slices.ContainsFunc(n.values, func(v javascript.Expr) bool { return v == nil || !s.isMade(v, depth) })
	case *javascript.Call:
		if full, ok := s.dotted(e.F); ok {
			switch full {
			case "JSON.parse", "Object.keys", "Object.values", "Object.entries", "Object.fromEntries", "Array", "Array.from", "Array.of", "structuredClone":
				return true
			}
			return false
		}
		if m, ok := e.F.(*javascript.Member); ok && m.Index == nil {
			switch m.Name {
			case "map", "filter", "slice", "split", "concat", "flat", "flatMap", "toSorted", "toReversed", "toSpliced", "with", "match", "matchAll", "trim", "toString":
				return true
			}
			return isChange(m.Name) && s.isMade(m.X, depth) // a.sort().reverse()
		}
	}
	return false
}

// firstOf is the first of some arguments, nil if there is none.
func firstOf(args []javascript.Expr) javascript.Expr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}
