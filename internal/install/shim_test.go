package install

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shimRow is what a hook does, and what becomes of the tool.
type shimRow struct {
	name, hook string // a shell script
	want       string // "run", or the reason
}

var shimRows = []shimRow{
	{"allow", `echo '{"decision":"allow","reason":"fine"}'`, "run"},
	{"nothing to say", `:`, "run"},
	{"block", `echo '{"decision":"block","reason":"no"}'`, "no"},
	{"ask", `echo '{"decision":"ask","reason":"sure?"}'`, "sure?"},
	{"block without a reason", `echo '{"decision":"block"}'`, "bashgate: no reason is known"},
	{"exit status 2", `echo gone wrong >&2; exit 2`, "gone wrong"},
	{"exit status 1 with an allow", `echo '{"decision":"allow"}'; exit 1`, "bashgate: no decision"},
	{"killed", `kill -9 $$`, "bashgate: no decision"},
	{"no JSON", `echo allow`, "*"},
	{"half an answer", `echo '{"decision":"al'`, "*"},
	{"another decision", `echo '{"decision":"yes"}'`, "bashgate: an answer that is not understood"},
	{"a list", `echo '["allow"]'`, "bashgate: an answer that is not understood"},
	{"null", `echo null`, "*"},
	{"not there", "", "*"},
}

// runShim runs a plugin under Node with a script that prints what became of the
// tool, and returns that and what the hook was given.
func runShim(t *testing.T, host, hook, script string) (result string, events []map[string]any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run plugins with")
	}
	w := newWorld(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "bash gate", "bashgate")
	log := filepath.Join(dir, "log")
	if err := os.Mkdir(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	if hook != "" {
		text := "#!/bin/sh\ncat >>" + log + "\necho \" $*\" >>" + log + "\n" + hook + "\n"
		if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a := Find(host)
	w.install(a, User, Options{Program: program})
	shim := a.Places(w.Place, User)[0]
	text := w.read(shim)
	module := filepath.Join(dir, "shim.mjs") // the agents take .js and .ts as modules too
	if err := os.WriteFile(module, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(dir, "main.mjs")
	script = "import * as shim from " + quoteJSON(module) + ";\n" + script
	if err := os.WriteFile(main, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, main)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, &stderr)
	}
	data, _ := os.ReadFile(log)
	for line := range strings.Lines(string(data)) {
		object, args, _ := strings.Cut(line, "} ")
		if !strings.HasPrefix(args, "hook "+host) {
			t.Errorf("the hook was started with %q", args)
		}
		event := map[string]any{}
		if err := json.Unmarshal([]byte(object+"}"), &event); err != nil {
			t.Fatalf("the hook was given %q: %v", line, err)
		}
		events = append(events, event)
	}
	return strings.TrimSpace(string(out)), events
}

func checkShim(t *testing.T, row shimRow, result, ran string) {
	t.Helper()
	switch {
	case row.want == "run":
		if result != ran {
			t.Errorf("%s: %s", row.name, result)
		}
	case result == ran, row.want != "*" && !strings.Contains(result, row.want):
		t.Errorf("%s: %s, want %s", row.name, result, row.want)
	}
}

const opencodeScript = `
const plugin = await shim.Bashgate({ directory: "/srv/p", worktree: "/srv" });
try {
  await plugin["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "git push" } });
  console.log("ran");
} catch (e) { console.log(e.message); }
await plugin["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c" }, { title: "", output: "hi", metadata: {} });
`

func TestOpencodeShim(t *testing.T) {
	for _, host := range [...]string{"opencode", "kilo"} {
		for _, row := range shimRows {
			result, _ := runShim(t, host, row.hook, opencodeScript)
			checkShim(t, row, result, "ran")
		}
		_, events := runShim(t, host, ":", opencodeScript)
		if len(events) != 2 {
			t.Fatalf("%s: events %v", host, events)
		}
		for key, want := range map[string]string{
			"hook_event_name": `"PreToolUse"`, "host": `"` + host + `"`, "point": `"tool.execute.before"`, "directory": `"/srv/p"`, "worktree": `"/srv"`,
			"input": `{"callID":"c","sessionID":"s","tool":"bash"}`, "output": `{"args":{"command":"git push"}}`,
		} {
			if got, _ := json.Marshal(events[0][key]); string(got) != want {
				t.Errorf("%s: %s is %s, want %s", host, key, got, want)
			}
		}
		if events[1]["hook_event_name"] != "PostToolUse" || events[1]["point"] != "tool.execute.after" {
			t.Errorf("%s: after the tool: %v", host, events[1])
		}
	}
}

