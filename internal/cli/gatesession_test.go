//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// project is a project of its own in which an agent works.
type project struct {
	*agent
	dir string
}

func (a *agent) project(name string) project {
	a.t.Helper()
	dir := filepath.Join(a.env["HOME"], name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		a.t.Fatal(err)
	}
	return project{a, dir}
}

func (p project) put(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if filepath.IsAbs(name) {
		path = name
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// does sends what the agent sends of a tool's use, before and after it.
func (p project) does(id, tool string, args ...string) {
	p.t.Helper()
	p.env["CLAUDE_PROJECT_DIR"] = p.dir
	input := pairs(args)
	for key, value := range input {
		if text := value.(string); strings.HasSuffix(key, "path") && !filepath.IsAbs(text) {
			input[key] = filepath.Join(p.dir, text)
		}
	}
	more := fields{"tool_name": tool, "tool_input": input, "tool_use_id": fmt.Sprint("use of ", tool, args), "cwd": p.dir}
	if decision, _ := p.event(id, "PreToolUse", more); decision != "deny" {
		p.event(id, "PostToolUse", more)
	}
}

func (p project) line(id, command string) { p.t.Helper(); p.does(id, "Bash", "command", command) }

// TestWrittenFiles passes what a session has seen on by a file: for certain
// where it flows there, and as a mere note where the session writes it.
func TestWrittenFiles(t *testing.T) {
	a := newAgent(t, "")
	p := a.project("p")
	p.does("one", "WebFetch", "url", "https://example.org/")
	p.does("one", "Write", "file_path", "notes.md", "content", "x")
	p.line("one", "curl -s https://example.org/ >page.md")
	p.put("page.md", "x")
	p.line("one", "cp page.md copy.md")
	p.line("clean", "echo x >own.md")
	for _, name := range []string{"notes.md", "page.md", "copy.md", "own.md", "main.go"} {
		p.put(name, "x")
	}
	for _, row := range []struct{ session, tool, path, want string }{
		{"two", "Read", "notes.md", ""},
		{"three", "Read", "copy.md", "corruption"},
		{"four", "Read", "own.md", ""},
		{"five", "Read", "main.go", ""},
		{"six", "Grep", ".", "corruption"},
		{"seven", "Read", "page.md", "corruption"},
	} {
		arg := "file_path"
		if row.tool == "Grep" {
			arg = "path"
		}
		p.does(row.session, row.tool, arg, row.path)
		if got := a.counts(row.session); got != row.want {
			t.Errorf("%s %s: %q, want %q", row.tool, row.path, got, row.want)
		}
	}
	p.line("eight", "cat page.md")
	if got := a.counts("eight"); got != "corruption" {
		t.Errorf("cat: %q", got)
	}
	if err := os.Truncate(filepath.Join(a.store().Dir, "files.log"), 70); err != nil {
		t.Fatal(err)
	}
	p.line("nine", "cat main.go")
	if got := a.counts("nine"); got != "corruption secret" {
		t.Errorf("with a damaged list: %q", got)
	}
	forgets := newAgent(t, "[taint]\nfiles = \"forget\"\n").project("p")
	forgets.line("one", "curl -s https://example.org/ >page.md")
	forgets.put("page.md", "x")
	forgets.does("two", "Read", "file_path", "page.md")
	if got := forgets.counts("two"); got != "" {
		t.Errorf("where files are forgotten: %q", got)
	}
}

// TestDays plays a month: on the first day a session reads a page and works in
// one project. Another project never saw it, and the first one is clean of it
// once a person has looked at what was done.
func TestDays(t *testing.T) {
	if _, err := os.Stat("/usr/bin/git"); err != nil {
		t.Skip("NOT RUN: there is no git in the system's directories, nothing checks what a person has committed")
	}
	a := newAgent(t, "")
	first, second := a.project("src/first"), a.project("src/second")
	git := func(p project, args ...string) {
		t.Helper()
		c := exec.Command("/usr/bin/git", args...)
		c.Dir = p.dir
		c.Env = []string{"HOME=" + a.env["HOME"], "PATH=/usr/bin:/bin", "GIT_AUTHOR_NAME=p", "GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x"}
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	for _, p := range []project{first, second} {
		p.put("main.go", "package main\n")
		p.put("go.mod", "module x\n")
		p.put("Makefile", "build:\n\tgo build -o bin/app .\n")
		git(p, "init", "-q", ".")
		git(p, "add", ".")
		git(p, "commit", "-qm", "first")
	}
	temporary := t.TempDir()
	work := func(p project, id string) {
		for _, command := range []string{
			"git status && git diff | head", "ls ~; ls -la", "ls " + temporary, "go build -o bin/app .", "go test ./... >" + temporary + "/out.txt 2>&1",
			"cat " + temporary + "/out.txt", "grep -rn x .", "cat main.go", "make build", "mktemp", "sed -i s/a/b/ main.go", "echo x >> ~/.cache/notes.txt",
			"cp main.go " + temporary + "/backup.go", "cat " + temporary + "/backup.go", "find . -name '*.go' | xargs cat", `for f in *.go; do gofmt -w "$f"; done`,
			`f=$(ls | head -1); echo x >"$f"`, "git add -A", "git commit -m work", "git checkout -q -b topic", "git stash; git stash pop", "cat ~/.cache/notes.txt",
		} {
			p.line(id, command)
		}
		p.does(id, "Read", "file_path", "main.go")
		p.does(id, "Edit", "file_path", "main.go", "old_string", "a", "new_string", "b")
		p.does(id, "Write", "file_path", "new.go", "content", "package main\n")
		p.does(id, "Grep", "pattern", "x", "path", ".")
		p.does(id, "Glob", "pattern", "**/*.go", "path", filepath.Dir(p.dir))
		p.put("bin/app", id)
		p.put("main.go", "package main // "+id+"\n")
		p.put("new.go", "package main\n")
		p.put(temporary+"/out.txt", "ok")
		p.put(temporary+"/backup.go", "package main // "+id+"\n")
		p.put(filepath.Join(a.env["HOME"], ".cache/notes.txt"), "x")
	}
	a.event("day1", "SessionStart", fields{"source": "startup"})
	first.does("day1", "WebFetch", "url", "https://example.org/")
	work(first, "day1")
	first.line("day1", "curl -so api.json https://example.org/")
	first.put("api.json", "{}")
	first.line("day1", "curl -so ~/page.html https://example.org/")
	first.put(filepath.Join(a.env["HOME"], "page.html"), "a page")
	if got := a.counts("day1"); got != "corruption" {
		t.Fatalf("the first day: %q: %+v", got, a.store().Read("claude-day1").Labels)
	}
	git(first, "add", ".")
	git(first, "commit", "-qm", "reviewed")
	for day := 2; day <= 30; day++ {
		for k, p := range []project{first, second} {
			id := fmt.Sprintf("day%d-%d", day, k)
			a.event(id, "SessionStart", fields{"source": "startup"})
			work(p, id)
			if p.dir == first.dir {
				p.line(id, "cat api.json")
			}
			if got := a.counts(id); got != "" {
				t.Fatalf("%s in %s: %q: %+v", id, p.dir, got, a.store().Read("claude-"+id).Labels)
			}
			if day > 3 && day < 29 {
				break // one of them
			}
		}
	}
	a.event("flow", "SessionStart", fields{"source": "startup"})
	second.line("flow", "cat ~/page.html")
	if got := a.counts("flow"); got != "corruption" {
		t.Errorf("what was fetched on the first day: %q", got)
	}
	if _, damage := a.store().Files(); damage != "" {
		t.Error(damage)
	}
}

// TestRefused asks about what shows a secret. Where the person goes on without
// its end, it has not run.
func TestRefused(t *testing.T) {
	use := func(id string) fields {
		return fields{"tool_name": "Bash", "tool_input": fields{"command": "cat .env"}, "tool_use_id": id}
	}
	prompt := fields{"prompt": "go on"}
	type step struct {
		event string
		more  fields
	}
	before, after, failed, denied, says := "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "UserPromptSubmit"
	page := fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_use_id": "w"}
	task := fields{"tool_name": "Grep", "tool_input": fields{"pattern": "x", "path": "/srv/project/.env"}, "tool_use_id": "g"}
	for _, row := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"asked", []step{{before, use("u")}}, "secret"},
		{"refused", []step{{before, use("u")}, {says, prompt}}, ""},
		{"approved", []step{{before, use("u")}, {after, use("u")}, {says, prompt}}, "secret"},
		{"approved, and it failed or was interrupted", []step{{before, use("u")}, {failed, use("u")}, {says, prompt}}, "secret"},
		{"at work all the same", []step{{before, use("u")}, {says, prompt}, {after, use("u")}}, "secret"},
		{"refused, and asked again", []step{{before, use("u")}, {says, prompt}, {before, use("v")}}, "secret"},
		{"refused twice", []step{{before, use("u")}, {says, prompt}, {before, use("v")}, {says, prompt}}, ""},
		{"one of two refused", []step{{before, use("u")}, {before, use("v")}, {after, use("v")}, {says, prompt}}, "secret"},
		{"denied by the agent", []step{{before, use("u")}, {denied, use("u")}, {says, prompt}}, ""},
		{"without an id", []step{{before, use("")}, {says, prompt}}, "secret"},
		{"nobody was asked", []step{{before, page}, {says, prompt}}, "corruption"},
		{"nobody was asked, and another one refused", []step{{before, page}, {after, page}, {before, use("u")}, {says, prompt}}, "corruption"},
		{"an agent that does not tell ends", []step{{before, page}, {before, use("u")}, {says, prompt}}, "corruption secret"},
		{"a tool whose end is not told", []step{{before, task}, {says, prompt}}, "secret"},
	} {
		a := newAgent(t, "")
		for _, s := range row.steps {
			a.event("s", s.event, s.more)
		}
		if got := a.counts("s"); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
	// In a mode in which the agent asks nobody it has run.
	a := newAgent(t, "")
	more := use("u")
	more["permission_mode"] = "bypassPermissions"
	a.event("s", before, more)
	a.event("s", says, prompt)
	if got := a.counts("s"); got != "secret" {
		t.Errorf("where nobody is asked: %q", got)
	}
}

// TestFork goes on with a copy of what another session has in its context.
func TestFork(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "child.jsonl")
	line := func(text string) string { return text + "\n" }
	own := line(`{"type":"user","promptId":"p2","message":{"content":"go"},"sessionId":"child"}`)
	by := func(id string) string {
		return line(`{"type":"assistant","message":{"content":"x"},"sessionId":"child","requestSessionId":"` + id + `"}`)
	}
	branch := func(id string) string {
		return line(`{"type":"user","sessionId":"child","forkedFrom":{"sessionId":"` + id + `","messageUuid":"m"}}`)
	}
	for _, row := range []struct {
		name   string
		source string
		first  string // the transcript when the session begins; "" for none
		then   string // and before the first tool
		want   string
	}{
		{"a branch", "fork", branch("seen"), branch("seen") + own, "corruption"},
		{"a branch of a clean one", "fork", branch("clean"), branch("clean") + own, ""},
		{"a copy that is written later", "fork", "", by("seen") + own, "corruption"},
		{"a copy of a clean one that is written later", "fork", "", by("clean") + own, ""},
		{"a copy of a copy", "fork", "", by("clean") + by("seen") + own, "corruption"},
		{"a copy that is not all written", "fork", "", by("clean"), "damaged"},
		{"a copy of which nothing is written", "fork", "", "", "damaged"},
		{"a copy of an unknown one", "fork", "", by("unknown") + own, "damaged"},
		{"a copy of a known and an unknown one", "fork", "", by("clean") + by("unknown") + own, "damaged"},
		{"a copy that does not say of what", "fork", "", own, "damaged"},
		{"a copy of a damaged one", "fork", "", by("damaged") + own, "damaged"},
		{"a name within a text", "fork", "", line(`{"text":"\"requestSessionId\":\"clean\""}`) + own, "damaged"},
		{"a session that goes on", "resume", by("clean"), by("clean") + own, "damaged"},
	} {
		a := newAgent(t, "")
		for _, id := range []string{"seen", "clean"} {
			a.event(id, "SessionStart", fields{"source": "startup"})
		}
		a.event("damaged", "SessionStart", fields{"source": "resume"})
		a.event("seen", "PreToolUse", fields{"tool_name": "WebFetch", "tool_input": fields{"url": "https://example.org/"}, "tool_use_id": "w"})
		os.Remove(path)
		if row.first != "" {
			if err := os.WriteFile(path, []byte(row.first), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		a.event("child", "SessionStart", fields{"source": row.source, "transcript_path": path})
		if row.then != "" {
			if err := os.WriteFile(path, []byte(row.then), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		a.event("child", "PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "go test ./..."}, "tool_use_id": "b", "transcript_path": path, "prompt_id": "p2"})
		if got := a.counts("child"); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
		if got := a.counts("seen"); got != "corruption" {
			t.Errorf("%s: the other one: %q", row.name, got)
		}
	}
}
