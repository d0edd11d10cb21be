package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// A path that an agent's tool reads in a way of its own is judged as what it may
// become.
func TestToolPlaces(t *testing.T) {
	e := New(Options{})
	r := Request{Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u"}
	for _, row := range []struct {
		tool, arg, value string
		asks             bool
	}{
		{"Write", "file_path", "src/a.go", false},
		{"Write", "file_path", "/home/u/p/src/a b.go", false},
		{"Write", "file_path", " ~/.bashrc", true},
		{"Write", "file_path", "~/.bashrc\n", true},
		{"Write", "file_path", "\t/etc/passwd", true},
		{"Write", "file_path", "\u00a0/etc/passwd", true},
		{"Write", "file_path", " ~/.config/bashgate/config.toml", true},
		{"write", "path", "@~/.bashrc", true},
		{"write", "path", "@/etc/cron.d/x", true},
		{"write", "path", "@../.bashrc", true},
		{"write", "path", "@types/index.d.ts", false},
		{"create_file", "filePath", "file:///home/u/.bashrc", true},
		{"create_file", "filePath", "file:///home/u/p/a.go", false},
		{"create_file", "filePath", "vscode-remote://ssh-remote+host/etc/cron.d/x", true},
		{"create_file", "filePath", "file:///home/u/p/%2egithub/hooks/x.json", true},
		{"create_file", "filePath", "file:///etc/a%20b%", true},
		{"Read", "file_path", " ~/.ssh/id_rsa", true},
		{"Read", "file_path", "https://example.org/etc/passwd", false},
	} {
		v := e.EvaluateTool(r, Tool{Name: row.tool, Args: []ToolArg{{row.arg, row.value}, {"content", "x"}}})
		if asks := v.Decision > policy.Allow; asks != row.asks {
			t.Errorf("%s of %q: %v (%s)", row.tool, row.value, v.Decision, v.Reason)
		}
	}
}
