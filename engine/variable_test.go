package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestVariablesSetByTheWay: what gives a variable a value without looking like
// an assignment is judged as one where the name means something to programs.
func TestVariablesSetByTheWay(t *testing.T) {
	e := New(Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{"for PATH in /tmp/x; do git status; done", policy.Ask},
		{"export LD_PRELOAD; for LD_PRELOAD in /tmp/x.so; do ls; done", policy.Ask},
		{"export LD_PRELOAD; : ${LD_PRELOAD:=/tmp/x.so}; ls", policy.Ask},
		{"select PATH in x; do ls; done", policy.Ask},
		{"mapfile PATH < x; ls", policy.Ask},
		{"read -a PATH < x; ls", policy.Ask},
		{"exec {PATH}<x; ls", policy.Ask},
		{"let PATH=1; ls", policy.Ask},
		{"((PATH=1)); ls", policy.Ask},
		{"for F in *.go; do echo $F; done", policy.Allow},
		{`: "${OUT_DIR:=build}"; ls "$OUT_DIR"`, policy.Allow},
		{`mapfile -t FILES < x; echo "${FILES[@]}"`, policy.Allow},
		{`read -ra WORDS <<< "a b"; echo "${WORDS[0]}"`, policy.Allow},
		{"N=0; for f in a b; do ((N+=1)); done; echo $N", policy.Allow},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}

// TestTreeOfSecrets: who reads a directory with all that is below it reads the
// secrets there.
func TestTreeOfSecrets(t *testing.T) {
	e := New(Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{"grep -r x ~/.ssh", policy.Ask},
		{"rg x /home/u/.ssh/", policy.Ask},
		{"git grep --no-index x ~/.gnupg", policy.Ask},
		{"diff -r ~/.ssh src", policy.Ask},
		{"grep -r x ~", policy.Ask},
		{"ls -la ~/.ssh", policy.Allow},
		{"grep -r x /etc/nginx", policy.Allow},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}
