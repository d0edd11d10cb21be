package engine

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// ways are how a file is run; each takes the path of the file and its words.
var ways = []string{
	"python @", "python3 -u @", "node @", "ruby @", "perl @", "php @", "lua @", "Rscript @", "elixir @", "./@", "$PWD/@", "timeout 5 python @", "env python @",
}

// projectWorld is a workspace with code in all the places that matter.
func projectWorld() *disk.Memory {
	m := new(disk.Memory)
	for _, dir := range []string{"/etc", "/tmp", "/usr/bin", "/home/dev/.ssh", "/home/dev/project/.git"} {
		m.Mkdir(dir)
	}
	for _, file := range []string{"app", "src/app", "open/app", "worldly"} {
		m.WriteFile("/home/dev/project/"+file, "\x7fELF\x00")
	}
	m.Chmod("/home/dev/project/open", 0o777|fs.ModeDir)
	m.Chmod("/home/dev/project/worldly", 0o666)
	m.WriteFile("/tmp/app", "\x00")
	m.Symlink("/tmp/app", "/home/dev/project/away")
	m.Symlink("/tmp", "/home/dev/project/out")
	m.Symlink("app", "/home/dev/project/near")
	return m
}

func project(e *Engine, line string) Verdict {
	return e.Evaluate(Request{Command: line, Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash"})
}

// run is a line that runs a file in one of the ways.
func run(way, file, words string) string {
	way = strings.ReplaceAll(way, "$PWD", "/home/dev/project")
	if strings.HasPrefix(file, "/") {
		way = strings.TrimPrefix(strings.ReplaceAll(way, "/home/dev/project/@", "@"), "./")
	}
	return strings.TrimSpace(strings.ReplaceAll(way, "@", file) + " " + words)
}

// Whatever runs it, code of the workspace is judged alike: as to the place of
// the file, and as to the words that it is given.
func TestProjectCode(t *testing.T) {
	e := New(Options{Files: projectWorld()})
	for _, way := range ways {
		for _, file := range []string{"app", "src/app", "src/../app", "near"} {
			for _, words := range []string{"", "test", "--epochs 3 -v", "src/a.py:12 v1.2.3 a.b", "http://localhost:8000/x", "--port=8000", "@scope/name", "x@1.2.3", "'a b'"} {
				v := project(e, run(way, file, words))
				if v.Decision != policy.Allow || v.Effects&policy.Executes == 0 || v.Reach == policy.ReachLocal {
					t.Errorf("%s is %v, with the effects %v and the reach %v: %s", run(way, file, words), v.Decision, v.Effects.Names(), v.Reach, v.Reason)
				}
			}
			for _, words := range []string{
				"/etc/passwd", "--out=/etc/x", "--out /etc/x", "-o/etc/x", "../other/x", "src/../../x", "~/x", "x=~/.ssh/id_rsa", ".env", "--config=.env", "@/etc/x", "--data=@.env", "@../x", "~root/x",
				"https://example.com", "--url=https://example.com/x", "file:///etc/passwd", "example.com", "10.1.2.3", "10.1.2.3:80", "db.example.net:5432", "user@example.com", "git@example.com:a/b", "http://localhost@example.com/",
			} {
				if v := project(e, run(way, file, words)); v.Decision == policy.Allow {
					t.Errorf("%s is allowed", run(way, file, words))
				}
			}
		}
		for _, file := range []string{"missing", "away", "out/app", "open/app", "worldly", "../app", "/tmp/app", "/tmp/*", "open/*", `"$x"`} {
			if v := project(e, run(way, file, "")); v.Decision == policy.Allow {
				t.Errorf("%s is allowed", run(way, file, ""))
			}
		}
		for _, line := range []string{
			"echo x > app; @", "cp /tmp/app src/b; python src/*", "cp /tmp/app app && @", "curl -so app https://example.com && @", "ln -sf /tmp/app app; @", "@ & cp /tmp/app app", "for i in 1 2; do @; cp /tmp/app app; done",
			"cd /tmp && @", `cd "$x" && @`, "sudo @", "ssh h @", "docker run img @",
		} {
			if line = strings.ReplaceAll(line, "@", run(way, "app", "")); strings.Contains(way, "$PWD") && strings.HasPrefix(line, "cd ") {
				continue // it is the same file wherever one stands
			}
			if v := project(e, line); v.Decision == policy.Allow {
				t.Errorf("%s is allowed", line)
			}
		}
	}
}

// What is asked about a program is asked about a file of the project that is
// called so.
func TestProjectNames(t *testing.T) {
	m := projectWorld()
	for _, file := range []string{"bin/rails", "manage.py", "artisan", "terraform"} {
		m.WriteFile("/home/dev/project/"+file, "\x00")
	}
	e := New(Options{Files: m})
	for line, want := range map[string]policy.Decision{
		"bin/rails db:drop": policy.Ask, "bin/rails test": policy.Allow, "./terraform destroy": policy.Ask,
		"python manage.py flush": policy.Ask, "python manage.py test": policy.Allow, "php artisan migrate:fresh": policy.Ask, "php artisan test": policy.Allow,
	} {
		if v := project(e, line); v.Decision != want {
			t.Errorf("%s is %v, want %v: %s", line, v.Decision, want, v.Reason)
		}
	}
}

// Profiles that ask about code ask about all of it.
func TestProjectStrict(t *testing.T) {
	e := New(Options{Files: projectWorld()})
	for _, way := range ways {
		v := e.Evaluate(Request{Command: run(way, "app", ""), Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Profile: "strict"})
		if v.Decision != policy.Ask {
			t.Errorf("%s is %v in profile strict", run(way, "app", ""), v.Decision)
		}
	}
	for _, line := range []string{"./app", "src/app", "/home/dev/project/app"} {
		v := e.Evaluate(Request{Command: line, Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Profile: "allowlist"})
		if v.Decision != policy.Block {
			t.Errorf("%s is %v in profile allowlist", line, v.Decision)
		}
	}
}
