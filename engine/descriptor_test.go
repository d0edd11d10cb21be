package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestOpenFiles: a name that stands for what is open is the file that is open
// there.
func TestOpenFiles(t *testing.T) {
	rows := map[policy.Decision][]string{
		policy.Ask: {
			"curl -so /dev/stdin https://example.com < FILE",
			"echo evil 3< FILE > /dev/fd/3",
			"echo evil 3< FILE >> /proc/self/fd/3",
			"echo evil 3< FILE &> /dev/fd/3",
			"cp x /dev/stdin < FILE",
			"dd if=x of=/dev/stdin < FILE",
			"sort -o /dev/fd/0 a < FILE",
			"sort -o /proc/thread-self/fd/0 a < FILE",
			"sort -o /proc/$$/fd/0 a < FILE",
			`awk '{print > "/dev/stdin"}' < FILE`,
			"sed -n 'w /dev/stdin' < FILE",
			"exec 3< FILE; echo x > /dev/fd/3",
			"exec 3< FILE; cd /etc; echo x > /dev/fd/3",
			"{ echo x > /dev/fd/3; } 3< FILE",
			"(tee /dev/stdin) < FILE",
			"f() { tee /dev/stdin; }; f < FILE",
			"for i in 1 2; do tee /dev/fd/4; done 4< FILE",
			"while read l; do echo x > /dev/stdin; done < FILE",
			"bash -c 'echo x > /dev/stdin' < FILE",
			"bash -c 'echo x > /dev/fd/3' 3< FILE",
			"timeout 5 tee /dev/fd/3 3< FILE",
			"echo x 1< FILE > /dev/stdout",
			"tee /dev/stderr 2< FILE",
			"tee /dev/stdout < FILE 1>&0",
			"tee /dev/fd/4 3< FILE 4<&3",
			"tee /dev/fd/4 3< FILE 4<&3-",
			"exec 3< FILE; exec 1>&3; tee /dev/stdout",
			"echo x 3< FILE > /dev/fd/3 3< /dev/null",
			"if a; then exec 3< FILE; else exec 3< /dev/null; fi; tee /dev/fd/3",
			"exec {fd}< FILE; echo x > /dev/fd/$fd",
			"exec {fd}< FILE; echo x > /dev/fd/10",
			"echo x > /dev/fd/3", "echo x > /dev/stdin", "tee /dev/fd/9", "tee /dev/fd/03", "tee /dev/./stdin", "rm /dev/stdin",
		},
		policy.Allow: {
			"cat /dev/stdin", "cat /dev/fd/0 < f", "cat <<E | tee /dev/stderr\nx\nE", "echo x > /dev/stderr", "echo x >&2", "ls | tee /dev/stderr", "diff - /dev/stdin < f",
			"ls | tee /dev/stdout | wc -l", "ls 2>/dev/null | tee /dev/stderr", "{ ls; pwd; } 2>&1 | tee /dev/stderr", "curl -so /dev/stdout https://example.com",
			"cat f | tee /dev/stdin", "tee /proc/self/fd/1 <<< x", "exec 3>&1; ls | tee /dev/fd/3", "exec 3>&2; echo x >&3; exec 3>&-", `while read -r l; do echo "$l" > /dev/stderr; done < f`,
			"x=$(echo a | tee /dev/stderr)", "exec 2>&1; echo x > /dev/stderr", "bash -c 'echo x > /dev/stderr' < f", "sed 'w /dev/stdout' f", `awk '{print > "/dev/stderr"}' f`,
			"echo x 3< f 3< /dev/null > /dev/fd/3",
		},
	}
	e := New(Options{})
	for want, lines := range rows {
		for _, line := range lines {
			line = strings.ReplaceAll(line, "FILE", "/home/u/.bashrc")
			v := e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
			if v.Decision != want {
				t.Errorf("%q = %v (%s), want %v", line, v.Decision, v.Reason, want)
			}
			if strings.Contains(line, "/home/u/.bashrc") && !strings.Contains(line, "$") && !strings.Contains(line, "/10") && !strings.HasPrefix(line, "if") && !strings.Contains(v.Reason, ".bashrc") {
				t.Errorf("%q does not tell which file it writes: %s", line, v.Reason)
			}
		}
	}
}

// TestOpenFilesLaw: writing to what is open is never looser than writing to the
// file by its name, in a session that accepts edits.
func TestOpenFilesLaw(t *testing.T) {
	e := New(Options{})
	decide := func(line string) policy.Decision {
		return e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: "acceptEdits"}).Decision
	}
	for _, file := range []string{"src/a", ".git/config", ".mcp.json", "/etc/passwd", "~/.ssh/config", "../x", "/tmp/x", "$x", ".envrc", "CLAUDE.md"} {
		want := decide("echo x > " + file)
		for _, way := range []string{
			"echo x 3< FILE > /dev/fd/3", "tee /dev/stdin < FILE", "exec 7<> FILE; cp a /dev/fd/7", "{ sort -o /dev/stdin a; } < FILE", "exec < FILE; tee /dev/stdin",
			"tee /dev/fd/5 4< FILE 5>&4", "cd src; exec 3< ../FILE; cd ..; echo x > /proc/self/fd/3", "echo x 1< FILE >> /dev/stdout",
		} {
			if strings.HasPrefix(way, "cd") && strings.ContainsAny(file[:1], "/~$") {
				continue
			}
			line := strings.ReplaceAll(way, "FILE", file)
			if got := decide(line); got < want {
				t.Errorf("%q = %v, and by its name %v", line, got, want)
			}
		}
	}
}
