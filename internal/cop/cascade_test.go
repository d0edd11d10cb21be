package cop

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// answers is a reviewer that says the same each time and counts.
func answers(o Outcome, calls *int) Review {
	return func(*engine.Request, *engine.Verdict) Outcome {
		*calls++
		return o
	}
}

var (
	clear0 = Outcome{Kind: Clear}
	flag0  = Outcome{Kind: Flag, Risk: High, Code: "exfiltration", Text: "it would send data out"}
	flag1  = Outcome{Kind: Flag, Risk: Medium, Code: "exfiltration", Text: "it would send data out"}
	again0 = Outcome{Kind: Flag, Risk: High, Cached: true, Text: "it would send data out"}
	fail0  = Outcome{Kind: Failed, Code: "timeout", Text: "no answer in time"}
	clean  = engine.Taint{}
	c1     = engine.Taint{Corruption: 2}
	s1     = engine.Taint{Secret: 2}
	both   = engine.Taint{Corruption: 2, Secret: 3}
	torn   = engine.Taint{Corruption: 3, Secret: 3, Damaged: true}
	torn0  = engine.Taint{Damaged: true}
)

func TestDecide(t *testing.T) {
	rows := []struct {
		name    string
		taint   engine.Taint
		rules   policy.Decision
		reach   policy.Reach
		when    When
		outcome *Outcome // nil: nobody may be asked
		want    policy.Decision
		human   bool
		has     string
	}{
		{"clean network", clean, policy.Allow, policy.ReachNetwork, Tainted, nil, policy.Allow, false, ""},
		{"clean grey", clean, policy.Ask, policy.ReachUnknown, Tainted, nil, policy.Ask, false, "rules"},
		{"block", both, policy.Block, policy.ReachNetwork, Tainted, nil, policy.Block, false, "rules"},
		{"block, damaged", torn, policy.Block, policy.ReachUnknown, Grey, nil, policy.Block, false, "rules"},
		{"local allow", both, policy.Allow, policy.ReachLocal, Tainted, nil, policy.Allow, false, ""},
		{"local ask", torn, policy.Ask, policy.ReachLocal, Grey, nil, policy.Ask, false, "rules"},
		{"corruption, network, clear", c1, policy.Allow, policy.ReachNetwork, Tainted, &clear0, policy.Allow, false, ""},
		{"corruption, network, clear, rules ask", c1, policy.Ask, policy.ReachNetwork, Tainted, nil, policy.Ask, false, "rules"},
		{"corruption, network, flag", c1, policy.Allow, policy.ReachNetwork, Tainted, &flag0, policy.Block, false, "send data out"},
		{"secret, grey, flag", s1, policy.Allow, policy.ReachUnknown, Tainted, &flag0, policy.Block, false, "send data out"},
		{"secret, grey, rules ask", s1, policy.Ask, policy.ReachUnknown, Tainted, nil, policy.Ask, false, "rules"},
		{"a flag of medium risk", s1, policy.Allow, policy.ReachUnknown, Tainted, &flag1, policy.Ask, false, "send data out"},
		{"a flag from before", s1, policy.Allow, policy.ReachUnknown, Tainted, &again0, policy.Ask, false, "send data out"},
		{"both, grey, rules ask", both, policy.Ask, policy.ReachUnknown, Tainted, nil, policy.Ask, true, "frob --all"},
		{"secret, grey, error", s1, policy.Allow, policy.ReachUnknown, Tainted, &fail0, policy.Ask, false, "no answer in time"},
		{"nothing said about the reach", s1, policy.Allow, policy.ReachUnset, Tainted, &fail0, policy.Ask, false, "no answer in time"},
		{"both, network", both, policy.Allow, policy.ReachNetwork, Tainted, nil, policy.Ask, true, "frob --all"},
		{"both, nothing said about the reach", both, policy.Allow, policy.ReachUnset, Tainted, nil, policy.Ask, true, "frob --all"},
		{"both, network, rules ask", both, policy.Ask, policy.ReachNetwork, Grey, nil, policy.Ask, true, "frob --all"},
		{"both, grey, clear", both, policy.Allow, policy.ReachUnknown, Tainted, &clear0, policy.Allow, false, ""},
		{"both, grey, flag", both, policy.Allow, policy.ReachUnknown, Tainted, &flag0, policy.Ask, true, "send data out"},
		{"both, grey, error", both, policy.Allow, policy.ReachUnknown, Tainted, &fail0, policy.Ask, true, "no answer in time"},
		{"damaged, grey", torn, policy.Allow, policy.ReachUnknown, Tainted, nil, policy.Ask, true, "not known"},
		{"damaged and nothing else", torn0, policy.Allow, policy.ReachUnknown, Tainted, nil, policy.Ask, true, "not known"},
		{"never, clean", clean, policy.Ask, policy.ReachUnknown, Never, nil, policy.Ask, false, "rules"},
		{"never, one taint", c1, policy.Allow, policy.ReachUnknown, Never, nil, policy.Ask, false, "no reviewer is asked"},
		{"never, both", both, policy.Allow, policy.ReachUnknown, Never, nil, policy.Ask, true, "no reviewer is asked"},
		{"a review that ends in nothing", c1, policy.Allow, policy.ReachUnknown, Tainted, &Outcome{}, policy.Ask, false, "not cleared"},
		{"a flag without a reason", c1, policy.Allow, policy.ReachUnknown, Tainted, &Outcome{Kind: Flag}, policy.Ask, false, "it gives no reason"},
		{"grey, clean, clear", clean, policy.Ask, policy.ReachUnknown, Grey, &clear0, policy.Allow, false, ""},
		{"grey, clean, flag", clean, policy.Ask, policy.ReachUnknown, Grey, &flag0, policy.Ask, false, "send data out"},
		{"grey, clean, error", clean, policy.Ask, policy.ReachUnknown, Grey, &fail0, policy.Ask, false, "no answer in time"},
		{"grey, tainted, nothing to lift", c1, policy.Ask, policy.ReachUnknown, Grey, nil, policy.Ask, false, "rules"},
	}
	for _, row := range rows {
		for _, attended := range []bool{true, false} {
			r := engine.Request{Command: "frob --all", Taint: row.taint, Unattended: !attended}
			v := engine.Verdict{Decision: row.rules, Reach: row.reach}
			if row.rules > policy.Allow {
				v.Reason = "rules"
				v.Reasons = []engine.Reason{engine.NewReason("unknown-command", row.rules, "rules", r.Command)}
			}
			calls := 0
			review := answers(Outcome{Kind: Clear}, &calls)
			if row.outcome != nil {
				review = answers(*row.outcome, &calls)
			}
			before := v
			o := Table{When: row.when}.Decide(&r, &v, review)
			want, human := row.want, row.human
			if !attended && want == policy.Ask && (before.Decision != policy.Ask || human || len(v.Reasons) > len(before.Reasons)) {
				// The engine has done so with what the rules ask.
				want, human = policy.Block, false
			}
			if v.Decision != want || v.Human != human || !strings.Contains(v.Reason, row.has) {
				t.Errorf("%s (attended %v): %v human=%v %q, want %v human=%v %q", row.name, attended, v.Decision, v.Human, v.Reason, want, human, row.has)
			}
			if asked := calls == 1; calls > 1 || asked != (row.outcome != nil) {
				t.Errorf("%s: %d calls", row.name, calls)
			}
			if row.outcome == nil && row.when != Never && o.Kind != NotAsked {
				t.Errorf("%s: outcome %v of no review", row.name, o.Kind)
			}
			for i := 1; i < len(v.Reasons); i++ {
				if v.Reasons[i-1].Counts() < v.Reasons[i].Counts() {
					t.Errorf("%s: reasons are not strictest first", row.name)
				}
			}
		}
	}
}

