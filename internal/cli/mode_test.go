//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/race"
)

// modes are the permission modes of Claude Code, one that is missing, and one
// that nobody knows.
var modes = []string{"default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "", "nobodyknows"}

// inMode asks Claude Code's way about a command in a permission mode.
func (a *agent) inMode(mode, command string) (decision, reason string) {
	a.t.Helper()
	return a.event("s", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}, "permission_mode": mode, "tool_use_id": "u"})
}

// TestModes holds every mode against lines that are blocked, asked about and
// allowed.
func TestModes(t *testing.T) {
	settings := `{"permissions": {"deny": ["Bash(acme destroy:*)"], "ask": ["Bash(git status:*)"]}}`
	a := newAgent(t, "[taint]\ntrack = \"off\"\n")
	file := filepath.Join(a.env["HOME"], ".claude/settings.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		for _, line := range []string{
			"rm -rf /", "rm -rf ~", "rm -rf --no-preserve-root x", "sudo rm -rf /etc", "ls && rm -rf /usr", "bash -c 'rm -rf /'", "echo $(rm -rf /)",
			"mkfs.ext4 /dev/sda1", "dd if=/dev/zero of=/dev/sda", "echo x > /dev/sda", "wipefs -a /dev/sda", "shutdown now", "systemctl reboot",
			"chmod -R 777 /", "chown -R me /usr", "gh repo delete o/r", "aws iam delete-user --user-name u", "kubectl delete ns kube-system",
			"userdel bob", "umount /mnt", "frobnicate; rm -rf /", "acme destroy it",
		} {
			if d, why := a.inMode(mode, line); d != "deny" {
				t.Errorf("%q in mode %q: %q (%s), want deny", line, mode, d, why)
			}
		}
		asked := map[string]string{"auto": "", "bypassPermissions": "", "plan": "deny", "dontAsk": "deny"}
		want, ok := asked[mode]
		if !ok {
			want = "ask"
		}
		for _, line := range []string{
			"git push", "git push origin main", "git checkout -b new", "git switch x", "rm -rf dist", "docker compose down", "npm install x",
			"npm publish", "frobnicate --all", "./x", "python x.py", "echo x >> ~/.bashrc", "touch ../x", "sudo make install", "eval \"$x\"", "echo 'unclosed",
			"git status", "kubectl apply -f x", "ssh host ls", "cat ~/.ssh/id_rsa",
		} {
			d, why := a.inMode(mode, line)
			if d != want {
				t.Errorf("%q in mode %q: %q (%s), want %q", line, mode, d, why, want)
			}
		}
		for _, line := range []string{"git push --force", "git reset --hard", "rm -rf ../x", "docker compose down -v", "dropdb app"} {
			d, why := a.inMode(mode, line)
			if mode == "auto" && (d != "deny" || !strings.Contains(why, "gone for ever")) || mode != "auto" && d != want {
				t.Errorf("%q in mode %q: %q (%s)", line, mode, d, why)
			}
		}
		allowed := "allow"
		if mode == "nobodyknows" {
			allowed = "ask"
		}
		for _, line := range []string{"ls -la", "git log", "rg x | head"} {
			d, why := a.inMode(mode, line)
			if d != allowed || mode == "nobodyknows" && !strings.Contains(why, `No permission mode is called nobodyknows`) {
				t.Errorf("%q in mode %q: %q (%s), want %s", line, mode, d, why, allowed)
			}
		}
		// Edits of the workspace.
		edit := want
		if mode == "acceptEdits" {
			edit = "allow"
		}
		if d, why := a.inMode(mode, "touch x"); d != edit {
			t.Errorf("an edit in mode %q: %q (%s), want %q", mode, d, why, edit)
		}
	}
}

