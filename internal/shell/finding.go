package shell

import (
	"unicode/utf8"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// The ids of findings.
const (
	idGuard     = "shell.guard"
	idParse     = "shell.parse-error"
	idLimit     = "shell.limit"
	idHole      = "shell.hole"
	idEvaluates = "shell.evaluates"
	idNode      = "shell.node"
	idForkBomb  = "shell.fork-bomb"
	idZsh       = "shell.zsh"
	idPOSIX     = "shell.posix"
)

// maxFindings is enough to say what is wrong with a line.
const maxFindings = 32

// find records something to ask about at a node.
func (r *run) find(id string, n syntax.Node, reason string) {
	r.report(policy.Finding{
		ID:     id,
		Reason: reason,
		Source: shorten(r.source(n)),
		Pos:    r.at(n.Pos()),
	})
}

// report records a finding once. Those without a decision ask.
func (r *run) report(f policy.Finding) {
	f.Decision = max(f.Decision, policy.Ask)
	f.Reach = max(f.Reach, policy.ReachUnknown)
	switch f.ID {
	case idEvaluates, idHole:
		f.Effects |= policy.Executes
		f.Uncalled = r.uncalled
	case idForkBomb:
		f.Uncalled = r.uncalled
	}
	// The others are about how the text is read, by whoever may call what.
	if len(r.out.Findings) >= maxFindings && f.Decision == policy.Ask {
		return
	}
	for i := range r.out.Findings {
		old := &r.out.Findings[i]
		if old.ID == f.ID && old.Pos == f.Pos && old.Reason == f.Reason {
			return
		}
	}
	r.out.Findings = append(r.out.Findings, f)
}

// shorten cuts a text for messages.
func shorten(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
