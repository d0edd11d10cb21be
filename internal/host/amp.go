package host

import (
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// amp is Amp, as https://ampcode.com/manual/appendix tells; not measured. It
// reaches the hook in two ways. A rule of its permissions delegates to a
// program, which is given the tool's arguments and nothing else:
//
//	{"cmd": "git push", "cwd": "/home/u/p"}
//
// with AGENT_TOOL_NAME and AMP_THREAD_ID in the environment, and answers by its
// exit status: 0 allows, 1 asks, 2 and above rejects with the text on standard
// error. That is `bashgate hook amp delegate`. Nothing that goes wrong here ends
// with 1. And bashgate's plugin (https://ampcode.com/manual/plugin-api), which
// can't ask:
//
//	{"hook_event_name": "PreToolUse", "host": "amp", "cwd": "/home/u/p", "session_id": "T-...",
//	 "tool_name": "Bash", "tool_use_id": "...", "tool_input": {"cmd": "git push"}}
var amp = Host{
	Name:  "amp",
	Title: "Amp",
	Docs:  "https://ampcode.com/manual/appendix",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{BeforeToolUse, ampDelegate, ""},
		{AfterToolUse, "PostToolUse", ""},
		{AfterToolFailure, "PostToolUseFailure", ""},
		{PromptSubmit, "UserPromptSubmit", ""},
		{SessionStart, "SessionStart", ""},
		{SessionEnd, "SessionEnd", ""},
	},
	Unheard:  []string{"PreToolUse"},
	Heedless: true,
	Closed:   shimClosed,
	claims:   claimsShim,
	process:  process,
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input",
		cwd: "cwd", session: "session_id", use: "tool_use_id", prompt: "prompt", source: "source",
	},
	wrap:   wrapAmp,
	answer: answerAmp,
}

const ampDelegate = "delegate"

// wrapAmp puts what a tool is given below a key, whatever it looks like itself.
func wrapAmp(p Payload) Payload {
	if p.Event != ampDelegate {
		return p
	}
	tool := p.Getenv("AGENT_TOOL_NAME")
	if tool == "" {
		p.Err = missing("AGENT_TOOL_NAME in the environment")
		return p
	}
	in := p.Input
	data := append([]byte(`{"hook_event_name":"`+ampDelegate+`","tool_input":`), p.Data...)
	data = wire.AppendText(append(data, `,"tool_name":`...), tool)
	data = wire.AppendText(append(data, `,"session_id":`...), p.Getenv("AMP_THREAD_ID"))
	in.Data = append(data, '}')
	return Parse(in)
}

func answerAmp(q *Question, d policy.Decision, reason string) Answer {
	switch {
	case q.Name != ampDelegate:
		return answerShim(q, d, reason)
	case d == policy.Ask:
		return Answer{Stderr: []byte(reason + "\n"), Exit: 1}
	case d == policy.Block:
		return denied(reason)
	}
	return Answer{}
}
