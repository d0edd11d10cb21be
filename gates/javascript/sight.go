package javascript

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A text is looked at twice. The reader follows it, and could mistake an alias, an
// order of things, a type; that counts for what is blocked. Nothing is allowed by
// that alone: here the tree is looked at, whatever runs when, and it has to be of a
// small language in which there is nothing to mistake:
//
//   - modules, and functions that are not data's, are called where they stand by
//     their names, and are nowhere a value (dotted);
//   - functions of the text are called by their names, or by what facts know to call
//     them, and are nowhere a value; an object of the text that has some is a thing,
//     which is nowhere a value either (own.go);
//   - so data holds no functions but those that all data shares, and what is called
//     on data by a name that such functions have is harmless (method);
//   - a key that is not known may take such a function, or what all objects share,
//     out of data: that is loose, no key is looked up in it and nothing set;
//   - paths, commands and addresses are constants (sure.go).

// sort is what an expression is, as far as the tree shows.
type sort struct {
	loose bool   // data, or one of the functions or prototypes that all data shares
	thing string // an object of a type of the facts that is no data; empty: data
}

// The things that code of others gives: of the project, and of packages that are
// installed. What a package does where it is called, nobody knows.
const (
	project = "project"
	pack    = "package"
)

func isOthers(thing string) bool { return thing == project || thing == pack }

// sight is what is seen of a text without following it.
type sight struct {
	in        *reader
	names     map[string]*name
	own       map[string]bool           // names declared at the text's top
	scopes    []map[string]bool         // names declared around a place, below the top
	looks     int                       // how often it was gone through
	gather    bool                      // names are collected, nothing is judged
	gone      map[string]int            // how often names stand where they are only gone through
	walked    map[*javascript.Name]bool // where that is
	changed   bool
	flows     bool                 // something loose is passed or returned
	holds     bool                 // something loose is in a list or an object
	keyed     bool                 // keys are used that are not known
	project   bool                 // code of the project is loaded
	copies    bool                 // directories may be copied
	cuts      bool                 // texts are cut into words
	changes   bool                 // something is changed that the text may not have made
	listings  []listing            // directories that are listed
	catches   bool                 // what is thrown may be caught
	mutable   bool                 // something loose is called to change it
	effects   map[any]string       // names of what is called with effects
	args      map[any][]code.Value // what such calls are passed
	order     []any                // calls with effects
	vars      []code.Value
	boxes     map[any]*code.Box
	texts     []string                               // that may be names of files
	void      bool                                   // what the next function returns is nobody's
	imports   bool                                   // modules are imported, and not required
	bare      bool                                   // one of them may be called as a package is
	config    string                                 // a file of the project's that configures who runs the text
	owns      map[string]*own                        // by their types
	places    map[any]string                         // types of what the text makes where
	functions map[*javascript.Function]string        // names of those that the text declares
	written   map[*javascript.Call][]javascript.Expr // what calls give of objects that the text writes
	calling   map[*javascript.Function][]passing     // calls of these
	around    []*javascript.Function                 // in which the place is that is looked at
	this      string                                 // the type of this; empty: not known
	makes     bool                                   // the function is a constructor
	nextThis  string                                 // the same of the next function
	nextMakes bool
	exact     bool     // a text has to be known as it is, and not only what it names
	tables    []string // files of JSON that are loaded as modules
	strange   string
	line      int
}

// name is what a text does with a name, in all its scopes.
type name struct {
	values []javascript.Expr // what it is given; nil: something of which the tree does not tell
	fixed  bool              // each by const, let, import or function
	top    bool              // each at the text's top
	loose  bool
	rooted bool // it may be below something loose, or hold it as if it were a method
	thing  string
}

// oneOf is any item of a list.
type oneOf struct {
	javascript.Expr
	list   []javascript.Expr
	shared bool // others have the list, too: what an item holds may be changed
}

// given is what a function is handed that facts know to be of a type. All that are of
// one type are equal.
type given struct {
	javascript.Expr
	thing string
}

// settles is what resolve and reject are in new Promise((resolve, reject) => ...):
// functions that may be called with anything.
var settles = &javascript.Function{}

