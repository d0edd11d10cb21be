package ruleset

import (
	"slices"

	"github.com/bashgate/bashgate/internal/toml"
)

// This file holds what a rule file says, as it was written. Each field's tag
// names its key, what it means, and the words it takes; loading, the schema
// and the reference in the documentation are all read off these tags.
//
//	toml   the key
//	doc    what it means
//	words  the list of words that it takes (words.go)
//	on     the decisions whose rules may have it; absent: all
//	need   "yes": the key must be there; "built-in": in built-in files

// Span is a place in a rule file.
type Span = toml.Span

// Text is a string and where it stands.
type Text struct {
	Value string
	At    Span
}

// Texts is a list of strings; a single one may be written without brackets.
type Texts []Text

// Table is where a table and its keys stand.
type Table struct {
	At      Span // the header
	keys    map[string]Span
	raw     *toml.Value
	unknown []string // keys that have no meaning here
	broken  []string // keys whose values are wrong, which was said
}

// Has reports whether a key was written.
func (t *Table) Has(key string) bool {
	_, ok := t.keys[key]
	return ok
}

// Fits reports whether a key was written and nothing is wrong with its value.
func (t *Table) Fits(key string) bool { return t.Has(key) && !slices.Contains(t.broken, key) }

// Key returns where a key stands; the table's header for a key that was not
// written.
func (t *Table) Key(key string) Span {
	if at, ok := t.keys[key]; ok {
		return at
	}
	return t.At
}

// Value returns what was written for a key, as it was written; nil if nothing.
func (t *Table) Value(key string) *toml.Value { return t.raw.Get(key) }

// Keys lists the keys that were written, in their order.
func (t *Table) Keys() []string { return t.raw.Keys() }

// Flag is true or false, or was not written.
type Flag uint8

// The flags.
const (
	Unsaid Flag = iota
	False
	True
)

// document is a whole rule file.
type document struct {
	Table
	Meta     *Meta       `toml:"meta" doc:"what the file is about"`
	Programs []Program   `toml:"programs" doc:"one program: how its words are read, and what is thought of them"`
	Paths    []PathRow   `toml:"paths" doc:"an opinion about places of the file system"`
	Hosts    []HostRow   `toml:"hosts" doc:"an opinion about machines on the network"`
	Env      []EnvRow    `toml:"env" doc:"an opinion about setting environment variables"`
	Pipes    []PipeRow   `toml:"pipes" doc:"an opinion about one command's output becoming another's input"`
	Tools    []ToolRow   `toml:"tools" doc:"an opinion about a host's tool other than its shell"`
	Servers  []ServerRow `toml:"servers" doc:"what the tools of an MCP server bring in and send out"`
	Sources  []SourceRow `toml:"sources" doc:"how much what commands bring from the network counts as untrusted"`
	Shells   []ShellRow  `toml:"shells" doc:"which tools run commands of a shell; only in built-in files"`
	Code     []CodeRow   `toml:"code" doc:"what modules, types and functions of a programming language do"`
	Override []Override  `toml:"override" doc:"blocks that are questions for you; only in a user's files"`
	Profile  *Profile    `toml:"profile" doc:"a way of working; only in a file of its own, in profiles"`
	Handlers []Handler   `toml:"custom_handlers" doc:"programs that Go code judges too; only in built-in files"`
}

// Meta describes a file.
type Meta struct {
	Table
	Name        Text   `toml:"name" doc:"a title for people: \"Text tools\"" need:"yes"`
	Description Text   `toml:"description" doc:"one or two sentences: what the family is, how it is judged"`
	Priority    int    `toml:"priority" doc:"files with a smaller number are listed first and give their reasons first; the default is 50"`
	Workspace   Texts  `toml:"workspace" doc:"globs over directories, ~/... or absolute: the file counts only where the agent works in one of them"`
	Dashes      Text   `toml:"dashes" doc:"what -- means to the programs of this file; absent: not known" words:"dashes"`
	Copies      []Text `toml:"copies" doc:"globs over paths: where a workspace keeps its own copies of these programs, which are judged by the same rules and run code of the project (\"*/node_modules/.bin/*\")"`
	Origins     []Text `toml:"origins" doc:"globs over paths: where programs lie that such copies may be links to, besides the directories of the system (\"~/.pyenv/versions/*/bin/*\")"`
	Files       []Text `toml:"files" doc:"files that the workspace of the examples holds: code of the project that they run (\"s.py\")"`
}

