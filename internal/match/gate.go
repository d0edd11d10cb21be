package match

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// Gate is all that one rule file says. The compiler packs its programs and writes
// the rest as static data; the interpreter builds the same value at run time, or
// has it from Unpack.
type Gate struct {
	Name   string     // "git"
	File   string     // "rules/git.toml"
	Packed *Packed    // where its programs are; nil: in Own
	Own    []*Program // sorted by name
	Index  []Entry    // the names of Own that its commands are found by, sorted
	Copies []string   // globs over absolute paths: where a workspace has its own copies of these programs
	// Workspaces are globs over directories: the file counts only in these
	// workspaces. Nil: in all.
	Workspaces []string
	Origins    []string // globs over absolute paths, or ~/...: what such copies may be links to
	Paths      []PathRule
	Hosts      []HostRule
	Env        []EnvRule
	Pipes      []PipeRule
	Tools      []ToolRule
	Servers    []ServerRule
	Sources    []SourceRule
	Shells     []ShellRule
	Overrides  []Override // of users
	Code       string     // facts about programming languages, as code.Facts has them
	Profile    *Profile   // only in a profile's file
}

// Telling reports whether a gate says more than what programs do: about places, machines,
// variables and the like.
func (g *Gate) Telling() bool {
	return len(g.Copies)+len(g.Paths)+len(g.Hosts)+len(g.Env)+len(g.Pipes)+len(g.Tools)+len(g.Servers)+len(g.Sources)+len(g.Shells)+len(g.Overrides) > 0
}

// Entry is one name in a list of programs that is sorted by name.
type Entry struct {
	Name    string
	Program *Program
}

// Programs are the file's programs, sorted by name: for listings, and for grammar
// that other files inherit.
func (g *Gate) Programs() []*Program {
	if g.Packed != nil {
		return g.Packed.programs(g.File)
	}
	return g.Own
}

// Named lists the file's programs of a name.
func (g *Gate) Named(name string) (list []*Program) {
	if g.Packed != nil {
		return g.Packed.of(g.File, name)
	}
	for _, p := range g.Own {
		if p.Name == name || slices.Contains(p.Aliases, name) {
			list = append(list, p)
		}
	}
	return list
}

// Files lists the file's programs that are named by a path, sorted by name. They are
// not found by the names of commands: the engine knows where a path leads.
func (g *Gate) Files() (list []*Program) {
	if g.Packed != nil {
		return g.Packed.files(g.File)
	}
	for _, p := range g.Own {
		if strings.Contains(p.Name, "/") {
			list = append(list, p)
		}
	}
	return list
}

// Has reports whether the file has a program of that name.
func (g *Gate) Has(name string) bool {
	if g.Packed != nil {
		return g.Packed.has(g.File, name)
	}
	return len(g.Named(name)) > 0
}

// Find returns the file's first table for the name of a command, or nil; of a file
// of rules/*.toml, the first of all of them.
func (g *Gate) Find(name string) *Program {
	if g.Packed != nil {
		return g.Packed.Find(g.File, name)
	}
	return Find(g.Index, name)
}

// Judge judges a command by the file's programs, those of a file of rules/*.toml
// by those of all of them.
func (g *Gate) Judge(c *Call) {
	if g.Packed != nil {
		g.Packed.Judge(g.File, c)
	} else {
		c.Lookup(g.Index)
	}
}

// Lookup judges the command by the entries of its name.
func (c *Call) Lookup(entries []Entry) {
	for i := firstOf(entries, c.Name); i < len(entries) && entries[i].Name == c.Name; i++ {
		c.Judge(entries[i].Program)
	}
}

// Find returns the first table of a name, or nil.
func Find(entries []Entry, name string) *Program {
	if i := firstOf(entries, name); i < len(entries) && entries[i].Name == name {
		return entries[i].Program
	}
	return nil
}