// Where no reviewer is set up, one kind of taint leaves the rules' decision and
// both ask a person.
func TestDecideWithoutReviewer(t *testing.T) {
	for _, row := range []struct {
		taint engine.Taint
		when  When
		want  policy.Decision
		human bool
	}{
		{clean, Grey, policy.Allow, false},
		{c1, Tainted, policy.Allow, false},
		{s1, Tainted, policy.Allow, false},
		{c1, Never, policy.Ask, false},
		{both, Tainted, policy.Ask, true},
		{torn0, Tainted, policy.Ask, true},
	} {
		r := engine.Request{Command: "frob", Taint: row.taint}
		v := engine.Verdict{Decision: policy.Allow, Reach: policy.ReachUnknown}
		Table{When: row.when}.Decide(&r, &v, nil)
		if v.Decision != row.want || v.Human != row.human {
			t.Errorf("%v: %v human=%v", row.taint, v.Decision, v.Human)
		}
	}
}

// A review lifts questions about unknown programs alone, and none of a person.
func TestLiftsUnknownOnly(t *testing.T) {
	for _, id := range []string{"shell.hole", "git.push", "unknown-use", "config.error", "settings.ask"} {
		r := engine.Request{Command: "frob"}
		v := engine.Verdict{Decision: policy.Ask, Reach: policy.ReachUnknown, Reasons: []engine.Reason{
			engine.NewReason("unknown-command", policy.Ask, "", "frob"),
			engine.NewReason(id, policy.Ask, "", "frob"),
		}}
		calls := 0
		Table{When: Grey}.Decide(&r, &v, answers(clear0, &calls))
		if v.Decision != policy.Ask || calls != 0 {
			t.Errorf("%s: %v after %d calls", id, v.Decision, calls)
		}
	}
}

// What a profile lets pass without knowing it is reviewed where there is a
// reviewer, and passes where there is none.
func TestPathsOfDenylist(t *testing.T) {
	e := engine.New(engine.Options{})
	for _, row := range []struct {
		command string
		asked   bool
	}{
		{"frob data", true},
		{"python3 script.py", true},
		{"ls -la", false},
		{"rm -rf /", false},
	} {
		for _, o := range []Outcome{clear0, flag0, fail0} {
			r := engine.Request{Command: row.command, Workspace: "/srv/project", Profile: "denylist"}
			rules := e.Evaluate(r)
			v, calls := rules, 0
			Table{}.Decide(&r, &v, answers(o, &calls))
			want := rules.Decision
			if row.asked && o.Kind == Flag {
				want = policy.Block
			}
			if row.asked && o.Kind == Failed {
				want = policy.Ask
			}
			if v.Decision != want || (calls == 1) != row.asked {
				t.Errorf("%s, %v: %v after %d calls, want %v", row.command, o.Kind, v.Decision, calls, want)
			}
			v = rules
			if (Table{}).Decide(&r, &v, nil); v.Decision != rules.Decision {
				t.Errorf("%s without a reviewer: %v, want %v", row.command, v.Decision, rules.Decision)
			}
		}
	}
}
