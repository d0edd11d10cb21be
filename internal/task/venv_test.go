package task

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What Python writes is known, and nothing that differs from it by a line.
func TestActivates(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: nothing writes an activate script here")
	}
	dir := filepath.Join(t.TempDir(), ".venv")
	if out, err := exec.Command(python, "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Skipf("python3 -m venv does not work here: %v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "bin", "activate"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if version, _ := exec.Command(python, "-c", "import sys; print(sys.version_info >= (3, 14))").Output(); strings.TrimSpace(string(version)) == "True" {
		t.Skip("NOT RUN: this python3 is newer than the scripts that are known")
	}
	if !Activates(text, dir) {
		t.Fatalf("the script of %s is not known:\n%s", python, activation(text, dir))
	}
	if !Activates("# a comment\n"+text, dir) {
		t.Error("a comment makes a difference")
	}
	if Activates(text, dir+"x") || Activates(text, "") {
		t.Error("the directory makes no difference")
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		for _, change := range []string{"", line + "; x", "x; " + line, line + " x", strings.Replace(line, "VIRTUAL", "VIRTUA", 1), strings.Replace(line, "(.venv)", "$(x)", 1), strings.Replace(line, "(.venv)", "`x`", 1), strings.Replace(line, dir, dir+"/x", 1)} {
			if change == line {
				continue
			}
			changed := append(append(append([]string{}, lines[:i]...), change), lines[i+1:]...)
			if Activates(strings.Join(changed, "\n"), dir) {
				t.Errorf("%q instead of %q makes no difference", change, line)
			}
		}
	}
}

// Prompts are names; what a shell would evaluate is none.
func TestPrompt(t *testing.T) {
	for line, want := range map[string]string{
		`PS1="(a b) ${PS1:-}"`:       `PS1="@${PS1:-}"`,
		`PS1="("a") ${PS1:-}"`:       `PS1="("@") ${PS1:-}"`,
		`PS1="("'a b'") ${PS1:-}"`:   `PS1="("@") ${PS1:-}"`,
		`PS1="("a b") ${PS1:-}"`:     ``,
		`PS1="("a;b") ${PS1:-}"`:     ``,
		`PS1="$(x) ${PS1:-}"`:        ``,
		"PS1=\"`x` ${PS1:-}\"":       ``,
		`VIRTUAL_ENV_PROMPT=a`:       `VIRTUAL_ENV_PROMPT=@`,
		`VIRTUAL_ENV_PROMPT='a b'`:   `VIRTUAL_ENV_PROMPT=@`,
		`VIRTUAL_ENV_PROMPT=a b`:     ``,
		`VIRTUAL_ENV_PROMPT='a'b'c'`: ``,
		`VIRTUAL_ENV_PROMPT="a b"`:   `VIRTUAL_ENV_PROMPT="@"`,
		`VIRTUAL_ENV_PROMPT="a"b"`:   ``,
		`export VIRTUAL_ENV="/w/e"`:  `export VIRTUAL_ENV=@`,
		`export VIRTUAL_ENV=/w/e`:    `export VIRTUAL_ENV=@`,
		`export VIRTUAL_ENV=/w/e x`:  ``,
	} {
		if want == "" {
			want = line
		}
		if got := blanked(line, "/w/e"); got != want {
			t.Errorf("%s becomes %s, want %s", line, got, want)
		}
	}
}
