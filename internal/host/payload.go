package host

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/wire"
)

// Input is what the agent's hook process is given.
type Input struct {
	Data   []byte // standard input, all of it
	Event  string // the event's name in the hook's arguments, for payloads that don't say it; "" = none
	Getenv func(string) string
	Dir    func() string // the process's working directory; nil: there is none

	// Ancestors are the processes above the hook's, the nearest first; nil =
	// nobody knows.
	Ancestors iter.Seq[Ancestor]
}

// dir is the process's working directory, for what does not say where it happens;
// "" where it is not known.
func (in Input) dir() string {
	if in.Dir == nil {
		return ""
	}
	return system.Slash(in.Dir())
}

// Ancestor is a process above the hook's.
type Ancestor struct {
	Args     []string    // the program's name first
	Terminal func() bool // whether its input and its output are terminals, as far as anybody knows
}

// Payload is an input that was looked at.
type Payload struct {
	Input
	Object   wire.Object
	Err      error // it is not one JSON object
	document wire.Value
}

// Parse looks at an input.
func Parse(in Input) Payload {
	p := Payload{Input: in}
	document, err := wire.Parse(in.Data)
	if err == nil {
		p.document = document
		p.Object, err = document.Object()
	}
	p.Err = err
	return p
}

// Salvage lists the texts in an input that can't be understood which may be the
// command: what agents keep it below, and what lies around that.
func Salvage(in Input) []string {
	return wire.Salvage(in.Data, "tool_input", "toolArgs", "toolInput", "tool_info", "tool_call", "toolCall", "args", "command", "commands", "command_line", "CommandLine", "cmd")
}

// keys are the names under which an agent's payload keeps things. A dot leads
// into an object, a number into an array, and alone it is the payload itself;
// between bars stand names of which the first that is there counts.
type keys struct {
	event, tool, input, cwd, workspace, session, mode, use, agent, prompt, source, transcript, promptID string
}

// claudeKeys are those of Claude Code, which many others have taken over.
var claudeKeys = keys{
	event: "hook_event_name", tool: "tool_name", input: "tool_input",
	cwd: "cwd", session: "session_id", mode: "permission_mode", use: "tool_use_id", agent: "agent_id",
	prompt: "prompt", source: "source", transcript: "transcript_path", promptID: "prompt_id",
}

// modeName says what an agent's permission mode is to the engine.
type modeName struct{ theirs, ours string }

// value returns what lies at a place, or the zero Value.
func (p Payload) value(place string) wire.Value {
	for place != "" {
		var name string
		name, place, _ = strings.Cut(place, "|")
		if name == "." {
			return p.document
		}
		if v := at(p.Object, name); v.Kind() != "nothing" {
			return v
		}
	}
	return wire.Value{}
}

func at(o wire.Object, place string) wire.Value {
	name, rest, deeper := strings.Cut(place, ".")
	v := o.Get(name)
	switch {
	case !deeper:
		return v
	case rest == "0":
		if list, err := v.Values(); err == nil && len(list) > 0 {
			return list[0]
		}
		return wire.Value{}
	}
	inner, err := v.Object()
	if err != nil {
		return wire.Value{}
	}
	return at(inner, rest)
}

// text returns a text that may be missing, or null.
func (p Payload) text(place string) (string, error) {
	v := p.value(place)
	if kind := v.Kind(); kind == "nothing" || kind == "null" {
		return "", nil
	}
	return v.Text()
}

// lacks reports whether nothing lies at any of the places.
func (p Payload) lacks(places ...string) bool {
	for _, place := range places {
		if p.has(place) {
			return false
		}
	}
	return true
}

// has reports whether something lies at a place.
func (p Payload) has(place string) bool { return p.value(place).Kind() != "nothing" }

// is reports whether a text lies at a place, and is this one.
func (p Payload) is(place, text string) bool {
	s, err := p.text(place)
	return err == nil && p.has(place) && s == text
}

