package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Program is what the rule files say of one program. The compiler writes it
// as static data; the interpreter builds the same value at run time.
type Program struct {
	Name       string // or, with a slash in it, a glob over its path: "./scripts/*.sh"; Aliases are such, too
	Aliases    []string
	File       string // "rules/git.toml"
	Line       int
	Unknown    policy.Decision // when no rule holds: Ask, Allow, Skip or Block
	Reach      policy.Reach    // default of its rules
	Unsteered  bool            // environment variables that env.toml does not know can't change what it does
	Repository bool            // it obeys configuration of the repository it stands in: git
	Daemon     []string        // it asks a service of this machine unless one of these leads elsewhere: "DOCKER_HOST", "--context", "~/.docker/config.json=currentContext"
	Project    bool            // it runs code of the directory it stands in whatever it is asked: scons --help
	ArgFiles   bool            // a word that begins with @ stands for words that a file holds: gcc @args
	Abbreviate bool            // it takes the beginning of a subcommand for the subcommand: ip l s
	Inherits   bool            // its options are those of the built-in table of its name
	Own        bool            // a user's, a project's or an administrator's file has it: whose rules nearly hold is told
	Refs       Refs            // who knows what its commands change in other repositories
	Makes      Makes           // what may be there behind it that was not; 0: anything
	Open       bool            // it declares no options at all: undeclared ones don't defeat its allows
	Levels     []Level         // Levels[0] holds the program's own options; Prepare puts them in order
	Fixed      int             // Levels[:Fixed] have paths without wildcards; set by Prepare
	Runs       Runs
	Dashes     Dashes // what -- means to it, where no table says it
	Handler    string // a handler in package gates that judges it too, or ""
	Rules      []Rule
	Facts      []Rule // what uses do whatever is thought of them; their Decision is Skip

	packed *packedParts // tables and rules that are unpacked when they are asked for; nil: all are there
}

// Style is how options are spelled.
type Style uint8

// The styles.
const (
	GNU   Style = iota // -x, -xVALUE, --long, --long=value, clusters, abbreviations
	Long               // -name value, -name=value: find, go, java, terraform
	Keys               // key=value operands: dd
	Plain              // none: every word is an operand
)

// Traits refine a style.
type Traits uint16

// The traits.
const (
	Stop     Traits = 1 << iota // the first operand ends options
	Exact                       // long options are not abbreviated
	Anywhere                    // these options are also read after the subcommand
	Negate                      // --no-x undoes --x, the last wins
	Number                      // -20 is an option
	Plus                        // +x is an option
	Bundle                      // the first word is a cluster without a dash: tar, ar
	BSD                         // any undashed letters are: ps
	Apart                       // a letter behind a letter may be an option, whatever the first one takes
)

// Level is a subcommand path, and the options that are read there.
type Level struct {
	Path   string // "remote add"; "" for the program's own; words may be globs
	*Table        // levels may share one

	// Prepare sets what follows.

	Risky    bool // some option is not harmless: a hole in its place defeats allows
	PathOnly bool // made for a rule's path: which options stand here is not known

	number int // where Table is nil: which of the program's packed ones it is
}

// Table is a list of options.
type Table struct {
	Style   Style
	Traits  Traits
	Bare    bool     // some spelling begins with neither "-" nor "+"; set by Prepare
	Until   []string // what ends a Command option: ";", "+"
	Dashes  Dashes   // what -- means here; the zero value: what the program says
	Options []Option
	// Operands is what the operands mean here whatever rule holds: it counts
	// for those that no rule that holds has a pattern for. nil: not said, the
	// level above may say it.
	Operands []Operand

	// Prepare sets what follows.

	Index []uint32 // plain spellings in byte order: option<<16 | offset in its Spellings
	Globs []uint32 // spellings that hold wildcards, likewise
}

// NoOptions is the table of levels without options. It is never written to.
var NoOptions Table

// Arity is how an option takes its value.
type Arity uint8

// The arities.
const (
	NoValue  Arity = iota
	Value          // -o f, -of, --out f, --out=f
	Optional       // --color=auto; of a letter it is not said which of the next three it is
	Glued          // the rest of the word: -i.bak
	Signed         // only behind a sign: -A=true, so that -Ao is -A -o
	Loose          // as Optional, or the next word, if that is no option: commander, yargs
	Digits         // the digits behind the letter: -T0o is -T0 -o
	Next           // as Value, unless the next word is an option: node
)

// Kind says what a value means; see rules/README.md.
type Kind uint8

// The kinds.
const (
	Flag Kind = iota
	Data
	Acts
	Name
	Path
	Read
	Write
	Delete
	Move
	Source
	Target
	Dir
	Host
	URL
	Image
	Sent
	Arg
	Env
	Script
	Command
	Run
	Code // Lang names the language
	Task // only of a Use: what the operands name is looked up; Lang names the runner
)

