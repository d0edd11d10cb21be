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

	World World // nil: nothing is known of it

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

// World is what rules ask about that lies outside of the command.
type World interface {
	// Place says whether a word means a file in the named place: one of the
	// paths tables, Outside, Workspace or File. The word is relative to dirs; nil: the
	// command's.
	Place(w policy.Word, place string, dirs []string) policy.Tri
	// InWorkspace says whether the workspace is one that globs mean.
	InWorkspace(globs []string) policy.Tri
	// InDirectory says whether a directory is one that globs mean.
	InDirectory(dir string, globs []string) policy.Tri
	// Pushed says what the command changes in another repository.
	Pushed(*Invocation) Push
}

// NewCall makes an empty call with room for what most commands have.
func NewCall() *Call {
	room := new(struct { // one piece of memory for all
		Call
		path     [2]string
		tables   [2]Level
		flags    [2]flag
		operands [3]operand
		placed   [4]uint32
		held     [2]Held
		uses     [2]Use
	})
	c := &room.Call
	c.path, c.tables, c.flags, c.operands, c.placed = room.path[:0], room.tables[:0], room.flags[:0], room.operands[:0], room.placed[:0]
	c.Held, c.Uses = room.held[:0], room.uses[:0]
	return c
}

// Reset empties the call for another command and keeps its buffers. All is zeroed and
// they are put back: a copy of the whole takes longer, above all while garbage is collected.
func (c *Call) Reset() {
	path, sub, facts, held, uses := c.Path[:0], c.Sub[:0], c.Facts[:0], c.Held[:0], c.Uses[:0]
	handlers, unknowns, behind, nearly := c.Handlers[:0], c.Unknowns[:0], c.Behind[:0], c.Nearly[:0]
	buffers := c.buffers.emptied()
	*c = Call{}
	c.Path, c.Sub, c.Facts, c.Held, c.Uses = path, sub, facts, held, uses
	c.Handlers, c.Unknowns, c.Behind, c.Nearly = handlers, unknowns, behind, nearly
	c.buffers = buffers
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