const piScript = `
const handlers = {};
shim.default({ on: (name, f) => { handlers[name] = f; } });
const ctx = { cwd: "/srv/p", hasUI: HASUI, ui: { confirm: async (title, text) => ANSWER },
  sessionManager: { getSessionId: () => "s", getSessionFile: () => "/x/s.jsonl" } };
const event = { toolName: "bash", toolCallId: "c", input: { command: "git push" } };
await handlers.session_start({ reason: "startup" }, ctx);
const r = await handlers.tool_call(event, ctx);
console.log(r === undefined ? "ran" : JSON.stringify(r));
await handlers.tool_result({ ...event, content: [{ type: "text", text: "hi" }], isError: false }, ctx);
`

func TestPiShim(t *testing.T) {
	fill := func(ui, answer string) string {
		return strings.NewReplacer("HASUI", ui, "ANSWER", answer).Replace(piScript)
	}
	for _, row := range shimRows {
		result, _ := runShim(t, "pi", row.hook, fill("false", "true"))
		checkShim(t, row, result, "ran")
		if result != "ran" && !strings.Contains(result, `"block":true`) {
			t.Errorf("%s: %s", row.name, result)
		}
		if row.want != "run" && row.want != "sure?" && row.name != "killed" {
			continue // nobody is asked
		}
		result, _ = runShim(t, "pi", row.hook, fill("true", "false"))
		checkShim(t, row, result, "ran")
		result, _ = runShim(t, "pi", row.hook, fill("true", "true"))
		if row.name == "ask" {
			row.want = "run"
		}
		checkShim(t, row, result, "ran")
	}
	_, events := runShim(t, "pi", ":", fill("true", "true"))
	if len(events) != 3 {
		t.Fatalf("events %v", events)
	}
	for key, want := range map[string]string{
		"hook_event_name": `"PreToolUse"`, "host": `"pi"`, "cwd": `"/srv/p"`, "has_ui": `true`, "session_id": `"s"`, "session_file": `"/x/s.jsonl"`,
		"tool_name": `"bash"`, "tool_use_id": `"c"`, "tool_input": `{"command":"git push"}`,
	} {
		if got, _ := json.Marshal(events[1][key]); string(got) != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if events[0]["hook_event_name"] != "SessionStart" || events[2]["hook_event_name"] != "PostToolUse" {
		t.Errorf("around the tool: %v, %v", events[0], events[2])
	}
}

const ampScript = `
const handlers = {};
shim.default({ on: (name, f) => { handlers[name] = f; }, system: { workspaceRoot: "file:///srv/p" }, helpers: { filePathFromURI: (u) => u.slice(7) } });
const event = { tool: "Bash", toolUseID: "c", input: { cmd: "git push" }, thread: { id: "T-1" } };
const r = await handlers["tool.call"](event, {});
console.log(JSON.stringify(r));
await handlers["tool.result"]({ ...event, output: "hi", status: "done" }, {});
`

func TestAmpShim(t *testing.T) {
	for _, row := range shimRows {
		result, _ := runShim(t, "amp", row.hook, ampScript)
		checkShim(t, row, result, `{"action":"allow"}`)
		if result != `{"action":"allow"}` && !strings.Contains(result, `"action":"reject-and-continue"`) {
			t.Errorf("%s: %s", row.name, result)
		}
	}
	_, events := runShim(t, "amp", ":", ampScript)
	if len(events) != 2 {
		t.Fatalf("events %v", events)
	}
	for key, want := range map[string]string{
		"hook_event_name": `"PreToolUse"`, "host": `"amp"`, "cwd": `"/srv/p"`, "session_id": `"T-1"`,
		"tool_name": `"Bash"`, "tool_use_id": `"c"`, "tool_input": `{"cmd":"git push"}`,
	} {
		if got, _ := json.Marshal(events[0][key]); string(got) != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

// Cline looks at no exit status: whatever the hook does, there is an answer.
func TestClineScript(t *testing.T) {
	for _, row := range []struct{ hook, want string }{
		{`echo '{"cancel":false}'`, `{"cancel":false}`},
		{`echo '{"cancel":true,"errorMessage":"no"}'`, `{"cancel":true,"errorMessage":"no"}`},
		{`exit 2`, `{"cancel":true,"errorMessage":"bashgate: no decision"}`},
		{`kill -9 $$`, `{"cancel":true,"errorMessage":"bashgate: no decision"}`},
		{``, `{"cancel":true,"errorMessage":"bashgate: no decision"}`},
	} {
		w := newWorld(t)
		program := w.Expand("~/bash gate/bashgate")
		if row.hook != "" {
			w.write(program, "#!/bin/sh\n"+row.hook+"\n")
			if err := os.Chmod(program, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		w.install(Find("cline"), User, Options{Program: program})
		out, err := exec.Command(w.Expand("~/.cline/hooks/PreToolUse")).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != row.want {
			t.Errorf("%q: %q, %v, want %q", row.hook, got, err, row.want)
		}
	}
}
