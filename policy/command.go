package policy

import "strings"

// Pos is a place in the text that was judged. The zero value means that the
// place is not known.
type Pos struct {
	Line, Col int // counted from 1; columns in bytes
}

// Command is one simple command that the shell would run.
//
//	cd web && FOO=1 git log >out   {Words: [git log], Assigns: [FOO=1], Redirects: [>out], Dirs: [WS/web]}
//
// A command without Words only assigns or redirects.
type Command struct {
	Words     []Word
	Assigns   []Assign   // before the program, or a bare assignment
	Redirects []Redirect // in source order
	Dirs      []string   // absolute directories it may run in; empty = not known
	Stdin     Input
	Stdout    Output
	Open      []Open   // the descriptors that do not lead where the host gave them
	Env       []Assign // exported earlier in the line and in force here
	Where     Where
	Uncalled  string   // the function that it stands in, where nothing in the text calls that one
	Aside     bool     // nothing waits for it: it runs in the background
	Again     bool     // it may run after what stands behind it too: in a loop, in the background
	Via       []string // the wrappers that run it, outermost first: ["sudo", "timeout"]
	Caller    *Caller  // of a command that reads a file into the shell: . x.sh
	Pos       Pos
}

// Caller is a shell as a file finds it that is read into it.
type Caller struct {
	Vars    []Assign // its variables, exported or not; those that the text has not set are not among them
	Args    []Word   // $0, $1, ...; nil: not known
	Foreign bool     // a text that is not known has run in it
}

// Where says on which machine a command's words mean something.
type Where uint8

// The places.
const (
	Here      Where = iota // this machine
	Remote                 // another machine: ssh
	Container              // a container or pod
)

// Assign is one variable given a value.
type Assign struct {
	Name     string // "" when the name itself is not known
	Value    Word   // an array's or an appended value is a hole
	Exported bool   // children see it
	Taken    bool   // the variable is taken away instead, or may be; Value means nothing then
	Obeys    bool   // of a Caller's: it may have attributes that change what is assigned to it
	Pos      Pos
}

// InputKind says where a command's standard input comes from.
type InputKind uint8

// The inputs. The zero value is what the host passes, which is nothing a
// command could take orders from.
const (
	InputHost InputKind = iota
	InputText           // known text: a here-document, a here-string, echo's constants
	InputFile           // a redirected file
	InputPipe           // another command's output
	InputHole           // text that is not known
)

// Input is a command's standard input.
type Input struct {
	Kind InputKind
	Text Word  // InputText: the text, InputFile: the path
	From []int // InputPipe: indexes into Reading.Commands of the commands that write to the pipe
}

// Output says where a command's standard output goes.
type Output uint8

// The outputs.
const (
	OutputHost     Output = iota // shown to the agent
	OutputPipe                   // into another command
	OutputCaptured               // into a word of the line: $(...)
	OutputFile                   // a redirect names the file
)

// RedirectOp is what a redirect does.
type RedirectOp uint8

// The redirects that mean something. Descriptor duplication and closing
// (2>&1, >&-) are harmless and not listed.
const (
	RedirectRead      RedirectOp = iota // < file
	RedirectWrite                       // > >| &> >& file
	RedirectAppend                      // >> &>> file
	RedirectReadWrite                   // <> file
)

// Redirect is one file opened by the shell.
type Redirect struct {
	Op   RedirectOp
	Path Word
	Pos  Pos
}

// Finding is something the reader saw that is not a command: a guard hit, a
// parse error, a limit, text it could not resolve in a place that matters.
type Finding struct {
	ID       string // "shell.guard", "shell.parse-error", "shell.limit", "shell.hole" ...
	Decision Decision
	Reason   string
	Effects  Effects
	Reach    Reach
	Source   string // the text that caused it, shortened
	Uncalled string // as in Command
	Pos      Pos
}

// Program returns the name as the line has it, and whether it is known.
func (c *Command) Program() (string, bool) {
	if len(c.Words) == 0 {
		return "", false
	}
	return c.Words[0].Const()
}

// String returns the command re-quoted, with its assignments and redirects.
func (c *Command) String() string {
	var b strings.Builder
	most := 0 // where no word is quoted
	for i := range c.Words {
		most += c.Words[i].size() + 1
	}
	for i := range c.Redirects {
		most += c.Redirects[i].Path.size() + 3
	}
	b.Grow(most)
	sep := func() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
	}
	for _, a := range c.Assigns {
		sep()
		if a.Taken {
			b.WriteString("unset " + a.Name)
			continue
		}
		b.WriteString(a.Name + "=" + a.Value.String())
	}
	for _, w := range c.Words {
		sep()
		w.write(&b)
	}
	for _, r := range c.Redirects {
		sep()
		b.WriteString([...]string{"<", ">", ">>", "<>"}[r.Op])
		r.Path.write(&b)
	}
	return b.String()
}
