package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// Whatever leaves a construct in another directory, what follows may run there.
func TestExits(t *testing.T) {
	leaves := []string{
		"J", "[ -f x ] && J", "[ -f x ] || J", "if ls; then J; fi", "if ls; then :; else J; fi", "case $i in *) J;; esac", "{ J; }", "true && J", "ls | grep x && J",
		"[ -f x ] || { J; exit; }", "! ls && J", "{ J; } 2>/dev/null", "eval 'J'", "if ls; then J; exit; fi",
	}
	constructs := []struct{ text, jumps string }{
		{"while ls; do B; done", "break continue"},
		{"until ls; do B; done", "break continue"},
		{"until false; do B; done", "break"},
		{"while read l; do B; done < list", "break continue"},
		{"for i in 1 2; do B; done", "break continue"},
		{"for i in 1; do B; done", "break"},
		{"for i in $y; do B; done", "break continue"},
		{"for ((i=0;i<2;i++)); do B; done", "break continue"},
		{"f() { B; }; f", "return"},
		{"f() { for i in $y; do B; done; }; f", "return break"},
		{"f() { while ls; do B; done; }; f", "return"},
		{"f() { g; }; g() { B; }; f", "return"},
		{"for i in 1 2; do for j in 1 2; do B; done; done", "break continue"},
	}
	for _, d := range []Dialect{Any, Bash, Zsh, POSIX} {
		for _, c := range constructs {
			for jump := range strings.FieldsSeq(c.jumps) {
				for _, l := range leaves {
					body := "cd /etc; " + strings.ReplaceAll(l, "J", jump) + "; cd /w || exit"
					text := strings.ReplaceAll(c.text, "B", body) + "; ls last"
					followed(t, text, d)
				}
			}
		}
	}
	for _, text := range []string{
		"until cd /etc; do ls; done; ls last", "while ! cd /etc; do ls; done; ls last", "(cd /etc; trap 'ls last' EXIT; true)", "f() { trap 'ls last' EXIT; cd /etc; }; (f)",
		"trap 'ls last' DEBUG; cd /etc; true; cd /w || exit", "f() { ls last; }; (cd /etc; trap f EXIT)", "cd /etc; echo $((1/0)); cd /w || exit\nls last",
		"cd /etc; echo ${x:a/0}; cd /w || exit\nls last",
	} {
		followed(t, text, Bash)
	}
	for _, text := range []string{
		"pushd src; dirs /etc; popd; ls last", "cd /etc && ls & ls last", "cd /etc || ls & ls last", "cd /etc && cd /w && ls & ls last", "x=/etc; cd x; ls last",
	} {
		followed(t, text, Zsh)
	}
}

// followed checks that "ls last" may run in /etc.
func followed(t *testing.T, text string, d Dialect) {
	t.Helper()
	seen := false
	for _, c := range New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}, Home: "/h"}).Commands {
		if c.String() == "ls last" {
			seen = seen || len(c.Dirs) == 0 || slices.Contains(c.Dirs, "/etc")
		}
	}
	if !seen {
		t.Errorf("dialect %d: ls is not seen in /etc: %s", d, text)
	}
}

// What leaves a construct keeps what it assigned.
func TestExitsAssign(t *testing.T) {
	for _, text := range []string{
		"x=src; for i in $y; do ls || { x=-delete; break; exit; }; done; find . $x",
		"x=src; while ls; do if ls; then x=-delete; break; exit; fi; done; find . $x",
		"x=src; f() { x=-delete; return; x=src; }; f; find . $x",
		"x=src; for i in 1 2; do x=-delete; break; x=src; done; find . $x",
		"x=src; f() { case $y in a) x=-delete; return; exit;; esac; }; f; find . $x",
		"x=src; until [ $y = a ]; do x=-delete; continue; x=src; done; find . $x",
	} {
		for _, d := range []Dialect{Any, Bash, Zsh, POSIX} {
			got := New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}})
			c := got.Commands[len(got.Commands)-1]
			if s, known := c.Words[len(c.Words)-1].Const(); known && s != "-delete" {
				t.Errorf("dialect %d: find is believed to see %s: %s", d, s, text)
			}
		}
	}
}

// Whoever may read from an input leaves others an unknown rest of it.
func TestSharedInput(t *testing.T) {
	readers := []string{"read -r l", "head -n1", "cat", "x=$(head -n1)", "(read l)", "head -n1 | wc", "f", "$y", "cat <&0", "eval 'read l'", "wc & wait", "exec 3<&0; read l <&3", "ls && read l", "while read l; do break; done"}
	feeds := []string{"{ B; } <<'E'\na\nb\nE", "( B ) <<'E'\na\nb\nE", "exec <<'E'\na\nb\nE\nB", "g() { B; }; g <<'E'\na\nb\nE", "printf 'a\\nb\\n' | { B; }", "{ B; } <<< 'a b'", "if ls; then B; fi <<< a"}
	for _, d := range []Dialect{Any, Bash, Zsh} {
		for _, reader := range readers {
			for _, feed := range feeds {
				text := "f() { read l; }; " + strings.ReplaceAll(feed, "B", reader+"; last")
				got := New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}})
				for _, c := range got.Commands {
					if c.String() == "last" && (c.Stdin.Kind == policy.InputText || c.Stdin.Kind == policy.InputHost) {
						t.Errorf("dialect %d: what others left is believed to be known: %s", d, text)
					}
				}
			}
		}
	}
}

// What is presumed of variables ends with what the line sets.
func TestPresumptions(t *testing.T) {
	for _, text := range []string{
		"USER=-delete; f() { find . $USER; }; trap f EXIT", "USER=-delete; trap 'find . $USER' EXIT", "f() { find . $USER; }; . ./x.sh; f", ". ./x.sh; find . $USER",
		"eval \"$y\"; find . $USER", "f() { USER=-delete; }; f; trap 'find . $USER' EXIT", ". ./x.sh; trap 'find . $USER' EXIT", ". ./x.sh; y=.@-delete; find $y",
	} {
		for _, d := range []Dialect{Any, Bash, Zsh, POSIX} {
			for _, c := range New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}}).Commands {
				if name, _ := c.Program(); name == "find" && !c.Words[len(c.Words)-1].MayBeOption() {
					t.Errorf("dialect %d: %s is believed to be no option: %s", d, c.String(), text)
				}
			}
		}
	}
}
