package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/serve"
)

// server answers the lines of one client, in this process.
type server struct {
	in   *io.PipeWriter
	out  *bufio.Reader
	next int
}

func newServer(t *testing.T, p *cli.Process) *server {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	p.Name, p.Stdin, p.Stdout, p.Stderr = "bashgated", in, out, io.Discard
	p.Getwd = func() (string, error) { return "/", nil }
	p.Exit = func(int) { panic("the server ends") }
	ended := make(chan error, 1)
	go func() { ended <- (&serve.Server{Process: p, Stdio: true}).Serve(context.Background()) }()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &server{in: toServer, out: bufio.NewReader(fromServer)}
}

// ask puts an event of Claude Code's in the words of the protocol.
func (s *server) ask(event map[string]any, home string, attended bool) (decision, reason string, err error) {
	s.next++
	line := translate(event, attended)
	line["v"], line["id"] = 1, fmt.Sprint(s.next)
	if _, tool := line["tool"]; tool {
		line["env"], line["shell"] = map[string]any{"HOME": home, "*": nil}, "bash"
	}
	data, err := json.Marshal(line)
	if err != nil {
		return "", "", err
	}
	if _, err := s.in.Write(append(data, '\n')); err != nil {
		return "", "", err
	}
	text, err := s.out.ReadString('\n')
	if err != nil {
		return "", "", err
	}
	var r struct {
		ID, Decision, Reason string
		Error                *struct{ Text string }
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.ID != line["id"] || r.Error != nil {
		return "", "", fmt.Errorf("%s\n%s: %w", data, text, err)
	}
	words := map[string]string{"allow": "allow", "ask": "ask", "block": "deny", "none": ""}
	return words[r.Decision], codeless(r.Reason), nil
}

// translate is an event of Claude Code's in the words of the protocol, without what
// is the same in all of them; nil of an event that the protocol has not.
func translate(event map[string]any, attended bool) map[string]any {
	line := map[string]any{"session": event["session_id"], "cwd": event["cwd"]}
	switch event["hook_event_name"] {
	case "PreToolUse":
		line["event"], line["attended"] = "before_tool_use", attended
	case "PostToolUse":
		line["event"] = "after_tool_use"
	case "PostToolUseFailure":
		line["event"], line["failed"] = "after_tool_use", true
	case "UserPromptSubmit":
		line["event"], line["prompt"] = "prompt_submit", event["prompt"]
		return line
	case "SessionStart":
		line["event"], line["source"] = "session_start", event["source"]
		return line
	case "SessionEnd":
		line["event"] = "session_end"
		return line
	default:
		return nil
	}
	line["tool"], line["input"], line["mode"], line["use"] = event["tool_name"], event["tool_input"], event["permission_mode"], event["tool_use_id"]
	if line["tool"] == "Bash" {
		input := map[string]any{}
		for theirs, ours := range map[string]string{"command": "command", "run_in_background": "background"} {
			if value, there := event["tool_input"].(map[string]any)[theirs]; there {
				input[ours] = value
			}
		}
		line["tool"], line["input"] = "shell", input
	}
	if line["tool"] == "Grep" { // which searches the session's directory
		input := map[string]any{"path": event["cwd"]}
		for key, value := range event["tool_input"].(map[string]any) {
			input[key] = value
		}
		line["input"] = input
	}
	for _, key := range []string{"mode", "use"} {
		if line[key] == nil {
			delete(line, key)
		}
	}
	return line
}

// environ is an environment.
func environ(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

// TestServedDays puts every event of the days to the hook, and in the words of the
// protocol to a server with a memory of its own. They say the same.
func TestServedDays(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN with -short: it builds bashgate")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "built")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/bashgate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	gate, err := prepare(dir, binary)
	if err != nil {
		t.Fatal(err)
	}
	dirs := []string{"testdata"}
	if more, err := filepath.Glob("../../../shared/sessions/*.day"); err == nil && len(more) > 0 {
		dirs = append(dirs, "../../../shared/sessions")
	}
	days, err := load(dirs)
	if err != nil {
		t.Fatal(err)
	}
	asked, answers := 0, map[string]int{}
	for i := range days {
		for _, s := range []setting{{}, {reviewer: true}} {
			servers := map[string]*server{}
			d := driver{dir: dir, testdata: "testdata", gate: gate}
			d.heard = func(a *agent, event map[string]any, decision, reason string) error {
				there := servers[a.home]
				if there == nil {
					there = newServer(t, &cli.Process{
						Getenv: environ(map[string]string{"HOME": a.home, "XDG_STATE_HOME": filepath.Join(a.home, "served")}),
						Carry:  cop.Client(filepath.Join(filepath.Dir(a.gate), reviewerName)),
					})
					servers[a.home] = there
				}
				d, why, err := there.ask(event, a.home, true)
				if err == nil && (d != decision || why != reason) {
					err = fmt.Errorf("the hook says %q, %s\nthe server says %q, %s", decision, reason, d, why)
				}
				asked++
				answers[d]++
				return err
			}
			if _, err := d.drive(&days[i], &s); err != nil {
				t.Errorf("%s, %s: %v", days[i].name, s.String(), err)
			}
		}
	}
	t.Logf("%d events of %d days: %v", asked, len(days), answers)
	if asked < 500 || answers["allow"] < 100 || answers["ask"] < 20 {
		t.Errorf("%d events, %v: that shows little", asked, answers)
	}
}

// codeless is a reason without the code of the question that waits, which is random.
func codeless(reason string) string {
	before, after, found := strings.Cut(reason, "bashgate approve ")
	if !found || len(after) < len("KXRT") {
		return reason
	}
	return before + "bashgate approve CODE" + after[len("KXRT"):]
}

// hooked is what Claude Code's hook answers to an event.
func hooked(t *testing.T, p cli.Process, event map[string]any) (decision, reason string) {
	t.Helper()
	data, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	p.Args, p.Stdin, p.Stdout, p.Stderr = []string{"hook", "claude"}, bytes.NewReader(data), &out, &complaints
	p.Getwd = func() (string, error) { return "/", nil }
	p.Exit = func(int) { panic("the hook is late") }
	p.Patience = time.Minute
	if status := cli.Run(&p); status != 0 {
		t.Fatalf("%s: status %d, %s", data, status, &complaints)
	}
	if out.Len() == 0 {
		return "", ""
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.HookSpecificOutput.PermissionDecision, codeless(answer.HookSpecificOutput.PermissionDecisionReason)
}

// TestServedFixtures does that with what Claude Code has sent, in order.
func TestServedFixtures(t *testing.T) {
	names, err := filepath.Glob("../host/testdata/claude-*.json")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d fixtures: %v", len(names), err)
	}
	home := t.TempDir()
	there := newServer(t, &cli.Process{Getenv: environ(map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "served")})})
	compared := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var fixture struct {
			Stdin map[string]any
			Env   map[string]string
		}
		if err := json.Unmarshal(data, &fixture); err != nil {
			t.Fatal(err)
		}
		if translate(fixture.Stdin, true) == nil {
			continue
		}
		compared++
		env := fixture.Env
		attended := env["CLAUDE_CODE_SESSION_ATTENDED"] != "0"
		env["HOME"], env["SHELL"] = home, "/bin/bash"
		decision, reason := hooked(t, cli.Process{Getenv: environ(env)}, fixture.Stdin)
		d, why, err := there.ask(fixture.Stdin, home, attended)
		if err != nil || d != decision || why != reason {
			t.Errorf("%s: the hook says %q, %s\nthe server says %q, %s (%v)", name, decision, reason, d, why, err)
		}
	}
	if compared < 8 {
		t.Errorf("%d events", compared)
	}
}

