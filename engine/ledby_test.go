package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestOwnByVariable: a variable that leads to files of the gate or of an agent
// is read as its value.
func TestOwnByVariable(t *testing.T) {
	e := New(Options{})
	environment := func(name string) string {
		switch name {
		case "CLAUDE_CONFIG_DIR":
			return "/cc"
		case "XDG_CONFIG_HOME":
			return "/cfg/"
		case "OTHER_DIR":
			return "/other"
		}
		return ""
	}
	for _, row := range []struct {
		line  string
		block bool
	}{
		{`echo '{}' >"$CLAUDE_CONFIG_DIR/settings.json"`, true},
		{`echo '{}' >"${CLAUDE_CONFIG_DIR}/settings.json"`, true},
		{`touch "$CLAUDE_CONFIG_DIR"/settings.json`, true},
		{`cp a "$CLAUDE_CONFIG_DIR/settings.json"`, true},
		{`touch "$XDG_CONFIG_HOME/bashgate/config.toml"`, true},
		{`mv "$XDG_CONFIG_HOME" /tmp/x`, true},
		{`touch "$CLAUDE_CONFIG_DIR/todo.txt"`, false},
		{`touch "$OTHER_DIR/settings.json"`, false},
		{`cat "$CLAUDE_CONFIG_DIR/settings.json"`, false},
	} {
		r := Request{
			Command: row.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: ModeBypass, Getenv: environment,
			Aliases: func() []Alias { return []Alias{{"/cc", "~/.claude"}, {"/cfg/bashgate", "~/.config/bashgate"}} },
		}
		if v := e.Evaluate(r); (v.Decision == policy.Block) != row.block {
			t.Errorf("%s: %v (%s)", row.line, v.Decision, v.Reason)
		}
	}
}