// maxLooks bounds how often a text is gone through until nothing new is loose.
const maxLooks = 8

// see looks at a tree.
func (in *reader) see(p *javascript.Program) *sight {
	s := &sight{in: in, names: map[string]*name{}, gather: true, effects: map[any]string{}, args: map[any][]code.Value{}, boxes: map[any]*code.Box{}, own: map[string]bool{}, owns: map[string]*own{}, places: map[any]string{}, functions: map[*javascript.Function]string{}, calling: map[*javascript.Function][]passing{}, written: map[*javascript.Call][]javascript.Expr{}, gone: map[string]int{}, walked: map[*javascript.Name]bool{}}
	declaredAll(p.Body, s.own)
	s.stmts(p.Body)
	s.gather = false
	for _, text := range p.Texts {
		s.note(text)
	}
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		s.meaning(name, s.names[name])
	}
	for s.strange == "" {
		s.changed, s.order, s.vars, s.tables = false, nil, nil, nil
		clear(s.boxes) // what is passed may be known better now
		s.stmts(p.Body)
		if s.looks++; !s.changed || s.looks == maxLooks {
			break
		}
		s.strange = "" // it may be only what stands further down that was missing
	}
	vars := map[string]bool{}
	hoisted(p.Body, vars)
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		s.variable(name)
	}
	switch {
	case s.strange != "":
	case s.changed:
		s.refuse("more than the gate looks through")
	case s.keyed && s.project:
		s.refuse("keys that are not known, and code of the project")
	case s.changes && s.project:
		s.refuse("something changed that code of the project may have, too")
	}
	s.orders()
	if in.runtime != language {
		s.elsewhere()
	}
	return s
}

// refuse notes what the text has that is not read.
func (s *sight) refuse(what string) {
	if s.strange == "" && !s.gather {
		s.strange = what
		s.line = s.in.line
	}
}

// set notes something that holds for the whole text.
func (s *sight) set(flag *bool) {
	if !*flag && !s.gather {
		*flag, s.changed = true, true
	}
}

// meaning refuses names that mean something without the text too, where that may be
// meant, or where Node itself may mean it.
func (s *sight) meaning(name string, n *name) {
	e := s.in.find(name)
	global := s.in.isGlobal(name) && (e.Kind != code.Class || len(e.Calls) > 0) && s.in.find("node:"+name).Kind == code.Nothing
	switch {
	case isForbidden(name) || name == "arguments" || name == "eval" || name == "require" || name == "undefined":
		s.refuse("the name " + name + " for something else")
	case global || name == "Symbol" || name == "crypto" || name == "process" || name == "console":
		_, function := n.values[0].(*javascript.Function)
		_, class := n.values[0].(*javascript.Class)
		function = function || class
		if !n.top || !n.fixed || function {
			s.refuse("the name " + name + " for something else")
		}
	}
}

// variable refuses a var at the top, which is a member of the global object, if there
// may be another one of that name before it is set.
func (s *sight) variable(name string) {
	full, module := s.dotted(&javascript.Name{Name: name})
	same := full == name || full == "node:"+name || full == "" && withoutEffects(name)
	if !same && (!module && (name[0] < 'a' || name[0] > 'z') || s.in.isGlobal(name) || s.in.find("node:"+name).Kind != code.Nothing) {
		s.refuse("the name " + name + " for something else")
	}
}

// withoutEffects reports whether nothing that a module of Node's has does more than to
// give data, so that it may be called before a variable of its name is set.
func withoutEffects(name string) bool {
	switch name {
	case "assert", "path", "querystring", "url":
		return true
	}
	return false
}

// inScope reports whether a name is the text's own where it stands. Elsewhere it may
// mean whatever the language or Node has under that name.
func (s *sight) inScope(name string) bool {
	for _, scope := range s.scopes {
		if scope[name] {
			return true
		}
	}
	return s.own[name]
}

// within looks at something in which further names are declared.
func (s *sight) within(names map[string]bool, look func()) {
	s.scopes = append(s.scopes, names)
	look()
	s.scopes = s.scopes[:len(s.scopes)-1]
}

