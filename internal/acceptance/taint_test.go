package acceptance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/policy"
)

// taintRow is what must be said in a session that has seen something:
//
//	corruption, secret  what it has seen: 0 or 1
//	state               "damaged": what it has seen is not known
//	cop                 how the review ends: clear, flag or error; never: there
//	                    must be none
//	attended            false: nobody can be asked
//	want                allow, ask, block, human: a question that only a person
//	                    answers, or rules: the same as without all that
type taintRow struct {
	Corruption int    `json:"corruption"`
	Secret     int    `json:"secret"`
	State      string `json:"state"`
	Cmd        string `json:"cmd"`
	Cop        string `json:"cop"`
	Attended   *bool  `json:"attended"`
	Want       string `json:"want"`
	Note       string `json:"note"`
}

func TestTaintRows(t *testing.T) {
	data, err := os.ReadFile("testdata/taint.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Options{Files: files()})
	lines := bufio.NewScanner(bytes.NewReader(data))
	rows := 0
	for ; lines.Scan(); rows++ {
		t.Run(fmt.Sprintf("taint.jsonl:%d", rows+1), func(t *testing.T) { checkTaint(t, e, lines.Bytes()) })
	}
	if err := lines.Err(); err != nil || rows < 20 {
		t.Fatalf("%d rows, %v", rows, err)
	}
}

func checkTaint(t *testing.T, e *engine.Engine, line []byte) {
	var row taintRow
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&row); err != nil {
		t.Fatal(err)
	}
	r := engine.Request{
		Command: row.Cmd, Cwd: workspace, Workspace: workspace, Home: home, Mode: "default", Shell: "bash",
		Taint:      engine.Taint{Corruption: row.Corruption, Secret: row.Secret, Damaged: row.State == "damaged"},
		Unattended: row.Attended != nil && !*row.Attended,
	}
	rules := e.Evaluate(r)
	var review cop.Review
	reviews := 0
	if kind, ok := cop.ParseKind(row.Cop); ok {
		review = cop.Recorded(kind)
	} else if row.Cop != "never" {
		t.Fatalf("cop %q", row.Cop)
	}
	v := rules
	cop.Table{Free: true}.Decide(&r, &v, func(r *engine.Request, v *engine.Verdict) cop.Outcome {
		reviews++
		if review == nil {
			t.Errorf("%s: the reviewer is asked", row.Cmd)
			return cop.Outcome{}
		}
		return review(r, v)
	})
	switch row.Want {
	case "rules":
		if v.Decision != rules.Decision || v.Reason != rules.Reason || v.Human {
			t.Errorf("%s: %v (%s), the rules %v (%s)", row.Cmd, v.Decision, v.Reason, rules.Decision, rules.Reason)
		}
	case "human":
		if v.Decision != policy.Ask || !v.Human || !strings.Contains(v.Reason, row.Cmd) {
			t.Errorf("%s: %v human=%v (%s)", row.Cmd, v.Decision, v.Human, v.Reason)
		}
	default:
		if v.Decision.String() != row.Want || v.Human {
			t.Errorf("%s: %v human=%v (%s), want %s", row.Cmd, v.Decision, v.Human, v.Reason, row.Want)
		}
	}
	if row.Cop != "never" && reviews != 1 && rules.Decision != policy.Block {
		t.Errorf("%s: %d reviews", row.Cmd, reviews)
	}
}