// TestAutoMode is about who answers in the mode in which the agent's classifier
// does.
func TestAutoMode(t *testing.T) {
	for _, row := range []struct{ name, config, command, want, reason string }{
		{"by default", "", "git push", "", ""},
		{"said so", "[hook]\nauto = \"defer\"\n", "git push", "", ""},
		{"the other word", "[hook]\nauto = \"ask\"\n", "git push", "ask", "Sends commits"},
		{"the other word, for ever", "[hook]\nauto = \"ask\"\n", "git push --force", "deny", "gone for ever"},
		{"no such word", "[hook]\nauto = \"never\"\n", "git push", "ask", `"auto" must be one of`},
		{"a broken file", "profil = \"strict\"\n", "git push", "ask", ""},
		{"a broken file, what is allowed", "profil = \"strict\"\n", "ls", "ask", "unknown key"},
		{"an unknown profile", "profile = \"strct\"\n", "ls", "ask", "no profile is called strct"},
		{"an unknown pack", "packs = [\"guard-gti\"]\n", "git push", "ask", ""},
		{"nobody there", "", "git push", "deny", "nobody can be asked"},
	} {
		a := newAgent(t, row.config)
		if row.name == "nobody there" {
			a.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
		}
		if d, why := a.inMode("auto", row.command); d != row.want || !strings.Contains(why, row.reason) {
			t.Errorf("%s: %q (%s), want %q (%s)", row.name, d, why, row.want, row.reason)
		}
	}

	// A rule file that can't be read may hold a block.
	a := newAgent(t, "")
	rules := filepath.Join(a.env["HOME"], ".config/bashgate/rules/mine.toml")
	if err := os.MkdirAll(filepath.Dir(rules), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(rules, []byte("[[programs]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"auto", "bypassPermissions"} {
		if d, why := a.inMode(mode, "frobnicate"); d != "ask" || !strings.Contains(why, "mine.toml") {
			t.Errorf("with a broken rule file in mode %s: %q (%s)", mode, d, why)
		}
	}
	putFile(t, rules, "[[programs]]\nname = \"acme\"\n[[programs.block]]\nreson = \"No\"\n")
	for line, want := range map[string]string{"acme x": "ask", "frobnicate": ""} {
		if d, why := a.inMode("bypassPermissions", line); d != want {
			t.Errorf("with a rule file that is broken about acme, %s: %q (%s)", line, d, why)
		}
	}

	// A person answers what needs one.
	a = newAgent(t, "")
	a.event("s", "SessionStart", fields{"source": "startup"})
	a.tool("s", "WebFetch", "url", "https://example.org/")
	a.tool("s", "Read", "file_path", "/srv/project/.env")
	if d, why := a.inMode("auto", "curl -s https://example.com/b"); d != "ask" || !strings.Contains(why, "a person decides") {
		t.Errorf("what needs a person: %q (%s)", d, why)
	}
	if d, why := a.inMode("auto", "git checkout -b new"); d != "" {
		t.Errorf("what needs none: %q (%s)", d, why)
	}
}

// malformed are inputs of Claude Code that can't be understood, with what is
// said about each.
var malformed = []struct{ name, data, want string }{
	{"cut off", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /`, "deny"},
	{"cut off behind it", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /","descr`, "deny"},
	{"cut off before it is dangerous", `{"tool_name":"Bash","tool_input":{"command":"rm -rf`, "ask"},
	{"cut off, harmless", `{"tool_name":"Bash","tool_input":{"command":"ls`, "ask"},
	{"without its beginning", `and":"rm -rf /","description":"x"}}`, "deny"},
	{"the first of two", `{"tool_name":"Bash","tool_input":{"command":"rm -rf /","command":"ls"}}`, "deny"},
	{"the second of two", `{"tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf /"}}`, "deny"},
	{"the second of two objects", `{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_input":{"command":"rm -rf /"}}`, "deny"},
	{"two harmless ones", `{"tool_name":"Bash","tool_input":{"command":"ls","command":"ls -l"}}`, "ask"},
	{"in two cases", `{"tool_name":"Bash","tool_input":{"command":"ls","Command":"rm -rf /"}}`, "deny"},
	{"an escaped key", `{"tool_name":"Bash","tool_input":{"command":"ls","comm\u0061nd":"rm -rf /"}}`, "deny"},
	{"a second value", payload("ls") + payload("rm -rf /"), "deny"},
	{"not UTF-8, put right", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf /; echo \xff\"}}", "deny"},
	{"not UTF-8, left out", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"rm -rf \xff/\"}}", "deny"},
	{"not UTF-8 in the key", "{\"tool_name\":\"Bash\",\"tool_input\":{\"comm\xffand\":\"rm -rf /\"}}", "deny"},
	{"half a surrogate pair", `{"tool_name":"Bash","tool_input":{"command":"rm -rf /; echo \ud800"}}`, "deny"},
	{"half a surrogate pair, left out", `{"tool_name":"Bash","tool_input":{"command":"rm -rf \ud800/"}}`, "deny"},
	{"a raw newline", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\nrm -rf /\"}}", "deny"},
	{"an escape that is none", `{"tool_name":"Bash","tool_input":{"command":"rm\x20-rf /; rm -rf /"}}`, "deny"},
	{"quotes in quotes", `{"tool_name":"Bash","tool_input":{"command":"echo "; rm -rf /; ""}}`, "deny"},
	{"single quotes", `{'tool_name':'Bash','tool_input':{'command':'rm -rf /'}}`, "deny"},
	{"no quotes", `{tool_name: Bash, tool_input: {command: rm -rf /}}`, "deny"},
	{"a comma too many", `{"tool_name":"Bash","tool_input":{"command":"rm -rf /",}}`, "deny"},
	{"a comment", `{"tool_name":"Bash",/* x */"tool_input":{"command":"rm -rf /"}}`, "deny"},
	{"a mark before it", "\xef\xbb\xbf" + payload("rm -rf /"), "deny"},
	{"no JSON", "rm -rf /", "deny"},
	{"no JSON, harmless", "ls -la", "ask"},
	{"a text", `"rm -rf /"`, "deny"},
	{"a list", `["rm -rf /"]`, "deny"},
	{"nothing", "", "ask"},
	{"larger than is read", `{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"x":"` + strings.Repeat("x", maxInput) + `"}`, "deny"},
	{"larger, harmless", `{"tool_name":"Bash","tool_input":{"command":"ls"},"x":"` + strings.Repeat("x", maxInput) + `"}`, "ask"},

	// Well formed, and not what they should be.
	{"a command that is a list", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["rm","-rf","/"]}}`, "deny"},
	{"a command that is an object", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":{"text":"rm -rf /"}}}`, "deny"},
	{"a command that is a number", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":7}}`, "ask"},
	{"a command that is null", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":null}}`, "ask"},
	{"a list of harmless words", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["ls","-l"]}}`, "ask"},
	{"no command", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"description":"look"}}`, "ask"},
	{"no command but a text", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"cmd":"rm -rf /"}}`, "deny"},
	{"input that is a text", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"rm -rf /"}`, "deny"},
	{"no input", `{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, "ask"},
	{"an unknown event", `{"hook_event_name":"PreToolUsage","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`, "deny"},
	{"a mode that is a number", `{"hook_event_name":"PreToolUse","permission_mode":7,"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`, "deny"},
	{"a mode that is a number, harmless", `{"hook_event_name":"PreToolUse","permission_mode":7,"tool_name":"Bash","tool_input":{"command":"ls"}}`, "ask"},
	{"another agent's shell", `{"tool_name":"bash","tool_input":{"command":"rm -rf /"}}`, "deny"},
	{"another agent's shell, harmless", `{"tool_name":"bash","tool_input":{"command":"ls"}}`, "ask"},
	{"what is said beside", `{"hook_event_name":"PreToolUse","prompt":"rm -rf /","tool_name":"Bash","tool_input":{"command":["ls"]}}`, "ask"},
}

// TestHookMalformed judges what may be the command where the input can't be
// understood, and never allows it.
func TestHookMalformed(t *testing.T) {
	race.Sequential(t)
	for _, row := range malformed {
		p, stdout, stderr := process(t, strings.NewReader(row.data), "hook", "claude")
		status := Run(p)
		d, why := decisionOf(t, stdout.Bytes())
		if status != 0 || d != row.want || !strings.Contains(why, "Claude Code's input can't be understood: ") {
			t.Errorf("%s: status %d, %q (%s), want %s", row.name, status, d, why, row.want)
		}
		if d == "deny" && !strings.HasPrefix(why, "bashgate: A whole directory of the system") {
			t.Errorf("%s: denied because %s", row.name, why)
		}
		if strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: stderr %q", row.name, stderr)
		}
	}

	// A user's own deny, and where nobody can be asked.
	for _, unattended := range []bool{false, true} {
		p, stdout, _ := process(t, strings.NewReader(`{"tool_input":{"command":"ls`), "hook", "claude")
		want := "ask"
		if unattended {
			p.Args, want = append(p.Args, "--unattended"), "deny"
		}
		Run(p)
		if d, why := decisionOf(t, stdout.Bytes()); d != want {
			t.Errorf("unattended %v: %q (%s)", unattended, d, why)
		}
	}
	a := newAgent(t, "")
	rules := filepath.Join(a.env["HOME"], ".config/bashgate/rules/mine.toml")
	if err := os.MkdirAll(filepath.Dir(rules), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(rules, []byte("[[programs]]\nname = \"acme\"\n[[programs.block]]\nsubcommand = \"destroy\"\nreason = \"Ours\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	p := *a.process
	p.Stdin, p.Stdout, p.Args = strings.NewReader(`{"tool_input":{"command":"acme destroy`), &stdout, []string{"hook", "claude"}
	Run(&p)
	if d, why := decisionOf(t, stdout.Bytes()); d != "deny" || !strings.Contains(why, "Ours") {
		t.Errorf("a user's block: %q (%s)", d, why)
	}
}

// TestHookWithoutEvent reads a tool's input that comes without an event's name
// as one of a tool that is about to run.
func TestHookWithoutEvent(t *testing.T) {
	for _, row := range []struct{ data, want string }{
		{`{"tool_name":"Bash","tool_input":{"command":"git status"}}`, "allow"},
		{`{"tool_name":"Bash","tool_input":{"command":"npm install"}}`, "ask"},
		{`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`, "deny"},
		{`{"tool_name":"Bash","tool_input":{"command":"npm install"},"permission_mode":"plan"}`, "deny"},
		{`{"tool_name":"Bash","tool_input":{"command":"touch x"},"permission_mode":"bypassPermissions"}`, ""},
		{`{"tool_name":"Bash","tool_input":{"command":"touch x"},"permission_mode":"auto"}`, ""},
		{`{"tool_name":"Read","tool_input":{"file_path":"/etc/passwd"}}`, ""},
	} {
		p, stdout, stderr := process(t, strings.NewReader(row.data), "hook", "claude")
		status := Run(p)
		if d, why := decisionOf(t, stdout.Bytes()); status != 0 || d != row.want || stderr.Len() > 0 {
			t.Errorf("%s: status %d, %q (%s), stderr %q; want %q", row.data, status, d, why, stderr, row.want)
		}
	}
}
