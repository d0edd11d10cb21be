package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// TestAcceptedEdits: a session that accepts edits accepts those that a rule speaks of, and
// none of what an option says that no rule knows, or that acts and has a value.
func TestAcceptedEdits(t *testing.T) {
	files := new(disk.Memory)
	for _, name := range []string{".git/HEAD", "src/a.py", "a.go", "a.c", "a.md", "a.sql", "a.txt", "a.jpg", "BUILD", "q.sql", "a.svg", "a.py", "b"} {
		files.WriteFile("/home/dev/project/"+name, "")
	}
	e := engine.New(engine.Options{Files: files})
	judge := func(line, profile, mode string) policy.Decision {
		return e.Evaluate(engine.Request{Command: line, Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Mode: mode, Profile: profile}).Decision
	}
	for _, line := range []string{
		"darker -L 'sh x.sh' src", "golines -w --base-formatter='sh x.sh' a.go", "buildifier -mode=diff -diff_command='sh x.sh' BUILD",
		"exiftool -if 'system(1)' a.jpg", "comby -review -editor 'sh x.sh' a b a.txt", "phpcbf --bootstrap=/home/other/x.php src",
		"clang-tidy -fix -extra-arg=-fplugin=/home/other/x.so a.c", "pandoc -o b.pdf --pdf-engine-opt=-shell-escape a.md",
		"pytest --snapshot-update --pastebin=all", "semgrep --autofix --remote=https://example.com/a", "pg_format -o/etc/x a.sql",
		"golangci-lint run --fix --out-format=json:/etc/x", "typos -w --file-list a.txt", "prettier --write --unheard-of=x .",
	} {
		for _, how := range [...][2]string{{"", engine.ModeAcceptEdits}, {"trusting", "default"}, {"trusting", engine.ModeAcceptEdits}} {
			if judge(line, how[0], how[1]) == policy.Allow {
				t.Errorf("%s\nis allowed %q", line, how)
			}
		}
	}
	for _, line := range []string{
		"prettier --write .", "black src", "gofmt -w a.go", "golines -w a.go", "eslint --fix src", "ruff check --fix src", "isort src", "pyupgrade --py310-plus a.py",
		"autoflake -i --remove-unused-variables a.py", "rumdl check --fix .", "dos2unix -n a b", "biome check --write --unsafe src", "stylua src", "svgo a.svg -o b.svg",
		"sqlfluff fix --dialect ansi q.sql", "pint --diff main", "golangci-lint run --fix", "clang-format -i a.c", "rubocop -a", "cargo fmt", "terraform fmt",
		"pandoc -o b.html a.md", "pytest --snapshot-update",
	} {
		for _, profile := range []string{"", "trusting"} {
			if judge(line, profile, engine.ModeAcceptEdits) != policy.Allow {
				t.Errorf("%s\nis asked about %q", line, profile)
			}
		}
	}
}
