//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The test binary plays the programs that tests start.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 2 && os.Args[1] == "play-checker":
		playChecker(os.Args[2], os.Args[3:])
		return
	case len(os.Args) > 1 && os.Args[1] == "play-bashgate":
		os.Exit(playBashgate(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func playChecker(part string, args []string) {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	switch part {
	case "says":
		fmt.Print(args[0])
	case "keeps": // writes what it was asked, and has no objection
		f, err := os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		fmt.Fprintf(f, "%s%s\n", input, strings.Join(os.Environ(), " "))
		fmt.Print("{}")
	case "hangs":
		fmt.Print(`{"decision":`)
		time.Sleep(time.Minute)
	case "floods":
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	case "dies":
		fmt.Print(`{}`)
		os.Exit(3)
	}
}

// checkerTOML is the configuration of checkers that the test binary plays.
// Those that never answer get a second, and the others what a busy machine may
// need.
func checkerTOML(checkers ...[]string) string {
	var b strings.Builder
	for _, args := range checkers {
		timeout := "5"
		if args[0] == "hangs" {
			timeout = "1"
		}
		b.WriteString("[[checkers]]\ntimeout = " + timeout + "\ncommand = [" + strconv.Quote(os.Args[0]) + `, "play-checker"`)
		for _, arg := range args {
			b.WriteString(", " + strconv.Quote(arg))
		}
		b.WriteString("]\n")
	}
	return b.String()
}

// TestCheckers asks programs of all kinds. None of them can loosen anything.
func TestCheckers(t *testing.T) {
	const denies = `{"decision":"deny","reason":"Not on Fridays"}`
	for _, row := range []struct {
		name     string
		checkers [][]string
		command  string
		want     string
		reason   string
	}{
		{"no objection", [][]string{{"says", "{}"}}, "ls", "allow", ""},
		{"no objection, with blanks", [][]string{{"says", " { } \n"}}, "ls", "allow", ""},
		{"a denial", [][]string{{"says", denies}}, "ls", "deny", "Not on Fridays"},
		{"another word for it", [][]string{{"says", `{"decision":"block","reason":"Not on Fridays"}`}}, "ls", "deny", "Not on Fridays"},
		{"no reason", [][]string{{"says", `{"decision":"deny"}`}}, "ls", "deny", "Blocked by security policy"},
		{"a reason that is no line", [][]string{{"says", `{"decision":"deny","reason":"a\nb\u001b[31m"}`}}, "ls", "deny", `a\nb\x1b[31m`},
		{"a denial of what is asked about", [][]string{{"says", denies}}, "git push", "deny", "Not on Fridays"},
		{"the second one", [][]string{{"says", "{}"}, {"says", denies}}, "ls", "deny", "Not on Fridays"},
		{"the first one is enough", [][]string{{"says", denies}, {"hangs"}}, "ls", "deny", "Not on Fridays"},
		{"no answer of the first one", [][]string{{"dies"}, {"says", denies}}, "ls", "deny", "Not on Fridays"},
		{"blocked by the rules", [][]string{{"hangs"}}, "rm -rf /", "deny", "directory"},

		{"an allow", [][]string{{"says", `{"decision":"allow"}`}}, "ls", "ask", `where only "deny" can be one`},
		{"an allow of what is asked about", [][]string{{"says", `{"decision":"allow"}`}}, "git push", "ask", ""},
		{"an allow of what is blocked", [][]string{{"says", `{"decision":"allow"}`}}, "rm -rf /", "deny", ""},
		{"no decision", [][]string{{"says", `{"reason":"x"}`}}, "ls", "ask", `no "decision"`},
		{"two decisions", [][]string{{"says", `{"decision":"deny","decision":"allow"}`}}, "ls", "ask", "a second time"},
		{"two answers", [][]string{{"says", `{}{}`}}, "ls", "ask", "gave no answer"},
		{"an unknown key", [][]string{{"says", `{"verdict":"ok"}`}}, "ls", "ask", "unknown key"},
		{"nothing", [][]string{{"says", ""}}, "ls", "ask", "gave no answer"},
		{"text", [][]string{{"says", "ok"}}, "ls", "ask", "gave no answer"},
		{"a list", [][]string{{"says", "[]"}}, "ls", "ask", "gave no answer"},
		{"half an answer", [][]string{{"says", denies[:20]}}, "ls", "ask", "gave no answer"},
		{"late", [][]string{{"hangs"}}, "ls", "ask", "no answer in time"},
		{"too long", [][]string{{"floods"}}, "ls", "ask", "too large"},
		{"dead", [][]string{{"dies"}}, "ls", "ask", "exit status 3"},
	} {
		a := newAgent(t, checkerTOML(row.checkers...))
		start := time.Now()
		decision, reason := a.bash("s", row.command)
		if decision != row.want || !strings.Contains(reason, row.reason) || strings.ContainsAny(reason, "\n\x1b") {
			t.Errorf("%s: %s (%s), want %s (%s)", row.name, decision, reason, row.want, row.reason)
		}
		if took := time.Since(start); took > 30*time.Second { // half of what the one that hangs would take
			t.Errorf("%s: took %v", row.name, took)
		}
	}
	missing := newAgent(t, "[[checkers]]\ncommand = [\"/nowhere/checker\"]\n")
	if decision, reason := missing.bash("s", "ls"); decision != "ask" || !strings.Contains(reason, "/nowhere/checker gave no answer") {
		t.Errorf("missing: %s (%s)", decision, reason)
	}
	unattended := newAgent(t, checkerTOML([]string{"dies"}))
	unattended.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
	if decision, reason := unattended.bash("s", "ls"); decision != "deny" || !strings.Contains(reason, "nobody can be asked here") {
		t.Errorf("where nobody can be asked: %s (%s)", decision, reason)
	}
	deferring := newAgent(t, checkerTOML([]string{"dies"})+"[hook]\nunknown = \"defer\"\n")
	if decision, _ := deferring.bash("s", "frobnicate"); decision != "ask" {
		t.Errorf("an unknown command is left to the agent, whatever the checker does: %s", decision)
	}
}

// TestCheckerInput looks at what a checker is told, and about which tools.
func TestCheckerInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "asked")
	a := newAgent(t, checkerTOML([]string{"keeps", file})+"tools = [\"Bash\", \"mcp__*\"]\n")
	a.env["LD_PRELOAD"] = "/srv/project/evil.so"
	a.bash("s1", "git push origin main")
	a.tool("s1", "mcp__jira__get", "key", "A-1")
	a.tool("s1", "Read", "file_path", "/srv/project/a")
	a.bash("s1", "rm -rf /")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), data)
	}
	for i, want := range []map[string]any{
		{"version": 1.0, "event": "before_tool_use", "host": "claude", "session": "s1", "tool": "Bash", "command": "git push origin main", "input": map[string]any{"command": "git push origin main"},
			"cwd": "/srv/project", "workspace": "/srv/project", "mode": "default", "attended": true, "decision": "ask", "reason": "Sends commits to a remote repository (git)"},
		{"version": 1.0, "event": "before_tool_use", "host": "claude", "session": "s1", "tool": "mcp__jira__get", "input": map[string]any{"key": "A-1"},
			"cwd": "/srv/project", "workspace": "/srv/project", "mode": "default", "attended": true, "decision": "skip", "reason": ""},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(lines[2*i]), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the request (-want +got):\n%s", diff)
		}
		if env := lines[2*i+1]; strings.Contains(env, "LD_PRELOAD") || !strings.Contains(env, "HOME="+a.env["HOME"]) {
			t.Errorf("the environment is %s", env)
		}
	}
}

