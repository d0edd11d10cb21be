package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// aUse is a use of a tool inside of another's: its name, and the object that
// it is given.
func aUse(key, name, input string, args ...string) Tool {
	return Tool{Args: []ToolArg{{key, name}}, Others: []string{input}, Inner: []Tool{given("", args...)}}
}

// TestToolHolds: the uses of tools inside of one are judged by the rows about
// the tools that they name, and allowed by none.
func TestToolHolds(t *testing.T) {
	const mine = "[[tools]]\nid = \"mine.read\"\nname = \"read\"\nargs = { filePath = \"read\" }\ndecision = \"allow\"\n\n[[tools]]\nid = \"mine.no\"\nserver = \"pay\"\ndecision = \"block\"\nreason = \"no\"\n"
	e := New(Options{Files: new(disk.Memory), User: ownRules(t, ruleset.User, mine)})
	around := func(inner ...Tool) Tool { return Tool{Name: "batch", Others: []string{"tool_calls"}, Inner: inner} }
	call := aUse("name", "write_file", "arguments", "path=/home/u/.bashrc")
	call.Name = "mcp__proxy__call_tool"
	many := make([]Tool, maxHeld+1)
	for i := range many {
		many[i] = aUse("tool", "write", "parameters", "filePath=/w/a")
	}
	for _, row := range []struct {
		tool Tool
		want policy.Decision
		id   string
	}{
		{around(aUse("tool", "write", "parameters", "filePath=/home/u/.bashrc")), policy.Ask, "paths.shell-start"},
		{around(aUse("tool", "read", "parameters", "filePath=/home/u/.ssh/id_rsa")), policy.Ask, "paths.secret-key"},
		{around(aUse("tool", "apply_patch", "parameters", "patchText=*** Begin Patch\n*** Add File: /home/u/.config/opencode/plugin/x.js\n+x\n*** End Patch\n")), policy.Block, "own.hooks"},
		{around(aUse("tool", "bash", "parameters", "command=rm -rf /")), policy.Block, "paths.system-root"},
		{around(aUse("tool", "write", "parameters", "filePath=/w/a")), policy.Skip, ""},
		{around(aUse("tool", "read", "parameters", "filePath=/w/a")), policy.Skip, ""},
		{around(aUse("tool", "write", "parameters", "filePath=/w/a"), aUse("tool", "write", "parameters", "filePath=/etc/x")), policy.Ask, "paths.system"},
		{around(around(aUse("recipient_name", "functions.write", "parameters", "filePath=/etc/x"))), policy.Ask, "paths.system"},
		{around(aUse("tool", "mcp__pay__send", "parameters", "x=1")), policy.Block, "mine.no"},
		{around(many...), policy.Ask, "shell.limit"},
		{around(many[1:]...), policy.Skip, ""},
		{call, policy.Ask, "paths.shell-start"},
		{around(given("", "name=write", "where=/etc/x")), policy.Skip, ""}, // an object with a name, and no use of a tool
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, row.tool)
		id := ""
		if v.Decision > policy.Allow {
			id = v.Reasons[0].ID
		}
		if v.Decision != row.want || id != row.id {
			t.Errorf("%+v: %v (%s, %s), want %v (%s)", row.tool, v.Decision, id, v.Reason, row.want, row.id)
		}
	}
}

// TestToolHoldsTaint: a way out inside of another tool is a way out.
func TestToolHoldsTaint(t *testing.T) {
	e := New(Options{Files: new(disk.Memory)})
	r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Taint: Taint{Corruption: 2, Secret: 2}}
	v := e.EvaluateTool(r, Tool{Name: "batch", Others: []string{"calls"}, Inner: []Tool{aUse("tool", "webfetch", "parameters", "url=https://example.org/x")}})
	if v.Decision != policy.Ask || !v.Human {
		t.Errorf("%v (%s), human %v", v.Decision, v.Reason, v.Human)
	}
}
