package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// judge judges one request at a time. What it has of one is emptied for the next one,
// which uses the memory again. It is the world of its commands (match.World).
type judge struct {
	engine *Engine
	reader shell.Reader
	buffers
	line
}

// buffers are what is of no request but its memory, or of all of them.
type buffers struct {
	packs     []*match.Gate
	profiles  []*match.Gate                      // the profile's, then those it extends
	ways      []*match.Profile                   // their settings; empty for the default profile
	placed    []placed                           // the indexes for packs and profiles; they stay for the next request
	disk      map[string]onDisk                  // what is known of paths
	targets   []target                           // what words were resolved to
	spelled   []pathForms                        // the last paths that were spelled
	forms     []string                           // their forms
	calls     []*match.Call                      // free ones
	variables map[string][]envName               // what names match variables; they stay for the next request
	above     []standsIn                         // the commands that run what is being judged, outermost first, and itself
	prints    func(*policy.Command) policy.Shape // for the reader
	venv      func(*policy.Command) bool
}

// line is the state of one request.
type line struct {
	request   *Request
	question  Request // what request leads to, mostly
	budget    shell.Budget
	long      string          // a path that was too long to be followed, or ""
	strange   string          // a path of Windows that may be another one, or ""
	shared    string          // a path of another machine, or ""
	calling   *policy.Command // the command of the call that gates are judging
	tasks     tasks
	settings  map[setting]*match.EnvRule     // what was found for variables
	wrote     writes                         // what the commands so far have written
	opened    []opened                       // files whose text was judged
	relied    []relied                       // what allows of users depend on
	moves     int                            // how many commands so far may have moved the repository's head, or changed its configuration
	touched   policy.Subjects                // what the rows were asked about
	named     []bool                         // which notes name a program of the request; nil: none
	ordered   bool                           // mixed is known of the line
	mixed     bool                           // commands may run in another order than they stand in
	unruled   bool                           // the built-in rows about places have no say
	own       ownTools                       // of the task whose text is being judged
	strolls   []stroll                       // the directories that were walked for secret files
	steps     int                            // how many names that took
	wide      bool                           // patterns may match more than by default
	patterns  map[patternRow]*match.PathRule // the strictest rows about patterns
	given     int                            // how many variables texts were given, for each of their commands
	functions map[string]bool                // which names of functions no rule knows
	traced    int                            // bytes of the paths that were followed
	looked    int                            // names that words may have been handed
	lists     map[string]dirNames            // what directories hold
	limits    int                            // how many of them end what they run, or are waited for by nobody

	permissions permissions // the agent's rules about files and machines
}

func newJudge(e *Engine) *judge {
	room := new(struct { // one piece of memory for all
		judge
		above   [4]standsIn
		targets [16]target
		spelled [4]pathForms
		forms   [4 * fewForms]string
		calls   [4]*match.Call
	})
	j := &room.judge
	j.engine = e
	j.disk, j.variables = make(map[string]onDisk), make(map[string][]envName)
	j.above, j.targets, j.spelled, j.forms, j.calls = room.above[:0], room.targets[:0], room.spelled[:0], room.forms[:0], room.calls[:0]
	j.prints, j.venv = j.shapeOf, j.activates
	return j
}

// fewPaths is how many paths most requests ask about. A map that has held more of them takes
// longer to empty than another one to make.
const fewPaths = 64

// forget empties the judge for another request. What is known of the disk is
// not kept: it may change.
func (j *judge) forget() {
	if len(j.disk) > fewPaths {
		j.disk = make(map[string]onDisk)
	}
	clear(j.disk)
	b := &j.buffers
	b.packs, b.profiles, b.ways, b.above = b.packs[:0], b.profiles[:0], b.ways[:0], b.above[:0]
	b.targets, b.spelled, b.forms = b.targets[:0], b.spelled[:0], b.forms[:0]
	j.line = line{}
}

// frame is where a text or a command stands: how deep, through which
// wrappers, on which machine.
type frame struct {
	depth int
	via   []string
	where policy.Where
	env   []policy.Assign
	stdin *policy.Input // nil: as the reader says
}

// maxDepth bounds wrappers in wrappers and texts in texts. Ordinary lines
// need three or four.
const maxDepth = 24

// maxGiven bounds the variables that wrappers give to the commands of texts, each
// to each.
const maxGiven = 1 << 16

