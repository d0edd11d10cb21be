package shell

import (
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
		Source: policy.Clip(r.source(n), maxSource),
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

// maxSource is how much of a text stands in a message, in bytes.
const maxSource = 80
