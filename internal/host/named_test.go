package host

import "testing"

// TestUnknownToolsAreServers: of every agent, a tool that neither the rules nor the agent
// know counts as one of an MCP server, whatever the agent makes of its name, and
// the agent's own are called as they are.
func TestUnknownToolsAreServers(t *testing.T) {
	for _, row := range []struct{ host, tool, want string }{
		{"opencode", "weird_lookup", "mcp__weird__lookup"},
		{"opencode", "slack_post_message", "mcp__slack__post_message"},
		{"opencode", "git-mcp_fetch_docs", "mcp__git-mcp__fetch_docs"},
		{"opencode", "frobnicate", "mcp__unknown__frobnicate"},
		{"opencode", "_x", "mcp__unknown___x"},
		{"opencode", "todowrite", ""},
		{"opencode", "plan_exit", ""},
		{"opencode", "webfetch", ""},
		{"opencode", "apply_patch", ""},
		{"kilo", "weird_lookup", "mcp__weird__lookup"},
		{"copilot", "github-mcp-server-create_gist", "mcp__github-mcp-server__create_gist"},
		{"copilot", "weird-lookup", "mcp__weird__lookup"},
		{"copilot", "report_intent", ""},
		{"copilot", "web_fetch", ""},
		{"vscode", "mcp_slack_post_message", "mcp__slack__post_message"},
		{"vscode", "mcp_weird", "mcp__weird__"},
		{"vscode", "fetch_webpage", ""},
		{"crush", "mcp_github_get_issue", "mcp__github__get_issue"},
		{"crush", "multiedit", ""},
		{"gemini", "mcp_weird_lookup", "mcp__weird__lookup"},
		{"gemini", "weird__lookup", "mcp__weird__lookup"},
		{"gemini", "write_todos", ""},
		{"codex", "weird__lookup", "mcp__weird__lookup"},
		{"codex", "mcp__weird__lookup", ""},
		{"codex", "update_plan", ""},
		{"antigravity", "mcp_weird_lookup", "mcp__weird__lookup"},
		{"auggie", "lookup_weird", "mcp__weird__lookup"},
		{"auggie", "github-api", "mcp__unknown__github-api"},
		{"auggie", "codebase-retrieval", ""},
		{"auggie", "view_tasklist", ""},
		{"kimi", "lookup", "mcp__unknown__lookup"},
		{"kimi", "SetTodoList", ""},
		{"kimi", "ReadFile", ""},
		{"pi", "weird_lookup", "mcp__unknown__weird_lookup"},
		{"pi", "ls", ""},
		{"qwen", "mcp__weird__lookup", ""},
		{"claude", "TodoWrite", ""},
		{"droid", "weird___lookup", "mcp__weird__lookup"},
		{"goose", "weird__lookup", "mcp__weird__lookup"},
		{"kiro", "@weird/lookup", "mcp__weird__lookup"},
	} {
		h, err := Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		name := row.tool
		switch {
		case row.host == "gemini":
			name = mcpName(name, Payload{})
		case h.named != nil:
			name = h.named(name)
		}
		want := row.want
		if want == "" {
			want = row.tool
		}
		if name != want {
			t.Errorf("%s: %s is %s, want %s", row.host, row.tool, name, want)
		}
	}
	h, err := Named("opencode")
	if err != nil {
		t.Fatal(err)
	}
	q, err := h.Read(Parse(Input{
		Data:   []byte(`{"hook_event_name":"PreToolUse","host":"opencode","directory":"/w","input":{"tool":"slack_post","sessionID":"s"},"output":{"args":{"text":"x"}}}`),
		Getenv: func(string) string { return "" }, Dir: func() string { return "/w" },
	}))
	if err != nil || q.Tool.Name != "mcp__slack__post" || q.Tool.Called != "slack_post" {
		t.Errorf("%+v (%v)", q.Tool, err)
	}
}
