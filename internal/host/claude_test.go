package host

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// input makes what a hook process is given from a captured file, or from a
// bare payload.
func input(data string, env ...string) Input {
	return Input{
		Data: []byte(data),
		Dir:  func() string { return "/proc-dir" },
		Getenv: func(name string) string {
			for _, pair := range env {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value
				}
			}
			return ""
		},
	}
}

func parsed(data string, env ...string) Payload { return Parse(input(data, env...)) }

const payload = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w/sub","session_id":"s","permission_mode":"plan"}`

func TestClaudeEnvironment(t *testing.T) {
	for _, row := range []struct {
		env       []string
		workspace string
		shell     string
	}{
		{nil, "/w/sub", ""},
		{[]string{"CLAUDE_PROJECT_DIR=/w", "SHELL=/bin/bash"}, "/w", "bash"},
		{[]string{"CLAUDE_PROJECT_DIR=w", "SHELL=/opt/homebrew/bin/fish"}, "/w/sub", ""},
		{[]string{"SHELL=sh"}, "/w/sub", "sh"},
		{[]string{"SHELL=/bin/zsh", "CLAUDE_CODE_SHELL=/bin/zsh"}, "/w/sub", "zsh"},
		{[]string{"SHELL=/bin/bash", "CLAUDE_CODE_SHELL=/bin/zsh"}, "/w/sub", ""},
	} {
		q, err := claude.Read(parsed(payload, row.env...))
		if err != nil || q.Request.Workspace != row.workspace || q.Request.Shell != row.shell || q.Request.Cwd != "/w/sub" || q.Request.Mode != "plan" || q.Request.Unattended {
			t.Errorf("%q: %+v, %v", row.env, q, err)
		}
	}
}

