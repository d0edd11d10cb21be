package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// TestFound: what a command finds is not all unknown to those who read it.
func TestFound(t *testing.T) {
	e := New(Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{`find ~/.ssh -exec cat {} +`, policy.Ask},
		{`find . -name '*.env' -exec cat {} \;`, policy.Ask},
		{`find / -type f -exec head -1 {} +`, policy.Ask},
		{`find ~ -path '*/.ssh/*' -exec cat {} +`, policy.Ask},
		{`find . -regex '.*\.env' -exec cat {} +`, policy.Ask},
		{`find . -name .env -exec env cat {} \;`, policy.Ask},
		{`find ~ \( -name '*.go' -o -type f \) -exec cat {} +`, policy.Ask},
		{`fd -H .env -x cat`, policy.Ask},
		{`fd . ~/.ssh -x cat {}`, policy.Ask},
		{`fd -e pem -X head -n 1`, policy.Ask},
		{`find . -name '*.env' | head -1 | xargs cat`, policy.Ask},
		{`ls ~/.ssh | xargs -I{} cat ~/.ssh/{}`, policy.Ask},
		{`echo .env | xargs cat`, policy.Ask},
		{`xargs cat <<< .env`, policy.Ask},
		{`git ls-files '*.env' | xargs cat`, policy.Ask},
		{`find ~/.aws -type f | while read f; do cat "$f"; done`, policy.Ask},
		{`for f in $(find ~/.aws -type f); do cat "$f"; done`, policy.Ask},
		{`cat "$(find ~/.ssh -name id_rsa)"`, policy.Ask},

		{`find ~/.ssh -exec ls -ld {} +`, policy.Allow},
		{`find ~/.ssh | wc -l`, policy.Allow},
		{`find . -type f -exec grep -l TODO {} +`, policy.Allow},
		{`find / -name '*.conf' -exec grep -l x {} +`, policy.Allow},
		{`find . ! -name '*.env' -exec wc -l {} +`, policy.Allow},
		{`fd -e go -x wc -l`, policy.Allow},
		{`git ls-files | xargs wc -l`, policy.Allow},
		{`for f in $(find . -name '*.go'); do wc -l "$f"; done`, policy.Allow},
		{`find . -name '*.go' | while read f; do head -1 "$f"; done`, policy.Allow},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}

// TestOtherNames: permission mode acceptEdits gives no secret a name that
// nobody would ask about.
func TestOtherNames(t *testing.T) {
	e := New(Options{})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{"mv a b", policy.Allow},
		{"ln -s a b", policy.Allow},
		{"mv .env x && cat x", policy.Ask},
		{"mv -t d .env", policy.Ask},
		{"ln .env x && cat x", policy.Ask},
		{"ln -s .env x && cat x", policy.Ask},
		{"cp .env x && cat x", policy.Ask},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: ModeAcceptEdits})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}

// TestPicked: names that come through a pipe are those that the commands in it
// let pass.
func TestPicked(t *testing.T) {
	m := new(disk.Memory)
	for _, name := range []string{"/w/.env", "/w/deploy_key", "/w/README.md", "/w/conf/secrets.yml", "/home/u/.ssh/id_rsa"} {
		m.WriteFile(name, "")
	}
	e := New(Options{Files: m})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{`ls -a | grep env | xargs cat`, policy.Ask},
		{`ls -la | rg env | awk '{print $9}' | xargs cat`, policy.Ask},
		{`ls -a | grep -e env | head -1 | xargs cat`, policy.Ask},
		{`ls -A | xargs cat`, policy.Ask},
		{`ls -a | sed -n '/env/p' | xargs cat`, policy.Ask},
		{`ls | grep deploy | xargs cat`, policy.Ask},
		{`find . -type f | grep '\.env$' | xargs cat`, policy.Ask},
		{`cat "$(ls -a | grep env)"`, policy.Ask},
		{`ls -a | grep env | while read f; do cat "$f"; done`, policy.Ask},

		{`ls | xargs wc -l`, policy.Allow},
		{`ls -a | grep '\.md$' | xargs cat`, policy.Allow},
		{`ls -a | grep -v env | xargs wc -l`, policy.Allow},
		{`find . -type f | grep '\.go$' | xargs wc -l`, policy.Allow},
		{`git ls-files | grep config | xargs wc -l`, policy.Allow},
		{`ls -a | grep env`, policy.Allow},
	}
	for _, r := range rows {
		v := e.Evaluate(Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if v.Decision != r.want {
			t.Errorf("%q = %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
	for line, want := range map[string]int{`cat "$x"`: weak, `cat ~/.codex/"$x"`: ordinary, `cat "/proc/$x/status"`: weak, `cd "$x" && cat a`: weak, `cat "conf/$x"`: ordinary, `cat README.md`: 0} {
		v := e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		secret := 0
		for i := range v.Tree {
			for _, s := range v.Tree[i].Sights {
				secret = max(secret, s.Secret)
			}
		}
		if secret != want || v.Decision != policy.Allow {
			t.Errorf("%s: %v, shows secrets of level %d, want %d", line, v.Decision, secret, want)
		}
	}
}
