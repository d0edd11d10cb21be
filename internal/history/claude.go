package history

import (
	"github.com/bashgate/bashgate/internal/wire"
)

// readClaude reads a session of Claude Code, with 2.1.329, measured: a file of
// JSON lines for each session and each subagent,
// ~/.claude/projects/-home-u-p/ID.jsonl. Those that matter:
//
//	{"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}]},
//	 "timestamp": "2026-11-23T21:37:40.511Z", "cwd": "/home/u/p", "sessionId": "..."}
//	{"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "a", "is_error": false}]},
//	 "permissionDecision": {"decision": "accept", ...}, "toolDenialKind": "permission-rule", "permissionMode": "default"}
//
// A person's messages say the permission mode, which holds for what follows.
func readClaude(f *file) error {
	return f.records(func(o wire.Object) {
		if mode, err := o.Get("permissionMode").Text(); err == nil && mode != f.mode {
			f.mode = mode
		}
		kind, _ := o.Get("type").Text()
		if kind != "assistant" && kind != "user" {
			return
		}
		if session, err := o.Get("sessionId").Text(); err == nil {
			f.of(session)
		}
		if cwd, err := o.Get("cwd").Text(); err == nil {
			f.at(cwd)
		}
		for _, part := range list(o.Get("message"), "content") {
			switch text(part, "type") {
			case "tool_use":
				f.use(text(part, "id"), text(part, "name"), get(part, "input"), stamp(o.Get("timestamp")))
			case "tool_result":
				f.uses.end(f, text(part, "tool_use_id"), claudeOutcome(o, part))
			}
		}
	}, `"tool_use"`, `"tool_result"`, `"permissionMode"`)
}

// claudeOutcome reads what became of a use. Older versions say it in the text of
// the result alone.
func claudeOutcome(o wire.Object, part wire.Value) Outcome {
	if o.Get("toolDenialKind").Kind() == "string" || text(o.Get("permissionDecision"), "decision") == "reject" {
		return Refused
	}
	if yes(get(part, "is_error")) {
		said := shown(get(part, "content"))
		switch {
		case says(said, "The user doesn't want to", "[Request interrupted by user for tool use]", "Permission to use ", "Claude requested permissions to ", "This command requires approval", "PreToolUse:", "<tool_use_error>"),
			mentions(said, " hook error: ", " hook blocking error", "operation blocked by hook"):
			return Refused
		}
	}
	return Ran
}
