package engine

import "github.com/bashgate/bashgate/internal/policy"

// The permission modes that change an answer. Any other name is the default
// mode.
const (
	ModeAcceptEdits = "acceptEdits"       // edits of the workspace need no question
	ModePlan        = "plan"              // nothing but what is allowed
	ModeAuto        = "auto"              // the host decides asks by itself: the irreversible ones block
	ModeDontAsk     = "dontAsk"           // nobody can be asked
	ModeBypass      = "bypassPermissions" // an ask stays one here; the hook leaves it to the host, which does not ask
)

// mode applies the permission mode to the answer of the rules.
func (j *judge) mode(v *Verdict) {
	if v.Decision != policy.Ask {
		return
	}
	block := func(id, text string) {
		v.Decision, v.Reason = policy.Block, v.Reason+"; "+text
		r := Reason{ID: id, Decision: policy.Block, text: text, source: j.request.Command}
		v.Reasons = append([]Reason{r}, v.Reasons...)
	}
	switch {
	case j.request.Mode == ModePlan:
		block("mode.plan", "plan mode runs only what needs no question")
	case j.request.Mode == ModeAuto && irreversible(v.Reasons):
		block("mode.auto", "it cannot be undone, and in auto mode nobody is asked")
	case j.request.Mode == ModeDontAsk || j.request.Unattended:
		block("mode.unattended", "nobody can be asked here")
	}
}

func irreversible(reasons []Reason) bool {
	for i := range reasons {
		if reasons[i].Irreversible && reasons[i].Counts() == policy.Ask {
			return true
		}
	}
	return false
}

// CanAsk reports whether a question about the request would reach a person.
func (r *Request) CanAsk() bool {
	mode := r.Mode
	if mode == "" && r.Settings != nil {
		mode = r.Settings.DefaultMode
	}
	return !r.Unattended && mode != ModePlan && mode != ModeDontAsk
}
