package install

import "time"

// The ways in which hooks are written down. Most agents have taken over Claude
// Code's, and each has its own unit of time and its own word for what happens
// when a hook fails. 15 seconds are longer than the hook takes at most.
func nested(entry string) *shape {
	return &shape{form: hooks, above: []string{"hooks"}, unit: time.Second,
		entry: `{$matcher"hooks": [` + entry + `]}`}
}

func claudeShape() *shape {
	s := nested(`{"type": "command", "command": $command, "timeout": $limit$closed}`)
	s.matcher, s.closed = `"matcher": "*", `, `, "onFailure": "block"`
	s.dialog = "PermissionRequest"
	return s
}

// milliseconds is Claude Code's without a matcher, which means all tools, and
// with milliseconds.
func milliseconds() *shape {
	s := nested(`{"type": "command", "command": $command, "timeout": 15000}`)
	s.unit, s.shell = time.Millisecond, true
	return s
}

func seconds() *shape {
	s := nested(`{"type": "command", "command": $command, "timeout": 15}`)
	s.shell = true
	return s
}

func versioned(entry string) *shape {
	return &shape{form: hooks, above: []string{"hooks"}, head: []member{{"version", "1"}}, unit: time.Second, entry: entry}
}

func agents() []*Agent {
	copilot := versioned(`{"type": "command", "bash": $command, "timeoutSec": 15}`)
	copilot.own, copilot.argument = true, true
	cursor := versioned(`{$matcher"command": $command, "timeout": 15$closed}`)
	cursor.closed = `, "failClosed": true`
	// Shell and MCP tools have events of their own, which hear a question: here
	// it would be a denial before that.
	cursor.matchers = []member{{"preToolUse", `"Write|Edit|Delete|Grep|Glob|LS|Task|WebFetch|WebSearch"`}}
	vscode := &shape{form: hooks, above: []string{"hooks"}, unit: time.Second, own: true, shell: true,
		entry: `{"type": "command", "command": $command, "timeout": 15}`}
	crush := &shape{form: hooks, above: []string{"hooks"}, unit: time.Second, shell: true,
		entry: `{"name": "bashgate", "command": $command, "timeout": 15}`}
	goose := nested(`{"type": "command", "command": $command, "timeout": 15$closed}`)
	goose.closed, goose.own = `, "on_failure": "block"`, true
	kiro2 := &shape{form: hooks, above: []string{"hooks"}, unit: time.Millisecond, matcher: `"matcher": "*", `,
		lower: true, entry: `{$matcher"command": $command, "timeout_ms": 15000}`}
	kiro3 := &shape{form: hooks, above: []string{"hooks"}, list: true, head: []member{{"version", `"v1"`}}, unit: time.Second, own: true,
		matcher: `"matcher": ".*", `,
		entry:   `{"name": "bashgate-$event", "trigger": "$event", $matcher"action": {"type": "command", "command": $command}, "timeout": 15, "enabled": true}`}
	windsurf := &shape{form: hooks, above: []string{"hooks"}, shell: true, entry: `{"command": $command, "show_output": false}`}
	antigravity := seconds()
	antigravity.above, antigravity.argument, antigravity.shell = []string{"bashgate"}, true, false // nobody says what starts it
	auggie := milliseconds()
	auggie.shell = false // it starts a program by its path
	droid := seconds()
	droid.matcher = `"matcher": "*", `
	droidFile := *droid
	droidFile.above = nil
	kimi := &shape{form: tables, unit: time.Second, shell: true, entry: "[[hooks]]\nevent = \"$event\"\ncommand = $command\ntimeout = 15\n"}

	// Other programs are called goose, pi and amp too.
	return []*Agent{
		{
			Host: "claude", Title: "Claude Code", Programs: []string{"claude"}, Signs: []string{"~/.claude"},
			Files: []File{
				{Scope: User, Path: "~/.claude/settings.json", shape: claudeShape()},
				{Scope: Project, Path: "./.claude/settings.json", shape: claudeShape()},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PermissionRequest", Decides},
				{"PostToolUse", Tool}, {"PostToolUseFailure", Tool}, {"PermissionDenied", Tool},
				{"UserPromptSubmit", Other}, {"SessionStart", Other}, {"SessionEnd", Other},
				{"SubagentStop", Other}, {"PreCompact", Other}, {"ConfigChange", Other},
			},
			Policy: "~/.claude/settings.json", ProjectPolicy: "./.claude/settings.json",
		},
		{
			Host: "gemini", Title: "Gemini CLI", Programs: []string{"gemini"}, Signs: []string{"~/.gemini/settings.json", "~/.gemini/google_accounts.json", "~/.gemini/tmp"},
			Files: []File{
				{Scope: User, Path: "~/.gemini/settings.json", shape: milliseconds()},
				{Scope: Project, Path: "./.gemini/settings.json", shape: milliseconds()},
			},
			Events: []Event{{"BeforeTool", Decides}, {"AfterTool", Tool}, {"BeforeAgent", Other}, {"SessionStart", Other}, {"SessionEnd", Other}, {"PreCompress", Other}},
			Policy: "~/.gemini/policies/bashgate.toml", PolicyAlways: true,
			Notes: []string{
				"inside an editor (gemini --acp) no hook fires: there the policy file decides; write it again when the rules change",
				"outside of Linux give --unattended for gemini -p, which waits for ever for the answer to a question",
			},
		},
		{
			Host: "codex", Title: "Codex CLI", Programs: []string{"codex"}, Signs: []string{"~/.codex"},
			Files: []File{
				{Scope: User, Path: "~/.codex/hooks.json", shape: seconds()},
				{Scope: Project, Path: "./.codex/hooks.json", shape: seconds()},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PermissionRequest", Decides}, {"PostToolUse", Tool},
				{"UserPromptSubmit", Other}, {"SessionStart", Other}, {"SubagentStop", Other}, {"PreCompact", Other},
			},
			Policy: "~/.codex/rules/bashgate.rules",
			Notes: []string{
				"Codex runs a hook only once it is trusted, and says nothing otherwise: start codex, type /hooks, and trust each of bashgate's; after every change of them again",
				"a hook can't make Codex ask: what bashgate would ask about is denied; --policy is for where the hook is not trusted, or off",
			},
		},
		{
			Host: "copilot", Title: "Copilot CLI", Programs: []string{"copilot"}, Signs: []string{"~/.copilot"},
			Files: []File{
				{Scope: User, Path: "~/.copilot/hooks/bashgate.json", shape: copilot},
				{Scope: Project, Path: "./.github/hooks/bashgate.json", shape: copilot},
			},
			Events: []Event{
				{"preToolUse", Decides}, {"permissionRequest", Decides}, {"postToolUse", Tool}, {"postToolUseFailure", Tool},
				{"userPromptSubmitted", Other}, {"sessionStart", Other}, {"sessionEnd", Other}, {"subagentStop", Other}, {"preCompact", Other},
			},
		},
		{
			Host: "vscode", Title: "VS Code", Programs: []string{"code", "code-insiders"}, Signs: []string{"~/.vscode", "~/.config/Code"},
			Files: []File{{Scope: Project, Path: "./.github/hooks/bashgate-vscode.json", shape: vscode}},
			Events: []Event{
				{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"PostToolUseFailure", Tool},
				{"UserPromptSubmit", Other}, {"SessionStart", Other}, {"SessionEnd", Other}, {"SubagentStop", Other}, {"PreCompact", Other},
			},
			Notes: []string{"VS Code starts the hooks of Claude Code's and Copilot CLI's settings too: where these are wired, it needs none of its own"},
		},
		{
			Host: "cursor", Title: "Cursor", Programs: []string{"cursor", "cursor-agent"}, Signs: []string{"~/.cursor"},
			Files: []File{
				{Scope: User, Path: "~/.cursor/hooks.json", shape: cursor},
				{Scope: Project, Path: "./.cursor/hooks.json", shape: cursor},
			},
			Events: []Event{
				{"beforeShellExecution", Decides}, {"beforeMCPExecution", Decides}, {"beforeReadFile", Decides}, {"preToolUse", Decides},
				{"afterShellExecution", Tool}, {"afterMCPExecution", Tool}, {"afterFileEdit", Tool}, {"postToolUse", Tool}, {"postToolUseFailure", Tool},
				{"beforeSubmitPrompt", Other}, {"sessionStart", Other}, {"sessionEnd", Other}, {"subagentStop", Other}, {"preCompact", Other},
				// beforeTabFileRead fires at each completion of a line, which no agent asked for.
			},
			Policy: "~/.cursor/cli-config.json", ProjectPolicy: "./.cursor/cli.json",
		},
		{
			Host: "qwen", Title: "Qwen Code", Programs: []string{"qwen"}, Signs: []string{"~/.qwen"},
			Files: []File{
				{Scope: User, Path: "~/.qwen/settings.json", shape: milliseconds()},
				{Scope: Project, Path: "./.qwen/settings.json", shape: milliseconds()},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PermissionRequest", Decides},
				{"PostToolUse", Tool}, {"PostToolUseFailure", Tool}, {"PermissionDenied", Tool},
				{"UserPromptSubmit", Other}, {"SessionStart", Other}, {"SessionEnd", Other}, {"SubagentStop", Other}, {"PreCompact", Other},
			},
			Policy: "~/.qwen/settings.json", ProjectPolicy: "./.qwen/settings.json",
		},
		{
			Host: "opencode", Title: "opencode", Programs: []string{"opencode"}, Signs: []string{"~/.config/opencode"},
			Files: []File{
				{Scope: User, Path: "~/.config/opencode/plugin/bashgate.js", shape: &shape{form: text, entry: opencodeShim}},
				{Scope: Project, Path: "./.opencode/plugin/bashgate.js", shape: &shape{form: text, entry: opencodeShim}},
			},
			Policy: "~/.config/opencode/opencode.json", ProjectPolicy: "./opencode.json",
			Notes: []string{"a plugin can't make opencode ask: what bashgate would ask about is denied"},
		},
		{
			Host: "kilo", Title: "Kilo", Programs: []string{"kilo", "kilocode"}, Signs: []string{"~/.config/kilo"},
			Files: []File{
				{Scope: User, Path: "~/.config/kilo/plugin/bashgate.js", shape: &shape{form: text, entry: opencodeShim}},
				{Scope: Project, Path: "./.kilo/plugin/bashgate.js", shape: &shape{form: text, entry: opencodeShim}},
			},
			Notes: []string{"a plugin can't make Kilo ask: what bashgate would ask about is denied"},
		},
		{
			Host: "pi", Title: "pi", Signs: []string{"~/.pi"},
			Files: []File{
				{Scope: User, Path: "~/.pi/agent/extensions/bashgate.js", shape: &shape{form: text, entry: piShim}},
				{Scope: Project, Path: "./.pi/extensions/bashgate.js", shape: &shape{form: text, entry: piShim}},
			},
		},
		{
			Host: "cline", Title: "Cline", Programs: []string{"cline"}, Signs: []string{"~/.cline", "~/Documents/Cline"},
			Files: []File{
				{Scope: User, Path: "~/.cline/hooks/$event", If: "~/.cline", shape: &shape{form: text, entry: clineScript, closed: clineClosed, program: true}},
				{Scope: User, Path: "~/Documents/Cline/Hooks/$event", If: "~/Documents/Cline", shape: &shape{form: text, entry: clineScript, closed: clineClosed, program: true}},
				{Scope: Project, Path: "./.clinerules/hooks/$event", shape: &shape{form: text, entry: clineScript, closed: clineClosed, program: true}},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"UserPromptSubmit", Other},
				{"TaskStart", Other}, {"TaskResume", Other}, {"TaskComplete", Other}, {"TaskCancel", Other}, {"PreCompact", Other},
			},
			Notes: []string{"Cline asks nobody for a hook, and ends its run when one denies"},
		},
		{
			Host: "crush", Title: "Crush", Programs: []string{"crush"}, Signs: []string{"~/.config/crush"},
			Files: []File{
				{Scope: User, Path: "~/.config/crush/crush.json", shape: crush},
				{Scope: Project, Path: "./.crush.json", If: "./.crush.json", shape: crush},
				{Scope: Project, Path: "./crush.json", If: "./crush.json", shape: crush},
			},
			// Versions that don't know the others pass over them.
			Events: []Event{{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"PostToolUseFailure", Tool}, {"SessionEnd", Other}, {"PreCompact", Other}},
			Notes:  []string{"no hook fires for Crush's sub-agents"},
		},
		{
			Host: "goose", Title: "goose", Signs: []string{"~/.config/goose"},
			Files: []File{
				{Scope: User, Path: "~/.agents/plugins/bashgate/hooks/hooks.json", shape: goose},
				{Scope: User, Path: "~/.agents/plugins/bashgate/plugin.json", shape: &shape{form: text, entry: goosePlugin, fixed: true}},
				{Scope: Project, Path: "./.agents/plugins/bashgate/hooks/hooks.json", shape: goose},
				{Scope: Project, Path: "./.agents/plugins/bashgate/plugin.json", shape: &shape{form: text, entry: goosePlugin, fixed: true}},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"PostToolUseFailure", Tool},
				{"UserPromptSubmit", Other}, {"SessionEnd", Other},
			},
		},
		{
			Host: "kimi", Title: "Kimi", Programs: []string{"kimi"}, Signs: []string{"~/.kimi", "~/.kimi-code"},
			Files: []File{
				{Scope: User, Path: "~/.kimi/config.toml", If: "~/.kimi", shape: kimi},
				{Scope: User, Path: "~/.kimi-code/config.toml", If: "~/.kimi-code", shape: kimi},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"PostToolUseFailure", Tool},
				{"UserPromptSubmit", Other}, {"SessionStart", Other}, {"SessionEnd", Other}, {"SubagentStop", Other}, {"PreCompact", Other},
			},
		},
		{
			// A droid of version 0.186 does not read hooks.json; one that does
			// ignores the settings' hooks where there is one.
			Host: "droid", Title: "Droid", Programs: []string{"droid"}, Signs: []string{"~/.factory"},
			Files: []File{
				{Scope: User, Path: "~/.factory/settings.json", shape: droid},
				{Scope: User, Path: "~/.factory/hooks.json", If: "~/.factory/hooks.json", shape: &droidFile},
				{Scope: Project, Path: "./.factory/settings.json", shape: droid},
				{Scope: Project, Path: "./.factory/hooks.json", If: "./.factory/hooks.json", shape: &droidFile},
			},
			Events: []Event{
				{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"UserPromptSubmit", Other},
				{"SessionStart", Other}, {"SessionEnd", Other}, {"SubagentStop", Other}, {"PreCompact", Other},
			},
			Policy: "~/.factory/settings.json",
		},
		{
			Host: "kiro", Title: "Kiro CLI", Programs: []string{"kiro-cli"}, Signs: []string{"~/.kiro"},
			Files: []File{
				{Scope: User, Path: "~/.kiro/hooks/bashgate.json", shape: kiro3},
				{Scope: User, Path: "~/.kiro/agents/*.json", shape: kiro2},
				{Scope: Project, Path: "./.kiro/hooks/bashgate.json", shape: kiro3},
				{Scope: Project, Path: "./.kiro/agents/*.json", shape: kiro2},
			},
			Events: []Event{{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"UserPromptSubmit", Other}},
			Notes:  []string{"Kiro CLI 2 knows hooks of its own agents' files only: its built-in agent has none"},
		},
		{
			Host: "windsurf", Title: "Windsurf", Programs: []string{"windsurf"}, Signs: []string{"~/.codeium/windsurf"},
			Files: []File{
				{Scope: User, Path: "~/.codeium/windsurf/hooks.json", shape: windsurf},
				{Scope: Project, Path: "./.windsurf/hooks.json", shape: windsurf},
			},
			Events: []Event{
				{"pre_run_command", Decides}, {"pre_mcp_tool_use", Decides}, {"pre_read_code", Decides}, {"pre_write_code", Decides},
				{"post_run_command", Tool}, {"post_mcp_tool_use", Tool}, {"post_read_code", Tool}, {"post_write_code", Tool}, {"pre_user_prompt", Other},
			},
		},
		{
			Host: "amp", Title: "Amp", Signs: []string{"~/.config/amp"},
			Files: []File{
				{Scope: User, Path: "~/.config/amp/plugins/bashgate.ts", shape: &shape{form: text, entry: ampShim}},
				{Scope: Project, Path: "./.amp/plugins/bashgate.ts", shape: &shape{form: text, entry: ampShim}},
			},
			Policy: "~/.config/amp/settings.json",
			Notes:  []string{"a plugin can't make Amp ask: what bashgate would ask about is denied"},
		},
		{
			Host: "auggie", Title: "Auggie", Programs: []string{"auggie"}, Signs: []string{"~/.augment"},
			Files: []File{
				{Scope: User, Path: "~/.augment/settings.json", shape: auggie},
				{Scope: Project, Path: "./.augment/settings.json", shape: auggie},
			},
			Events: []Event{{"PreToolUse", Decides}, {"PostToolUse", Tool}, {"SessionEnd", Other}},
		},
		{
			Host: "antigravity", Title: "Antigravity", Programs: []string{"agy", "antigravity"}, Signs: []string{"~/.gemini/antigravity-cli", "~/.gemini/antigravity"},
			Files:  []File{{Scope: User, Path: "~/.gemini/config/hooks.json", shape: antigravity}},
			Events: []Event{{"PreToolUse", Decides}},
			Policy: "~/.gemini/antigravity-cli/settings.json", Target: "agy",
		},
		// Zed and Roo Code have no hooks: export writes their rules.
	}
}
