package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Input is a text to read and what is known of the shell that will run it.
type Input struct {
	Text    string
	Dialect Dialect
	Dirs    []string        // possible working directories, absolute; empty: not known
	Home    string          // absolute; "": not known
	Args    []policy.Word   // $0, $1, ... of a script; nil: not known
	Vars    []policy.Assign // variables that the environment sets for this text
	Stdin   policy.Input    // what its commands read from; zero: what the host gives them
	Open    []policy.Open   // descriptors that do not lead where the host gave them
	Caller  *policy.Caller  // the shell that reads the text from a file, and goes on after it; nil: a shell of its own
	Old     bool            // bash may be 3.2, as on macOS
	Nounset bool            // the shell may have been started with -u

	// Prints says what shape the output of a command has, for the words that
	// command substitutions become. Nil stands for "nothing is known".
	Prints func(*policy.Command) policy.Shape

	// Activates says that a command which reads a file into the shell does no
	// more than to activate a virtual environment. Nil stands for "it may do
	// anything".
	Activates func(*policy.Command) bool

	// Budget bounds the work of all reads of one request. Nil stands for a
	// fresh one.
	Budget *Budget
}

// Reading is what a text may do.
type Reading struct {
	Commands []policy.Command // every simple command, in the order of interpretation
	Findings []policy.Finding // what could not be read, or must be asked about
	Given    []policy.Assign  // each variable that is set, once for each text that it is known to hold; without a name: arguments and what is tested
	Empty    bool             // nothing runs: there are only blanks, comments, [[ ]] and (( )), and nothing was found
}

// unknownArg0 is $0 where nobody knows it.
var unknownArg0 = policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: "$0"}}}

// Reader reads texts. It keeps its parser from one text to the next, and is
// not safe for concurrent use.
type Reader struct {
	plain     *syntax.Parser
	commented *syntax.Parser
	src       strings.Reader
	in        Input // of the text at hand, and what comes of it
	out       Reading
	run       run
}

// New returns a Reader.
func New() *Reader { return &Reader{} }

// Read interprets the text. It never fails: what cannot be read is in the
// findings.
func (rd *Reader) Read(in Input) Reading {
	rd.in, rd.out = in, Reading{}
	r, out := &rd.run, &rd.out
	*r = run{
		reader:   rd,
		in:       &rd.in,
		budget:   in.Budget,
		out:      out,
		log:      r.log[:0],
		unrolled: 1,
	}
	if r.budget == nil {
		r.budget = new(Budget)
	}
	r.nounset = in.Nounset
	r.f.dirs = in.Dirs
	r.f.open = in.Open
	r.f.stdin = newInput(in.Stdin)
	if slices.ContainsFunc(in.Args, policy.Word.MaySplit) {
		r.f.arg0 = unknownArg0 // and nobody knows which of them is the first
	} else if in.Args != nil {
		r.f.args = in.Args[min(1, len(in.Args)):]
		r.f.argsKnown = true
		if len(in.Args) > 0 {
			r.f.arg0 = in.Args[0]
		} else {
			r.f.arg0 = unknownArg0 // the shell's own name
		}
	} else {
		r.f.arg0 = unknownArg0
	}
	vars := in.Vars
	if in.Caller != nil {
		vars = append(vars[:len(vars):len(vars)], in.Caller.Vars...)
		r.foreign, r.f.foreign = true, in.Caller.Foreign // when a handler runs, anything may have
	}
	for _, a := range vars {
		if a.Name != "" {
			v := &variable{set: policy.Yes, value: a.Value, attrs: exported}
			if a.Taken {
				v.set, v.value = policy.Maybe, hole(policy.ShapeAny)
			}
			if a.Obeys {
				v.attrs |= integer | lower | upper | readonly
			}
			r.set(a.Name, v)
		}
	}
	empty := r.text(in.Text, source{})
	r.finish()
	out.Empty = (empty || r.tested) && len(out.Commands) == 0 && len(out.Findings) == 0
	result := *out
	*r, rd.in, rd.out = run{log: r.log[:0]}, Input{}, Reading{}
	return result
}

