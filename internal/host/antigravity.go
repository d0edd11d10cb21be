package host

import "github.com/bashgate/bashgate/policy"

// antigravity is Antigravity's program for the command line, agy, by what others
// have measured with 1.0 to 1.2 (github.com/google-antigravity/antigravity-cli/issues/628
// and 1053, github.com/Ju571nK/sigil/issues/208, github.com/luisgamas/uxnan/pull/245).
// The payload does not name its event:
//
//	{"conversationId": "...", "stepIdx": 3, "modelName": "...", "transcriptPath": "...", "workspacePaths": ["/home/u/p"],
//	 "toolCall": {"name": "run_command", "args": {"CommandLine": "git push", "Cwd": "/home/u/p/web"}}}
//
// PreToolUse wants one of four decisions; nothing, {} and what is not understood
// are said to deny. "allow" is no objection, for its permissions decide after
// it; "ask" leaves it to them too, and they may allow, so that no question is
// told this way. 1.1.2 showed a person what is denied, who could run it all the
// same. What a failure does nobody tells.
var antigravity = Host{
	Name:    "antigravity",
	Title:   "Antigravity",
	Events:  []EventName{{BeforeToolUse, "PreToolUse", ""}},
	Ignored: []string{"PostToolUse", "PreInvocation", "PostInvocation", "Stop"},
	Asking:  Refuses,
	claims:  claimsAntigravity,
	process: process,
	keys: keys{
		event: "hook_event_name", tool: "toolCall.name", input: "toolCall.args",
		cwd: "workspacePaths.0", session: "conversationId", transcript: "transcriptPath",
	},
	unnamed: unnamedAntigravity,
	named:   marked,
	amend:   amendAntigravity,
	answer:  answerAntigravity,
	fail:    failAntigravity,
}

func claimsAntigravity(_ *Host, p Payload) bool {
	return p.has("conversationId") && p.has("toolCall.name") && !p.has("hook_event_name") && !p.has("host")
}

func unnamedAntigravity(p Payload) string {
	if p.has("toolCall") {
		return "PreToolUse"
	}
	return ""
}

func amendAntigravity(q *Question, p Payload) error {
	q.Aside = q.Shell // it waits for a while, and goes on without
	return nil
}

func answerAntigravity(q *Question, d policy.Decision, reason string) Answer {
	switch {
	case d == policy.Skip && q.Event != BeforeToolUse:
		return Answer{Stdout: []byte("{}\n")}
	case d == policy.Skip:
		return Answer{Stdout: []byte("{\"decision\":\"ask\"}\n")}
	}
	return object(`{"decision":"`+decisionWords.of(d)+`","reason":`, reason, "}\n")
}

// failAntigravity denies in every way that may be one.
func failAntigravity(reason string) Answer {
	a := denied(reason)
	a.Stdout = answerAntigravity(nil, policy.Block, reason).Stdout
	return a
}
