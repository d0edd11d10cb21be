package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/policy"
)

// variables are names that the rows about variables are about, one a glob.
func variables() []string {
	var names []string
	seen := map[string]bool{}
	for _, g := range gates.All {
		for _, rule := range g.Env {
			for _, n := range rule.Names {
				name := strings.NewReplacer("*", "A", "?", "I").Replace(n.Glob)
				if !seen[name] && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == "" {
					seen[name] = true
					names = append(names, name)
				}
			}
		}
	}
	return names
}

func decided(e *Engine, line string) policy.Decision {
	return e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"}).Decision
}

// TestChangesLaw: whatever gives a variable a value is never looser than giving
// it one before a program, and whatever takes it away is as unset is.
func TestChangesLaw(t *testing.T) {
	sets := []string{
		"V=x/y; git status", "export V=x/y", "readonly V=x/y", "declare V=x/y", "declare -x V=x/y", "typeset -g V=x/y", "f() { local V=x/y; git status; }; f",
		"command export V=x/y", "builtin declare V=x/y", "set -a; V=x/y", "V+=x/y; git status", "V[0]=x/y; git status", "V=(x/y); git status",
		"read V < f", "read -r V <<< x/y", "read -ra V <<< x/y", "read a 'V[0]' <<< x/y", "printf -v V x/y", "printf -v 'V[0]' x/y", "((V[0] = 1))", "let 'V[0]=1'", "unset V; : ${V[0]:=x/y}", ": $((V[0]+=1))", "exec {V[0]}>/dev/null", "printf 'x%n' V",
		"getopts ab V", "mapfile V < f", "mapfile -t V < f", "readarray V < f", "for V in x/y; do git status; done", "select V in x/y; do git status; done",
		"coproc V { git status; }", "unset V; : ${V:=x/y}", "unset V; : ${V=x/y}", `unset V; echo "${V:=x/y}"`, "((V=1))", "((V++))", "let V=1", ": $((V=1))", `echo "$((V+=1))"`, "for ((V=1;V<2;V++)); do git status; done",
		"wait -p V", "exec {V}>/dev/null", "exec {V}</dev/null", "declare -n r=V; r=x/y", "declare -n V=x", "declare -i V", "declare -u V", "declare -l V", "declare 'V[0]=x/y'", "declare 'V=x/y'",
		"env V=x/y git status", `eval V=x/y`, `bash -c 'V=x/y; git status'`, "V=x/y g() { git status; }", "[[ $((V=1)) ]]", "case x in x) V=x/y;; esac", "time V=x/y git status",
	}
	takes := []string{
		"unset -v V", "unset V; git status", "unset 'V[0]'", "declare V", "typeset V", "readonly V", "export -n V", "declare +x V", "declare -a V", "declare -A V", "declare -g V",
		"f() { local V; git status; }; f", "f() { local -x V; git status; }; f", "f() { declare V; git status; }; f", "f() { unset V; }; f", "command unset V", "builtin unset V",
		"(unset V; git status)", "echo $(unset V; git status)", "if true; then unset V; fi", "bash -c 'unset V; git status'", `eval 'unset V'`,
	}
	e := New(Options{})
	names := variables()
	if len(names) < 300 {
		t.Fatalf("only %d variables", len(names))
	}
	for _, name := range names {
		// Rows about certain programs count for those.
		given := max(decided(e, name+"=x/y ls"), min(decided(e, name+"=x/y git status"), decided(e, name+"=x/y")))
		for _, way := range sets {
			if line := strings.ReplaceAll(way, "V", name); decided(e, line) < given {
				t.Errorf("%q = %v, with a value before a program: %v", line, decided(e, line), given)
			}
		}
		taken := decided(e, "unset "+name)
		for _, way := range takes {
			if line := strings.ReplaceAll(way, "V", name); decided(e, line) < taken {
				t.Errorf("%q = %v, and unset %v", line, decided(e, line), taken)
			}
		}
	}
	for line, want := range map[string]policy.Decision{
		"unset PATH; ls": policy.Ask, "unset HOME": policy.Ask, "f() { local HISTFILE; ls; }; f": policy.Ask,
		"unset FOO": policy.Allow, "unset http_proxy": policy.Allow, "unset PYTHONPATH": policy.Allow, "unset IFS": policy.Allow, "unset LD_PRELOAD GIT_DIR": policy.Allow,
		"declare -a arr": policy.Allow, "local x": policy.Allow, "f() { local A B=1; ls; }; f": policy.Allow, "export FOO": policy.Allow, "export PATH": policy.Allow, "unset -f PATH": policy.Allow,
		"declare -p PATH": policy.Allow, `f() { local IFS; echo "$*"; }; f`: policy.Allow, "readonly FOO": policy.Allow, "[[ -v PATH ]]": policy.Allow,
	} {
		if got := decided(e, line); got != want {
			t.Errorf("%q = %v, want %v", line, got, want)
		}
	}
}
