package engine

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// Request is one command line to judge, with what is known of the session.
// Only Command is required.
type Request struct {
	Command    string
	Cwd        string // absolute; "" = Workspace
	Workspace  string // absolute; "" = Cwd
	Home       string // absolute; "" = not known
	Mode       string // the host's permission mode; "" is the settings' one, else "default"; an unknown one allows nothing
	Shell      string // "bash", "sh", "zsh", policy.ShellOther (its lines ask) or "" (bash or zsh)
	Host       string // "claude", ...; "" for the command line
	Session    string
	Unattended bool // nobody can be asked: an ask becomes a block

	Profile        string // "" = "default"
	Packs          []string
	PackSettings   map[string]string // what stands in the packs' reasons: {"use_instead": "my_tool"}
	DeniedCommands []string          // what never runs, in any profile: see match.Denied
	AllowedDirs    []string          // a path outside of them asks, in any profile; nil = the profile's own, if it keeps to some

	Settings       *Settings           // what the user told the agent; nil: nothing
	Getenv         func(string) string // the agent's environment; nil: it is not known
	AdditionalDirs []string            // further directories that count as the workspace (acceptEdits)
	ScratchDirs    []string            // harmless to write; ./build is one of the workspace
	ProgramDirs    []string            // absolute; programs in them are known by their names
	TrustedHosts   []string            // globs over machines, or github.com/acme/*: what is read from them is not untrusted

	// Aliases lists directories that the rules know by other names; nil: there are none.
	// It is called for each path that is judged, and not before: most lines have none.
	Aliases func() []Alias

	Taint Taint // what the session has seen; judged after the rules, not by them
}

// Alias is a directory that lies elsewhere than the rules think: what is said
// of As holds for Dir too.
type Alias struct {
	Dir string // absolute and clean, without links: "/cfg/bashgate"
	As  string // "~/.config/bashgate"
}

// aliases are those of the request.
func (r *Request) aliases() []Alias {
	if r.Aliases == nil {
		return nil
	}
	return r.Aliases()
}

// Taint is what a session has seen. The zero value is a clean session. Levels
// go from 0 (none) to 3 (seen for certain); what is too weak to count is 0
// already.
type Taint struct {
	Corruption int  // untrusted content
	Secret     int  // secrets
	Damaged    bool // the record can't be trusted: both, and no review clears it
	Untouched  bool // a record shows that no session which had seen untrusted content has changed the project: its code counts as local
}

// Verdict is the answer to a Request.
type Verdict struct {
	Decision policy.Decision // Allow, Ask or Block; never Skip
	Human    bool            // an ask that nothing but a person lifts
	Silent   bool            // the profile asks nobody: what would be a question is a block
	Reason   string          // the gravest reason of the strictest decision; "" for Allow
	Reach    policy.Reach
	Effects  policy.Effects
	Reasons  []Reason // all of them: the strictest first, of these the gravest, then by position
	Tree     []Node   // what was seen, in source order

	// What a tool other than the shell may run, and how far that reaches; nil of
	// a command line.
	Commands     []string
	CommandReach policy.Reach

	// Incomplete says that a file, a profile, a pack or a checker that should
	// count can't be used: what it would have said is not known.
	Incomplete bool
}

// Node is one simple command of the line (or a text that could not be read)
// with what was decided about it, and the commands it runs.
type Node struct {
	Decision policy.Decision // with its children's
	Reach    policy.Reach
	Effects  policy.Effects
	Reasons  []Reason // its own, without its children's
	Children []Node
	Pos      policy.Pos
	Sights   []Sight // what a session has seen once it has run
	Reads    []Place // files that it reads, and directories that it walks
	Writes   []Place // files that it creates, changes or removes
	Runs     []Place // files that it runs, which are among those that it reads
	Near     []Near  // rules of users, projects and administrators that nearly held for it

	secrets []secretsOf // rules whose secrets stand in files
	alters  []Place     // where it may change files that its words don't name
	notOwn  string      // why the file that runs is not code of the project: ": it is not there"
	source  string
	command *policy.Command
	hosts   []string      // machines that it talks to and that nobody trusts
	talks   []policy.Word // machines and addresses that it talks to
	lifts   []lift        // what drops asks about it
	rows    []askingRow   // rows about its paths that ask, the strictest of each
	once    *once         // what its long lists hold; nil: none is long
	since   int           // how many writes of the line had been seen before it
	changed int           // how many of the files that its words change no row of a user allows
	placed  *lift         // a row of a user that allows one
	named   string        // the program and the subcommand that tables name: "gh issue view"; "" = no program is known
	place   string        // the file and line that a task's text comes from; "" for other nodes
	walks   []walk        // directories that it reads all of, or whose files it finds for others
	told    int           // how untrusted what it shows is, by a fact
	found   []policy.Word // files that its output, or what it runs, may name
	listing []policy.Word // hidden files that its output names where nothing filters it
	granted *grant        // the agent's settings allow its words

	alone     policy.Reach // without its children's
	unnamed   bool         // a fact says that it changes files which its words don't name
	container bool         // it starts or asks containers
	history   bool         // git brings nothing but what the repository holds
	settled   bool         // alone is known
	opens     bool         // git runs programs that its words or its configuration name
	hooked    bool         // git runs hooks of the project, too
	daemon    bool         // it asks a service of this machine, and nothing else makes its reach what it is
	back      bool         // nothing but an acknowledgement comes back to it
	code      bool         // nothing but code of the project makes its reach what it is
	beside    Beside       // files of its directory that may change what it does
	stray     bool         // it talks, or may talk, to a machine that is not known
	raised    bool         // it, or a command around it, acts with more rights
	ownCode   bool         // it runs code that stands in a text of the project
	ownTool   bool         // the program is a tool of the project, in a text of the project
	unread    bool         // it is a shell script that can't be read
	brought   bool         // it was asked whether it brings files of any name
	trusted   bool         // it talks to a machine that is trusted
	stayed    bool         // it talks to this machine alone
	hushed    bool         // it shows nothing of what the files hold that it reads
	holed     bool         // it reads a file whose name is not all known
	fed       bool         // what it runs reads the files that its input names
	scripted  bool         // it stands in a script that its parent runs, not in its parent's words
	uncalled  bool         // it stands in a function of an unknown name that the text does not call
}