func TestClaudeDefaults(t *testing.T) {
	q, err := claude.Read(parsed(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":""}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Question{Event: BeforeToolUse, Name: "PreToolUse", EndTold: true, Shell: true, Tool: engine.Tool{Name: "Bash"}, Input: []byte(`{"command":""}`), Request: engine.Request{Host: "claude", Cwd: "/proc-dir", Workspace: "/proc-dir"}}
	if diff := cmp.Diff(want, q); diff != "" {
		t.Errorf("question (-want +got):\n%s", diff)
	}
}

// Monitor runs commands as Bash does, by the same permission rules.
func TestClaudeMonitor(t *testing.T) {
	q, err := claude.Read(parsed(`{"hook_event_name":"PreToolUse","tool_name":"Monitor","tool_input":{"description":"d","timeout_ms":1000,"command":"tail -f x"},"tool_use_id":"u"}`))
	if err != nil || !q.Shell || q.Tool.Name != "Monitor" || q.Request.Command != "tail -f x" {
		t.Errorf("%+v, %v", q, err)
	}
	for _, bad := range []string{`{"command":7}`, `{"command":["ls"]}`, `{"command":"ls","command":"rm x"}`, `{"command":"ls","Command":"rm x"}`} {
		if q, err := claude.Read(parsed(`{"hook_event_name":"PreToolUse","tool_name":"Monitor","tool_input":` + bad + `}`)); err == nil {
			t.Errorf("%s is read as %+v", bad, q)
		}
	}
}

func TestClaudeOtherTools(t *testing.T) {
	for _, row := range []struct {
		tool, input string
		args        []engine.ToolArg
		others      []string
		unread      bool
		inner       []engine.Tool
	}{
		{"Read", `{"file_path":"/w/a","limit":3}`, []engine.ToolArg{{Name: "file_path", Value: "/w/a"}}, []string{"limit"}, false, nil},
		{"Grep", `{"pattern":"x"}`, []engine.ToolArg{{Name: "path", Value: "/proc-dir"}, {Name: "pattern", Value: "x"}}, nil, false, nil},
		{"Grep", `{"pattern":"x","path":"/w"}`, []engine.ToolArg{{Name: "pattern", Value: "x"}, {Name: "path", Value: "/w"}}, nil, false, nil},
		{"mcp__x__bash", `{"command":"rm"}`, []engine.ToolArg{{Name: "command", Value: "rm"}}, nil, false, nil},
		{"mcp__x__read", `{"paths":["a","b"],"none":[],"more":null}`, []engine.ToolArg{{Name: "paths", Value: "a"}, {Name: "paths", Value: "b"}}, nil, false, nil},
		{"mcp__x__read", `{"paths":["a",7],"deep":[["a"]],"object":{"a":"b"},"no":false}`, nil, []string{"paths", "deep", "object", "no"}, false, []engine.Tool{{Args: []engine.ToolArg{{Name: "paths", Value: "a"}}}, {Args: []engine.ToolArg{{Name: "deep", Value: "a"}}}, {Args: []engine.ToolArg{{Name: "a", Value: "b"}}}}},
		{"edit", `{"edits":[{"file_path":"a","more":{"path":["b","c"]}},{"file_path":"d"}]}`, nil, []string{"edits"}, false, []engine.Tool{
			{Args: []engine.ToolArg{{Name: "file_path", Value: "a"}}, Others: []string{"more"}, Inner: []engine.Tool{{Args: []engine.ToolArg{{Name: "path", Value: "b"}, {Name: "path", Value: "c"}}}}},
			{Args: []engine.ToolArg{{Name: "file_path", Value: "d"}}},
		}},
		{"PowerShell", `{"command":"ls"}`, []engine.ToolArg{{Name: "command", Value: "ls"}}, nil, false, nil},
		{"Monitor", `{"description":"d","ws":{"url":"wss://a.example"}}`, []engine.ToolArg{{Name: "description", Value: "d"}}, []string{"ws"}, false, []engine.Tool{{Args: []engine.ToolArg{{Name: "url", Value: "wss://a.example"}}}}},
		{"bash", `{}`, nil, nil, false, nil},
		{"", `7`, nil, nil, true, nil},
		{"Write", `"text"`, []engine.ToolArg{{Name: "input", Value: "text"}}, nil, false, nil},
		{"Write", `[{"path":"a"}]`, nil, nil, false, []engine.Tool{{Args: []engine.ToolArg{{Name: "path", Value: "a"}}}}},
	} {
		q, err := claude.Read(parsed(`{"hook_event_name":"PreToolUse","tool_name":"` + row.tool + `","tool_input":` + row.input + `,"session_id":"s","agent_id":"a1","tool_use_id":"u"}`))
		want := Question{
			Event: BeforeToolUse, Name: "PreToolUse", EndTold: endToldClaude(row.tool), Tool: engine.Tool{Name: row.tool, Args: row.args, Others: row.others, Inner: row.inner, Unread: row.unread}, Input: []byte(row.input), Use: "u", Agent: "a1",
			Request: engine.Request{Host: "claude", Session: "s", Cwd: "/proc-dir", Workspace: "/proc-dir"},
		}
		if diff := cmp.Diff(want, q); err != nil || diff != "" {
			t.Errorf("tool %q (-want +got), error %v:\n%s", row.tool, err, diff)
		}
	}
}

// Of a key that is there twice, or in two spellings, nobody knows which one a tool
// takes: what can't be read is never what nobody has to ask about. When the tool
// has run, it is known that nobody knows what it has shown.
func TestToolsInTwoSpellings(t *testing.T) {
	for _, h := range hosts {
		for _, input := range []string{`{"file_path":"~/.bashrc","File_path":"x"}`, `{"path":"~/.bashrc","path":"x"}`, `{"edits":[{"path":"~/.bashrc","Path":"x"}]}`, `{"a":{"b":{"command":"rm -rf /","Command":"x"}}}`} {
			if h.keys != claudeKeys {
				continue
			}
			for _, event := range []Event{BeforeToolUse, AfterToolUse} {
				q, err := h.Read(parsed(`{"hook_event_name":"` + h.EventName(event) + `","tool_name":"mcp__x__write","tool_input":` + input + `,"session_id":"s","cwd":"/w"}`))
				if (err != nil) != (event == BeforeToolUse) || event == AfterToolUse && !q.Tool.Unread {
					t.Errorf("%s, %v: %s is read as %+v, %v", h.Name, event, input, q.Tool, err)
				}
			}
		}
	}
}

// TestEventNames maps every event to the agent's own name and back.
func TestEventNames(t *testing.T) {
	for i := range hosts {
		h := hosts[i]
		for e := BeforeToolUse; int(e) < len(eventNames); e++ {
			// Claude Code has them all.
			if name := h.EventName(e); name == "" && h == &claude || name != "" && h.EventNamed(name) != e {
				t.Errorf("%s: %v is called %q, which means %v", h.Name, e, name, h.EventNamed(name))
			}
		}
	}
	if name := claude.EventName(BeforeToolUse); name != "PreToolUse" || claude.EventNamed(name).String() != "before_tool_use" {
		t.Errorf("before_tool_use is called %q", name)
	}
	if e := claude.EventNamed("pretooluse"); e != None {
		t.Errorf("pretooluse means %v", e)
	}
}

// badPayloads are inputs of which nobody can say which command will run.
var badPayloads = []struct{ name, data, want string }{
	{"empty", "", "byte 0: nothing to read"},
	{"blank", " \n", "byte 2: nothing to read"},
	{"text", "hello", "byte 0: not JSON: want a value"},
	{"NUL", "\x00", "byte 0: not JSON: want a value"},
	{"array", "[" + payload + "]", "byte 0: want an object, found an array"},
	{"null", "null", "byte 0: want an object, found null"},
	{"truncated", payload[:70], "byte 70: ends inside a string"},
	{"second value", payload + payload, "byte 138: a second value after the first"},
	{"NUL after it", payload + "\x00", "byte 138: a second value after the first"},
	{"no event and no tool", `{"cwd":"/w"}`, `no "hook_event_name"`},
	{"no event, another agent's shell", `{"tool_name":"bash","tool_input":{"command":"ls"}}`, `no "hook_event_name"`},
	{"no event, another agent's list", `{"tool_name":"bash","tool_input":["ls"]}`, `no "hook_event_name"`},
	{"no event and no command", `{"tool_name":"Bash","tool_input":{}}`, `no "command"`},
	{"no event and no tool's name", `{"tool_input":{"command":"ls"}}`, `no "hook_event_name"`},
	{"no tool", replace(`"tool_name":"Bash",`, ``), `no "tool_name"`},
	{"no tool input", replace(`"tool_input":{"command":"ls"},`, ``), `no "tool_input"`},
	{"no command", replace(`"command":"ls"`, ``), `no "command"`},
	{"another case", replace(`"command":`, `"Command":`), `no "command"`},
	{"unknown event", replace(`PreToolUse`, `PreToolUsage`), `byte 19: unknown event "PreToolUsage"`},
	{"empty event", replace(`PreToolUse`, ``), `byte 19: unknown event ""`},
	{"event in another case", replace(`PreToolUse`, `pretooluse`), `byte 19: unknown event "pretooluse"`},
	{"event is a number", replace(`"PreToolUse"`, `1`), `byte 19: want a string, found a number`},
	{"tool is null", replace(`"Bash"`, `null`), `byte 44: want a string, found null`},
	{"tool input is text", replace(`{"command":"ls"}`, `"ls"`), `byte 64: want an object, found a string`},
	{"tool input is null", replace(`{"command":"ls"}`, `null`), `byte 64: want an object, found null`},
	{"command is a list", replace(`"ls"`, `["ls"]`), `byte 75: want a string, found an array`},
	{"command is null", replace(`"ls"`, `null`), `byte 75: want a string, found null`},
	{"cwd is a number", replace(`"/w/sub"`, `7`), `byte 87: want a string, found a number`},
	{"cwd is relative", replace(`"/w/sub"`, `"sub"`), `byte 87: cwd "sub" is not an absolute path`},
	{"mode is a boolean", replace(`"plan"`, `true`), `byte 131: want a string, found a boolean`},
	{"session is an object", replace(`"s"`, `{}`), `byte 109: want a string, found an object`},
	{"tool twice", replace(`"tool_name":"Bash",`, `"tool_name":"Read","tool_name":"Bash",`), `byte 51: key "tool_name" a second time`},
	{"event twice", replace(`"cwd"`, `"hook_event_name":"Stop","cwd"`), `byte 81: key "hook_event_name" a second time`},
	{"command twice", replace(`"command":"ls"`, `"command":"ls","command":"rm -rf /"`), `byte 80: key "command" a second time`},
	{"command twice, once escaped", replace(`"command":"ls"`, `"command":"ls","comm\u0061nd":"rm -rf /"`), `byte 80: key "command" a second time`},
	{"command in two cases", replace(`"command":"ls"`, `"command":"ls","COMMAND":"rm -rf /"`), `byte 80: keys "command" and "COMMAND" differ only in case`},
	{"half a surrogate pair", replace(`"ls"`, `"ls \ud800"`), `byte 79: half of a surrogate pair`},
	{"not UTF-8", replace(`"ls"`, "\"ls \xff\""), `byte 79: not UTF-8`},
	{"raw newline", replace(`"ls"`, "\"ls\nrm\""), `byte 78: a control character inside a string`},
	{"comment", replace(`{"command"`, `{/*c*/"command"`), `byte 65: not JSON: want a key`},
}

func replace(old, with string) string {
	out := strings.Replace(payload, old, with, 1)
	if out == payload {
		panic("nothing replaced: " + old)
	}
	return out
}

func TestClaudeRefuses(t *testing.T) {
	for _, row := range badPayloads {
		q, err := claude.Read(parsed(row.data))
		if err == nil || err.Error() != row.want {
			t.Errorf("%s: %+v, error %v; want %s", row.name, q, err, row.want)
		}
	}
}

func TestClaudeAnswer(t *testing.T) {
	for _, row := range []struct {
		decision policy.Decision
		want     string
	}{
		{policy.Skip, ""},
		{policy.Allow, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"say \"why\"\n"}}` + "\n"},
		{policy.Ask, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"say \"why\"\n"}}` + "\n"},
		{policy.Block, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"say \"why\"\n"}}` + "\n"},
		{policy.Block + 1, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"say \"why\"\n"}}` + "\n"},
	} {
		if got := string(claude.Answer(&Question{Event: BeforeToolUse}, row.decision, "say \"why\"\n").Stdout); got != row.want {
			t.Errorf("%v: %s, want %s", row.decision, got, row.want)
		}
	}
}

