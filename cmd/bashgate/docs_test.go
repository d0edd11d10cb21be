package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs runs the examples of the documentation: what stands in blocks of
// ```console must be what is printed. Lines that begin with "$ " are commands
// for sh, up to a line that does not end with a backslash.
func TestDocs(t *testing.T) {
	examples := 0
	for _, name := range []string{"README.md", "docs/hosts.md", "docs/architecture.md", "docs/security.md", "docs/cop.md", "docs/sessions.md", "docs/log.md", "docs/configuration.md", "docs/testing-rules.md", "docs/answers.md", "docs/why.md", "rules/README.md"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		home := t.TempDir()
		project := filepath.Join(home, "project")
		if err := os.Mkdir(project, 0o755); err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```console\n")[1:] {
			block, _, _ = strings.Cut(block, "```")
			got, want := new(strings.Builder), withoutLines(block)
			lines := strings.SplitAfter(block, "\n")
			for len(lines) > 0 {
				line := lines[0]
				lines = lines[1:]
				if !strings.HasPrefix(line, "$ ") {
					continue
				}
				got.WriteString(line)
				command := line[2:]
				for strings.HasSuffix(line, "\\\n") && len(lines) > 0 {
					line, lines = lines[0], lines[1:]
					got.WriteString(line)
					command += line
				}
				examples++
				c := exec.Command("sh", "-c", strings.ReplaceAll(command, "go run ./cmd/bashgate ", "bashgate "))
				c.Dir = project
				c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash"}
				out, _ := c.CombinedOutput() // the status is the decision
				got.Write(out)
			}
			if got := withoutLines(got.String()); got != want {
				t.Errorf("%s: block %d prints\n%s\nand not\n%s", name, i+1, got, want)
			}
		}
	}
	if examples == 0 {
		t.Error("no examples")
	}
}
