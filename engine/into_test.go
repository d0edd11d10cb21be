package engine

import (
	"path"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// specials are paths that the rows about writing name, one a glob.
func specials() []string {
	var paths []string
	for _, g := range gates.All {
		for _, row := range g.Paths {
			if row.Write <= policy.Allow {
				continue
			}
			for _, glob := range row.Globs {
				if strings.HasPrefix(glob, "!") {
					continue
				}
				name := strings.NewReplacer("[!w]*", "commands", "w[!o]*", "wx").Replace(glob)
				if rest, ok := strings.CutPrefix(name, "**/"); ok {
					name = rest
				}
				if rest, ok := strings.CutPrefix(name, "~/"); ok {
					name = "/home/u/" + rest
				}
				name = strings.NewReplacer("**", "x", "*", "x", "?", "x").Replace(name)
				if name != "/" && name != "~" && !strings.ContainsAny(name, "[ ") {
					paths = append(paths, name)
				}
			}
		}
	}
	return paths
}

func inEdits(e *Engine, line string) policy.Decision {
	return e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: ModeAcceptEdits, ScratchDirs: []string{"/tmp"}}).Decision
}

// TestIntoLaw: what is put into a directory is judged as what is put there by
// its full name.
func TestIntoLaw(t *testing.T) {
	var files disk.Memory
	files.Mkdir("/w/src")
	all := specials()
	if len(all) < 300 {
		t.Fatalf("only %d special places", len(all))
	}
	for name, e := range map[string]*Engine{"without a disk": New(Options{}), "with one": New(Options{Files: &files})} {
		for _, special := range all {
			dir, base := path.Split(special)
			dir = "./" + dir
			if special[0] == '/' {
				dir = dir[2:]
			}
			want := inEdits(e, "cp src/a "+special)
			for _, way := range []string{
				"cp src/BASE DIR", "cp -v src/BASE DIR/", "cp src/a src/BASE src/b DIR", "cp -t DIR src/BASE", "cp --target-directory=DIR src/a src/BASE", "cp -r src/BASE DIR", "cp -at DIR src/BASE", "cp src/{a,BASE} DIR",
				"mv src/BASE DIR", "mv -t DIR src/BASE", "mv --backup src/BASE DIR", "mv -n src/a src/BASE DIR", "ln src/BASE DIR", "ln -t DIR src/BASE", "ln -s src/BASE DIR", "mkdir -p DIR && cd DIR && ln -s BASE", "ln -sr src/BASE DIR", "cp -l src/BASE DIR", "cp -rs src/BASE DIR", "install src/BASE DIR", "install -m 755 -t DIR src/BASE", "rsync -a src/BASE DIR", "rsync src/a src/BASE DIR",
				`for f in src/BASE; do cp "$f" DIR; done`, "cd src && cp BASE ../DIR",
			} {
				if (strings.Contains(way, "../") || strings.Contains(way, "cd DIR")) && special[0] == '/' {
					continue
				}
				if line := strings.NewReplacer("DIR/", dir+"/", "DIR", dir, "BASE", base).Replace(way); inEdits(e, line) < want {
					t.Errorf("%s: %q = %v, and to %s %v", name, line, inEdits(e, line), special, want)
				}
			}
		}
	}
}

func TestInto(t *testing.T) {
	var files disk.Memory
	for _, name := range []string{"/w/a", "/w/b", "/w/wf.yml", "/w/src/a.go", "/w/src/pkg/b.go", "/w/bad/x/.git/hooks/pre-commit", "/w/bad/CLAUDE.md", "/w/bad/ok.md", "/w/hooks/pre-commit", "/w/.git/HEAD", "/w/docs/x.md", "/w/husky/.husky/pre-commit", "/w/a.zip", "/w/a.tar"} {
		files.WriteFile(name, "x")
	}
	files.Mkdir("/w/.github/workflows")
	files.Mkdir("/w/dst")
	files.Symlink("/w/.github/workflows", "/w/flows")
	files.WriteFile("/home/u/notes", "")
	files.Symlink("/home/u/notes", "/w/leading/link")
	files.WriteFile("/w/elsewhere/link", "")
	rows := map[policy.Decision][]string{
		policy.Ask: {
			"cp wf.yml .github/workflows", "cp wf.yml .github/workflows/", "cp wf.yml flows", "cd .github/workflows && cp ../../wf.yml .", "mkdir -p n/.github/workflows; cp wf.yml n/.github/workflows",
			"cp -r leading dst; echo x > dst/leading/link", "cp -P leading/link dst/a", "cp -P /proc/1/cwd dst/r", "cp elsewhere/link leading", "cp -t leading elsewhere/link", "mv leading new; echo x > new/link", "cp -r bad dst", "cp -r bad/. .", "cp -r bad/ dst/", "cp -r ./bad/x dst", "rsync -a bad/ dst/", "rsync -a bad dst", "mv bad dst", "mv husky/.husky .", "cp -r husky/.husky .", "cp bad/* .", "cp bad/CLAUDE* .", "cp bad/*.md dst",
			"shopt -s dotglob; cp -r bad/x/* dst", "cp x/** .", "cp bad/*/* dst", "ln -s husky/.husky", "cp -r missing .", "cp -r missing dst/", "rsync -a missing/ .", "cp -r $x dst/", `cp "$f" .`, "find . -name x -exec cp {} dst/ \\;",
			"unzip a.zip", "unzip a.zip '.git/*'", "unzip a.zip -d dst", "tar xf a.tar", "tar xf a.tar -C dst", "git archive main | tar x", "cp --parents bad/CLAUDE.md dst", "mv hooks .git/", "ln -s ../hooks .git/",
			"echo ../evil > .git/commondir", "echo x > .git/HEAD", "rm .git/index", "rm -f .git/refs/heads/x", "cp a .git/config.worktree", "touch .git/x", "mv .git/HEAD x", "tee .git/index < a",
		},
		policy.Allow: {
			"cp a c", "cp a src/", "cp a src", "cp a src/a.go pkg/", "cp src/* dst", "cp src/*.go dst/", "cp -r src dst", "cp -r src/ dst/", "cp -a src new", "rsync -a src/ dst/", "mv a c", "mv a src/", "mv src dst/", "mv missing other", "ln -s a c", "ln -s src/a.go .", "install -m 755 a dst", "cp -r docs/. dst",
			"cp bad/ok.md dst", "touch a", "mkdir -p a/b", "sed -i s/a/b/ a", "rm a", "gcc -o out a.c", "go build -o bin/app", "go test -coverprofile=c.out ./...", "coverage html", "cmake -B build", "cmake -S . -B build", "meson setup build", "pytest --junitxml=r.xml",
			"cp -r bad /tmp/", "cp leading/link dst/b", "cp elsewhere/link dst", "cp -r missing /tmp/x",
		},
	}
	e := New(Options{Files: &files})
	for want, lines := range rows {
		for _, line := range lines {
			v := e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: ModeAcceptEdits, ScratchDirs: []string{"/tmp"}})
			if v.Decision != want {
				t.Errorf("%q = %v (%s), want %v", line, v.Decision, v.Reason, want)
			}
		}
	}
}
