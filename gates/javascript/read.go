package javascript

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Read tells what a program does. runtime is who runs it: javascript is Node, bun and
// deno are called so, typescript is another one that reads types.
func Read(text code.Text, runtime string) *code.Report {
	in := &reader{
		text: text, runtime: runtime, budget: fewestSteps + stepsPerByte*len(text.Code),
		scopes: map[any]*scope{}, boxes: map[any]*code.Box{}, functions: map[*javascript.Function]*function{}, classes: map[*javascript.Class]*class{},
		known: map[string]*code.Entry{}, firsts: map[*javascript.Assign]code.Value{},
	}
	program, err := javascript.Parse(text.Code)
	if err != nil {
		line, why := 0, err.Error()
		if wrong, ok := errors.AsType[*javascript.Error](err); ok {
			line, why = wrong.Line, wrong.Text
		}
		in.ask(line, "javascript.unreadable", "JavaScript that the gate can't read: "+why)
		return &in.report
	}
	in.program = program
	if t := text.Code; len(t) > 1 && t[0] == '/' && t[1] != '/' && t[1] != '*' {
		// A path, which happens to be a regular expression.
		in.ask(1, "javascript.unreadable", "JavaScript that begins with a path: "+first(t))
	}
	in.sight = in.see(program)
	for range maxRuns {
		in.grew, in.pass = false, in.pass+1
		in.run()
		if in.spent {
			return &in.report
		}
		if !in.grew && !in.openUncalled() {
			in.pollution()
			in.ownModules()
			in.sight.finish()
			return &in.report
		}
	}
	in.ask(0, "javascript.limit", "JavaScript that is too entangled to follow")
	return &in.report
}

// first is a text as far as its first line or fortieth byte goes.
func first(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return strings.ToValidUTF8(text[:min(len(text), 40)], "")
}

// The bounds of the work with one text.
const (
	fewestSteps  = 400_000
	stepsPerByte = 4
	maxRuns      = 40  // of the whole text
	maxDepth     = 400 // of calls in calls
)

// reader follows one text.
type reader struct {
	text    code.Text
	program *javascript.Program
	sight   *sight
	runtime string
	report  code.Report
	budget  int
	spent   bool

	pass  int
	grew  bool // something has got more in this pass
	depth int
	line  int
	scope *scope
	fn    *function // whose body is followed; nil: none

	scopes    map[any]*scope
	boxes     map[any]*code.Box
	functions map[*javascript.Function]*function
	classes   map[*javascript.Class]*class
	order     []*function // as they stand in the text
	known     map[string]*code.Entry
	loose     code.Value // what data that comes back may be beside data
	thrown    code.Value
	making    bool // what a function gives is made of the text's own constants
	round     round
	firsts    map[*javascript.Assign]code.Value // what variables had before something was put behind that
	placed    bool                              // there are texts that name places
	cut       bool                              // something may have been cut from one
	polluted  int                               // the line in which something may be put on what all objects share
}

// run goes through the whole text once.
func (in *reader) run() {
	in.scope, in.fn, in.round = in.scopeOf(in.program, nil), nil, round{}
	in.hoist(in.program.Body, in.scope, true)
	in.stmts(in.program.Body)
	// A function of somebody else's may come back any time.
	for i := 0; i < len(in.order); i++ {
		if fn := in.order[i]; fn.open {
			in.follow(fn)
		}
	}
}

// openUncalled lets functions be called that nobody has called.
func (in *reader) openUncalled() (opened bool) {
	for _, fn := range in.order {
		if !fn.called && !fn.open {
			fn.open, opened = true, true
		}
	}
	return opened
}

// pollution asks where what all objects share may have got an option of a call.
func (in *reader) pollution() {
	if in.polluted > 0 && len(in.report.Effects) > 0 {
		in.ask(in.polluted, "javascript.unknown", "JavaScript that may change what all objects share")
	}
}

// ownModules asks where a text may have made what it loads.
func (in *reader) ownModules() {
	// A file of any other ending is code where it is loaded by its whole name.
	odd := slices.ContainsFunc(in.report.Runs, func(l code.Load) bool {
		return (l.Name[0] == '.' || l.Name[0] == '/') && path.Ext(l.Name) != ".json" && !slices.Contains(endings, path.Ext(l.Name))
	})
	for i := range in.report.Effects {
		e := &in.report.Effects[i]
		if len(in.report.Runs) == 0 || e.Kind == match.Read || e.Kind == match.URL || e.Kind == match.Arg || e.Kind == match.Path || isPrintenv(e) {
			continue
		}
		if e.Kind == match.Source {
			continue
		}
		if e.Kind == match.Write && !odd {
			name, known := e.Word.Const()
			if known && !slices.Contains(endings, path.Ext(name)) && path.Base(name) != "package.json" && !strings.Contains(name, "node_modules") {
				continue
			}
		}
		in.ask(e.Line, "javascript.unknown", "JavaScript that loads modules and may have changed them")
	}
}

// endings are those of files that are loaded by a name with or without them.
var endings = []string{"", ".js", ".cjs", ".mjs", ".node", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".wasm"}

func isPrintenv(e *code.Effect) bool {
	if e.Kind != match.Command || len(e.Words) == 0 {
		return false
	}
	name, _ := e.Words[0].Const()
	return name == "printenv"
}

// step counts the work, and reports false when there was too much.
func (in *reader) step() bool {
	if in.budget--; in.budget < 0 && !in.spent {
		in.spent = true
		in.ask(in.line, "javascript.limit", "JavaScript that does more than the gate looks through")
	}
	return !in.spent
}

// ask notes that the text is not understood.
func (in *reader) ask(line int, id, reason string) {
	in.report.Question(code.Ask{ID: id, Reason: reason, Effects: policy.Executes, Reach: policy.ReachUnknown}, line)
}

// unknown notes something of which nothing is known, and is its value.
func (in *reader) unknown(what string) code.Value {
	in.ask(in.line, "javascript.unknown", "JavaScript that the gate does not know: "+what)
	return code.Anything()
}

func (in *reader) at(offset int) { in.line = in.program.Line(offset) }

// use notes an effect for each word that a value may be.
func (in *reader) use(kind match.Kind, lang string, v code.Value, source string, dir *policy.Word) {
	for _, w := range v.Words(source) {
		in.report.Use(code.Effect{Use: match.Use{Kind: kind, Lang: lang, Word: w}, In: dir, Line: in.line})
	}
}

// find looks a full name up among the facts.
func (in *reader) find(name string) *code.Entry {
	e, ok := in.known[name]
	if !ok {
		e = &code.None
		if in.runtime != language {
			e = in.text.Facts.Find(in.runtime, name)
		}
		if e.Kind == code.Nothing {
			e = in.text.Facts.Find(language, name)
		}
		in.known[name] = e
	}
	return e
}

// more adds to what something may be.
func (in *reader) more(v *code.Value, with code.Value) {
	// Each shape of the one is compared with each of the other.
	if in.budget -= len(*v) * len(with) / 8; in.spent {
		return
	}
	if joined := code.Join(*v, with); !code.Same(joined, *v) {
		*v = joined
		in.grew = true
	}
}