// Program is one program, or several that are judged alike.
type Program struct {
	Table
	Name       Text      `toml:"name" doc:"the program's name without a directory, or a glob over the file: ./scripts/check.sh (of the workspace), ~/go/bin/*, /opt/acme/bin/acme, */init.sh (anywhere in the workspace)"`
	Names      []Text    `toml:"names" doc:"several programs that share all of the table, instead of name"`
	Aliases    []Text    `toml:"aliases" doc:"other names of the same program"`
	Unknown    Text      `toml:"unknown_action" doc:"the answer when no rule of the program holds" words:"unknown"`
	Reach      Text      `toml:"reach" doc:"what it can touch, for all its rules that don't say; the default is unknown" words:"reach"`
	Unsteered  bool      `toml:"unsteered" doc:"environment variables that env.toml does not know can't change what it does"`
	Repository bool      `toml:"obeys_repository" doc:"it obeys the configuration of the repository it stands in"`
	Daemon     []Text    `toml:"daemon" doc:"it asks a service of this machine, as docker does, unless one of these leads to another one: variables, options, FILE=TEXT for a file that holds a text"`
	Project    bool      `toml:"obeys_project" doc:"it runs code of the directory it stands in whatever it is asked, help and version included"`
	ArgFiles   bool      `toml:"argument_files" doc:"a word that begins with @ stands for the words that a file holds"`
	Abbreviate bool      `toml:"abbreviates" doc:"it takes the beginning of a subcommand for the subcommand; an allow needs the spelling that it names"`
	About      []Text    `toml:"about" doc:"options that only tell about the program, help and version: a use with one of them and without operands is allowed, and touches nothing but this machine"`
	Refs       Text      `toml:"refs" doc:"who knows which remote and branches its commands change, for remote and branch" words:"refs"`
	Makes      []Text    `toml:"makes" doc:"what may be there behind it that was not; absent: anything" words:"makes"`
	Dashes     Text      `toml:"dashes" doc:"what -- means to it; absent: what [meta] says" words:"dashes"`
	Options    []Options `toml:"options" doc:"how its options are read"`
	Runs       *Runs     `toml:"runs" doc:"how it starts other programs"`
	Allow      []Rule    `toml:"allow" doc:"what runs without a question"`
	Ask        []Rule    `toml:"ask" doc:"what a person decides"`
	Block      []Rule    `toml:"block" doc:"what never runs"`
	Facts      []Fact    `toml:"fact" doc:"what uses do, whatever is thought of them"`
}

// Fact is what some uses of a program do, whatever the rules think of them.
type Fact struct {
	Table
	Programs   Texts  `toml:"programs" doc:"only these programs, of those that share the table"`
	Subcommand Texts  `toml:"subcommand" doc:"how the subcommand path begins, words may be globs"`
	Any        []Text `toml:"if_flags_any" doc:"holds only with one of these options, each optionally option=glob"`
	All        []Text `toml:"if_flags_all" doc:"holds only with all of these options"`
	Unless     []Text `toml:"unless_flags" doc:"does not hold with any of these options"`
	Operands   []Text `toml:"operands" doc:"the operands' kinds, as in rules; absent: any"`
	Args       []Text `toml:"if_args_contain" doc:"globs, one of which an operand must match"`
	Effects    []Text `toml:"effects" doc:"what it does" words:"effect"`
	Reach      Text   `toml:"reach" doc:"how far it reaches at least" words:"reach"`
	Ends       Text   `toml:"ends" doc:"whose end it brings about, so that nothing endless is left of it" words:"ends"`
	Corruption int    `toml:"corruption" doc:"how untrusted what it shows is, from 1 to 3"`
	Secret     int    `toml:"secret" doc:"how secret what it shows is, from 1 to 3"`
	Walks      Text   `toml:"walks" doc:"which files below a directory it reads, or finds for others: a session that runs it has seen the secret ones among them" words:"walks"`
	Shows      Text   `toml:"shows" doc:"what of the files that it reads it shows" words:"shows"`
	Talks      Text   `toml:"talks" doc:"to which machines: with named, where all are this one, it does not reach the network" words:"talks"`
	Alters     bool   `toml:"alters" doc:"it changes files that its words don't name: a session that runs it may have changed any below its directory"`
	Files      []Text `toml:"unless_files" doc:"with talks: files that the program obeys, ~/... or absolute; where one is there, it may talk to others"`
	Reason     Text   `toml:"reason" doc:"what it shows, for the person who is told"`
	Examples   []Text `toml:"examples" doc:"commands for which it holds"`
	Not        []Text `toml:"not" doc:"commands for which it does not hold"`
}

