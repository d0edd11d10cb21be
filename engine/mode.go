package engine

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// The permission modes that change an answer.
const (
	ModeAcceptEdits = "acceptEdits"       // edits of the workspace need no question
	ModePlan        = "plan"              // nothing but what is allowed
	ModeAuto        = "auto"              // the host decides asks by itself: what is unrecoverable blocks
	ModeDontAsk     = "dontAsk"           // nobody can be asked
	ModeBypass      = "bypassPermissions" // an ask stays one here; the hook leaves it to the host, which does not ask
)

// isMode reports whether it is known what a permission mode means. What another
// one would have the host do with an allow is not.
func isMode(mode string) bool {
	switch mode {
	case "", "default", "manual", ModeAcceptEdits, ModePlan, ModeAuto, ModeDontAsk, ModeBypass:
		return true
	}
	return false
}

// mode applies the permission mode to the answer of the rules.
func (j *judge) mode(v *Verdict) {
	reason := func(id string, d policy.Decision, text string) {
		r := Reason{ID: id, Decision: d, text: text, source: j.request.Command}
		v.Decision, v.Reasons = d, append([]Reason{r}, v.Reasons...)
	}
	if v.Decision == policy.Allow && !isMode(j.request.Mode) {
		v.Reason = "No permission mode is called " + policy.Quote(policy.Clip(j.request.Mode, maxShown))
		reason("mode.unknown", policy.Ask, v.Reason)
	}
	if v.Decision != policy.Ask {
		return
	}
	block := func(id, text string) {
		v.Reason += "; " + text
		reason(id, policy.Block, text)
	}
	worst := slices.IndexFunc(v.Reasons, func(r Reason) bool { return r.Unrecoverable && r.Counts() == policy.Ask })
	switch {
	case j.request.Mode == ModePlan:
		block("mode.plan", "plan mode runs only what needs no question")
	case j.request.Mode == ModeAuto && worst >= 0:
		v.Reason = v.Reasons[worst].Text()
		block("mode.auto", "what is destroyed is gone for ever, and in auto mode nobody is asked")
	case j.request.Mode == ModeDontAsk || j.request.Unattended:
		block("mode.unattended", "nobody can be asked here")
	}
}

// CanAsk reports whether a question about the request would reach a person.
func (r *Request) CanAsk() bool {
	mode := r.Mode
	if mode == "" && r.Settings != nil {
		mode = r.Settings.DefaultMode
	}
	return !r.Unattended && mode != ModePlan && mode != ModeDontAsk
}
