package host

import (
	"path"
	"slices"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/system"
)

// Protocol is what programs are called that speak the neutral protocol: no agent has
// that name.
const Protocol = "runtime"

// runtime is a program that speaks bashgate's own protocol (docs/protocol.md). It
// is no agent: it has no hook, and nothing is installed in it.
//
//	{"event": "before_tool_use", "session": "...", "cwd": "/home/u/p", "tool": "shell", "input": {"command": "git push"}}
var runtime = Host{
	Name:  Protocol,
	Title: "A program",
	Events: []EventName{
		{BeforeToolUse, "before_tool_use", ""},
		{AfterToolUse, "after_tool_use", ""},
		{PromptSubmit, "prompt_submit", ""},
		{SessionStart, "session_start", ""},
		{SessionEnd, "session_end", ""},
	},
	Closed:  "all that is no answer",
	process: runtimeProcess,
	keys: keys{
		event: "event", tool: "tool", input: "input", cwd: "cwd", workspace: "workspace",
		session: "session", mode: "mode", use: "use", agent: "agent", source: "source", prompt: "prompt",
	},
	amend: amendRuntime,
}

// ReadRuntime understands an event of the neutral protocol. An error means that it
// can't be known what is asked, or by whom: the answer is a block.
func ReadRuntime(p Payload) (Question, error) { return runtime.Read(p) }

// runtimeProcess takes nothing from the process that reads the event, which is not
// the one that asks.
func runtimeProcess(in Input) engine.Request {
	r := engine.Request{Unattended: true}
	if home := system.Slash(in.Getenv("HOME")); path.IsAbs(home) {
		r.Home = home
	}
	return r
}

// sources are how a session begins.
var sources = [...]string{"startup", "clear", "resume", "compact"}

// amendRuntime reads what is known of agents, and what a program has to say of
// itself.
func amendRuntime(q *Question, p Payload) error {
	r := &q.Request
	attended, err := p.flag("attended")
	if err != nil {
		return err
	}
	r.Unattended = !attended
	shell, err := p.text("shell")
	if err != nil {
		return err
	}
	if r.Shell = ShellName(shell); r.Shell == "" && shell != "" {
		return p.value("shell").Errorf("no shell is known as %.80q", shell)
	}
	failed, err := p.flag("failed")
	if err != nil {
		return err
	}
	if failed && q.Event == AfterToolUse {
		q.Event = AfterToolFailure
	}
	if q.Event == SessionStart && !slices.Contains(sources[:], q.Source) {
		return p.value("source").Errorf("a session begins by startup, clear, resume or compact, not by %.80q", q.Source)
	}
	if q.Tool.Name == "" && (q.Event == BeforeToolUse || q.Event == AfterToolUse || q.Event == AfterToolFailure) {
		return p.value("tool").Errorf("a tool without a name")
	}
	if !q.Shell {
		return nil
	}
	input, err := p.value("input").Object()
	if err != nil {
		return err
	}
	for _, m := range input { // any other may say where the command runs, or by what
		if m.Key != "command" && m.Key != "background" {
			return m.Value.Errorf("the shell takes no %.80q", m.Key)
		}
	}
	if background := input.Get("background"); background.Kind() != "nothing" {
		_, err = background.Bool()
	}
	return err
}

// flag returns a boolean that is false where it is missing.
func (p Payload) flag(place string) (bool, error) {
	if !p.has(place) {
		return false, nil
	}
	return p.value(place).Bool()
}
