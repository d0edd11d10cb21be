package host

import "github.com/bashgate/bashgate/engine"

// pi is pi, with 0.73.1 (its docs/extensions.md). Its extensions run inside of
// it; bashgate's shows the hook:
//
//	{"hook_event_name": "PreToolUse", "host": "pi", "cwd": "/home/u/p", "has_ui": true, "session_id": "...",
//	 "tool_name": "bash", "tool_use_id": "...", "tool_input": {"command": "git push"}}
//
// pi has no questions of its own: bashgate's extension asks, where somebody sees
// it, and an error in it denies. Nothing limits how long it takes.
var pi = Host{
	Name:     "pi",
	Title:    "pi",
	Docs:     "https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/extensions.md",
	Events:   shimEvents,
	Heedless: true,
	Closed:   shimClosed,
	claims:   claimsShim,
	process:  piProcess,
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input",
		cwd: "cwd", session: "session_id", use: "tool_use_id", prompt: "prompt", source: "source", transcript: "session_file",
	},
	named:  namedPi,
	amend:  amendPi,
	answer: answerShim,
}

// piProcess: the shell tool runs bash -c, whatever the user's shell is.
func piProcess(in Input) engine.Request {
	r := process(in)
	r.Shell = "bash"
	return r
}

func amendPi(q *Question, p Payload) error {
	if p.has("has_ui") {
		seen, err := p.value("has_ui").Bool()
		if err != nil {
			return err
		}
		q.Request.Unattended = q.Request.Unattended || !seen
	}
	if q.Source == "new" {
		q.Source = "startup"
	}
	return nil
}

// namedPi: tools of extensions are called anything.
func namedPi(name string) string {
	return unmarked("pi", "find ls", name, noServer)
}
