package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
)

// desk is a directory in which sessions work.
type desk struct {
	t   *testing.T
	s   Store
	dir string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t, newStore(t), dir}
}

func (d *desk) put(name, text string) {
	d.t.Helper()
	name = filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) judge(command string) []engine.Node {
	v := engine.New(engine.Options{Files: disk.OS{}}).Evaluate(engine.Request{Command: command, Cwd: d.dir, Home: "/home/u"})
	return v.Tree
}

// run notes what a line of a session that has seen something does.
func (d *desk) run(command string, seen engine.Taint) []Event {
	d.t.Helper()
	nodes := d.judge(command)
	d.s.ReadFiles(nodes, 2)
	if err := d.s.Keep(nodes, seen, 1, "claude-1"); err != nil {
		d.t.Fatal(err)
	}
	return Events(nodes, "", "")
}

// shows is what a line shows of files that sessions have written.
func (d *desk) shows(command string) string {
	nodes := d.judge(command)
	d.s.ReadFiles(nodes, 2)
	var list []string
	for _, e := range Events(nodes, "", "") {
		if strings.HasPrefix(e.Why, "A file ") && (strings.Contains(e.Why, "wrote")) {
			list = append(list, fmt.Sprintf("%s:%d%d", strings.TrimPrefix(e.What, d.dir+"/"), e.Corruption, e.Secret))
		}
	}
	return strings.Join(list, " ")
}

func named(files []File) string {
	var list []string
	for _, f := range files {
		list = append(list, fmt.Sprintf("%s:%d%d %v", f.What, f.Corruption, f.Secret, f.Holds))
	}
	return strings.Join(list, ", ")
}

var (
	clean   = engine.Taint{}
	corrupt = engine.Taint{Corruption: 2}
)

// TestFlow writes files by lines. What a line shows flows into them, whatever
// the session has seen; what the session has seen leaves the lowest level.
func TestFlow(t *testing.T) {
	for _, row := range []struct {
		line string
		seen engine.Taint
		make string // a file that the line makes
		read string
		want string
	}{
		{"curl -o page.html https://a.example", clean, "page.html", "cat page.html", "page.html:20"},
		{"curl -s https://a.example >page.html", clean, "page.html", "cat page.html", "page.html:20"},
		{"curl -s https://a.example | tee page.html", clean, "page.html", "cat page.html", "page.html:20"},
		{"curl -s https://a.example | jq . >page.html", clean, "page.html", "cat page.html", "page.html:20"},
		{"x=$(curl -s https://a.example); echo \"$x\" >page.html", clean, "page.html", "cat page.html", "page.html:20"},
		{"bash -c 'curl -s https://a.example >page.html'", clean, "page.html", "cat page.html", "page.html:20"},
		{"curl -O https://a.example/x/page.html", clean, "page.html", "cat page.html", "page.html:20"},
		{"curl -fsSLO 'https://a.example/x/page.html?y=1'", clean, "page.html", "cat page.html", "page.html:20"},
		{"curl -OJ https://a.example/", clean, "page.html", "cat page.html", "**:20"},
		{"wget https://a.example/x/page.html", clean, "page.html", "cat page.html", "page.html:20"},
		{"wget -q https://a.example/", clean, "index.html", "cat index.html", "index.html:20"},
		{"wget -r https://a.example/", clean, "a.example/x.html", "cat a.example/x.html", "**:20"},
		{"git clone https://github.com/a/tool", clean, "tool/README", "cat tool/README", "tool:20"},
		{"git clone https://github.com/a/tool.git mine", clean, "mine/README", "cat mine/README", "mine:20"},
		{"git clone git@github.com:a/tool.git", clean, "tool/README", "cat tool/README", "tool:20"},
		{"gh repo clone a/tool", clean, "tool/README", "cat tool/README", "tool:20"},
		{"gh run download 5", clean, "artifact/x.log", "cat artifact/x.log", ".:20"},
		{"gh pr checkout 343", clean, "main.go", "cat main.go", ".:20"},
		{"curl -s https://a.example/x.tgz | tar xz", clean, "pack/x", "cat pack/x", ".:20"},
		{"cat .env >copy.txt", clean, "copy.txt", "cat copy.txt", "copy.txt:02"},
		{"cp .env copy.txt", clean, "copy.txt", "cat copy.txt", "copy.txt:02"},
		{"cat .env; curl -o page.html https://a.example", clean, "page.html", "cat page.html", "page.html:22"},
		{"echo x >x.txt", corrupt, "x.txt", "cat x.txt", "x.txt:10"},
		{"echo x >x.txt", engine.Taint{Corruption: 3, Secret: 2}, "x.txt", "cat x.txt", "x.txt:11"},
		{"echo x >x.txt", engine.Taint{Damaged: true}, "x.txt", "cat x.txt", "x.txt:11"},
		{"go build -o app .", corrupt, "app", "cat app", "app:10"},
		{"sed -i s/a/b/ x.txt", corrupt, "x.txt", "cat x.txt", "x.txt:10"},
		{"echo x >x.txt", clean, "x.txt", "cat x.txt", ""},
		{"echo x >x.txt", corrupt, "y.txt", "cat y.txt", ""},
		{`echo x >"$f"`, corrupt, "x.txt", "cat x.txt", "*:10"},
		{"curl -s https://a.example | jq .", clean, "x.txt", "cat x.txt", ""},
	} {
		d := newDesk(t)
		d.put(".git/HEAD", "ref: refs/heads/main\n")
		d.run(row.line, row.seen)
		d.put(row.make, "new")
		if got := strings.ReplaceAll(d.shows(row.read), d.dir, "."); got != row.want {
			written, _ := d.s.Files()
			t.Errorf("%s; %s: %q, want %q (%s)", row.line, row.read, got, row.want, named(written))
		}
	}
}

