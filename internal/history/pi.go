package history

import (
	"github.com/bashgate/bashgate/internal/wire"
)

// readPi reads a session of pi, with 0.73.1, measured: JSON lines in
// ~/.pi/agent/sessions/--home-u-p--/TIME_ID.jsonl.
//
//	{"type": "session", "version": 3, "id": "...", "timestamp": "...", "cwd": "/home/u/p"}
//	{"type": "message", "timestamp": "...", "message": {"role": "assistant",
//	 "content": [{"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {"command": "ls"}}]}}
//	{"type": "message", "message": {"role": "toolResult", "toolCallId": "call_1", "content": [{"type": "text", "text": "a"}], "isError": false}}
func readPi(f *file) error {
	return f.records(func(o wire.Object) {
		switch kind, _ := o.Get("type").Text(); kind {
		case "session":
			id, _ := o.Get("id").Text()
			cwd, _ := o.Get("cwd").Text()
			f.of(id)
			f.at(cwd)
		case "message":
			m := o.Get("message")
			if text(m, "role") == "toolResult" {
				f.uses.end(f, text(m, "toolCallId"), piOutcome(m))
				return
			}
			for _, part := range list(m, "content") {
				if text(part, "type") == "toolCall" {
					f.use(text(part, "id"), text(part, "name"), get(part, "arguments"), stamp(o.Get("timestamp")))
				}
			}
		}
	}, `"session"`, `"toolCall"`, `"toolResult"`)
}

// piOutcome tells a command that failed from one that was not run by the words at
// the end of its output.
func piOutcome(m wire.Value) Outcome {
	said := shown(get(m, "content"))
	switch {
	case !yes(get(m, "isError")), mentions(said, "Command exited with code ", "Command timed out after ", "Command aborted"):
		return Ran
	case says(said, "bashgate: "), mentions(said, "was blocked", "blocked by"):
		return Refused
	}
	return Unknown
}
