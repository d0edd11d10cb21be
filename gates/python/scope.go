package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
)

// scope is the variables of the module, of one call, of a class body or of a
// comprehension.
type scope struct {
	kind   scopeKind
	parent *scope // of a function: that in which it is defined
	class  *class // whose body it is
	vars   variables
	since  int               // how many branches had begun when it did: those do not bring it back
	outer  map[string]*scope // names that are declared global or nonlocal
}

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	callScope
	classScope
	inlineScope // of a comprehension: what is around it is read as it is now
)

// variables are those of a scope. Most have few.
type variables struct {
	list   []*variable          // in the order in which they were met
	byName map[string]*variable // nil while they are few
}

const fewVariables = 8

// get is the variable of a name; nil if there is none.
func (v *variables) get(name string) *variable {
	if v.byName != nil {
		return v.byName[name]
	}
	for _, known := range v.list {
		if known.name == name {
			return known
		}
	}
	return nil
}

// add adds a variable with a name that none has.
func (v *variables) add(more *variable) {
	v.list = append(v.list, more)
	switch {
	case v.byName != nil:
		v.byName[more.name] = more
	case len(v.list) > fewVariables:
		v.byName = make(map[string]*variable, 2*len(v.list))
		for _, known := range v.list {
			v.byName[known.name] = known
		}
	}
}

// sorted lists variables in the order of their names.
func (v *variables) sorted() []*variable {
	return slices.SortedFunc(slices.Values(v.list), func(a, b *variable) int { return strings.Compare(a.name, b.name) })
}

// variable is what a name of a scope stands for.
type variable struct {
	scope *scope
	name  string
	now   code.Value
	ever  code.Value // all that it has ever stood for
	set   bool
	wild  bool  // functions change it that may run at any time
	saved int32 // the innermost journal that has kept what it was before
	mark  int32 // the last look at several journals or ways that came upon it
	at    int32 // and what that has made of it
}

// journal keeps what variables were before a branch.
type journal struct {
	id  int32 // unlike that of any other
	old []record
}

// record is what a variable was before a branch.
type record struct {
	variable *variable
	now      code.Value
	set      bool
	saved    int32
}

// way is what a branch has changed. It is nil where the end of the branch is not reached.
type way []change

// change is what a variable has become, which a way has once.
type change struct {
	variable *variable
	now      code.Value
	set      bool
}

// attempt collects what variables are while a try statement's body runs, at any
// place of which an exception may leave it. Variables of calls that begin in the body
// are none of them: nobody finds those.
type attempt struct {
	seen  map[*variable]code.Value
	since int // how many branches had begun when it did
}

// exit collects what variables are where code leaves a loop or a function.
type exit struct {
	journal int // the first of those that the code began
	ways    []way
}

// scopeOf is the scope that code of one place begins with, on one way: where it has
// run before, what functions that it made know stays.
func (in *reader) scopeOf(kind scopeKind, at any, parent *scope) *scope {
	key := site{at, in.way, "scope"}
	s, _ := in.sites[key].(*scope)
	if s == nil || s.parent != parent {
		s = &scope{kind: kind, parent: parent, since: len(in.journals)}
		in.sites[key] = s
		return s
	}
	s.since = len(in.journals)
	for _, v := range s.vars.list {
		v.now, v.set = nil, false
	}
	s.outer = nil
	return s
}

// variable is where a scope keeps a name.
func (s *scope) variable(name string) *variable {
	v := s.vars.get(name)
	if v == nil {
		v = &variable{scope: s, name: name}
		s.vars.add(v)
	}
	return v
}

// owner is the scope that an assignment to a name changes.
func (in *reader) owner(name string) *scope {
	s := in.scope
	for s.kind == inlineScope && s.vars.get(name) == nil {
		s = s.parent
	}
	if o := s.outer[name]; o != nil {
		return o
	}
	return s
}

// assign gives a name of a scope a value.
func (in *reader) assign(s *scope, name string, value code.Value) {
	in.put(s.variable(name), value, true)
}

func (in *reader) put(v *variable, value code.Value, set bool) {
	if n := len(in.journals); n > v.scope.since {
		if j := in.journals[n-1]; v.saved != j.id {
			j.old = append(j.old, record{v, v.now, v.set, v.saved})
			v.saved = j.id
		}
	}
	v.now, v.set = value, set
	if !in.merging && v.scope != in.scope && v.scope.kind != classScope && !v.wild && in.isInner(v.scope) {
		v.wild = true
		in.grown++
	}
	if all := code.Join(v.ever, value); !code.Same(all, v.ever) {
		v.ever = all
		in.grown++
	}
	for i := len(in.tries) - 1; i >= 0 && v.scope.since <= in.tries[i].since; i-- {
		t := in.tries[i]
		t.seen[v] = code.Join(t.seen[v], value)
	}
}

// isInner reports whether the code at hand is a function's whose variables are not
// those of a scope.
func (in *reader) isInner(s *scope) bool {
	own := in.scope
	for own.kind == inlineScope {
		own = own.parent
	}
	return own != s && own.kind == callScope
}

// attempt begins to collect what variables are. It ends where it is taken off tries.
func (in *reader) attempt() *attempt {
	t := &attempt{seen: map[*variable]code.Value{}, since: len(in.journals)}
	in.tries = append(in.tries, t)
	return t
}