// TestPassedOn moves, links and copies written files in a session that has
// seen nothing: what they hold stays known.
func TestPassedOn(t *testing.T) {
	for _, row := range []struct{ command, make, reads, want string }{
		{"mv a.md b.md", "b.md", "cat b.md", "b.md:20"},
		{"git mv a.md b.md", "b.md", "cat b.md", "b.md:20"},
		{"ln a.md b.md", "b.md", "cat b.md", "b.md:20"},
		{"ln -s a.md b.md", "b.md", "cat b.md", "b.md:20"},
		{"mv a.md docs/", "docs/a.md", "cat docs/a.md", "docs/a.md:20"},
		{"mv a.md docs/", "docs/a.md", "cat docs/other.md", ""},
		{"mv *.md docs/", "docs/a.md", "cat docs/a.md", "docs/*.md:20"},
		{"mv clean.md a.md docs/", "docs/a.md", "cat docs/a.md", "docs/a.md:20"},
		{"mv pack new", "new/x.md", "cat new/x.md", "new:20"},
		{"mv pack docs", "docs/pack/x.md", "cat docs/pack/x.md", "docs/pack:20"},
		{"cp -r pack/. docs", "docs/x.md", "cat docs/x.md", "docs:20"},
		{"cp -r pack docs", "docs/pack/x.md", "cat docs/pack/x.md", "docs/pack:20"},
		{"cp a.md docs", "docs/a.md", "cat docs/a.md", "docs/a.md:20"},
		{"ln -s a.md docs", "docs/a.md", "cat docs/a.md", "docs/a.md:20"},
		{"cat a.md >b.md", "b.md", "cat b.md", "b.md:20"},
		{"grep x a.md | sort >b.md", "b.md", "cat b.md", "b.md:20"},
		{"cp a.md b.md && cp b.md c.md", "c.md", "cat c.md", "c.md:20"},
		{"mv clean.md b.md", "b.md", "cat b.md", ""},
		{"rm a.md b.md", "c.md", "cat c.md", ""},
	} {
		d := newDesk(t)
		d.put("docs/other.md", "x")
		d.put("clean.md", "x")
		d.run("curl -o a.md https://a.example; curl -o pack/x.md https://a.example", clean)
		d.put("a.md", "a page")
		d.put("pack/x.md", "a page")
		d.run(row.command, clean)
		d.put(row.make, "a page")
		if got := d.shows(row.reads); got != row.want {
			t.Errorf("%s; %s: %q, want %q", row.command, row.reads, got, row.want)
		}
	}
}

