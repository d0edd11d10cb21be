//go:build unix

package serve

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// block is the first block of docs/protocol.md in a language.
func block(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, there := strings.Cut(string(text), "```"+language+"\n")
	code, _, ends := strings.Cut(rest, "```\n")
	if !there || !ends {
		t.Fatalf("docs/protocol.md has no block of %s", language)
	}
	return code
}

// TestClients runs the clients of the documentation.
func TestClients(t *testing.T) {
	commands := []string{"true", "rm -rf /", "git push", "false"}
	for _, row := range []struct {
		language, program string
		want              string
	}{
		{"python", "python3", "allow true\nblock rm -rf /\nblock git push\nallow false\n"},
		{"go", "go", "allow true\nblock rm -rf /\nblock git push\nallow false\n"},
	} {
		t.Run(row.language, func(t *testing.T) {
			path, err := exec.LookPath(row.program)
			if err != nil {
				t.Skipf("NOT RUN: there is no %s", row.program)
			}
			s := Server{Process: process(t)}
			socket := served(t, &s)
			file := filepath.Join(t.TempDir(), "client."+row.language)
			if err := os.WriteFile(file, []byte(block(t, row.language)), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{file}
			if row.language == "go" {
				args = []string{"run", file}
			}
			c := exec.Command(path, append(append(args, socket), commands...)...)
			c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			out, err := c.CombinedOutput()
			if err != nil || string(out) != row.want {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestFieldsDocumented: the tables of the documentation name every field, event and
// error, and no other.
func TestFieldsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			rows[name] = true
		}
	}
	want := []string{"allow", "ask", "block", "none"}
	for _, f := range fields {
		want = append(want, f.name)
	}
	for _, name := range []string{"before_tool_use", "after_tool_use", "prompt_submit", "session_start", "session_end", "hello"} {
		if eventNamed(name) == 0 {
			t.Errorf("no event %s", name)
		}
		want = append(want, name)
	}
	want = append(want, faultJSON, faultVersion, faultID, faultEvent, faultField, faultLarge, faultBusy, faultPeer, faultLate, faultStopping, faultUnwritten, faultInternal)
	for _, name := range want {
		if _, there := rows[name]; !there {
			t.Errorf("docs/protocol.md has no row for %q", name)
		}
		rows[name] = false
	}
	rows["decision"], rows["code"] = false, false // heads of tables
	for name, left := range rows {
		if !left {
			continue
		}
		t.Errorf("docs/protocol.md has a row for %q, which there is not", name)
	}
}
