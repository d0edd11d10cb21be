package match

import "github.com/bashgate/bashgate/policy"

// The places that rules may name without a row of paths.
const (
	Outside   = "outside"   // not surely in the workspace
	Workspace = "workspace" // the workspace as a whole
	File      = "file"      // a file or directory that is there
	Known     = "program"   // no place: the name of a program that a rule knows
)

// Call is one simple command on its way through the gates. A gate adds what
// its rules say; the engine reads the result.
type Call struct {
	Cmd  *policy.Command
	Name string // the program's name without a trusted directory

	// Layer is whose rules are judging, as the engine numbers them. What they
	// say carries it.
	Layer uint8

	// Places says whether a word means a file in the named place: one of the
	// paths tables, Outside, Workspace or File. The word is relative to dirs; nil: the
	// command's. A nil function knows nothing.
	Places func(w policy.Word, place string, dirs []string) policy.Tri
	// InWorkspace says whether the workspace is one that globs mean; nil: not
	// known.
	InWorkspace func(globs []string) policy.Tri
	// InDirectory says whether a directory is one that globs mean; nil: not known.
	InDirectory func(dir string, globs []string) policy.Tri
	// Pushed says what the command changes in another repository; nil: not
	// known.
	Pushed func(*Invocation) Push

	Path       []string // the words of the subcommand that the first table with some of them names
	Known      bool     // some gate has a table for the program
	Refs       Refs     // who knows what it changes in other repositories
	Sub        []string // the subcommand, as the table with Refs reads it; empty: none, or not known
	Unsteered  bool     // every table says so
	Repository bool     // some table says that it obeys the configuration of the repository it stands in
	Daemon     []string // what leads it to another machine than this one, for programs that ask a service of this machine
	Project    bool     // some table says that it runs code of the directory it stands in
	Facts      []*Rule  // the facts that hold, or may
	Ends       Ends     // what it surely ends
	Held       []Held   // the rules that hold, in gate order
	Uses       []Use    // what the engine must judge
	Handlers   []string
	Unknowns   []Undecided // tables in which no rule held
	Behind     []Behind    // tables in which an ask is not all there is to ask about
	Nearly     []Nearly    // rules of users that nearly held
	Objection  string      // why the closest allow did not hold, for messages: "unknown option --frobnicate"

	reading
}

// Reset empties the call for another command and keeps its buffers.
func (c *Call) Reset() {
	*c = Call{
		Path:     c.Path[:0],
		Sub:      c.Sub[:0],
		Facts:    c.Facts[:0],
		Held:     c.Held[:0],
		Uses:     c.Uses[:0],
		Handlers: c.Handlers[:0],
		Unknowns: c.Unknowns[:0],
		Behind:   c.Behind[:0],
		Nearly:   c.Nearly[:0],
		reading:  c.emptied(),
	}
}

// Undecided is a program's answer when none of its rules held, or when it is
// not known which of them do.
type Undecided struct {
	Program  *Program
	Decision policy.Decision
	Layer    uint8
	Effects  policy.Effects // of the rules that may hold
	Reach    policy.Reach   // the largest of the program's and theirs
}

// Behind is what the asks that hold hide: no allow of the program's would
// have held either. It counts where something drops these asks.
type Behind struct {
	Program *Program
	Effects policy.Effects // of the rules that may hold
	Reach   policy.Reach   // the largest of the program's and theirs
	Why     string         // what is not understood, "unknown option --x"; "": nothing
	Acts    string         // an option that acts and that no rule which holds names; "": none
	Told    string         // such a one that has a value: a command, a place, a machine
	Rules   []*Rule        // asks that hold where no other rule does
}

// Nearly is a rule that one condition kept from holding.
type Nearly struct {
	Rule *Rule
	Why  string // "operand main is not one of test, lint"
}
