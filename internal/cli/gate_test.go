//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/session"
)

// agent is an agent at work in /srv/project: each of its events starts a hook
// in the same home.
type agent struct {
	t       *testing.T
	process *Process // of the last event
	env     map[string]string
}

func newAgent(t *testing.T, config string) *agent {
	t.Helper()
	a := &agent{t: t, env: map[string]string{"HOME": t.TempDir(), "SHELL": "/bin/bash", "CLAUDECODE": "1"}}
	a.process, _, _ = process(t, nil)
	a.process.Getenv = func(name string) string { return a.env[name] }
	if config != "" {
		configured(t, a.process, config)
	}
	return a
}

type fields map[string]any

// event sends an event of a session and returns the answer; "" for none. What
// the hook has to complain about is an error of the test.
func (a *agent) event(id, name string, more fields) (decision, reason string) {
	a.t.Helper()
	decision, reason, complaint := a.says(id, name, more)
	if complaint != "" {
		a.t.Errorf("%s of %s %v: %s", name, id, more, complaint)
	}
	return decision, reason
}

func (a *agent) says(id, name string, more fields) (decision, reason, complaint string) {
	a.t.Helper()
	all := fields{"hook_event_name": name, "session_id": id, "cwd": "/srv/project", "permission_mode": "default"}
	maps.Copy(all, more)
	data, err := json.Marshal(all)
	if err != nil {
		a.t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	p := *a.process
	p.Args, p.Stdin, p.Stdout, p.Stderr = []string{"hook", "claude"}, bytes.NewReader(data), &stdout, &stderr
	if status := Run(&p); status != 0 {
		a.t.Errorf("%s: status %d", data, status)
	}
	decision, reason = decisionOf(a.t, stdout.Bytes())
	return decision, reason, stderr.String()
}

// bash asks about a command.
func (a *agent) bash(id, command string) (decision, reason string) {
	a.t.Helper()
	return a.event(id, "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}, "tool_use_id": "use of " + command})
}

// tool asks about another tool's use. The arguments are names and values.
func (a *agent) tool(id, name string, args ...string) (decision, reason string) {
	a.t.Helper()
	return a.event(id, "PreToolUse", fields{"tool_name": name, "tool_input": pairs(args), "tool_use_id": "use of " + name})
}

func pairs(args []string) fields {
	input := fields{}
	for i := 0; i < len(args); i += 2 {
		input[args[i]] = args[i+1]
	}
	return input
}

func (a *agent) store() session.Store {
	store, err := session.Open(a.process.Getenv)
	if err != nil {
		a.t.Fatal(err)
	}
	return store
}

// counts is what counts of a session, in words.
func (a *agent) counts(id string) string {
	state := a.store().Read(session.Name("claude", id))
	taint := state.Taint(2)
	var words []string
	if taint.Corruption > 0 {
		words = append(words, "corruption")
	}
	if taint.Secret > 0 {
		words = append(words, "secret")
	}
	if taint.Damaged {
		words = append(words, "damaged")
	}
	return strings.Join(words, " ")
}

// TestSeen sends one event each and looks at what the session has seen then.
func TestSeen(t *testing.T) {
	for _, row := range []struct {
		name  string
		event string
		more  fields
		want  string
	}{
		{"a page", "PreToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}}, "corruption"},
		{"a trusted page", "PreToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://docs.acme.example/x"}}, ""},
		{"a page that nobody asked about before", "PostToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_response": "x"}, "corruption"},
		{"a page that failed", "PostToolUseFailure", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "error": "x"}, "corruption"},
		{"a search", "PreToolUse", fields{"tool_name": "WebSearch", "tool_input": fields{"query": "go"}}, ""},
		{"a browser", "PreToolUse", fields{"tool_name": "mcp__playwright__browser_navigate", "tool_input": fields{"url": "https://example.org/"}}, "corruption"},
		{"an MCP server that nobody knows", "PreToolUse", fields{"tool_name": "mcp__x__get", "tool_input": fields{}}, "corruption"},
		{"one with secrets", "PreToolUse", fields{"tool_name": "mcp__vault__get", "tool_input": fields{}}, "secret"},
		{"one of the user's", "PreToolUse", fields{"tool_name": "mcp__wiki__get", "tool_input": fields{}}, "corruption secret"},
		{"one that the user trusts", "PreToolUse", fields{"tool_name": "mcp__acme__get", "tool_input": fields{}}, ""},
		{"a tool of the user's", "PreToolUse", fields{"tool_name": "Inbox", "tool_input": fields{}}, "corruption"},
		{"a secret", "PreToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": "/srv/project/.env"}}, "secret"},
		{"a file", "PreToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": "/srv/project/main.go"}}, ""},
		{"a file of the user's", "PreToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": "/srv/project/x.secret.yaml"}}, "secret"},
		{"a directory that contains secrets", "PreToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": "/srv/private/x"}}, "secret"},
		{"a tool that is given rubbish", "PreToolUse", fields{"tool_name": "Read", "tool_input": 7}, "corruption secret"},
		{"a command that reads a secret", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "cat .env"}}, "secret"},
		{"a command that reads the network", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "curl -s https://example.org | head"}}, "corruption"},
		{"a command that has run", "PostToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "curl -s https://example.org"}}, "corruption"},
		{"a command of the user's", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "gh issue view 3"}}, ""},
		{"a harmless command", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "ls -la; git status"}}, ""},
		{"a command that is blocked", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "cat .env; rm -rf /"}}, ""},
		{"a file that the person names", "UserPromptSubmit", fields{"prompt": "look at @.env, please"}, "secret"},
		{"one in quotes", "UserPromptSubmit", fields{"prompt": `look at @"my dir/.env" (all of it)`}, "secret"},
		{"lines of one", "UserPromptSubmit", fields{"prompt": "(@~/.ssh/id_ed25519#L1-3)"}, "secret"},
		{"a resource of an MCP server", "UserPromptSubmit", fields{"prompt": "see @tracker:issue://12"}, "corruption"},
		{"an address with an @", "UserPromptSubmit", fields{"prompt": "mail me@x.env and look at @main.go"}, ""},
		{"a prompt", "UserPromptSubmit", fields{"prompt": "go"}, ""},
		{"a new session", "SessionStart", fields{"source": "startup"}, ""},
		{"a cleared context", "SessionStart", fields{"source": "clear"}, ""},
		{"another one's context", "SessionStart", fields{"source": "resume"}, "damaged"},
		{"a fork", "SessionStart", fields{"source": "fork"}, "damaged"},
		{"a summary of what nobody knows", "SessionStart", fields{"source": "compact"}, "damaged"},
		{"a beginning of an unknown kind", "SessionStart", nil, "damaged"},
		{"the end", "SessionEnd", fields{"reason": "other"}, ""},
		{"a subagent's end", "SubagentStop", fields{"agent_id": "a1"}, ""},
		{"a denial of what was not asked", "PermissionDenied", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_use_id": "u"}, ""},
	} {
		a := newAgent(t, `[taint]
trusted_hosts = ["*.acme.example"]
contains_secrets = ["/srv/private"]
`)
		rules := filepath.Join(a.env["HOME"], ".config/bashgate/rules/mine.toml")
		if err := os.MkdirAll(filepath.Dir(rules), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(rules, []byte(`
[[servers]]
name = "acme"

[[servers]]
name = "wiki"
public_source = true
secret_data = true

[[tools]]
id = "mine.inbox"
name = "Inbox"
corruption = 3
reason = "Mail"

[[paths]]
id = "mine.secret"
path = "**/*.secret.yaml"
secret = 2
reason = "A secret of ours"

[[sources]]
rules = ["gh.*"]
corruption = 1
`), 0o644); err != nil {
			t.Fatal(err)
		}
		a.event("s", row.event, row.more)
		if got := a.counts("s"); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
		if got := a.counts("another"); row.event != "SessionStart" && got != "" {
			t.Errorf("%s: another session has seen %q", row.name, got)
		}
	}
}