// Option is one or several options that are read alike. There are tens of
// thousands, and most of a program's differ in their names only.
type Option struct {
	Spellings string // "-o --output\n-q": a line for each option, a blank between its spellings; one may be a glob
	More      *More  // nil: one kind for all values
	Arity     Arity
	Kind      Kind
}

// More is what few options have.
type More struct {
	Lang  string      // for Code
	Cases []ValueKind // kinds by value, tried in order before Kind
	Multi []Operand   // several values; Arity is Value then
}

// Lang is the language of an option of kind Code.
func (o *Option) Lang() string {
	if o.More == nil {
		return ""
	}
	return o.More.Lang
}

// Cases are the option's kinds by value, tried in order before its Kind.
func (o *Option) Cases() []ValueKind {
	if o.More == nil {
		return nil
	}
	return o.More.Cases
}

// Multi is what the option's values are where it has several.
func (o *Option) Multi() []Operand {
	if o.More == nil {
		return nil
	}
	return o.More.Multi
}

// Same reports whether two spellings stand for one option of o.
func (o *Option) Same(a, b string) bool {
	if !strings.Contains(o.Spellings, b) {
		return false // nearly always
	}
	for line := range strings.SplitSeq(o.Spellings, "\n") {
		if spells(line, a) {
			return a == b || spells(line, b)
		}
	}
	return false
}

// spells reports whether a line of spellings holds one.
func spells(line, spelling string) bool {
	if spelling == "" || strings.IndexByte(spelling, ' ') >= 0 {
		return spelling == "" && line == "" // it is none
	}
	for at := 0; ; at++ {
		i := strings.Index(line[at:], spelling)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(spelling)
		if (at == 0 || line[at-1] == ' ') && (end == len(line) || line[end] == ' ') {
			return true
		}
	}
}

// ValueKind gives a kind to the values that one of the globs matches.
type ValueKind struct {
	Values []string
	Kind   Kind
	Lang   string
}

// Operand is one place of an operand pattern.
type Operand struct {
	Kind   Kind
	Lang   string
	Min    int // 0 or 1
	Max    int // 1, or -1 for any number
	Values []string
	// Default is what it means that none stands there: "." for a program that
	// then reads the current directory; "" where it means nothing.
	Default string
	Input   bool       // the default counts only where the command is given no input
	With    []FlagTest // and only where one of these options may be there; nil: any
}

// Runs says how a program starts other programs.
type Runs struct {
	Where   policy.Where
	Adds    Kind     // what it appends to the command: Flag (the zero value) = any words, Path, Data = none
	Exact   []string // options with which it appends nothing
	Places  []string // placeholders that become holes: "{}", or an option whose value is one: "-I"
	Stdin   string   // "", "script" or "code.LANG": what its input means when no operand says it, and no option of Instead
	Instead []string // options whose value it runs in place of its input
}

// FlagTest names an option, and the values it must have.
type FlagTest struct {
	Spelling string
	Values   []string // globs; nil: any or none
	Kind     Kind     // in Only, "-f=<read>": judge its value as this kind here; Flag (the zero value): as the grammar says
	Lang     string   // for Code
}

// Rule is one allow, ask or block. Its conditions are ANDed.
type Rule struct {
	ID          string
	Reason      string
	*Origin               // never nil
	*Conditions           // never nil
	Paths       []string  // subcommand paths, "remote add"; nil: any
	Operands    []Operand // nil with HasOperands: none allowed
	Line        int
	Effects     policy.Effects
	Decision    policy.Decision
	Reach       policy.Reach // ReachUnset: the program's

	HasOnly      bool
	HasOperands  bool
	AnyFlags     bool // undeclared options don't defeat it
	Acts         bool // nor do those of kind Acts
	Otherwise    bool
	AcceptEdits  bool
	Irreversible bool // what it does can't be undone
	// Unrecoverable says that it destroys for ever what nothing here can make
	// again. Such a rule is Irreversible too.
	Unrecoverable bool
	ByPlace       bool         // an ask about changing ordinary files, which an allow of the places answers
	SecretIf      []string     // what leads to the secrets that it shows, where they stand in files
	Into          Into         // what it puts into the directories that it writes
	Named         bool         // a block of the program found by its name alone, not of any file called so
	Prints        policy.Shape // of its output: ShapeWord, ShapeName, ShapeCount, ShapeNumbers, or ShapeAny where nothing is said
}

// Origin is where a program's rules stand.
type Origin struct {
	Program string
	File    string // "rules/git.toml"
}

// Conditions is what most rules have none of.
type Conditions struct {
	Any, All     []FlagTest
	Unless, Only []FlagTest
	Args         []string // globs over operands; @place matches the resolved path
	Writes       []string // implicit targets
	Task         string   // the task runner that knows what the command stands for, or ""
	Bounds       *Bounds  // nil: wherever it is, and it drops nothing
	Fact         *Fact    // what a fact says beside its effects; nil: nothing, or it is none
}

