package export

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A tool of an MCP server is exported as allowed where no other row has a say.
func TestExportedTools(t *testing.T) {
	allow := func(servers, tools []string) match.ToolRule {
		return match.ToolRule{Servers: servers, Tools: tools, Decision: policy.Allow}
	}
	for _, row := range []struct {
		rules []match.ToolRule
		want  string
	}{
		{[]match.ToolRule{{Names: []string{"mcp__a__get", "mcp__b__*", "Read"}, Decision: policy.Allow}}, `"mcp__a__get" "mcp__b__*"`},
		{[]match.ToolRule{allow([]string{"a", "b"}, nil)}, `"mcp__a__*" "mcp__b__*"`},
		{[]match.ToolRule{allow([]string{"a"}, []string{"get_*", "x"})}, `"mcp__a__get_*" "mcp__a__x"`},
		{[]match.ToolRule{allow([]string{"a"}, []string{"*", "!delete_*"})}, ""},
		{[]match.ToolRule{allow([]string{"a*"}, []string{"get"})}, ""},
		{[]match.ToolRule{{Names: []string{"mcp__a__get"}, Decision: policy.Allow, Args: []match.ToolArg{{Name: "path", Kind: match.Read}}}}, ""},
		{[]match.ToolRule{allow([]string{"a", "b"}, nil), {Servers: []string{"a"}, Tools: []string{"delete_*"}, Decision: policy.Ask}}, `"mcp__b__*"`},
		{[]match.ToolRule{allow([]string{"a"}, []string{"get", "fetch_url"}), {Servers: []string{"*"}, Tools: []string{"*fetch*"}, Args: []match.ToolArg{{Name: "url", Kind: match.URL}}}}, `"mcp__a__get"`},
		{[]match.ToolRule{allow([]string{"a"}, []string{"get_*"}), {Names: []string{"!Read"}, Decision: policy.Block}}, ""},
	} {
		s := Source{Gates: []*match.Gate{{Tools: row.rules}}}
		if got := strings.Join(s.tools(), " "); got != row.want {
			t.Errorf("%+v: %s, want %s", row.rules, got, row.want)
		}
	}
}