// Whatever a session has seen and a reviewer says, nothing becomes looser than
// the rules have it, and both kinds of taint with a way out need a person.
func TestTaintOnlyTightens(t *testing.T) {
	e := engine.New(engine.Options{Files: files()})
	names, err := filepath.Glob("testdata/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var about struct{ Cmd, Profile string }
			if err := json.Unmarshal(line, &about); err != nil {
				t.Fatal(err)
			}
			r := engine.Request{Command: about.Cmd, Cwd: workspace, Workspace: workspace, Home: home, Mode: "default", Shell: "bash", Profile: about.Profile}
			rules := e.Evaluate(r)
			checkBeyond(t, about.Cmd, &rules)
			for _, taint := range []engine.Taint{{Corruption: 2}, {Secret: 1}, {Corruption: 1, Secret: 3}, {Damaged: true}} {
				for _, said := range []cop.Kind{cop.Clear, cop.Flag, cop.Failed} {
					for _, unattended := range []bool{false, true} {
						n++
						r, v := r, rules
						r.Taint, r.Unattended = taint, unattended
						v.Reasons = slices.Clone(rules.Reasons)
						cop.Table{Free: true}.Decide(&r, &v, cop.Recorded(said))
						all := taint.Damaged || taint.Corruption > 0 && taint.Secret > 0
						switch {
						case v.Decision < rules.Decision:
							t.Errorf("%s, %+v, %v: %v, the rules say %v", about.Cmd, taint, said, v.Decision, rules.Decision)
						case rules.Reach == policy.ReachLocal && rules.Beyond(false) == policy.ReachLocal && v.Decision != rules.Decision:
							t.Errorf("%s, %+v, %v: %v of a local command, the rules say %v", about.Cmd, taint, said, v.Decision, rules.Decision)
						case all && rules.Reach == policy.ReachNetwork && v.Decision != policy.Block && !v.Human:
							t.Errorf("%s, %+v, %v: %v without a person", about.Cmd, taint, said, v.Decision)
						case rules.Reach != policy.ReachLocal && said != cop.Clear && v.Decision == policy.Allow:
							t.Errorf("%s, %+v, %v: allowed", about.Cmd, taint, said)
						case unattended && v.Human:
							t.Errorf("%s, %+v, %v: a question to nobody", about.Cmd, taint, said)
						}
					}
				}
			}
		}
	}
	if n < 5000 {
		t.Errorf("%d cases", n)
	}
}

// checkBeyond holds that nothing but code of the project is ever less grey than
// the rules say: no command that talks to a network by itself, and none that a
// rule or the engine asks about for what it runs.
func checkBeyond(t *testing.T, command string, v *engine.Verdict) {
	t.Helper()
	if beyond := v.Beyond(false); beyond < v.Reach {
		t.Errorf("%s: reach %v, and %v of its commands", command, v.Reach, beyond)
	}
	if v.Beyond(true) > v.Beyond(false) {
		t.Errorf("%s: it reaches further in a project that nobody has touched", command)
	}
	var visit func([]engine.Node)
	visit = func(nodes []engine.Node) {
		for i := range nodes {
			n := &nodes[i]
			if n.Code() && (n.Effects&policy.Executes == 0 || n.Stray()) {
				t.Errorf("%s: %s counts as code of the project alone", command, n.Command())
			}
			for k := range n.Reasons {
				if r := &n.Reasons[k]; n.Code() && r.Reach > policy.ReachLocal && (r.ID == "unknown-command" || r.ID == "unknown-use" || r.ID == "shell.hole" || r.Effects&policy.Network != 0) {
					t.Errorf("%s: %s counts as code of the project alone, and %s says more", command, n.Command(), r.ID)
				}
			}
			visit(n.Children)
		}
	}
	visit(v.Tree)
}

// Without a reviewer, too, nothing becomes looser than the rules have it.
func TestTaintWithoutReviewerOnlyTightens(t *testing.T) {
	e := engine.New(engine.Options{Files: files()})
	for _, command := range []string{
		"npm test", "make build", "curl https://evil.com", "curl https://api.github.com/zen", "docker run x", "frob", "ls", "rm -rf /", "git push", "./x", "$X", "echo 'unclosed", "python3 s.py", "npm test; curl https://evil.com",
	} {
		r := engine.Request{Command: command, Cwd: workspace, Workspace: workspace, Home: home, Mode: "default", Shell: "bash"}
		rules := e.Evaluate(r)
		for _, taint := range []engine.Taint{{}, {Corruption: 2}, {Secret: 1}, {Corruption: 1, Secret: 3}, {Damaged: true}} {
			for _, untouched := range []bool{false, true} {
				r, v := r, rules
				r.Taint, r.Taint.Untouched = taint, untouched
				v.Reasons = slices.Clone(rules.Reasons)
				cop.Table{}.Decide(&r, &v, nil)
				both := taint.Damaged || taint.Corruption > 0 && taint.Secret > 0
				switch {
				case v.Decision < rules.Decision:
					t.Errorf("%s, %+v: %v, the rules say %v", command, r.Taint, v.Decision, rules.Decision)
				case both && v.Beyond(untouched) != policy.ReachLocal && v.Decision != policy.Block && !v.Human:
					t.Errorf("%s, %+v: %v without a person", command, r.Taint, v.Decision)
				case !both && taint.Corruption == 0 && v.Decision != rules.Decision:
					t.Errorf("%s, %+v: %v, the rules say %v", command, r.Taint, v.Decision, rules.Decision)
				}
			}
		}
	}
}
