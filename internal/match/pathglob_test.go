package match

import "testing"

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
