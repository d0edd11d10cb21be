package gates

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestSed(t *testing.T) {
	checkRows(t, sed, "sed", []row{
		// What people write.
		{"1,20p", "ok"},
		{"39,43p; 54,58p", "ok"},
		{"$p", "ok"},
		{"$!d", "ok"},
		{"/foo/,/bar/p", "ok"},
		{"/foo/I,+3p", "ok"},
		{"0,/re/{//d}", "ok"},
		{"0~4p;2,~4p", "ok"},
		{"s/a/b/", "ok"},
		{"s/a/b/2gpIiMm", "ok"},
		{"s|/usr/local|/opt|g", "ok"},
		{"s,a,b,;s#a#b#;s@a@b@;s:a:b:;s_a_b_;s a b ", "ok"},
		{`s/\//\\/g`, "ok"},
		{`s/.*"\([^"]*\)".*/\1/p`, "ok"},
		{`s/[^/]*$//`, "ok"},
		{`s/[]/]/x/`, "ok"},
		{`s/[[:space:]/]*$//`, "ok"},
		{`s/[\/]/x/g`, "ok"},
		{`s/x/a\
b/`, "ok"},
		{"y/abc/xyz/", "ok"},
		{":a;N;$!ba;s/\\n/ /g", "ok"},
		{"/x/{N;bend};s/e/w/;:end", "ok"},
		{"$!{$!N};P;D;G;H;h;g;x;z;F;=;l;l 5;q;q5;Q 1", "ok"},
		{"n;d", "ok"},
		{"{;p;}", "ok"},
		{"/./,$!d", "ok"},
		{`\%^/home%p`, "ok"},
		{"1!G;h;$!d", "ok"},
		{"# a comment: w file\np", "ok"},
		{"p # e id", "ok"},
		{"1i\\\nfirst\\\ne id\n2d", "ok"},
		{"a hello; e id", "ok"},
		{"a\\  indented", "ok"},
		{"/x/a foo\\\nw bar", "ok"},
		{"1{i a}\n}", "ok"},
		{"i\\", "ok"},
		{"v 4.2\np", "ok"},
		{"", "ok"},
		{" ; ", "ok"},
		{"t;T;b", "ok"},
		{"s/a/b/;p", "ok"},
		{"s/é/ü/", "ok"},
		{"1,3s/wr/ew/", "ok"},
		{"/e/d;/w x/d;\\;e;d", "ok"},

		// Files.
		{"r in.txt", "read in.txt"},
		{"r/etc/passwd", "read /etc/passwd"},
		{"/x/R in;e id", "read in;e id"},
		{"r /dev/stdin", "ok"},
		{"w out", "write out"},
		{"w /dev/stdout", "write /dev/stdout"},
		{"1F;1z;1W /etc/x", "write /etc/x"},
		{"/a/{w out\n}", "write out"},
		{"s/a/b/w out", "write out"},
		{"s/a/b/gpw out;p", "write out;p"},
		{"y/a/b/;s/b/&/gpw out", "write out"},
		{"r a\nw b", "read a; write b"},
		{"w out\\\ne id", "write out\\; script id"},
		{"w", "ask sed.unreadable"},
		{"s/a/b/w", "ask sed.unreadable"},

		// Programs.
		{"1e ls -l", "script ls -l"},
		{"1els", "script ls"},
		{"$e ls", "script ls"},
		{"1{e ls\n}", "script ls"},
		{"1!e ls", "script ls"},
		{"/x/,/y/ ! e ls", "script ls"},
		{"e", "ask sed.execute"},
		{"1e", "ask sed.execute"},
		{"p;e;p", "script ;p"},
		{"e\np", "ask sed.execute"},
		{"e l\\s", "script l\\s; ask sed.execute"},
		{"s/a/b/e", "ask sed.execute"},
		{"s/a/b/Ie", "ask sed.execute"},
		{"s/a/b/ew out", "write out; ask sed.execute"},
		{"s/a/b/e1g;e ls", "script ls; ask sed.execute"},
		{"#x\\\ne ls", "script ls"},
		{"a foo\\\\\ne ls", "script ls"},
		{"s/x/[/;e ls", "script ls"},
		{`s/\[/x/;e ls`, "script ls"},
		{`s/[\]/x/;e ls`, "script ls"},
		{":a;e ls", "script ls"},
		{"ba;e ls", "script ls"},

		// Outside the subset.
		{"s/a/b", "ask sed.unreadable"},
		{"s/a/b/k", "ask sed.unreadable"},
		{"s/a\nb/c/", "ask sed.unreadable"},
		{"s\\a\\b\\", "ask sed.unreadable"},
		{"s[a[b[", "ask sed.unreadable"},
		{"séaébé", "ask sed.unreadable"},
		{"s,[,],w x,", "ask sed.unreadable"},
		{"s/[[.a.]/]/x/", "ask sed.unreadable"},
		{"y/[a/]b/", "ask sed.unreadable"},
		{"a\\\\\ne id", "ask sed.unreadable"},
		{"a\\  \ne id", "ask sed.unreadable"},
		{"a\ne id", "ask sed.unreadable"},
		{"b x}e id", "ask sed.unreadable"},
		{"b a b", "ask sed.unreadable"},
		{"k", "ask sed.unreadable"},
		{"pp", "ask sed.unreadable"},
		{"1", "ask sed.unreadable"},
		{"1;p", "ask sed.unreadable"},
		{"p\re id", "ask sed.unreadable"},
		{"1,", "ask sed.unreadable"},
		{"/x", "ask sed.unreadable"},

		// Values that are not known.
		{"<#n>p", "ok"},
		{"<#n>,<#m>p", "ok"},
		{"<#n>q", "ok"},
		{"<#n>,$d;s/a/<#n>/", "ok"},
		{"s/v[0-9]*/v<#n>/", "ok"},
		{"w out<#n>.txt", "write out<$n>.txt"},
		{"e ls <#n>", "script ls <$n>"},
		{"s1<#n>1b1", "ask sed.unreadable"},
		{"s-<#n>-b-", "ask sed.unreadable"},
		{"s<#n>a<#n>b<#n>", "ask sed.unreadable"},
		{"<n>p", "ask sed.unreadable"},
		{"s/a/<n>/", "ask sed.unreadable"},
		{"s/a/<*n>/", "ask sed.unreadable"},
	})
}

func TestSedReach(t *testing.T) {
	r := sed(policy.Const("s/a/b/e"), nil)
	if r.Effects != policy.Executes || r.Reach != policy.ReachUnknown {
		t.Errorf("running data has effects %v and reach %s", r.Effects.Names(), r.Reach)
	}
}

func FuzzSed(f *testing.F) {
	for _, s := range []string{
		"1,20p", "s/[^/]*$//w x", "a\\\nfoo\\\nbar", "/x/{e ls\n}", "y/abc/xyz/;:a;ba}", `s/[[:alpha:]/]\n/&/e`, "#n\n\\,a,I,+3!w f",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		before := sed(policy.Const(script), nil)
		for _, danger := range []string{"\ne danger", "\nw danger", "\ns/x/y/e"} {
			if strings.HasSuffix(script, "\\") {
				continue // it joins the next line to its own
			}
			after := sed(policy.Const(script+danger), nil)
			if strictness(after) < max(1, strictness(before)) {
				t.Errorf("%q is %s, but with %q %s", script, describe(before), danger, describe(after))
			}
		}
	})
}
