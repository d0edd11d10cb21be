package javascript

import (
	"maps"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/policy"
)

// A text that goes through all files of a directory most often takes those that end in some
// way. What a test says of the name of one holds where the test holds, as the name has one
// value there:
//
//	for (const f of fs.readdirSync('.')) if (f.endsWith('.js')) fs.readFileSync(f)
//	fs.readdirSync('.').filter(f => /\.js$/.test(f)).forEach(f => fs.readFileSync(f))

// listed is the name of a file in a directory that the text lists. All of them are equal.
type listed struct{ javascript.Expr }

// endsIn is what names end in, each in one of some ways.
type endsIn map[string][]string

// value is what such a name is that ends in some way; of any other nothing is known.
func (listed) value(ends []string) (v code.Value) {
	for _, end := range ends {
		glob := "*" + end
		v = code.Join(v, code.OfWord("str", policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: glob, Match: glob}}}))
	}
	if v == nil {
		return code.Of("str")
	}
	return v
}

// isListing reports whether an expression is a list of the names in a directory, or some of
// them, and in what these end. The list is that of nobody else, who might put others in it.
func (s *sight) isListing(e javascript.Expr) (ends []string, is bool) { return s.listing(e, 0) }

func (s *sight) listing(e javascript.Expr, depth int) (ends []string, is bool) {
	if depth++; depth > maxSure {
		return nil, false
	}
	switch e := e.(type) {
	case *javascript.Await:
		return s.listing(e.X, depth)
	case *javascript.Name:
		if s.gather || s.in.program.Mentions[e.Name] == 1+s.gone[e.Name] {
			return s.listing(s.once(e.Name), depth)
		}
	case *javascript.Call:
		if full, ok := s.dotted(e.F); ok {
			switch full {
			case "node:fs.readdirSync", "node:fs.promises.readdir", "node:fs/promises.readdir":
				return nil, len(e.Args) == 1 && !isSpread(e.Args[0]) || len(e.Args) == 2 && isString(e.Args[1])
			}
			return nil, false
		}
		m, ok := e.F.(*javascript.Member)
		if !ok || m.Index != nil || m.Optional || e.Optional {
			return nil, false
		}
		switch m.Name {
		case "sort", "toSorted", "reverse", "toReversed", "slice":
			return s.listing(m.X, depth)
		case "filter":
			if ends, is = s.listing(m.X, depth); is && len(e.Args) == 1 {
				if tested := s.filters(e.Args[0]); tested != nil {
					ends = tested
				}
			}
			return ends, is
		}
	}
	return nil, false
}

// filters tells in what names end that a function lets through.
func (s *sight) filters(e javascript.Expr) []string {
	f, ok := e.(*javascript.Function)
	if !ok || len(f.Params) != 1 || f.Params[0].Default != nil || f.Params[0].Rest || f.Async || f.Generator {
		return nil
	}
	name, ok := f.Params[0].Target.(*javascript.Name)
	body, short := concise(f)
	if !ok || !short {
		return nil
	}
	return s.tested(body, true)[name.Name]
}

// tested tells in what names end where a test holds, or does not.
func (s *sight) tested(test javascript.Expr, holds bool) endsIn {
	switch t := test.(type) {
	case *javascript.Unary:
		if t.Op == "!" {
			return s.tested(t.X, !holds)
		}
	case *javascript.Binary:
		a, b := s.tested(t.X, holds), s.tested(t.Y, holds)
		switch {
		case t.Op == "&&" && holds, t.Op == "||" && !holds:
			if a == nil {
				return b
			}
			maps.Copy(a, b)
			return a
		case t.Op == "||" && holds, t.Op == "&&" && !holds: // either of them
			out := endsIn{}
			for name, ends := range a {
				if more := b[name]; more != nil {
					out[name] = slices.Concat(ends, more)
				}
			}
			return out
		case (t.Op == "===" || t.Op == "==") && holds, (t.Op == "!==" || t.Op == "!=") && !holds:
			for _, side := range [...][2]javascript.Expr{{t.X, t.Y}, {t.Y, t.X}} {
				if name, end := s.extensionOf(side[0]), side[1]; name != "" && isString(end) {
					return ending(name, end.(*javascript.String).Value)
				}
			}
		}
	case *javascript.Call:
		if m, ok := t.F.(*javascript.Member); ok && holds && m.Index == nil && !m.Optional && !t.Optional && len(t.Args) == 1 {
			return s.testedBy(m, t.Args[0])
		}
	}
	return nil
}

