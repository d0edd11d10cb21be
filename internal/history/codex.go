package history

import (
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
)

// readCodex reads a session of Codex CLI, with 0.169.0, measured: JSON lines in
// ~/.codex/sessions/2026/11/23/rollout-TIME-ID.jsonl.
//
//	{"timestamp": "...", "type": "session_meta", "payload": {"id": "...", "cwd": "/home/u/p", ...}}
//	{"timestamp": "...", "type": "turn_context", "payload": {"cwd": "/home/u/p", "approval_policy": "never", ...}}
//	{"timestamp": "...", "type": "response_item", "payload": {"type": "function_call", "name": "exec_command", "arguments": "{\"cmd\":\"ls\"}", "call_id": "call_1"}}
//	{"timestamp": "...", "type": "response_item", "payload": {"type": "function_call_output", "call_id": "call_1", "output": "..."}}
//
// Older versions write shell with {"command": ["bash", "-lc", "ls"]}, and
// local_shell_call with an action; the oldest have no payload around the items.
func readCodex(f *file) error {
	return f.records(func(o wire.Object) {
		item := o.Get("payload")
		if item.Kind() != "object" {
			item = wire.Value{}
		}
		kind := text(item, "type")
		switch outer, _ := o.Get("type").Text(); outer {
		case "session_meta", "turn_context":
			if outer == "session_meta" {
				f.of(text(item, "id"))
			}
			f.at(text(item, "cwd"))
			return
		case "response_item":
		default:
			return
		}
		id, at := text(item, "call_id"), stamp(o.Get("timestamp"))
		switch kind {
		case "function_call":
			input, err := wire.Parse([]byte(text(item, "arguments")))
			if err != nil {
				f.skip(f.line, noRecord)
				return
			}
			f.use(id, text(item, "name"), input, at)
		case "local_shell_call":
			f.use(id, "local_shell", get(item, "action"), at)
		case "function_call_output":
			f.uses.end(f, id, codexOutcome(item))
		}
	}, `"session_meta"`, `"turn_context"`, `_call`)
}

// codexOutcome reads the words for the model: Codex has no others.
func codexOutcome(item wire.Value) Outcome {
	said := shown(get(item, "output"))
	if strings.HasPrefix(said, "{") { // {"output": "...", "metadata": {"exit_code": 0}}
		if inner, err := wire.Parse([]byte(said)); err == nil {
			said = text(inner, "output")
		}
	}
	switch {
	case says(said, "Command blocked by ", "exec command rejected", "rejected by user", "aborted by user", "patch rejected"), says(said, "exec_command failed") && mentions(said, "Rejected(", "rejected"):
		return Refused
	}
	return Ran
}
