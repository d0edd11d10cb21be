package shell

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// Input is a text to read and what is known of the shell that will run it.
type Input struct {
	Text     string
	Dialect  Dialect
	Dirs     []string        // possible working directories, absolute; empty: not known
	Home     string          // absolute; "": not known
	Args     []policy.Word   // $0, $1, ... of a script; nil: not known
	Vars     []policy.Assign // variables that the environment sets for this text
	Stdin    policy.Input    // what its commands read from; zero: what the host gives them
	Open     []policy.Open   // descriptors that do not lead where the host gave them
	Caller   *policy.Caller  // the shell that reads the text from a file, and goes on after it; nil: a shell of its own
	Old      bool            // bash may be 3.2, as on macOS
	Nounset  bool            // the shell may have been started with -u
	Errtrace bool            // or with -E
	Started  bool            // by a command of the line, which may have taken away what every shell has from its environment

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
	Wide     bool             // patterns may match more than by default: hidden names, "..", names in other cases
	Empty    bool             // nothing runs: there are only blanks, comments, [[ ]] and (( )), and nothing was found
}

// unknownArg0 is $0 where nobody knows it.
var unknownArg0 = policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: "$0"}}}

// Reader reads texts. It keeps its parser from one text to the next, and is
// not safe for concurrent use, nor for any where Read has panicked. The zero value is ready.
type Reader struct {
	plain     *syntax.Parser
	commented *syntax.Parser
	src       strings.Reader
	in        Input // of the text at hand, and what comes of it; zero between texts
	out       Reading
	run       run              // zero but for its log between texts
	again     bool             // it has read a text: others may follow
	commands  []policy.Command // room for those of a further text, until their number is known
	spare     []*invocation    // zero ones
}

// New returns a Reader.
func New() *Reader { return &Reader{} }

// Read interprets the text. It never fails: what cannot be read is in the
// findings.
func (rd *Reader) Read(in Input) Reading {
	rd.in = in
	r, out := &rd.run, &rd.out
	r.reader, r.in, r.budget, r.out, r.unrolled = rd, &rd.in, in.Budget, out, 1
	if r.budget == nil {
		r.budget = new(Budget)
	}
	out.Commands, rd.commands = rd.commands, nil
	r.nounset, r.errtrace = in.Nounset, in.Errtrace
	r.f.dirs = in.Dirs
	r.f.stackLost = in.Caller != nil
	r.f.open = in.Open
	r.f.stdin = r.newInput(in.Stdin)
	r.f.arg0 = unknownArg0 // the shell's own name, where there is no other
	// Where one of them may be several, nobody knows which is the first.
	if !slices.ContainsFunc(in.Args, policy.Word.MaySplit) {
		r.f.argsKnown = in.Args != nil
		if len(in.Args) > 0 {
			r.f.arg0, r.f.args = in.Args[0], in.Args[1:]
		}
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
				if is(a.Name, inherited) {
					v.attrs |= lent // it may not be there to be changed
				}
			}
			if a.Obeys {
				v.attrs |= integer | lower | upper | readonly
			}
			r.set(a.Name, v)
		}
	}
	_, empty := r.text(source{text: in.Text})
	r.finish()
	out.Empty = (empty || r.tested) && len(out.Commands) == 0 && len(out.Findings) == 0
	result := *out
	if rd.again {
		result.Commands = slices.Clone(result.Commands)
		if cap(out.Commands) <= fewCommands {
			rd.commands = out.Commands[:0]
		}
	}
	rd.again = true
	log := r.log[:0]
	*r, rd.in, rd.out = run{}, Input{}, Reading{}
	r.log = log
	return result
}

// fewCommands are as many as most texts have.
const fewCommands = 64

// run is the interpretation of one text and of those nested in it.
type run struct {
	reader *Reader
	in     *Input
	budget *Budget
	out    *Reading

	vars    map[string]*variable
	funcs   map[string]*function
	log     []undo
	logging int // marks that are still open

	f frame
	surroundings
	tally
	gaveUp bool // an expansion of the substitution at hand may have failed, or ended its shell

	defined  []*funcBody // every function of the text
	ever     everDefined
	deferred []deferredText
	told     map[given]bool       // what is in the reading's Given
	seeds    map[string]*variable // attributes that outlive the state, for deferred texts
	exports  []policy.Assign      // all that was ever exported, for them

	loops  map[syntax.Node]*loop
	inputs []*bool // those of which it is known whether somebody may have read from them

	// What holds from where it was seen to the end.
	interrupted bool // a handler may run that reads
	foreign     bool // a text that is not known may have run in this shell
	closes      bool // a descriptor was closed, and one that copies it fails
	tested      bool // a [[ ]] or (( )) was seen, which are no commands
	nounset     bool // variables that are not set end the shell
	errtrace    bool // substitutions have the handler of errors, too
	onError     bool // there may be such a handler
	unsetFunc   bool // a function was undefined
	limited     bool // the budget is spent
}

// tally is how often what only the frame shows was done.
type tally struct {
	moves   int // the directory may have been changed
	stacks  int // what pushd keeps may have been changed
	argSets int // $1 and so on were set
	left    int // a construct was left before its end
	escapes int // what stands around the text was
}

// source is the text that the nodes at hand point into.
type source struct {
	text   string
	base   policy.Pos // place of a nested text in the outermost one
	nested bool
	mapped bool // carriage returns stand as crRune
	span   int  // offset where the substitution at hand ends; 0: none
}

// text reads one text, the source's, in the present state. It reports whether
// there was nothing in it to run.
func (r *run) text(src source) (o outcome, empty bool) {
	s := r.surroundings
	s.src = src
	r.inside(s, func() { o, empty = r.scanned() })
	return o, empty
}

// scanned reads the text of the source at hand.
func (r *run) scanned() (o outcome, empty bool) {
	text := r.src.text
	g := scan(text)
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
		return r.plain(), err == nil
	}
	if cap(r.out.Commands) == 0 {
		r.out.Commands = make([]policy.Command, 0, min(len(file.Stmts)+1, fewCommands))
	}
	return r.lines(file.Stmts), false
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
