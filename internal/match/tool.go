package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// mcpPrefix begins the names of the tools of MCP servers: mcp__SERVER__TOOL.
const mcpPrefix = "mcp__"

// maxCuts is how many ways to cut a name are tried. Agents keep names short.
const maxCuts = 64

// MCPServer returns the server's part of a tool's name, in lower case, and
// reports false for a tool of no server. A server's name may hold two
// underscores, and so may a tool's: the first ones count.
func MCPServer(tool string) (string, bool) {
	rest, ok := strings.CutPrefix(tool, mcpPrefix)
	if !ok {
		return "", false
	}
	server, _, _ := strings.Cut(rest, "__")
	return strings.ToLower(server), true
}

// Is tells whether the row is about a tool. It may be where the name can be
// cut into a server's and a tool's in several ways, of which only some fit.
func (r *ToolRule) Is(tool string) policy.Tri {
	if r.Names != nil {
		return policy.Sure(AnyGlob(r.Names, tool))
	}
	rest, ok := strings.CutPrefix(tool, mcpPrefix)
	if !ok || r.Servers == nil {
		return policy.No
	}
	rest = strings.ToLower(rest)
	all, some := true, false
	for at, cuts := 0, 0; ; cuts++ {
		cut := strings.Index(rest[at:], "__")
		if cut < 0 {
			break
		}
		if cuts == maxCuts {
			all, some = false, true
			break
		}
		cut += at
		fits := r.isOf(rest[:cut], rest[cut+len("__"):])
		all, some = all && fits, some || fits
		at = cut + 1
	}
	if !strings.Contains(rest, "__") {
		some = r.isOf(rest, "") // the server as a whole
		all = some
	}
	switch {
	case !some:
		return policy.No
	case all:
		return policy.Yes
	}
	return policy.Maybe
}

func (r *ToolRule) isOf(server, tool string) bool {
	return AnyGlob(r.Servers, server) && (r.Tools == nil || AnyGlob(r.Tools, tool))
}

// Title names the tools that the row is about, for people: "Read view", "server github: * !delete_*".
func (r *ToolRule) Title() string {
	if r.Names != nil {
		return strings.Join(r.Names, " ")
	}
	servers := strings.Join(r.Servers, " ")
	if r.Tools == nil {
		return "server " + servers
	}
	return "server " + servers + ": " + strings.Join(r.Tools, " ")
}

// Judged reports whether the argument is a place or a machine, or a text that
// names some.
func (a *ToolArg) Judged() bool { return a.Kind.judged() }
