package learn

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// corporaVariable names a directory with further rows: *.jsonl with cmd, and want
// where something is promised. What stands in files that name an attack, or may
// not be allowed, is danger.
const corporaVariable = "BASHGATE_CORPORA"

// rows are commands about which questions are asked, and those that nothing may
// loosen.
type rows struct {
	questions, danger []string
	agents            map[string]bool // questions that agents really had
}

func loadRows(t *testing.T) rows {
	all := rows{agents: map[string]bool{}}
	for _, name := range []string{"default", "red_team_allowed", "network", "secrets"} {
		for _, row := range readRows(t, "../acceptance/testdata/"+name+".jsonl") {
			if row.Want == "block" || row.Want == "not_allow" {
				all.danger = append(all.danger, row.Cmd)
			} else {
				all.questions = append(all.questions, row.Cmd)
			}
		}
	}
	files, err := ruleset.LoadDir(os.DirFS("../../rules"), ".", "rules", ruleset.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for i := range f.Programs {
			p := &f.Programs[i]
			for _, r := range p.Ask {
				for _, e := range r.Examples {
					all.questions = append(all.questions, e.Value)
				}
			}
			for _, r := range p.Block {
				for _, e := range r.Examples {
					all.danger = append(all.danger, e.Value)
				}
			}
		}
	}
	dir := os.Getenv(corporaVariable)
	if dir == "" {
		return all
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s=%s holds no rows (%v)", corporaVariable, dir, err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		for _, row := range readRows(t, name) {
			switch {
			case row.Want == "not_allow" && base != "atomic" && !row.Debatable && row.Verified != "false":
				all.danger = append(all.danger, row.Cmd)
			case slices.Contains([]string{"agent_cmds", "oracle_benign", "tldr_readonly"}, base):
				all.questions = append(all.questions, row.Cmd)
				if base == "agent_cmds" {
					all.agents[row.Cmd] = true
				}
			}
		}
	}
	return all
}

type row struct {
	Cmd       string
	Want      string
	Debatable bool
	Verified  string
}

func readRows(t *testing.T, name string) []row {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r struct {
			Cmd       string `json:"cmd"`
			Want      string `json:"want"`
			Debatable any    `json:"debatable"`
			Verified  any    `json:"verified"`
			Profile   string `json:"profile"`
			Mode      string `json:"mode"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Profile == "" && r.Mode == "" {
			list = append(list, row{r.Cmd, r.Want, r.Debatable != nil && r.Debatable != false, map[bool]string{true: "false"}[r.Verified == false]})
		}
	}
	return list
}

// TestLaws holds the proposals about all questions at hand to what is promised of
// them: each answers its question, loads and lints clean, and all of them together
// loosen nothing that is dangerous.
func TestLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of questions take some seconds")
	}
	all := loadRows(t)
	files := project()
	j := judging(files)
	var rules []*interp.Rules
	var of []string
	asking, liftable, answered := 0, 0, 0
	ofAgents, answeredAgents := 0, 0
	refusals := map[string]int{}
	for i, line := range all.questions {
		if os.Getenv(corporaVariable) == "" && (i%4 > 0 || race.On && i%80 > 0) {
			continue // some are enough each time
		}
		r := request(line)
		before := j(r)
		if before.Decision != policy.Ask || strings.Contains(line, "danger-cmd") {
			continue // what is danger to these rows is no harmless question
		}
		asking++
		list, err := Propose(j, r)
		if err != nil {
			why := err.Error()
			if i := strings.IndexByte(why, ':'); i >= 0 {
				why = why[:i]
			}
			refusals[why]++
			fixed := slices.ContainsFunc(before.Reasons, func(r engine.Reason) bool {
				o := catalogue.Described(r.ID)
				return r.Counts() == policy.Ask && o != nil && o.Fixed
			})
			if !fixed {
				liftable++
				if all.agents[line] {
					ofAgents++
				}
				if os.Getenv("LEARN_SHOW") != "" {
					t.Logf("%.200q: %v", line, err)
				}
			}
			continue
		}
		liftable++
		answered++
		if all.agents[line] {
			ofAgents++
			answeredAgents++
		}
		for _, p := range list {
			if v := j(r, p.Rules); v.Decision != policy.Allow {
				t.Errorf("%q: %s does not answer it: %s", line, p.ID, v.Reason)
			}
			text := p.Text
			for _, bad := range []string{"unknown_action", "any_flags", "$(", "redirect."} {
				if strings.Contains(text, bad) && !strings.Contains(line, bad) {
					t.Errorf("%q: %s holds %s:\n%s", line, p.ID, bad, text)
				}
			}
			f := ruleset.Load("learned.toml", []byte(text), ruleset.User)
			compiled, err := ruleset.Compile([]*ruleset.File{f}, known())
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			for _, n := range ruleset.Lint(f, compiled[0]) {
				t.Errorf("%q: %s: %v\n%s", line, p.ID, n.Error, text)
			}
			if again, err := Propose(func(r engine.Request, more ...*interp.Rules) engine.Verdict {
				return j(r, p.Rules)
			}, r); again != nil || err != nil {
				t.Errorf("%q: %s: asked again: %v, %v", line, p.ID, again, err)
			}
			rules, of = append(rules, p.Rules), append(of, line+"\n"+text)
		}
	}
	t.Logf("%d questions, %d that a rule could answer, %d answered, by %d rules", asking, liftable, answered, len(rules))
	t.Logf("of what agents ran: %d, %d answered", ofAgents, answeredAgents)
	for why, n := range refusals {
		if n > 20 {
			t.Logf("%5d  %s", n, why)
		}
	}
	if answered*100 < liftable*60 {
		t.Errorf("only %d of %d are answered", answered, liftable)
	}
	// A danger may be among the questions: then its answer is what a person wanted.
	wanted := map[string]bool{}
	for _, line := range all.questions {
		wanted[line] = true
	}
	var danger []string
	was := map[string]policy.Decision{}
	for _, line := range all.danger {
		v := j(request(line))
		// An ordinary file may be changed in whatever way where it was allowed.
		placed := v.Decision == policy.Ask && !slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool { return r.Counts() == policy.Ask && !r.OfPlace() })
		if v.Decision != policy.Allow && !placed && !wanted[line] {
			danger = append(danger, line)
			was[line] = v.Decision
		}
	}
	loosened := 0
	const batch = 100
	for from := 0; from < len(rules); from += batch {
		some := rules[from:min(from+batch, len(rules))]
		e := engine.New(engine.Options{Files: files, User: some})
		for _, line := range danger {
			v := e.Evaluate(request(line))
			if v.Decision >= was[line] {
				continue
			}
			loosened++
			by := ""
			for i, r := range some {
				if v := j(request(line), r); v.Decision < was[line] {
					by = of[from+i]
					break
				}
			}
			if loosened < 30 {
				t.Errorf("%q was %v and is %v, by the answer to %s", line, was[line], v.Decision, by)
			}
		}
	}
	t.Logf("%d dangers, %d loosened", len(danger), loosened)
}
