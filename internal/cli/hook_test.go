//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/race"
)

// process makes a Process that runs in an empty home and workspace. The
// workspace is no temporary directory of everybody, for there repositories
// are not trusted.
func process(t *testing.T, stdin io.Reader, args ...string) (p *Process, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	home := t.TempDir()
	return &Process{
		Args: args, Stdin: stdin, Stdout: stdout, Stderr: stderr,
		Getenv: func(name string) string {
			switch name {
			case "HOME":
				return home
			case "SHELL":
				return "/bin/bash"
			}
			return ""
		},
		Getwd: func() (string, error) { return "/srv/project", nil },
	}, stdout, stderr
}

func payload(command string) string {
	text, err := json.Marshal(command)
	if err != nil {
		panic(err)
	}
	return `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":` + string(text) + `},"session_id":"s1","cwd":"/srv/project","permission_mode":"default"}`
}

// decisionOf reads Claude Code's answer; "" for no answer.
func decisionOf(t *testing.T, out []byte) (decision, reason string) {
	t.Helper()
	if len(out) == 0 {
		return "", ""
	}
	var answer struct {
		HookSpecificOutput struct {
			HookEventName, PermissionDecision, PermissionDecisionReason string
		}
	}
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&answer); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	if answer.HookSpecificOutput.HookEventName != "PreToolUse" {
		t.Errorf("an answer to %q", answer.HookSpecificOutput.HookEventName)
	}
	return answer.HookSpecificOutput.PermissionDecision, answer.HookSpecificOutput.PermissionDecisionReason
}

func TestHook(t *testing.T) {
	for _, row := range []struct{ command, want, reason string }{
		{"ls -la", "allow", "bashgate: allowed by the rules"},
		{"", "allow", ""},
		{" \t\n# nothing\n", "allow", ""},
		{"rm -rf /", "deny", "bashgate: "},
		{"ls && rm -rf /", "deny", "bashgate: "},
		{"frobnicate --all", "ask", "frobnicate"},
		{"echo 'unclosed", "ask", "bashgate: "},
		{"ls \x00 rm", "ask", "bashgate: "},
		{"ls\r\nrm", "ask", "bashgate: "},
	} {
		p, stdout, stderr := process(t, strings.NewReader(payload(row.command)))
		status := Run(p)
		decision, reason := decisionOf(t, stdout.Bytes())
		if status != 0 || decision != row.want || !strings.Contains(reason, row.reason) || stderr.Len() > 0 {
			t.Errorf("%q: status %d, %s (%s), stderr %q; want %s (%s)", row.command, status, decision, reason, stderr, row.want, row.reason)
		}
		if strings.ContainsAny(reason, "\n\r\x1b\x00") {
			t.Errorf("%q: the reason %q is not one plain line", row.command, reason)
		}
	}
}

// However long a command is, what is said about it is not.
func TestHookLongCommand(t *testing.T) {
	for _, command := range []string{
		strings.Repeat("x", 100<<10),
		strings.Repeat("x", 10<<20),
		strings.Repeat("\x01", 1<<20),
		strings.Repeat("frob && ", 10000) + "frob",
		strings.Repeat("$(", 1<<20),
	} {
		p, stdout, stderr := process(t, strings.NewReader(payload(command)))
		start := time.Now()
		status := Run(p)
		// A tenth of a second is usual; the limit is for what never ends.
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%.20q: took %v", command, took)
		}
		decision, _ := decisionOf(t, stdout.Bytes())
		if status != 0 || decision != "ask" || stdout.Len() > 4000 || stderr.Len() > 0 {
			t.Errorf("%.20q: status %d, %s in %d bytes, stderr %q", command, status, decision, stdout.Len(), stderr)
		}
	}
}

// What can't be understood is asked about, with one line for the log.
func TestHookBadInput(t *testing.T) {
	good := payload("ls")
	for name, data := range map[string]string{
		"empty":        "",
		"text":         "ls -la",
		"truncated":    good[:len(good)-20],
		"second value": good + good,
		"wrong type":   strings.Replace(good, `"ls"`, `["ls"]`, 1),
		"duplicate":    strings.Replace(good, `"command":`, `"command":"ls","command":`, 1),
		"case":         strings.Replace(good, `"command":`, `"Command":"ls","command":`, 1),
		"surrogate":    strings.Replace(good, `"ls"`, `"ls \udc00"`, 1),
		"not UTF-8":    strings.Replace(good, `"ls"`, "\"ls \xfe\"", 1),
		"NUL":          good + "\x00",
		"no command":   strings.Replace(good, `"command":"ls"`, ``, 1),
		"event":        strings.Replace(good, `PreToolUse`, "Pre\\u001b[31mToolUse", 1),
		"too large":    `{"x":"` + strings.Repeat("x", maxInput) + `"}`,
	} {
		p, stdout, stderr := process(t, strings.NewReader(data), "hook", "claude")
		status := Run(p)
		decision, reason := decisionOf(t, stdout.Bytes())
		if status != 0 || decision != "ask" || !strings.Contains(reason, "can't be understood") {
			t.Errorf("%s: status %d, %s (%s)", name, status, decision, reason)
		}
		if line := stderr.String(); strings.Count(line, "\n") != 1 || !strings.HasPrefix(line, "bashgate: error: Claude Code's input can't be understood: ") || strings.Contains(line, "\x1b") {
			t.Errorf("%s: stderr %q", name, line)
		}
	}
}

