package host

import (
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/wire"
)

// words are an agent's own words for decisions.
type words struct{ allow, ask, block string }

func (w *words) of(d policy.Decision) string {
	switch d {
	case policy.Allow:
		return w.allow
	case policy.Block:
		return w.block
	}
	return w.ask
}

var decisionWords = words{"allow", "ask", "deny"}

// answerClaude writes Claude Code's form, which many others have taken over:
//
//	{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "..."}}
//	{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "..."}}}
//	{"decision": "block", "reason": "..."}
func answerClaude(e Event, d policy.Decision, reason string) Answer {
	switch {
	case d == policy.Skip:
		return Answer{}
	case e == PermissionAsk:
		return answerRequest(d, reason)
	case e == ConfigChange:
		if d != policy.Block {
			return Answer{}
		}
		return object(`{"decision":"block","reason":`, reason, "}\n")
	}
	return object(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"`+decisionWords.of(d)+`","permissionDecisionReason":`, reason, "}}\n")
}

// answerRequest answers the event that comes before the agent's own question: yes,
// no, or the question stands.
func answerRequest(d policy.Decision, reason string) Answer {
	switch d {
	case policy.Allow:
		return Answer{Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}` + "\n")}
	case policy.Block:
		return object(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":`, reason, "}}}\n")
	}
	return Answer{}
}

// object writes JSON around a text.
func object(before, text, after string) Answer {
	return Answer{Stdout: append(wire.AppendText([]byte(before), text), after...)}
}