// firstOf is the index of the first entry of a name, or of the one that would
// stand behind it.
func firstOf(entries []Entry, name string) int {
	lo, hi := 0, len(entries)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if entries[mid].Name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// PathRule is an opinion about a place of the file system.
type PathRule struct {
	ID     string
	Place  string   // a name that rules use: if_args_contain = ["@place"]; "" = none
	Globs  []string // absolute or ~/...; "!" excludes; ** crosses directories
	Read   policy.Decision
	Write  policy.Decision
	Delete policy.Decision
	// Tree says that it also holds when a program that walks directories
	// names a parent: grep -r "" ~.
	Tree bool
	// Own says that it is what the gate itself obeys or remembers: its answers
	// hold for who removes or moves a directory above, too, and where an agent
	// keeps its notes.
	Own     bool
	Fixed   bool // no override makes its blocks questions
	Effects policy.Effects
	// What a session has seen that reads it: levels from 0 to 3.
	Corruption int
	Secret     int
	// Lifts are ids (globs) of asks that its allows drop for these paths: what
	// the user's files allow.
	Lifts  []string
	Reason string
	File   string
	Line   int
}

// HostRule is an opinion about a machine on the network.
type HostRule struct {
	NotPorts []string // ports of services that the lifts are not about: "2375"; then an address must be written plainly, too
	ID       string
	Globs    []string // host names and addresses, with a path behind them where they hold a "/"; "!" excludes
	Decision policy.Decision
	Trusted  bool     // what is read from it is not untrusted content
	Known    bool     // a forge or a registry that everybody works with
	Local    bool     // it is this machine: who talks to it alone does not reach the network, its NotPorts aside
	Lifts    []string // ids (globs) of asks that an allow drops for a command that talks to these alone
	Effects  policy.Effects
	Reason   string
	File     string
	Line     int
}

// EnvRule is an opinion about setting an environment variable, or about
// putting its value into a command's words.
type EnvRule struct {
	Names   []EnvName
	Set     policy.Decision // Skip: no opinion
	Unset   policy.Decision // of taking it away; Skip: no opinion
	Steers  []string        // programs that read it, where all others ignore it; nil: any may
	Read    policy.Decision // Skip: no opinion
	Untold  []string        // programs that tell nobody the value: test
	Project bool            // an allow: for commands that run code of the project, where no other row speaks and the value is plain; a Glob of Names may begin with "!"
	Writes  bool            // beside Project: no allow; the value is a place that is written
	Lifts   []string        // ids of asks that an allow drops for these variables and values: "env.PYTHONPATH"
	Effects policy.Effects
	Reason  string
	File    string
	Line    int
}

// EnvName is a variable's name and the values that are meant.
type EnvName struct {
	Glob   string   // "LC_*"
	Values []string // globs; nil: any value
	// Places says that Values are globs over places of the workspace,
	// "./src/**": a value is meant whose elements between colons all lie there.
	Places bool
}

// Override turns blocks into questions: what a user has a reason for.
type Override struct {
	IDs      []string // of blocks; globs
	Programs []string // names; nil: any
	Reason   string
	File     string
	Line     int
}

// PipeRule is an opinion about one command's output becoming another's input.
// All of the conditions of a side that are given must hold.
type PipeRule struct {
	ID       string
	From, To PipeEnd
	Decision policy.Decision
	Effects  policy.Effects
	Reason   string
	File     string
	Line     int
}

// PipeEnd describes the command at one end of a pipe.
type PipeEnd struct {
	Programs []string       // globs over names; nil: any
	Effects  policy.Effects // it has one of them; 0: any
	Stdin    string         // "script", "code", or "" for any: what its input means
}

// ToolRule is an opinion about a host's tool other than its shell. It names
// tools as a whole, or those of MCP servers.
type ToolRule struct {
	ID       string
	Names    []string // globs over names: "mcp__*__read_*"; "!" excludes; nil: by server
	Servers  []string // globs over names of MCP servers, in lower case; "!" excludes
	Tools    []string // globs over the names of their tools, in lower case; "!" excludes; nil: all
	Args     []ToolArg
	Unknown  bool            // it is about arguments that no other row of the tool names: see Unnamed
	Own      []string        // globs over places that the agent keeps for its own notes; "!" excludes
	Decision policy.Decision // Skip: no opinion
	Effects  policy.Effects
	Reach    policy.Reach
	// What a session has seen that uses it: levels from 0 to 3.
	Corruption int
	Secret     int
	Walks      Walks
	WalksWith  []string // NAME=glob: only with one of these arguments; nil: always
	Sink       bool     // it can send data away
	Dangerous  bool     // what it changes can't be undone, or others see it
	Reason     string
	File       string
	Line       int
}

// ServerRule says what the tools of an MCP server do. Of the rows of one
// layer the first that names a server holds.
type ServerRule struct {
	Names           []string // globs; "!" excludes
	PublicSource    bool     // what it returns was written by strangers
	SecretData      bool     // what it returns is confidential
	PublicSink      bool     // it can send data away
	DangerousWrites bool     // what it changes can't be undone, or others see it
	File            string
	Line            int
}

// SourceRule says how much the content counts that commands bring from the
// network, by the rules that hold for them. The first row that names a rule
// counts; without one the level is 2.
type SourceRule struct {
	Rules      []string // globs over ids
	Corruption int      // from 0 to 3
	File       string
	Line       int
}

// ShellRule says which arguments of a tool are commands of a shell.
type ShellRule struct {
	Agent    string   // "claude": it is that agent's own shell; "": any tool that is called so
	Names    []string // globs over names of tools; "!" excludes
	Commands []string // the arguments that hold the command: a text, or a list of its words
	Lines    []string // those that hold a list of commands
	Code     []string // those that hold a program of some language, which may be the shell's: only what is blocked counts
	Words    []string // those that hold further words of it
	Dirs     []string // those that say where it runs
	Other    string   // the language, if it is none that is understood here: "PowerShell"
	Typed    bool     // it types into a program that runs: an answer to a prompt is no command
	File     string
	Line     int
}

// ToolArg gives a kind to one argument of a tool.
type ToolArg struct {
	Name     string
	Kind     Kind
	Lang     string
	Optional bool // a call without it is no other call
}

// Profile is a way of working: what holds where the programs' rules don't say.
type Profile struct {
	Name    string
	Extends string // another profile, or ""
	// GrammarOnly drops the opinions of the built-in programs' rules: only
	// how they read their words holds, and the profile's own rules.
	GrammarOnly   bool
	Unlisted      policy.Decision // a program that no rule knows; Skip: as extended
	NotUnderstood policy.Decision // a line that can't be read; Skip: as extended
	StillAsks     policy.Decision // whatever would still be asked; Skip: as extended
	OutsideRead   policy.Decision // a path outside the workspace; Skip: no opinion
	OutsideWrite  policy.Decision
	Effects       []EffectDecision
	Lifts         []string // ids (globs) of built-in asks that it drops
	Blocks        []string // ids (globs), or files, of built-in asks that it makes blocks
	Families      []string // names of built-in rule files whose programs it blocks
	File          string
	Line          int
}

// EffectDecision is an opinion about everything that has an effect.
type EffectDecision struct {
	Effect   policy.Effects // one
	Decision policy.Decision
}
