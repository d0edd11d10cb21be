package host

import (
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/wire"
)

// given reads what a tool other than the shell is given: arguments that are
// texts or lists of texts, and the names of those that are neither.
func given(t *engine.Tool, v wire.Value) {
	input, err := v.Object()
	if err != nil {
		t.Unread = v.Kind() != "nothing"
		return
	}
	members(t, input)
}

func members(t *engine.Tool, input wire.Object) {
	for _, m := range input {
		switch m.Value.Kind() {
		case "null":
			continue
		case "string":
			text, _ := m.Value.Text()
			t.Args = append(t.Args, engine.ToolArg{Name: m.Key, Value: text})
			continue
		}
		list, err := m.Value.Texts()
		if err != nil {
			t.Others = append(t.Others, m.Key)
			inner(t, m.Key, m.Value)
			continue
		}
		for _, text := range list {
			t.Args = append(t.Args, engine.ToolArg{Name: m.Key, Value: text})
		}
	}
}

// inner reads the texts in an argument that is neither a text nor a list of
// texts. Those of a list have the argument's name.
func inner(t *engine.Tool, name string, v wire.Value) {
	if object, err := v.Object(); err == nil {
		var in engine.Tool
		members(&in, object)
		t.Inner = append(t.Inner, in)
		return
	}
	list, err := v.Values()
	if err != nil {
		return
	}
	for _, element := range list {
		switch element.Kind() {
		case "string":
			text, _ := element.Text()
			t.Inner = append(t.Inner, engine.Tool{Args: []engine.ToolArg{{Name: name, Value: text}}})
		default:
			if texts, err := element.Texts(); err == nil {
				var in engine.Tool
				for _, text := range texts {
					in.Args = append(in.Args, engine.ToolArg{Name: name, Value: text})
				}
				t.Inner = append(t.Inner, in)
			} else {
				inner(t, name, element)
			}
		}
	}
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
