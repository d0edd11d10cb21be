package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPackagesAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sdk-tools.d.ts": "export interface TaskListInput {}\nexport interface NewShellInput {\n  /**\n   * A command: string;\n   */\n  bash_command?: string;\n  n: number;\n  cmds: string[];\n}\n" +
			"export interface GrepInput {\n  pattern: string;\n  ws?: {\n    command: string;\n  };\n}\nexport interface BashOutput {\n  command: string;\n}\n",
		"a.js": "var SHELL_TOOL_NAME = \"run_shell_command\";\nvar X_TOOL_NAME = \"x\"; var SHELL_TOOL_NAME = \"run_shell_command\";",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := func(list []tool, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, tool := range list {
			text += tool.name + "(" + strings.Join(tool.args, " ") + ")"
			if tool.runs {
				text += "!"
			}
		}
		return text
	}
	if got := shown(declared(dir)); got != "TaskList()NewShell(bash_command cmds)Grep()" {
		t.Error(got)
	}
	if got := shown(bundled(dir)); got != "run_shell_command()!x()" {
		t.Error(got)
	}
	for name, want := range map[string]bool{"Bash": true, "Monitor": true, "PowerShell": true, "Read": false} {
		if listed("claude", name) != want {
			t.Errorf("%s is listed: %v", name, !want)
		}
	}
	if !excluded("Workflow") || excluded("Bash") {
		t.Error("what is excluded is not what the rules say")
	}
}
