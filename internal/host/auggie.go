package host

import (
	"time"

	"github.com/bashgate/bashgate/engine"
)

// auggie is Augment's Auggie (https://docs.augmentcode.com/cli/hooks), as
// documented for 1.x; nothing here was measured.
//
//	{"hook_event_name": "PreToolUse", "conversation_id": "...", "workspace_roots": ["/home/u/p"],
//	 "tool_name": "launch-process", "tool_input": {"command": "git push", "cwd": "/home/u/p"}}
//
// PreToolUse can block, by exit status 2 with the text on standard error. Of
// other answers the page says nothing, so none is given; its
// own toolPermissions ask. That sessions start and prompts come is told without
// what is needed of them. A hook that fails otherwise lets the command run.
var auggie = Host{
	Name:  "auggie",
	Title: "Auggie",
	Docs:  "https://docs.augmentcode.com/cli/hooks",
	Events: []EventName{
		{BeforeToolUse, "PreToolUse", ""},
		{AfterToolUse, "PostToolUse", ""},
		{SessionEnd, "SessionEnd", ""},
	},
	Ignored: []string{"SessionStart", "Stop", "PromptSubmit", "Notification"},
	Asking:  Refuses,
	Limit:   time.Minute, // by the page
	claims:  claimsAuggie,
	process: func(in Input) engine.Request { return placed(in, "AUGMENT_PROJECT_DIR", "") },
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input",
		cwd: "cwd|workspace_roots.0", session: "conversation_id",
	},
	named:  namedAuggie,
	answer: answerStatus,
}

// namedAuggie: a server's tool is called TOOL_SERVER.
func namedAuggie(name string) string {
	const own = "launch-process kill-process read-process list-processes read-terminal codebase-retrieval codebase-search" +
		" git-commit-retrieval diagnostics remember render-mermaid view_tasklist update_tasks add_tasks reorganize_tasklist" +
		" grep-search view-range-untruncated search-untruncated ask-user memories"
	return unmarked("auggie", own, name, func(name string) (string, string, bool) {
		tool, server, ok := lastCut(name, "_")
		return server, tool, ok
	})
}

// claimsAuggie looks for a conversation with roots, which Cursor has too, with
// events in another case and a name for each answer.
func claimsAuggie(h *Host, p Payload) bool {
	return h.knows(p) && p.has("conversation_id") && p.has("workspace_roots") &&
		p.lacks("host", "generation_id", "cursor_version", "timestamp")
}