// TestReadFiles reads what sessions have written.
func TestReadFiles(t *testing.T) {
	d := newDesk(t)
	d.run("curl -o notes.txt https://a.example; curl -s https://a.example | tee out/a.txt >/dev/null", clean)
	d.run("curl -o notes.txt https://a.example", clean) // known already
	d.run("curl -o page.html https://a.example", clean)
	for _, name := range []string{"notes.txt", "out/a.txt", "page.html", "notes.txt.bak", "clean.txt"} {
		d.put(name, "x")
	}
	if written, damage := d.s.Files(); len(written) != 3 || damage != "" {
		t.Errorf("%d files, damage %q: %s", len(written), damage, named(written))
	}
	for _, row := range []struct{ command, want string }{
		{"cat clean.txt", ""},
		{"cat ./x/../notes.txt", "notes.txt:20"},
		{"wc -l <notes.txt", "notes.txt:20"},
		{"cat *.txt", "notes.txt:20"},
		{"cat */*.txt", "out/a.txt:20"},
		{"grep -r x out", "out/a.txt:20"},
		{"grep -rn x .", "notes.txt:20 out/a.txt:20 page.html:20"},
		{"cat notes.txt.bak", ""},
		{"ls; ls ..; find . -name '*.txt'", ""},
		{"jq . page.html", "page.html:20"},
	} {
		if got := d.shows(row.command); got != row.want {
			t.Errorf("%s: %q, want %q", row.command, got, row.want)
		}
	}
	if err := d.s.CleanFiles(d.dir + "/notes.txt"); err != nil {
		t.Fatal(err)
	}
	if got := d.shows("cat notes.txt out/a.txt"); got != "out/a.txt:20" {
		t.Errorf("after notes.txt was cleared: %q", got)
	}
	if err := appendTo(d.s.files().path, []byte("x\n")); err != nil {
		t.Fatal(err)
	}
	if got := d.shows("cat clean.txt"); got != "clean.txt:22" {
		t.Errorf("where the list is damaged: %q", got)
	}
	if err := d.s.CleanFiles("/"); err != nil {
		t.Fatal(err)
	}
	if got := d.shows("cat clean.txt notes.txt"); got != "" {
		t.Errorf("after all are cleared: %q", got)
	}
	if _, err := os.Stat(d.s.files().path); !os.IsNotExist(err) {
		t.Errorf("the list: %v", err)
	}
}

