package host

import (
	"path"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/wire"
)

// gemini is Gemini CLI (https://geminicli.com/docs/hooks/reference). It starts
// its hooks with the event on standard input:
//
//	{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
//	 "tool_input": {"command": "git push", "dir_path": "web"},
//	 "cwd": "/home/u/p", "session_id": "...", "timestamp": "...", ...}
//
// An allow is no objection: Gemini's own policy still decides. An ask puts a
// question in the place of that policy's answer, and waits for ever where
// nobody sees it (0.61.0 with -p), so that a session without a person needs
// the flag --unattended. Exit status 2 and above denies with the text on
// standard error; status 1, a signal and a hook that is late let the command
// run.
var gemini = Host{
	Name:   "gemini",
	Title:  "Gemini CLI",
	Events: geminiEvents,
	Detect: detectGemini,
	Read:   readGemini,
	Answer: answerGemini,
}

var geminiEvents = []EventName{
	{BeforeToolUse, "BeforeTool"},
	{AfterToolUse, "AfterTool"},
	{PromptSubmit, "BeforeAgent"},
	{SessionStart, "SessionStart"},
	{SessionEnd, "SessionEnd"},
}

// detectGemini looks for what Gemini sets for hooks alone, not for the
// commands that its shell tool runs.
func detectGemini(in Input) bool { return in.Getenv("GEMINI_SESSION_ID") != "" }

func readGemini(in Input) (Question, error) {
	q := Question{Request: geminiRequest(in)}
	hook, err := object(in)
	if err != nil {
		return q, err
	}
	name, err := required(hook, "hook_event_name")
	if err != nil {
		return q, err
	}
	q.Event = eventNamed(geminiEvents, name)
	unread := q
	dir := ""
	switch q.Event {
	case None:
		switch name {
		case "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification":
			return Question{}, nil
		}
		err = hook.Get("hook_event_name").Errorf("unknown event %.80q", name)
	case BeforeToolUse, AfterToolUse:
		dir, err = geminiTool(&q, hook)
	case PromptSubmit:
		q.Prompt, err = optional(hook, "prompt")
	case SessionStart:
		q.Source, err = optional(hook, "source")
	}
	if err != nil {
		return unread, err
	}
	r := &q.Request
	if r.Cwd, err = optional(hook, "cwd"); err != nil {
		return unread, err
	}
	if r.Session, err = optional(hook, "session_id"); err != nil {
		return unread, err
	}
	if r.Cwd == "" {
		r.Cwd = in.Dir
	}
	if !path.IsAbs(r.Cwd) {
		return unread, hook.Get("cwd").Errorf("cwd %.80q is not an absolute path", r.Cwd)
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	if path.IsAbs(dir) {
		r.Cwd = path.Clean(dir)
	} else if dir != "" {
		r.Cwd = path.Join(r.Workspace, dir)
	}
	// Without a directory, a search is one of the project.
	switch q.Tool.Name {
	case "search_file_content", "grep_search":
		if q.Tool.Arg("dir_path") == "" && q.Tool.Arg("path") == "" {
			q.Tool.Args = append([]engine.ToolArg{{Name: "dir_path", Value: r.Workspace}}, q.Tool.Args...)
		}
	}
	return q, nil
}

// geminiRequest is what the hook's process tells of where something happens. The
// shell tool runs bash -c, whatever the user's shell is.
func geminiRequest(in Input) engine.Request {
	r := engine.Request{Host: "gemini", Home: in.Getenv("HOME"), Shell: "bash", Cwd: in.Dir}
	if dir := in.Getenv("GEMINI_PROJECT_DIR"); path.IsAbs(dir) {
		r.Workspace = dir
	}
	return r
}

// geminiTool reads which tool is used and what it is given; dir is where the
// shell tool runs its command, "" for the project's directory.
func geminiTool(q *Question, hook wire.Object) (dir string, err error) {
	if q.Tool.Name, err = required(hook, "tool_name"); err != nil {
		return "", err
	}
	shell := engine.ShellTool("gemini", q.Tool.Name)
	q.Shell = shell != nil
	input, err := hook.Get("tool_input").Object()
	switch {
	case !q.Shell:
		given(&q.Tool, hook.Get("tool_input"))
		q.Tool.Name = mcpName(q.Tool.Name, hook.Get("mcp_context"))
		return "", nil
	case hook.Get("tool_input").Kind() == "nothing":
		return "", missing("tool_input")
	case err != nil:
		return "", err
	}
	if q.Request.Command, err = required(input, shell.Commands[0]); err != nil {
		return "", err
	}
	for _, key := range shell.Dirs {
		if dir, err = optional(input, key); dir != "" || err != nil {
			return dir, err
		}
	}
	return "", nil
}

// mcpName is a tool's name as rules know it. Gemini gives the tools of MCP
// servers names that need not show whose they are, and tells that apart.
func mcpName(name string, context wire.Value) string {
	c, err := context.Object()
	if err != nil {
		return name
	}
	server, err := required(c, "server_name")
	if err != nil {
		return name
	}
	if tool, err := required(c, "tool_name"); err == nil {
		name = tool
	}
	return "mcp__" + server + "__" + name
}

func answerGemini(d policy.Decision, reason string) []byte {
	var out []byte
	switch d {
	case policy.Skip:
		return nil
	case policy.Allow:
		return []byte("{\"decision\":\"allow\"}\n")
	case policy.Block:
		out = append(out, `{"decision":"deny","reason":`...)
	default:
		out = append(out, `{"decision":"ask","systemMessage":`...)
	}
	return append(wire.AppendText(out, reason), "}\n"...)
}
