//go:build unix

package serve

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// Nothing is read that lies elsewhere, and what the engine sees of the directory is
// what lies there.
func TestBelow(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{dir + "/a": "aaaa", elsewhere + "/secret": "s", dir + "/sub/b": "b"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, dir+"/out"); err != nil {
		t.Fatal(err)
	}
	b, err := openBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir + "/a": "aaaa", dir + "/sub/b": "b", dir + "/none": "", elsewhere + "/secret": "", dir + "/out/secret": "",
		dir + "/../" + filepath.Base(elsewhere) + "/secret": "", "/etc/passwd": "", dir + "x/a": "",
	} {
		text, err := b.ReadFile(path, 100)
		if string(text) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		if _, err := b.Lstat(path); (err == nil) != (want != "") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text, err := b.ReadFile(dir+"/a", 2); string(text) != "aa" || err == nil {
		t.Errorf("%q, %v", text, err)
	}
	if to, err := b.Readlink(dir + "/out"); to != elsewhere || err != nil {
		t.Errorf("%q, %v", to, err)
	}
	if names, err := b.ReadDir(dir, 3); strings.Join(names, " ") != "a out sub" || err != nil {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := b.ReadDir(dir, 2); err == nil {
		t.Error("more names than are wanted")
	}
	if err := syscall.Mkfifo(dir+"/pipe", 0o644); err != nil { // nobody writes to it, ever
		t.Fatal(err)
	}
	for _, path := range []string{"/etc", dir + "/out", dir + "/..", dir + "/pipe", dir + "/a"} {
		if names, err := b.ReadDir(path, 1000); err == nil {
			t.Errorf("%s: %q", path, names)
		}
	}
	e := engine.New(engine.Options{Files: b})
	for command, want := range map[string]policy.Decision{"cat a": policy.Allow, "cp a out/b": policy.Ask, "rm -rf /": policy.Block} {
		if v := e.Evaluate(engine.Request{Command: command, Cwd: dir, Workspace: dir, Mode: engine.ModeAcceptEdits}); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", command, v.Decision, v.Reason, want)
		}
	}
}
