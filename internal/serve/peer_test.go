//go:build unix

package serve

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stranger is another user: nobody.
const stranger = 65534

// TestOtherUser: a process of another user is told no, wherever the socket lies.
func TestOtherUser(t *testing.T) {
	if path := os.Getenv("TEST_CONNECT"); path != "" { // the other user's process
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, command("1", "ls", "")+"\n")
		text, _ := io.ReadAll(conn)
		os.Stdout.Write(text)
		return
	}
	if os.Getuid() != 0 {
		t.Skip("NOT RUN: only root can be another user")
	}
	s := Server{Process: process(t)}
	path := served(t, &s)
	program := filepath.Join(filepath.Dir(filepath.Dir(path)), "test")
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, data, 0o755)
	}
	for name, mode := range map[string]os.FileMode{filepath.Dir(program): 0o755, filepath.Dir(path): 0o755, path: 0o666} {
		if err == nil {
			err = os.Chmod(name, mode)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run=^TestOtherUser$")
	c.Dir = "/"
	c.Env = []string{"TEST_CONNECT=" + path, "HOME=/"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	out, err := c.CombinedOutput()
	first, _, _ := strings.Cut(string(out), "\n")
	if err != nil || !strings.HasPrefix(first, `{"v":1,"id":"","error":{"code":"peer","text":"user 65534 may not ask`) || !strings.HasSuffix(first, `"decision":"block"}`) {
		t.Errorf("%v\n%s", err, out)
	}
	own := dial(t, path)
	own.send(t, command("1", "ls", ""))
	if r := own.answer(t); r.Decision != "allow" {
		t.Errorf("%+v", r)
	}
}