// text judges a command text.
func (j *judge) text(in shell.Input, f frame) []Node {
	if f.depth > maxDepth {
		return []Node{engineNode("shell.limit", policy.Ask, "Nests commands too deeply to follow", in.Text)}
	}
	in.Budget = &j.budget
	if in.Started {
		in.Dirs = j.startsIn(in.Dirs)
	}
	in.Prints, in.Activates, in.Old = j.prints, j.venv, j.engine.opts.OldBash
	if f.stdin != nil {
		in.Stdin = *f.stdin
		in.Stdin.From = nil
	}
	rd := j.reader.Read(in)
	j.wide = j.wide || rd.Wide
	nodes := make([]Node, 0, len(rd.Commands)+len(rd.Findings))
	for i := range rd.Findings {
		n := findingNode(&rd.Findings[i])
		if name := rd.Findings[i].Uncalled; name != "" && j.unnamed(name) {
			n.uncalled = true
		}
		nodes = append(nodes, n)
	}
	first := len(nodes)
	room := make([]Reason, 0, len(rd.Commands)+1) // for the reasons of most commands together
	text := &readText{commands: rd.Commands, given: rd.Given}
	cut := false // what is given to further commands
	for i := range rd.Commands {
		c := &rd.Commands[i]
		if f.via != nil {
			c.Via = append(f.via[:len(f.via):len(f.via)], c.Via...)
		}
		if c.Where == policy.Here {
			c.Where = f.where
		}
		if f.env != nil {
			if j.given += len(f.env); j.given > maxGiven {
				f.env, cut = nil, true
			} else if len(c.Env) == 0 {
				c.Env = f.env[:len(f.env):len(f.env)]
			} else {
				c.Env = append(f.env[:len(f.env):len(f.env)], c.Env...)
			}
		}
		j.above = append(j.above, standsIn{text, i})
		nodes = nodes[:len(nodes)+1] // there is room for all
		n := &nodes[len(nodes)-1]
		n.Reasons = room
		j.judgeCommand(n, c, f.depth)
		if cap(n.Reasons) == cap(room) { // they stand there, and the next ones stand behind them
			n.Reasons, room = slices.Clip(n.Reasons), n.Reasons[len(n.Reasons):]
		} else {
			room = nil
		}
		j.above = j.above[:len(j.above)-1]
		if c.Uncalled != "" && j.unnamed(c.Uncalled) {
			n.uncalled = true
		}
	}
	j.pipes(rd.Commands, nodes[first:])
	if cut {
		nodes = append(nodes, engineNode("shell.limit", policy.Ask, "Gives too many variables to too many commands", in.Text))
	}
	if len(nodes) == 0 && !rd.Empty {
		nodes = append(nodes, engineNode("shell.parse-error", policy.Ask, "Holds nothing that could be read", in.Text))
	}
	return nodes
}

// unnamed reports whether no rule knows a function's name. Then a function that
// the text does not call needs no question yet: whoever calls it, now or later,
// calls an unknown command.
func (j *judge) unnamed(function string) bool {
	if unnamed, told := j.functions[function]; told {
		return unnamed
	}
	if j.functions == nil {
		j.functions = make(map[string]bool)
	}
	unnamed := j.isUnnamed(function)
	j.functions[function] = unnamed
	return unnamed
}

func (j *judge) isUnnamed(function string) bool {
	switch {
	case function == "command_not_found_handle", strings.HasPrefix(function, "TRAP"), function == "chpwd", function == "precmd",
		function == "preexec", function == "periodic", strings.HasPrefix(function, "zsh"), strings.ContainsAny(function, "/ "):
		return false // the shell calls these by itself
	}
	return !j.known(function)
}

// known reports whether a built-in rule knows a program of this name.
func (j *judge) known(name string) bool {
	calling := j.calling
	defer func() { j.calling = calling }()
	c := j.newCall(&policy.Command{Words: []policy.Word{policy.Const(name)}}, name)
	defer j.free(c)
	gates.Judge(c)
	return c.Known
}

// isProgram reports whether a word is the name of a program that a rule knows.
func (j *judge) isProgram(w policy.Word) policy.Tri {
	name, ok := w.Const()
	switch {
	case !ok:
		return policy.Maybe
	case j.known(name):
		return policy.Yes
	}
	return policy.No
}

// command judges one simple command and what it runs.
func (j *judge) command(c *policy.Command, depth int) Node {
	var n Node
	j.judgeCommand(&n, c, depth)
	return n
}

// judgeCommand is command for a node that is made already, with room for reasons.
func (j *judge) judgeCommand(n *Node, c *policy.Command, depth int) {
	if j.engine.opts.Windows {
		c = windowsDirs(c)
	}
	n.command, n.Pos, n.Reach, n.since = c, c.Pos, policy.ReachLocal, len(j.wrote.list)
	relied := len(j.relied)
	if c.Aside {
		j.limits++
		defer func() { j.limits-- }()
	}
	j.redirects(n)
	if len(c.Words) == 0 {
		j.assigns(n, nil)
		j.taints(n)
		j.rest(n)
	} else {
		first := len(n.Reasons)
		j.program(n, depth)
		j.taints(n)
		j.rest(n)
		j.agentRules(n, first)
	}
	j.counted(relied)
	n.settle()
	j.altersUnnamed(n)
}

