//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/internal/session"
)

// breaks takes away where records are kept, each in a way of its own: they
// hold for root too.
var breaks = map[string]func(*testing.T, *agent){
	"a file where a directory should be": func(t *testing.T, a *agent) {
		putFile(t, filepath.Join(a.env["HOME"], ".local/state/bashgate"), "")
	},
	"a device where the record should be": func(t *testing.T, a *agent) {
		file := filepath.Join(a.env["HOME"], ".local/state/bashgate/sessions/claude-s.log")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/full", file); err != nil {
			t.Fatal(err)
		}
	},
	"no home": func(t *testing.T, a *agent) { delete(a.env, "HOME") },
}

// What can't be remembered does not run, whatever the mode; the rest goes on.
func TestNothingCanBeWritten(t *testing.T) {
	for how, take := range breaks {
		for _, mode := range []string{"default", "acceptEdits", "auto", "bypassPermissions", "plan", "dontAsk"} {
			a := newAgent(t, "")
			take(t, a)
			ask := func(tool string, input fields) (decision, reason string) {
				decision, reason, _ = a.says("s", "PreToolUse", fields{"tool_name": tool, "tool_input": input, "permission_mode": mode, "tool_use_id": "u"})
				return decision, reason
			}
			for _, source := range []struct {
				tool  string
				input fields
			}{
				{"WebFetch", fields{"url": "https://example.org/", "prompt": "x"}},
				{"Read", fields{"file_path": "/srv/project/.env"}},
				{"mcp__vault__get", fields{"name": "x"}},
				{"Bash", fields{"command": "curl -s https://example.com"}},
				{"Bash", fields{"command": "cat .env"}}, // asked about where it can be remembered
				{"Bash", fields{"command": "cat .env | head -1; ls"}},
			} {
				decision, reason := ask(source.tool, source.input)
				// A mode may have a reason of its own to block.
				if decision != "deny" || !strings.Contains(reason, "could not be remembered, so it does not run: ") && mode != "plan" && mode != "dontAsk" {
					t.Errorf("%s, %s: %s %v: %q (%s)", how, mode, source.tool, source.input, decision, reason)
				}
			}
			// Where not even the list of written files can be read, any file
			// may be one.
			unlisted := strings.HasPrefix(how, "a file")
			for _, command := range []string{"ls", "git status", "rg x | head"} {
				if unlisted && command == "rg x | head" {
					continue
				}
				if decision, reason := ask("Bash", fields{"command": command}); decision != "allow" {
					t.Errorf("%s, %s: %s: %q (%s)", how, mode, command, decision, reason)
				}
			}
			if decision, reason := ask("Read", fields{"file_path": "/srv/project/main.go"}); decision != "" && !unlisted {
				t.Errorf("%s, %s: a harmless file: %q (%s)", how, mode, decision, reason)
			}
		}
	}
}

// A prompt that names a file shows it without a tool: it is stopped where that
// can't be remembered.
func TestPromptCantBeWritten(t *testing.T) {
	for how, take := range breaks {
		for prompt, want := range map[string]int{"look at @.env please": exitUsage, "look at @main.go please": exitOK, "hello": exitOK} {
			if strings.HasPrefix(how, "a file") && strings.Contains(prompt, "main.go") {
				continue // not even the list of written files can be read
			}
			a := newAgent(t, "")
			take(t, a)
			data, err := json.Marshal(fields{"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/srv/project", "prompt": prompt})
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			p := *a.process
			p.Args, p.Stdin, p.Stdout, p.Stderr = nil, bytes.NewReader(data), &stdout, &stderr
			if status := Run(&p); status != want || (want == exitUsage) != strings.Contains(stderr.String(), "could not be remembered") {
				t.Errorf("%s, %q: status %d, %s", how, prompt, status, &stderr)
			}
		}
	}
}

// A file that a tainted session writes carries what the session has seen, or
// is not written.
func TestFileCantBeWritten(t *testing.T) {
	a := newAgent(t, "")
	a.event("s", "SessionStart", fields{"source": "startup"})
	a.event("clean", "SessionStart", fields{"source": "startup"})
	a.tool("s", "WebFetch", "url", "https://example.org/")
	list := filepath.Join(a.env["HOME"], ".local/state/bashgate/files.log")
	if err := os.RemoveAll(list); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", list); err != nil {
		t.Fatal(err)
	}
	write := fields{"tool_name": "Write", "tool_input": fields{"file_path": "/srv/project/x.sh", "content": "x"}, "tool_use_id": "w"}
	if decision, reason, _ := a.says("s", "PreToolUse", write); decision != "deny" || !strings.Contains(reason, "could not be remembered") {
		t.Errorf("a tainted session: %q (%s)", decision, reason)
	}
	if decision, reason, _ := a.says("clean", "PreToolUse", write); decision != "" {
		t.Errorf("a clean one: %q (%s)", decision, reason)
	}
}

// What is written down once need not be written again.
func TestSeenBefore(t *testing.T) {
	a := newAgent(t, "")
	a.event("s", "SessionStart", fields{"source": "startup"})
	fetch := func(url string) (decision, reason string) {
		decision, reason, _ = a.says("s", "PreToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": url}, "tool_use_id": "u"})
		return decision, reason
	}
	fetch("https://example.org/")
	dir := filepath.Join(a.env["HOME"], ".local/state/bashgate/sessions")
	seal := filepath.Join(dir, session.Name("claude", "s")+".seal")
	if err := os.Remove(seal); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", seal); err != nil {
		t.Fatal(err)
	}
	if decision, reason := fetch("https://example.org/"); decision == "deny" {
		t.Errorf("the same page: %s", reason)
	}
	if decision, reason := fetch("https://other.example.org/"); decision != "deny" {
		t.Errorf("another page: %q (%s)", decision, reason)
	}
	if counts := a.counts("s"); !strings.Contains(counts, "damaged") {
		t.Errorf("afterwards: %q", counts)
	}
}

// Where the agent answers questions by itself, a checker without an answer
// denies; the agent's own judge is not asked in its place.
func TestCheckerWhereNobodyIsAsked(t *testing.T) {
	race.Sequential(t)
	for mode, want := range map[string]string{
		"default": "ask", "acceptEdits": "ask", "auto": "ask", "bypassPermissions": "deny", "plan": "deny", "dontAsk": "deny",
	} {
		for _, checker := range [][]string{{"dies"}, {"says", ""}, {"says", `{"decision":"allow"}`}} {
			a := newAgent(t, checkerTOML(checker)+"tools = [\"Bash\", \"mcp__*\"]\n")
			for _, command := range []string{"ls", "git push"} {
				if decision, reason := a.inMode(mode, command); decision != want || !strings.Contains(reason, "gave no answer") && decision != "deny" {
					t.Errorf("%s, %v: %s: %q (%s), want %s", mode, checker, command, decision, reason, want)
				}
			}
			decision, reason := a.event("s", "PreToolUse", fields{"tool_name": "mcp__x__y", "tool_input": fields{}, "permission_mode": mode})
			if decision != want {
				t.Errorf("%s, %v: a tool: %q (%s), want %s", mode, checker, decision, reason, want)
			}
		}
	}
}