// Options is one table of options. Every key that is not a field is a kind.
type Options struct {
	Table
	Subcommand Texts  `toml:"subcommand" doc:"the subcommands whose options these are; absent: the program's own"`
	Set        Text   `toml:"set" doc:"a name for these options instead of a place, for others to use"`
	Use        []Text `toml:"use" doc:"names of sets whose options belong here too"`
	Style      Text   `toml:"style" doc:"how options are spelled" words:"style"`
	Traits     []Text `toml:"traits" doc:"refinements of the style" words:"trait"`
	Dashes     Text   `toml:"dashes" doc:"what -- means behind these subcommands; absent: what the program says" words:"dashes"`
	Until      []Text `toml:"until" doc:"words that end the command of an option of kind command"`
	Operands   []Text `toml:"operands" doc:"the kinds of the operands here, whatever rule holds: [\"read+\", \"write\"]; the level above says it where this is absent"`
	Multi      []Many `toml:"multi" doc:"options with several values: {\"--arg\" = [\"data\", \"data\"]}"`
	Kinds      []Entries
}

// Entries is the list of one kind.
type Entries struct {
	Kind    string // "read", "code.sed"
	At      Span
	Entries []Text
}

// Many is one option with several values.
type Many struct {
	Spellings Text
	Values    []Text
}

// Runs says how a program starts others.
type Runs struct {
	Table
	Where   Text   `toml:"where" doc:"on which machine they run" words:"where"`
	Adds    Text   `toml:"adds" doc:"what it appends to the command" words:"adds"`
	Exact   []Text `toml:"exact" doc:"options with which it appends nothing"`
	Places  []Text `toml:"places" doc:"placeholders that it replaces: {}, or an option whose value is one: -I"`
	Stdin   Text   `toml:"stdin" doc:"what its input is when no operand says what it runs, and no option of instead: script, code.LANG"`
	Instead []Text `toml:"instead" doc:"options whose value it runs in place of its input; what others run is run before that"`
}

