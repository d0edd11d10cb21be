package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestAnswers holds what each agent is told, byte for byte: some of them run the
// tool where an answer holds one member that they don't know.
func TestAnswers(t *testing.T) {
	const (
		none   = "exit 0\n"
		allow  = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"say \"why\""}}` + "\nexit 0\n"
		ask    = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"say \"why\""}}` + "\nexit 0\n"
		deny   = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"say \"why\""}}` + "\nexit 0\n"
		yes    = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}` + "\nexit 0\n"
		no     = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"say \"why\""}}}` + "\nexit 0\n"
		status = "stderr say \"why\"\nexit 2\n"
	)
	for _, row := range []struct {
		host, event      string
		allow, ask, deny string
	}{
		{"codex", "PreToolUse", none, deny, deny},
		{"codex", "PermissionRequest", yes, none, no},
		{"codex", "", none, deny, deny},
		{"copilot", "PreToolUse", allow, ask, deny},
		{
			"copilot", "preToolUse",
			`{"permissionDecision":"allow","permissionDecisionReason":"say \"why\""}` + "\nexit 0\n",
			`{"permissionDecision":"ask","permissionDecisionReason":"say \"why\""}` + "\nexit 0\n",
			`{"permissionDecision":"deny","permissionDecisionReason":"say \"why\""}` + "\nexit 0\n",
		},
		{"copilot", "permissionRequest", none, none, `{"behavior":"deny","message":"say \"why\""}` + "\nexit 0\n"},
		{"copilot", "PermissionRequest", none, none, `{"behavior":"deny","message":"say \"why\""}` + "\nexit 0\n"},
		{"copilot", "", status, status, status},
		{"vscode", "PreToolUse", allow, ask, deny},
		{"vscode", "", allow, ask, deny},
		{"qwen", "PreToolUse", allow, ask, deny},
		{"qwen", "PermissionRequest", yes, none, no},
		{"crush", "PreToolUse", `{"version":1,"decision":"allow"}` + "\nexit 0\n", none, `{"version":1,"decision":"deny","reason":"say \"why\""}` + "\nexit 0\n"},
		{"goose", "PreToolUse", none, none, `{"decision":"block","reason":"say \"why\""}` + "\nexit 0\n"},
		{"kimi", "PreToolUse", none, deny, deny},
		{"droid", "PreToolUse", allow, ask, deny},
		{"kiro", "preToolUse", none, none, status},
		{"kiro", "PreToolUse", none, none, status},
		{"auggie", "PreToolUse", none, status, status},
	} {
		h, err := Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		q := Question{Event: h.EventNamed(row.event), Name: row.event}
		if row.event != "" && !q.Event.Waits() {
			t.Errorf("%s waits for no answer to %s", row.host, row.event)
		}
		for d, want := range map[policy.Decision]string{policy.Skip: none, policy.Allow: row.allow, policy.Ask: row.ask, policy.Block: row.deny} {
			if got := shown(h.Answer(&q, d, `say "why"`)); got != want {
				t.Errorf("%s, %s, %v: %s, want %s", row.host, row.event, d, got, want)
			}
		}
	}
}

// No agent is denied anything without a reason: Codex would run it.
func TestAnswersHaveReasons(t *testing.T) {
	for _, h := range hosts {
		for _, n := range h.Events {
			if !n.Event.Waits() {
				continue
			}
			a := h.Answer(&Question{Event: n.Event, Name: n.Name}, policy.Block, "")
			if text := string(a.Stdout) + string(a.Stderr); !strings.Contains(text, "bashgate: no reason is known") {
				t.Errorf("%s, %s: %s", h.Name, n.Name, shown(a))
			}
			if len(a.Stdout) > 0 && !json.Valid(a.Stdout) {
				t.Errorf("%s, %s: %s is no JSON", h.Name, n.Name, a.Stdout)
			}
		}
		if a := h.Fail("bashgate: why"); !strings.Contains(string(a.Stdout)+string(a.Stderr), "bashgate: why") {
			t.Errorf("%s fails with %s", h.Name, shown(a))
		}
	}
}

// TestModes holds what an agent's permission mode is to the engine. One that is
// not known is left as it is: then nothing is allowed.
func TestModes(t *testing.T) {
	for _, row := range []struct{ host, theirs, ours string }{
		{"codex", "bypassPermissions", "default"},
		{"codex", "plan", "plan"},
		{"codex", "dontAsk", "dontAsk"},
		{"qwen", "yolo", "default"},
		{"qwen", "auto", "default"},
		{"qwen", "auto-edit", "acceptEdits"},
		{"qwen", "acceptEdits", "default"},       // Claude Code's word
		{"qwen", "bypassPermissions", "default"}, // and this one
		{"qwen", "plan", "plan"},
		{"qwen", "whatever", "whatever"},
		{"droid", "bypassPermissions", "bypassPermissions"},
		{"droid", "auto", "default"},
		{"droid", "off", "default"},
		{"droid", "spec", "default"},
		{"droid", "auto-low", "default"},
		{"droid", "auto-medium", "default"},
		{"droid", "auto-high", "default"},
		{"droid", "whatever", "whatever"},
		{"claude", "auto", "auto"},
	} {
		h, err := Named(row.host)
		if err != nil {
			t.Fatal(err)
		}
		q, err := h.Read(parsed(strings.Replace(payload, `"plan"`, `"`+row.theirs+`"`, 1)))
		if err != nil || q.Request.Mode != row.ours {
			t.Errorf("%s, %s: %q (%v), want %q", row.host, row.theirs, q.Request.Mode, err, row.ours)
		}
	}
}

// TestCopilotForms holds which payloads without an event's name are read, and
// that no payload is read which is of both forms.
func TestCopilotForms(t *testing.T) {
	const camel = `{"sessionId":"c","timestamp":1,"cwd":"/w","toolName":"bash",`
	for _, row := range []struct{ data, event, command, name string }{
		{camel + `"toolArgs":{"command":"ls"}}`, "", "ls", "preToolUse"},
		{camel + `"toolArgs":{"command":"ls"}}`, "preToolUse", "ls", "preToolUse"},
		{camel + `"toolArgs":"{\"command\":\"ls\"}"}`, "", "ls", "preToolUse"},
		{camel + `"toolArgs":{"command":"ls"},"toolResult":{}}`, "postToolUse", "ls", "postToolUse"},
		{camel + `"hookName":"permissionRequest","toolInput":{"command":"ls"}}`, "", "ls", "permissionRequest"},
	} {
		in := input(row.data)
		in.Event = row.event
		q, err := copilot.Read(Parse(in))
		if err != nil || !q.Shell || q.Request.Command != row.command || q.Name != row.name {
			t.Errorf("%s (%s): %+v, %v", row.data, row.event, q, err)
		}
	}
	for data, event := range map[string]string{
		camel + `"toolArgs":{"command":"ls"},"toolResult":{}}`:                                                      "",
		camel + `"toolArgs":{"command":"ls"},"error":"x"}`:                                                          "",
		camel + `"toolArgs":"ls"}`:                                                                                  "preToolUse",
		camel + `"toolArgs":"{\"command\":\"ls\",\"command\":\"rm x\"}"}`:                                           "preToolUse",
		camel + `"toolArgs":"{\"command\":\"ls\"} "," x":1,"tool_input":{"command":"ls"}}`:                          "preToolUse",
		camel + `"toolArgs":{"command":"ls"}}`:                                                                      "preToolUsage",
		camel + `"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"toolArgs":{}}`:    "",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"toolArgs":{},"cwd":"/"}`: "",
	} {
		in := input(data)
		in.Event = event
		if q, err := copilot.Read(Parse(in)); err == nil {
			t.Errorf("%s (%s) is read as %+v", data, event, q)
		}
	}
	// The answer's form follows the payload, whatever the hook was started for.
	in := input(`{"hook_event_name":"PreToolUse","session_id":"c","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w"}`)
	in.Event = "preToolUse"
	if q, err := copilot.Read(Parse(in)); err != nil || q.Name != "PreToolUse" || q.Request.Command != "ls" {
		t.Errorf("%+v, %v", q, err)
	}
}

