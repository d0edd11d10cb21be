package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// A text is looked at twice. The reader follows it, and knows what may stand in a
// name at some place; a mistake there, about an order of things, an alias or a
// special method, would be a path or a command taken for another one. So nothing
// that changes, runs or sends something is believed by that alone. This file looks
// at the tree only, whatever runs when:
//
//   - a word counts as known where it is made of constants and of names that the
//     whole text gives one value (sure);
//   - modules and functions that have effects are called where they stand, and
//     are not handed on under other names (handed);
//   - every call of the text has been followed (unfollowed).

// sight is what is seen of a text without following it.
type sight struct {
	flows
	own         *origins // where values come from; nil: nobody has asked
	in          *reader
	bindings    map[string][]python.Expr // what a name is given; nil where that is no expression
	imports     map[string]string        // full names of what is imported
	gets        map[string]bool          // modules that are imported, by their first names
	foreign     bool                     // objects may come from code that facts do not know
	modules     map[string]bool          // names under which something is imported, by import and from
	loads       map[string]int           // how often a name is read
	scalars     map[string]bool          // whether methods of a name give what nobody can change
	ownOpen     bool                     // something of the text's own may be called open
	shown       map[string]int           // how often of that as an argument of a function that facts know, or in a loop
	calls       []*python.Call
	texts       []string                // constants that may be names of files
	constants   []*python.Constant      // the same, as they stand
	aside       []python.Expr           // of these, those that are told nobody
	compares    []python.Expr           // those that are compared with something
	docs        []python.Expr           // what documents something
	asksDocs    bool                    // something is asked for its documentation
	asksNames   bool                    // functions and classes are asked for their names
	asksName    bool                    // something may be asked for the name by which it was opened
	asksPattern bool                    // likewise, a pattern for its text
	asksRaised  bool                    // what is raised may be looked at under no name
	asksPaths   bool                    // a path of a list of them may be looked at
	asksFiles   bool                    // an error may be asked for the file that it is about
	redirects   bool                    // what is printed may go elsewhere
	logs        bool                    // what is logged may
	raised      []*python.Call          // what is raised
	caught      []string                // the names of what is caught
	members     map[string]bool         // names that the body of a class gives something
	cuts        []python.Expr           // what is cut into words
	walks       map[*python.Call]string // what loops call the directories that os.walk goes to next
	globs       []glob                  // patterns of names of files
	loading     []loading
	values      []python.Expr // names and attributes that are neither called nor the start of a longer one
	called      map[string][]*python.Call
	passed      []passed
	chains      []chain
	defs        []definition
	inner       map[string]bool // functions that are called in others
	once        map[string]bool // of names: whether they are sure, once that was asked
	looked      int             // how many expressions that took
	class       bool            // the statements of a class are looked at
	within      int             // how many functions and classes are around what is looked at
	self        string          // the first parameter of the method that is looked at; empty: none
	methods     map[string]bool // those of the text's classes
	classes     map[string]bool // the text's
	defined     []*python.ClassDef
	attributes  map[string]bool             // names of attributes that are set of anything
	fields      map[string][]python.Expr    // what attributes of self are given
	changed     []*python.Name              // of which attributes are set, in methods that call their object so
	selves      map[string]int              // how many methods call their object by a name
	owners      map[string]int              // of these, how many are called on an object of the class
	puts        []*python.Attribute         // attributes that are set of anything
	listed      map[python.Expr]python.Expr // what an object holds, and the function that shows or lists it
	entered     map[string]bool             // names of what with gives, which may be something else than what it is given
	bound       []bool                      // of these: whether a name may be set by that
	asks        *python.Compare             // asks whether a name means something
	dropped     []bool                      // calls whose result nobody takes, by their indices
	environ     bool                        // the environment is named
	argv        bool                        // the arguments are
	private     bool                        // an attribute or argument has a name that a class changes
	tangled     bool                        // when code runs, or what a name stands for, is not as it is written
	functions   map[string]bool             // the text's that are no methods
	decorators  []decorator
	outer       []string // names that functions set which are not their own
	yields      *bool    // the function at hand is a generator; nil: the code at hand is in none
	generators  map[*python.FunctionDef]bool
	hook        string // a special name that is given a meaning in no class
	strange     string // what of the language stands in the text that is not read
	at          int32  // in which line
}

