package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// TestAcceptedEdits: a session that accepts edits accepts those that a rule speaks of, and
// none of what an option says that no rule knows, or that acts and has a value.
func TestAcceptedEdits(t *testing.T) {
	e := engine.New(engine.Options{})
	mode := func(line, mode string) policy.Decision {
		return e.Evaluate(engine.Request{Command: line, Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Mode: mode}).Decision
	}
	for _, line := range []string{
		"darker -L 'sh x.sh' src", "golines -w --base-formatter='sh x.sh' a.go", "buildifier -mode=diff -diff_command='sh x.sh' BUILD",
		"exiftool -if 'system(1)' a.jpg", "comby -review -editor 'sh x.sh' a b a.txt", "phpcbf --bootstrap=/home/other/x.php src",
		"clang-tidy -fix -extra-arg=-fplugin=/home/other/x.so a.c", "pandoc -o b.pdf --pdf-engine-opt=-shell-escape a.md",
		"pytest --snapshot-update --pastebin=all", "semgrep --autofix --remote=https://example.com/a", "pg_format -o/etc/x a.sql",
		"golangci-lint run --fix --out-format=json:/etc/x", "typos -w --file-list a.txt", "prettier --write --unheard-of=x .",
	} {
		if mode(line, engine.ModeAcceptEdits) == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
	for _, line := range []string{
		"prettier --write .", "black src", "gofmt -w a.go", "golines -w a.go", "eslint --fix src", "ruff check --fix src", "isort src", "pyupgrade --py310-plus a.py",
		"autoflake -i --remove-unused-variables a.py", "rumdl check --fix .", "dos2unix -n a b", "biome check --write --unsafe src", "stylua src", "svgo a.svg -o b.svg",
		"sqlfluff fix --dialect ansi q.sql", "pint --diff main", "golangci-lint run --fix", "clang-format -i a.c", "rubocop -a", "cargo fmt", "terraform fmt",
		"pandoc -o b.html a.md", "pytest --snapshot-update",
	} {
		if mode(line, engine.ModeAcceptEdits) != policy.Allow {
			t.Errorf("%s\nis asked about", line)
		}
	}
}