// Rule is one allow, ask or block.
type Rule struct {
	Table
	ID           Text   `toml:"id" doc:"a stable name, program.what; an allow's is derived when absent" on:"allow ask block"`
	Reason       Text   `toml:"reason" doc:"why, for the person who is asked: a capital letter, no full stop"`
	Subcommand   Texts  `toml:"subcommand" doc:"the subcommand path, words may be globs; an allow needs all of it, ask and block match it as a prefix"`
	Prefix       Texts  `toml:"subcommand_prefix" doc:"how the subcommand begins"`
	ActionPrefix Texts  `toml:"action_prefix" doc:"how the word after the subcommand begins"`
	Any          []Text `toml:"if_flags_any" doc:"holds only with one of these options, each optionally option=glob"`
	All          []Text `toml:"if_flags_all" doc:"holds only with all of these options"`
	Unless       []Text `toml:"unless_flags" doc:"does not hold with any of these options"`
	Only         []Text `toml:"only_flags" doc:"no other option may be there; names options of kind acts to admit them; @set inserts a set; option=<kind> gives its value a kind" on:"allow"`
	AnyFlags     Text   `toml:"any_flags" doc:"why options that the grammar does not know do no harm; outside of the built-in files also those of kind acts" on:"allow"`
	Operands     []Text `toml:"operands" doc:"the operands' kinds, each optionally followed by ?, * or + and =glob|glob, and by what is meant where none stands there: \"read* or .\"; absent: none on an allow, any on ask and block"`
	Args         []Text `toml:"if_args_contain" doc:"globs, one of which an operand must match; @place matches a path of paths.toml, @outside one that is not surely in the workspace, @workspace the workspace as a whole, @file one that is there, @program the name of a program that a rule knows"`
	Remote       Texts  `toml:"remote" doc:"globs over the name of the remote that it sends to (git push)"`
	Branch       Texts  `toml:"branch" doc:"globs over the branches that it changes: those of the remote (git push), or the one that is checked out here (commit, merge, rebase, cherry-pick, revert, am, pull, reset); all of them, and nothing but branches, for an allow, one of them for ask and block"`
	Workspace    Texts  `toml:"workspace" doc:"globs over directories, ~/... or absolute: holds only where the agent works in one of them"`
	Wrappers     []Text `toml:"wrappers" doc:"globs over the programs that may run it, as sudo, timeout or npm do; absent: any, empty: none" on:"allow"`
	Unfed        bool   `toml:"unfed" doc:"holds only where the line gives it no input: no pipe, no file, no text" on:"allow"`
	Fed          bool   `toml:"fed" doc:"holds only where the line gives it an input: what comes from whoever is there is not known" on:"allow"`
	Directory    Texts  `toml:"directory" doc:"globs over directories, ~/... or absolute: holds only where it surely runs in one of them, links followed" on:"allow"`
	Directories  Text   `toml:"directories" doc:"which files called like the program it is about" on:"block" words:"directories"`
	Otherwise    bool   `toml:"otherwise" doc:"holds only if no other rule of the program does" on:"ask"`
	Effects      []Text `toml:"effects" doc:"what it does, beside what the kinds say" words:"effect"`
	Reach        Text   `toml:"reach" doc:"what it can touch; the default is the program's" words:"reach"`
	AcceptEdits  bool   `toml:"accept_edits" doc:"allowed where edits are accepted, if every path it writes is inside the workspace" on:"allow ask"`
	Irreversible bool   `toml:"irreversible" doc:"what it does can't be undone: settings that come with a clone can't lift it" on:"ask block"`
	SecretIf     []Text `toml:"secret_if" doc:"its secrets stand in files of the directory: a session has seen none where one of the files is there and nothing of this is: options, variables, FILE=TEXT for a file that holds one of several texts a|b"`
	Forever      bool   `toml:"unrecoverable" doc:"irreversible, and it destroys for ever what nothing here can make again: auto mode blocks it" on:"ask block"`
	ByPlace      bool   `toml:"by_place" doc:"asks only because ordinary files change: where [[paths]] of a user allow that, it is allowed" on:"ask"`
	Writes       []Text `toml:"writes" doc:"paths that it writes without naming them: . for the current directory" on:"allow ask"`
	Into         Text   `toml:"into" doc:"what it puts into the directories that it writes" on:"allow" words:"into"`
	Prints       Text   `toml:"prints" doc:"what its output looks like" on:"allow" words:"prints"`
	Task         Text   `toml:"task" doc:"the runner that knows what the command stands for: that is judged too, and an ask holds only where it can't be known" on:"allow ask" words:"task"`
	Lifts        []Text `toml:"lifts" doc:"ids of asks that don't count where this holds; globs may be used" on:"allow"`
	Examples     []Text `toml:"examples" doc:"commands for which it must hold" need:"built-in"`
	Not          []Text `toml:"not" doc:"commands that the program must not allow"`
}

