package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/cli"
)

// notRun are the commands whose examples are not run, with why.
var notRun = map[string]string{
	"log": "it shows a log of another day", "status": "it shows a session of another day", "taint": "it shows a session of another day",
	"pending": "a question has to wait", "approve": "a person answers", "deny": "a person answers", "answer": "a token has to be sent",
	"block": "a person answers", "forget": "an answer has to be there", "install": "a person answers", "uninstall": "a person answers",
	"doctor": "it shows what is broken on another machine", "replay": "it needs a history", "suggest": "it needs a history",
	"serve": "it needs bashgated", "export": "export.txtar does, and it takes long", "version": "each has another",
}

// prepared is what has to be there for an example.
var prepared = map[string]string{
	"rules": `mkdir -p ~/.config/bashgate/rules && printf '[[programs]]\nname = "mylint"\nunknown_action = "allow"\n\n' >~/.config/bashgate/rules/mine.toml`,
	"shell": `touch README.md main.go`,
}

// TestHelp runs the examples of the help texts. A line of the output that ends
// with "..." may go on there; "..." alone is whatever follows. Where an example shows
// no output the command has to end well.
func TestHelp(t *testing.T) {
	for _, page := range cli.Pages() {
		if why, ok := notRun[page.Name]; ok {
			t.Logf("the examples of %s are not run: %s", page.Name, why)
			continue
		}
		home := t.TempDir()
		project := filepath.Join(home, "project")
		if err := os.Mkdir(project, 0o755); err != nil {
			t.Fatal(err)
		}
		run := func(command string) (string, error) {
			c := exec.Command("sh", "-c", command)
			c.Dir = project
			c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash"}
			out, err := c.CombinedOutput()
			return string(out), err
		}
		if out, err := run(prepared[page.Name]); err != nil {
			t.Fatal(out, err)
		}
		_, text, ok := strings.Cut(page.Help, "\nExample:\n")
		if !ok {
			t.Errorf("help %s has no example", page.Name)
			continue
		}
		var command string
		var want []string
		try := func() {
			if command == "" {
				return
			}
			switch got, err := run(command); {
			case len(want) == 0 && err != nil:
				t.Errorf("help %s: %s: %v\n%s", page.Name, command, err, got)
			case len(want) > 0 && !shows(withoutLines(got), strings.Split(withoutLines(strings.Join(want, "\n")), "\n")): // the status is the decision
				t.Errorf("help %s: %s prints\n%s\nand not\n%s", page.Name, command, got, strings.Join(want, "\n"))
			}
			command, want = "", nil
		}
		goes := false // the command goes on with the next line
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "  ") {
				break // the next section
			}
			line = strings.TrimPrefix(line, "  ")
			switch {
			case goes:
				command += "\n" + line
			case strings.HasPrefix(line, "$ "):
				try()
				command = line[2:]
			default:
				want = append(want, line)
				continue
			}
			goes = strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.HasSuffix(line, ",")
		}
		try()
	}
}

// shows reports whether an output is what an example says.
func shows(got string, want []string) bool {
	lines := strings.Split(strings.TrimRight(got, "\n"), "\n")
	for len(want) > 0 && want[len(want)-1] == "" {
		want = want[:len(want)-1]
	}
	for i, line := range want {
		start, open := strings.CutSuffix(line, "...")
		switch {
		case line == "...":
			return len(lines) >= i
		case i >= len(lines), open && !strings.HasPrefix(lines[i], start), !open && lines[i] != line:
			return false
		}
	}
	return len(lines) == len(want)
}
