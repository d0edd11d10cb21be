package policy

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzClip holds that a clipped text is the start of the text, no longer than
// asked for, and breaks no character.
func FuzzClip(f *testing.F) {
	f.Add("", 0)
	f.Add("abc", 2)
	f.Add("aé", 2)
	f.Add("😀😀", 7)
	f.Add("\x80\x80\x80", 2)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 0 {
			return
		}
		got := Clip(text, n)
		if len(text) <= n {
			if got != text {
				t.Errorf("Clip(%q, %d) = %q", text, n, got)
			}
			return
		}
		start, cut := strings.CutSuffix(got, "...")
		if !cut || len(start) > n || !strings.HasPrefix(text, start) || utf8.ValidString(text) && !utf8.ValidString(start) {
			t.Errorf("Clip(%q, %d) = %q", text, n, got)
		}
	})
}

func TestEscapes(t *testing.T) {
	for n := range 5 {
		if got := Escapes("a" + strings.Repeat(`\`, n)); got != (n%2 == 1) {
			t.Errorf("%d backslashes escape: %v", n, got)
		}
	}
}

func TestIsNumber(t *testing.T) {
	for s, want := range map[string]bool{"0": true, "-12": true, "": false, "-": false, "--1": false, "1-": false, "1a": false, "+1": false} {
		if IsNumber(s) != want {
			t.Errorf("IsNumber(%q) = %v", s, !want)
		}
	}
}

// TestTri holds the laws of an answer that may not be known.
func TestTri(t *testing.T) {
	all := []Tri{No, Maybe, Yes}
	if !slices.IsSorted(all) || Sure(true) != Yes || Sure(false) != No {
		t.Error("the weaker answer is not the smaller")
	}
	for _, a := range all {
		if a.Not().Not() != a || a.Not() == a && a != Maybe {
			t.Errorf("not %v is %v", a, a.Not())
		}
		for _, b := range all {
			if e := a.Either(b); e != b.Either(a) || (e == Maybe) == (a == b && a != Maybe) {
				t.Errorf("%v or %v is %v", a, b, e)
			}
		}
	}
}

// TestShells holds that the language of a shell called like a language is that
// language, and that nothing which is read is called otherwise.
func TestShells(t *testing.T) {
	for _, name := range append(Shells(), ShellKorn) {
		if ShellLanguage(name) != name {
			t.Errorf("%s speaks %q", name, ShellLanguage(name))
		}
	}
	for _, name := range []string{"", "python3", "/bin/sh", "other", "unknown"} {
		if language := ShellLanguage(name); language != "" {
			t.Errorf("%q speaks %q", name, language)
		}
	}
}

func TestSystemDirs(t *testing.T) {
	dirs := SystemDirs()
	for _, dir := range dirs {
		if !SystemDir(dir) || !strings.HasPrefix(dir, "/") || strings.HasSuffix(dir, "/") {
			t.Errorf("%s", dir)
		}
	}
	dirs[0] = "/tmp"
	if SystemDir("/tmp") || SystemDir("") || SystemDir("/usr/bin/") || SystemDir("usr/bin") {
		t.Error("a directory of anybody's is the system's")
	}
}
