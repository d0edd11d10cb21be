package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Some tools use other tools: one that takes several uses at once, as
// opencode's batch does, or one that calls servers' tools by name. Whether the
// agent asks about each of them again is not known, so that the rows about the
// tool that is named judge what it is given. They allow nothing: the tool around
// it is another one.

// maxHeld is how many uses inside of one are judged. More are asked about.
const maxHeld = 200

// toolNamed is what an object calls the tool that it is a use of.
var toolNamed = [...]string{"tool", "tool_name", "toolName", "recipient_name", "name"}

// uses judges the uses of other tools in what a tool is given.
func (j *judge) uses(use *toolUse, dirs []string) []Node {
	var nodes []Node
	use.tool.uses(func(t *Tool) bool {
		if len(nodes) == maxHeld {
			nodes = append(nodes, engineNode("shell.limit", policy.Ask, "Uses more tools at once than are followed", use.tool.Name))
			return false
		}
		n := Node{command: &policy.Command{Dirs: dirs}, Reach: policy.ReachLocal}
		inner := toolUse{tool: t, settings: use.settings}
		j.rows(&n, &inner)
		if server, ok := match.MCPServer(t.Name); ok {
			j.server(&n, server, &inner)
		}
		use.sink, use.dangerous = use.sink || inner.sink, use.dangerous || inner.dangerous
		j.decide(n.Children, context{})
		j.effects(&n)
		j.concludeTool(&n, t)
		nodes = append(nodes, n)
		return true
	})
	return nodes
}

// uses calls f for the uses of other tools in what a tool is given, until it
// returns false.
func (t *Tool) uses(f func(*Tool) bool) bool {
	if name := t.names(); name != "" && slices.ContainsFunc(t.Others, func(arg string) bool { return slices.Contains(catalogue.ToolInput[:], arg) }) {
		inner := Tool{Name: name[strings.LastIndexByte(name, '.')+1:]}
		for i := range t.Inner {
			in := &t.Inner[i]
			inner.Args = append(inner.Args, in.Args...)
			inner.Others = append(inner.Others, in.Others...)
			inner.Inner = append(inner.Inner, in.Inner...)
		}
		if !f(&inner) {
			return false
		}
	}
	for i := range t.Inner {
		if !t.Inner[i].uses(f) {
			return false
		}
	}
	return true
}

// names is the tool that an object names, or "".
func (t *Tool) names() string {
	for _, key := range toolNamed {
		if name := t.Arg(key); name != "" {
			return name
		}
	}
	return ""
}