// begin starts a branch.
func (in *reader) begin() {
	in.begun++
	var j *journal
	if n := len(in.ended) - 1; n >= 0 {
		j, in.ended = in.ended[n], in.ended[:n]
	} else {
		j = &journal{}
	}
	j.id = in.begun
	in.journals = append(in.journals, j)
}

// end leaves a branch: it takes back what the branch has changed, and returns that.
func (in *reader) end() way {
	n := len(in.journals) - 1
	j := in.journals[n]
	in.journals = in.journals[:n]
	var changes way
	if !in.dead {
		changes = make(way, 0, len(j.old))
	}
	for i := range j.old {
		old := &j.old[i]
		v := old.variable
		if changes != nil {
			changes = append(changes, change{v, v.now, v.set})
		}
		v.now, v.set, v.saved = old.now, old.set, old.saved
		in.step()
	}
	clear(j.old)
	j.old = j.old[:0]
	in.ended = append(in.ended, j)
	return changes
}

// leave notes what variables are now, for who goes on behind a loop or a call.
func (in *reader) leave(e *exit) {
	if in.dead {
		return
	}
	in.marks++
	changes := way{}
	for _, j := range in.journals[e.journal:] {
		for i := range j.old {
			if v := j.old[i].variable; v.mark != in.marks {
				v.mark = in.marks
				changes = append(changes, change{v, v.now, v.set})
			}
			in.step()
		}
	}
	e.ways = append(e.ways, changes)
}

// junction is memory that merge uses again.
type junction struct {
	touched []*change
	joined  []change
	here    []*change
}

// merge goes on with what variables are behind one of several ways; without any,
// nothing goes on. It reports whether a variable has changed.
func (in *reader) merge(ways ...way) (changed bool) {
	touched := in.junction.touched[:0] // one for each variable that some way changes
	reached := 0
	in.marks++
	for _, w := range ways {
		if w == nil {
			continue
		}
		reached++
		for i := range w {
			if v := w[i].variable; v.mark != in.marks {
				v.mark, v.at = in.marks, int32(len(touched))
				touched = append(touched, &w[i])
			}
		}
	}
	if in.dead = reached == 0; in.dead {
		return false
	}
	joined := cleared(&in.junction.joined, len(touched)) // what they are behind the ways
	here := cleared(&in.junction.here, len(touched))     // what the way at hand makes of them
	in.junction.touched = touched
	for _, w := range ways {
		if w == nil {
			continue
		}
		for i := range w {
			here[w[i].variable.at] = &w[i]
		}
		for i, c := range here {
			v := touched[i].variable
			now, set := v.now, v.set
			if c != nil {
				now, set = c.now, c.set
			}
			if !set {
				now = in.unset(v)
			}
			joined[i].now, joined[i].set = code.Join(joined[i].now, now), joined[i].set || set
			here[i] = nil
			in.step()
		}
	}
	for i := range joined {
		v := touched[i].variable
		if joined[i].set != v.set || !code.Same(joined[i].now, v.now) {
			in.merging = true
			in.put(v, joined[i].now, joined[i].set)
			in.merging = false
			changed = true
		}
	}
	return changed
}

// cleared is a list of so many zero values in the memory of an earlier one.
func cleared[T any](memory *[]T, n int) []T {
	*memory = slices.Grow((*memory)[:0], n)[:n]
	clear(*memory)
	return *memory
}

// unset is what a name means that a scope has not, where the scope looks on.
func (in *reader) unset(v *variable) code.Value {
	if v.scope.kind == moduleScope {
		return in.builtin(v.name)
	}
	return nil
}

// lookup is what a name stands for.
func (in *reader) lookup(name string) code.Value {
	now, known := !in.later, false
	for s := in.scope; s != nil; s = s.parent {
		if o := s.outer[name]; o != nil {
			s = o
		}
		v := s.vars.get(name)
		known = known || v != nil
		switch {
		case s.kind == classScope && s != in.scope:
		case v == nil:
		case s.kind == moduleScope:
			if now && !v.wild {
				if v.set {
					return v.now
				}
				return in.builtin(name)
			}
			if len(v.ever) > 0 {
				return code.Join(v.ever, in.builtin(name))
			}
		case !v.wild && (s == in.scope || now && in.isInline(s)):
			if v.set {
				return v.now
			}
		case len(v.ever) > 0:
			return v.ever
		}
	}
	v := in.builtin(name)
	if in.starred && !known && v == nil {
		return in.shapeAttribute(project, name)
	}
	if v == nil && !known && in.find(name).Kind == code.Nothing {
		return in.unknown("the name " + name)
	}
	return v
}

// isInline reports whether nothing but comprehensions stands between a scope and
// the code that is being followed.
func (in *reader) isInline(s *scope) bool {
	for inner := in.scope; inner != s; inner = inner.parent {
		if inner == nil || inner.kind != inlineScope {
			return false
		}
	}
	return true
}

// builtin is what a name means that nothing else gives a meaning.
func (in *reader) builtin(name string) code.Value {
	switch e := in.find(name); e.Kind {
	case code.Function, code.Class, code.Asked:
		if e.Kind == code.Asked && e.Module && !in.starred {
			return nil // nobody has imported it under that name
		}
		v := in.builtins[name]
		if v == nil {
			if in.builtins == nil {
				in.builtins = map[string]code.Value{}
			}
			v = code.Value{{Kind: code.Member, Type: name}}
			in.builtins[name] = v
		}
		return v
	case code.Constant:
		return in.valueOf(e.Type, nil, e.Name)
	}
	return nil
}
