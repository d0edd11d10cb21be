package engine

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"golang.org/x/tools/txtar"
)

// TestTasks judges lines in trees of files. A file of testdata/task holds a
// workspace, /w, and before it the rows:
//
//	allow  -             npm run lint
//	ask    task.missing  npm run nothing
//
// a decision, the id of the first reason or "-", and a line. A row that begins
// with "@ DIR" sets the directory of the rows below, "! MODE" the permission
// mode. Files whose names begin with a slash lie outside the workspace.
func TestTasks(t *testing.T) {
	names, err := filepath.Glob("testdata/task/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no trees (%v)", err)
	}
	rows := 0 // of all files, whichever are run
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(a.Comment), "\n") {
			if word, _, _ := strings.Cut(line, " "); word == "allow" || word == "ask" || word == "block" {
				rows++
			}
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			files := taskTree(a)
			e := New(Options{Files: files})
			r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: "default"}
			for n, line := range strings.Split(string(a.Comment), "\n") {
				fields := strings.Fields(line)
				switch {
				case len(fields) == 0 || strings.HasPrefix(line, "#"):
					continue
				case fields[0] == "@":
					r.Cwd = fields[1]
					continue
				case fields[0] == "!":
					r.Mode = fields[1]
					continue
				}
				want, id := fields[0], fields[1]
				rest := strings.TrimSpace(strings.TrimPrefix(line, want))
				r.Command = strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(rest, id)), `\n`, "\n")
				v := e.Evaluate(r)
				first := ""
				if len(v.Reasons) > 0 {
					first = v.Reasons[0].ID
				}
				if v.Decision.String() != want || id != "-" && id != first {
					t.Errorf("%s:%d: %s\n  got %s %s (%s), want %s %s", name, n+1, r.Command, v.Decision, first, v.Reason, want, id)
				}
			}
		})
	}
	if rows < 120 {
		t.Errorf("only %d rows", rows)
	}
}

// taskTree puts the files of an archive on a disk. "-> target" makes a link.
func taskTree(a *txtar.Archive) *disk.Memory {
	files := new(disk.Memory)
	files.Mkdir("/w")
	files.Mkdir("/home/u")
	files.Mkdir("/tmp")
	for _, f := range a.Files {
		name := f.Name
		if !strings.HasPrefix(name, "/") {
			name = "/w/" + name
		}
		if target, ok := strings.CutPrefix(string(f.Data), "-> "); ok {
			files.Symlink(strings.TrimSpace(target), name)
			continue
		}
		files.WriteFile(name, string(f.Data))
	}
	return files
}
