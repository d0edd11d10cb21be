package export

import (
	"strings"
	"testing"
)

// What an engine would drop or misread is said beforehand.
func TestCheck(t *testing.T) {
	const rest = "[[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = '\"command\":'\ndecision = \"ask_user\"\npriority = 1\n"
	gemini := func(key, value string) string {
		lines := map[string]string{"toolName": `"run_shell_command"`, "argsPattern": "'x'", "decision": `"allow"`, "priority": "100"}
		lines[key] = value
		text := "[[rule]]\n"
		for _, k := range []string{"toolName", "argsPattern", "commandPrefix", "decision", "priority"} {
			if lines[k] != "" {
				text += k + " = " + lines[k] + "\n"
			}
		}
		return text + rest
	}
	tests := []struct{ target, text, want string }{
		{"gemini", gemini("priority", "100"), ""},
		{"gemini", gemini("priority", "1000"), "file:5:1: the priority 1000 is not from 0 to 999"},
		{"gemini", gemini("priority", "1.5"), "the priority 1.5"},
		{"gemini", gemini("priority", ""), `a rule has no "priority"`},
		{"gemini", gemini("decision", `"ask"`), "is not one of allow, ask_user and deny"},
		{"gemini", gemini("commandPrefix", `""`), "an empty prefix matches every command"},
		{"gemini", gemini("argsPattern", "'"+strings.Repeat("x", 2049)+"'"), "a pattern of 2049 characters"},
		{"gemini", gemini("argsPattern", "'(?:a|b)*'"), "a repeated group"},
		{"gemini", gemini("argsPattern", "'(?:a|b)(?=x)'"), ""},
		{"gemini", gemini("argsPattern", "'x"), "a text does not end where it should"},
		{"gemini", "[[rules]]\n" + rest, "not what an export writes"},
		{"gemini", "", "no rule"},
		{"gemini", strings.ReplaceAll(gemini("priority", "100"), "\"command\":", "x"), "the rule for everything else is missing"},

		{"codex", `prefix_rule(pattern = ["x"], decision = "forbidden")` + "\n", ""},
		{"codex", `prefix_rule(pattern = ["x"])` + "\n", "a rule without a decision allows"},
		{"codex", `prefix_rule(pattern = [], decision = "prompt")` + "\n", "an empty pattern"},
		{"codex", `prefix_rule(pattern = ["x"], decision = "prompt", justification = "")` + "\n", "an empty justification"},
		{"codex", "import os\n", "not what an export writes"},
		{"codex", "# nothing\n", "no rule"},

		{"claude", `{"permissions": {"deny": ["Bash(x)"]}}`, ""},
		{"claude", `{"permissions": {"deny": ["Bash()"]}}`, "an empty rule, which means everything"},
		{"claude", `{"permissions": {"deny": ["Bash(:*)"]}}`, "an empty rule, which means everything"},
		{"claude", `{"permissions": {"deny": [{}]}}`, "something else than texts"},
		{"claude", `{"permissions": {"deny": []}}`, "no rule"},
		{"claude", `{}`, `"permissions" is missing`},
		{"claude", `[]`, "not an object"},
		{"claude", `{`, "unexpected EOF"},
		{"claude", `{"permissions": {"deny": ["Bash(` + strings.Repeat("x", claudeLimit) + `)"]}}`, "2097152 are the limit"},

		{"opencode", `{"permission": {"bash": {"*": "ask", "x": "allow"}}}`, ""},
		{"opencode", `{"permission": {"bash": {"x": "allow", "*": "ask"}}}`, ""},
		{"opencode", `{"permission": {"bash": {"*": "ask", "x": "allow", "*": "allow"}}}`, `"*": "ask" is missing`},
		{"opencode", `{"permission": {"bash": {"x": "ask"}}}`, `"*": "ask" is missing`},
		{"opencode", `{"permission": {"bash": {"*": "ask", "x": "no"}}}`, `"x" is "no"`},
		{"opencode", `{"permission": "ask"}`, `"permission.bash" is missing`},

		{"amp", `{"amp.permissions": [{"tool": "Bash", "action": "ask"}]}`, ""},
		{"amp", `{"amp.permissions": [{"tool": "Bash", "matches": {"cmd": "x"}, "action": "ask"}]}`, "no entry asks about everything else"},
		{"amp", `{"amp.permissions": ["x"]}`, "an entry is not an object"},
		{"amp", `{}`, "is missing"},

		{"zed", `{"agent": {"tool_permissions": {"tools": {"terminal": {"default": "allow"}}}}}`, "the default is not to confirm"},
		{"zed", `{"agent": {"tool_permissions": {"tools": {"terminal": {"default": "confirm"}}}}}`, "always_deny is missing"},
		{"zed", `{}`, "the terminal has no permissions"},

		{"vscode", `{"chat.tools.terminal.autoApprove": {"/^x$/": true}}`, "VS Code's own rules are in force too"},
		{"vscode", `{"chat.tools.terminal.ignoreDefaultAutoApproveRules": true, "chat.tools.terminal.autoApprove": {"/^x$/": true}}`, "npm scripts unasked"},
		{"vscode", `{"chat.tools.terminal.ignoreDefaultAutoApproveRules": true, "chat.tools.terminal.autoApproveWorkspaceNpmScripts": false, "chat.tools.terminal.autoApprove": {"/^x/": {"approve": true, "matchCommandLine": true}}}`, "something else than a whole line"},
		{"vscode", `{}`, "no rule"},

		{"copilot", "#!/bin/sh\nexec copilot \\\n  --deny-tool 'shell(x)' \\\n  \"$@\"\n", ""},
		{"copilot", "#!/bin/sh\nexec copilot \\\n  --allow-all-tools \\\n  \"$@\"\n", "not what an export writes"},
		{"copilot", "#!/bin/sh\n", "no rule"},
		{"copilot", "#!/bin/sh\nexec copilot \\\n  --allow-tool 'shell(x)' \\\n  \"$@\"\n", "not what an export writes"},
		{"droid", `{"permissionRules": {"version": 1, "rules": [{"id": "a"}, {"id": "b"}]}}`, ""},
		{"droid", `{"permissionRules": {"version": 2, "rules": [{"id": "a"}]}}`, "is not 1"},
		{"droid", `{"permissionRules": {"version": 1, "rules": [{"id": "a"}, {"id": "a"}]}}`, `two rules are called "a"`},
		{"droid", `{"permissionRules": {"version": 1, "rules": [{"decision": "ask"}]}}`, "a rule without an id"},
		{"droid", `{"permissionRules": {"version": 1, "rules": []}}`, "no rule"},
	}
	for _, tt := range tests {
		err := Find(tt.target).Check([]byte(tt.text), "file")
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v\nof %.300s", tt.target, err, tt.text)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: complains %v, want %q\nof %.300s", tt.target, err, tt.want, tt.text)
		}
	}
}