// bind notes what a name is given.
func (s *sight) bind(id string, value javascript.Expr, what sort, fixed bool) {
	n := s.names[id]
	if s.gather {
		if n == nil {
			n = &name{fixed: true, top: true}
			s.names[id] = n
		}
		n.values = append(n.values, value)
		n.fixed = n.fixed && fixed
		n.top = n.top && len(s.scopes) == 0
		return
	}
	if n == nil {
		s.refuse("the name " + id + ", which was not found before")
		return
	}
	// Before the names were known what is data may have been taken for a module.
	if !n.has(value) {
		n.values, s.changed = append(n.values, nil), true
	}
	if n.fixed && !fixed {
		n.fixed, s.changed = false, true
	}
	if what.loose {
		s.set(&n.loose)
	}
	if what.thing != "" {
		if !n.single() && len(n.values) > 1 { // one value is all that it has, whatever it is declared by
			s.refuse("an object under a name that means something else, too")
		}
		if n.thing != what.thing {
			n.thing, s.changed = what.thing, true
		}
	}
}

// has reports whether it is known that a name is given a value.
func (n *name) has(value javascript.Expr) bool {
	return slices.ContainsFunc(n.values, func(v javascript.Expr) bool { return isSame(v, value) })
}

// isSame reports whether two expressions are the same one, of which some are made anew
// where they are looked at.
func isSame(a, b javascript.Expr) bool {
	switch x := a.(type) {
	case *module:
		y, ok := b.(*module)
		return ok && x.full == y.full
	case *oneOf:
		y, ok := b.(*oneOf)
		return ok && x.shared == y.shared && slices.EqualFunc(x.list, y.list, isSame)
	case *javascript.Member:
		y, ok := b.(*javascript.Member)
		return ok && (x == y || x.Name == y.Name && x.At == y.At && isSame(x.X, y.X))
	}
	return a == b
}

// single reports whether a name means the same wherever it stands.
func (n *name) single() bool {
	return n.fixed && !slices.ContainsFunc(n.values, func(v javascript.Expr) bool { return v != n.values[0] || v == nil && len(n.values) > 1 })
}

// once is what a name has as its only value, nil where that is not known.
func (s *sight) once(id string) javascript.Expr {
	if n := s.names[id]; n != nil && n.single() && s.inScope(id) {
		return n.values[0]
	}
	return nil
}

// each is all that a name has, if each of it is told, and it is given nothing else later.
func (s *sight) each(id string) []javascript.Expr {
	if n := s.names[id]; n != nil && n.fixed && s.inScope(id) && !slices.Contains(n.values, nil) && s.in.step() {
		return n.values
	}
	return nil
}

// function is the function of the text that a name means.
func (s *sight) function(id string) *javascript.Function {
	f, _ := s.once(id).(*javascript.Function)
	return f
}

// dotted is the full name of something that facts know and that an expression names.
func (s *sight) dotted(e javascript.Expr) (string, bool) { return s.dots(e, 0) }

func (s *sight) dots(e javascript.Expr, depth int) (string, bool) {
	if depth++; depth > maxSure {
		return "", false
	}
	switch e := e.(type) {
	case *module:
		return e.full, true
	case *javascript.Name:
		if s.names[e.Name] != nil {
			v := s.once(e.Name)
			if v == nil {
				return "", false
			}
			return s.dots(v, depth)
		}
		for _, full := range [...]string{e.Name, "node:" + e.Name} {
			if s.in.find(full).Kind != code.Nothing && e.Name != "require" {
				return full, true
			}
		}
	case *javascript.Member:
		if e.Index != nil || e.Optional {
			return "", false
		}
		base, ok := s.dots(e.X, depth)
		if !ok {
			return "", false
		}
		switch entry := s.in.find(base + "." + e.Name); entry.Kind {
		case code.Nothing:
		case code.Constant:
			if len(entry.Type) == 1 && entry.Type[0].Name == "module" {
				return entry.Type[0].Of[0].Name, true
			}
			return base + "." + e.Name, true
		default:
			return base + "." + e.Name, !entry.Methods
		}
		if e.Name == "default" && s.in.find(base).Kind == code.Module {
			return base, true
		}
	case *javascript.Await:
		return s.dots(e.X, depth)
	case *javascript.ImportCall:
		s.imports = true
		if len(e.Args) == 1 {
			if name, ok := e.Args[0].(*javascript.String); ok {
				s.bare = s.bare || !strings.HasPrefix(name.Value, "node:")
				return s.builtin(name.Value)
			}
		}
	case *javascript.Call:
		if isRequire(e) && s.names["require"] == nil {
			if name, ok := e.Args[0].(*javascript.String); ok {
				return s.builtin(name.Value)
			}
			break
		}
		if len(e.Args) != 1 || e.Optional {
			break
		}
		if maker, ok := s.dots(e.F, depth); ok && maker == "node:util.promisify" {
			if full, ok := s.dots(e.Args[0], depth); ok {
				return s.in.promisified(full)
			}
		}
	}
	return "", false
}

