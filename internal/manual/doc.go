// Package manual compares rule tables with what others say of a program's
// options: its manual page, or a file of option tables. It reads, and runs
// nothing but man.
//
// A table can be wrong in three ways. It may not know an option, which asks
// and so only costs a question. It may give it another number of values, so
// that the words behind it are read as what they are not. Or it calls harmless
// what the description says writes, runs or sends.
package manual

// Option is one option as a manual describes it.
type Option struct {
	Spellings []string // "-o", "--output"
	Value     Value
	Text      string // the description; "" where there is none
	Takes     string // of --help: the words that name it and its value, "-o, --output FILE"
}

// Value is how an option takes a value.
type Value uint8

// The ways.
const (
	Unsaid   Value = iota // the manual's notation does not tell
	None                  // -v
	Required              // -o FILE, --output=FILE
	Optional              // --color[=WHEN]
)

// Described is the options of one subcommand.
type Described struct {
	Path    string // "remote add"; "" for the program's own
	Options []Option
	Source  string // "man tar", or where it stands in a file: "facts.jsonl:12"
}

// Kind is what is wrong with an option of a table.
type Kind string

// The kinds, the worst first.
const (
	Arity   Kind = "arity"   // it takes its value otherwise
	Harm    Kind = "harm"    // its description speaks of what is not harmless
	Unknown Kind = "unknown" // the table does not know it
)

// Kinds lists them.
func Kinds() []string { return []string{string(Arity), string(Harm), string(Unknown)} }

// Finding is something wrong with a table.
type Finding struct {
	Kind   Kind
	Path   string // of the subcommand; "" for the program's own
	Option string // a spelling
	Text   string // "-o takes a value, and the table says that it takes none (man tar)"
	Hint   string
}
