package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestHandedOn holds that a secret file is asked about however the line hands its
// name to the command that reads it: a value that stands for a path the line names
// is that path, wherever a shell or a program keeps it.
func TestHandedOn(t *testing.T) {
	e := New(Options{})
	judge := func(line, shell string) Verdict {
		return e.Evaluate(Request{Command: line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: shell})
	}
	const secret = "~/.ssh/id_rsa"
	hands := []struct{ line, value string }{ // %s is the path
		{"test -f %s", "$_"}, {"test -f %s", `"$_"`}, {": %s", "$_"}, {"cd ~/.ssh; cd /w", "$OLDPWD/id_rsa"},
		{"read <<< %s", `"$REPLY"`}, {"read x <<< %s", "$x"}, {"read -r a b <<< \"%s c\"", "$a"}, {"IFS=: read a b <<< %s:c", "$a"},
		{"[[ %s =~ (.*) ]]", `"${BASH_REMATCH[1]}"`}, {"mapfile -t <<< %s", "$MAPFILE"}, {"mapfile -t a <<< %s", `"${a[0]}"`},
		{"getopts a: x -a %s", "$OPTARG"}, {"set -- -a %s; getopts a: x", "$OPTARG"}, {"set -- %s", `"$1"`}, {"printf -v x %s", "$x"},
		{"x=$(echo %s | cat)", "$x"}, {"x=`ls %s`", "$x"}, {"a=(%s b); unset 'a[1]'", "${a[@]}"}, {"declare -A m=([k]=%s); k=$1", "${m[$k]}"},
		{"x=%s; [ -n \"$Z\" ] && x=a", "$x"}, {"x=%s; y=x", "${!y}"}, {"f() { x=$1; }; f %s; [ -n \"$Z\" ] && x=a", "$x"},
		{"for i in %s $Z; do :; done", "$i"}, {"p=~/.ssh; [ -n \"$Z\" ] && p+=/id_rsa || p+=/config", "$p"},
		{"mapfile -t a < <(ls %s)", `"${a[@]}"`},
	}
	reads := []string{"cat %s", "head -1 %s", "grep x %s", "wc < %s", "if true; then cat %s; fi", "(cat %s)", "cat a.txt %s"}
	for _, hand := range hands {
		line := strings.ReplaceAll(hand.line, "%s", secret)
		for _, read := range reads {
			whole := line + "; " + strings.ReplaceAll(read, "%s", hand.value)
			for _, shell := range []string{"bash", "zsh"} {
				if v := judge(whole, shell); v.Decision == policy.Allow {
					t.Errorf("%s: %q is allowed", shell, whole)
				}
			}
		}
		// And there is nothing to ask where no such file is named.
		if plain := strings.ReplaceAll(hand.line, "%s", "a.txt") + "; cat " + hand.value; !strings.Contains(plain, ".ssh") {
			if v := judge(plain, "bash"); v.Decision != policy.Allow {
				t.Errorf("%q asks: %s", plain, v.Reason)
			}
		}
	}
	for _, line := range []string{
		`while read x; do cat "$x"; done <<< .env`, "while read x; do cat $x; done <<E\na.txt\n.env\nE", `python3 -c 'print(open(input()).read())' <<< .env`,
		`{ read x; wc -l "$x"; } <<< .env`, `IFS=: read a b <<< x:/; grep -r key "$b"`, `node -e 'console.log(fs.readFileSync(fs.readFileSync(0, "utf8").trim()).length)' <<< .env`,
	} {
		if v := judge(line, "bash"); v.Decision == policy.Allow {
			t.Errorf("%q is allowed", line)
		}
	}
	for _, line := range []string{
		`test -f ~/.ssh/id_rsa; cat "$LOG"`, `ls ~/.ssh; for f in *.go; do cat "$f"; done`, `test -f .env; i=$((1+1)); cat $i`,
		`ls ~/.ssh/id_rsa; cat $HOME/notes.txt`, `find . ! -name '*.env' -exec wc -l {} +`, `test -f .env; git diff "$(git merge-base main HEAD)"`,
	} {
		if v := judge(line, "bash"); v.Decision != policy.Allow {
			t.Errorf("%q asks: %s", line, v.Reason)
		}
	}
}
