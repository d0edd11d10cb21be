package settings

import (
	"path"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

var anchors = Anchors{Home: "/home/u", Workspace: "/w", Cwd: "/w/web"}

func (r *Rule) names(p string) bool {
	for _, glob := range r.Globs(anchors) {
		if match.PathGlob(glob, p) {
			return true
		}
	}
	return false
}

func TestGlobs(t *testing.T) {
	const allow, deny = policy.Allow, policy.Block
	for _, row := range []struct {
		pattern  string
		scope    Scope
		decision policy.Decision
		in, out  string // paths, with blanks between them
	}{
		{"//etc/**", Project, deny, "/etc /etc/passwd /etc/a/b", "/w/etc/x /etcetera"},
		{"//tmp/x.txt", User, allow, "/tmp/x.txt /tmp/x.txt/y", "/tmp/x_txt /w/tmp/x.txt"},
		{"//**/.env", User, deny, "/.env /a/.env /a/b/.env", "/a/.envrc"},
		{"~/.zshrc", Project, deny, "/home/u/.zshrc", "/home/u/x/.zshrc /w/.zshrc /home/v/.zshrc"},
		{"~/Documents/*.pdf", User, deny, "/home/u/Documents/a.pdf", "/home/u/Documents/a/b.pdf"},
		{"~", User, deny, "/home/u /home/u/x", "/home/v"},
		{"/src/**/*.ts", Project, allow, "/w/src/a.ts /w/src/x/y/a.ts", "/src/a.ts /w/web/src/a.ts /w/src/a.js"},
		{"/src/**", Local, deny, "/w/src /w/src/a", "/w/web/src/a /home/u/.claude/src/a"},
		{"/secrets/**", User, deny, "/home/u/.claude/secrets/a", "/w/secrets/a"},
		{"/secrets/**", Managed, deny, "/w/secrets/a /etc/claude-code/secrets/a", "/home/u/.claude/secrets/a"},
		{"/src/**", Managed, allow, "", "/w/src/a /etc/claude-code/src/a"},
		{".env", Project, deny, "/w/.env /w/web/.env /w/a/b/.env /w/.ENV/x", "/.env /home/u/.env /w/.envrc"},
		{"./.env", Project, deny, "/w/.env /w/web/.env /w/a/b/.env", "/.env"},
		{"**/.env", Project, deny, "/w/.env /w/a/b/.env", "/.env"},
		{"*.env", Project, deny, "/w/x.env /w/a/x.env /w/.env", "/w/x.envy"},
		{"secrets/**", Project, deny, "/w/secrets /w/secrets/a /w/web/secrets/a /w/vendor/p/secrets/a/b", "/secrets/a"},
		{"src/**", Project, allow, "/w/src/a /w/src/b/c", "/w/src /w/web/src/a /w/vendor/src/a"},
		{"**/src/**", Project, allow, "/w/src/a /w/vendor/src/a", "/w/src /w/web/srcs/a"},
		{"src", Project, allow, "/w/src /w/src/a /w/vendor/src/a", "/w/srcs"},
		{"./src", Project, allow, "/w/src /w/src/a", "/w/vendor/src/a"},
		{"src/", Project, allow, "/w/src/a /w/x/src/a", "/w/src"},
		{"src/", Project, deny, "/w/src /w/src/a /w/x/src/a", ""},
		{"src/components/**", Project, deny, "/w/src/components/a /w/web/src/components/a", "/w/x/src/components/a"},
		{"src/*", Project, deny, "/w/src/a /w/src/a/b", "/w/src /w/x/src/a"},
		{"./**", Project, deny, "/w /w/a /w/a/b", "/x"},
		{"**", Project, allow, "/w/a /w/a/b", "/w /x"},
		{"../x/**", Project, deny, "/x/a /w/x/a", "/w/web/x/a"},
		{"*.{pem,key}", Project, deny, "/w/a.pem /w/x/a.key", "/w/a.txt"},
		{"*.{pem,key}", Project, allow, "/w/a.{pem,key}", "/w/a.pem"},
		{"{{a,b},c}/x", Project, deny, "/w/a/x /w/b/x /w/c/x", "/x /w/anything"},
		{"id_[ed]*", Project, deny, "/w/id_e /w/a/id_d1", "/w/id_x"},
		{"id_[!ed]*", Project, deny, "/w/id_x", "/w/id_e"},
		{`a\*b`, Project, deny, "/w/a*b", "/w/axb"},
		{"!keep.env", Project, deny, "", "/w/keep.env"},
		{"Secrets/**", Project, deny, "/w/Secrets/a /w/secrets/a", ""},
		{"Secrets/**", Project, allow, "/w/Secrets/a", "/w/secrets/a"},
	} {
		r := Rule{Tool: Edit, Decision: row.decision, Pattern: row.pattern, Scope: row.scope, File: "/etc/claude-code/managed-settings.json"}
		for p := range strings.FieldsSeq(row.in) {
			if !r.names(p) && !r.names(strings.ToLower(p)) {
				t.Errorf("%v %s of %v is not about %s: %q", row.decision, row.pattern, row.scope, p, r.Globs(anchors))
			}
		}
		for p := range strings.FieldsSeq(row.out) {
			if r.names(p) {
				t.Errorf("%v %s of %v is about %s: %q", row.decision, row.pattern, row.scope, p, r.Globs(anchors))
			}
		}
	}
}

// A directory whose name holds wildcards means itself.
func TestGlobsOfOddDirectories(t *testing.T) {
	for _, decision := range [...]policy.Decision{policy.Allow, policy.Block} {
		r := Rule{Tool: Edit, Decision: decision, Pattern: "src/**", Scope: Local}
		in, out := false, false
		for _, glob := range r.Globs(Anchors{Workspace: "/w/[id]*"}) {
			in = in || match.PathGlob(glob, "/w/[id]*/src/a")
			out = out || match.PathGlob(glob, "/w/ixx/src/a")
		}
		if !in || out {
			t.Errorf("%v: %v %v", decision, in, out)
		}
	}
}

func TestInDomain(t *testing.T) {
	for _, row := range []struct{ pattern, in, out string }{
		{"domain:example.com", "example.com www.example.com a.b.example.com", "example.org notexample.com"},
		{"domain:Example.COM.", "example.com", "com"},
		{"domain:*.example.com", "a.example.com a.b.example.com", "example.com example.org"},
		{"domain:example.*", "example.org example.com", "example.evil.com a.example.com"},
		{"domain:api.*.com", "api.x.com", "api.com api.x.y.com"},
		{"https://example.com/x", "example.com", "example.org"},
		{"example.com", "example.com", "x.org"},
	} {
		r := Rule{Tool: Fetch, Decision: policy.Block, Pattern: row.pattern}
		for name := range strings.FieldsSeq(row.in) {
			if !InDomain(r.Domain(), name) {
				t.Errorf("%s is not about %s", row.pattern, name)
			}
		}
		for name := range strings.FieldsSeq(row.out) {
			if InDomain(r.Domain(), name) {
				t.Errorf("%s is about %s", row.pattern, name)
			}
		}
	}
	for _, all := range []string{"", "domain:*"} {
		if d := (&Rule{Pattern: all}).Domain(); d != "" {
			t.Errorf("%q means %q, want every machine", all, d)
		}
	}
}

// FuzzGlobs: what a pattern allows it also denies, nothing of it leaves its
// anchor, and no pattern takes long.
func FuzzGlobs(f *testing.F) {
	for _, pattern := range []string{
		"", "*", "**", "./**", ".env", "./.env", "**/.env", "//etc/**", "~/.ssh/**", "/src/**/*.ts", "src/", "a/b/", "../x", "secrets/**", "*.{pem,key}",
		"{a,{b,c}}", "[!a-z]x", `\*`, "!x", "a/**/b/**/c", "**/**/x", "//", "/", "~", "./", "..", "./../..", "a//b", "[", "{", "a{,b}c/", "日本/**",
	} {
		f.Add(pattern, "/w/src/a.ts")
		f.Add(pattern, "/home/u/.ssh/id_rsa")
	}
	f.Fuzz(func(t *testing.T, pattern, p string) {
		if tooMuch(pattern) || len(p) > 300 || !path.IsAbs(p) || path.Clean(p) != p {
			return
		}
		for _, scope := range [...]Scope{Managed, User, Local, Project} {
			allow := Rule{Tool: Edit, Decision: policy.Allow, Pattern: pattern, Scope: scope}
			deny := Rule{Tool: Edit, Decision: policy.Block, Pattern: pattern, Scope: scope, File: "/etc/claude-code/managed-settings.json"}
			if !strings.Contains(pattern, "{") && allow.names(p) && !deny.names(p) {
				t.Errorf("%q allows %q and does not deny it: %q, %q", pattern, p, allow.Globs(anchors), deny.Globs(anchors))
			}
			if globs := deny.Globs(anchors); len(globs) > 64*8*2 {
				t.Errorf("%q is %d globs", pattern, len(globs))
			}
			for _, glob := range allow.Globs(anchors) {
				if !strings.HasPrefix(glob, "/") {
					t.Errorf("%q is %q", pattern, glob)
				}
			}
		}
	})
}