// program judges the words of a command.
func (j *judge) program(n *Node, depth int) {
	c, first := n.command, len(n.Reasons)
	j.denied(n)
	name, ok := j.identify(c.Words[0], c.Where)
	if !ok {
		name, ok = j.copied(n)
	}
	files, sure := j.files(n)
	if !ok && !sure {
		j.unidentified(n, depth)
		j.filed(n, files)
		j.assigns(n, nil)
		j.codeAlone(n, nil)
		n.beside = BesideAll
		j.effects(n)
		return
	}
	if !ok {
		name = j.file(n, depth)
	}
	call := j.newCall(c, name)
	defer j.free(call)
	var said judged
	if ok {
		said = j.gates(call)
	}
	for i := range files {
		said.listed = files[i].judge(call) || said.listed
	}
	n.near(call)
	n.kindOf(call)
	n.called(name, call.Path)
	j.moved(call)
	n.Reach = max(n.Reach, said.reach)
	for _, handler := range call.Handlers {
		gates.Handle(handler, call)
	}
	if j.own.dirs != nil && ok {
		j.ofProject(n, name)
	}
	if !call.Known && j.ownTool(n, name) {
		n.Reach = max(n.Reach, policy.ReachUnknown)
	} else if !call.Known || !said.listed && (j.grammarOnly() || !said.ours && j.way(func(p *match.Profile) policy.Decision { return p.Unlisted }) == policy.Block) {
		j.unlisted(n, name, said)
	}
	j.assigns(n, call)
	j.environmentShown(n, call)
	j.deniedFiles(n, call)
	j.expand(n, call, depth)
	j.inOtherShell(n, name, depth)
	j.held(n, call)
	w := writing{scratch: true}
	uses := call.Uses
	if own := len(j.profiles) > 0 && j.ownGrammar(name); own {
		uses = uses[said.builtIn:]
		j.blocks(n, call, call.Uses[:said.builtIn], depth)
	}
	for i := range uses {
		j.use(n, call, &uses[i], &w, depth)
	}
	j.puts(n, call, uses)
	j.sends(n, call)
	j.filesFound(n, call)
	j.walks(n, call)
	j.included(n, call)
	n.lifts = j.lifts(n, call)
	j.behind(n, call)
	j.writes(n, call, &w, first)
	j.repositoryTrust(n, call)
	j.facts(n, call)
	j.codeAlone(n, call)
	n.besides(call)
	j.asksDaemon(n, call)
	j.runsHooks(n, call)
	j.contacts(n, call)
	j.effects(n)
	j.stays(n, call)
	if len(n.Reasons) == 0 && len(n.Children) == 0 {
		n.reason("unknown-use", policy.Ask, "No rule has an opinion of this", 0, policy.ReachUnknown)
	}
}

// identify returns the name that the rules know a program by: the word itself,
// or the last element of a path in a directory that only an administrator
// writes to, or that the user vouches for on this machine. "./ls" and "/tmp/ls"
// are not "ls".
func (j *judge) identify(w policy.Word, where policy.Where) (string, bool) {
	text, ok := w.Const()
	if !ok || text == "" {
		return "", false
	}
	if j.engine.opts.Windows {
		text = windowsProgram(text)
	}
	slash := strings.LastIndexByte(text, '/')
	if slash < 0 {
		return text, true
	}
	if !policy.SystemDir(text[:slash]) && !(j.engine.opts.Windows && gitDir(text[:slash])) {
		dir := j.expandHome(text[:slash])
		if where != policy.Here || !slices.Contains(j.request.ProgramDirs, dir) || j.rewritten(dir+text[slash:]) != nil {
			return "", false
		}
	}
	return text[slash+1:], slash+1 < len(text)
}

