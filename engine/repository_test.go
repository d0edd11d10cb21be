package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestElsewhere: what runs the project's code runs that of a directory, a file
// or a configuration that it is called with, too.
func TestElsewhere(t *testing.T) {
	e := New(Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{"eslint src", policy.Allow},
		{"prettier --check 'src/**/*.ts'", policy.Allow},
		{`for f in src/*.js; do eslint "$f"; done`, policy.Allow},
		{"eslint /tmp/evil/a.js", policy.Ask},
		{"prettier --check ../other/a.ts", policy.Ask},
		{"rubocop ~/a.rb", policy.Ask},
		{"sqlfluff lint /tmp/evil/*.sql", policy.Ask},
		{"ansible-lint --config-file=/tmp/evil.yml site.yml", policy.Ask},
		{"cd /tmp/evil && eslint .", policy.Ask},
		{"ruff check /tmp/a.py", policy.Allow}, // runs nothing
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}
