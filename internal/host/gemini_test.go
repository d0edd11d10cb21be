package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/policy"
)

// The files hold what Gemini CLI 0.61.0 really sent.
func TestGeminiCaptured(t *testing.T) {
	at := func(session, command string) engine.Request {
		return engine.Request{Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Host: "gemini", Session: session, Command: command}
	}
	const first, second = "1ce5b1b8-56de-4bdd-9e74-f9364ce6ac92", "9899eb6e-86cf-4ab6-a8c0-872b0539ed69"
	shell := engine.Tool{Name: "run_shell_command"}
	want := map[string]Question{
		"BeforeTool":   {Event: BeforeToolUse, Request: at(first, "echo hi > ran.txt"), Shell: true, Tool: shell},
		"AfterTool":    {Event: AfterToolUse, Request: at(second, "echo hi > ran.txt"), Shell: true, Tool: shell},
		"BeforeAgent":  {Event: PromptSubmit, Request: at(first, ""), Prompt: "go"},
		"SessionStart": {Event: SessionStart, Request: at(first, ""), Source: "startup"},
		"Notification": {},
	}
	files, err := filepath.Glob("testdata/gemini-*.json")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d captured files, want %d (%v)", len(files), len(want), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var captured struct {
			Stdin json.RawMessage
			Env   map[string]string
		}
		if err := json.Unmarshal(data, &captured); err != nil {
			t.Fatal(err)
		}
		captured.Env["HOME"] = "/home/dev"
		in := Input{Data: captured.Stdin, Dir: "/proc-dir", Getenv: func(name string) string { return captured.Env[name] }}
		event := strings.TrimSuffix(file[strings.LastIndexByte(file, '-')+1:], ".json")
		host := Detect(in)
		got, err := host.Read(in)
		if err != nil || host.Name != "gemini" {
			t.Errorf("%s: host %s, error %v", event, host.Name, err)
		}
		if diff := cmp.Diff(want[event], got); diff != "" {
			t.Errorf("%s: question (-want +got):\n%s", event, diff)
		}
	}
}

func TestGeminiInput(t *testing.T) {
	read := func(rest string, env ...string) (Question, error) {
		return gemini.Read(input(`{"hook_event_name":"BeforeTool","cwd":"/w",`+rest+`}`, env...))
	}
	for _, row := range []struct{ rest, cwd, workspace string }{
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls"}`, "/w", "/w"},
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"web"}`, "/w/web", "/w"},
		{`"tool_name":"run_shell_command","tool_input":{"command":"ls","directory":"web/../../x"}`, "/x", "/w"},
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
		`"tool_input":{"command":"ls"}`,
		`"tool_name":"run_shell_command","tool_input":{"command":"ls"},"cwd":"w"`,
		`"tool_name":"run_shell_command","tool_input":"ls"`,
	} {
		if q, err := read(bad); err == nil {
			t.Errorf("%s is read as %+v", bad, q)
		}
	}
	if q, err := gemini.Read(input(`{"hook_event_name":"BeforeEverything"}`)); err == nil {
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
		q, err := gemini.Read(input(`{"hook_event_name":"BeforeTool","cwd":"/w","tool_name":"` + row.name + `","tool_input":{"a":"b"}` + row.rest + `}`))
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
		if got := string(gemini.Answer(d, `a "b"`)); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func FuzzGemini(f *testing.F) {
	files, _ := filepath.Glob("testdata/gemini-*.json")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var captured struct{ Stdin json.RawMessage }
		if err := json.Unmarshal(data, &captured); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(captured.Stdin))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := gemini.Read(input(string(data)))
		if err == nil && q.Event == BeforeToolUse && (q.Tool.Name == "" || !filepath.IsAbs(q.Request.Cwd)) {
			t.Errorf("%q is read as %+v", data, q)
		}
	})
}
