package ruleset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// written is how a scope stands in the tables of these tests.
func written(s policy.Scope) string {
	var words []string
	if s.All {
		words = append(words, "all")
	}
	words = append(words, s.Programs...)
	for _, subject := range []struct {
		is   policy.Subjects
		name string
	}{{policy.Places, "+places"}, {policy.Variables, "+variables"}, {policy.Machines, "+machines"}, {policy.Pipes, "+pipes"}, {policy.Tools, "+tools"}} {
		if s.About&subject.is != 0 {
			words = append(words, subject.name)
		}
	}
	return strings.Join(words, " ")
}

func compileOne(text string, layer Layer) Compiled {
	known := map[string]*match.Program{"git": {Name: "git", Levels: []match.Level{{Table: &match.NoOptions}}}}
	return CompileEach([]*File{Load("x.toml", []byte(text), layer)}, Known{Program: func(name string) *match.Program { return known[name] }})[0]
}

// What a broken file may be about is what its broken tables are about.
func TestScope(t *testing.T) {
	const acme = "[[programs]]\nname = \"acme\"\naliases = [\"ac\"]\nunknown_action = \"block\"\n"
	const other = "[[programs]]\nnames = [\"one\", \"two\"]\n[[programs.ask]]\nreason = \"R\"\n"
	const path = "[[paths]]\nid = \"x.p\"\npath = \"/x\"\nread = \"ask\"\nreason = \"R\"\n"
	for _, row := range []struct{ text, want string }{
		// A mistake in one table.
		{strings.Replace(acme, "unknown_action", "unknown_acton", 1) + other, "acme ac"},
		{strings.Replace(acme, `"block"`, `"bloc"`, 1) + other, "acme ac"},
		{acme + strings.Replace(other, "reason", "reson", 1), "one two"},
		{strings.Replace(acme, "name =", "nam =", 1) + other, "acme ac"},
		{strings.Replace(acme, `"acme"`, `"bin/acme"`, 1) + other, "bin*acme acme ac"},
		{strings.Replace(acme, "name = \"acme\"\n", "", 1) + other, "ac"},
		{strings.Replace(acme, "name = \"acme\"\naliases = [\"ac\"]\n", "", 1) + other, "all"},
		{acme + strings.Replace(path, `"ask"`, "7", 1), "+places"},
		{acme + "[[env]]\nname = \"X\"\nset = \"no\"\n", "+variables"},
		{acme + "[[env]]\nname = \"=x\"\nset = \"ask\"\nreason = \"R\"\n", "+variables"},
		{acme + "[[override]]\nids = [\"acme.x\"]\n", ""},
		{acme + "[[overide]]\nids = [\"acme.x\"]\nreason = \"R\"\n", ""},
		{acme + "[[hosts]]\nid = \"x.h\"\nhost = \"h\"\n", "+machines"},
		{acme + "[[pipes]]\nid = \"x.q\"\ndecision = \"ask\"\nreason = \"R\"\n", "+pipes"},
		{acme + "[[tools]]\nid = \"x.t\"\nname = \"t\"\n", "+tools"},
		{acme + "[[servers]]\nname = \"s\"\npublic = true\n", "+tools"},
		{acme + "[[sources]]\nrules = \"*\"\ncorruption = 9\n", "+machines"},
		{"[meta]\nname = \"M\"\nprioriti = 3\n" + acme, ""},
		{"[profile]\nunlisted = \"allow\"\n" + acme, ""},
		{"[[programs]]\n" + acme, ""}, // an empty table says nothing
		{acme + "[[custom_handlers]]\nprogram = \"acme\"\nhandler = \"x\"\ndescription = \"d\"\n", ""},

		// A header that is lost or misspelt.
		{acme + strings.Replace(path, "[[paths]]\n", "", 1), "acme ac +places +variables"},
		{acme + strings.Replace(path, "[[paths]]", "[[pats]]", 1), "+places"},
		{path + strings.Replace(acme, "[[programs]]\n", "", 1), "acme ac +places +variables +tools"},
		{other + strings.Replace(acme, "[[programs]]", "[[progams]]", 1), "acme ac"},
		{other + strings.Replace(other, "[[programs.ask]]", "[[progams.ask]]", 1), "one two"},
		{strings.Replace(acme, "[[programs]]", "[[frobs]]", 1), "all"},
		{"[programs]\nname = \"acme\"\n", "acme"},
		{"reason = \"R\"\n", "all"},

		// No TOML.
		{acme + strings.Replace(other, `reason = "R"`, `reason = "R`, 1), "one two"},
		{strings.Replace(acme, `["ac"]`, `["ac"`, 1) + path, "acme ac +places"},
		{path + other + strings.Replace(acme, "[[programs]]", "[[programs]", 1), "one two acme ac"},
		{acme + strings.Replace(path, `path = "/x"`, `path "/x"`, 1), "+places"},
		{"profile = ", "all"},
		{"\xff", "all"},
		{acme + "[[programs]]\nname = \"cut", "all"},
		{acme + "[[programs]]\nname = \"cut\"\n[[programs.ask]]", "all"},
	} {
		c := compileOne(row.text, User)
		var scope policy.Scope
		for _, fault := range c.Faults {
			if len(fault.Errors) == 0 {
				t.Errorf("%q: a fault without an error", row.text)
			}
			scope.Join(fault.Scope)
		}
		got := written(scope)
		if strings.HasPrefix(got, "all") && row.want == "all" {
			got = "all"
		}
		if len(c.Faults) == 0 || got != row.want {
			t.Errorf("%s\n%v\n got %q\nwant %q", row.text, c.Err(), got, row.want)
		}
	}
}

