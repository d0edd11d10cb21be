package host

import "testing"

// TestBackground: that the agent does not wait for a command is said under
// several names, and by texts and numbers. What can't be read may say so.
func TestBackground(t *testing.T) {
	for _, row := range []struct {
		host, beside string
		want         bool
	}{
		{"claude", ``, false},
		{"claude", `,"run_in_background":true`, true},
		{"claude", `,"run_in_background":false`, false},
		{"claude", `,"run_in_background":null`, false},
		{"claude", `,"run_in_background":"true"`, true},
		{"claude", `,"run_in_background":" True "`, true},
		{"claude", `,"run_in_background":"false"`, false},
		{"claude", `,"run_in_background":""`, false},
		{"claude", `,"run_in_background":1`, true},
		{"claude", `,"run_in_background":0`, false},
		{"claude", `,"run_in_background":[]`, true},
		{"claude", `,"run_in_background":"perhaps"`, true},
		{"claude", `,"Run_In_Background":true`, true},
		{"claude", `,"runInBackground":true`, true},
		{"qwen", `,"is_background":"true"`, true},
		{"droid", `,"fireAndForget":true`, true},
		{"droid", `,"fireAndForget":false`, false},
		{"vscode", `,"isBackground":false`, false},
		{"vscode", `,"mode":"async"`, true},
		{"vscode", `,"mode":"sync"`, false},
		{"copilot", `,"mode":"async"`, true},
		{"copilot", `,"mode":"sync"`, false},
		{"copilot", `,"mode":"sync","detach":true`, true},
		{"auggie", `,"wait":true`, false},
		{"auggie", `,"wait":false`, true},
	} {
		if q, err := shellUse(t, row.host, row.beside); err != nil || q.Aside != row.want {
			t.Errorf("%s %s: aside %v (%v), want %v", row.host, row.beside, q.Aside, err, row.want)
		}
	}
}

// TestCodexShell: Codex's exec_command takes any program for the shell.
func TestCodexShell(t *testing.T) {
	for _, row := range []struct{ shell, want string }{
		{`"bash"`, "bash"}, {`"/bin/bash"`, "bash"}, {`"/usr/bin/zsh"`, "zsh"}, {`"/bin/sh"`, "sh"}, {`"dash"`, "sh"}, {`null`, ""},
		{`"/tmp/evil.sh"`, "error"}, {`"/tmp/bash"`, "error"}, {`"./bash"`, "error"}, {`"bin/bash"`, "error"}, {`"pwsh"`, "error"},
		{`"/usr/bin/fish"`, "error"}, {`""`, "error"}, {`["bash"]`, "error"},
	} {
		q, err := shellUse(t, "codex", `,"shell":`+row.shell)
		got := q.Request.Shell
		if err != nil {
			got = "error"
		}
		if got != row.want {
			t.Errorf("%s: %q (%v), want %q", row.shell, got, err, row.want)
		}
	}
}

// shellUse reads a use of an agent's shell with what is given beside the
// command.
func shellUse(t *testing.T, host, beside string) (Question, error) {
	t.Helper()
	h, err := Named(host)
	if err != nil {
		t.Fatal(err)
	}
	tool := map[string]string{
		"claude": "Bash", "qwen": "run_shell_command", "droid": "Execute", "vscode": "run_in_terminal", "copilot": "bash",
		"auggie": "launch-process", "codex": "exec_command",
	}[host]
	payload := `{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"` + tool + `","tool_input":{"command":"make"` + beside + `}}`
	return h.Read(Parse(Input{Data: []byte(payload), Getenv: func(string) string { return "" }, Dir: func() string { return "/w" }}))
}
