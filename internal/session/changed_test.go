package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// git runs git in a directory as a person does who has set nothing up.
func (d *desk) git(dir string, args ...string) string {
	d.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = filepath.Join(d.dir, dir)
	c.Env = []string{
		"PATH=/usr/bin:/bin", "HOME=" + d.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=p", "GIT_AUTHOR_EMAIL=p@example.org",
		"GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@example.org",
	}
	out, err := c.CombinedOutput()
	if err != nil {
		d.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func newRepository(t *testing.T) *desk {
	t.Helper()
	if _, err := os.Stat(gits[0]); err != nil {
		t.Skip("NOT RUN: there is no git in the system's directories, nothing checks what a person has committed")
	}
	d := newDesk(t)
	d.git("", "init", "-q", ".")
	d.put("main.go", "package main\n")
	d.git("", "add", "main.go")
	d.git("", "commit", "-qm", "first")
	return d
}

func (d *desk) changed(dirs ...string) string {
	d.t.Helper()
	if dirs == nil {
		dirs = []string{d.dir}
	}
	list, known := d.s.Changed(dirs, nil)
	if !known {
		return "not known"
	}
	var names []string
	for _, p := range list {
		name := strings.TrimPrefix(p.Path, d.dir+"/")
		if p.Pattern {
			name += "?"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// TestCommitted lets a person commit what a session has written, and an agent.
func TestCommitted(t *testing.T) {
	fetch := func(d *desk) {
		d.run("curl -o page.html https://a.example", clean)
		d.put("page.html", "a page")
	}
	person := func(d *desk) { d.git("", "add", "."); d.git("", "commit", "-qam", "reviewed") }
	for _, row := range []struct {
		name string
		do   func(d *desk)
		want string
	}{
		{"nobody", func(d *desk) { fetch(d) }, "page.html:20"},
		{"a person", func(d *desk) { fetch(d); person(d) }, ""},
		{"a person, something else", func(d *desk) { d.put("page.html", "good"); person(d); fetch(d) }, "page.html:20"},
		{"a person, and then it changes", func(d *desk) { fetch(d); person(d); d.put("page.html", "another page") }, "page.html:20"},
		{"an agent", func(d *desk) { fetch(d); d.run("git add . && git commit -m x", clean); person(d) }, "page.html:20"},
		{"an agent with an option", func(d *desk) { fetch(d); d.run("git -c user.name=x commit -am x", clean); person(d) }, "page.html:20"},
		{"an agent, from elsewhere", func(d *desk) { fetch(d); d.run("git -C "+d.dir+" commit -am x", clean); person(d) }, "page.html:20"},
		{"an agent, in the same line", func(d *desk) {
			d.run("curl -o page.html https://a.example; git commit -am x", clean)
			d.put("page.html", "a page")
			person(d)
		}, "page.html:20"},
		{"an agent with another repository", func(d *desk) {
			fetch(d)
			d.put("other/x", "x")
			d.git("other", "init", "-q", ".")
			d.git("other", "add", ".")
			d.git("other", "commit", "-qm", "x")
			d.run("cd other && GIT_DIR=../.git git commit -am x", clean)
			person(d)
		}, "page.html:20"},
		{"an agent that exports another repository", func(d *desk) {
			fetch(d)
			d.put("other/x", "x")
			d.git("other", "init", "-q", ".")
			d.git("other", "add", ".")
			d.git("other", "commit", "-qm", "x")
			d.run("export GIT_DIR=../.git; cd other && git commit -am x", clean)
			person(d)
		}, "page.html:20"},
		{"an agent by another program", func(d *desk) { fetch(d); d.run("env git commit -am x", clean); person(d) }, "page.html:20"},
		{"an agent by some program", func(d *desk) { fetch(d); d.run("$GIT commit -am x", clean); person(d) }, "page.html:20"},
		{"an agent in another working tree", func(d *desk) {
			fetch(d)
			d.git("", "worktree", "add", "-q", d.dir+"/tree")
			d.run("cd tree && git commit -am x", clean)
			d.git("", "worktree", "remove", d.dir+"/tree")
			person(d)
		}, "page.html:20"},
		{"an agent by a script", func(d *desk) { fetch(d); d.run("bash -c 'git commit -am x'", clean); person(d) }, "page.html:20"},
		{"an agent that writes a ref", func(d *desk) { fetch(d); d.run("echo x >.git/refs/heads/main", clean); person(d) }, "page.html:20"},
		{"an agent that fetches a branch", func(d *desk) { fetch(d); d.run("gh pr checkout 3", clean); person(d) }, "page.html:20"},
		{"an agent that only looks", func(d *desk) {
			fetch(d)
			d.run("git status; git --no-pager log; git diff; git add .", clean)
			person(d)
		}, ""},
		{"a person, and then an agent something else", func(d *desk) { fetch(d); person(d); d.run("git commit -am x", clean) }, ""},
		{"a person, an agent, and then it changes", func(d *desk) { fetch(d); person(d); d.run("git commit -am x", clean); d.put("page.html", "another") }, "page.html:20"},
		{"an agent elsewhere", func(d *desk) {
			fetch(d)
			d.put("other/x", "x")
			d.git("other", "init", "-q", ".")
			d.git("other", "add", ".")
			d.git("other", "commit", "-qm", "x")
			d.run("cd other && git commit -am x", clean)
			os.RemoveAll(d.dir + "/other")
			person(d)
		}, ""},
		{"a repository of its own around the file", func(d *desk) {
			d.run("curl -o sub/page.html https://a.example; git init sub; cd sub; git commit -am x", clean)
			d.put("page.html", "a page")
			d.put("sub/page.html", "a page")
			d.git("sub", "init", "-q", ".")
			d.git("sub", "add", ".")
			d.git("sub", "commit", "-qm", "x")
		}, "sub/page.html:20"},
		{"a replaced object", func(d *desk) {
			d.put("page.html", "good")
			person(d)
			good := d.git("", "rev-parse", "HEAD:page.html")
			fetch(d)
			evil := d.git("", "hash-object", "-w", "page.html")
			d.git("", "replace", good, evil)
			d.git("", "commit", "-q", "--allow-empty", "-m", "x")
		}, "page.html:20"},
	} {
		d := newRepository(t)
		row.do(d)
		if got, _, _ := strings.Cut(d.shows("cat page.html sub/page.html"), " "); got != row.want {
			written, _ := d.s.Files()
			t.Errorf("committed by %s: %q, want %q (%s)", row.name, got, row.want, named(written))
		}
	}
}

// A repository can be anybody's: whatever it says shall be run is not run.
func TestHostileRepository(t *testing.T) {
	d := newRepository(t)
	marker := filepath.Join(d.dir, "ran")
	script := filepath.Join(d.dir, "evil.sh")
	d.put("evil.sh", "#!/bin/sh\ntouch "+marker+"\ncat\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	d.put(".gitattributes", "* filter=evil diff=evil merge=evil text=auto\n")
	d.git("", "add", ".gitattributes")
	d.git("", "commit", "-qm", "attributes")
	for _, pair := range [][2]string{
		{"filter.evil.smudge", script}, {"filter.evil.clean", script}, {"filter.evil.process", script}, {"diff.evil.textconv", script},
		{"core.fsmonitor", script}, {"core.sshCommand", script}, {"core.pager", script}, {"core.editor", script}, {"core.gitProxy", script},
		{"core.alternateRefsCommand", script}, {"alias.cat-file", "!" + script}, {"core.askPass", script}, {"credential.helper", script},
		{"uploadpack.packObjectsHook", script}, {"extensions.partialClone", "evil"}, {"remote.evil.promisor", "true"},
		{"remote.evil.url", "ext::" + script}, {"remote.evil.vcs", "ext"}, {"protocol.ext.allow", "always"}, {"protocol.allow", "always"},
	} {
		d.git("", "config", pair[0], pair[1])
	}
	hooks, _ := filepath.Glob(d.dir + "/.git/hooks/*.sample")
	for _, hook := range append(hooks, d.dir+"/.git/hooks/x.sample") {
		if err := os.WriteFile(strings.TrimSuffix(hook, ".sample"), []byte("#!/bin/sh\ntouch "+marker+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// An object that is missing would be fetched.
	id := d.git("", "rev-parse", "HEAD:main.go")
	if err := os.Remove(filepath.Join(d.dir, ".git/objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	if same := committed([]string{d.dir + "/main.go", d.dir + "/.gitattributes"}); same[d.dir+"/main.go"] {
		t.Errorf("a missing object is the same: %v", same)
	}
	if _, err := os.Lstat(marker); err == nil {
		t.Error("the repository's program has run")
	}
}

// Whatever is wrong with a repository, the file is not committed.
func TestBrokenRepository(t *testing.T) {
	for _, row := range []struct {
		name string
		do   func(d *desk) error
	}{
		{"no head", func(d *desk) error { return os.Remove(d.dir + "/.git/HEAD") }},
		{"a pipe for its settings", func(d *desk) error {
			os.Remove(d.dir + "/.git/config")
			return exec.Command("mkfifo", d.dir+"/.git/config").Run()
		}},
		{"a file that leads nowhere", func(d *desk) error {
			os.RemoveAll(d.dir + "/.git")
			return os.WriteFile(d.dir+"/.git", []byte("gitdir: /nonexistent\n"), 0o644)
		}},
	} {
		d := newRepository(t)
		if err := row.do(d); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if same := committed([]string{d.dir + "/main.go"}); len(same) > 0 {
			t.Errorf("%s: %v", row.name, same)
		}
		if took := time.Since(start); took > 5*gitPatience {
			t.Errorf("%s: %v", row.name, took)
		}
	}
}

func TestChanged(t *testing.T) {
	d := newRepository(t)
	expect := func(what, want string, dirs ...string) {
		t.Helper()
		if got := d.changed(dirs...); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("nothing", "")
	d.put("main_test.go", "old")
	d.run("sed -i s/a/b/ main_test.go; echo x >new.txt; cat .env >secret.txt", clean)
	expect("a clean session", "")
	d.run("sed -i s/a/b/ main_test.go; echo x >new.txt", corrupt)
	expect("what is not there yet, or as before", "")
	d.put("main_test.go", "new")
	d.put("new.txt", "x")
	expect("what a session has written", "main_test.go new.txt")
	expect("below another directory", "", d.dir+"/sub")
	expect("the file itself", "new.txt", d.dir+"/new.txt")
	expect("far above", "main_test.go new.txt", "/")
	d.git("", "add", "new.txt")
	d.git("", "commit", "-qm", "reviewed")
	expect("what a person has committed", "main_test.go")
	d.put("main_test.go", "old")
	expect("what is as before", "")
	d.run("npm install left-pad", clean)
	d.put("node_modules/left-pad/x.js", "x")
	expect("what a registry sent", "")
	d.run(`echo x >"sub/$f"`, corrupt)
	expect("a file of an unknown name", "sub/*?")
	expect("where it may be", "sub/*?", d.dir+"/sub")
	expect("where it is not", "", d.dir+"/other")
	d.run("git clone https://github.com/a/tool", clean)
	d.put("tool/x", "x")
	expect("a clone", "tool", d.dir+"/tool/x/y")
	d.run("git pull", clean)
	expect("what the remote sent", "", d.dir+"/other")
	d.run("gh pr checkout 3", clean)
	expect("what a stranger sent", d.dir, d.dir+"/other")
	d = newRepository(t)
	d.run(`cd "$x" && echo x >y`, corrupt)
	if got, _ := d.s.Changed([]string{d.dir}, nil); len(got) != 1 {
		t.Errorf("a file anywhere: %v", got)
	}
	if got := d.shows("cat main.go"); got != "" {
		t.Errorf("a file anywhere taints all: %q", got)
	}
	if err := appendTo(d.s.files().path, []byte("x\n")); err != nil {
		t.Fatal(err)
	}
	if _, known := d.s.Changed([]string{"/x"}, nil); known {
		t.Error("a damaged list is known")
	}
	if list, known := (Store{Dir: "/nonexistent"}).Changed([]string{"/x"}, nil); !known || len(list) > 0 {
		t.Errorf("without a list: %v, %v", list, known)
	}
}
