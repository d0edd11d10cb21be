package catalogue

import (
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
)

// ShellTool returns what the rules say of an agent's own shell tool, or nil if
// the tool is none, or runs a language that is not understood.
func ShellTool(agent, tool string) *match.ShellRule {
	for _, g := range gates.All {
		for i := range g.Shells {
			if r := &g.Shells[i]; r.Agent == agent && r.Other == "" && match.AnyGlob(r.Names, tool) {
				return r
			}
		}
	}
	return nil
}

// ShellNames lists the tools of an agent that run commands, by the agent's own
// names, its shell first.
func ShellNames(agent string) (names []string) {
	for _, g := range gates.All {
		for i := range g.Shells {
			if r := &g.Shells[i]; r.Agent == agent {
				names = append(names, r.Names...)
			}
		}
	}
	return names
}

// ToolInput are the names by which an object that is a use of a tool calls what
// the tool is given.
var ToolInput = [...]string{"parameters", "params", "arguments", "args", "input", "tool_input", "toolInput"}