// Read understands a payload. An error means that it can't be known what is
// asked; the answer to it must be at least Ask, and Block where one of
// Salvage's texts is blocked. The question says no more than the event then, if
// that is known, and what the process itself tells of the request.
func (h *Host) Read(p Payload) (Question, error) {
	q, err := h.read(p)
	if err != nil {
		q.Request.Cwd = p.dir()
	}
	return q, err
}

func (h *Host) read(p Payload) (Question, error) {
	if h.wrap != nil && p.Err == nil {
		p = h.wrap(p)
	}
	q := Question{Name: p.Event, Request: h.process(p.Input)}
	q.Request.Host = h.Name
	if p.Err != nil {
		return q, p.Err
	}
	unread := q
	name, err := h.eventName(p)
	if name != "" {
		q.Name, unread.Name = name, name
	}
	if err != nil {
		return unread, err
	}
	event := h.event(name)
	switch {
	case event != nil:
		q.Event = event.Event
		q.Request.Unattended = q.Request.Unattended || !h.Hears(name)
	case slices.Contains(h.Ignored, name):
		return Question{}, nil
	default:
		return unread, p.value(h.keys.event).Errorf("unknown event %.80q", name)
	}
	unread.Event, unread.Request.Unattended = q.Event, q.Request.Unattended
	switch q.Event {
	case BeforeToolUse, PermissionAsk, AfterToolUse, AfterToolFailure, ToolDenied:
		err = h.tool(&q, p, event.Tool)
	case PromptSubmit:
		q.Prompt, err = p.text(h.keys.prompt)
	case SessionStart, ConfigChange:
		q.Source, err = p.text(h.keys.source)
	}
	if err != nil {
		return unread, err
	}
	q.Transcript, _ = p.text(h.keys.transcript) // without them less is known
	q.PromptID, _ = p.text(h.keys.promptID)
	r := &q.Request
	for _, field := range [...]struct {
		key string
		to  *string
	}{
		{h.keys.cwd, &r.Cwd},
		{h.keys.session, &r.Session},
		{h.keys.mode, &r.Mode},
		{h.keys.use, &q.Use},
		{h.keys.agent, &q.Agent},
	} {
		if *field.to, err = p.text(field.key); err != nil {
			return unread, err
		}
	}
	for _, m := range h.modes {
		if r.Mode == m.theirs {
			r.Mode = m.ours
			break
		}
	}
	if r.Workspace == "" {
		if r.Workspace, err = p.text(h.keys.workspace); err != nil {
			return unread, err
		}
	}
	r.Cwd, r.Workspace = system.Slash(r.Cwd), system.Slash(r.Workspace)
	if r.Cwd == "" {
		if r.Cwd = r.Workspace; r.Cwd == "" {
			r.Cwd = p.dir()
		}
	}
	if r.Workspace != "" && !path.IsAbs(r.Workspace) {
		return unread, p.value(h.keys.workspace).Errorf("workspace %.80q is not an absolute path", r.Workspace)
	}
	if !path.IsAbs(r.Cwd) {
		return unread, p.value(h.keys.cwd).Errorf("cwd %.80q is not an absolute path", r.Cwd)
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	if err := h.directory(&q, p); err != nil {
		return unread, err
	}
	q.EndTold = h.endTold != nil && h.endTold(q.Tool.Name)
	if h.named != nil && !q.Shell && q.Tool.Name != "" {
		if name := h.named(q.Tool.Name); name != q.Tool.Name {
			q.Tool.Name, q.Tool.Called = name, q.Tool.Name
		}
	}
	if h.amend != nil {
		if err := h.amend(&q, p); err != nil {
			return unread, err
		}
	}
	return q, nil
}

// eventName is the event's name in the payload, or in the hook's arguments. An
// agent whose payload names it must name it.
func (h *Host) eventName(p Payload) (string, error) {
	name, err := p.text(h.keys.event)
	switch {
	case err != nil:
		return "", err
	case p.has(h.keys.event) && p.Event != "" && name != p.Event && (h.EventNamed(name) == None || h.EventNamed(name) != h.EventNamed(p.Event)):
		return name, p.value(h.keys.event).Errorf("event %.80q, and the hook was started for %.80q", name, p.Event)
	case p.has(h.keys.event):
		return name, nil
	case p.Event != "":
		return p.Event, nil
	case h.unnamed != nil:
		if name = h.unnamed(p); name != "" {
			return name, nil
		}
	}
	return "", missing(h.keys.event)
}

// tool reads which tool is used and what it is given. Of the shell all of that
// must be understood. What can't be understood of what another tool is given is
// noted.
func (h *Host) tool(q *Question, p Payload, name string) error {
	if q.Tool.Name = name; name == "" {
		if !p.has(h.keys.tool) {
			return missing(h.keys.tool)
		}
		var err error
		if q.Tool.Name, err = p.value(h.keys.tool).Text(); err != nil {
			return err
		}
	}
	rule := catalogue.ShellTool(h.Name, q.Tool.Name)
	input, err := h.input(p)
	var command wire.Value
	if rule != nil && err == nil {
		if command, err = oneOf(input, rule.Commands); err != nil {
			return err
		}
		// Beside the shell itself there are tools that run several lines, type
		// into one that runs, or listen to a machine: these are looked at as
		// others are.
		one := command.Kind() != "nothing" || q.Tool.Name == rule.Names[0] || miscased(input, rule.Commands)
		q.Shell = one && !several(input, rule)
	}
	switch {
	case rule == nil, err == nil && !q.Shell:
		err := h.given(q, p)
		if err != nil && !q.Event.Waits() { // it has run, and has shown nobody knows what
			q.Tool, err = engine.Tool{Name: q.Tool.Name, Unread: true}, nil
		}
		return err
	case h.keys.input != "" && !p.has(h.keys.input):
		return missing(h.keys.input)
	case err != nil:
		return err
	case command.Kind() == "nothing":
		return missing(rule.Commands[0])
	}
	if h.keys.input != "" {
		q.Input = h.inputValue(p).JSON()
	}
	q.Aside = slices.ContainsFunc(input, aside)
	if own, _, _ := strings.Cut(h.keys.input, "|"); own != "" && p.has(own) {
		q.Options = options(input, rule)
	} else if v := input.Get("sandbox"); v.Kind() != "nothing" { // the rest tells of the event
		q.Options = []string{"sandbox=" + string(v.JSON())}
	}
	q.Request.Command, err = command.Text()
	return err
}

// options is what a shell is given beside the command, its directory, words for
// people, times and what Aside says already.
func options(input wire.Object, rule *match.ShellRule) (list []string) {
	for _, m := range input {
		switch m.Key {
		case "description", "explanation", "justification", "timeout", "timeout_ms", "timeout_secs", "wait", "requires_approval":
			continue
		}
		if strings.Contains(asideNames, " "+match.FoldedName(m.Key)+" ") {
			continue
		}
		if !slices.Contains(rule.Commands, m.Key) && !slices.Contains(rule.Dirs, m.Key) {
			list = append(list, m.Key+"="+string(m.Value.JSON()))
		}
	}
	slices.Sort(list)
	return list
}

// asideNames are what agents call it that they don't wait for a command, without
// what joins their words.
const asideNames = " runinbackground isbackground background fireandforget detach detached "

// aside reports whether a member says that the agent does not wait for the
// command. Agents take a text or a number for true, and what can't be read may
// be one.
func aside(m wire.Member) bool {
	word, _ := m.Value.Text()
	word = strings.ToLower(strings.TrimSpace(word))
	off := false
	switch m.Value.Kind() {
	case "null":
		return false
	case "string":
		off = word == "" || strings.Contains(" false no off 0 ", " "+word+" ")
	case "number":
		off = string(m.Value.JSON()) == "0"
	case "boolean":
		on, _ := m.Value.Bool()
		off = !on
	}
	switch name := match.FoldedName(m.Key); {
	case strings.Contains(asideNames, " "+name+" "):
		return !off
	case name == "mode": // Copilot's and VS Code's, beside sync
		return word == "async" || word == "background" || word == "detached"
	default:
		return name == "wait" && off // Auggie's
	}
}

// several reports whether a shell tool is given something else than one
// command.
func several(input wire.Object, rule *match.ShellRule) bool {
	for _, m := range input {
		if slices.Contains(rule.Lines, m.Key) {
			return true
		}
	}
	return false
}

// miscased reports whether a member is called as one of the names is but for its
// case: nobody knows whether the tool reads it.
func miscased(input wire.Object, names []string) bool {
	return slices.ContainsFunc(input, func(m wire.Member) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(m.Key, name) })
	})
}

