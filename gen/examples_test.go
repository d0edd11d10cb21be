package gen_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

const (
	home      = "/home/dev"
	workspace = "/home/dev/project"
)

func world() *disk.Memory {
	m := new(disk.Memory)
	for _, dir := range []string{"/bin", "/dev", "/etc", "/tmp", "/usr/bin", home + "/.ssh", workspace + "/src", workspace + "/.git/objects", workspace + "/.git/refs"} {
		m.Mkdir(dir)
	}
	m.WriteFile(workspace+"/.git/HEAD", "ref: refs/heads/main\n")
	for _, script := range []string{"s.sh", "s.zsh"} {
		m.WriteFile(workspace+"/"+script, "some-program-of-nobody\n")
	}
	return m
}

// TestExamples judges every example of the rule files by the whole engine:
// compiling the files judges them by the rules alone.
func TestExamples(t *testing.T) {
	files := world()
	gate := engine.New(engine.Options{Files: files})
	known := ruleset.Known{}
	for _, l := range []struct {
		dir   string
		layer ruleset.Layer
	}{{"rules", ruleset.BuiltIn}, {"rules/packs", ruleset.Packs}, {"rules/profiles", ruleset.Profiles}} {
		loaded, err := ruleset.LoadDir(os.DirFS(".."), l.dir, l.dir, l.layer)
		if err != nil {
			t.Fatal(err)
		}
		gates, err := ruleset.Compile(loaded, known)
		if err != nil {
			t.Fatal(err)
		}
		if l.layer == ruleset.BuiltIn {
			known = ruleset.KnownFrom(gates)
		}
		for i, g := range gates {
			request := engine.Request{Workspace: workspace, Home: home, Shell: "bash"}
			switch l.layer {
			case ruleset.Packs:
				request.Packs = []string{g.Name}
			case ruleset.Profiles:
				request.Profile = g.Name
			}
			if meta := loaded[i].Meta; meta != nil {
				for _, file := range meta.Files {
					files.WriteFile(workspace+"/"+file.Value, "\x00")
				}
			}
			t.Run(g.Name, func(t *testing.T) {
				for _, e := range ruleset.Examples(loaded[i], g) {
					judge(t, gate, request, &e)
				}
			})
		}
	}
}

// TestCode judges the examples of what rule files say of programming languages:
// texts, as python3 -c, node -e, bun -e and deno eval take them.
func TestCode(t *testing.T) {
	files := world()
	for _, name := range []string{"a.txt", "a.csv", "a.json", "a.yaml", "a.zip", "a.py", "package.json", "src/a.py"} {
		files.WriteFile(workspace+"/"+name, "x")
	}
	gate := engine.New(engine.Options{Files: files})
	loaded, err := ruleset.LoadDir(os.DirFS(".."), "rules/code", "rules/code", ruleset.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range loaded {
		for i := range f.Code {
			row := &f.Code[i]
			for _, list := range []struct {
				texts   []ruleset.Text
				allowed bool
			}{{row.Examples, true}, {row.Not, false}} {
				for _, text := range list.texts {
					takes, known := map[string]string{"python": "python3 -c ", "javascript": "node -e ", "bun": "bun -e ", "deno": "deno eval "}[row.Language.Value]
					if !known {
						t.Fatalf("%s: what takes texts of %q?", f.Name, row.Language.Value)
					}
					command := takes + policy.Quote(text.Value)
					v := gate.Evaluate(engine.Request{Workspace: workspace, Home: home, Shell: "bash", Command: command})
					allowed := v.Decision == policy.Allow
					if allowed != list.allowed {
						t.Errorf("%s:%d:%d: %q is %s: %s", f.Name, text.At.Line, text.At.Col, text.Value, v.Decision, v.Reason)
					}
				}
			}
		}
	}
}

// judge checks one example: what an allow's says must be allowed (where edits
// are accepted, if the rule wants that), what an ask's or a block's says must
// not be looser, and what stands under not must not be allowed.
func judge(t *testing.T, gate *engine.Engine, r engine.Request, e *ruleset.Example) {
	t.Helper()
	r.Command = e.Command
	for _, rule := range e.Rules {
		if rule.AcceptEdits && rule.Decision == policy.Allow {
			r.Mode = "acceptEdits"
		}
	}
	v := gate.Evaluate(r)
	if ofZsh(&v) {
		r.Shell = "zsh"
		v = gate.Evaluate(r)
	}
	wrong := false
	switch want := e.Decision(); {
	case e.Pipe != "":
		wrong = true
		for i := range v.Reasons {
			wrong = wrong && v.Reasons[i].ID != e.Pipe
		}
	case len(e.Rules) > 0 && want == policy.Skip:
		wrong = e.Rules[0].Effects&^v.Effects != 0 // a fact
	case len(e.Without) > 0:
	case want == policy.Skip:
		wrong = v.Decision == policy.Allow
	case want == policy.Allow:
		wrong = v.Decision != policy.Allow && !onlyUnseen(&v)
	default:
		wrong = v.Decision < want
	}
	if wrong {
		t.Errorf("%s:%d:%d: %q is %s: %s", e.File.Name, e.At.Line, e.At.Col, e.Command, v.Decision, v.Reason)
	}
}

// ofZsh reports whether all that is asked about is that only zsh has a builtin of
// the name: its rules are for lines of zsh.
func ofZsh(v *engine.Verdict) bool {
	for i := range v.Reasons {
		if r := &v.Reasons[i]; r.Counts() > policy.Allow && !(r.ID == "shell.zsh" && strings.HasSuffix(r.Text(), " is the shell's own to zsh alone")) {
			return false
		}
	}
	return v.Decision == policy.Ask
}

// onlyUnseen reports whether all that is asked about is what a command brings
// that is not on this disk: the archives and trees of examples.
func onlyUnseen(v *engine.Verdict) bool {
	for i := range v.Reasons {
		if r := &v.Reasons[i]; r.Counts() > policy.Allow && r.ID != "path.into" {
			return false
		}
	}
	return v.Decision == policy.Ask
}
