package host

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/wire"
)

// given reads what a tool other than the shell is given: arguments that are
// texts or lists of texts, and the names of those that are neither. A text or a
// list in the place of arguments is one that is called input. It is an error if
// an object can't be read: with a key twice, or in two spellings, nobody knows
// which one the tool takes.
func given(t *engine.Tool, v wire.Value) error {
	switch v.Kind() {
	case "nothing", "null":
		return nil
	case "object":
		input, err := v.Object()
		if err != nil {
			return err
		}
		return members(t, input)
	case "string":
		text, err := v.Text()
		t.Args = append(t.Args, engine.ToolArg{Name: "input", Value: text})
		return err
	case "array":
		return inner(t, "input", v)
	}
	t.Unread = true
	return nil
}

func members(t *engine.Tool, input wire.Object) error {
	for _, m := range input {
		switch m.Value.Kind() {
		case "null":
			continue
		case "string":
			text, err := m.Value.Text()
			if err != nil {
				return err
			}
			t.Args = append(t.Args, engine.ToolArg{Name: m.Key, Value: text})
			if err := encoded(t, m.Key, text); err != nil {
				return err
			}
			continue
		}
		list, err := m.Value.Texts()
		if err != nil {
			t.Others = append(t.Others, m.Key)
			if err := inner(t, m.Key, m.Value); err != nil {
				return err
			}
			continue
		}
		for _, text := range list {
			t.Args = append(t.Args, engine.ToolArg{Name: m.Key, Value: text})
		}
	}
	return nil
}

// encoded reads the object in a text that is what another tool is given.
func encoded(t *engine.Tool, key, text string) error {
	if !slices.Contains(catalogue.ToolInput[:], key) || !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return nil
	}
	v, err := wire.Parse([]byte(text))
	if err != nil {
		return nil // it is a text as any
	}
	t.Others = append(t.Others, key)
	return inner(t, key, v)
}

// inner reads the texts in an argument that is neither a text nor a list of
// texts. Those of a list have the argument's name.
func inner(t *engine.Tool, name string, v wire.Value) error {
	switch v.Kind() {
	case "object":
		object, err := v.Object()
		if err != nil {
			return err
		}
		var in engine.Tool
		err = members(&in, object)
		t.Inner = append(t.Inner, in)
		return err
	case "array":
	default:
		return nil
	}
	list, err := v.Values()
	if err != nil {
		return err
	}
	for _, element := range list {
		var in engine.Tool
		if element.Kind() == "string" {
			text, err := element.Text()
			if err != nil {
				return err
			}
			in.Args = append(in.Args, engine.ToolArg{Name: name, Value: text})
		} else if texts, err := element.Texts(); err == nil {
			for _, text := range texts {
				in.Args = append(in.Args, engine.ToolArg{Name: name, Value: text})
			}
		} else {
			if err := inner(t, name, element); err != nil {
				return err
			}
			continue
		}
		t.Inner = append(t.Inner, in)
	}
	return nil
}

// ofServer is the name that rules have for a tool of an MCP server. Of a server
// that is not told nothing is known but that it is one.
func ofServer(server, tool string) string {
	if server == "" {
		server = "unknown"
	}
	return "mcp__" + server + "__" + tool
}

// byServer is the name that rules have for a tool whose name is joined of a
// server's and its own.
func byServer(name, joint string) string {
	server, tool, joined := strings.Cut(name, joint)
	if !joined || server == "" || tool == "" || strings.HasPrefix(name, "mcp__") {
		return name
	}
	return ofServer(server, tool)
}

// marked is the name that rules have for a tool of an agent whose names of MCP
// servers' tools show what they are: mcp_slack_post_message, slack__post_message.
// Where one underline joins them, a server's name ends with the first.
func marked(name string) string {
	if rest, is := strings.CutPrefix(name, "mcp_"); is && !strings.HasPrefix(rest, "_") {
		server, tool, _ := strings.Cut(rest, "_")
		return ofServer(server, tool)
	}
	return byServer(name, "__")
}

// unmarked is the name that rules have for a tool of an agent whose names of MCP
// servers' tools, or of those that its user adds, look like its own: a tool that
// neither the rules know nor the agent's own list, of names with blanks between
// them, counts as a server's. split takes the server's name off; false = nobody
// can tell it.
func unmarked(agent, own, name string, split func(string) (server, tool string, ok bool)) string {
	if strings.HasPrefix(name, "mcp__") || slices.Contains(strings.Fields(own), name) || known(agent, name) {
		return name
	}
	if server, tool, ok := split(name); ok && server != "" && tool != "" {
		return ofServer(server, tool)
	}
	return ofServer("", name)
}

// known reports whether the built-in rules name a tool of an agent.
func known(agent, name string) bool {
	if catalogue.ShellTool(agent, name) != nil {
		return true
	}
	for _, g := range gates.All {
		for i := range g.Tools {
			if r := &g.Tools[i]; !r.Unknown && r.Names != nil && match.AnyGlob(r.Names, name) {
				return true
			}
		}
		for i := range g.Shells {
			if r := &g.Shells[i]; r.Agent == agent && match.AnyGlob(r.Names, name) {
				return true
			}
		}
	}
	return false
}

// lastCut is strings.Cut at the last separator.
func lastCut(name, joint string) (before, after string, ok bool) {
	i := strings.LastIndex(name, joint)
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+len(joint):], true
}

// noServer is for names that tell nothing of a server.
func noServer(string) (server, tool string, ok bool) { return "", "", false }