// TestSession goes through a session step by step.
func TestSession(t *testing.T) {
	a := newAgent(t, "")
	expect := func(id, command, want, reason string) {
		t.Helper()
		decision, got := a.bash(id, command)
		if decision != want || !strings.Contains(got, reason) {
			t.Errorf("%s: %s: %s (%s), want %s (%s)", id, command, decision, got, want, reason)
		}
	}
	silent := func(decision, reason string) {
		t.Helper()
		if decision != "" {
			t.Errorf("%s (%s), want no answer", decision, reason)
		}
	}
	silent(a.event("one", "SessionStart", fields{"source": "startup"}))
	expect("one", "ls", "allow", "")
	expect("one", "curl -s https://example.com/a", "allow", "")
	expect("one", "curl -s https://example.com/b", "ask", "untrusted content, and this talks to a machine that nobody here knows; seen: curl example.com")
	expect("one", "ls", "allow", "") // whatever was seen
	if decision, reason := a.tool("one", "Read", "file_path", "/srv/project/.env"); decision != "ask" || !strings.Contains(reason, "A file of environment variables") {
		t.Errorf("a secret: %s (%s)", decision, reason)
	}
	expect("one", "curl -s https://example.com/b", "ask", "untrusted content and secrets, and this may reach the outside: a person decides about curl -s https://example.com/b; seen: curl example.com, Read /srv/project/.env")
	expect("one", "cat main.go | head", "allow", "")
	expect("one", "rm -rf /", "deny", "")
	if decision, reason := a.tool("one", "WebFetch", "url", "https://example.org/?x=1"); decision != "ask" || !strings.Contains(reason, "can send data away") {
		t.Errorf("a way out: %s (%s)", decision, reason)
	}
	silent(a.tool("one", "Grep", "path", "/srv/project"))
	a.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
	expect("one", "curl -s https://example.com/b", "deny", "nobody can be asked here")
	if decision, _ := a.tool("one", "WebFetch", "url", "https://example.org/?x=1"); decision != "deny" {
		t.Errorf("a way out where nobody can be asked: %s", decision)
	}
	delete(a.env, "CLAUDE_CODE_SESSION_ATTENDED")

	// The same session stays what it is.
	for _, source := range []string{"resume", "compact", "startup", "clear"} {
		silent(a.event("one", "SessionStart", fields{"source": source}))
		if got := a.counts("one"); got != "corruption secret" {
			t.Errorf("after %s: %q", source, got)
		}
	}
	// A subagent has its session's eyes, and the session has its.
	silent(a.event("two", "SessionStart", fields{"source": "startup"}))
	silent(a.event("two", "PreToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "agent_id": "a1", "tool_use_id": "u"}))
	expect("two", "curl -s https://example.com", "ask", "untrusted content")
	silent(a.event("two", "SubagentStop", fields{"agent_id": "a1"}))
	expect("two", "curl -s https://example.com", "ask", "untrusted content")

	// Of a session that nobody saw begin nothing is known.
	expect("three", "ls", "allow", "")
	expect("three", "curl -s https://example.com", "ask", "What the session has seen is not known, and this may reach the outside")
	if got := a.counts("three"); got != "corruption damaged" {
		t.Errorf("without a beginning: %q", got)
	}
	// Nor of one that has no name.
	expect("", "curl -s https://example.com", "ask", "What the session has seen is not known")
	expect("", "ls", "allow", "")
}

// TestPending lets a tool be about to run, run, and not run.
func TestPending(t *testing.T) {
	fetch := fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_use_id": "u1"}
	for _, row := range []struct {
		name   string
		events []string
		want   string
		open   bool
	}{
		{"about to run", []string{"PreToolUse"}, "corruption", true},
		{"ran", []string{"PreToolUse", "PostToolUse"}, "corruption", false},
		{"failed", []string{"PreToolUse", "PostToolUseFailure"}, "corruption", false},
		{"denied", []string{"PreToolUse", "PermissionDenied"}, "", false},
		{"denied, then run", []string{"PreToolUse", "PermissionDenied", "PostToolUse"}, "corruption", false},
		{"ran, then denied", []string{"PreToolUse", "PostToolUse", "PermissionDenied"}, "corruption", false},
		{"twice", []string{"PreToolUse", "PreToolUse", "PostToolUse", "PostToolUse"}, "corruption", false},
	} {
		a := newAgent(t, "")
		for _, event := range row.events {
			a.event("s", event, fetch)
		}
		state := a.store().Read("claude-s")
		if got := a.counts("s"); got != row.want || state.Pending("u1") != row.open {
			t.Errorf("%s: %q, pending %v", row.name, got, state.Pending("u1"))
		}
	}
}

func TestMentioned(t *testing.T) {
	many := ""
	for i := range 500 {
		many += fmt.Sprintf("@scope/package%d\n", i)
	}
	for _, row := range []struct {
		prompt string
		want   []string
	}{
		{"", nil},
		{"go", nil},
		{"@", nil},
		{"@a", []string{"a"}},
		{"see @a/b.go, @.env!", []string{"a/b.go", ".env"}},
		{"see [@.env] (@~/x) <@y> *@z*", []string{".env", "~/x", "y", "z"}},
		{"@a @a @b", []string{"a", "b"}},
		{"@.env#L1-3", []string{".env"}},
		{`@"my file.env" and @"open`, []string{"my file.env", "open"}},
		{"me@example.org x/@y a.@b", nil},
		{"\u00a0@.env\u00a0please\u3000@b", []string{".env", "b"}},
		{"\n@.env\t@b", []string{".env", "b"}},
		{"'@.env'", []string{".env"}},
	} {
		if got := mentioned(row.prompt); !slices.Equal(got, row.want) {
			t.Errorf("%q: %q, want %q", row.prompt, got, row.want)
		}
	}
	if got := mentioned(many + "@.env"); len(got) != 501 || got[500] != ".env" {
		t.Errorf("%d files of 501", len(got))
	}
}

func TestTaintSettings(t *testing.T) {
	for _, row := range []struct{ config, want string }{
		{"", "allow"},
		{"[taint]\nfrom = 1\n", "ask"},
		{"[taint]\nfrom = 3\n", "allow"},
		{"[taint]\nfrom = 4\n", "ask"}, // broken
	} {
		a := newAgent(t, row.config)
		a.tool("s", "WebSearch", "query", "go")
		if decision, reason := a.bash("s", "curl -s https://example.com"); decision != row.want {
			t.Errorf("%q: %s (%s), want %s", row.config, decision, reason, row.want)
		}
	}
	a := newAgent(t, "[taint]\ntrack = \"off\"\n[audit]\nlog = \"off\"\n")
	a.event("s", "SessionStart", fields{"source": "resume"})
	a.tool("s", "WebFetch", "url", "https://example.org/")
	a.event("s", "PostToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_use_id": "use of WebFetch"})
	if decision, reason := a.bash("s", "curl -s https://example.com"); decision != "allow" {
		t.Errorf("where nothing is remembered: %s (%s)", decision, reason)
	}
	if _, err := os.Stat(a.store().Dir); !os.IsNotExist(err) {
		t.Errorf("where nothing is remembered there is a record: %v", err)
	}
}

// A workspace can say of itself that it contains secrets. It says nothing else
// by that.
func TestWorkspaceWithSecrets(t *testing.T) {
	workspace := t.TempDir()
	rules := filepath.Join(workspace, ".bashgate/rules/secrets.toml")
	if err := os.MkdirAll(filepath.Dir(rules), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(rules, []byte("[[paths]]\nid = \"project.secret\"\npath = [\".\", \"./**\"]\nsecret = 2\nreason = \"A file of a project with secrets\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{"cat notes.txt": "secret", "ls": "", "cat /usr/share/dict/words": "", "grep -r x sub": "secret", "grep -rn x .": "secret"} {
		a := newAgent(t, "")
		a.env["CLAUDE_PROJECT_DIR"] = workspace
		decision, reason := a.event("s", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}, "cwd": workspace})
		if got := a.counts("s"); decision != "allow" || got != want {
			t.Errorf("%s: %s (%s), has seen %q; want %q", command, decision, reason, got, want)
		}
	}
}

// A session that does harmless things leaves nothing on the disk but its decisions.
func TestCleanSessionsTouchNothing(t *testing.T) {
	a := newAgent(t, "")
	for _, command := range []string{"ls -la", "git status && git diff | head", "cat main.go", "grep -rn x .", "rm -rf /", "frobnicate", "go vet ./..."} {
		a.bash("s", command)
		a.event("s", "PostToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}, "tool_use_id": "u"})
	}
	a.event("s", "UserPromptSubmit", fields{"prompt": "look at @main.go"})
	a.event("s", "SessionEnd", nil)
	err := filepath.WalkDir(a.env["HOME"], func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !slices.Contains([]string{auditFile, auditFile + ".head", auditKey}, entry.Name()) {
			t.Errorf("%s was written", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The pack keeps web pages for another tool.
func TestGuardWeb(t *testing.T) {
	a := newAgent(t, "packs = [\"guard-web\"]\n[pack.guard-web]\nuse_instead = \"mcp__reader__open\"\n")
	if decision, reason := a.tool("s", "WebFetch", "url", "https://example.org/"); decision != "deny" || !strings.Contains(reason, "use mcp__reader__open instead") {
		t.Errorf("%s (%s)", decision, reason)
	}
	if decision, _ := a.tool("s", "WebSearch", "query", "go"); decision != "" {
		t.Errorf("a search: %s", decision)
	}
	if got := a.counts("s"); got != "" {
		t.Errorf("what was blocked was seen: %q", got)
	}
}

// auditLines reads the decision log, without what differs from run to run.
func (a *agent) auditLines(path string) []fields {
	a.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		a.t.Fatal(err)
	}
	var list []fields
	for line := range strings.Lines(string(data)) {
		f := fields{}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			a.t.Fatalf("%s: %v", line, err)
		}
		for _, key := range []string{"v", "time", "us", "cwd", "mode", "host", "seq", "mac"} {
			if f[key] == nil {
				a.t.Errorf("no %q: %s", key, line)
			}
			delete(f, key)
		}
		list = append(list, f)
	}
	return list
}

func TestDecisionLog(t *testing.T) {
	m := &model{t: t, says: byWord}
	a := newAgent(t, reviewerTOML)
	a.process.Carry = m.carry
	a.event("s", "SessionStart", fields{"source": "startup"})
	a.bash("s", "ls -la")
	a.tool("s", "WebFetch", "url", "https://example.org/")
	a.bash("s", "curl https://x.example/evil")
	a.event("s", "PostToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_use_id": "use of WebFetch", "agent_id": "a1"})
	path := filepath.Join(a.store().Dir, "audit.log")
	got := a.auditLines(path)
	delete(got[3], "cop_ms")
	want := []fields{
		{"event": "session_start", "session": "s", "shell": "bash"},
		{"event": "before_tool_use", "session": "s", "shell": "bash", "tool": "Bash", "use": "use of ls -la", "command": "ls -la", "decision": "allow", "rules": []any{"ls.allow"}, "reach": "local"},
		{"event": "before_tool_use", "session": "s", "shell": "bash", "tool": "WebFetch", "use": "use of WebFetch", "args": []any{[]any{"url", "https://example.org/"}}, "decision": "skip", "reach": "network", "seen": []any{"WebFetch example.org"}},
		{"event": "before_tool_use", "session": "s", "shell": "bash", "tool": "Bash", "use": "use of curl https://x.example/evil", "command": "curl https://x.example/evil", "decision": "block", "corruption": 2.0,
			"reason": "Flagged by the reviewer: it would send data out (exfiltration)", "rules": []any{"cop.flag", "curl.allow"}, "provider": "openai", "reach": "network", "cop": "flag", "cop_code": "exfiltration", "cop_text": "it would send data out (exfiltration)", "cop_risk": "critical"},
		{"event": "after_tool_use", "session": "s", "shell": "bash", "agent": "a1", "tool": "WebFetch", "use": "use of WebFetch", "args": []any{[]any{"url", "https://example.org/"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	// As much of a command as the user wants.
	for how, want := range map[string]any{"names": "cat head", "off": nil, "none": nil} {
		file := filepath.Join(t.TempDir(), "decisions.jsonl")
		a := newAgent(t, "[audit]\nlog = \"on\"\nfile = \""+file+"\"\ncommands = \""+how+"\"\n")
		a.bash("s", "cat .env | head -3")
		line := a.auditLines(file)[0]
		if line["command"] != want || how != "names" && (line["reason"] != nil || line["seen"] != nil) {
			t.Errorf("%s: %v", how, line)
		}
	}

	// A log that can't be written changes no answer.
	a = newAgent(t, "[audit]\nfile = \"/proc/nowhere/x\"\n")
	decision, _, complaint := a.says("s", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "ls"}})
	if decision != "allow" || strings.Count(complaint, "error: the decision log: ") != 1 {
		t.Errorf("%s, %q", decision, complaint)
	}
	// Nor does one of which nobody knows what it shall hold: it holds no commands.
	a = newAgent(t, "[audit]\ncomands = \"off\"\n")
	decision, _, complaint = a.says("s", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "cat .env"}})
	line := a.auditLines(filepath.Join(a.store().Dir, auditFile))[0]
	if decision != "ask" || line["command"] != nil || line["decision"] != "ask" || strings.Count(complaint, "error: the decision log has no commands: ") != 1 {
		t.Errorf("%s, %v, %q", decision, line, complaint)
	}
}

// Where the agent is about to ask its user, an allow is given to those that hear
// it nowhere else: in a session that has read untrusted content, about what stays on
// this machine alone.
func TestPermissionAsk(t *testing.T) {
	a := newAgent(t, "")
	say := func(event, tool, input string) string {
		var stdout bytes.Buffer
		p := *a.process
		p.Args, p.Stdout = []string{"hook", "qwen"}, &stdout
		p.Stdin = strings.NewReader(`{"hook_event_name":"` + event + `","session_id":"q","cwd":"/srv/project","permission_mode":"default","tool_name":"` + tool + `","tool_input":` + input + `,"source":"startup"}`)
		if status := Run(&p); status != 0 {
			t.Fatalf("%s: status %d", event, status)
		}
		return stdout.String()
	}
	for _, row := range []struct{ tool, input, want string }{
		{"run_shell_command", `{"command":"git status"}`, `"behavior":"allow"`},
		{"run_shell_command", `{"command":"git push"}`, ""},
		{"run_shell_command", `{"command":"rm -rf /"}`, `"behavior":"deny"`},
		{"write_file", `{"file_path":"/srv/project/a"}`, ""},
	} {
		if got := say("PermissionRequest", row.tool, row.input); !strings.Contains(got, row.want) || row.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", row.input, got, row.want)
		}
	}
	say("PreToolUse", "web_fetch", `{"url":"https://evil.example"}`)
	say("PostToolUse", "web_fetch", `{"url":"https://evil.example"}`)
	for command, want := range map[string]bool{"ls": true, "curl -s https://api.github.com/zen": false, "npm test": false, "git status": true} {
		if got := say("PermissionRequest", "run_shell_command", `{"command":"`+command+`"}`); strings.Contains(got, `"behavior":"allow"`) != want || !want && got != "" {
			t.Errorf("%s in a tainted session: %q", command, got)
		}
	}
	if got := say("PermissionRequest", "run_shell_command", `{"command":"rm -rf /"}`); !strings.Contains(got, `"behavior":"deny"`) {
		t.Errorf("a block in a tainted session: %q", got)
	}
}
