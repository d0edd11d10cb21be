package python

import (
	"errors"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// language is what facts about Python stand under.
const language = "python"

// Read tells what a program does.
func Read(text code.Text) *code.Report { return &read(text).report }

func read(text code.Text) *reader {
	in := &reader{text: text, budget: fewestSteps + stepsPerByte*len(text.Code), sites: map[site]any{}, exposed: map[string]int{}, origins: map[origin]code.Origin{}, patterns: map[*python.Call]bool{}, defined: map[defined]*function{}, methods: map[method]*function{}, entries: map[string]*code.Entry{}, members: map[ofType]*code.Entry{}, met: map[string]bool{}}
	tree, err := python.Parse(text.Code)
	if err != nil {
		line := 0
		if wrong, ok := errors.AsType[*python.SyntaxError](err); ok {
			line = int(wrong.Line)
		}
		in.ask(line, "python.unreadable", "Python code that the gate can't read: "+reason(err))
		return in
	}
	in.followed = make([]bool, tree.Calls)
	in.sight = in.see(tree)
	in.sight.handed()
	for range maxRuns {
		grown := in.grown
		in.run(tree)
		if in.grown == grown || in.spent {
			in.overtaken()
			in.sight.unfollowed()
			in.sight.guessed()
			in.sight.told()
			return in
		}
	}
	in.ask(0, "python.limit", "Python code that is too entangled to follow")
	return in
}

// reason is what a syntax error says, without its place.
func reason(err error) string {
	if wrong, ok := errors.AsType[*python.SyntaxError](err); ok {
		return wrong.Msg
	}
	return err.Error()
}

// The bounds of the work with one text.
const (
	fewestSteps  = 100_000 // a tenth of a second
	stepsPerByte = 1       // twice what plain code takes
	maxRuns      = 4       // of the whole text, until what is called later sees nothing new
	maxRounds    = 12      // of a loop
	maxUnrolled  = 32      // items of a constant list that a loop goes through one by one
	maxDepth     = 60      // of calls in calls, and of expressions
	maxGuessed   = 4000    // names of files that may be meant where none is known
)

// reader follows one text.
type reader struct {
	text   code.Text
	report code.Report
	budget int
	spent  bool

	sight     *sight
	followed  []bool      // calls, by their indices
	functions []*function // in the order in which they are met
	deep      []*function // that were called too deep in others to be followed there
	idled     [3]int      // how many of deep, of functions that no other calls, and of all were looked at

	module  *scope
	scope   *scope
	merging bool // branches come together
	dead    bool // what follows is not reached
	later   bool // code that runs at a time that nobody knows
	line    int
	depth   int
	way     int // which of the ways to a place this is: of calls, and of rounds of loops
	around  int // how often loops around the code at hand go through it, one by one

	journals   []*journal
	ended      []*journal // those that are there for other branches
	begun      int32      // journals
	junction   junction
	marks      int32 // looks at several journals or ways
	tries      []*attempt
	calls      []*call
	within     *python.Call                              // the innermost call of the text that is followed; nil: none
	guest      *function                                 // that is followed with arguments of which nothing is known; nil: none
	constants  [python.Complex + 1]map[string]code.Value // what they are, by their texts
	entries    map[string]*code.Entry                    // what facts have said
	members    map[ofType]*code.Entry                    // and what of members of types
	builtins   map[string]code.Value                     // what names mean that nothing gives another meaning
	origins    map[origin]code.Origin                    // whose modules are that were looked for
	sites      map[site]any                              // what was made somewhere in the text
	defined    map[defined]*function
	methods    map[method]*function
	ways       map[turn]int
	grown      int // how often something that is shared has got more
	tables     map[python.Expr]*mould
	mould      *mould       // of the display that is followed next; nil: none
	look       [256]byte    // where a mould's look is made
	dotted     []byte       // where findIn makes a name
	unused     []code.Value // see values
	loose      code.Value
	queue      []deferred
	queued     map[any]bool
	toldAny    bool                     // code of others is told a text that may be any name
	texts      map[madeText]policy.Word // that are put together, where code of others may be told them
	blind      bool                     // it reads a file of whose name nothing is known
	composed   map[python.Expr]*composed
	hand       []handed            // what code of the project is told that may hold a text which is not known
	handed     map[python.Expr]int // where it stands among these
	derived    []*class            // the text's classes below some of the project
	classes    map[*class]bool     // of which code of the project has objects
	settled    bool                // the text was followed to its end
	unnamed    []unnamed           // reads and words of commands of whose names nothing is known
	unnamedBy  map[unnamedBy]bool
	doubt      int                   // the line of a read of which the name is not sure; 0: none
	stmt       int32                 // where the statement at hand starts
	maybe      int                   // how many branches and loops are around the code at hand
	wrote      changed               // modules, before the code at hand
	told       changed               // modules, by the whole text so far
	loaded     map[string]bool       // modules that were loaded before
	patterns   map[*python.Call]bool // calls that look for files of which each has told a pattern in its directory
	listings   []policy.Word         // patterns of what was found in directories
	exposed    map[string]int        // what is imported when functions may have run that are called at any time, and in which line
	laterWrote changed               // modules that such functions may have changed
	met        map[string]bool       // modules whose import was met
	starred    bool                  // names may come from code of the project
	moved      []move                // the directories in which the text goes on
	paths      []policy.Word         // further directories in which modules are looked for
}

// origin is a module that is looked for, when so many further directories were added.
type origin struct {
	module string
	paths  int
}

// site is a place of the text, on one of the ways to it.
type site struct {
	at   any
	way  int
	what string
}

// defined is where a function is defined: on a way to a place of the text, in a scope.
type defined struct {
	at    any
	scope *scope
	way   int
}

// method is a method of an object.
type method struct {
	fn  *function
	own any // the object
}

// turn is one time that something at a place of the text is done, on a way.
type turn struct {
	at     any
	way, n int
}

// deferred is a function that somebody may call at any time.
type deferred struct {
	fn   *function
	args []code.Value // nil: nobody knows with what
	late bool         // it is one whose body runs later, and what it was called with is known
}

// waits reports whether a method is better followed later, when the objects of its class
// have got what they are made with.
func (d *deferred) waits() bool {
	if d.fn.class == nil {
		return false
	}
	init, is := onlyFunction(d.fn.class.member("__init__", 0))
	return is && !init.followed
}

// run follows the whole text once.
func (in *reader) run(tree *python.Module) {
	if in.module == nil {
		in.module = &scope{kind: moduleScope}
	}
	for _, v := range in.module.vars.list {
		v.set, v.now = false, nil
	}
	in.scope, in.dead, in.later, in.way, in.around = in.module, false, false, 0, 1
	in.journals, in.tries, in.calls = nil, nil, nil
	in.maybe, in.wrote, in.loaded = 0, changed{}, map[string]bool{}
	in.assign(in.module, "__name__", code.Const("str", "__main__"))
	in.assign(in.module, "__file__", code.Of("str"))
	in.assign(in.module, "__doc__", code.Plain())
	in.body(tree.Body)
	in.dead, in.later = false, true
	in.idle()
	for len(in.queue) > 0 && !in.spent {
		i := max(0, slices.IndexFunc(in.queue, func(d deferred) bool { return !d.waits() }))
		next := in.queue[i]
		in.queue = slices.Delete(in.queue, i, i+1)
		in.scope, in.dead = in.module, false
		in.callLater(next)
		in.idle()
	}
	in.queue, in.queued = nil, nil
}

// idle lets a function be followed that nothing has called so far: one that was called
// too deep in others, or that no function calls, or else any. So that of functions
// which call each other in a row each is followed once.
func (in *reader) idle() {
	if len(in.queue) > 0 {
		return
	}
	for i, list := range [...][]*function{in.deep, in.functions, in.functions} {
		for at := &in.idled[i]; *at < len(list); *at++ {
			fn := list[*at]
			if !fn.followed && !(i == 1 && in.sight.inner[fn.name]) && (fn.class != nil || fn.expr != nil || in.sight.loads[fn.name] > 0) {
				fn.followed = true
				in.enqueue(fn, nil)
				return
			}
		}
	}
}

// step counts the work, and reports false when there was too much.
func (in *reader) step() bool {
	if in.budget--; in.budget < 0 && !in.spent {
		in.spent = true
		in.ask(in.line, "python.limit", "Python code that does more than the gate looks through")
	}
	return !in.spent
}

// ask notes that the text is not understood.
func (in *reader) ask(line int, id, reason string) {
	in.report.Question(code.Ask{ID: id, Reason: reason, Effects: policy.Executes, Reach: policy.ReachNetwork}, line)
}

// doubts notes that a word of a command is a name that the text computes.
func (in *reader) doubts(line int) {
	in.report.Doubts = append(in.report.Doubts, code.Question{Ask: code.Ask{
		ID: "python.computed", Reason: "Python code that starts what reads a file whose name the code computes", Effects: policy.Executes, Reach: policy.ReachNetwork,
	}, Line: line})
}

// unknown notes something of which nothing is known, and is its value.
func (in *reader) unknown(what string) code.Value {
	in.ask(in.line, "python.unknown", "Python code that the gate does not know: "+what)
	return code.Anything()
}

// use notes an effect for each word that a value may be.
func (in *reader) use(kind match.Kind, lang string, v code.Value, source string, dir *policy.Word) {
	for _, w := range v.Words(source) {
		in.emit(code.Effect{Use: match.Use{Kind: kind, Lang: lang, Word: w}, In: dir, Line: in.line})
	}
}

// values makes a list of so many values, out of a longer one.
func (in *reader) values(n int) []code.Value {
	const many = 32
	if n > many/4 {
		return make([]code.Value, n)
	}
	if n > len(in.unused) {
		in.unused = make([]code.Value, many)
	}
	list := in.unused[:n:n]
	in.unused = in.unused[n:]
	return list
}

// find looks a full name up among the facts.
func (in *reader) find(name string) *code.Entry {
	e, known := in.entries[name]
	if !known {
		e = in.text.Facts.Find(language, name)
		in.entries[name] = e
	}
	return e
}

// findIn is find for a name in a module or type.
func (in *reader) findIn(owner, name string) *code.Entry {
	in.dotted = append(append(append(in.dotted[:0], owner...), '.'), name...)
	if e, known := in.entries[string(in.dotted)]; known {
		return e
	}
	return in.find(string(in.dotted))
}

// first is the first name of a dotted one.
func first(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}