// Of a broken file what is whole and tightens is left, rule by rule.
func TestRemains(t *testing.T) {
	c := compileOne(`
[[programs]]
name = "acme"
unknown_action = "allow"
[[programs.allow]]
subcommand = "look"
[[programs.ask]]
id = "acme.ask"
reason = "R"
accept_edits = true
[[programs.block]]
id = "acme.broken"
reson = "R"
[[programs.block]]
id = "acme.block"
subcommand = "destroy"
reason = "R"

[[programs]]
name = "open"
unknown_action = "allow"

[[hosts]]
id = "x.h"
host = "h"
trusted = true
decision = "ask"
reason = "R"

[[programs]]
name = "last"
[[programs.ask]]
reason = "R
`, User)
	if c.Gate == nil || len(c.Faults) != 2 {
		t.Fatalf("%v, faults %v", c.Gate, c.Faults)
	}
	var got []string
	for _, p := range c.Gate.Own {
		got = append(got, p.Name+" "+p.Unknown.String())
		for _, r := range p.Rules {
			got = append(got, r.Decision.String()+" "+r.ID)
			if r.AcceptEdits {
				t.Errorf("%s: accept_edits is left", r.ID)
			}
		}
	}
	want := []string{"acme ask", "ask acme.ask", "block acme.block"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(c.Gate.Hosts) != 1 || c.Gate.Hosts[0].Trusted || c.Gate.Hosts[0].Decision != policy.Ask {
		t.Errorf("hosts: %+v", c.Gate.Hosts)
	}
	if c := compileOne("[[programs]]\nname = \"x\"\nunknown_action = \"alow\"\n", User); c.Gate != nil {
		t.Errorf("nothing is left, and there is %+v", c.Gate)
	}
}

// A project's tables that loosen do nothing and are noted; the others hold.
func TestInert(t *testing.T) {
	c := compileOne(`[meta]
name = "M"
copies = ["*/bin/*"]
[[programs]]
name = "curl"
unknown_action = "allow"
[[programs.allow]]
operands = ["data*"]
lifts = ["curl.send"]
[[programs.ask]]
id = "project.curl"
reason = "R"
accept_edits = true
task = "make"
[[programs]]
name = "mylint"
unknown_action = "allow"
[[paths]]
id = "x.p"
place = "secret"
path = "/etc/*"
read = "allow"
write = "block"
reason = "R"
[[hosts]]
id = "x.h"
host = "h"
trusted = true
[[pipes]]
id = "x.q"
decision = "allow"
[pipes.from]
programs = ["a"]
[[sources]]
rules = "*"
corruption = 0
[[programs]]
name = "tail"
[[programs.block]]
if_args_contain = ["@secret", "!@other"]
reason = "R"
`, Project)
	if c.Faults != nil {
		t.Fatal(c.Err())
	}
	var notes []string
	for _, e := range c.Inert {
		what, _, _ := strings.Cut(e.Msg, " does nothing")
		notes = append(notes, what)
	}
	want := []string{"copies", `unknown_action = "allow"`, "[[programs.allow]]", "accept_edits", "task", `unknown_action = "allow"`, `"allow"`, "trusted", `"allow"`, "[[sources]]"}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	g := c.Gate
	if g.Copies != nil || len(g.Own) != 2 || len(g.Own[0].Rules) != 1 || g.Own[0].Rules[0].ID != "project.curl" ||
		g.Own[0].Unknown != policy.Ask || len(g.Pipes) != 0 || len(g.Sources) != 0 || g.Hosts[0].Trusted ||
		g.Paths[0].Read != policy.Skip || g.Paths[0].Write != policy.Block {
		t.Errorf("%+v", g)
	}
	// Its place adds to no place of the same name that other rules speak of.
	if args := g.Own[1].Rules[0].Args; g.Paths[0].Place != "project:secret" || strings.Join(args, " ") != "@secret !@other @project:secret" {
		t.Errorf("place %q, conditions %q", g.Paths[0].Place, args)
	}
}
