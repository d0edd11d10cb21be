//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
)

// TestBoundFiles approves a command, changes one file, and sees whether the answer
// still holds. A path that begins with "~/" lies in the home directory.
func TestBoundFiles(t *testing.T) {
	const repository = ".git/HEAD"
	for _, row := range []struct {
		family  string
		command string
		beside  string // files that are there, by blanks
		file    string // is changed
		in      string // where the agent works, below the top; it is its workspace too
		holds   bool   // the answer is none of the file's business
	}{
		{family: "a remote of another repository", command: "git -C lib push origin main", beside: "lib/.git/HEAD", file: "lib/.git/config"},
		{family: "a remote of another repository", command: "(cd lib; git push origin main)", beside: "lib/.git/HEAD", file: "lib/.git/config"},
		{family: "a remote of another repository", command: "cd lib && git push origin main", beside: "lib/.git/HEAD", file: "lib/.git/config"},
		{family: "a remote of another repository", command: "git --git-dir=lib/.git push", beside: "lib/.git/HEAD", file: "lib/.git/config"},
		{family: "a remote of another repository", command: "GIT_DIR=lib/.git git push", beside: "lib/.git/HEAD", file: "lib/.git/config"},
		{family: "a remote of another repository", command: "export GIT_DIR=lib/.git; git push", beside: "lib/.git/HEAD", file: "lib/.git/config"},
		{family: "a remote of another repository", command: "git --git-dir=bare.git push", beside: "bare.git/HEAD", file: "bare.git/config"},
		{family: "a remote of a directory above", command: "git push origin main", beside: repository, file: ".git/config", in: "packages/web"},
		{family: "a remote of a worktree", command: "git push origin main", beside: "main/.git/HEAD", file: "main/.git/config", in: "tree"},
		{family: "a remote of a worktree", command: "git -C tree push origin main", beside: "main/.git/HEAD", file: "main/.git/config"},
		{family: "a remote by the user's settings", command: "git push origin main", beside: repository, file: "~/.gitconfig"},
		{family: "a remote by the user's settings", command: "git push origin main", beside: repository, file: "~/.config/git/config"},
		{family: "a remote by the user's settings", command: "git push origin main", beside: repository, file: "~/xdg/git/config"},
		{family: "a remote by an included file", command: "git push origin main", beside: repository + " .git/config", file: "more.conf"},
		{family: "a remote by a variable's file", command: "GIT_CONFIG_GLOBAL=g.conf git push origin main", beside: repository, file: "g.conf"},

		{family: "a hook of git", command: "git push origin main", beside: repository, file: ".git/hooks/pre-push"},
		{family: "a hook of git", command: "git push origin main", beside: repository + " .git/config", file: ".husky/pre-push"},
		{family: "a hook of git", command: "git -C lib push origin main", beside: "lib/.git/HEAD", file: "lib/.git/hooks/pre-push"},

		{family: "a pattern over directories", command: "cat */*.sh | bash", file: "l/z.sh"},
		{family: "a pattern over directories", command: "bash l/*/z.sh", file: "l/a/z.sh"},
		{family: "a pattern over directories", command: `for f in l/*/*.sh; do bash "$f"; done`, file: "l/a/z.sh"},
		{family: "a pattern over directories", command: "cat l/*/x.txt | xargs acme", file: "l/a/x.txt"},
		{family: "a pattern over directories", command: "cat l/**/x.txt | xargs acme", file: "l/a/x.txt"},
		{family: "files that a walk finds", command: "find l -name '*.sh' | xargs -n1 bash", file: "l/a/z.sh"},
		{family: "files that a walk finds", command: "find OTHER -name '*.sh' | xargs -n1 bash", file: "~/other/a/z.sh"},
		{family: "files that a walk finds", command: "bash $(find OTHER -name '*.sh')", file: "~/other/a/z.sh"},
		{family: "files that a walk finds", command: "find OTHER -name '*.sh' -exec bash {} +", file: "~/other/a/z.sh"},
		{family: "files of a directory that runs", command: "run-parts l", file: "l/a.sh"},
		{family: "a pattern over directories", command: "cat l/*/x.txt | xargs acme", beside: "l/a/x.txt", file: "l/a/y.txt", holds: true},

		{family: "joined to an option", command: "curl -Kcfg.txt", file: "cfg.txt"},
		{family: "joined to an option", command: "curl -H@f.txt https://x.example/ -d x", file: "f.txt"},
		{family: "joined to an option", command: "curl -sKcfg.txt", file: "cfg.txt"},
		{family: "joined to an option", command: "tar -czf - -Tlist.txt | ssh h tar x", file: "list.txt"},
		{family: "joined to an option", command: "acme -xf.txt", file: "f.txt"},
		{family: "joined to an option", command: "acme --x=f.txt", file: "f.txt"},
		{family: "joined in a word", command: "acme a,f.txt", file: "f.txt"},
		{family: "joined in a word", command: "acme 'a=@f.txt;type=text/plain'", file: "f.txt"},
		{family: "an address of a file", command: "acme file://TOP/f.txt", file: "f.txt"},
		{family: "an address of a file", command: "aws lambda update-function-code --function-name x --zip-file fileb://f.txt", file: "f.txt"},

		{family: "what a runner reads", command: "rake deploy", file: "Rakefile"},
		{family: "what a runner reads", command: "invoke deploy", file: "tasks.py"},
		{family: "what a runner reads", command: "fab deploy", file: "fabfile.py"},
		{family: "what a runner reads", command: "foreman start", file: "Procfile"},
		{family: "what a runner reads", command: "docker compose up -d", file: "compose.override.yaml"},
		{family: "what a runner reads", command: "gulp deploy", file: "gulpfile.js"},
		{family: "what a runner reads", command: "grunt deploy", file: "Gruntfile.js"},
		{family: "what a runner reads", command: "gradle publish", file: "build.gradle"},
		{family: "what a runner reads", command: "mvn deploy", file: "pom.xml"},
		{family: "what a runner reads", command: "vagrant up", file: "Vagrantfile"},
		{family: "what a runner reads", command: "ninja deploy", file: "build.ninja"},
		{family: "what a runner reads", command: "scons deploy", file: "SConstruct"},
		{family: "what a runner reads", command: "mage deploy", file: "magefile.go"},
		{family: "what a runner reads", command: "pulumi up", file: "Pulumi.yaml"},
		{family: "what a runner reads", command: "serverless deploy", file: "serverless.yml"},
		{family: "what a runner reads", command: "terraform apply", file: "main.tf"},
		{family: "what a runner reads above", command: "rake deploy", beside: repository, file: "Rakefile", in: "packages/web"},
		{family: "what a runner reads elsewhere", command: "npm --prefix lib publish", file: "lib/package.json"},
		{family: "what a runner reads elsewhere", command: "pnpm -C lib publish", file: "lib/package.json"},
		{family: "what a runner reads elsewhere", command: "cd lib && fab deploy", file: "lib/fabfile.py"},
		{family: "what a package reads above", command: "npm publish", file: "package.json", in: "packages/web"},
		{family: "what a package reads above", command: "npm publish", beside: repository, file: "package.json", in: "packages/web"},

		{family: "a text that can't be read", command: "acme $(cat", file: "x.sh"},

		{family: "a variable's directory", command: `bash "$D/x.sh"`, file: "lib/x.sh"},
		{family: "a variable's directory", command: `cd "$D" && bash x.sh`, file: "lib/x.sh"},
		{family: "a variable's directory", command: `git -C "$D" push`, beside: "lib/.git/HEAD", file: "lib/.git/config"},

		{family: "settings of a known program", command: "npm publish", file: ".npmrc"},
		{family: "settings of a known program", command: "npm publish", beside: repository, file: ".npmrc", in: "packages/web"},
		{family: "settings of a known program", command: "twine upload dist/a.whl", file: "setup.cfg"},
		{family: "settings by a variable", command: "git push", file: "env.sh"},

		{family: "a directory that is named", command: "kubectl apply -f k8s", file: "k8s/a.yaml"},
		{family: "a directory that is named", command: "rsync -a d/ h:d", file: "d/1.sh"},
		{family: "a directory that is named", command: "rsync -a d/ h:d", file: "d/e/1.sh"},
		{family: "a directory that is named", command: "acme --from=d", file: "d/1.sh"},

		{family: "not what the line is about", command: "git push origin main", beside: repository + " .git/config", file: "README.md", holds: true},
		{family: "not what the line is about", command: "git -C lib push origin main", beside: "lib/.git/HEAD", file: "lib/README.md", holds: true},
		{family: "not what the line is about", command: "cd lib && git push origin main", beside: "lib/.git/HEAD", file: "lib/README.md", holds: true},
		{family: "not what the line is about", command: "curl -d x https://x.example/", file: "README.md", holds: true},
		{family: "not what the line is about", command: "git push origin main", beside: repository + " .git/config", file: "package-lock.json", holds: true},
		{family: "not what the line is about", command: "npm publish", beside: "package.json", file: "README.md", holds: true},
		{family: "not what the line is about", command: "rsync -a d/ h:d", beside: "d/1.sh d/.git/HEAD", file: "d/.git/index", holds: true},
		{family: "not what the line is about", command: "make deploy", beside: "Makefile", file: "src/a.c", holds: true},
		{family: "not what the line is about", command: "npm publish", beside: "package.json", file: "src/a.js", holds: true},
		{family: "not what the line is about", command: "acme x", file: "~/.claude.json", in: "~", holds: true},
	} {
		t.Run(row.family, func(t *testing.T) {
			a, queue, top := alone(t, "")
			top, _ = filepath.EvalSymlinks(top)
			a.env["XDG_CONFIG_HOME"] = a.env["HOME"] + "/xdg"
			if row.file == "~/.config/git/config" {
				delete(a.env, "XDG_CONFIG_HOME")
			}
			a.env["BASH_ENV"] = filepath.Join(top, "env.sh")
			a.env["D"] = filepath.Join(top, "lib")
			at := func(name string) string {
				if rest, home := strings.CutPrefix(name, "~"); home {
					return a.env["HOME"] + rest
				}
				return filepath.Join(top, name)
			}
			for _, name := range append(strings.Fields(row.beside), row.file) {
				text := "deploy:\n\tacme one\n"
				switch filepath.Base(name) {
				case "HEAD":
					text = "ref: refs/heads/main\n"
				case "config", ".gitconfig", "g.conf", "more.conf":
					text = "[remote \"origin\"]\n\turl = https://github.com/acme/app.git\n[include]\n\tpath = ../more.conf\n[core]\n\thooksPath = .husky\n"
				case "package.json":
					text = `{"scripts":{"prepublishOnly":"acme one"}}`
				}
				putFile(t, at(name), text)
			}
			if row.in == "tree" || strings.Contains(row.command, "-C tree") {
				putFile(t, at("tree/.git"), "gitdir: "+at("main/.git/worktrees/tree")+"\n")
				putFile(t, at("main/.git/worktrees/tree/commondir"), "../..\n")
				putFile(t, at("main/.git/worktrees/tree/HEAD"), "ref: refs/heads/main\n")
			}
			dir := at(row.in)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			a.env["CLAUDE_PROJECT_DIR"] = dir
			command := strings.NewReplacer("TOP", top, "OTHER", at("~/other")).Replace(row.command)
			_, reason := a.runsIn(dir, "s1", command)
			code := codeIn(reason)
			if code == "" {
				t.Fatalf("%s: no code: %s", command, reason)
			}
			if _, reason := a.runsIn(dir, "s1", command); codeIn(reason) != code {
				t.Fatalf("%s: nothing changed, and it is another question: %s", command, reason)
			}
			settles(t, queue, code, approval.Approved)
			text, _ := os.ReadFile(at(row.file))
			putFile(t, at(row.file), strings.NewReplacer("acme", "evil").Replace(string(text))+"# more\n")
			d, reason := a.runsIn(dir, "s1", command)
			if (d == "allow") != row.holds {
				t.Errorf("%s: %s changed: %s (%s)", command, row.file, d, reason)
			}
		})
	}
}

