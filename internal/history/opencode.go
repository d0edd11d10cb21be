package history

import (
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/sqlite"
	"github.com/bashgate/bashgate/internal/wire"
)

// readOpencode reads sessions of opencode. Up to 1.1 it keeps a file for each part
// of a message, ~/.local/share/opencode/storage/part/MESSAGE/PART.json, and the
// directory in that of the message, ../../message/SESSION/MESSAGE.json:
//
//	{"id": "prt_1", "sessionID": "ses_1", "messageID": "msg_1", "type": "tool", "callID": "...", "tool": "bash",
//	 "state": {"status": "completed", "input": {"command": "ls"}, "time": {"start": 1795469874863, ...}, ...}}
//
// Since 1.2 (measured with 1.18.33) the parts are rows of a database, opencode.db.
func readOpencode(f *file) error {
	if !strings.HasSuffix(f.source.Path, ".json") {
		return f.opencodeDatabase()
	}
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

// opencodeDatabase reads the parts in a database, of the columns session_id and
// data. A session's directory stands in its own table.
func (f *file) opencodeDatabase() error {
	db, err := sqlite.Open(f.source.Path, f.reader.Read)
	if err != nil {
		return err
	}
	defer db.Close()
	dirs := map[string]string{}
	long, err := db.Rows("session", []string{"id", "directory"}, func(row []sqlite.Value) {
		if len(dirs) < maxSessions {
			dirs[row[0].Text] = row[1].Text
		}
	})
	if err != nil {
		return err
	}
	more, err := db.Rows("part", []string{"session_id", "data"}, func(row []sqlite.Value) {
		f.line++
		if !strings.Contains(row[1].Text, `"tool"`) {
			return
		}
		f.record([]byte(row[1].Text), func(part wire.Object) {
			if session := row[0].Text; session != f.session {
				f.of(session)
				f.cwd, f.start = "", ""
				f.at(dirs[session])
			}
			id, _ := part.Get("callID").Text()
			f.opencode(id, part)
		})
	})
	for range long + more {
		f.skip(0, tooLong)
	}
	return err
}

// maxSessions is of how many sessions the directories are kept; of the others they
// are not known.
const maxSessions = 100_000

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
