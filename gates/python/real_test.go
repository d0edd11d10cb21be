package python_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// realPython runs a script in a real Python, in an empty directory and with rows as its
// input, and gives the lines that it prints: lies of the facts. It must look into a number
// of them. Where there is no Python, nothing is checked.
func realPython(t *testing.T, script string, rows any, least int) []string {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: there is no python3 to hold the facts against")
	}
	input, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	if script, err = filepath.Abs(script); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(interpreter, "-I", "-W", "ignore", script)
	c.Stdin, c.Dir = bytes.NewReader(input), t.TempDir()
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	looked := 0
	if _, err := fmt.Sscanf(lines[len(lines)-1], "looked into %d", &looked); err != nil || looked < least {
		t.Errorf("%d were looked into: %v", looked, err)
	}
	return lines[:len(lines)-1]
}
