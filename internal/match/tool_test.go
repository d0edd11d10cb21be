package match

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestToolRuleIs(t *testing.T) {
	for _, row := range []struct {
		names, servers, tools []string
		tool                  string
		want                  policy.Tri
	}{
		{[]string{"Read", "mcp__*"}, nil, nil, "Read", policy.Yes},
		{[]string{"Read", "mcp__*"}, nil, nil, "mcp__a__b", policy.Yes},
		{[]string{"*", "!Read"}, nil, nil, "Read", policy.No},
		{[]string{"!Read"}, nil, nil, "Write", policy.Yes},
		{[]string{"read"}, nil, nil, "Read", policy.No},
		{nil, []string{"github"}, nil, "mcp__GitHub__Get", policy.Yes},
		{nil, []string{"github"}, nil, "mcp__github", policy.Yes},
		{nil, []string{"github"}, nil, "mcp__github2__get", policy.No},
		{nil, []string{"github"}, nil, "github__get", policy.No},
		{nil, []string{"github"}, []string{"*", "!delete_*"}, "mcp__github__get", policy.Yes},
		{nil, []string{"github"}, []string{"*", "!delete_*"}, "mcp__github__Delete_repo", policy.No},
		{nil, []string{"*", "!github"}, nil, "mcp__slack__post", policy.Yes},
		{nil, []string{"*", "!github"}, nil, "mcp__github__get", policy.No},
		{nil, []string{"a"}, nil, "mcp__a__b__c", policy.Maybe},
		{nil, []string{"a__b"}, nil, "mcp__a__b__c", policy.Maybe},
		{nil, []string{"a*"}, nil, "mcp__a__b__c", policy.Yes},
		{nil, []string{"*"}, nil, "mcp__", policy.Yes},
		{nil, []string{"*"}, nil, "mcp__a___b", policy.Yes},
		{nil, nil, nil, "mcp__a__b", policy.No},
		{nil, []string{"x"}, nil, "mcp__" + strings.Repeat("_", 1<<20), policy.Maybe}, // more ways than are tried
	} {
		r := ToolRule{Names: row.names, Servers: row.servers, Tools: row.tools}
		if got := r.Is(row.tool); got != row.want {
			t.Errorf("%s about %s: %v, want %v", r.Title(), row.tool, got, row.want)
		}
	}
}

func TestBraces(t *testing.T) {
	for _, row := range []struct{ pattern, want string }{
		{"a", "a"}, {"*.{ts,js}", "*.ts *.js"}, {"{a,b}/{c,d}", "a/c a/d b/c b/d"}, {"{a}", "{a}"}, {"{a}{b,c}", "{a}b {a}c"}, {"a{,b}", "a ab"},
		{"src/{a,{b,c}}/x", "src/a/x src/b/x src/c/x"}, {"{a{b,c}}", "{ab} {ac}"}, {"{{a,b},{c,d}{,e}}", "a b c ce d de"}, {"{a}{b", "{a}{b"},
		{"src/{" + strings.Repeat(",", maxBraces) + "}", "src/**"}, {".env" + strings.Repeat("{,}", 7), "**"}, {"a/" + strings.Repeat("{", maxBraces+1), "a/**"},
		{"{a,b", "{a,b"}, {"a,b}", "a,b}"}, {"", ""},
	} {
		list, whole := Braces(row.pattern)
		if got := strings.Join(list, " "); got != row.want || whole == strings.HasSuffix(row.want, "**") {
			t.Errorf("Braces(%q) = %q, %v, want %q", row.pattern, got, whole, row.want)
		}
	}
}