// glob is a pattern of names of files that a call looks for.
type glob struct {
	call *python.Call
	policy.Word
}

// loading is a module that is imported, and in which line.
type loading struct {
	module string
	line   int32
}

// decorator is one of a function, or of a method of a class.
type decorator struct {
	python.Expr
	method bool
}

// definition is a function that is called by its name alone, if at all.
type definition struct {
	name     string
	from, to int // its calls
}

// chain is what is given the same: a = b = [1].
type chain []python.Expr

// shared notes that each name of a chain is not the only one. Where something else has what
// it stands for, or one of them is more than shown, that may be changed under the others.
func (s *sight) shared(c chain) {
	names := make([]string, 0, len(c))
	only := true
	var add func(targets []python.Expr)
	add = func(targets []python.Expr) {
		for _, t := range targets {
			if name, is := t.(*python.Name); is {
				names = append(names, name.ID)
				only = only && s.loads[name.ID] == s.shown[name.ID]
			} else {
				only = false
				add(elements(t))
			}
		}
	}
	add(c)
	for _, name := range names {
		s.loads[name]++
		if only {
			s.shown[name]++
		}
	}
}

// passed is a name that stands as an argument of a call.
type passed struct {
	name string
	to   python.Expr
}

// parameter stands for what is passed to a function of the text.
type parameter struct {
	python.Expr // the default; nil: none
	function    string
	name        string
	index       int
}

// see looks at a tree.
func (in *reader) see(tree *python.Module) *sight {
	s := &sight{
		in: in, bindings: map[string][]python.Expr{}, imports: map[string]string{}, gets: map[string]bool{}, modules: map[string]bool{},
		methods: map[string]bool{}, classes: map[string]bool{}, members: map[string]bool{}, dropped: make([]bool, tree.Calls), inner: map[string]bool{}, selves: map[string]int{}, owners: map[string]int{}, generators: map[*python.FunctionDef]bool{}, functions: map[string]bool{}, attributes: map[string]bool{}, fields: map[string][]python.Expr{}, loads: map[string]int{}, shown: map[string]int{}, called: map[string][]*python.Call{},
	}
	s.body(tree.Body)
	if s.loads["__doc__"] > 0 && len(s.docs) > 0 {
		s.bind("__doc__", s.docs[0])
	}
	s.bound = make([]bool, len(s.puts))
	s.bindPuts()
	s.oddLists()
	for _, d := range s.defs {
		if s.loads[d.name] == 0 {
			continue
		}
		for _, c := range s.calls[d.from:d.to] {
			if name, is := c.Func.(*python.Name); is && name.ID != d.name {
				s.inner[name.ID] = true
			}
		}
	}
	for _, name := range [...]string{"locals", "globals"} {
		if _, imported := s.imports[name]; s.asks != nil && (imported || s.bindings[name] != nil) {
			s.odd(s.asks, name)
		}
	}
	s.oddClasses()
	for _, d := range s.decorators {
		if !s.plainFunction(d) {
			s.odd(d, "a function that is decorated")
		}
	}
	for _, p := range s.passed {
		if s.isShow(p.to) {
			s.shown[p.name]++
		}
	}
	for _, c := range s.chains {
		s.shared(c)
	}
	return s
}

// plainFunction reports whether a decorator makes no more of a function than what calls
// it: a function of the text, which the tree shows, or one of a few that facts know.
func (s *sight) plainFunction(d decorator) bool {
	e := d.Expr
	if name, is := e.(*python.Name); is && s.functions[name.ID] && !d.method {
		s.tangled = true
		return len(s.bindings[name.ID]) == 1
	}
	call, called := e.(*python.Call)
	if called {
		e = call.Func
	}
	switch full, ok := s.dotted(e); full {
	case "functools.lru_cache":
		return ok
	case "functools.cache", "contextlib.contextmanager", "contextlib.asynccontextmanager", "unittest.expectedFailure":
		return ok && !called
	case "functools.wraps", "unittest.skip", "unittest.skipIf", "unittest.skipUnless":
		return ok && called
	default: // which is handed the function, and may call it at any time
		return s.given(e, 0)
	}
}