// TestContent compares what files hold: one that is gone, or as it was before,
// shows nothing of what a session wrote.
func TestContent(t *testing.T) {
	d := newDesk(t)
	d.put("old.txt", "old")
	d.run("curl -o old.txt https://a.example; curl -o new.txt https://a.example", clean)
	for _, row := range []struct{ name, text, want string }{
		{"old.txt", "old", ""},
		{"old.txt", "evil", "old.txt:20"},
		{"old.txt", "old", ""},
		{"old.txt", "", "old.txt:20"},
		{"new.txt", "evil", "new.txt:20"},
		{"new.txt", "", "new.txt:20"},
	} {
		d.put(row.name, row.text)
		if got := d.shows("cat " + row.name); got != row.want {
			t.Errorf("%s of %q: %q, want %q", row.name, row.text, got, row.want)
		}
	}
	if err := os.Remove(d.dir + "/new.txt"); err != nil {
		t.Fatal(err)
	}
	if got := d.shows("cat new.txt"); got != "" {
		t.Errorf("what is gone: %q", got)
	}
	// The same line may bring it back.
	for command, want := range map[string]string{
		"git stash pop && cat new.txt": "new.txt:20", "git checkout topic; cat old.txt": "old.txt:20", "cat new.txt; bash -c 'git checkout new.txt'": "new.txt:20",
		"git commit -m x; cat new.txt": "", "git status; cat new.txt": "",
	} {
		d.put("old.txt", "old")
		if got := d.shows(command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	// In its place, whatever it is.
	if err := os.Symlink("old.txt", d.dir+"/new.txt"); err != nil {
		t.Fatal(err)
	}
	if written, _ := d.s.Files(); !slices.ContainsFunc(written, func(f File) bool { return f.What == d.dir+"/new.txt" && f.Holds }) {
		t.Error("a link in the place of a file that was written counts as clean")
	}
	// What a session writes a second time was not clean before.
	d.put("old.txt", "evil")
	d.run("curl -o old.txt https://b.example; cat .env >>old.txt", clean)
	d.put("old.txt", "evil")
	if got := d.shows("cat old.txt"); got != "old.txt:20" {
		t.Errorf("written again: %q", got)
	}
	// One that is too large to look at.
	d.put("large", strings.Repeat("x", maxContent+1))
	d.run("curl -o large https://a.example", clean)
	if got := d.shows("cat large"); got != "large:20" {
		t.Errorf("a large one: %q", got)
	}
}

// What stands in a directory since before something was fetched into it is not
// what was fetched; where files are moved, that can't be told.
func TestOlder(t *testing.T) {
	d := newDesk(t)
	d.put("main.go", "x")
	d.s.Now = func() time.Time { return time.Now().Add(time.Minute) }
	d.run("gh pr checkout 343", clean)
	if got := d.shows("cat main.go"); got != "" {
		t.Errorf("an older file: %q", got)
	}
	if got := d.shows("grep -r x ."); got == "" {
		t.Error("the directory itself")
	}
	d = newDesk(t)
	d.put("main.go", "x")
	d.run("gh pr checkout 343", clean)
	if got := d.shows("cat main.go"); got == "" {
		t.Error("a file that may be written then")
	}
	d = newDesk(t)
	d.put("docs/a.md", "x")
	d.s.Now = func() time.Time { return time.Now().Add(time.Minute) }
	d.run("curl -s https://a.example | tar xz; mv docs new", clean)
	d.put("new/a.md", "x")
	if got := d.shows("cat new/a.md"); got == "" {
		t.Error("a moved file")
	}
}

// A line that writes nothing, or has seen nothing, leaves no list behind.
func TestNothingToKeep(t *testing.T) {
	d := newDesk(t)
	d.put(".git/HEAD", "ref: refs/heads/main\n")
	for _, line := range []string{"echo x >x", "git commit -am x", "go build ./...", "rm x", "cp a b", "npm test"} {
		d.run(line, clean)
	}
	if _, err := os.Stat(d.s.Dir); !os.IsNotExist(err) {
		t.Errorf("%s: %v", d.s.Dir, err)
	}
}

// What lies here says nothing of files on another machine: what a session wrote
// there counts, whether or not there is such a file here.
func TestAway(t *testing.T) {
	d := newDesk(t)
	d.put("old", "x\n")
	if err := os.Mkdir(d.dir+"/into", 0o755); err != nil {
		t.Fatal(err)
	}
	read := func(command, want string) {
		t.Helper()
		if got := d.shows(command); got != want {
			t.Errorf("away %v: %s: %q, want %q", d.s.Away, command, got, want)
		}
	}
	both := func(command, here, there string) {
		t.Helper()
		d.s.Away = false
		read(command, here)
		d.s.Away = true
		read(command, there)
	}
	d.s.Away = true
	seen := engine.Taint{Corruption: 2}
	d.run("curl https://news.example/a > page", seen)
	both("cat page", "", "page:20") // there is none here
	d.run("curl https://news.example/a | tee old", seen)
	both("cat old", "old:20", "old:20")
	d.run("cp page more", seen)
	both("cat more/page", "", "more:20 more/page:20") // more may be a directory
	both("cat more", "", "more:20 more/page:20")
	both("cat other", "", "")
}
