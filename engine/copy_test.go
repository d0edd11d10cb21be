package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// A workspace's own copy of a known program is that program, and code of the
// project; any other file is nobody's.
func TestCopies(t *testing.T) {
	files := new(disk.Memory)
	for _, file := range [...]string{"/w/node_modules/.bin/eslint", "/usr/bin/python3.11", "/usr/bin/rm", "/tmp/evil"} {
		files.WriteFile(file, "#!/bin/sh\n")
	}
	files.Symlink("/usr/bin/python3.11", "/w/.venv/bin/python")
	files.Symlink("/tmp/evil", "/w/venv/bin/pytest")
	files.Symlink("/usr/bin/rm", "/w/venv/bin/ruff")
	for _, row := range []struct {
		line string
		want policy.Decision
	}{
		{"node_modules/.bin/eslint src", policy.Allow},
		{"cd web && ../node_modules/.bin/eslint .", policy.Allow},
		{"time ./node_modules/.bin/eslint src", policy.Allow},
		{"/w/node_modules/.bin/eslint src", policy.Allow},
		{".venv/bin/python -m pytest", policy.Allow},
		{".venv/bin/python x.py", policy.Ask},
		{"./gradlew test", policy.Allow},
		{"./gradlew publish", policy.Ask},
		{"./mvnw -q test", policy.Allow},
		{"node_modules/.bin/eslint --fix src", policy.Ask},
		{"node_modules/.bin/ls", policy.Ask},
		{"node_modules/.bin/git status", policy.Ask},
		{"./eslint src", policy.Ask},
		{"./gradle test", policy.Ask},
		{"venv/bin/pytest", policy.Ask},
		{"venv/bin/ruff check", policy.Ask},
		{"/tmp/gradlew test", policy.Ask},
		{"../gradlew test", policy.Ask},
		{"cd $d && ./gradlew test", policy.Ask},
		{"./gradle? test", policy.Ask},
		{"$d/gradlew test", policy.Ask},
		{"cp x gradlew; ./gradlew test", policy.Ask},
		{"mv x node_modules && node_modules/.bin/eslint .", policy.Ask},
		{"for i in 1 2; do ./gradlew test; cp x gradlew; done", policy.Ask},
		{"docker exec c ./gradlew test", policy.Ask},
		{"NODE_OPTIONS='--require ./x.js' node_modules/.bin/eslint .", policy.Ask},
		{"echo x > node_modules/.bin/eslint", policy.Ask},
	} {
		for _, mode := range []string{"", "acceptEdits"} {
			v := New(Options{Files: files}).Evaluate(Request{Command: row.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Mode: mode})
			if v.Decision != row.want && !(mode != "" && row.line == "node_modules/.bin/eslint --fix src") {
				t.Errorf("%q in mode %q: %v (%s), want %v", row.line, mode, v.Decision, v.Reason, row.want)
			}
			if v.Decision == policy.Allow && v.Effects&policy.Executes == 0 && mode == "" {
				t.Errorf("%q runs code of the project, its effects are %v", row.line, v.Effects)
			}
		}
	}
}