// goodPayloads are one question of each agent about its shell, and how it calls
// the parts of it; "" = not at all.
var goodPayloads = []struct{ host, data, event, tool, input, cwd, session string }{
	{"codex", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s","turn_id":"t"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"copilot", `{"toolName":"bash","toolArgs":{"command":"ls"},"cwd":"/w","sessionId":"s","timestamp":1}`, "", "toolName", "toolArgs", "cwd", "sessionId"},
	{"copilot", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"vscode", `{"hook_event_name":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"vscode", `{"hookEventName":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"ls"},"cwd":"/w","sessionId":"s"}`, "hookEventName", "tool_name", "tool_input", "cwd", "sessionId"},
	{"qwen", `{"hook_event_name":"PreToolUse","tool_name":"run_shell_command","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"crush", `{"event":"PreToolUse","tool_name":"bash","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "event", "tool_name", "tool_input", "cwd", "session_id"},
	{"goose", `{"event":"PreToolUse","tool_name":"developer__shell","tool_input":{"command":"ls"},"working_dir":"/w","session_id":"s"}`, "event", "tool_name", "tool_input", "working_dir", "session_id"},
	{"kimi", `{"hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"droid", `{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"kiro", `{"hook_event_name":"preToolUse","tool_name":"execute_bash","tool_input":{"command":"ls"},"cwd":"/w","session_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "session_id"},
	{"auggie", `{"hook_event_name":"PreToolUse","tool_name":"launch-process","tool_input":{"command":"ls"},"cwd":"/w","conversation_id":"s"}`, "hook_event_name", "tool_name", "tool_input", "cwd", "conversation_id"},
}

// TestRefuses spoils a question of each agent in every way of badPayloads: it is
// never read as another one.
func TestRefuses(t *testing.T) {
	for _, good := range goodPayloads {
		h, err := Named(good.host)
		if err != nil {
			t.Fatal(err)
		}
		read := func(data string) (Question, error) { return h.Read(parsed(data)) }
		if q, err := read(good.data); err != nil || !q.Shell || q.Event != BeforeToolUse || q.Request.Command != "ls" || q.Request.Cwd != "/w" || q.Request.Session != "s" {
			t.Errorf("%s: %s: %+v, %v", good.host, good.data, q, err)
		}
		with := func(old, new string) string {
			out := strings.Replace(good.data, old, new, 1)
			if out == good.data {
				t.Fatalf("%s: nothing replaced: %s", good.data, old)
			}
			return out
		}
		command, member := `{"command":"ls"}`, func(name string) string { return `"` + name + `":` }
		bad := []string{
			"", " \n", "hello", "\x00", "null", "[" + good.data + "]", good.data[:len(good.data)/2], good.data + good.data, good.data + "\x00", `{"cwd":"/w"}`,
			with(member(good.tool), `"tool":`),
			with(member(good.tool), member(good.tool)+`null,"x":`),
			with(member(good.tool), member(good.tool)+`7,"x":`),
			with(member(good.tool), member(good.tool)+`"Read",`+member(good.tool)),
			with(member(good.input), `"x":`),
			with(command, `{"Command":"ls"}`),
			with(command, `"ls"`),
			with(command, `null`),
			with(command, `["ls"]`),
			with(command, `{"command":["ls"]}`),
			with(command, `{"command":null}`),
			with(command, `{"command":7}`),
			with(command, `{"command":"ls","command":"rm x"}`),
			with(command, `{"command":"ls","comm\u0061nd":"rm x"}`),
			with(command, `{"command":"ls","COMMAND":"rm x"}`),
			with(command, `{"command":"ls \ud800"}`),
			with(command, "{\"command\":\"ls \xff\"}"),
			with(command, "{\"command\":\"ls\nrm\"}"),
			with(command, `{/*c*/"command":"ls"}`),
			with(command, command+`,`+member(good.input)+`{"command":"rm x"}`),
			with(`"/w"`, `7`),
			with(`"/w"`, `"sub"`),
			with(`"/w"`, `["/w"]`),
			with(`"s"`, `{}`),
			with(`"s"`, `7`),
		}
		// Without anything to run, a second name of the shell is a tool like others.
		if q, err := read(with(command, `{}`)); err == nil && (q.Shell || len(q.Tool.Args) > 0) {
			t.Errorf("%s without a command is read as %+v", good.host, q)
		}
		if good.event != "" {
			name := h.EventName(BeforeToolUse)
			if !strings.Contains(good.data, `"`+name+`"`) {
				name = "PreToolUse"
			}
			bad = append(bad,
				with(name, "PreToolUsage"), with(name, ""), with(name, "PRETOOLUSE"), with(name, "pre_tool_use"),
				with(`"`+name+`"`, "1"), with(`"`+name+`"`, "[]"),
				with(member(good.event), `"Event":`),
				with(member(good.cwd), member(good.event)+`"Stop",`+member(good.cwd)))
		}
		for _, data := range bad {
			if q, err := read(data); err == nil {
				t.Errorf("%s: %s is read as %+v", good.host, data, q)
			}
		}
	}
}
