package engine_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// The laws of layers, over every line that the rule files give as an example.

// lines are the examples of all rules, and those that must not be allowed.
var lines = sync.OnceValue(func() []string {
	seen := map[string]bool{}
	for _, dir := range []string{"rules", "rules/packs", "rules/profiles"} {
		files, err := ruleset.LoadDir(os.DirFS(".."), dir, dir, ruleset.BuiltIn)
		if err != nil {
			panic(err)
		}
		for _, f := range files {
			for i := range f.Programs {
				for _, list := range [][]ruleset.Rule{f.Programs[i].Allow, f.Programs[i].Ask, f.Programs[i].Block} {
					for k := range list {
						for _, t := range slices.Concat(list[k].Examples, list[k].Not) {
							seen[t.Value] = true
						}
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
})

var known = sync.OnceValue(func() ruleset.Known { return ruleset.KnownFrom(gates.All[:]) })

// rules compiles a text as a file of the user's.
func rules(t testing.TB, text string) []*interp.Rules {
	t.Helper()
	return rulesIn(t, "user.toml", text)
}

func rulesIn(t testing.TB, name, text string) []*interp.Rules {
	t.Helper()
	files := []*ruleset.File{ruleset.Load(name, []byte(text), ruleset.User)}
	compiled, err := ruleset.Compile(files, known())
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return []*interp.Rules{interp.New(compiled)}
}

func judge(e *engine.Engine, line, profile string) engine.Verdict {
	return e.Evaluate(engine.Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", Profile: profile})
}

// facts are all that a verdict says beside opinions.
func facts(v *engine.Verdict) string {
	var list []string
	var visit func([]engine.Node)
	visit = func(nodes []engine.Node) {
		for i := range nodes {
			n := &nodes[i]
			list = append(list, fmt.Sprint(n.Reach, n.Effects.Names(), n.Sights, n.Reads, n.Writes))
			visit(n.Children)
		}
	}
	visit(v.Tree)
	return fmt.Sprint(v.Reach, v.Effects.Names(), list)
}

func TestProfilesLaw(t *testing.T) {
	if n := len(lines()); n < 7000 {
		t.Fatalf("only %d lines", n)
	}
	e := engine.New(engine.Options{})
	for _, line := range lines() {
		v, strict, listed := judge(e, line, ""), judge(e, line, "strict"), judge(e, line, "allowlist")
		if strict.Decision < v.Decision {
			t.Errorf("%q: %v in strict, %v in default", line, strict.Decision, v.Decision)
		}
		if listed.Decision == policy.Ask {
			t.Errorf("%q: allowlist asks: %s", line, listed.Reason)
		}
		for _, profile := range gates.Profiles {
			p := judge(e, line, profile)
			if v.Decision == policy.Block && p.Decision < policy.Block {
				t.Errorf("%q: %v in %s, and a block in default", line, p.Decision, profile)
			}
			if p.Effects&v.Effects != v.Effects && profile != "allowlist" && profile != "denylist" {
				t.Errorf("%q: effects %v in %s, %v in default", line, p.Effects.Names(), profile, v.Effects.Names())
			}
		}
	}
}

// TestLayersLaw adds an ask and a block about each line's own program to the
// user's or the project's rules, in one of the profiles: nothing gets looser.
func TestLayersLaw(t *testing.T) {
	without := engine.New(engine.Options{})
	made := map[string]*engine.Engine{}
	for i, line := range lines() {
		name := program(judge(without, line, "").Tree)
		if name == "" || strings.Contains(name, "/") {
			continue
		}
		kind := [...]string{"ask", "block"}[i%2]
		layer := i / 2 % 2
		key := fmt.Sprint(name, kind, layer)
		e := made[key]
		if e == nil {
			own := rules(t, fmt.Sprintf("[[programs]]\nname = %q\n[[programs.%s]]\nreason = \"Mine\"\n", name, kind))
			o := engine.Options{User: own}
			if layer == 1 {
				o = engine.Options{Project: own}
			}
			e = engine.New(o)
			made[key] = e
		}
		want := map[string]policy.Decision{"ask": policy.Ask, "block": policy.Block}[kind]
		profile := gates.Profiles[i/4%len(gates.Profiles)]
		before, after := judge(without, line, profile), judge(e, line, profile)
		if after.Decision < before.Decision || after.Decision < want {
			t.Errorf("%q: %v in %s with a rule that says %s, %v without", line, after.Decision, profile, kind, before.Decision)
		}
	}
}

// program is the first name of a program in a tree, or "".
func program(nodes []engine.Node) string {
	for i := range nodes {
		if words := nodes[i].Words(); len(words) > 0 {
			if name, ok := words[0].Const(); ok {
				return name
			}
		}
		if name := program(nodes[i].Children); name != "" {
			return name
		}
	}
	return ""
}

// TestLiftsLaw holds that every question can be answered: each id that asks is
// a rule's or in the catalogue, and where the catalogue does not say that
// nothing lifts it, a rule of the user's for that command does, which leaves
// all facts as they are and every other question asked.
func TestLiftsLaw(t *testing.T) {
	ids := map[string]bool{}
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			for i := range p.Rules {
				ids[p.Rules[i].ID] = true
			}
		}
		for i := range g.Paths {
			ids[g.Paths[i].ID] = true
		}
		for i := range g.Hosts {
			ids[g.Hosts[i].ID] = true
		}
		for i := range g.Pipes {
			ids[g.Pipes[i].ID] = true
		}
	}
	without := engine.New(engine.Options{})
	lifted := map[[2]string]bool{}
	for _, line := range lines() {
		before := judge(without, line, "")
		for name, id := range questions(before.Tree) {
			if lifted[[2]string{name, id}] {
				continue // one line of each kind will do
			}
			lifted[[2]string{name, id}] = true
			o := catalogue.Described(id)
			if o == nil && !ids[id] {
				t.Errorf("%q: nobody says what %s is", line, id)
			}
			if o != nil && o.Fixed && !ids[id] {
				continue
			}
			rule := fmt.Sprintf("[[programs]]\nname = %q\n[[programs.allow]]\nany_flags = \"mine\"\noperands = [\"data*\"]\n", name)
			before := judge(engine.New(engine.Options{User: rules(t, rule+"lifts = [\"code.limit\"]\n")}), line, "")
			after := judge(engine.New(engine.Options{User: rules(t, rule+fmt.Sprintf("lifts = [%q]\n", id))}), line, "")
			if after.Decision > before.Decision {
				t.Errorf("%q: %v with %s lifted, %v without", line, after.Decision, id, before.Decision)
			}
			if a, b := facts(&before), facts(&after); a != b {
				t.Errorf("%q: facts with %s lifted\n got %s\nwant %s", line, id, b, a)
			}
			still, asked := 0, 0
			for i := range after.Reasons {
				r := &after.Reasons[i]
				if r.ID == id && r.Counts() == policy.Ask {
					still++
				}
			}
			for _, q := range questionsOf(before.Tree) {
				if q == [2]string{name, id} {
					asked++
				}
			}
			if asked == 1 && still > 0 {
				t.Errorf("%q: %s of %s is not lifted: %s", line, id, name, after.Reason)
			}
		}
	}
	if len(lifted) < 1500 {
		t.Errorf("only %d questions were lifted", len(lifted))
	}
}

// questions is one of a tree's questions for each program that has some.
func questions(nodes []engine.Node) map[string]string {
	all := map[string]string{}
	for _, q := range questionsOf(nodes) {
		all[q[0]] = q[1]
	}
	return all
}

// questionsOf lists programs and the ids that ask about them.
func questionsOf(nodes []engine.Node) [][2]string {
	var all [][2]string
	for i := range nodes {
		n := &nodes[i]
		if words := n.Words(); len(words) > 0 {
			if name, ok := words[0].Const(); ok && name != "" && !strings.ContainsAny(name, "/ \t\n\"*") {
				for k := range n.Reasons {
					if r := &n.Reasons[k]; r.Counts() == policy.Ask {
						all = append(all, [2]string{name, r.ID})
					}
				}
			}
		}
		all = append(all, questionsOf(n.Children)...)
	}
	return all
}

// TestCatalogue holds that what the catalogue says of the ids of rules is true:
// none of them is one of the engine's own.
func TestCatalogue(t *testing.T) {
	for i := range catalogue.Opinions {
		o := &catalogue.Opinions[i]
		if o.Doc == "" || !o.Fixed && o.Answer == "" {
			t.Errorf("%s: nothing is said of it", o.ID)
		}
		if i > 0 && strings.TrimSuffix(catalogue.Opinions[i-1].ID, "*") > strings.TrimSuffix(o.ID, "*") && !strings.HasSuffix(o.ID, ".*") {
			t.Errorf("%s stands behind %s", o.ID, catalogue.Opinions[i-1].ID)
		}
		if d := catalogue.Described(o.ID); d != o {
			t.Errorf("%s is hidden by %s", o.ID, d.ID)
		}
	}
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			for i := range p.Rules {
				if o := catalogue.Described(p.Rules[i].ID); o != nil && o.Fixed && p.Rules[i].Decision == policy.Ask && !match.IsGlob(o.ID) {
					t.Errorf("%s: the rule of %s has an id of the engine's", p.Rules[i].ID, p.Name)
				}
			}
		}
	}
}

// A project's ask does not make edits of what others ask about.
func TestProjectAcceptsNoEdits(t *testing.T) {
	files := []*ruleset.File{ruleset.Load("project.toml", []byte(`
[[programs]]
name = "shuf"
[[programs.ask]]
id = "project.shuf"
reason = "Not here"
accept_edits = true

[[programs]]
name = "acme"
[[programs.ask]]
id = "project.acme"
reason = "Not here"
operands = ["write"]
accept_edits = true
`), ruleset.Project)}
	compiled, err := ruleset.Compile(files, known())
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Project: []*interp.Rules{interp.New(compiled)}})
	for _, line := range []string{"shuf -e x -o out", "acme out"} {
		r := engine.Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Mode: engine.ModeAcceptEdits}
		if v := e.Evaluate(r); v.Decision != policy.Ask {
			t.Errorf("%s: %v, want ask", line, v.Decision)
		}
	}
}

