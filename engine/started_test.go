package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// A shell that is started knows what the line gives it, and nothing that the
// line may have changed.
func TestStarted(t *testing.T) {
	e := New(Options{})
	for _, row := range []struct {
		line string
		want policy.Decision
	}{
		{"USER=src bash -c 'find . $USER'", policy.Allow},
		{"USER=-delete bash -c 'find . $USER'", policy.Ask},
		{"env USER=-delete bash -c 'find . $USER'", policy.Ask},
		{"export USER=-delete; bash -c 'find . $USER'", policy.Ask},
		{"export USER=-delete; sh -c \"bash -c 'find . \\$USER'\"", policy.Ask},
		{"read USER <<< -delete; bash -c 'find . $USER'", policy.Ask},
		{"export x=src; env -u x bash -c 'rm -r ./$x'", policy.Ask},
		{"export x='b[$(danger-cmd)]'; bash -c 'echo $((x))'", policy.Ask},
		{"export x=1; bash -c 'echo $((x))'", policy.Ask}, // only what stands before the command is certain
		{"x=1 bash -c 'echo $((x))'", policy.Allow},
		{"bash -c 'read l; psql' <<'E'\nselect '\n; drop table x; --'\nE", policy.Ask},
		{"bash <<'E'\npsql\nls '; drop table x; --'\nE", policy.Ask},
		{"LC_ALL=C.UTF-8 bash -c ls", policy.Allow},
		{"LC_ALL=ja_JP.sjis bash -c ls", policy.Ask},
		{"LANG=$x ls", policy.Ask},
		{"TEXTDOMAIN=x; echo a", policy.Ask},
		{"mksh -c ls", policy.Ask},
	} {
		if v := e.Evaluate(Request{Command: row.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"}); v.Decision != row.want {
			t.Errorf("%s: %v, want %v: %s", row.line, v.Decision, row.want, v.Reason)
		}
	}
	if v := e.Evaluate(Request{Command: "ls", Cwd: "/w", Workspace: "/w", Shell: policy.ShellOther}); v.Decision != policy.Ask {
		t.Errorf("a shell that is not read: %v", v.Decision)
	}
	old := New(Options{OldBash: true})
	if v := old.Evaluate(Request{Command: "bash -c 'declare -A m'", Cwd: "/w", Workspace: "/w", Shell: "zsh"}); v.Decision != policy.Ask {
		t.Errorf("an array that bash 3.2 does not have: %v", v.Decision)
	}
}
