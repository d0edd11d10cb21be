package match

import (
	"strings"
	"testing"
)

func TestToolRuleIs(t *testing.T) {
	for _, row := range []struct {
		names, servers, tools []string
		tool                  string
		want                  Tri
	}{
		{[]string{"Read", "mcp__*"}, nil, nil, "Read", Yes},
		{[]string{"Read", "mcp__*"}, nil, nil, "mcp__a__b", Yes},
		{[]string{"*", "!Read"}, nil, nil, "Read", No},
		{[]string{"!Read"}, nil, nil, "Write", Yes},
		{[]string{"read"}, nil, nil, "Read", No},
		{nil, []string{"github"}, nil, "mcp__GitHub__Get", Yes},
		{nil, []string{"github"}, nil, "mcp__github", Yes},
		{nil, []string{"github"}, nil, "mcp__github2__get", No},
		{nil, []string{"github"}, nil, "github__get", No},
		{nil, []string{"github"}, []string{"*", "!delete_*"}, "mcp__github__get", Yes},
		{nil, []string{"github"}, []string{"*", "!delete_*"}, "mcp__github__Delete_repo", No},
		{nil, []string{"*", "!github"}, nil, "mcp__slack__post", Yes},
		{nil, []string{"*", "!github"}, nil, "mcp__github__get", No},
		{nil, []string{"a"}, nil, "mcp__a__b__c", Maybe},
		{nil, []string{"a__b"}, nil, "mcp__a__b__c", Maybe},
		{nil, []string{"a*"}, nil, "mcp__a__b__c", Yes},
		{nil, []string{"*"}, nil, "mcp__", Yes},
		{nil, []string{"*"}, nil, "mcp__a___b", Yes},
		{nil, nil, nil, "mcp__a__b", No},
		{nil, []string{"x"}, nil, "mcp__" + strings.Repeat("_", 1<<20), Maybe}, // more ways than are tried
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