// PathRow is one row of paths.
type PathRow struct {
	Table
	ID         Text   `toml:"id" doc:"a stable name" need:"built-in"`
	Place      Text   `toml:"place" doc:"a name for rules: if_args_contain = [\"@place\"]"`
	Path       Texts  `toml:"path" doc:"globs: absolute, ~/..., or **/...; ! excludes; ** crosses directories" need:"yes"`
	Read       Text   `toml:"read" doc:"the answer to reading it" words:"answer"`
	Write      Text   `toml:"write" doc:"the answer to writing it" words:"answer"`
	Delete     Text   `toml:"delete" doc:"the answer to removing it" words:"answer"`
	Tree       bool   `toml:"tree" doc:"also when a program that walks directories names a parent"`
	Own        bool   `toml:"own" doc:"what the gate itself obeys or remembers: its answers hold for who removes a directory above, too, and where agents keep their notes; only in built-in files"`
	Fixed      bool   `toml:"fixed" doc:"no override makes its blocks questions; only in built-in files"`
	Effects    []Text `toml:"effects" doc:"what touching it does" words:"effect"`
	Corruption int    `toml:"corruption" doc:"how untrusted it is, from 1 to 3: a session that reads it has seen so much"`
	Secret     int    `toml:"secret" doc:"how secret it is, from 1 to 3, where effects don't say it"`
	Lifts      []Text `toml:"lifts" doc:"ids of further asks about these paths that its allow drops; globs may be used"`
	Reason     Text   `toml:"reason" doc:"why, for the person who is asked"`
}

// HostRow is one row of hosts.
type HostRow struct {
	Table
	ID       Text   `toml:"id" doc:"a stable name" need:"built-in"`
	Host     Texts  `toml:"host" doc:"globs over names and addresses, with the path behind them where they hold a slash: github.com/acme/*; ! excludes" need:"yes"`
	Decision Text   `toml:"decision" doc:"the answer to talking to it" words:"answer"`
	Trusted  bool   `toml:"trusted" doc:"what is read from it does not count as untrusted"`
	Known    bool   `toml:"known" doc:"a forge or a registry that everybody works with: a session that has read untrusted content may talk to it as before"`
	Local    bool   `toml:"local" doc:"it is this machine: a command that talks to it alone reaches nothing else"`
	NotPorts []Text `toml:"not_ports" doc:"ports of services that lifts and local are not about"`
	Lifts    []Text `toml:"lifts" doc:"ids of asks that its allow drops where a command talks to these machines alone; globs may be used"`
	Effects  []Text `toml:"effects" doc:"what talking to it does" words:"effect"`
	Reason   Text   `toml:"reason" doc:"why, for the person who is asked"`
}

// EnvRow is one row of env.
type EnvRow struct {
	Table
	Name    Texts  `toml:"name" doc:"globs over names, each optionally NAME=glob|glob for some values only; a glob that begins with ./ means paths of the workspace, separated by colons" need:"yes"`
	Set     Text   `toml:"set" doc:"the answer to setting it" words:"answer"`
	Unset   Text   `toml:"unset" doc:"the answer to taking it away: by unset, by declaring it without a value, by no longer exporting it" words:"answer"`
	Others  Text   `toml:"otherwise" doc:"beside set = \"allow\": the answer to any other value of these variables; steers, effects and reason are about that" words:"strict"`
	Steers  []Text `toml:"steers" doc:"the programs that read it, where all others ignore it"`
	Read    Text   `toml:"read" doc:"the answer to putting its value into a command's words" words:"answer"`
	Untold  []Text `toml:"untold" doc:"the programs that tell nobody the value in their words: test"`
	Project bool   `toml:"project" doc:"set = \"allow\" is for commands that run code of the project, where no other row speaks and the value is one plain word; names may be excluded with !"`
	Writes  bool   `toml:"writes" doc:"beside project: their values are places that are written, so that one which is there, or where files matter by their names, is asked about"`
	Effects []Text `toml:"effects" doc:"what setting it does" words:"effect"`
	Reason  Text   `toml:"reason" doc:"why, for the person who is asked"`
}

// Override is one row of override.
type Override struct {
	Table
	IDs      []Text `toml:"ids" doc:"ids of blocks, which ask instead; globs may be used" need:"yes"`
	Programs []Text `toml:"programs" doc:"only for these programs"`
	Reason   Text   `toml:"reason" doc:"why that is right here, for whoever reads it later" need:"yes"`
}

