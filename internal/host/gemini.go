package host

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// gemini is Gemini CLI (https://geminicli.com/docs/hooks/reference), with 0.61.0.
// It starts its hooks with the event on standard input:
//
//	{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
//	 "tool_input": {"command": "git push", "dir_path": "web"},
//	 "cwd": "/home/u/p", "session_id": "...", "timestamp": "...", ...}
//
// An allow is no objection: Gemini's own policy still decides. An ask puts a
// question in the place of that policy's answer, and waits for ever where
// nobody sees it (0.61.0 with -p). Its payloads don't tell whether somebody is
// there; how it was started does, where the system shows that, and the flag
// --unattended. Exit status 2 and above denies with the text on
// standard error; status 1, a signal and a hook that is late let the command
// run.
var gemini = Host{
	Name:  "gemini",
	Title: "Gemini CLI",
	Docs:  "https://geminicli.com/docs/hooks/reference",
	Events: []EventName{
		{BeforeToolUse, "BeforeTool", ""},
		{AfterToolUse, "AfterTool", ""},
		{PromptSubmit, "BeforeAgent", ""},
		{SessionStart, "SessionStart", ""},
		{SessionEnd, "SessionEnd", ""},
		{Compact, "PreCompress", ""},
	},
	Limit:   time.Minute, // packages/core/src/hooks/hookRunner.ts
	Ignored: []string{"AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "Notification"},
	claims:  claimsGemini,
	process: geminiProcess,
	keys: keys{
		event: "hook_event_name", tool: "tool_name", input: "tool_input",
		cwd: "cwd", session: "session_id", prompt: "prompt", source: "source", transcript: "transcript_path",
	},
	amend:  amendGemini,
	answer: answerGemini,
}

// claimsGemini looks for events that only Gemini has, and for those of others'
// names at what it tells hooks alone, and not the commands that its shell tool
// runs.
func claimsGemini(_ *Host, p Payload) bool {
	name, _ := p.text("hook_event_name")
	switch name {
	case "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return !p.has("host")
	case "SessionStart", "SessionEnd", "Notification":
		session, _ := p.text("session_id")
		return session != "" && session == p.Getenv("GEMINI_SESSION_ID")
	}
	return false
}

// geminiProcess is what the hook's process tells of where something happens. The
// shell tool runs bash -c, whatever the user's shell is.
func geminiProcess(in Input) engine.Request {
	r := placed(in, "GEMINI_PROJECT_DIR", "bash")
	r.Unattended = geminiHeadless(in)
	return r
}

// geminiHeadless reports whether Gemini asks nobody: isHeadlessMode of 0.61.0.
func geminiHeadless(in Input) bool {
	if in.Getenv("CI") == "true" || in.Getenv("GITHUB_ACTIONS") == "true" {
		return true
	}
	if in.Ancestors == nil {
		return false
	}
	for a := range in.Ancestors {
		if !isGemini(a.Args) {
			continue
		}
		return !a.Terminal() || slices.ContainsFunc(a.Args[1:], func(arg string) bool {
			return arg == "-p" || arg == "--prompt" || strings.HasPrefix(arg, "-p=") || strings.HasPrefix(arg, "--prompt=")
		})
	}
	return false
}

// isGemini reports whether a program is Gemini CLI, or a runtime that runs it:
// node /usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js.
func isGemini(args []string) bool {
	switch name := path.Base(args[0]); {
	case strings.HasPrefix(name, "gemini"):
		return true
	case strings.HasPrefix(name, "node"), strings.HasPrefix(name, "bun"), strings.HasPrefix(name, "deno"):
		return slices.ContainsFunc(args[1:], func(arg string) bool { return strings.Contains(arg, "gemini") })
	}
	return false
}

func amendGemini(q *Question, p Payload) error {
	if !q.Shell {
		q.Tool.Name = mcpName(q.Tool.Name, p)
	}
	// Without a directory, a search is one of the project.
	switch q.Tool.Name {
	case "search_file_content", "grep_search":
		if q.Tool.Arg("dir_path") == "" && q.Tool.Arg("path") == "" {
			q.Tool.Args = append([]engine.ToolArg{{Name: "dir_path", Value: q.Request.Workspace}}, q.Tool.Args...)
		}
	}
	return nil
}

// mcpName is a tool's name as rules know it. Gemini gives the tools of MCP
// servers names that need not show whose they are, and tells that apart.
func mcpName(name string, p Payload) string {
	server, err := p.text("mcp_context.server_name")
	if err != nil || !p.has("mcp_context.server_name") {
		return marked(name)
	}
	if tool, err := p.text("mcp_context.tool_name"); err == nil && p.has("mcp_context.tool_name") {
		name = tool
	}
	return "mcp__" + server + "__" + name
}

func answerGemini(_ *Question, d policy.Decision, reason string) Answer {
	switch d {
	case policy.Skip:
		return Answer{}
	case policy.Allow:
		return Answer{Stdout: []byte("{\"decision\":\"allow\"}\n")}
	case policy.Block:
		return object(`{"decision":"deny","reason":`, reason, "}\n")
	}
	return object(`{"decision":"ask","systemMessage":`, reason, "}\n")
}
