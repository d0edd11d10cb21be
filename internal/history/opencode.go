package history

import (
	"path/filepath"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/wire"
)

// readOpencode reads sessions of opencode. Up to 1.1 it keeps a file for each part
// of a message, ~/.local/share/opencode/storage/part/MESSAGE/PART.json, and the
// directory in that of the message, ../../message/SESSION/MESSAGE.json:
//
//	{"id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1", "type": "tool", "callID": "...", "tool": "bash",
//	 "state": {"status": "completed", "input": {"command": "ls"}, "time": {"start": 1795469874863, ...}, ...}}
func readOpencode(f *file) error {
	text, err := disk.OS{}.ReadFile(f.source.Path, maxRecord)
	if err != nil {
		return err
	}
	f.line = 1
	f.record(text, func(o wire.Object) {
		session, _ := o.Get("sessionID").Text()
		message, _ := o.Get("messageID").Text()
		f.of(session)
		if filepath.IsLocal(session) && filepath.IsLocal(message) {
			storage := filepath.Dir(filepath.Dir(filepath.Dir(f.source.Path)))
			f.at(messageDir(filepath.Join(storage, "message", session, message+".json")))
		}
		callID, _ := o.Get("callID").Text()
		f.opencode(callID, o)
	})
	return nil
}

// messageDir is the directory that a message's file tells; "" if it does not.
func messageDir(path string) string {
	data, err := disk.OS{}.ReadFile(path, maxRecord)
	if err != nil {
		return ""
	}
	v, err := wire.Parse(data)
	if err != nil {
		return ""
	}
	return text(v, "path", "cwd")
}

// opencode reads a part of a message.
func (f *file) opencode(id string, part wire.Object) {
	if kind, _ := part.Get("type").Text(); kind != "tool" {
		return
	}
	tool, _ := part.Get("tool").Text()
	state := part.Get("state")
	f.use(id, tool, get(state, "input"), stamp(get(state, "time", "start")))
	f.uses.end(f, id, opencodeOutcome(state))
}

func opencodeOutcome(state wire.Value) Outcome {
	switch text(state, "status") {
	case "completed":
		return Ran
	case "error":
		if said := text(state, "error"); says(said, "bashgate: ", "The user rejected permission", "The user has specified a rule") || mentions(said, "rejected permission") {
			return Refused
		}
	}
	return Unknown
}
