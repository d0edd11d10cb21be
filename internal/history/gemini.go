package history

import (
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/wire"
)

// readGemini reads a session of Gemini CLI, with 0.61.0, measured: JSON lines in
// ~/.gemini/tmp/NAME/chats/session-TIME-ID.jsonl, each of them the message's
// newest form. The project's directory stands in ../.project_root.
//
//	{"sessionId": "...", "projectHash": "...", "startTime": "...", "kind": "main"}
//	{"id": "...", "timestamp": "...", "type": "gemini", "toolCalls": [{"id": "...", "name": "run_shell_command",
//	 "args": {"command": "ls"}, "status": "success", "timestamp": "...", "result": [...], "resultDisplay": "a"}]}
//	{"$set": {"messages": [...], "lastUpdated": "..."}}
//
// Older versions write one document with a list of such messages, and no
// directory but its sum.
func readGemini(f *file) error {
	f.at(projectRoot(f.source.Path))
	if strings.HasSuffix(f.source.Path, ".json") {
		f.of(strings.TrimSuffix(filepath.Base(f.source.Path), ".json"))
		return f.elements(f.gemini)
	}
	return f.records(func(o wire.Object) {
		if id, err := o.Get("sessionId").Text(); err == nil {
			f.of(id)
		}
		f.gemini(o)
		for _, m := range list(o.Get("$set"), "messages") {
			if message, err := m.Object(); err == nil {
				f.gemini(message)
			}
		}
	}, `"sessionId"`, `"toolCalls"`)
}

// projectRoot is what stands in .project_root beside the directory of the chats;
// "" if it is not there.
func projectRoot(path string) string {
	text, err := disk.OS{}.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(path)), ".project_root"), 4<<10)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// gemini reads a message.
func (f *file) gemini(message wire.Object) {
	calls, err := message.Get("toolCalls").Values()
	if err != nil {
		return
	}
	for _, call := range calls {
		id, at := text(call, "id"), stamp(get(call, "timestamp"))
		if at.IsZero() {
			at = stamp(message.Get("timestamp"))
		}
		f.use(id, text(call, "name"), get(call, "args"), at)
		if outcome, over := geminiOutcome(call); over {
			f.uses.end(f, id, outcome)
		}
	}
}

// geminiOutcome reads what became of a use, and whether it is over.
func geminiOutcome(call wire.Value) (Outcome, bool) {
	said := text(call, "resultDisplay")
	for _, part := range list(call, "result") {
		said += text(part, "functionResponse", "response", "error")
	}
	switch text(call, "status") {
	case "success":
		return Ran, true
	case "error":
		if mentions(said, "Tool execution blocked", "denied by policy", "was denied", "bashgate: ") {
			return Refused, true
		}
		return Unknown, true
	case "cancelled":
		if mentions(said, "did not allow", "denied") {
			return Refused, true
		}
		return Unknown, true
	}
	return Unknown, false
}