// PipeRow is one row of pipes.
type PipeRow struct {
	Table
	ID       Text     `toml:"id" doc:"a stable name" need:"yes"`
	From     *PipeEnd `toml:"from" doc:"the command that writes"`
	To       *PipeEnd `toml:"to" doc:"the command that reads"`
	Decision Text     `toml:"decision" doc:"the answer" words:"answer" need:"yes"`
	Effects  []Text   `toml:"effects" doc:"what it does" words:"effect"`
	Reason   Text     `toml:"reason" doc:"why, for the person who is asked"`
	Examples []Text   `toml:"examples" doc:"commands for which it must hold" need:"built-in"`
	Not      []Text   `toml:"not" doc:"commands that must not be allowed"`
}

// PipeEnd is one end of a pipe.
type PipeEnd struct {
	Table
	Programs Texts  `toml:"programs" doc:"globs over names"`
	Effects  []Text `toml:"effects" doc:"it has one of these" words:"effect"`
	Stdin    Text   `toml:"stdin" doc:"what its input means: script, code"`
}

// ToolRow is one row of tools.
type ToolRow struct {
	Table
	ID         Text   `toml:"id" doc:"a stable name" need:"yes"`
	Name       Texts  `toml:"name" doc:"globs over the tool's name; ! excludes"`
	Server     Texts  `toml:"server" doc:"instead of name: globs over an MCP server's name, the middle of mcp__NAME__tool, in any case; ! excludes"`
	Tool       Texts  `toml:"tool" doc:"with server: globs over the names of its tools, in any case; ! excludes; absent: all of them"`
	Args       []Pair `toml:"args" doc:"kinds of its arguments, which are judged as the operands of commands: {file_path = \"read\"}; behind a kind, ? says that it may be missing"`
	Unknown    bool   `toml:"unknown" doc:"it is about arguments that no other row of the tool names, however their words are joined; name is then globs over the words of the tool's own name, in lower case: _read_file_; what the row says holds where such an argument is given"`
	Own        Texts  `toml:"own" doc:"globs over places where the agent keeps its own notes: writing there is no business of the built-in rows; ! excludes"`
	Decision   Text   `toml:"decision" doc:"the answer; absent: the agent's own" words:"answer"`
	Effects    []Text `toml:"effects" doc:"what it does" words:"effect"`
	Reach      Text   `toml:"reach" doc:"what it can touch" words:"reach"`
	Corruption int    `toml:"corruption" doc:"how untrusted what it returns is, from 1 to 3"`
	Secret     int    `toml:"secret" doc:"how secret what it returns is, from 1 to 3"`
	Walks      Text   `toml:"walks" doc:"of which files below the directories of its arguments it shows what they hold" words:"walks"`
	WalksWith  Texts  `toml:"walks_with" doc:"name=glob: only with one of these arguments"`
	Sink       bool   `toml:"public_sink" doc:"it can send data away: asks in a session that has seen secrets and untrusted content"`
	Dangerous  bool   `toml:"dangerous_writes" doc:"what it changes can't be undone, or others see it: asks in a session that has seen untrusted content"`
	Reason     Text   `toml:"reason" doc:"why, for the person who is asked"`
}

// ServerRow is one row of servers.
type ServerRow struct {
	Table
	Name            Texts `toml:"name" doc:"globs over the server's name, the middle of mcp__NAME__tool, in any case; ! excludes" need:"yes"`
	PublicSource    bool  `toml:"public_source" doc:"what it returns was written by strangers"`
	SecretData      bool  `toml:"secret_data" doc:"what it returns is confidential"`
	PublicSink      bool  `toml:"public_sink" doc:"it can send data away"`
	DangerousWrites bool  `toml:"dangerous_writes" doc:"what it changes can't be undone, or others see it"`
}

// SourceRow is one row of sources.
type SourceRow struct {
	Table
	Rules      Texts `toml:"rules" doc:"globs over the ids of the rules that hold for a command" need:"yes"`
	Corruption int   `toml:"corruption" doc:"how untrusted what it brings from the network is, from 0 to 3; 2 where no row says so" need:"yes"`
}

