package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// given is what a tool is given: "command=ls" for each.
func given(name string, args ...string) Tool {
	t := Tool{Name: name}
	for _, a := range args {
		arg, value, _ := strings.Cut(a, "=")
		t.Args = append(t.Args, ToolArg{arg, value})
	}
	return t
}

// TestToolCommands: what nobody knows is judged as the shell where it is given
// a command. It is never allowed for that.
func TestToolCommands(t *testing.T) {
	e := New(Options{Files: new(disk.Memory)})
	inner := func(name, arg string, inner ...Tool) Tool {
		return Tool{Name: name, Others: []string{arg}, Inner: inner}
	}
	for _, row := range []struct {
		tool Tool
		want policy.Decision
		id   string
	}{
		{given("mcp__x__run", "command=ls -la"), policy.Skip, ""},
		{given("mcp__x__run", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=rm -rf src"), policy.Ask, "files.rm-tree"},
		{given("mcp__x__run", "cmd=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "script=ls\nrm -rf /\n"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "shell_command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "commands=ls", "commands=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "commands=git status", "commands=ls -la"), policy.Skip, ""},
		{given("mcp__x__run", "commands=cd /", "commands=rm -rf *"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "commands=cd /tmp/x", "commands=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=bash", "command=-lc", "command=git status && ls"), policy.Skip, ""},
		{given("mcp__x__run", "command=bash", "command=-lc", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=ls", "command=; rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=ls", "command=x; y"), policy.Skip, ""},
		{given("mcp__x__run", "command=rm", "args=-rf", "args=/"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=rm", "args=-rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=git", "args=status"), policy.Skip, ""},
		{given("mcp__x__run", "command=bash", "arguments=-c", "arguments=frobnicate"), policy.Ask, "unknown-command"},
		{given("mcp__x__run", "command=rm -rf *", "cwd=/"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "command=cat .env"), policy.Ask, "paths.secret-env"},
		{given("mcp__x__run", "command="), policy.Skip, ""},
		{given("mcp__x__run", "query=rm -rf /"), policy.Skip, ""},
		{given("NewTool", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("run_shell_command", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("exec_command", "cmd=rm -rf /"), policy.Block, "paths.system-root"},
		{given("write_stdin", "chars=rm -rf /\n"), policy.Block, "paths.system-root"},
		{given("send_command_input", "Input=rm -rf /\n"), policy.Block, "paths.system-root"},
		{given("run_command", "CommandLine=rm -rf /"), policy.Block, "paths.system-root"},
		{given("run_command", "CommandLine=rm -rf *", "Cwd=/"), policy.Block, "paths.system-root"},
		{given("Write", "file_path=/w/x", "content=rm -rf /"), policy.Skip, ""},
		{given("Write", "file_path=/w/x", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("str_replace_based_edit_tool", "command=create", "path=/w/x"), policy.Skip, ""},
		{given("Workflow", "script=export const meta = {}"), policy.Skip, ""},
		{given("task", "command=/review", "prompt=look"), policy.Skip, ""},
		{given("todo_list", "command=create"), policy.Skip, ""},
		{given("knowledge", "command=show"), policy.Skip, ""},
		{given("knowledge", "command=add", "name=keys", "value=~/.ssh/id_rsa"), policy.Ask, "paths.secret-key"},
		{given("use_subagent", "command=ListAgents"), policy.Skip, ""},
		{given("session", "command=show"), policy.Skip, ""},
		{given("session", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("attempt_completion", "result=done", "command=rm -rf ~"), policy.Block, "paths.system-root"},
		{given("mcp__x__session", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("attempt_completion", "result=done", "command=open index.html"), policy.Skip, ""},
		{given("write_to_file", "TargetFile=/home/u/.gemini/antigravity/brain/1/task.md"), policy.Skip, ""},
		{given("write_to_file", "TargetFile=/home/u/.gemini/antigravity/x.json"), policy.Ask, "paths.agent"},
		{given("apply_patch", "command=*** Begin Patch\n*** Add File: /w/x\n+rm -rf /\n*** End Patch\n"), policy.Skip, ""},
		{given("apply_patch", "command=*** Begin Patch\n*** Add File: /w/.codex/hooks.json\n+{}\n*** End Patch\n"), policy.Block, "own.hooks"},
		{given("apply_patch", "command=*** Begin Patch\n*** Delete File: /etc/passwd\n*** End Patch\n"), policy.Ask, "paths.system"},
		{given("editor", "path=/w/../x/.git/hooks/pre-commit", "new_text=x"), policy.Ask, "paths.git-hooks"},
		{given("apply_patch", "command=rm -rf /"), policy.Ask, "patch.unreadable"},
		{inner("local_shell", "action", given("", "command=bash", "command=-c", "command=rm -rf /")), policy.Block, "paths.system-root"},
		{inner("local_shell", "action", given("", "command=rm", "command=-rf", "command=.", "working_directory=/")), policy.Block, "paths.system-root"},
		{inner("Batch", "calls", given("", "tool=Bash"), inner("", "input", given("", "command=rm -rf /"))), policy.Block, "paths.system-root"},
		{inner("Batch", "calls", given("", "command=ls")), policy.Skip, ""},
		{given("PowerShell", "command=Get-ChildItem"), policy.Ask, "tool.language"},
		{given("PowerShell", "command=ls"), policy.Ask, "tool.language"},
		{given("PowerShell", "command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("powershell", "command=ls"), policy.Ask, "tool.language"},
		{given("execute_cmd", "command=dir"), policy.Ask, "tool.language"},
		{given("mcp__x__run", "terminal_command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "executable=rm", "arguments=-rf", "arguments=/"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "executable=rm", "argv=-rf", "argv=/"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "executable=git", "args=status"), policy.Skip, ""},
		{inner("mcp__x__run", "command", given("", "executable=rm", "args=-rf", "args=/")), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "powershell=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__desktop-commander__interact_with_process", "pid=1", "input=rm -rf /\n"), policy.Block, "paths.system-root"},
		{given("mcp__tmux__send_keys", "keys=rm -rf / Enter"), policy.Block, "paths.system-root"},
		{given("mcp__tmux__send-keys", "keys=Up", "keys=Enter"), policy.Ask, "tool.language"},
		{given("mcp__tmux__send_keys", "keys=ls"), policy.Ask, "tool.language"},
		// Words that others mean other things by.
		{given("mcp__selenium__send_keys", "by=id", "value=name", "text=rm -rf"), policy.Skip, ""},
		{given("mcp__x__open", "shell=bash", "input=rm -rf src", "keys=a", "text=rm -rf src", "program=news"), policy.Skip, ""},
		// What types keys may type another line than stands there.
		{given("write_bash", "input=echo hi{enter}rm x{enter}"), policy.Ask, "tool.language"},
		{given("write_bash", "input=echo {up}{enter}"), policy.Ask, "tool.language"},
		{given("write_bash", "input=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "Command=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "CMD=rm -rf *", "CWD=/"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "language=bash", "code=rm -rf /"), policy.Block, "paths.system-root"},
		{given("mcp__x__run", "code=print(1)"), policy.Skip, ""},
		{given("BashOutput", "bash_id=1"), policy.Skip, ""},
		{given("KillShell", "shell_id=1"), policy.Skip, ""},
		{inner("Monitor", "ws", given("", "url=wss://169.254.169.254/x")), policy.Ask, "hosts.metadata"},
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Host: "claude"}, row.tool)
		id := ""
		if v.Decision > policy.Allow {
			id = v.Reasons[0].ID
		}
		if v.Decision != row.want || id != row.id {
			t.Errorf("%+v: %v (%s, %s), want %v (%s)", row.tool, v.Decision, id, v.Reason, row.want, row.id)
		}
	}
}

// TestToolTyped: what is typed joins what stands in the terminal already, so
// that nothing of it is understood; but answers to prompts are everyday.
func TestToolTyped(t *testing.T) {
	e := New(Options{Files: new(disk.Memory)})
	for _, tool := range [...][2]string{
		{"write_stdin", "chars"}, {"write_bash", "input"}, {"write-process", "input_text"}, {"send_command_input", "Input"},
		{"send_to_terminal", "command"}, {"mcp__tmux__send_keys", "keys"}, {"mcp__desktop-commander__interact_with_process", "input"},
	} {
		for text, want := range map[string]policy.Decision{
			"": policy.Skip, "\n": policy.Skip, "y": policy.Skip, "y\n": policy.Skip, "N\r\n": policy.Skip, "yes\r": policy.Skip, "no\n": policy.Skip,
			"q": policy.Skip, "12\n": policy.Skip, "\x03": policy.Skip, "\x04": policy.Skip, "\x03\x03": policy.Skip, "y{enter}": policy.Skip, "{enter}": policy.Skip,
			"find . -name x": policy.Ask, "echo -o -exec rm -rf {} +\n": policy.Ask, "ls\n": policy.Ask, "xargs ": policy.Ask, "y; ls\n": policy.Ask, "y\nls\n": policy.Ask,
			"\x10\n": policy.Ask, "\x1b[A\n": policy.Ask, "\x03ls\n": policy.Ask, "{up}{enter}": policy.Ask, "y ": policy.Ask, "-1\n": policy.Ask,
			"rm -rf /\n": policy.Block,
		} {
			v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, given(tool[0], tool[1]+"="+text))
			if v.Decision != want {
				t.Errorf("%s %q: %v (%s), want %v", tool[0], text, v.Decision, v.Reason, want)
			}
		}
	}
	two := given("write_stdin", "chars=y\n", "input=ls\n")
	if v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, two); v.Decision != policy.Ask {
		t.Errorf("an answer beside a command: %v", v.Decision)
	}
}

// TestToolIsShell: under any name, a tool with a command is asked about and
// denied what the shell is, over the examples of all rules.
func TestToolIsShell(t *testing.T) {
	e := New(Options{Files: new(disk.Memory)})
	r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}
	for i, line := range [...]string{
		"ls", "git status", "git push", "git push --force", "npm install x", "cat ~/.ssh/id_rsa", "curl https://example.com", "curl x | sh", "frobnicate", "f() { rm x; }; f",
		"echo $(", "", "# x", "x=1", "mkfs /dev/sda", "sudo reboot", "make test", "python3 -c 'print(1)'", "echo x > /etc/passwd", "rm -rf ~", "cd .. && rm -rf *", "docker run x", "ssh h ls",
	} {
		r.Command = line
		shell := e.Evaluate(r)
		for _, tool := range [...]Tool{given("mcp__a__b", "command="+line), given("Some", "cmd="+line), given("shell", "script="+line), {Name: "x", Others: []string{"y"}, Inner: []Tool{given("", "commands="+line)}}} {
			v := e.EvaluateTool(r, tool)
			if line != "" && max(v.Decision, policy.Allow) != shell.Decision || v.Decision == policy.Allow || line != "" && v.CommandReach != shell.Reach {
				t.Errorf("%d: %+v: %v reach %v, the shell %v reach %v", i, tool, v.Decision, v.CommandReach, shell.Decision, shell.Reach)
			}
		}
	}
}

// TestToolCommandsAllowed: who allows a tool with open eyes is not asked about
// what it runs. A block stands.
func TestToolCommandsAllowed(t *testing.T) {
	const mine = `
[[tools]]
id = "mine.named"
name = "mcp__dev__run"
decision = "allow"

[[tools]]
id = "mine.server"
server = "box"
tool = ["exec", "read_*"]
decision = "allow"

[[tools]]
id = "mine.wide"
server = "wide"
decision = "allow"

[[tools]]
id = "mine.data"
server = "chat"
args = { command = "data" }
decision = "allow"

[[tools]]
id = "mine.powershell"
name = "PowerShell"
decision = "allow"

[[tools]]
id = "mine.script"
name = "mcp__my__sh"
args = { command = "script" }
decision = "allow"
`
	deny := settings.Of([]settings.Rule{
		{Tool: settings.Shell, Decision: policy.Block, Pattern: "curl *", Scope: settings.User},
		{Tool: settings.Shell, Decision: policy.Allow, Pattern: "frobnicate *", Scope: settings.User},
	})
	user, project := New(Options{User: ownRules(t, ruleset.User, mine)}), New(Options{Project: ownRules(t, ruleset.Project, "[[tools]]\nid = \"p\"\nname = \"mcp__dev__run\"\nargs = { command = \"data\" }\ndecision = \"ask\"\nreason = \"x\"\n")})
	for _, row := range []struct {
		engine *Engine
		tool   string
		line   string
		want   policy.Decision
	}{
		{user, "mcp__dev__run", "frobnicate x", policy.Allow},
		{user, "mcp__dev__run", "git push", policy.Allow},
		{user, "mcp__dev__run", "rm -rf /", policy.Block},
		{user, "mcp__dev__run", "curl x", policy.Block},
		{user, "mcp__dev__run", "ls", policy.Allow},
		{user, "mcp__box__exec", "git push", policy.Allow},
		{user, "mcp__Box__exec", "git push", policy.Allow},
		{user, "mcp__box__read_x", "git push", policy.Ask},
		{user, "mcp__wide__exec", "git push", policy.Ask},
		{user, "mcp__wide__exec", "ls", policy.Allow},
		{user, "mcp__chat__say", "hello there", policy.Allow},
		{user, "mcp__chat__say", "rm -rf /", policy.Block},
		{user, "mcp__my__sh", "git push", policy.Ask},
		{user, "mcp__my__sh", "ls", policy.Allow},
		{user, "PowerShell", "Get-ChildItem", policy.Allow},
		{user, "PowerShell", "rm -rf /", policy.Block},
		{user, "mcp__other__run", "frobnicate x", policy.Ask},
		{project, "mcp__dev__run", "git push", policy.Ask},
		{project, "mcp__other__run", "git push", policy.Ask},
	} {
		r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Settings: deny}
		if v := row.engine.EvaluateTool(r, given(row.tool, "command="+row.line)); v.Decision != row.want {
			t.Errorf("%s %s: %v (%s), want %v", row.tool, row.line, v.Decision, v.Reason, row.want)
		}
	}
}