// builtin looks for functions that make the language another one.
func (s *sight) builtin(n *python.Name) {
	switch n.ID {
	case "super", "property", "setattr", "delattr", "vars", "globals", "locals", "staticmethod", "classmethod", "object", "__builtins__":
		s.odd(n, n.ID)
	}
}

// asksForName reports whether an expression asks if a name means something: "x" in locals(),
// "x" in sys.modules.
func asksForName(e *python.Compare) bool {
	if len(e.Ops) != 1 || e.Ops[0] != python.In && e.Ops[0] != python.NotIn {
		return false
	}
	name, is := e.Left.(*python.Constant)
	if a, member := e.Comparators[0].(*python.Attribute); member && is && name.Kind == python.Str && a.Attr == "modules" {
		of, named := a.Value.(*python.Name)
		return named && of.ID == "sys"
	}
	c, calls := e.Comparators[0].(*python.Call)
	if !is || name.Kind != python.Str || !calls || len(c.Args)+len(c.Keywords) > 0 {
		return false
	}
	f, is := c.Func.(*python.Name)
	return is && (f.ID == "locals" || f.ID == "globals")
}

// odd notes something that is not read.
func (s *sight) odd(n python.Node, what string) {
	if s.strange == "" {
		s.strange, s.at = what, n.Pos().Line
	}
}

// isShow reports whether a function leaves the lists alone that it is given.
func (s *sight) isShow(f python.Expr) bool {
	if a, is := f.(*python.Attribute); is {
		if c, is := a.Value.(*python.Constant); is && c.Kind == python.Str {
			return true // ' '.join(list)
		}
	}
	full, ok := s.dotted(f)
	if !ok {
		return false
	}
	e := s.in.find(full)
	if e.Kind != code.Function && e.Kind != code.Class {
		return false
	}
	return !slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return slices.ContainsFunc(sig.Params, func(p code.Param) bool {
			return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool {
				keeps := e.Kind == code.Class && k.Kind == match.Data && k.Own == code.NotOwn
				return keeps || k.Own == code.Changes || k.Own == code.Calls
			})
		})
	})
}

func (s *sight) bind(name string, value python.Expr) {
	s.hooks(name)
	if name != "" && name != "_" {
		s.bindings[name] = append(s.bindings[name], value)
	}
}

// assigns reports whether a name is given something but arguments.
func (s *sight) assigns(name string) bool {
	return slices.ContainsFunc(s.bindings[name], func(v python.Expr) bool {
		_, is := v.(*parameter)
		return v != nil && !is
	})
}

func (s *sight) rebound(names []string) {
	for _, name := range names {
		s.bind(name, nil)
	}
}

// hooks notes names that Python itself looks up in a module, and calls or obeys what
// it finds.
func (s *sight) hooks(name string) {
	if !s.class && isSpecial(name) && strings.Trim(name, "_") != "" && !isPrivate(name) && !slices.Contains(plainNames[:], name) {
		s.hook = name
	}
}

// plainNames are special names of modules that Python does nothing with.
var plainNames = [...]string{"__all__", "__author__", "__copyright__", "__doc__", "__email__", "__license__", "__tracebackhide__", "__version__"}

func (s *sight) imported(name, full string) {
	s.hooks(name)
	if old, known := s.imports[name]; known && old != full {
		s.bind(name, nil)
	}
	s.imports[name] = full
	s.gets[first(full)] = true
	if full == "sys.path" || s.in.find(first(full)).Kind != code.Module || s.in.origin(first(full)) != code.Installed {
		s.foreign = true
	}
	s.tangled = s.tangled || full == "collections.namedtuple"
	switch first(full) {
	case "asyncio", "concurrent", "signal", "threading", "unittest":
		s.tangled = true
	}
	if !slices.Contains(s.bindings[name], nil) && s.in.effects(full) {
		s.modules[name] = true
	}
}

