// Package acceptance holds bashgate's promises, row by row.
//
// A row of testdata/*.jsonl is a command and what must be said about it:
//
//	cmd               the command line
//	want              allow, ask, block, not_allow or not_block
//	reason_has        the reason contains it
//	reach             local, network or unknown
//	mode              the agent's permission mode; default where it is absent
//	profile, pack     what is switched on
//	denied_commands   settings of the denylist profile
//	allowed_dirs
//	cwd               where it runs; the workspace where it is absent
//	note              for the reader
//
// The workspace is a small project with a fresh git repository; there are no
// task files and no rules of a user. It lies in memory, so that no answer
// depends on the machine.
package acceptance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

type row struct {
	Cmd            string   `json:"cmd"`
	Want           string   `json:"want"`
	ReasonHas      string   `json:"reason_has"`
	Reach          string   `json:"reach"`
	Mode           string   `json:"mode"`
	Profile        string   `json:"profile"`
	Pack           string   `json:"pack"`
	DeniedCommands []string `json:"denied_commands"`
	AllowedDirs    []string `json:"allowed_dirs"`
	Cwd            string   `json:"cwd"`
	Note           string   `json:"note"`
}

const (
	home      = "/home/dev"
	workspace = "/home/dev/project"
)

func files() *disk.Memory {
	m := new(disk.Memory)
	for _, dir := range []string{
		"/bin", "/dev", "/etc", "/opt", "/root", "/tmp", "/usr/bin", "/var/tmp", home,
		workspace + "/.git/objects/info", workspace + "/.git/refs/heads", workspace + "/.git/hooks",
		"/home/user/project",
	} {
		m.Mkdir(dir)
	}
	m.Chmod("/tmp", 0o777|fs.ModeSticky)
	m.Chmod("/var/tmp", 0o777|fs.ModeSticky)
	m.WriteFile(workspace+"/.git/HEAD", "ref: refs/heads/main\n")
	m.WriteFile(workspace+"/.git/config", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n")
	for _, name := range []string{"README.md", "main.go", "a.txt", "b.txt", "file.txt"} {
		m.WriteFile(workspace+"/"+name, "text\n")
	}
	return m
}

func TestRows(t *testing.T) {
	dirs := []string{"testdata"}
	if more := os.Getenv("BASHGATE_ACCEPTANCE"); more != "" {
		dirs = append(dirs, more) // a directory of further rows
	}
	e := engine.New(engine.Options{Files: files()})
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no rows in %s (%v)", dir, err)
		}
		for _, name := range names {
			if strings.HasPrefix(filepath.Base(name), "taint") {
				continue // about sessions: TestTaintRows
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(bytes.NewReader(data))
			for n := 1; lines.Scan(); n++ {
				t.Run(fmt.Sprintf("%s:%d", filepath.ToSlash(name), n), func(t *testing.T) {
					check(t, e, lines.Bytes())
				})
			}
			if err := lines.Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func check(t *testing.T, e *engine.Engine, line []byte) {
	var r row
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		t.Fatal(err)
	}
	q := engine.Request{
		Command: r.Cmd, Cwd: workspace, Workspace: workspace, Home: home, Mode: "default", Shell: "bash",
		Profile: r.Profile, DeniedCommands: r.DeniedCommands, AllowedDirs: r.AllowedDirs,
	}
	if r.Mode != "" {
		q.Mode = r.Mode
	}
	if r.Cwd != "" {
		q.Cwd, q.Workspace = r.Cwd, r.Cwd
	}
	if r.Pack != "" {
		q.Packs = []string{r.Pack}
	}
	v := e.Evaluate(q)
	if r.Want == "" && r.Reach == "" {
		t.Fatal("the row wants nothing")
	}
	if r.Want != "" && !wanted(v.Decision, r.Want) {
		t.Errorf("%s\n  %v, want %s: %s", r.Cmd, v.Decision, r.Want, reasons(&v))
	}
	if r.ReasonHas != "" && !strings.Contains(v.Reason, r.ReasonHas) {
		t.Errorf("%s\n  reason %q, want one with %q", r.Cmd, v.Reason, r.ReasonHas)
	}
	if r.Reach != "" && v.Reach.String() != r.Reach {
		t.Errorf("%s\n  reach %v, want %s: %s", r.Cmd, v.Reach, r.Reach, reasons(&v))
	}
}

func wanted(d policy.Decision, want string) bool {
	switch want {
	case "not_allow":
		return d == policy.Ask || d == policy.Block
	case "not_block":
		return d == policy.Allow || d == policy.Ask
	}
	return d.String() == want
}

func reasons(v *engine.Verdict) string {
	var list []string
	for i := range v.Reasons {
		r := &v.Reasons[i]
		list = append(list, fmt.Sprintf("%s %s (%s)", r.Decision, r.ID, r.Command()))
	}
	return strings.Join(list, "; ")
}