// promisified is the full name of what util.promisify makes of a function of Node's.
func (in *reader) promisified(full string) (string, bool) {
	if name, ok := strings.CutPrefix(full, "node:fs."); ok {
		full = "node:fs.promises." + name
	} else {
		full += ".promisified"
	}
	e := in.find(full)
	return full, e.Kind == code.Function && !e.Methods
}

// callee is what facts say of something that is called: a module that is a function is
// described as its default.
func (in *reader) callee(full string) *code.Entry {
	e := in.find(full)
	if e.Kind == code.Module && len(e.Calls) == 0 {
		if made := in.find(full + ".default"); made.Kind == code.Function {
			return made
		}
	}
	return e
}

// module is what an import binds to a name.
type module struct {
	javascript.Expr
	full string
}

// builtin is the full name of a module of Node's.
func (s *sight) builtin(name string) (string, bool) {
	bare, prefixed := strings.CutPrefix(name, "node:")
	if bare == "process" || bare == "console" {
		return bare, true
	}
	full := "node:" + bare
	if strings.Contains(bare, ".") { // what facts call so is no module
		return full, false
	}
	return full, s.in.find(full).Kind == code.Module && (prefixed || !onlyPrefixed(bare))
}

func isRequire(e *javascript.Call) bool {
	n, ok := e.F.(*javascript.Name)
	return ok && n.Name == "require" && len(e.Args) == 1 && !e.Optional
}

// sortOf is what a type of the facts is to the tree.
func (s *sight) sortOf(t code.Type) (what sort) {
	for _, one := range t {
		switch one.Name {
		case "str", "number", "bool", "none", "bytes", "list", "dict", "plain", "RegExp", "Date", "Map", "Set", "Error", "Stats", "Dirent", "Cwd", "Location", "Printed",
			"any", "arg", "args", "item", "value", "called", "calleditem", "second":
			if one.Of != nil && s.sortOf(one.Of).thing != "" {
				s.refuse("a list of " + one.Of[0].Name)
			}
		default:
			if len(t) > 1 {
				s.refuse("what may be " + one.Name)
			}
			what.thing = one.Name
		}
	}
	return what
}

// isData reports whether a full name is that of data.
func (s *sight) isData(full string) bool {
	e := s.in.find(full)
	return e.Kind == code.Constant && s.sortOf(e.Type).thing == ""
}

// isScalar reports whether nothing that is passed comes back with a type.
func isScalar(t code.Type) bool {
	for _, one := range t {
		switch one.Name {
		case "str", "number", "bool", "none", "bytes", "Cwd", "Location", "Printed":
		default:
			return false
		}
	}
	return true
}

// shared reports whether data has a function of a name that is the same for all.
func (s *sight) shared(name string) bool {
	return s.in.find("shared."+name).Kind == code.Constant || s.methodEntries(name) != nil
}

// methodEntries is what data of any type can do under a name.
func (s *sight) methodEntries(name string) (entries []*code.Entry) {
	for _, t := range [...]string{"str", "list", "number", "bool", "dict", "bytes", "Map", "Set", "RegExp", "Date", "Error", "Stats"} {
		if e := s.in.find(t + "." + name); e.Kind == code.Function {
			entries = append(entries, e)
		}
	}
	return entries
}