// elements are those of a list or tuple as it is written; nil for others.
func elements(e python.Expr) []python.Expr {
	switch e := e.(type) {
	case *python.List:
		return e.Elts
	case *python.Tuple:
		return e.Elts
	}
	return nil
}

// dotted is the full name of an imported or built-in thing that an expression names,
// where nothing in the text gives that name another meaning.
func (s *sight) dotted(e python.Expr) (string, bool) {
	switch e := e.(type) {
	case *python.Name:
		if s.bindings[e.ID] != nil {
			return "", false
		}
		if full, ok := s.imports[e.ID]; ok {
			return full, true
		}
		return e.ID, true
	case *python.Attribute:
		base, ok := s.dotted(e.Value)
		return base + "." + e.Attr, ok
	}
	return "", false
}

// effects reports whether something that facts know does more than read.
func (in *reader) effects(full string) bool {
	switch e := in.find(full); e.Kind {
	case code.Module, code.Asked:
		return true
	default:
		return slices.ContainsFunc(e.Calls, func(sig code.Signature) bool { return slices.ContainsFunc(sig.Params, acts) })
	}
}

// acts reports whether what is passed for a parameter is more than read.
func acts(p code.Param) bool {
	return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool { return !mild(k) })
}

// mild reports whether nothing but a reading comes of a kind.
func mild(k code.Kind) bool {
	switch k.Kind {
	case match.Flag, match.Data, match.Name, match.Path, match.Read:
		return true
	}
	return k.Own != code.NotOwn
}

// handed asks about modules and functions that have effects and are handed on, and
// about names of such that mean something else, too.
func (s *sight) handed() {
	for _, a := range s.puts {
		if !s.ofPlain(a) && s.changesFacts(a.Attr) || throughLibrary(a) {
			s.odd(a, "attributes that are set")
		}
	}
	if s.strange != "" {
		s.in.ask(int(s.at), "python.strange", "Python code with "+s.strange+", which the gate does not read yet")
	}
	for _, name := range s.outer {
		if _, imported := s.imports[name]; imported {
			s.in.ask(0, "python.handed", "Python code that gives "+name+" another meaning in functions")
		}
	}
	s.mistakable()
	s.oddTests()
	for _, e := range s.values {
		full, ok := s.dotted(e)
		if !ok || full != "sys.path" && full != "sys.modules" && full != "os.environ" && !s.in.effects(full) {
			continue
		}
		s.in.ask(int(e.Pos().Line), "python.handed", "Python code that hands on "+full)
	}
	for _, name := range slices.Sorted(maps.Keys(s.modules)) {
		if slices.ContainsFunc(s.bindings[name], func(v python.Expr) bool {
			c, is := v.(*python.Constant)
			return !is || c.Kind != python.None
		}) {
			s.in.ask(0, "python.handed", "Python code that gives "+name+" another meaning")
		}
	}
	if s.bindings["open"] != nil {
		s.in.ask(0, "python.handed", "Python code that gives open another meaning")
	}
	if s.hook != "" {
		s.in.ask(0, "python.handed", "Python code that gives "+s.hook+" a meaning of its own")
	}
	if s.renames() {
		s.in.ask(0, "python.handed", "Python code with names that a class makes other ones")
	}
}

