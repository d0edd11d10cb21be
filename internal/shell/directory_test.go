package shell

import (
	"fmt"
	"strings"
	"testing"
)

// TestStack holds what pushd keeps: each row is a list of things that are done, and
// what is known behind them. Those with a question mark may have failed.
func TestStack(t *testing.T) {
	for _, c := range []struct {
		did  string
		want string
	}{
		{"/a+", "[[/a]] 1"},
		{"/a+ /b+", "[[/a] [/b]] 2"},
		{"/a?", "[[/a]] 0"},
		{"/a+ /b?", "[[/a] [/b]] 1"},
		{"/a? /b?", "[[/a /b] [/b]] 0"}, // of the first, the second or both
		{"/a? /b+", "[[/a /b] [/b]] 1"},
		{"/a+ /b+ -", "[[/a]] 1 from [/b]"},
		{"/a+ /b? -", "[[/a]] 0 from [/b /a]"}, // the first or the second
		{"/a? -", "[] 0 from [/a]"},
		{"/a+ /b? /c+ -", "[[/a] [/b /c]] 1 from [/c /b]"},
	} {
		var l location
		var from []string
		for _, s := range strings.Fields(c.did) {
			before := l
			switch dir, last := s[:len(s)-1], s[len(s)-1]; last {
			case '-':
				from = l.pop()
			default:
				l.push([]string{dir})
				if last == '?' {
					l = before.join(l)
				}
			}
		}
		got := fmt.Sprint(l.stack, l.sure)
		if from != nil {
			got += fmt.Sprint(" from ", from)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.did, got, c.want)
		}
	}
	lost := location{}
	lost.loseStack()
	if known := (location{stack: [][]string{{"/a"}}, sure: 1}); !known.join(lost).stackLost || !lost.join(known).stackLost {
		t.Error("what is not known on one side is known of both")
	}
}

// TestBehindPopd holds where the shell may be behind pushd and popd.
func TestBehindPopd(t *testing.T) {
	for text, want := range map[string]string{
		"pushd src; popd; ls":                    "[/w /w/src]", // nothing was pushed, or it went back
		"pushd src && popd; ls":                  "[/w /w/src]",
		"pushd src || exit; popd || exit; ls":    "[/w]",
		"pushd /a || exit; pushd b; popd; ls":    "[/a /w /a/b]",
		"pushd /a || exit; pushd b && exit; ls":  "[/a]",
		"pushd /a || exit; dirs -c; popd; ls":    "[]",
		"read OLDPWD <<< /a; cd -; ls":           "[]",
		"while x; do pushd src; done; popd; ls":  "[]",
		"if x; then pushd /a; fi; popd; ls":      "[/w /a]",
		"if x; then pushd /a || exit; fi; popd":  "[/a /w]",
		"f() { pushd src; }; f || exit; popd":    "[/w/src]",
		"pushd /a || exit; (pushd /b); popd; ls": "[/w /a]",
	} {
		r := New().Read(Input{Text: text, Dialect: Bash, Dirs: []string{"/w"}})
		if got := fmt.Sprint(r.Commands[len(r.Commands)-1].Dirs); got != want {
			t.Errorf("%s: in %s, want %s", text, got, want)
		}
	}
}
