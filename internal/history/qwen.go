package history

import (
	"strings"

	"github.com/bashgate/bashgate/internal/wire"
)

// readQwen reads a session of Qwen Code, with 0.24.4, measured: JSON lines in
// ~/.qwen/projects/-home-u-p/chats/ID.jsonl. Older versions write Gemini CLI's
// documents.
//
//	{"type": "assistant", "timestamp": "...", "cwd": "/home/u/p", "sessionId": "...",
//	 "message": {"role": "model", "parts": [{"functionCall": {"id": "call_1", "name": "run_shell_command", "args": {"command": "ls"}}}]}}
//	{"type": "tool_result", "message": {"parts": [{"functionResponse": {"id": "call_1", ...}}]},
//	 "toolCallResult": {"callId": "call_1", "status": "error", "errorType": "execution_denied", "executionStatus": "not_started"}}
func readQwen(f *file) error {
	if strings.HasSuffix(f.source.Path, ".json") {
		return readGemini(f)
	}
	return f.records(func(o wire.Object) {
		if session, err := o.Get("sessionId").Text(); err == nil {
			f.of(session)
		}
		if cwd, err := o.Get("cwd").Text(); err == nil {
			f.at(cwd)
		}
		switch kind, _ := o.Get("type").Text(); kind {
		case "assistant":
			for _, part := range list(o.Get("message"), "parts") {
				if call := get(part, "functionCall"); call.Kind() == "object" {
					f.use(text(call, "id"), text(call, "name"), get(call, "args"), stamp(o.Get("timestamp")))
				}
			}
		case "tool_result":
			result := o.Get("toolCallResult")
			f.uses.end(f, text(result, "callId"), qwenOutcome(result))
		}
	}, `"functionCall"`, `"toolCallResult"`)
}

func qwenOutcome(result wire.Value) Outcome {
	switch text(result, "executionStatus") {
	case "not_started":
		return Refused
	case "success", "error":
		return Ran
	}
	switch status, why := text(result, "status"), text(result, "errorType"); {
	case status == "success", why == "shell_execute_error":
		return Ran
	case why == "execution_denied":
		return Refused
	}
	return Unknown
}