// FuzzMerge puts rules into files that anybody may have written.
func FuzzMerge(f *testing.F) {
	f.Add("claude", `{"permissions": {"allow": ["Bash(x)"]}}`)
	f.Add("opencode", "// x\n{\"permission\": {\"bash\": {\"*\": \"allow\",}}}")
	f.Add("amp", `{"amp.permissions": [1, {}, {"tool": "Bash", "matches": {"cmd": ": bashgate ends"}, "action": "ask"}]}`)
	f.Add("zed", `{"agent": []}`)
	f.Add("vscode", `{"chat.tools.terminal.autoApprove": {": bashgate begins": null}}`)
	rules := Collect(small(f), false)
	f.Fuzz(func(t *testing.T, name, existing string) {
		target := Find(name)
		if target == nil || !target.Merges {
			return
		}
		merged, err := target.Merge(rules, Options{}, []byte(existing))
		if err != nil {
			return
		}
		again, err := target.Merge(rules, Options{}, merged.Text)
		if err != nil {
			t.Fatalf("merged once, it can't be merged again: %v\n%s", err, merged.Text)
		}
		if string(again.Text) != string(merged.Text) {
			t.Errorf("a second time changes it:\n%s\n%s", merged.Text, again.Text)
		}
	})
}

// FuzzCheck reads files that anybody may have written.
func FuzzCheck(f *testing.F) {
	rules := Collect(small(f), false)
	for _, target := range Targets() {
		f.Add(target.Name, string(target.Export(rules, Options{}).Text))
	}
	f.Add("gemini", "[[rule]]\ndecision = ")
	f.Add("droid", `{"permissionRules": {"version": 1, "rules": [1]}}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		target := Find(name)
		if target == nil {
			return
		}
		if err := target.Check([]byte(text), "file"); err != nil && !strings.HasPrefix(err.Error(), "file") {
			t.Errorf("an error without the file: %v", err)
		}
	})
}
