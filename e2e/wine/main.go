//go:build unix

// Wine runs what was built for Windows where no Windows is: the tests of packages
// that touch files, and the hook as an agent of Windows calls it. Wine is no
// Windows: what fails here is broken, what passes may still be.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	prefix := flag.String("prefix", filepath.Join(os.TempDir(), "bashgate-wine"), "where Wine keeps its Windows")
	flag.Parse()
	if err := run(*prefix, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "wine: error:", err)
		os.Exit(1)
	}
}

func run(prefix string, packages []string) error {
	syscall.Umask(0o077) // Wine makes access lists of modes: a profile is for its user alone
	prefix, err := filepath.Abs(prefix)
	if err != nil {
		return err
	}
	w := wine{prefix, filepath.Join(prefix, "drive_c", "bashgate"), filepath.Join(prefix, "overlay.json")}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return err
	}
	system := filepath.Join(prefix, "drive_c", "windows", "system32")
	if _, err := os.Stat(system); err != nil {
		if out, err := w.command("wineboot", "-i").CombinedOutput(); err != nil {
			return fmt.Errorf("wineboot: %w\n%s", err, out)
		}
	}
	library := filepath.Join(system, "bcryptprimitives.dll")
	if _, err := os.Stat(library); err != nil {
		if err := os.WriteFile(library, random(), 0o644); err != nil {
			return err
		}
	}
	if err := w.overlay(); err != nil {
		return err
	}
	failed := 0
	for _, name := range packages {
		if err := w.test(name); err != nil {
			failed++
			fmt.Println("FAIL", name, err)
		} else {
			fmt.Println("ok  ", name)
		}
	}
	if err := w.hooks(); err != nil {
		failed++
		fmt.Println("FAIL the hook:", err)
	} else {
		fmt.Println("ok   the hook")
	}
	if failed > 0 {
		return fmt.Errorf("%d failed", failed)
	}
	return nil
}

// wine is a Windows of Wine's, and a directory in it.
type wine struct{ prefix, dir, overlaid string }

func (w *wine) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "WINEPREFIX="+w.prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=")
	return c
}

// build builds for Windows.
func (w *wine) build(args ...string) error {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// overlay has the tests of Go's own library remove files in the way of old Windows:
// Wine 8 does not know the new one, and no test could remove its directory.
func (w *wine) overlay() error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	file := filepath.Join(strings.TrimSpace(string(out)), "src/internal/syscall/windows/at_windows.go")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	patched := filepath.Join(w.prefix, "at_windows.go")
	text = bytes.Replace(text, []byte("var TestDeleteatFallback bool"), []byte("var TestDeleteatFallback = true"), 1)
	if err := os.WriteFile(patched, text, 0o644); err != nil {
		return err
	}
	return os.WriteFile(w.overlaid, fmt.Appendf(nil, `{"Replace":{%q:%q}}`, file, patched), 0o644)
}

// test runs a package's tests, in its own directory: they read testdata.
func (w *wine) test(name string) error {
	binary := filepath.Join(w.dir, strings.ReplaceAll(strings.Trim(name, "./"), "/", "-")+".test.exe")
	if err := w.build("test", "-c", "-overlay", w.overlaid, "-o", binary, name); err != nil {
		return err
	}
	c := w.command("wine", binary, "-test.short", "-test.timeout=100s")
	c.Dir = name
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out[max(0, len(out)-8000):])
	}
	return nil
}

// hooks calls the hook as agents on Windows do.
func (w *wine) hooks() error {
	binary := filepath.Join(w.dir, "bashgate.exe")
	if err := w.build("build", "-o", binary, "./cmd/bashgate"); err != nil {
		return err
	}
	const event = `{"hook_event_name":"PreToolUse","session_id":"wine","cwd":"C:\\bashgate","tool_name":%q,"tool_input":{"command":%q}}`
	var failed []error
	for _, row := range []struct{ tool, command, want string }{
		{"Bash", "git status", "allow"},
		{"Bash", "git.exe status", "allow"},
		{"Bash", "cat C:/bashgate/x.txt", "allow"},
		{"Bash", "cat ~/.ssh/id_rsa", "ask"},
		{"Bash", `cat 'C:\bashgate\.ENV'`, "ask"},
		{"Bash", "cat //server/share/x", "ask"},
		{"Bash", `rm -rf 'C:\Windows'`, "deny"},
		{"Bash", "rm -rf /c/", "deny"},
		{"PowerShell", "Get-Date", "ask"},
		{"PowerShell", `Remove-Item -Recurse -Force C:\`, "deny"},
	} {
		c := w.command("wine", binary, "hook", "claude")
		c.Stdin = strings.NewReader(fmt.Sprintf(event, row.tool, row.command))
		var complaints bytes.Buffer
		c.Stderr = &complaints
		out, err := c.Output()
		if err != nil || !strings.Contains(string(out), `"permissionDecision":"`+row.want+`"`) {
			failed = append(failed, fmt.Errorf("%s %q: want %s, got %s%s (%v)", row.tool, row.command, row.want, out, &complaints, err))
		}
	}
	return errors.Join(failed...)
}
