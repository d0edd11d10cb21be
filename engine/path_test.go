package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

func TestHostName(t *testing.T) {
	rows := []struct{ text, want string }{
		{"https://example.com/a?b", "example.com"},
		{"example.com/a", "example.com"},
		{"HTTP://user:pw@Example.COM:8080/", "example.com"},
		{"http://example.com./", "example.com"},
		{"http://169.254.169.254/latest", "169.254.169.254"},
		{"http://0xA9FEA9FE/", "169.254.169.254"},
		{"http://2852039166/", "169.254.169.254"},
		{"http://0251.0376.0251.0376/", "169.254.169.254"},
		{"http://169.254.43518/", "169.254.169.254"},
		{"http://[::ffff:169.254.169.254]/", "169.254.169.254"},
		{"http://[fd00:ec2::254]/", "fd00:ec2::254"},
		{"localhost:3000", "localhost"},
		{"1_0.example", "1_0.example"},
		{"300.1.1.1", "300.1.1.1"},
	}
	for _, r := range rows {
		if got := hostName(r.text); got != r.want {
			t.Errorf("hostName(%q) = %q, want %q", r.text, got, r.want)
		}
	}
}

// TestCertificates: chains and bundles hold no private key, whatever else ends
// in .pem may; cert.pem is often both in one.
func TestCertificates(t *testing.T) {
	for name, want := range map[string]policy.Decision{
		"fullchain.pem": policy.Allow, "chain.pem": policy.Allow, "cacert.pem": policy.Allow, "tls/ca-bundle.pem": policy.Allow, "server.crt.pem": policy.Allow, "id.pub.pem": policy.Allow,
		"cert.pem": policy.Ask, "key.pem": policy.Ask, "server.pem": policy.Ask, "fullchain.key": policy.Ask, "*.pem": policy.Ask, "tls/chain-key.pem": policy.Ask,
	} {
		if v := New(Options{}).Evaluate(Request{Command: "cat " + name, Cwd: "/w", Workspace: "/w"}); v.Decision != want {
			t.Errorf("cat %s: %v (%s), want %v", name, v.Decision, v.Reason, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	rows := []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"a", "", false}, {"*", "", true}, {"", "**", true},
		{"a*", "ab", true}, {"a*", "ba", false}, {"a*c", "*b*", true},
		{"a?c", "abc", true}, {"a?c", "ac", false}, {"*a", "b*", true},
		{"x*y", "x*z", false}, {".e*", ".env", true}, {".[e]nv", ".env", true},
		{"?", "ab", false},
	}
	for _, r := range rows {
		if got := overlap(r.a, r.b); got != r.want {
			t.Errorf("overlap(%q, %q) = %v, want %v", r.a, r.b, got, r.want)
		}
		if got := overlap(r.b, r.a); got != r.want {
			t.Errorf("overlap(%q, %q) = %v, want %v", r.b, r.a, got, r.want)
		}
	}
}

func TestMayMatch(t *testing.T) {
	rows := []struct {
		pattern, glob string
		want          bool
	}{
		{"/w/.e*", "**/.env", true},
		{"/w/*", "**/.env", false},
		{"/w/*.go", "**/.env", false},
		{"/w/*.pem", "**/*.pem", true},
		{"/w/*.json", "**/credentials.json", false},
		{"/w/*/.env", "**/.env", true},
		{"~/.ssh/*", "~/.ssh/**", true},
		{"~/.ss*/id_rsa", "~/.ssh/**", true},
		{"/w/id_*", "**/id_rsa", true},
		{"/w/src/[ab]*", "**/.env", false},
	}
	for _, r := range rows {
		if got := mayMatch(r.pattern, r.glob); got != r.want {
			t.Errorf("mayMatch(%q, %q) = %v, want %v", r.pattern, r.glob, got, r.want)
		}
	}
}

func TestResolve(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/home/u/.ssh/id_rsa", "")
	files.Mkdir("/w/src")
	files.Symlink("/home/u/.ssh/id_rsa", "/w/notes.txt")
	files.Symlink("/etc/ssl", "/w/link")
	files.Mkdir("/etc/ssl")
	files.Symlink("loop", "/w/loop")
	j := newJudge(New(Options{Files: files}))
	j.request = &Request{Home: "/home/u", Workspace: "/w"}
	rows := []struct{ word, path, real string }{
		{"a.go", "/w/a.go", "/w/a.go"},
		{"src/../a.go", "/w/a.go", "/w/a.go"},
		{"notes.txt", "/w/notes.txt", "/home/u/.ssh/id_rsa"},
		{"link/../shadow", "/w/shadow", "/etc/shadow"},
		{"~/x", "/home/u/x", "/home/u/x"},
		{"~root/x", "/root/x", "/root/x"},
		{"~bob", "/home/bob", "/home/bob"},
		{"/proc/self/root/etc/passwd", "/etc/passwd", "/etc/passwd"},
		{"/proc/1/task/1/root/etc", "/etc", "/etc"},
		{"//etc//passwd", "/etc/passwd", "/etc/passwd"},
		{"loop", "/w/loop", "/w/loop"},
	}
	for _, r := range rows {
		got := j.resolve(policy.Const(r.word), []string{"/w"})
		if len(got) != 1 || got[0].path != r.path || got[0].real != r.real {
			t.Errorf("resolve(%q) = %+v, want path %s, real %s", r.word, got, r.path, r.real)
		}
	}
}

// slowMayMatch is mayMatch as it is easiest to read: every ** is tried at
// every name.
func slowMayMatch(pattern, glob string) bool {
	if rest, ok := strings.CutPrefix(glob, "**"); ok {
		if rest = strings.TrimPrefix(rest, "/"); rest == "" {
			return true
		}
		for {
			if slowMayMatch(pattern, rest) {
				return true
			}
			_, after, ok := strings.Cut(pattern, "/")
			if !ok {
				return false
			}
			pattern = after
		}
	}
	first, restOfPattern, more := strings.Cut(pattern, "/")
	firstGlob, restOfGlob, moreGlob := strings.Cut(glob, "/")
	if !partMayMatch(first, firstGlob) || more != moreGlob {
		return false
	}
	return !more || slowMayMatch(restOfPattern, restOfGlob)
}

func FuzzMayMatch(f *testing.F) {
	for _, seed := range [][2]string{
		{"/w/*", "/w/**/.env"}, {"/w/.e*", "/w/**/.env"}, {"/w/secrets/*", "/w/**/secrets/**"}, {"*/a/*", "**/a/**/b"}, {"/et?/a", "/etc/**"}, {"**/x", "**/y/x"}, {"", "**"}, {"a", "**b"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, glob string) {
		if strings.Count(glob, "**") > 4 || strings.Count(pattern, "/") > 20 {
			return
		}
		if got, want := mayMatch(pattern, glob), slowMayMatch(pattern, glob); got != want {
			t.Errorf("mayMatch(%q, %q) = %v, want %v", pattern, glob, got, want)
		}
	})
}