func TestHookOtherEvents(t *testing.T) {
	for _, data := range []string{
		strings.Replace(payload("rm -rf /"), "PreToolUse", "PostToolUse", 1),
		strings.Replace(payload("ls"), `"Bash"`, `"Read"`, 1),
		`{"hook_event_name":"SessionStart"}`,
	} {
		p, stdout, stderr := process(t, strings.NewReader(data), "hook", "claude")
		if status := Run(p); status != 0 || stdout.Len() > 0 || stderr.Len() > 0 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", data, status, stdout, stderr)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// Where no answer can be given, the exit status denies and the text says why.
func TestHookDeniesByStatus(t *testing.T) {
	p, stdout, stderr := process(t, brokenReader{})
	if status := Run(p); status != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "the pipe broke") {
		t.Errorf("unreadable: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	p, _, stderr = process(t, strings.NewReader(payload("ls")))
	p.Stdout = brokenWriter{}
	if status := Run(p); status != 2 || !strings.Contains(stderr.String(), "the disk is full") {
		t.Errorf("unwritable: status %d, stderr %q", status, stderr)
	}
	p, stdout, stderr = process(t, strings.NewReader(strings.Replace(payload("ls"), `"cwd":`, `"no_cwd":`, 1)), "hook", "claude")
	p.Getwd = func() (string, error) { panic("no directory") }
	if status := Run(p); status != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "internal error: no directory") {
		t.Errorf("panic: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	p, stdout, stderr = process(t, strings.NewReader(payload("ls")), "--host", "nobody")
	if status := Run(p); status != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), `unknown host "nobody"; known: claude`) {
		t.Errorf("host: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	p, stdout, stderr = process(t, strings.NewReader(payload("ls")), "--no-such-flag")
	if status := Run(p); status != 2 || stdout.Len() > 0 || stderr.Len() == 0 {
		t.Errorf("flag: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

// A decision that takes too long ends the process, whatever it waits for.
func TestWithin(t *testing.T) {
	p, _, stderr := process(t, nil)
	exit := make(chan int, 1)
	p.Exit = func(status int) { exit <- status }
	within(p, time.Millisecond, func(what, _ string) int { p.complain(what, ""); return 2 }, func(func(time.Duration)) int {
		if status := <-exit; status != 2 || !strings.Contains(stderr.String(), "no decision within 1ms") {
			t.Errorf("status %d, stderr %q", status, stderr)
		}
		return 0
	})
	if status := within(p, time.Hour, func(what, _ string) int { p.complain(what, ""); return 2 }, func(func(time.Duration)) int { return 3 }); status != 3 {
		t.Errorf("status %d, want 3", status)
	}
}

// A configuration that can't be used may have held stricter rules.
func TestHookBrokenConfiguration(t *testing.T) {
	p, stdout, _ := process(t, strings.NewReader(payload("ls")))
	dir := p.Getenv("HOME") + "/.config/bashgate"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/config.toml", []byte("profil = \"denylist\"\nmore = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status := Run(p); status != 0 {
		t.Errorf("status %d", status)
	}
	decision, reason := decisionOf(t, stdout.Bytes())
	if want := `config.toml:1:1: unknown key "profil" in the file, and 1 more error`; decision != "ask" || !strings.Contains(reason, want) {
		t.Errorf("%s (%s), want ask (%s)", decision, reason, want)
	}
}

func TestHookDefersUnknown(t *testing.T) {
	for command, want := range map[string]string{
		"frobnicate":             "",
		"ls && frobnicate":       "",
		"ls":                     "allow",
		"frobnicate && rm -rf /": "deny",
		"frobnicate >>~/.bashrc": "ask",
	} {
		p, stdout, _ := process(t, strings.NewReader(payload(command)))
		dir := p.Getenv("HOME") + "/.config/bashgate"
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/config.toml", []byte("[hook]\nunknown = \"defer\"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		status := Run(p)
		if decision, reason := decisionOf(t, stdout.Bytes()); status != 0 || decision != want {
			t.Errorf("%s: status %d, %q (%s), want %q", command, status, decision, reason, want)
		}
	}
}

// saidTo reads what an agent is told, in whatever form: "allow", "ask", "deny", or
// "" for nothing.
func saidTo(t *testing.T, stdout, stderr []byte, status int) string {
	t.Helper()
	if status != 0 {
		if len(stderr) == 0 {
			t.Fatalf("status %d without a text", status)
		}
		return "deny"
	}
	if len(stdout) == 0 {
		return ""
	}
	var answer any
	if err := json.Unmarshal(stdout, &answer); err != nil || stdout[len(stdout)-1] != '\n' {
		t.Fatalf("%q: %v", stdout, err)
	}
	for object, _ := answer.(map[string]any); object != nil; {
		var inner map[string]any
		for key, value := range object {
			switch v := value.(type) {
			case map[string]any:
				inner = v
			case bool:
				switch key {
				case "cancel":
					return map[bool]string{true: "deny", false: "allow"}[v]
				case "continue":
					return map[bool]string{true: "", false: "deny"}[v]
				}
			case string:
				switch key {
				case "permissionDecision", "decision", "behavior", "permission":
					return map[string]string{"allow": "allow", "ask": "ask", "deny": "deny", "block": "deny"}[v]
				}
			}
		}
		object = inner
	}
	t.Fatalf("%s says nothing", stdout)
	return ""
}

// samples are what agents really send, with the index of each among all agents.
func samples(t testing.TB, each func(data []byte, which uint8, event string)) {
	t.Helper()
	files, err := filepath.Glob("../host/testdata/*-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sample struct {
			Stdin json.RawMessage
			Args  []string
		}
		if err := json.Unmarshal(text, &sample); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(file), "-")
		for i, h := range host.All() {
			if h.Name == name {
				each(sample.Stdin, uint8(i), strings.Join(sample.Args, ""))
			}
		}
	}
}

// mayAct is where the agent would act on silence: it waits for an answer about a
// tool and has not said that it asks its user anyway, or nobody knows what it
// waits for.
func mayAct(q *host.Question) bool {
	return q.Event == host.None || q.Event == host.BeforeToolUse
}

// refuse holds the law about one input and one agent: what can't be understood is
// asked about or denied, with a text. It returns what was said.
func refuse(t *testing.T, data []byte, which uint8, event string, flags ...string) string {
	t.Helper()
	h := host.All()[int(which)%len(host.All())]
	p, stdout, stderr := process(t, bytes.NewReader(data), "hook", h.Name)
	if event != "" && event[0] != '-' {
		p.Args = append(p.Args, event)
	} else {
		event = ""
	}
	p.Args = append(p.Args, flags...)
	status := Run(p)
	said := saidTo(t, stdout.Bytes(), stderr.Bytes(), status)
	q, err := h.Read(host.Parse(host.Input{Data: data, Event: event, Getenv: p.Getenv, Dir: func() string { return "/srv/project" }}))
	if q.Event != host.None && !q.Event.Waits() {
		return said // nothing is decided: Cline's word for that is its word for yes
	}
	if err != nil && (said == "allow" || said == "" && mayAct(&q)) {
		t.Fatalf("%s: %q is not understood (%v), and %s is told %q", h.Name, data, err, h.Title, said)
	}
	if said == "allow" && (err != nil || !json.Valid(data)) {
		t.Fatalf("%s is told to run %q", h.Title, data)
	}
	return said
}

// TestHookMalformedForAll spoils what each agent sends.
func TestHookMalformedForAll(t *testing.T) {
	race.Sequential(t)
	samples(t, func(data []byte, which uint8, event string) {
		text := string(data)
		spoiled := []string{text[:len(text)/2], text + text, text + "\x00", "[" + text + "]", strings.Replace(text, `"command": "`, `"command": 7, "x": "`, 1), strings.Replace(text, `"command": "`, `"command": "ls", "command": "`, 1), strings.Replace(text, `"command": "`, "\"command\": \"\xff", 1), "", "null", "{}"}
		for _, bad := range spoiled {
			refuse(t, []byte(bad), which, event)
			refuse(t, []byte(bad), which, event, "--prompts")
		}
	})
}

// FuzzHook checks that an allow is only ever said to a well-formed question, in
// every agent's form, and that a block reaches every question about one.
func FuzzHook(f *testing.F) {
	f.Add([]byte(payload("ls -la")), uint8(0), "")
	f.Add([]byte(payload("rm -rf /")), uint8(0), "")
	f.Add([]byte(strings.Replace(payload("ls"), `"command"`, `"command":1,"command"`, 1)), uint8(0), "")
	for _, row := range malformed {
		if len(row.data) < maxInput {
			f.Add([]byte(row.data), uint8(0), "")
		}
	}
	samples(f, func(data []byte, which uint8, event string) { f.Add(data, which, event) })
	f.Fuzz(func(t *testing.T, data []byte, which uint8, event string) {
		said := refuse(t, data, which, event)
		if int(which)%len(host.All()) == 0 && event == "" && bytes.HasPrefix(data, []byte(`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"`)) && said != "deny" && !bytes.Contains(data, []byte("event")) {
			t.Fatalf("%q: %s", data, said)
		}
	})
}
