package history

import (
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/policy"
)

// The reasons for leaving out lines of the decision log.
const (
	onlyNames = "the names of programs alone (audit.commands)"
	cutShort  = "a command that is longer than the log holds"
)

// readLog reads bashgate's own decision log. A session that its agent has kept
// itself is not read a second time from here: read the agents' files first.
func readLog(f *file) error {
	return f.lines(func(line []byte) {
		if len(line) == 0 {
			return
		}
		l, err := audit.Parse(line)
		if err != nil {
			f.skip(f.line, noRecord)
			return
		}
		id := ""
		if l.Use != "" {
			id = l.Host + " " + l.Session + " " + l.Use
		}
		switch l.Event {
		case "after_tool_use", "after_tool_failure":
			f.uses.end(f, id, Ran)
			return
		case "tool_denied":
			f.uses.end(f, id, Refused)
			return
		}
		switch {
		case l.Event != "before_tool_use" || l.Command == "":
			return
		case f.reader.sessions[l.Host+" "+l.Session]:
			return
		case l.Names:
			f.skip(f.line, onlyNames)
			return
		case l.Cut:
			f.skip(f.line, cutShort)
			return
		}
		c := Command{
			Text: l.Command, Time: l.Time.UTC(), Host: l.Host, Session: l.Session, Cwd: l.Cwd, Workspace: l.Workspace, Mode: l.Mode, Shell: l.Shell,
			Decision: decision(l.Decision), Rules: l.Rules, Masked: l.Masked,
		}
		if c.Decision == policy.Block {
			c.Outcome = Refused
			f.found(id, c)
			return
		}
		f.uses.begin(f, id, c)
	})
}

func decision(word string) policy.Decision {
	for _, d := range [...]policy.Decision{policy.Allow, policy.Ask, policy.Block} {
		if d.String() == word {
			return d
		}
	}
	return policy.Skip
}