// testedBy is what a call of a method tells that holds.
func (s *sight) testedBy(m *javascript.Member, arg javascript.Expr) endsIn {
	name := func(e javascript.Expr) string {
		if n, ok := e.(*javascript.Name); ok {
			return n.Name
		}
		return ""
	}
	switch m.Name {
	case "endsWith":
		if end, ok := arg.(*javascript.String); ok {
			return ending(name(m.X), end.Value)
		}
	case "test":
		if re, ok := m.X.(*javascript.Regexp); ok {
			return ending(name(arg), endsOf(re)...)
		}
	case "match":
		if re, ok := arg.(*javascript.Regexp); ok {
			return ending(name(m.X), endsOf(re)...)
		}
	case "includes":
		list, ok := m.X.(*javascript.Array)
		if !ok {
			return nil
		}
		var ends []string
		for _, item := range list.Items {
			end, ok := item.(*javascript.String)
			if !ok {
				return nil
			}
			ends = append(ends, end.Value)
		}
		return ending(s.extensionOf(arg), ends...)
	}
	return nil
}

// extensionOf is the name of which an expression is path.extname(name).
func (s *sight) extensionOf(e javascript.Expr) string {
	c, ok := e.(*javascript.Call)
	if !ok || len(c.Args) != 1 {
		return ""
	}
	full, _ := s.dotted(c.F)
	if function, ok := pathFunction(full); !ok || function != "extname" {
		return ""
	}
	n, ok := c.Args[0].(*javascript.Name)
	if !ok {
		return ""
	}
	return n.Name
}

// maxEnds bounds the ways in which a name may end.
const maxEnds = 8

// ending is that a name ends in one of some ways, if all of them are such as patterns of
// files have.
func ending(name string, ends ...string) endsIn {
	if name == "" || len(ends) == 0 || len(ends) > maxEnds {
		return nil
	}
	for _, end := range ends {
		if strings.Trim(end, "./-_") == "" || strings.Trim(end, nameSigns) != "" {
			return nil
		}
	}
	return endsIn{name: ends}
}

// nameSigns are the signs of endings that mean nothing in a pattern.
const nameSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// endsOf are the ways in which all ends that a regular expression finds: /\.js$/,
// /\.(js|ts)$/, /\.[jt]s$/, /\.tsx?$/. Nil: it may be another one.
func endsOf(re *javascript.Regexp) (ends []string) {
	pattern, ok := strings.CutSuffix(re.Pattern, "$")
	at := strings.LastIndex(pattern, `\.`)
	if !ok || re.Flags != "" || at < 0 || strings.ContainsAny(pattern[:at], `|\(`) && strings.Trim(pattern[:at], letters+`\.-_^`) != "" || strings.HasSuffix(pattern[:at], `\`) {
		return nil
	}
	word := func(w string) bool { return w != "" && strings.Trim(w, letters) == "" }
	tail := pattern[at+2:]
	list, group := strings.CutPrefix(tail, "(")
	switch {
	case group:
		if list, ok = strings.CutSuffix(strings.TrimPrefix(list, "?:"), ")"); !ok {
			return nil
		}
		ends = strings.Split(list, "|")
	case strings.HasPrefix(tail, "["):
		class, rest, _ := strings.Cut(tail[1:], "]")
		if !word(class) || rest == "" {
			return nil
		}
		for _, c := range class {
			ends = append(ends, string(c)+rest)
		}
	default:
		ends = []string{tail}
	}
	var all []string
	for _, end := range ends {
		whole, may := strings.CutSuffix(end, "?")
		if !word(whole) {
			return nil
		}
		if all = append(all, "."+whole); may {
			if len(whole) < 2 {
				return nil
			}
			all = append(all, "."+whole[:len(whole)-1])
		}
	}
	return all
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// where looks at something where names end in some way.
func (s *sight) where(ends endsIn, look func()) {
	outer := s.ends
	if len(ends) > 0 {
		s.ends = maps.Clone(outer)
		if s.ends == nil {
			s.ends = endsIn{}
		}
		maps.Copy(s.ends, ends)
	} else {
		s.ends = maps.Clone(outer) // what is bound there has another value
	}
	look()
	s.ends = outer
}

// leaves reports whether a statement goes on nowhere behind itself.
func leaves(stmt javascript.Stmt) bool {
	switch stmt := stmt.(type) {
	case *javascript.Jump, *javascript.Return, *javascript.Throw:
		return true
	case *javascript.Block:
		return len(stmt.Body) > 0 && leaves(stmt.Body[len(stmt.Body)-1])
	}
	return false
}

// areMatches reports whether all that a value may be is names in known directories that end
// in some way.
func areMatches(v code.Value) bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(one code.Shape) bool {
		if one.Kind != code.Object || one.Word == nil || len(one.Word.Parts) == 0 {
			return true
		}
		last := len(one.Word.Parts) - 1
		before := policy.Word{Parts: one.Word.Parts[:last]}
		prefix := before.Prefix()
		return one.Word.Parts[last].Match == "" || before.HasHole() || last > 0 && !strings.HasSuffix(prefix, "/")
	})
}