// TestServedRows does that with every row of the promises, in its mode and with
// what it switches on.
func TestServedRows(t *testing.T) {
	type settings struct {
		Profile, Pack  string
		DeniedCommands []string `json:"denied_commands"`
		AllowedDirs    []string `json:"allowed_dirs"`
	}
	type row struct {
		settings
		Cmd, Mode, Cwd string
	}
	names, err := filepath.Glob("../acceptance/testdata/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	groups := map[string][]row{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var r row
			if len(bytes.TrimSpace(line)) == 0 || json.Unmarshal(line, &r) != nil || r.Cmd == "" {
				continue
			}
			config := ""
			if r.Profile != "" {
				config += fmt.Sprintf("profile = %q\n", r.Profile)
			}
			if r.Pack != "" {
				config += fmt.Sprintf("packs = [%q]\n", r.Pack)
			}
			if r.DeniedCommands != nil {
				list, _ := json.Marshal(r.DeniedCommands)
				config += fmt.Sprintf("denied_commands = %s\n", list)
			}
			if r.AllowedDirs != nil {
				list, _ := json.Marshal(r.AllowedDirs)
				config += fmt.Sprintf("allowed_dirs = %s\n", list)
			}
			groups[config] = append(groups[config], r)
		}
	}
	compared, answers := 0, map[string]int{}
	for config, rows := range groups {
		home := t.TempDir()
		if err := write(filepath.Join(home, ".config/bashgate/config.toml"), config, 0o600); err != nil {
			t.Fatal(err)
		}
		there := newServer(t, &cli.Process{Getenv: environ(map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "served")})})
		env := map[string]string{"HOME": home, "SHELL": "/bin/bash", "CLAUDECODE": "1"}
		for i, r := range rows {
			for _, attended := range []bool{true, false} {
				if !attended && i%10 != 0 {
					continue
				}
				env["CLAUDE_CODE_SESSION_ATTENDED"] = map[bool]string{true: "1", false: "0"}[attended]
				session := fmt.Sprint("s", i, attended)
				cwd := "/home/dev/project"
				if strings.HasPrefix(r.Cwd, "/") {
					cwd = r.Cwd
				}
				start := map[string]any{"hook_event_name": "SessionStart", "session_id": session, "cwd": cwd, "source": "startup"}
				event := map[string]any{"hook_event_name": "PreToolUse", "session_id": session, "cwd": cwd, "tool_name": "Bash", "tool_input": map[string]any{"command": r.Cmd}}
				if r.Mode != "" {
					event["permission_mode"] = r.Mode
				}
				for _, e := range []map[string]any{start, event} {
					decision, reason := hooked(t, cli.Process{Getenv: environ(env)}, e)
					d, why, err := there.ask(e, home, attended)
					if err != nil || d != decision || why != reason {
						t.Errorf("%s %q: the hook says %q, %s\nthe server says %q, %s (%v)", config, r.Cmd, decision, reason, d, why, err)
					}
					answers[d]++
				}
				compared++
			}
		}
	}
	t.Logf("%d rows in %d settings: %v", compared, len(groups), answers)
	if compared < 1500 || slices.Min([]int{answers["allow"], answers["ask"], answers["deny"]}) < 100 {
		t.Errorf("%d rows: %v", compared, answers)
	}
}