func TestNamed(t *testing.T) {
	h, err := Named("claude")
	if err != nil || h.Title != "Claude Code" {
		t.Errorf("claude: %v, %v", h, err)
	}
	if _, err := Named("Claude"); err == nil || err.Error() != `unknown host "Claude"; known: claude, gemini, codex, copilot, vscode, cursor, qwen, opencode, kilo, pi, cline, crush, goose, kimi, droid, kiro, windsurf, amp, auggie, antigravity` {
		t.Errorf("Claude: %v", err)
	}
}

// Where the event has no name, Claude Code's own tools are about to be used.
func TestClaudeWithoutEvent(t *testing.T) {
	for _, row := range []struct {
		data    string
		shell   bool
		command string
	}{
		{`{"tool_name":"Bash","tool_input":{"command":"git status"}}`, true, "git status"},
		{`{"tool_name":"Bash","tool_input":{"command":"npm test","description":"x"},"cwd":"/w","permission_mode":"plan"}`, true, "npm test"},
		{`{"tool_name":"Read","tool_input":{"file_path":"/w/a"}}`, false, ""},
	} {
		q, err := claude.Read(parsed(row.data))
		if err != nil || q.Event != BeforeToolUse || q.Shell != row.shell || q.Request.Command != row.command {
			t.Errorf("%s: %+v, %v", row.data, q, err)
		}
	}
}

// An input that can't be understood is judged where the process says that it
// stands.
func TestUnreadRequest(t *testing.T) {
	in := input("{", "HOME=/home/u", "SHELL=/bin/bash", "CLAUDE_PROJECT_DIR=/w", "CLAUDE_CODE_SESSION_ATTENDED=0", "GEMINI_PROJECT_DIR=/g")
	for _, row := range []struct {
		host *Host
		want engine.Request
	}{
		{&claude, engine.Request{Host: "claude", Home: "/home/u", Shell: "bash", Cwd: "/proc-dir", Workspace: "/w", Unattended: true}},
		{&gemini, engine.Request{Host: "gemini", Home: "/home/u", Shell: "bash", Cwd: "/proc-dir", Workspace: "/g"}},
	} {
		q, err := row.host.Read(Parse(in))
		if diff := cmp.Diff(Question{Request: row.want}, q); err == nil || diff != "" {
			t.Errorf("%s: error %v (-want +got):\n%s", row.host.Name, err, diff)
		}
	}
}
