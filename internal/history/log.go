package history

import (
	"strings"

	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/wire"
)

// readLog reads bashgate's own decision log. A session that its agent has kept
// itself is not read a second time from here: read the agents' files first.
func readLog(f *file) error {
	return f.records(func(o wire.Object) {
		word := func(key string) string {
			text, _ := o.Get(key).Text()
			return text
		}
		id, command := word("host")+" "+word("session")+" "+word("use"), word("command")
		if word("use") == "" {
			id = ""
		}
		switch word("event") {
		case "after_tool_use", "after_tool_failure":
			f.uses.end(f, id, Ran)
			return
		case "tool_denied":
			f.uses.end(f, id, Refused)
			return
		case "before_tool_use":
		default:
			return
		}
		if command == "" || f.reader.sessions[word("host")+" "+word("session")] {
			return
		}
		c := Command{
			Text: command, Time: stamp(o.Get("time")), Host: word("host"), Session: word("session"), Cwd: word("cwd"), Workspace: word("workspace"),
			Mode: word("mode"), Shell: word("shell"), Decision: decision(word("decision")),
			Masked: yes(o.Get("masked")) || yes(o.Get("cut")) || strings.Contains(command, "SECRET_OF_"),
		}
		c.Rules, _ = o.Get("rules").Texts()
		if c.Decision == policy.Block {
			c.Outcome = Refused
			f.found(id, c)
			return
		}
		f.uses.begin(f, id, c)
	}, `"before_tool_use"`, `"after_tool_`, `"tool_denied"`)
}

func decision(word string) policy.Decision {
	for _, d := range [...]policy.Decision{policy.Allow, policy.Ask, policy.Block} {
		if d.String() == word {
			return d
		}
	}
	return policy.Skip
}
