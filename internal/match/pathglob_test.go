package match

import (
	"strings"
	"testing"
)

func TestPathGlob(t *testing.T) {
	rows := []struct {
		glob, path string
		want       bool
	}{
		{"/etc", "/etc", true},
		{"/etc", "/etcx", false},
		{"/etc/**", "/etc/a", true},
		{"/etc/**", "/etc/a/b", true},
		{"/etc/**", "/etc", false},
		{"/etc/*", "/etc/a/b", false},
		{"/home/*", "/home/u", true},
		{"**/.env", "/w/.env", true},
		{"**/.env", "/w/a/b/.env", true},
		{"**/.env", "/w/x.env", false},
		{"**/*.pem", "/w/k.pem", true},
		{"**/.git/hooks/**", "/w/.git/hooks/pre-commit", true},
		{"**/.git/hooks/**", "/w/.git/config", false},
		{"**/a/*/c", "/a/a/b/c", true},
		{"~/.ssh/**", "~/.ssh/id_rsa", true},
		{"~/.ssh/**", "/home/u/.ssh/id_rsa", false},
		{"**", "/x", true},
		{"**/**/x", "/x", true},
		{"/dev/sd*", "/dev/sda1", true},
	}
	for _, r := range rows {
		if got := PathGlob(r.glob, r.path); got != r.want {
			t.Errorf("PathGlob(%q, %q) = %v, want %v", r.glob, r.path, got, r.want)
		}
	}
}

// slowPathGlob is PathGlob as it is easiest to read: every ** is tried at every
// name.
func slowPathGlob(glob, path string) bool {
	if rest, ok := strings.CutPrefix(glob, "**/"); ok {
		if !strings.Contains(rest, "/") {
			return rest == "**" || Glob(rest, path[strings.LastIndexByte(path, '/')+1:])
		}
		for {
			if slowPathGlob(rest, path) {
				return true
			}
			i := strings.IndexByte(path, '/')
			if i < 0 {
				return false
			}
			path = path[i+1:]
		}
	}
	if glob == "**" {
		return path != ""
	}
	g, p := strings.IndexByte(glob, '/'), strings.IndexByte(path, '/')
	if g < 0 || p < 0 {
		return g < 0 && p < 0 && Glob(glob, path)
	}
	return (glob[:g] == path[:p] || Glob(glob[:g], path[:p])) && slowPathGlob(glob[g+1:], path[p+1:])
}

func FuzzPathGlob(f *testing.F) {
	for _, seed := range [][2]string{
		{"/etc/**", "/etc/a/b"}, {"**/a/*/c", "/a/a/b/c"}, {"/w/**/a/**/b", "/w/a/b/a/c/b"}, {"**/**/x", "/x"}, {"**/a/**", "/b/a"}, {"a/**/**", "a"}, {"**", ""},
		{"/**/a/b/**/b/c", "/x/a/b/a/b/b/c"}, {"**/x/**/y/z", "/x/y/x/y/z"}, {"", ""}, {"**/", "/"}, {"a**/b", "axx/b"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		if strings.Count(glob, "**") > 4 || strings.Count(path, "/") > 20 {
			return
		}
		if got, want := PathGlob(glob, path), slowPathGlob(glob, path); got != want {
			t.Errorf("PathGlob(%q, %q) = %v, want %v", glob, path, got, want)
		}
	})
}
