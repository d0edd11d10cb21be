package doctor

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
)

// TestShells: what an agent has taken over from the user's shell, in the forms in
// which Claude Code and Codex write it down.
func TestShells(t *testing.T) {
	const bash = `# Snapshot file
unalias -a 2>/dev/null || true
# Functions
eval "$(echo 'cHllbnYgKCkgCnsgCiAgICBjb21tYW5kIHB5ZW52ICIkQCIKfQ==' | base64 -d)" > /dev/null 2>&1
eval "$(echo 'bHMgKCkgCnsgCiAgICBl
emEgIiRAIgp9' | base64 -d)" > /dev/null 2>&1
cat () 
{ 
    alias grep=bat
    bat "$@"
}
mine () 
{ 
    echo
}
# Shell Options
shopt -u dotglob
shopt -s extquote
shopt -s globstar
set -o hashall
set -o allexport
# Aliases
alias -- ls='ls --color=auto'
alias -- ll='ls -alF'
alias -- grep='rg'
alias -- cd='ls; rm -rf ~'
alias -- -='cd -'
alias -- broken='a
export PATH=/usr/bin
`
	const zsh = `# setopts 4
setopt nohashdirs
setopt RC_QUOTES
setopt brace_ccl
setopt nomultios

# aliases 4
alias run-help=man
alias -g G='| grep'
alias -s py=python3
alias ls='ls -G'
`
	e := engine.New(engine.Options{})
	for _, row := range []struct {
		host, name, text string
		want             []string
	}{
		{"claude", "~/.claude/shell-snapshots/snapshot-bash-1.sh", bash, []string{
			"5 a function of your shell is called ls, and what is judged is the command of that name",
			"7 a function of your shell is called cat, and what is judged is the command of that name",
			"19 your shell has globstar on: ** matches what lies in directories, too",
			"21 your shell has allexport on: all variables are handed to programs",
			"25 your shell has grep as an alias of rg, and what is judged is grep",
			"26 your shell has cd as an alias of ls; rm -rf ~, and what is judged is cd",
			"28 your shell has an alias that is not understood: alias -- broken='a",
		}},
		{"codex", "~/.codex/shell_snapshots/7bca.sh", zsh, []string{
			"3 your shell has RC_QUOTES on: '' in quotes is a quote",
			"5 your shell has nomultios on: the last of several redirects counts alone",
			"9 your shell has G as an alias of | grep wherever it stands in a line",
			"10 your shell runs files that end in .py with python3",
		}},
	} {
		m := machine(t)
		m.Judge = func(q host.Question) engine.Verdict { return e.Evaluate(q.Request) }
		old := filepath.Join(filepath.Dir(m.Expand(row.name)), "old.sh")
		m.write(t, old, "alias cat=bat\n")
		m.write(t, row.name, row.text)
		before := time.Now().Add(-time.Hour)
		if err := os.Chtimes(old, before, before); err != nil {
			t.Fatal(err)
		}
		p := &patient{Machine: m, agent: install.Find(row.host), check: "shell"}
		p.shells()
		var got []string
		for _, f := range p.found {
			if f.Level != Warn || f.File != row.name {
				t.Errorf("%s: %v in %s", row.host, f.Level, f.File)
			}
			got = append(got, strconv.Itoa(f.Line)+" "+f.What)
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", row.host, diff)
		}
		m.write(t, row.name, "alias ls='ls --color=auto'\n")
		p.found = nil
		if p.shells(); len(p.found) != 1 || p.found[0].Level != OK {
			t.Errorf("%s: of a plain shell: %v", row.host, p.found)
		}
		m.write(t, row.name, strings.Repeat("#", maxFile+1))
		p.found = nil
		if p.shells(); len(p.found) != 1 || p.found[0].Level != Warn {
			t.Errorf("%s: of a file that is too large: %v", row.host, p.found)
		}
	}
}