// A checker sees all that a tool is given, in whatever shape.
func TestCheckerSeesInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "asked")
	a := newAgent(t, checkerTOML([]string{"keeps", file})+"tools = [\"*\"]\n")
	for _, row := range []struct{ tool, input string }{
		{"fetch_webpage", `{"urls":["https://one.example/","https://two.example/"]}`},
		{"mcp__weird__post", `{"request":{"url":"https://one.example/","n":5},"flag":true,"none":null}`},
		{"MultiEdit", `{"file_path":"/srv/project/a","edits":[{"old_string":"a\nb","new_string":"b"}]}`},
		{"Bash", `{"command":"ls","run_in_background":true,"dangerouslyDisableSandbox":true}`},
		{"mcp__weird__run", "{\"commands\":[\"ls\",\n \"pwd\"],\r\n\"timeout\":5}"},
		{"mcp__weird__none", `{}`},
	} {
		os.Remove(file)
		a.event("s1", "PreToolUse", fields{"tool_name": row.tool, "tool_input": json.RawMessage(row.input)})
		data, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v", row.tool, err)
			continue
		}
		line, _, _ := strings.Cut(string(data), "\n")
		var got struct{ Input json.RawMessage }
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Errorf("%s: %v: %s", row.tool, err, data)
		}
		if want := strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(row.input); strings.ReplaceAll(string(got.Input), " ", "") != want {
			t.Errorf("%s: the input is %s, want %s", row.tool, got.Input, want)
		}
	}
}

// FuzzCheckerAnswer checks that what a checker says is a denial, no objection
// or no answer, and never lines of its own making.
func FuzzCheckerAnswer(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"decision":"deny","reason":"a\nb"}`))
	f.Add([]byte(`{"decision":"allow"}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		reason, err := checkerAnswer(answer)
		if err != nil {
			return
		}
		var said struct{ Decision, Reason string }
		if jsonErr := json.Unmarshal(answer, &said); jsonErr != nil {
			t.Fatalf("%q is an answer", answer)
		}
		if denies := said.Decision == "deny" || said.Decision == "block"; denies != (reason != "") || strings.ContainsAny(reason, "\n\r\x1b\x00") || len(reason) > 600 {
			t.Fatalf("%q: %q", answer, reason)
		}
	})
}