// unidentified judges a command whose program is a path, a pattern or a hole.
func (j *judge) unidentified(n *Node, depth int) {
	w := n.command.Words[0]
	text, ok := w.Const()
	if ok && text != "" {
		j.name(text)
		j.runs(n, w, n.command.Dirs)
	}
	j.called(n, depth)
	switch {
	case !ok && w.HasHole():
		n.reason("shell.hole", policy.Ask, "Runs a program whose name is not known: "+w.String(), 0, policy.ReachUnknown)
	case !ok:
		n.reason("shell.hole", policy.Ask, "Runs whatever program the pattern "+w.String()+" matches", 0, policy.ReachUnknown)
	case text == "":
		n.reason("unknown-command", policy.Ask, "Runs a program with an empty name", 0, policy.ReachUnknown)
	case j.scriptFile(n, depth):
	case j.ownFile(n, depth):
	default:
		n.reason("unknown-command", policy.Ask, "Runs the file "+policy.Quote(text)+", not a program known by name"+n.notOwn, policy.Executes, policy.ReachUnknown)
	}
}

// unlisted is the answer about a program that no rule in force names.
func (j *judge) unlisted(n *Node, name string, said judged) {
	switch j.way(func(p *match.Profile) policy.Decision { return p.Unlisted }) {
	case policy.Allow:
		reach := said.reach
		if !said.known {
			reach = policy.ReachUnknown
			j.pathWords(n)
		}
		n.reason("profile.unlisted", policy.Allow, "This profile lets programs pass that it does not list", 0, reach)
	case policy.Block:
		n.reason("profile.unlisted", policy.Block, "This profile does not list "+policy.Quote(name), 0, policy.ReachUnset)
	default:
		n.reason("unknown-command", policy.Ask, "No rule knows "+policy.Quote(name), 0, policy.ReachUnknown)
		n.last().Hint = "teach it: add a rule for " + policy.Quote(name) + " to a rule file of your own"
	}
}

// depending says what a rule hangs on that only may hold.
func depending(word string) string {
	if word == "" {
		return ""
	}
	return ", if " + word + " says so"
}

// held turns the rules that hold into reasons.
func (j *judge) held(n *Node, c *match.Call) {
	for i := range c.Held {
		h := &c.Held[i]
		r := h.Rule
		n.Reasons = append(n.Reasons, Reason{
			ID: r.ID, Decision: h.Decision, File: r.File, Line: int(r.Line), Pos: n.Pos,
			Effects: r.Effects, Reach: r.Reach,
			Irreversible: r.Irreversible, Unrecoverable: r.Unrecoverable && h.Sure, AcceptEdits: r.AcceptEdits && layer(h.Layer) != ofProject,
			text: match.Fill(r.Reason, j.request.PackSettings) + depending(h.If), command: n.command,
			layer: layer(h.Layer), class: aboutUse, known: h.Known, byPlace: r.ByPlace,
		})
		n.Effects |= r.Effects
		n.Reach = max(n.Reach, r.Reach)
		if r.SecretIf != nil {
			n.secrets = append(n.secrets, secretsOf{r.ID, r.SecretIf})
		}
	}
	for i := range c.Unknowns {
		u := &c.Unknowns[i]
		n.Reach = max(n.Reach, u.Reach)
		n.Effects |= u.Effects
		if u.Decision == policy.Skip {
			continue
		}
		text := "No rule covers this use of " + u.Program.Name
		if layer(u.Layer) == ofPack {
			text = "Not among what the pack " + strings.TrimSuffix(path.Base(u.Program.File), ".toml") + " lets " + u.Program.Name + " do"
		} else if c.Objection != "" {
			text += ": " + c.Objection
		}
		n.Reasons = append(n.Reasons, Reason{
			ID: "unknown-use", Decision: u.Decision, File: u.Program.File, Line: u.Program.Line, Pos: n.Pos,
			Effects: u.Effects, Reach: u.Reach, text: text, command: n.command,
			layer: layer(u.Layer), class: aboutUse,
		})
	}
}

// shapeOf is the shape of a command's output, for the reader's holes.
func (j *judge) shapeOf(c *policy.Command) policy.Shape {
	if len(c.Words) == 0 {
		return policy.ShapeAny
	}
	name, ok := j.identify(c.Words[0], c.Where)
	if !ok {
		return policy.ShapeAny
	}
	call := j.newCall(c, name)
	defer j.free(call)
	gates.Judge(call)
	shape := policy.ShapeAny
	for i := range call.Held {
		if call.Held[i].Decision != policy.Allow {
			return policy.ShapeAny
		}
		shape = max(shape, call.Held[i].Rule.Prints)
	}
	return shape
}

func (j *judge) newCall(c *policy.Command, name string) *match.Call {
	var call *match.Call
	if last := len(j.calls) - 1; last >= 0 {
		call = j.calls[last]
		j.calls = j.calls[:last]
		call.Reset()
	} else {
		call = match.NewCall()
	}
	j.calling = c
	j.name(name)
	call.Cmd, call.Name, call.World = c, name, j
	return call
}

func (j *judge) free(c *match.Call) { j.calls = append(j.calls, c) }