// shows reports whether a call, or new, has effects that the tree tells.
func (s *sight) shows(e any) bool {
	return s.strange == "" && s.effects[e] != ""
}

// follow follows a call with what the tree shows of its arguments.
func (s *sight) follow(e any, at int, list []javascript.Expr) code.Value {
	followed := s.in.arguments(e, list)
	s.in.at(at)
	return s.calls(e, followed)
}

func (s *sight) calls(e any, followed arguments) code.Value {
	args := arguments{at: e}
	for i, v := range s.args[e] {
		if v == nil {
			v = followed.arg(i)
		}
		for _, w := range followed.arg(i).Words("...") {
			if name, known := w.Const(); i == 0 && known {
				s.note(name)
			}
		}
		args.positional = append(args.positional, v)
	}
	if s.mayBeAny(e) {
		s.madeName(followed.arg(0))
	}
	if isListing(s.effects[e]) {
		s.notesListing(s.effects[e], followed)
		s.in.listed(followed.arg(0))
	}
	return s.in.callMember(&code.Shape{Kind: code.Member, Type: s.effects[e]}, args)
}

// madeName notes what a text makes of the name of something that it reads or lists.
func (s *sight) madeName(v code.Value) {
	for i := range v {
		one := &v[i]
		switch {
		case one.Hides():
			s.refuse("a name that is made in a way that no text shows")
		case one.Made && !isConst(one):
			for _, p := range one.Word.Parts {
				if p.Kind == policy.Lit {
					s.note(strings.Trim(p.Text, "/"))
				}
			}
			s.in.report.Use(code.Effect{Use: match.Use{Kind: match.Read, Word: *one.Word}, Line: s.in.line})
		}
	}
}

// mayBeAny reports whether a call reads or lists something of which the tree does not tell
// the name.
func (s *sight) mayBeAny(e any) bool {
	if len(s.args[e]) == 0 || isKnown(s.args[e][0]) {
		return false
	}
	reads := func(sig code.Signature) bool {
		p := positional(&sig, 0)
		return p != nil && p.Kinds[0].Kind == match.Read
	}
	return isListing(s.effects[e]) || slices.ContainsFunc(s.in.callee(s.effects[e]).Calls, reads)
}

// finish asks about what is not read, and tells the effects of calls that nothing has
// come to.
func (s *sight) finish() {
	in := s.in
	for _, v := range s.vars {
		in.variable(v)
	}
	for _, at := range s.order {
		if !s.shows(at) {
			continue
		}
		switch e := at.(type) {
		case *javascript.Call:
			in.at(e.At)
		case *javascript.New:
			in.at(e.At)
		}
		s.calls(at, arguments{})
	}
	if s.config != "" {
		in.report.Load(s.config, 1)
	}
	s.guessed()
	s.inherits()
	if s.mutable && slices.ContainsFunc(in.report.Effects, func(e code.Effect) bool { return e.Kind != match.Read && !isPrintenv(&e) }) {
		s.refuse("something changed that all objects may share")
	}
	if slices.ContainsFunc(in.report.Effects, s.replaces) || s.copies && len(s.tables) > 0 {
		s.refuse("a file that is loaded and may be made a module")
	}
	if s.strange != "" {
		in.ask(s.line, "javascript.strange", "JavaScript with "+s.strange+", which the gate does not read yet")
	}
}

// replaces reports whether an effect may put code where a file of JSON is loaded as a
// module: a.json.js, a.json/index.js.
func (s *sight) replaces(e code.Effect) bool {
	return slices.ContainsFunc(s.tables, func(table string) bool {
		switch e.Kind {
		case match.Write:
			name, known := e.Word.Const()
			return !known || strings.Contains(name, path.Base(table)) && path.Clean(name) != path.Clean(table)
		case match.Delete, match.Move, match.Target, match.Command, match.Script, match.Run, match.Code:
			return !isPrintenv(&e)
		}
		return false
	})
}
