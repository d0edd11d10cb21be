package javascript

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
)

// A function of the text's that is mentioned where it is declared and where it is called,
// and nowhere else, is called by nobody else: its parameters are what these calls pass.
//
//	function save(name) { fs.writeFileSync(name, 'x') }
//	for (const f of ['a', 'b']) save(f)

// param is a parameter of a function of the text's. All that are of one place are equal.
type param struct {
	javascript.Expr
	f  *javascript.Function
	at int
}

// passing is what a call passes, as far as the tree shows it where the call stands.
type passing struct {
	call   *javascript.Call
	known  bool
	values []code.Value
	exact  []code.Value // likewise, without places that are told in words
	texts  []bool       // which of them are surely texts
}

// passes notes what a call of a function of the text's passes. What a function passes to
// itself is not known: it may be more each time.
func (s *sight) passes(e *javascript.Call, f *javascript.Function) {
	if s.gather {
		return
	}
	p := passing{call: e, known: !slices.Contains(s.around, f) && !slices.ContainsFunc(e.Args, isSpread)}
	for i := 0; i < len(e.Args) && p.known; i++ {
		p.values = append(p.values, whole(s.value(e.Args[i], 0)))
		p.exact = append(p.exact, whole(s.literally(e.Args[i])))
		p.texts = append(p.texts, s.isText(e.Args[i], 0))
	}
	calls := s.calling[f]
	i := slices.IndexFunc(calls, func(o passing) bool { return o.call == e })
	switch {
	case i < 0:
		s.calling[f], s.changed = append(calls, p), true
	case !calls[i].same(&p):
		calls[i], s.changed = p, true
	}
}

// whole is a value of which all is known, or nothing.
func whole(v code.Value) code.Value {
	if isKnown(v) {
		return v
	}
	return code.Of("str")
}

func (p *passing) same(o *passing) bool {
	return p.known == o.known && slices.EqualFunc(p.values, o.values, code.Same) && slices.EqualFunc(p.exact, o.exact, code.Same) && slices.Equal(p.texts, o.texts)
}

// callsOf are the calls of a function, nil if there may be others, or what one of them
// passes is not known.
func (s *sight) callsOf(f *javascript.Function) []passing {
	calls, name := s.calling[f], s.functions[f]
	if name == "" || s.in.program.Mentions[name] != 1+len(calls) || slices.ContainsFunc(calls, func(p passing) bool { return !p.known }) {
		return nil
	}
	return calls
}

// value is what is passed for a parameter: nothing as long as not all calls were looked
// at, so that a parameter that is passed on is what it was at first.
func (p param) value(s *sight) (out code.Value) {
	if s.looks == 0 {
		return nil
	}
	for _, c := range s.callsOf(p.f) {
		values := c.values
		if s.exact {
			values = c.exact
		}
		if p.at < len(values) {
			out = code.Join(out, values[p.at])
		} else {
			out = code.Join(out, code.Of("none"))
		}
	}
	return s.bounded(out)
}

// isText reports whether all that is passed for a parameter is surely a text.
func (p param) isText(s *sight) bool {
	calls := s.callsOf(p.f)
	return s.looks == 0 || len(calls) > 0 && !slices.ContainsFunc(calls, func(c passing) bool { return p.at >= len(c.texts) || !c.texts[p.at] })
}

// part is what stands under a place of each item of a list, or under a key where the
// place is -1, as the text writes it; nil where that is not told.
func (o *oneOf) part(at int, key string) *oneOf {
	if o.shared {
		return nil
	}
	parts := &oneOf{}
	for _, item := range o.list {
		var found javascript.Expr
		switch item := item.(type) {
		case *javascript.Array:
			if at < 0 || at >= len(item.Items) || slices.ContainsFunc(item.Items, func(x javascript.Expr) bool { return x == nil || isSpread(x) }) {
				return nil
			}
			found = item.Items[at]
		case *javascript.Object:
			for i := range item.Props {
				p := &item.Props[i]
				if at >= 0 || p.Kind != "" || p.Computed != nil || isForbidden(p.Key) {
					return nil
				}
				if p.Key == key {
					found = p.Value // of two the last one
				}
			}
		}
		if found == nil {
			return nil
		}
		parts.list = append(parts.list, found)
	}
	return parts
}