// guessed notes as read what the text names, where it reads something of which the
// name is not known, or not sure: that may be any of them. So may what a program reads
// that it starts with such a word.
func (s *sight) guessed() {
	in := s.in
	line, reads := in.doubt, false
	starts := false // a command has a word of which nothing is known
	for i := range in.report.Effects {
		switch e := &in.report.Effects[i]; {
		case e.Kind == match.Read && e.Word.HasHole():
			if !reads {
				line = e.Line
			}
			reads = true
		case e.Kind == match.Command:
			starts = starts || slices.ContainsFunc(e.Words, func(w policy.Word) bool { return hasUnknown(&w) })
		}
	}
	named := reads || in.doubt > 0
	if !named && !starts {
		return
	}
	note := func(w policy.Word, reads bool) {
		for _, e := range in.wherever(code.Effect{Use: match.Use{Kind: match.Read, Word: in.whereFound(w, false)}, Line: line}) {
			if reads {
				in.report.Use(e)
			} else {
				in.report.Guesses = append(in.report.Guesses, e)
			}
		}
	}
	for _, g := range s.globs {
		if !in.patterns[g.call] {
			note(g.Word, named)
		}
	}
	if in.blind || starts {
		for _, w := range in.listings {
			note(w, in.blind)
		}
	}
	guessed := map[string]bool{}
	guess := func(names []string) {
		for _, name := range names {
			if guessed[name] || len(guessed) > maxGuessed {
				continue
			}
			if guessed[name] = true; len(guessed) > maxGuessed {
				in.ask(line, "python.limit", "Python code that reads what no text shows, and names very much")
				return
			}
			note(policy.Const(name), named)
			if home := in.home(name); home != name {
				note(policy.Const(home), named)
			}
		}
	}
	names := s.names()
	guess(names)
	guess(s.computed(names))
}

// names are those that the text has in its constants, and in what it cuts into words.
func (s *sight) names() (names []string) {
	for _, text := range s.texts {
		names = append(names, code.Names(text)...)
	}
	for _, text := range s.cutTexts() {
		names = append(names, code.Words(text)...)
	}
	if s.asksNames {
		for _, defined := range [...]map[string]bool{s.functions, s.classes, s.methods, s.members} {
			names = append(names, slices.Sorted(maps.Keys(defined))...)
		}
	}
	return names
}

// hasUnknown reports whether some part of a word may be any text.
func hasUnknown(w *policy.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p policy.Part) bool { return isUnknown(&p) })
}

// cutTexts are the texts that the text may cut into words, as far as the tree shows them.
func (s *sight) cutTexts() (list []string) {
	seen := map[string]bool{}
	rest := slices.Clone(s.cuts)
	for len(rest) > 0 && s.in.step() {
		e := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		switch e := e.(type) {
		case *python.Constant:
			if e.Kind == python.Str || e.Kind == python.Bytes {
				list = append(list, e.Text)
			}
		case *python.Name:
			if !seen[e.ID] {
				seen[e.ID] = true
				rest = append(rest, s.bindings[e.ID]...)
			}
		case *parameter:
			if rest = append(rest, e.Expr); seen[e.function+"()"] {
				continue
			}
			seen[e.function+"()"] = true
			for _, c := range s.called[e.function] {
				rest = append(rest, c.Args...)
				for _, k := range c.Keywords {
					rest = append(rest, k.Value)
				}
			}
		case *python.BinOp:
			rest = append(rest, e.Left, e.Right)
		case *python.List:
			rest = append(rest, e.Elts...)
		case *python.Tuple:
			rest = append(rest, e.Elts...)
		case *python.Dict:
			rest = append(append(rest, e.Keys...), e.Values...)
		case *python.Subscript:
			rest = append(rest, e.Value)
		case *python.Attribute:
			if !seen["."+e.Attr] {
				seen["."+e.Attr] = true
				rest = append(rest, s.fields[e.Attr]...)
			}
		case *python.Call: // of a method, as strip
			if a, is := e.Func.(*python.Attribute); is {
				rest = append(rest, a.Value)
			}
		}
	}
	return list
}

// unfollowed asks about calls that were not followed, and about imports that were not
// and would have been asked about.
func (s *sight) unfollowed() {
	for _, l := range s.loading {
		if !s.in.met[l.module] && s.in.find(first(l.module)).Kind == code.Asked {
			s.in.ask(int(l.line), "python.unfollowed", "Python code that imports "+l.module+" where the gate did not follow it")
		}
	}
	idle := make([]int, len(s.calls)+1) // how many more functions that nobody names a call stands in than the one before
	for _, d := range s.defs {
		if s.loads[d.name] == 0 {
			idle[d.from]++
			idle[d.to]--
		}
	}
	within := 0
	for i, c := range s.calls {
		if within += idle[i]; within == 0 && !s.in.followed[c.Index] {
			s.in.ask(int(c.Pos().Line), "python.unfollowed", "Python code that the gate did not follow to its end")
			return
		}
	}
}