// Fact is what a fact says of a use, beside its effects and its reach.
type Fact struct {
	Programs   []string // only of the programs of these names; nil: of all of the table
	Ends       Ends
	Walks      Walks
	Hushed     bool     // it shows names and numbers, nothing of what files hold
	Named      bool     // it talks to the machines that its words name, and to no other
	Words      bool     // a word that is no file may name a machine
	Alters     bool     // it changes files that its words don't name
	Corruption int      // the level of untrusted content that it shows, 0 to 3
	Secret     int      // the level of secrets that it shows, 0 to 3
	Files      []string // absolute or ~/...: where one of them is there, it is not Named
}

// Walks is which files below a directory a program reads, or finds for others.
// The values are bits.
type Walks uint8

// The walks. WalksNone is no walk.
const (
	WalksNone    Walks = 0
	WalksVisible Walks = 1                   // neither hidden ones nor those that version control ignores
	WalksIgnored Walks = WalksVisible | 1<<1 // all but hidden ones
	WalksHidden  Walks = WalksVisible | 1<<2 // all but those that version control ignores
	WalksAll     Walks = WalksIgnored | WalksHidden
)

// Ends is whose end a program brings about.
type Ends uint8

// The ends.
const (
	EndsNothing Ends = iota
	EndsCommand      // of what it runs: timeout
	EndsInput        // of what writes to its input: head
)

// Bounds is where a rule of a user holds, and what it drops there.
type Bounds struct {
	Lifts     []string // ids (globs) of asks that it drops
	Workspace []string // globs over the workspace; nil: any
	Remote    []string // globs over the repository that a command sends to; nil: any
	Branch    []string // globs over the branches that it changes there; nil: any
	Wrappers  []string // globs over the programs that may run it, as sudo does; nil: any
	Unfed     bool     // only where the line gives it no input
	Fed       bool     // only where it gives it one
	Directory []string // globs over the directory that it runs in; nil: any
}

// Lifts are the ids (globs) of asks that the rule drops where it holds.
func (r *Rule) Lifts() []string {
	if r.Bounds == nil {
		return nil
	}
	return r.Bounds.Lifts
}

// pushes reports whether the rule is about what is sent to other repositories.
func (b *Bounds) pushes() bool { return b != nil && len(b.Remote)+len(b.Branch) > 0 }

// Refs is who knows what a program's commands change in other repositories.
type Refs uint8

// The readers.
const (
	NoRefs  Refs = iota
	GitRefs      // git push
)

// Makes is what may be there behind a program that was not there before it. The zero
// value is that of programs of which nothing is said.
type Makes uint8

// What programs make.
const (
	MakesFiles Makes = 1 << iota
	MakesDirectories
	MakesLinks
	MakesNothing // it changes or takes away what is there
)

// May reports whether something of a kind may be there.
func (m Makes) May(kind Makes) bool { return m == 0 || m&kind != 0 }

// NoConditions is for rules without any. It is never written to.
var NoConditions Conditions

// Use is a word of the command that means something outside it, for the
// engine to judge: a path, a host, a variable, a nested command.
type Use struct {
	Kind   Kind
	Lang   string
	Word   policy.Word   // all kinds but Command
	Words  []policy.Word // Command: the argument vector
	Dirs   []string      // directories it is relative to, where a Dir option changed them; nil: the command's; empty: not known
	Option string        // the spelling that brought it, "" for an operand
	Rule   *Rule         // the rule whose operand pattern brought it, or nil
	Runs   *Runs         // for Command and Script
	Args   []policy.Word // operands after a Script ($0, $1, ...) or a Run ($1, ...)
	Call   *Invocation   // for Task

	Passes    bool // Command: some of its words are what the program finds, or reads from its input
	Remote    bool // Host and URL: a file on that machine is read or written
	FromStdin bool // Script and Code: the text is the command's standard input

	flag int // of one that the grammar alone says of an option: its index, and one
}

// Reading is what a language reader says of a text: what it reads, writes and
// runs as uses, or a decision about the text itself.
type Reading struct {
	Uses     []Use
	Decision policy.Decision // Skip: harmless but for its uses
	ID       string          // "sed.unreadable", for a Decision
	Reason   string
	Effects  policy.Effects
	Reach    policy.Reach

	Unrecoverable bool // as in Rule
}

// Held is a rule that holds for a command.
type Held struct {
	Rule     *Rule
	Decision policy.Decision // the rule's, or Ask where a block only may hold
	Layer    uint8           // of Call, when it was judged
	Known    bool            // the engine's: the rule names a task, whose texts are all known
	Sure     bool            // no value that is not known decides whether it holds, but for where a path leads
	If       string          // the operand that is not known and decides, as written; "": there is none, or another word does
}
