package engine

import (
	"path"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// example is a path that a glob names.
func example(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString("sub/dir")
			i++
		case c == '*' || c == '?':
			b.WriteByte('q')
		case c == '[':
			end := strings.IndexByte(glob[i:], ']')
			class := glob[i+1 : i+end]
			if class[0] == '!' {
				b.WriteByte('q')
			} else {
				b.WriteByte(class[0])
			}
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// TestLuresAreRows: a walk finds each file of which a row says that reading it
// shows a secret, and no other.
func TestLuresAreRows(t *testing.T) {
	tried := 0
	for _, g := range gates.All {
		for i := range g.Paths {
			for _, glob := range g.Paths[i].Globs {
				if g.Paths[i].Read <= policy.Allow || strings.HasPrefix(glob, "!") {
					continue
				}
				file := example(glob)
				switch {
				case strings.HasPrefix(file, "~/"):
					file = "/home/u" + file[1:]
				case file[0] != '/':
					file = "/home/u/work/" + file
				}
				if strings.HasPrefix(file, "/proc/") || strings.Count(file, "/") < 2 {
					continue // the kernel's own, and directories of the root
				}
				var m disk.Memory
				m.WriteFile(file, "")
				j := newJudge(New(Options{Files: &m}))
				j.request = &Request{Home: "/home/u", Cwd: "/home/u/work", Workspace: "/home/u/work"}
				rule := j.row(j.target(file, false, true), opRead)
				secret := rule != nil && rule.Read > policy.Allow && rule.Effects&policy.Secret != 0
				found := j.walk(walk{root: path.Dir(file), how: 7})
				if got := len(found.files) == 1; got != secret {
					t.Errorf("%s of %s: the row says %v, the walk finds %v", file, glob, secret, found.files)
				}
				tried++
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d globs", tried)
	}
}

// TestLuresOfUsers: a walk finds the files that rows of a user call secret, where a row
// says all of the path, and where it leaves directories open of which there are none.
func TestLuresOfUsers(t *testing.T) {
	for file, glob := range map[string]string{
		"/home/u/work/notes.txt":     "./notes.txt",
		"/home/u/work/sub/notes.txt": "./sub/notes.txt",
		"/home/u/work/keys":          "./**/keys",
		"/home/u/work/a/b/any":       "./a/**",
		"/home/u/diary":              "~/diary",
		"/home/u/diaries/one":        "~/diaries/**/one",
		"/passwords":                 "/passwords",
		"/srv/one":                   "/srv/**/one",
		"/srv/any":                   "**",
	} {
		var m disk.Memory
		m.WriteFile(file, "")
		own := &match.Gate{Paths: []match.PathRule{{ID: "mine", Globs: []string{glob}, Secret: ordinary}}}
		j := newJudge(New(Options{Files: &m, User: []*interp.Rules{interp.New([]*match.Gate{own})}}))
		j.request = &Request{Home: "/home/u", Cwd: "/home/u/work", Workspace: "/home/u/work"}
		if found := j.walk(walk{root: path.Dir(file), how: 7}); len(found.files) != 1 {
			t.Errorf("%s is not found by %s", file, glob)
		}
	}
}

// TestLeftOut: what surely is ignored, and nothing else.
func TestLeftOut(t *testing.T) {
	var m disk.Memory
	m.Mkdir("/w/.git")
	m.WriteFile("/w/.gitignore", "# comment\n*.pem\n!keep.pem\n/top\nbuild/\na/b.key\n\\#x\n")
	m.WriteFile("/w/sub/.gitignore", "*.log\n")
	m.Mkdir("/w/other/.git")
	m.WriteFile("/v/.gitignore", "*.pem\n") // of no repository
	m.Mkdir("/r/.git")
	m.WriteFile("/r/.gitignore", "*.pem\n")
	m.WriteFile("/r/.ignore", "!*.pem\n")
	j := newJudge(New(Options{Files: &m}))
	j.request = &Request{}
	for _, row := range []struct {
		dir, file string
		want      bool
	}{
		{"/w", "/w/x.pem", true},
		{"/w", "/w/sub/x.pem", true},
		{"/w/sub", "/w/sub/x.pem", true},
		{"/w/sub", "/w/sub/x.log", true},
		{"/w", "/w/keep.pem", false},
		{"/w", "/w/top", true},
		{"/w", "/w/sub/top", false},
		{"/w", "/w/build/x", true},
		{"/w", "/w/a/b.key", true},
		{"/w", "/w/sub/a/b.key", false},
		{"/w", "/w/x.go", false},
		{"/w/other", "/w/other/x.pem", false},
		{"/v", "/v/x.pem", false},
		{"/r", "/r/x.pem", false},
	} {
		if got := j.leftOutBy(row.dir).has(row.file); got != row.want {
			t.Errorf("%s below %s: %v", row.file, row.dir, got)
		}
	}
}
