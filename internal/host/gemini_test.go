package host

import (
	"slices"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestGeminiInput(t *testing.T) {
	read := func(rest string, env ...string) (Question, error) {
		return gemini.Read(parsed(`{"hook_event_name":"BeforeTool","cwd":"/w",`+rest+`}`, env...))
	}
	for _, row := range []struct{ rest, cwd, workspace string }{
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls"}`, "/w", "/w"},
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"web"}`, "/w/web", "/w"},
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls","directory":"./web"}`, "/w/web", "/w"},
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"/srv/"}`, "/srv", "/w"},
	} {
		q, err := read(row.rest)
		if err != nil || q.Request.Cwd != row.cwd || q.Request.Workspace != row.workspace || !q.Shell || q.Request.Command != "ls" {
			t.Errorf("%s: %+v, %v", row.rest, q, err)
		}
	}
	for _, bad := range []string{
		`"tool_name":"run_shell_command"`,
		`"tool_name":"run_shell_command","tool_input":{}`,
		`"tool_name":"run_shell_command","tool_input":{"command":7}`,
		`"tool_name":"run_shell_command","tool_input":{"command":"ls","command":"rm x"}`,
		`"tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":7}`,
		`"tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"link/.."}`,
		`"tool_input":{"command":"ls"}`,
		`"tool_name":"run_shell_command","tool_input":{"command":"ls"},"cwd":"w"`,
		`"tool_name":"run_shell_command","tool_input":"ls"`,
	} {
		if q, err := read(bad); err == nil {
			t.Errorf("%s is read as %+v", bad, q)
		}
	}
	if q, err := gemini.Read(parsed(`{"hook_event_name":"BeforeEverything"}`)); err == nil {
		t.Errorf("an unknown event is read as %+v", q)
	}
	q, err := read(`"tool_name":"search_file_content","tool_input":{"pattern":"x"}`)
	if err != nil || q.Shell || q.Tool.Arg("dir_path") != "/w" {
		t.Errorf("a search without a directory: %+v, %v", q, err)
	}
	q, err = read(`"tool_name":"read_file","tool_input":{"file_path":".env"}`)
	if err != nil || q.Shell || q.Tool.Arg("file_path") != ".env" {
		t.Errorf("a file that is read: %+v, %v", q, err)
	}
}

func TestGeminiTools(t *testing.T) {
	for _, row := range []struct{ name, rest, want string }{
		{"read_file", "", "read_file"},
		{"get_issue", `,"mcp_context":{"server_name":"github","tool_name":"get_issue","command":"x"}`, "mcp__github__get_issue"},
		{"github__get_issue", `,"mcp_context":{"server_name":"github","tool_name":"get_issue"}`, "mcp__github__get_issue"},
		{"get_issue", `,"mcp_context":{"server_name":"github"}`, "mcp__github__get_issue"},
		{"get_issue", `,"mcp_context":{"tool_name":"x"}`, "get_issue"},
		{"get_issue", `,"mcp_context":7`, "get_issue"},
	} {
		q, err := gemini.Read(parsed(`{"hook_event_name":"BeforeTool","cwd":"/w","tool_name":"` + row.name + `","tool_input":{"a":"b"}` + row.rest + `}`))
		if err != nil || q.Shell || q.Tool.Name != row.want || q.Tool.Arg("a") != "b" {
			t.Errorf("%s%s: %+v, %v; want %s", row.name, row.rest, q.Tool, err, row.want)
		}
	}
}

func TestGeminiAnswers(t *testing.T) {
	for d, want := range map[policy.Decision]string{
		policy.Skip:  "",
		policy.Allow: `{"decision":"allow"}` + "\n",
		policy.Ask:   `{"decision":"ask","systemMessage":"a \"b\""}` + "\n",
		policy.Block: `{"decision":"deny","reason":"a \"b\""}` + "\n",
	} {
		if got := string(gemini.Answer(&Question{Event: BeforeToolUse}, d, `a "b"`).Stdout); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A question that nobody sees would wait for ever.
func TestGeminiHeadless(t *testing.T) {
	script := "/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js"
	tty, none := func() bool { return true }, func() bool { return false }
	sh := Ancestor{[]string{"sh", "-c", "/usr/bin/bashgate hook gemini -p"}, none}
	for _, row := range []struct {
		env  string
		up   []Ancestor
		want bool
	}{
		{"", nil, false},
		{"CI=true", nil, true},
		{"CI=1", nil, false},
		{"", []Ancestor{sh, {[]string{"node", script}, tty}}, false},
		{"", []Ancestor{sh, {[]string{"node", script}, none}}, true},
		{"", []Ancestor{sh, {[]string{"/usr/bin/node", "--max-old-space-size=1", script, "-p", "go"}, tty}}, true},
		{"", []Ancestor{sh, {[]string{"gemini", "--prompt=go"}, tty}}, true},
		{"", []Ancestor{sh, {[]string{"gemini", "-i", "go"}, tty}, {[]string{"gemini", "-p"}, none}}, false},
		{"", []Ancestor{sh, {[]string{"zsh"}, none}, {[]string{"tmux"}, none}}, false},
	} {
		in := input("", row.env)
		in.Ancestors = slices.Values(row.up)
		if got := gemini.process(in).Unattended; got != row.want {
			t.Errorf("%q %v: unattended %v", row.env, row.up, got)
		}
	}
}
