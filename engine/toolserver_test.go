package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestServerReads: in a session that has read untrusted content alone, what a
// server's tool reads by its name is no dangerous write; with secrets beside it
// is a way out as any.
func TestServerReads(t *testing.T) {
	e := New(Options{})
	for _, row := range []struct {
		use   string
		reads bool
	}{
		{"mcp__github__get_issue issue=1", true},
		{"mcp__github__get_pull_request number=1", true},
		{"mcp__github__list_issues repo=a", true},
		{"mcp__github__search_code q=x", true},
		{"mcp__claude_ai_Linear__list_issues", true},
		{"mcp__notion__search query=old+branches", true},
		{"mcp__notion__API-get-page id=1", true},
		{"mcp__slack__slack_list_channels", true},
		{"mcp__gmail__searchMessages query=from:a", true},
		{"mcp__postgres__query sql=select+1", true},
		{"mcp__postgres__list_tables", true},

		{"mcp__github__create_issue title=x", false},
		{"mcp__github__delete_repo", false},
		{"mcp__github__issue_write", false},
		{"mcp__github__get_or_create_label", false},
		{"mcp__github__search_and_replace", false},
		{"mcp__github__getAndDelete", false},
		{"mcp__github__delete__get_x", false},
		{"mcp__github__mark_read", false},
		{"mcp__github__toggle_read", false},
		{"mcp__github__target_x", false},
		{"mcp__github", false},
		{"mcp__slack__slack_post_message text=x", false},
		{"mcp__postgres__query sql=delete+from+t", false},
		{"mcp__postgres__query sql=select+1;drop+table+t", false},
		{"mcp__postgres__query sql=with+a+as+(delete+from+t+returning+1)+select+1", false},
		{"mcp__postgres__query", false},
		{"mcp__postgres__query @sql", false},
		{"mcp__postgres__fetch query=drop+table+t", false},
		{"mcp__postgres__get_rows sql=delete+from+t", false},
		{"mcp__postgres__execute sql=select+1", false},
	} {
		tool := use(row.use)
		for i := range tool.Args {
			tool.Args[i].Value = strings.ReplaceAll(tool.Args[i].Value, "+", " ")
		}
		r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Taint: Taint{Corruption: 2}}
		want := policy.Ask
		if row.reads {
			want = policy.Skip
		}
		if v := e.EvaluateTool(r, tool); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", row.use, v.Decision, v.Reason, want)
		}
		r.Taint.Secret = 2
		if v := e.EvaluateTool(r, tool); v.Decision != policy.Ask {
			t.Errorf("%s in a session with both: %v", row.use, v.Decision)
		}
	}
}