// input is what the tool is given; without a name of its own it is the payload.
func (h *Host) input(p Payload) (wire.Object, error) {
	if h.keys.input == "" {
		return p.Object, nil
	}
	return h.inputValue(p).Object()
}

// inputValue is what lies under the input's name, or what a text there holds, for
// agents that encode it twice.
func (h *Host) inputValue(p Payload) wire.Value {
	v := p.value(h.keys.input)
	if !h.encoded {
		return v
	}
	if text, err := v.Text(); err == nil {
		if inner, err := wire.Parse([]byte(text)); err == nil {
			return inner
		}
	}
	return v
}

func (h *Host) given(q *Question, p Payload) error {
	if h.keys.input == "" {
		q.Input = p.Data
		return members(&q.Tool, p.Object)
	}
	v := h.inputValue(p)
	q.Input = v.JSON()
	return given(&q.Tool, v)
}

// directory is where the shell's command runs, if what it is given says so.
func (h *Host) directory(q *Question, p Payload) error {
	rule := catalogue.ShellTool(h.Name, q.Tool.Name)
	if !q.Shell || rule == nil || h.keys.input == "" {
		return nil
	}
	input, err := h.input(p)
	if err != nil {
		return err
	}
	return h.place(q, input)
}

// place is directory for what the shell is given.
func (h *Host) place(q *Question, input wire.Object) error {
	for _, key := range catalogue.ShellTool(h.Name, q.Tool.Name).Dirs {
		v := input.Get(key)
		if v.Kind() == "nothing" || v.Kind() == "null" {
			continue
		}
		dir, err := v.Text()
		dir = system.Slash(dir)
		switch {
		case err != nil:
			return err
		case dir == "":
			continue
		case slices.Contains(strings.Split(dir, "/"), ".."): // of what, where there are links?
			return v.Errorf("directory %.80q goes up", dir)
		case path.IsAbs(dir):
			q.Request.Cwd = path.Clean(dir)
		case strings.HasPrefix(dir, "~"):
			return v.Errorf("directory %.80q may be a home", dir)
		default:
			q.Request.Cwd = path.Join(q.Request.Workspace, dir)
		}
		return nil
	}
	return nil
}

// oneOf returns the member that is there of several names. Two that differ are an
// error, for nobody knows which one counts.
func oneOf(o wire.Object, names []string) (wire.Value, error) {
	var found wire.Value
	for _, name := range names {
		v := o.Get(name)
		switch {
		case v.Kind() == "nothing":
		case found.Kind() == "nothing":
			found = v
		default:
			one, err := found.Text()
			other, bad := v.Text()
			if err != nil || bad != nil || one != other {
				return found, v.Errorf("a second command, under %.80q", name)
			}
		}
	}
	return found, nil
}

func missing(place string) error {
	first, _, _ := strings.Cut(place, "|")
	return fmt.Errorf("no %q", first)
}

// process is what every hook's process tells of where something happens.
func process(in Input) engine.Request {
	return engine.Request{Home: system.Slash(in.Getenv("HOME"))}
}

// placed is process for an agent that names the project in a variable, or of whose
// shell something is known; "" = it does not, nothing is.
func placed(in Input, project, shell string) engine.Request {
	r := process(in)
	r.Shell = shell
	if dir := system.Slash(in.Getenv(project)); path.IsAbs(dir) {
		r.Workspace = dir
	}
	return r
}
