package host

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
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