// What comes with a clone does not answer what the user's own rules ask.
func TestCloneAnswersNoUser(t *testing.T) {
	e := engine.New(engine.Options{User: rules(t, `
[[programs]]
name = "git"
[[programs.ask]]
id = "mine.status"
subcommand = "status"
reason = "Not now"
`)})
	for scope, want := range map[settings.Scope]policy.Decision{settings.Project: policy.Ask, settings.User: policy.Allow} {
		s := settings.Of([]settings.Rule{{Tool: settings.Shell, Decision: policy.Allow, Pattern: "git status", Scope: scope}})
		if v := e.Evaluate(engine.Request{Command: "git status", Cwd: "/w", Settings: s}); v.Decision != want {
			t.Errorf("allowed by a file of scope %d: %v, want %v", scope, v.Decision, want)
		}
	}
}

// TestDirectoriesLaw calls the programs of all lines that block by a path: they
// block there too.
func TestDirectoriesLaw(t *testing.T) {
	e := engine.New(engine.Options{})
	tried := 0
	for _, line := range lines() {
		v := judge(e, line, "")
		name := program(v.Tree)
		if v.Decision != policy.Block || len(v.Tree) != 1 || !strings.HasPrefix(line, name+" ") || strings.Contains(name, "/") || v.Tree[0].Decision != policy.Block {
			continue
		}
		tried++
		for _, dir := range []string{"./", "/opt/x/", "../", "~/bin/"} {
			if there := judge(e, dir+line, ""); there.Decision != policy.Block {
				t.Errorf("%q is %v, and %q is blocked: %s", dir+line, there.Decision, line, v.Reason)
				break
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d lines were tried", tried)
	}
}
