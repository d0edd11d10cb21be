//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const deletes = `{"v":1,"id":"1","event":"before_tool_use","cwd":"/tmp","tool":"shell","input":{"command":"rm -rf /"}}` + "\n"

// TestServe: bashgate becomes bashgated, and both have the same flags.
func TestServe(t *testing.T) {
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	run := func(program, stdin string, args ...string) string {
		t.Helper()
		c := exec.Command(filepath.Join(bin, program), append([]string{"serve"}, args...)...)
		c.Env = []string{"HOME=" + home}
		c.Stdin = strings.NewReader(stdin)
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil || errs.Len() > 0 {
			t.Fatalf("%s %q: %v, %s", program, args, err, &errs)
		}
		return string(out)
	}
	for _, program := range []string{"bashgate", "bashgated"} {
		if out := run(program, deletes, "--stdio"); !strings.HasPrefix(out, `{"v":1,"id":"1","decision":"block","reason":"bashgate: A whole directory`) {
			t.Errorf("%s: %s", program, out)
		}
	}
	if help := run("bashgate", "", "--help"); help == "" || help != run("bashgated", "", "--help") {
		t.Error("two helps")
	}
	if out := run("bashgate", "", "--stdio"); out != "" {
		t.Errorf("nothing is answered by %s", out)
	}
}

// TestActivated: systemd opens the socket, and the server ends when nobody comes.
func TestActivated(t *testing.T) {
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path, notice := filepath.Join(dir, "s"), filepath.Join(dir, "n")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	told, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notice, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	file, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" serve --idle 300ms`, filepath.Join(bin, "bashgated"))
	c.Env = []string{"HOME=" + dir, "LISTEN_FDS=1", "NOTIFY_SOCKET=" + notice}
	c.ExtraFiles = []*os.File{file}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 100)
	told.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := told.Read(text); err != nil || string(text[:n]) != "READY=1" {
		t.Errorf("%q, %v", text[:n], err)
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, deletes); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, `"decision":"block"`) {
		t.Errorf("%q, %v", line, err)
	}
	conn.Close()
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("systemd's socket is gone: %v", err)
	}
}

// TestPage: the link that is printed opens the page, once.
func TestPage(t *testing.T) {
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for address, hint := range map[string]string{
		"0.0.0.0:80": "is an address of this machine alone", ":80": "is an address of this machine alone", "localhost:80": "is an address of this machine alone", "127.0.0.1:port": "is no address of this machine alone",
	} {
		out, err := exec.Command(filepath.Join(bin, "bashgate"), "serve", "--page", address).CombinedOutput()
		if err == nil || !strings.Contains(string(out), hint) || !strings.Contains(string(out), "hint: ") {
			t.Errorf("--page %s: %v, %s", address, err, out)
		}
	}
	c := exec.Command(filepath.Join(bin, "bashgate"), "serve", "--open")
	c.Env = []string{"HOME=" + t.TempDir()}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, token, ok := strings.Cut(strings.TrimSpace(line), "/#")
	if !ok || !strings.HasPrefix(address, "http://127.0.0.1:") || len(token) != 43 {
		t.Fatalf("the link is %q", line)
	}
	for _, want := range []int{http.StatusOK, http.StatusForbidden} {
		r, err := http.NewRequest("POST", address+"/enter", strings.NewReader(`{"token":"`+token+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", address)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("the link is answered %s", answer.Status)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// TestUnits: what is printed can be read by those for whom it is.
func TestUnits(t *testing.T) {
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(bin, "bashgate"), "serve", "--print", "launchd").Output()
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(out))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if data, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(data)) > 0 {
			texts = append(texts, string(data))
		}
	}
	if list := strings.Join(texts, " "); !strings.Contains(list, "ProgramArguments "+filepath.Join(bin, "bashgated")+" serve --socket /") {
		t.Error(list)
	}

	if out, err = exec.Command(filepath.Join(bin, "bashgate"), "serve", "--print", "systemd").Output(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	first, second, both := strings.Cut(string(out), "\n# ~/.config/systemd/user/bashgate.service\n")
	if !both || !strings.HasPrefix(first, "# ~/.config/systemd/user/bashgate.socket\n") || !strings.Contains(second, `ExecStart="`+filepath.Join(bin, "bashgated")+`" serve --idle 30m`) {
		t.Fatalf("%s", out)
	}
	for name, text := range map[string]string{"bashgate.socket": first, "bashgate.service": second} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("NOT RUN: there is no systemd-analyze to read the units")
	}
	c := exec.Command(verify, "--user", "verify", filepath.Join(dir, "bashgate.socket"), filepath.Join(dir, "bashgate.service"))
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
	if text, err := c.CombinedOutput(); err != nil || len(text) > 0 {
		t.Errorf("%v\n%s", err, text)
	}
}
