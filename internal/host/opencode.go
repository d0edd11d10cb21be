package host

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
)

// opencode is opencode, with 1.18.33 (https://opencode.ai/docs/plugins). Its
// plugins run inside of it; bashgate's shows the hook what they are shown:
//
//	{"hook_event_name": "PreToolUse", "host": "opencode", "point": "tool.execute.before", "directory": "/home/u/p",
//	 "input": {"tool": "bash", "sessionID": "...", "callID": "..."},
//	 "output": {"args": {"command": "git push", "workdir": "web"}}}
//
// A plugin can deny, by an error, before opencode's own permissions decide. It
// can neither allow nor ask: the documented permission.ask is never called
// (measured, and github.com/anomalyco/opencode/issues/7006). Nothing limits how
// long it takes.
var opencode = Host{
	Name:    "opencode",
	Title:   "opencode",
	Docs:    "https://opencode.ai/docs/plugins",
	Events:  shimEvents,
	Asking:  Refuses,
	Closed:  shimClosed,
	claims:  claimsOpencode,
	process: opencodeProcess,
	keys:    opencodeKeys,
	named:   namedOpencode,
	answer:  answerShim,
}

// kilo is Kilo's program for the command line, a fork of opencode's with the
// same plugins, by what others tell (github.com/Kilo-Org/kilocode/issues/13837:
// there too permission.ask is never called); not measured.
var kilo = Host{
	Name:    "kilo",
	Title:   "Kilo",
	Docs:    "https://kilo.ai/docs",
	Events:  shimEvents,
	Asking:  Refuses,
	Closed:  shimClosed,
	claims:  claimsShim,
	process: opencodeProcess,
	keys:    opencodeKeys,
	named:   namedOpencode,
	answer:  answerShim,
}

// opencodeKeys: before a tool its arguments are what a plugin may change, after
// it they are what it is told.
var opencodeKeys = keys{
	event: "hook_event_name", tool: "input.tool", input: "output.args|input.args",
	cwd: "directory", session: "input.sessionID", use: "input.callID", prompt: "prompt", source: "source",
}

// claimsOpencode takes payloads that name the point in opencode, too: plugins of
// before the agent was named.
func claimsOpencode(h *Host, p Payload) bool {
	return p.is("host", h.Name) || !p.has("host") && p.has("point")
}

// opencodeProcess: the shell tool runs SHELL, but for those that are not POSIX.
func opencodeProcess(in Input) engine.Request {
	r := process(in)
	r.Shell = ShellName(in.Getenv("SHELL"))
	return r
}

// namedOpencode: servers and their tools are joined by one underline, and tools
// of plugins are called anything. A server's name ends with the first underline,
// as far as anybody can tell.
func namedOpencode(name string) string {
	const own = "todowrite todoread task skill question batch lsp invalid list ls plan_enter plan_exit plan_exit_tool" +
		" external_directory doom_loop ask_followup_question attempt_completion new_task switch_mode update_todo_list" +
		" codebase_search suggest agent_manager notify"
	return unmarked("opencode", own, name, func(name string) (string, string, bool) { return strings.Cut(name, "_") })
}
