package install

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// runShim runs a plugin under Node, once for each hook, and returns what a
// script says with say() each time, and what the last hook was given.
func runShim(t *testing.T, host string, hooks []string, script string) (results []string, events []map[string]any) {
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
	a := Find(host)
	w.install(a, User, Options{Program: program})
	module := filepath.Join(dir, "shim.mjs") // the agents take .js and .ts as modules too
	if err := os.WriteFile(module, []byte(w.read(a.Places(w.Place, User)[0])), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(hooks)
	if err != nil {
		t.Fatal(err)
	}
	main := filepath.Join(dir, "main.mjs")
	script = `
import * as fs from "node:fs";
import * as shim from ` + quoteJSON(module) + `;
const program = ` + quoteJSON(program) + `, log = ` + quoteJSON(log) + `;
for (const hook of ` + string(list) + `) {
  fs.rmSync(log, { force: true });
  fs.rmSync(program, { force: true });
  if (hook) fs.writeFileSync(program, "#!/bin/sh\ncat >>" + log + "\necho \" $*\" >>" + log + "\n" + hook + "\n", { mode: 0o755 });
  const say = (text) => console.log(JSON.stringify(text));
` + script + "}\n"
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
	for line := range strings.Lines(string(out)) {
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		results = append(results, text)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		object, args, _ := strings.Cut(line, "} ")
		if args != "hook "+host+"\n" {
			t.Errorf("the hook was started with %q", args)
		}
		event := map[string]any{}
		if err := json.Unmarshal([]byte(object+"}"), &event); err != nil {
			t.Fatalf("the hook was given %q: %v", line, err)
		}
		events = append(events, event)
	}
	return results, events
}

// checkShim runs all rows, and a last one whose events are checked: their names,
// and what is in the one before the tool.
func checkShim(t *testing.T, host, script, ran string, names []string, members map[string]string) {
	t.Helper()
	var hooks []string
	for _, row := range shimRows {
		hooks = append(hooks, row.hook)
	}
	results, events := runShim(t, host, append(hooks, ":"), script)
	if len(results) != len(hooks)+1 {
		t.Fatalf("results %q", results)
	}
	for i, row := range shimRows {
		switch result := results[i]; {
		case row.want == "run":
			if result != ran {
				t.Errorf("%s: %s", row.name, result)
			}
		case result == ran, row.want != "*" && !strings.Contains(result, row.want):
			t.Errorf("%s: %s, want %s", row.name, result, row.want)
		}
	}
	var got []string
	for _, e := range events {
		got = append(got, e["hook_event_name"].(string))
		if e["hook_event_name"] != "PreToolUse" {
			continue
		}
		for key, want := range members {
			if text, _ := json.Marshal(e[key]); string(text) != want {
				t.Errorf("%s is %s, want %s", key, text, want)
			}
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("events %q, want %q", got, names)
	}
}

func TestOpencodeShim(t *testing.T) {
	for _, host := range [...]string{"opencode", "kilo"} {
		checkShim(t, host, `
  const plugin = await shim.Bashgate({ directory: "/srv/p", worktree: "/srv" });
  try {
    await plugin["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "git push" } });
    say("ran");
  } catch (e) { say(e.message); }
  await plugin["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c" }, { title: "", output: "hi", metadata: {} });
`, "ran", []string{"PreToolUse", "PostToolUse"}, map[string]string{
			"host": `"` + host + `"`, "point": `"tool.execute.before"`, "directory": `"/srv/p"`, "worktree": `"/srv"`,
			"input": `{"callID":"c","sessionID":"s","tool":"bash"}`, "output": `{"args":{"command":"git push"}}`,
		})
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
  say(r === undefined ? "ran" : r.block === true ? r.reason : "ran all the same");
  await handlers.tool_result({ ...event, content: [{ type: "text", text: "hi" }], isError: false }, ctx);
`

func TestPiShim(t *testing.T) {
	fill := func(ui, answer string) string {
		return strings.NewReplacer("HASUI", ui, "ANSWER", answer).Replace(piScript)
	}
	checkShim(t, "pi", fill("false", "true"), "ran", []string{"SessionStart", "PreToolUse", "PostToolUse"}, map[string]string{
		"host": `"pi"`, "cwd": `"/srv/p"`, "has_ui": `false`, "session_id": `"s"`, "session_file": `"/x/s.jsonl"`,
		"tool_name": `"bash"`, "tool_use_id": `"c"`, "tool_input": `{"command":"git push"}`,
	})
	// Only a question is asked, and only a yes is one.
	ask, block := `echo '{"decision":"ask","reason":"sure?"}'`, `echo '{"decision":"block","reason":"no"}'`
	for answer, want := range map[string]string{"true": "ran", "false": "sure?", "undefined": "sure?", "(() => { throw new Error(\"gone\") })()": "gone"} {
		results, _ := runShim(t, "pi", []string{block, ask}, fill("true", answer))
		if !slices.Equal(results, []string{"no", want}) {
			t.Errorf("the answer %s: %q", answer, results)
		}
	}
}

func TestAmpShim(t *testing.T) {
	checkShim(t, "amp", `
  const handlers = {};
  shim.default({ on: (name, f) => { handlers[name] = f; }, system: { workspaceRoot: "file:///srv/p" }, helpers: { filePathFromURI: (u) => u.slice(7) } });
  const event = { tool: "Bash", toolUseID: "c", input: { cmd: "git push" }, thread: { id: "T-1" } };
  const r = await handlers["tool.call"](event, {});
  say(r.action === "reject-and-continue" ? r.message : r.action);
  await handlers["tool.result"]({ ...event, output: "hi", status: "done" }, {});
`, "allow", []string{"PreToolUse", "PostToolUse"}, map[string]string{
		"host": `"amp"`, "cwd": `"/srv/p"`, "session_id": `"T-1"`,
		"tool_name": `"Bash"`, "tool_use_id": `"c"`, "tool_input": `{"cmd":"git push"}`,
	})
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
		w.install(Find("cline"), User, Options{Program: program, FailClosed: true})
		out, err := exec.Command(w.Expand("~/.cline/hooks/PreToolUse")).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != row.want {
			t.Errorf("%q: %q, %v, want %q", row.hook, got, err, row.want)
		}
	}
}