// A line that belongs to more files than anybody could look at is no question that
// waits: an answer would hold for what nobody has seen.
func TestBoundMany(t *testing.T) {
	dir := t.TempDir()
	putFile(t, filepath.Join(dir, "d/a"), "1")
	putFile(t, filepath.Join(dir, "d/b"), "1")
	for _, row := range []struct {
		seen int
		fine bool
	}{{0, true}, {maxNames - 2, true}, {maxNames - 1, false}} {
		b := newBindings(&engine.Request{Cwd: dir, Workspace: dir}, false)
		b.seen = row.seen
		b.place(engine.Place{Path: filepath.Join(dir, "d")}, isRead)
		if list, err := b.list(); (err == nil) != row.fine || row.fine != (len(list) == 1) {
			t.Errorf("%d names before: %v, %v", row.seen, list, err)
		}
	}
	b := newBindings(&engine.Request{Cwd: dir, Workspace: dir}, false)
	for range maxTried/8 + 1 {
		b.word("a,b,c,d,e", dir, engine.BesideTasks)
	}
	if _, err := b.list(); err == nil {
		t.Error("words without end are bound")
	}
}

// Links that lead back to where they stand end somewhere.
func TestBoundLinks(t *testing.T) {
	dir := t.TempDir()
	putFile(t, filepath.Join(dir, "d/a"), "1")
	putFile(t, filepath.Join(dir, "e/b"), "1")
	for name, to := range map[string]string{"d/self": ".", "d/up": "..", "d/e": "../e", "d/gone": "nothing"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	sum := func() string {
		b := newBindings(&engine.Request{Cwd: dir, Workspace: dir}, false)
		b.place(engine.Place{Path: filepath.Join(dir, "d")}, isRead)
		list, err := b.list()
		if err != nil || len(list) != 1 || b.seen > 20 {
			t.Fatal(list, err, b.seen)
		}
		return list[0]
	}
	before := sum()
	if sum() != before {
		t.Error("nothing has changed")
	}
	putFile(t, filepath.Join(dir, "e/b"), "two")
	if sum() == before {
		t.Error("a file behind a link has changed")
	}
}
