package shell

import (
	"strings"
	"testing"
)

// The short loops of zsh are read as what they are: each row is a text, and the
// commands that it runs.
func TestZshLoops(t *testing.T) {
	for text, want := range map[string]string{
		"for f (a b) wc $f":                            "wc a;wc b",
		"for f (a b) wc $f; ls":                        "wc a;wc b;ls",
		"for f (a b) { wc $f; }":                       "wc a;wc b",
		"for f (a b) {\n  wc $f\n}\nls":                "wc a;wc b;ls",
		"for f (a b); do wc $f; done":                  "wc a;wc b",
		"for f (a b) do wc $f; done":                   "wc a;wc b",
		"for f (a b)\ndo\nwc $f\ndone":                 "wc a;wc b",
		"ls && for f (a b) { wc $f; } | sort":          "ls;wc a;wc b;sort",
		"for f (a b) wc $f | sort":                     "wc a;sort;wc b;sort",
		"for f (a b) [ -f $f ] && wc $f":               "[ -f a ];wc a;[ -f b ];wc b",
		"for f (a b) ! wc $f":                          "wc a;wc b",
		"cd x; for f (a b) wc $f; for g (c) wc $g; ls": "cd x;wc a;wc b;wc c;ls",
		"if ls; then for f (a b) wc $f; fi":            "ls;wc a;wc b",
		"repeat 3; do ls; done":                        ":;ls",
		"repeat 3 do ls; done":                         ":;ls",
		"repeat 3\ndo\nls\ndone":                       ":;ls",
		"repeat 2; do repeat 3; do ls; done; done":     ":;:;ls",
		"repeat 3 ls":                                  "ls",
	} {
		got := New().Read(Input{Text: text, Dialect: Zsh, Dirs: []string{"/w"}})
		if len(got.Findings) > 0 {
			t.Errorf("%q: %s", text, got.Findings[0].Reason)
		}
		var all []string
		for _, c := range got.Commands {
			if len(c.Words) > 0 {
				all = append(all, c.String())
			}
		}
		if s := strings.Join(all, ";"); s != want {
			t.Errorf("%q runs %s, want %s", text, s, want)
		}
		for _, d := range []Dialect{Any, Bash, POSIX} {
			if got := New().Read(Input{Text: text, Dialect: d, Dirs: []string{"/w"}}); strings.Contains(text, "(") && len(got.Findings) == 0 {
				t.Errorf("dialect %d: %q is not found", d, text)
			}
		}
	}
}

// A loop over patterns runs for any file, and its words stand where they are.
func TestZshLoopWords(t *testing.T) {
	got := New().Read(Input{Text: "ls\nfor f (*.ts) wc $f", Dialect: Zsh, Dirs: []string{"/w"}})
	c := got.Commands[len(got.Commands)-1]
	if len(got.Findings) > 0 || c.Words[1].IsConst() || !strings.HasSuffix(c.Words[1].String(), ".ts") || c.Pos.Line != 2 || c.Pos.Col != 14 {
		t.Errorf("%v %+v", got.Findings, c)
	}
}

// What is not surely such a loop is asked about.
func TestNoZshLoops(t *testing.T) {
	for _, text := range []string{
		"for f (a b)", "for f (a b) ", "for f (a b", "for f (a (b)) ls", "for f ($(ls)) ls", "for f (`ls`) ls", "for f ('a)' b) ls", "for f g (a b) ls", "for 1 (a b) ls",
		"ls && for f (a b) wc $f && ls", "time for f (a b) ls", "! for f (a b) ls", "for f (a b) ls &", "ls | for f (a b) cat", "for f (a > x) ls", "for f (a; b) ls",
		"for f (a b) for g (c d) ls $f $g", "for f (a\nb) ls", "for f () ls", "for f (a b); ls", "for f (a b)\nls", "f() for g (a b) ls", "for f (a b) done", "for f (a b) }",
		"repeat $x; do ls; done", "repeat x; do ls; done", "repeat 3; ls; done", "echo repeat 3; do ls; done", "echo 'repeat 3 do'; done", "# repeat 3 do\nls; done", "repeat 2 do repeat 3 do ls; done; done",
		"cat <<E\nrepeat 3 do\nE\ndone", "for f (a b) {wc $f}", "for f (a b) { wc $f",
	} {
		got := New().Read(Input{Text: text, Dialect: Zsh, Dirs: []string{"/w"}})
		if len(got.Findings) == 0 {
			t.Errorf("%q is believed to be read: %v", text, got.Commands)
		}
	}
}