// ShellRow is one row of shells.
type ShellRow struct {
	Table
	Agent   Text  `toml:"agent" doc:"the agent whose own shell it is, by the name that --host takes; absent: any tool that is called so"`
	Name    Texts `toml:"name" doc:"globs over the tool's name; ! excludes" need:"yes"`
	Command Texts `toml:"command" doc:"the arguments that hold the command: a text, or a list of its words"`
	Lines   Texts `toml:"lines" doc:"the arguments that hold a list of commands"`
	Code    Texts `toml:"code" doc:"the arguments that hold a program of some language, which may be the shell's: only what is blocked counts"`
	Words   Texts `toml:"words" doc:"the arguments that hold further words of it"`
	Dir     Texts `toml:"dir" doc:"the arguments that say where it runs"`
	Other   Text  `toml:"other" doc:"the language, if it is no shell's that is understood: the tool is asked about"`
	Typed   bool  `toml:"typed" doc:"it types into a program that runs: an answer to a prompt is no command"`
}

// Pair is one key and its word.
type Pair struct {
	Key  string
	At   Span
	Word Text
}

// Profile is a way of working.
type Profile struct {
	Table
	Extends       Text   `toml:"extends" doc:"the profile whose settings hold where this one says nothing"`
	Base          Text   `toml:"base" doc:"what the built-in files count for" words:"base"`
	Unlisted      Text   `toml:"unlisted" doc:"the answer to a program that no rule knows" words:"answer"`
	NotUnderstood Text   `toml:"not_understood" doc:"the answer to a line that can't be read" words:"strict"`
	StillAsks     Text   `toml:"still_asks" doc:"what becomes of everything that would still be asked" words:"strict"`
	OutsideRead   Text   `toml:"outside_read" doc:"the answer to a path outside the workspace" words:"answer"`
	OutsideWrite  Text   `toml:"outside_write" doc:"the answer to writing outside the workspace" words:"answer"`
	Effects       []Pair `toml:"effects" doc:"answers to whatever has an effect: {secret = \"block\"}" words:"strict"`
	Lifts         []Text `toml:"lifts" doc:"ids of built-in asks that don't count; globs may be used"`
	Blocks        []Text `toml:"blocks" doc:"ids of built-in asks that are blocks here, globs may be used; rules/NAME.toml means all of a file"`
	Families      []Text `toml:"families" doc:"built-in rule files whose programs are blocked here, whatever they do: os_packages"`
}

// Handler names the Go function that judges a program too.
type Handler struct {
	Table
	Program     Text `toml:"program" doc:"the program's name" need:"yes"`
	Handler     Text `toml:"handler" doc:"the function's name in package gates" need:"yes"`
	Description Text `toml:"description" doc:"what it looks at" need:"yes"`
}

// CodeRow is one row of code.
type CodeRow struct {
	Table
	Language Text   `toml:"language" doc:"the language: python" words:"language" need:"yes"`
	Module   Texts  `toml:"module" doc:"the modules whose names these are, by their full names; builtins: what is there without an import"`
	Type     Texts  `toml:"type" doc:"instead of module: the types, by their full names, \"pathlib.Path\""`
	Base     Text   `toml:"base" doc:"the type above it, which has all its members"`
	Calls    []Text `toml:"calls" doc:"functions, or methods of the objects of the type, each with what its arguments mean and what it gives: \"copy(read, write) -> str\"; names that mean the same have | between them, and of several lines for one name the first one holds that fits"`
	Static   []Text `toml:"static" doc:"functions of the type itself"`
	Values   []Text `toml:"values" doc:"values with their types: \"sep: str\""`
	Ask      Texts  `toml:"ask" doc:"names that a person decides about; * for the whole module"`
	Reason   Text   `toml:"reason" doc:"why, for the person who is asked"`
	Effects  []Text `toml:"effects" doc:"what they do" words:"effect"`
	Reach    Text   `toml:"reach" doc:"how far they reach" words:"reach"`
	Examples []Text `toml:"examples" doc:"texts that are understood, and do nothing that is asked about"`
	Not      []Text `toml:"not" doc:"texts that are asked about"`
}
