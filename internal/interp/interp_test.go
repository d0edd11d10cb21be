package interp_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

func words(line string) *policy.Command {
	c := &policy.Command{}
	for _, w := range strings.Fields(line) {
		c.Words = append(c.Words, policy.Const(w))
	}
	return c
}

func compile(t *testing.T, files ...string) []*match.Gate {
	t.Helper()
	var list []*ruleset.File
	for i, text := range files {
		list = append(list, ruleset.Load(fmt.Sprintf("file%d.toml", i), []byte(text), ruleset.User))
	}
	gates, err := ruleset.Compile(list, ruleset.Known{})
	if err != nil {
		t.Fatal(err)
	}
	return gates
}

func TestJudge(t *testing.T) {
	rules := interp.New(compile(t,
		`[[programs]]
name = "b"
aliases = ["a", "z"]
[[programs.ask]]
id = "first"
reason = "r"
[[programs]]
name = "c"
unknown_action = "allow"
`,
		`[[programs]]
name = "b"
[[programs.block]]
id = "second"
if_flags_any = ["-x"]
reason = "r"
`))
	for _, row := range []struct{ line, want string }{
		{"b", "first, unknown ask"},
		{"b -x", "first, second"},
		{"a -x", "first"},
		{"z", "first"},
		{"c", "unknown allow"},
		{"d", ""},
		{"bb", ""},
	} {
		c := words(row.line)
		call := &match.Call{Cmd: c, Name: row.line[:strings.IndexAny(row.line+" ", " ")]}
		interp.Judge(rules, call)
		var got []string
		for _, h := range call.Held {
			got = append(got, h.Rule.ID)
		}
		for _, u := range call.Unknowns {
			got = append(got, "unknown "+u.Decision.String())
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s: %v, want %s", row.line, got, row.want)
		}
		if call.Known != (row.want != "") {
			t.Errorf("%s: known: %v", row.line, call.Known)
		}
	}
	if p := interp.Program(rules, "z"); p == nil || p.Name != "b" {
		t.Errorf("z is %v", p)
	}
	if p := interp.Program(rules, "d"); p != nil {
		t.Errorf("d is %v", p)
	}
}

func TestNothing(t *testing.T) {
	var rules *interp.Rules
	call := &match.Call{Cmd: words("ls"), Name: "ls"}
	interp.Judge(rules, call)
	if call.Known || interp.Program(rules, "ls") != nil {
		t.Error("no rules say something")
	}
}

// TestGenerated runs the examples of all built-in rule files through the
// generated gates and through the interpreter: both must say the same.
func TestGenerated(t *testing.T) {
	files, err := ruleset.LoadDir(os.DirFS("../.."), "rules", "rules/", ruleset.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := ruleset.Compile(files, ruleset.Known{})
	if err != nil {
		t.Fatal("run go generate ./... for what is wrong with the rule files")
	}
	rules := interp.New(compiled)
	reader := shell.New()
	n := 0
	for i, f := range files {
		for _, example := range ruleset.Examples(f, compiled[i]) {
			read := reader.Read(shell.Input{Text: example.Command, Dialect: shell.Bash, Dirs: []string{"/w"}, Home: "/h"})
			for k := range read.Commands {
				c := &read.Commands[k]
				name, ok := c.Program()
				if !ok {
					continue
				}
				was := match.Call{Cmd: c, Name: name}
				is := match.Call{Cmd: c, Name: name}
				gates.Judge(&was)
				interp.Judge(rules, &is)
				if a, b := said(&was), said(&is); a != b {
					t.Fatalf("%s: the generated gate and the interpreter differ; if the rule files are newer, run go generate ./...\ngenerated:   %s\ninterpreted: %s", c, a, b)
				}
				n++
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d commands were compared", n)
	}
}

// said is all that a call says, without the addresses of tables.
func said(c *match.Call) string {
	var b strings.Builder
	fmt.Fprint(&b, c.Known, c.Unsteered, c.Repository, c.Handlers, c.Objection)
	for _, h := range c.Held {
		fmt.Fprint(&b, "; ", h.Decision, " ", h.Rule.ID, " line ", h.Rule.Line)
	}
	for _, u := range c.Unknowns {
		fmt.Fprint(&b, "; unknown ", u.Decision, u.Reach, u.Effects)
	}
	for i := range c.Uses {
		u := c.Uses[i]
		rule := ""
		if u.Rule != nil {
			rule = u.Rule.ID
		}
		u.Rule = nil
		runs := u.Runs
		u.Runs = nil
		call := u.Call
		u.Call = nil
		fmt.Fprintf(&b, "; %+v by %s", u, rule)
		if runs != nil {
			fmt.Fprintf(&b, " runs %+v", reflect.ValueOf(*runs))
		}
		if call != nil {
			fmt.Fprintf(&b, " called %+v", *call)
		}
	}
	return b.String()
}

// TestNewWhileJudging makes rules of gates that others judge by: an engine makes those
// of a workspace while it is asked about another one.
func TestNewWhileJudging(t *testing.T) {
	gates := []*match.Gate{
		{File: "a", Own: []*match.Program{{Name: "x", Levels: []match.Level{{Table: &match.NoOptions}}}}},
		{File: "none"},
	}
	rules := interp.New(gates)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				if interp.Program(interp.New(gates), "x") != gates[0].Own[0] || gates[0].Find("x") == nil || gates[1].Find("x") != nil || interp.Program(rules, "x") == nil {
					t.Error("x is not found")
				}
			}
		})
	}
	wg.Wait()
}