// Near is a rule that nearly held for a command.
type Near struct {
	ID   string
	File string
	Line int
	Why  string // what kept it from holding: "operand main is not one of test, lint"
}

// Command is the simple command, re-quoted, or the text that could not be read.
func (n *Node) Command() string { return commandText(n.command, n.source) }

// Place is the file and line that a text comes from which the command above
// it stands for: "package.json:12". Other nodes have none.
func (n *Node) Place() string { return n.place }

// Via lists the wrappers that run the command, outermost first.
func (n *Node) Via() []string {
	if n.command == nil {
		return nil
	}
	return n.command.Via
}

// Again reports whether the command may also run after those that stand behind
// it in its text.
func (n *Node) Again() bool { return n.command != nil && n.command.Again }

// Aside reports whether the shell does not wait for the command.
func (n *Node) Aside() bool { return n.command != nil && n.command.Aside }

// Dir is the directory it runs in, or "" where that is not known.
func (n *Node) Dir() string {
	if dirs := n.Dirs(); len(dirs) == 1 {
		return dirs[0]
	}
	return ""
}

// Dirs are the directories it may run in; none where that is not known.
func (n *Node) Dirs() []string {
	if n.command == nil {
		return nil
	}
	return n.command.Dirs
}

// Beside says which files of its directory may change what a command does though its
// words don't name them.
type Beside uint8

// Each holds those before it.
const (
	BesideTasks    Beside = iota // those in which tasks and packages are described
	BesideSettings               // those that may be settings: hidden ones, and of the formats for that
	BesideAll                    // any: it runs code, or is nothing that the tables know all of
)

// Beside is that of the command. One that is allowed without a question, and does not
// run code, has no more than BesideTasks, and so has git, whose settings are its own.
func (n *Node) Beside() Beside {
	switch {
	case n.command == nil: // a text that could not be read
		return BesideAll
	case n.beside == BesideSettings && n.Decision <= policy.Allow:
		return BesideTasks
	}
	return n.beside
}

func commandText(c *policy.Command, source string) string {
	if c == nil {
		return source
	}
	return c.String()
}

// programName is the name as a message shows it.
func programName(c *policy.Command) string {
	name, ok := c.Program()
	if !ok {
		return ""
	}
	return policy.Quote(name)
}

// Simple is the simple command as it was read, which nobody may change; nil for
// a text that could not be read.
func (n *Node) Simple() *policy.Command { return n.command }

// Words are the command's words as they were resolved; nil for a text that
// could not be read.
func (n *Node) Words() []policy.Word {
	if n.command == nil {
		return nil
	}
	return n.command.Words
}

// Redirects are the files that the shell opens for it.
func (n *Node) Redirects() []policy.Redirect {
	if n.command == nil {
		return nil
	}
	return n.command.Redirects
}

// Stdin is where its standard input comes from.
func (n *Node) Stdin() policy.Input {
	if n.command == nil {
		return policy.Input{}
	}
	return n.command.Stdin
}

// Walks are directories whose files it finds or reads all of.
func (n *Node) Walks() (roots []string) {
	for i := range n.walks {
		roots = append(roots, n.walks[i].root)
	}
	return roots
}

// Variables are those that the command is given or gives to the shell. A name that is
// not known is "".
func (n *Node) Variables() []policy.Assign {
	if n.command == nil {
		return nil
	}
	return slices.Concat(n.command.Assigns, n.command.Env)
}

// Sets names the Variables.
func (n *Node) Sets() []string {
	var names []string
	for _, a := range n.Variables() {
		names = append(names, a.Name)
	}
	return names
}