// run is the interpretation of one text and of those nested in it.
type run struct {
	reader *Reader
	in     *Input
	budget *Budget
	out    *Reading
	src    source

	vars    map[string]*variable
	funcs   map[string]*function
	log     []undo
	logging int // marks that are still open

	f    frame
	flow flow

	defined  []*funcBody   // every function of the text
	uncalled string        // the one being read that nothing called
	calls    []*activation // those being interpreted, outermost first
	ever     everDefined
	deferred []deferredText
	told     map[given]bool       // what is in the reading's Given
	seeds    map[string]*variable // attributes that outlive the state, for deferred texts
	exports  []policy.Assign      // all that was ever exported, for them

	loops       map[syntax.Node]*loop
	scouting    bool     // inside a trial run of a loop's body
	unrolled    int      // product of the iterations being unrolled
	exits       []*exits // of the constructs around the command, outermost first
	left        int      // how often one of them was left before its end
	foreign     bool     // a text that is not known may have run in this shell
	moves       int      // how often the directory may have been changed
	direct      int      // index of the command that the last simple command emitted, or -1
	silent      bool     // a redirect may have kept it from running
	kept        bool     // exec changed the streams of the shell itself
	inElement   bool     // the next word is an element of an array
	closes      bool     // a descriptor was closed, and one that copies it fails
	tested      bool     // a [[ ]] or (( )) was seen, which are no commands
	nounset     bool     // variables that are not set end the shell
	spawning    int      // pipelines and background jobs around the command
	background  int      // background jobs around it
	looping     int      // loops around the command
	calculating int      // expressions around the one at hand
	certain     bool     // the outermost of them assigns all that it holds
	argSets     int      // how often $1 and so on were set
	depth       int      // statements around it
	unsetFunc   bool     // a function was undefined
	limited     bool     // the budget is spent

	piped *syntax.Redirect // the first redirect of a command behind a pipe

	substitution
}

// source is the text that the nodes at hand point into.
type source struct {
	text   string
	base   policy.Pos // place of a nested text in the outermost one
	nested bool
	mapped bool // carriage returns stand as crRune
	span   int  // offset where the substitution at hand ends; 0: none
}

// text reads one text in the present state. It reports whether there was
// nothing in it to run.
func (r *run) text(text string, src source) (empty bool) {
	g := scan(text)
	src.text = text
	saved := r.src
	r.src = src
	defer func() { r.src = saved }()
	r.reportGuard(&g)
	if g.cut < len(text) {
		text = prefix(text[:g.cut])
	}
	if g.cr {
		text = strings.ReplaceAll(text, "\r", string(crRune))
		r.src.mapped = true
	}
	file, text, err := r.parse(text, g.hash)
	r.src.text = text
	if err != nil {
		r.reportParse(err)
	}
	if file == nil || len(file.Stmts) == 0 {
		return err == nil
	}
	if r.out.Commands == nil {
		r.out.Commands = make([]policy.Command, 0, min(len(file.Stmts)+1, 64))
	}
	r.lines(file.Stmts)
	return false
}

// at returns a node's place in the outermost text.
func (r *run) at(p syntax.Pos) policy.Pos {
	if r.src.nested {
		return r.src.base
	}
	return policy.Pos{Line: int(p.Line()), Col: int(p.Col())}
}

// source returns a node's text as written.
func (r *run) source(n syntax.Node) string { return r.between(n.Pos(), n.End()) }

func (r *run) between(from, to syntax.Pos) string {
	i, j := int(from.Offset()), int(to.Offset())
	if i < 0 || j > len(r.src.text) || i >= j {
		return ""
	}
	return r.unmap(r.src.text[i:j])
}

// unmap gives back the carriage returns that were hidden from the parser.
func (r *run) unmap(s string) string {
	if !r.src.mapped {
		return s
	}
	return strings.ReplaceAll(s, string(crRune), "\r")
}
