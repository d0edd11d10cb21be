package host

import "github.com/bashgate/bashgate/policy"

// shimEvents are what bashgate's own plugins inside of agents tell. They show
// each event as Claude Code would, name the agent ("host"), and take one line
// for an answer:
//
//	{"decision": "allow", "ask" or "block", "reason": "..."}
//
// Nothing is no objection; any other exit status than 0, and all that is not
// understood, denies with the text on standard error.
var shimEvents = []EventName{
	{BeforeToolUse, "PreToolUse", ""},
	{AfterToolUse, "PostToolUse", ""},
	{AfterToolFailure, "PostToolUseFailure", ""},
	{PromptSubmit, "UserPromptSubmit", ""},
	{SessionStart, "SessionStart", ""},
	{SessionEnd, "SessionEnd", ""},
	{Compact, "PreCompact", ""},
}

const shimClosed = "bashgate's own plugin, in all that goes wrong"

// claimsShim looks for the name that the plugin gives.
func claimsShim(h *Host, p Payload) bool { return p.is("host", h.Name) }

func answerShim(_ *Question, d policy.Decision, reason string) Answer {
	word := "block"
	switch d {
	case policy.Skip:
		return Answer{}
	case policy.Allow:
		word = "allow"
	case policy.Ask:
		word = "ask"
	}
	return object(`{"decision":"`+word+`","reason":`, reason, "}\n")
}
