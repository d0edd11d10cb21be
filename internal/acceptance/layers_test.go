package acceptance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// commands are the command lines of a file of rows.
func commands(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r.Cmd)
	}
	return list
}

// programs are the words of lines that built-in rules know as programs.
func programs(lines []string) string {
	known := ruleset.KnownFrom(gates.All[:])
	var names []string
	for _, line := range lines {
		for word := range strings.FieldsSeq(line) {
			if known.Program(word) != nil && !slices.Contains(names, word) && !strings.ContainsAny(word, `"\`) {
				names = append(names, word)
			}
		}
	}
	slices.Sort(names)
	return `["` + strings.Join(names, `", "`) + `"]`
}

// tightenings are rule files that add questions and blocks, NAMES standing for
// the programs of a corpus. Those marked with "project" would loosen in a file
// of the user's, and may not in a project's.
var tightenings = []string{
	"[[programs]]\nnames = NAMES\n[[programs.ask]]\nif_flags_any = [\"--nosuch\"]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\n[[programs.ask]]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\n[[programs.block]]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\n[[programs.block]]\nsubcommand = \"push\"\nreason = \"R\"\n[[programs.ask]]\nsubcommand = [\"s*\", \"a*\"]\noperands = [\"read*\"]\neffects = [\"network\"]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\nunsteered = true\nreach = \"local\"\n[[programs.options]]\nflag = [\"-a\", \"-f\"]\ndata = [\"-o --output\", \"-m\"]\n[[programs.block]]\nif_flags_any = [\"-f\"]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\n[[programs.options]]\nstyle = \"none\"\n[[programs.ask]]\noperands = [\"data\", \"write*\"]\notherwise = true\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\nunknown_action = \"skip\"\n[[programs.ask]]\nif_args_contain = [\"nosuch\"]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\nunknown_action = \"ask\"\n[[programs.ask]]\nif_args_contain = [\"*\"]\noperands = [\"command\"]\nreason = \"R\"\n",
	"[[programs]]\nnames = NAMES\nunknown_action = \"block\"\n",
	"[[programs]]\nname = \"nosuchtool\"\n[[programs.ask]]\nreason = \"R\"\n",
	"[[paths]]\nid = \"x.p\"\npath = [\"**/*.go\", \"/etc/**\", \"~/**\", \"./**\"]\nread = \"ask\"\nreason = \"R\"\n",
	"[[paths]]\nid = \"x.p\"\npath = \"/**\"\nwrite = \"block\"\ndelete = \"ask\"\ntree = true\nsecret = 2\nreason = \"R\"\n",
	"[[paths]]\nid = \"x.p\"\nplace = \"x\"\npath = \"/tmp/**\"\nread = \"block\"\nreason = \"R\"\n",
	"[[env]]\nname = [\"*\"]\nset = \"ask\"\nreason = \"R\"\n",
	"[[env]]\nname = [\"*\"]\nset = \"block\"\nsteers = [\"nosuchtool\"]\nreason = \"R\"\n",
	"[[env]]\nname = [\"PAGER=less\", \"LD_*\", \"FOO\"]\nset = \"block\"\nread = \"ask\"\nuntold = [\"echo\"]\nreason = \"R\"\n",
	"[[hosts]]\nid = \"x.h\"\nhost = \"*\"\ndecision = \"ask\"\nreason = \"R\"\n",
	"[[hosts]]\nid = \"x.h\"\nhost = [\"*.com\", \"!example.com\"]\ndecision = \"block\"\nreason = \"R\"\n",
	"[[pipes]]\nid = \"x.q\"\ndecision = \"ask\"\nreason = \"R\"\n[pipes.from]\nprograms = [\"*\"]\n",
	"[[pipes]]\nid = \"x.q\"\ndecision = \"block\"\nreason = \"R\"\n[pipes.from]\neffects = [\"network\"]\n[pipes.to]\nstdin = \"script\"\n",

	"# project\n[[programs]]\nnames = NAMES\nunknown_action = \"allow\"\n[[programs.allow]]\nlifts = [\"*\"]\nany_flags = \"mine\"\n[[programs.allow]]\noperands = [\"data*\"]\nsubcommand = \"*x\"\n",
	"# project\n[[programs]]\nnames = NAMES\n[[programs.ask]]\naccept_edits = true\nreason = \"R\"\n",
	"# project\n[[programs]]\nnames = NAMES\n[[programs.ask]]\ntask = \"make\"\nreason = \"R\"\n",
	"# project\n[meta]\nname = \"M\"\ncopies = [\"*/*\"]\n[[env]]\nname = \"*\"\nset = \"allow\"\n[[hosts]]\nid = \"x.h\"\nhost = \"*\"\ntrusted = true\ndecision = \"allow\"\n[[sources]]\nrules = \"*\"\ncorruption = 0\n",
	"# project\n[[override]]\nids = [\"paths.*\"]\nreason = \"R\"\n[[paths]]\nid = \"x.p\"\npath = \"/**\"\nwrite = \"allow\"\nlifts = [\"*\"]\n[[hosts]]\nid = \"x.h\"\nhost = \"*\"\ndecision = \"allow\"\nlifts = [\"*\"]\n",
	"# project\n[[paths]]\nid = \"x.s\"\nplace = \"secret\"\npath = \"/**\"\nread = \"allow\"\nwrite = \"allow\"\ndelete = \"allow\"\n[[pipes]]\nid = \"x.q\"\ndecision = \"allow\"\n[pipes.from]\nprograms = [\"*\"]\n",
}

// TestAddingToALayerNeverLoosens adds questions and blocks to each layer: no
// line may be looser for it.
func TestAddingToALayerNeverLoosens(t *testing.T) {
	lines := append(commands(t, "default.jsonl"), commands(t, "reach.jsonl")...)
	names := programs(lines)
	known := ruleset.KnownFrom(gates.All[:])
	lines = append(lines, "nosuchtool", "nosuchtool -x a", "sudo nosuchtool", "FOO=1 nosuchtool | wc -l")
	// One way of working that lists programs by whether rules know them.
	closed, err := ruleset.Compile([]*ruleset.File{ruleset.Load("closed.toml", []byte("[profile]\nunlisted = \"block\"\n"), ruleset.OwnProfiles)}, known)
	if err != nil {
		t.Fatal(err)
	}
	profiles := []*engine.Rules{interp.New(closed)}
	ways := []struct {
		mode, profile string
		of            int // one line of so many
	}{{"default", "", 1}, {"acceptEdits", "", 1}, {"default", "strict", 9}, {"default", "denylist", 9}, {"default", "allowlist", 9}, {"default", "closed", 9}}
	type answer struct {
		policy.Decision
		policy.Reach
	}
	judge := func(o engine.Options) []answer {
		o.Files, o.Profiles = files(), profiles
		e := engine.New(o)
		all := make([]answer, len(ways)*len(lines))
		for k, way := range ways {
			for i, line := range lines {
				if i%way.of != 0 && i < len(lines)-4 {
					continue
				}
				v := e.Evaluate(engine.Request{Command: line, Cwd: workspace, Workspace: workspace, Home: home, Mode: way.mode, Profile: way.profile, Shell: "bash"})
				all[k*len(lines)+i] = answer{v.Decision, v.Reach}
			}
		}
		return all
	}
	before := judge(engine.Options{})
	for _, text := range tightenings {
		for _, layer := range []ruleset.Layer{ruleset.User, ruleset.Project, ruleset.Managed} {
			if strings.HasPrefix(text, "# project") && layer != ruleset.Project {
				continue
			}
			file := ruleset.Load("x.toml", []byte(strings.ReplaceAll(text, "NAMES", names)), layer)
			compiled, err := ruleset.Compile([]*ruleset.File{file}, known)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			rules := []*interp.Rules{interp.New(compiled)}
			var o engine.Options
			switch layer {
			case ruleset.User:
				o.User = rules
			case ruleset.Project:
				o.Project = rules
			default:
				o.Managed = rules
			}
			looser := 0
			for i, now := range judge(o) {
				if now.Decision < before[i].Decision || now.Reach < before[i].Reach {
					if looser++; looser < 4 {
						t.Errorf("layer %d: %s in mode and profile %v is %v/%v, and without these rules %v/%v:\n%s",
							layer, lines[i%len(lines)], ways[i/len(lines)], now.Decision, now.Reach, before[i].Decision, before[i].Reach, text)
					}
				}
			}
		}
	}
}
