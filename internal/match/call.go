package match

import "github.com/bashgate/bashgate/internal/policy"

// Call is one simple command on its way through the gates. A gate adds what
// its rules say; the engine reads the result.
type Call struct {
	Cmd  *policy.Command
	Name string // the program's name without a trusted directory

	Known      bool   // some gate has a table for the program
	Unsteered  bool   // every table says so
	Repository bool   // some table says that it obeys the configuration of the repository it stands in
	Held       []Held // the rules that hold, in gate order
	Uses       []Use  // what the engine must judge
	Handlers   []string
	Unknowns   []Undecided // tables in which no rule held
	Objection  string      // why the closest allow did not hold, for messages: "unknown option --frobnicate"
}

// Undecided is a program's answer when none of its rules held.
type Undecided struct {
	Program  *Program
	Decision policy.Decision
}
