package host

import (
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
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
func answerClaude(q *Question, d policy.Decision, reason string) Answer {
	switch {
	case d == policy.Skip:
		return Answer{}
	case q.Event == PermissionAsk:
		return answerRequest(d, reason)
	case q.Event == ConfigChange:
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

// answerDeny is answerClaude for agents whose hooks can only object before a tool
// is used: to some of them any other word than "deny" is a hook that has failed,
// and the tool runs.
func answerDeny(q *Question, d policy.Decision, reason string) Answer {
	if q.Event != PermissionAsk && d != policy.Block {
		return Answer{}
	}
	return answerClaude(q, d, reason)
}

// answerStatus denies by the exit status, and says nothing else.
func answerStatus(_ *Question, d policy.Decision, reason string) Answer {
	if d != policy.Block {
		return Answer{}
	}
	return denied(reason)
}

// object writes JSON around a text.
func object(before, text, after string) Answer {
	return Answer{Stdout: append(wire.AppendText([]byte(before), text), after...)}
}
