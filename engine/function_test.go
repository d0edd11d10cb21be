package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestUncalledFunctions: a function that nothing calls passes where its name
// is no program's; whatever may call it makes its body count.
func TestUncalledFunctions(t *testing.T) {
	e := New(Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{"deploy_all() { unknown-program; }", policy.Allow},
		{"deploy_all() { unknown-program; }; declare -f deploy_all", policy.Allow},
		{"deploy_all() { helper_of; }; helper_of() { unknown-program; }", policy.Allow},
		{"deploy_all() { rm -rf /; }", policy.Block},
		{"ls() { unknown-program; }", policy.Ask},
		{"command_not_found_handle() { unknown-program; }", policy.Ask},
		{"chpwd() { unknown-program; }; cd src", policy.Ask},
		{"deploy_all() { unknown-program; }; deploy_all", policy.Ask},
		{"deploy_all() { unknown-program; }; d=deploy_all; $d", policy.Ask},
		{"deploy_all() { unknown-program; }; trap deploy_all EXIT", policy.Ask},
		{"deploy_all() { unknown-program; }; alias ll=deploy_all; ll", policy.Ask},
		{"deploy_all() { unknown-program; }; mapfile -C deploy_all -c 1 a < b", policy.Ask},
		{"deploy_all() { unknown-program; }; complete -F deploy_all ls", policy.Ask},
		{"deploy_all() { unknown-program; }; compgen -F deploy_all", policy.Ask},
		{"deploy_all() { unknown-program; }; export -f deploy_all; bash -c deploy_all", policy.Ask},
		{"deploy_all() { unknown-program; }; eval \"$x\"", policy.Ask},
		{"deploy_all() { unknown-program; }; \"$@\"", policy.Ask},
		{"deploy_all() { unknown-program; }; echo ${y@P}", policy.Ask},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}
