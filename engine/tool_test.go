package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// ownRules compiles a rule file of a user or a project.
func ownRules(t testing.TB, layer ruleset.Layer, text string) []*interp.Rules {
	t.Helper()
	if text == "" {
		return nil
	}
	gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load("mine.toml", []byte(text), layer)}, ruleset.Known{})
	if err != nil {
		t.Fatal(err)
	}
	return []*interp.Rules{interp.New(gates)}
}

// use is a tool's use as rows write it: "Write file_path=/w/a content=x". Of
// @ARG the value is no text.
func use(text string) Tool {
	name, rest, _ := strings.Cut(text, " ")
	t := Tool{Name: name}
	for arg := range strings.FieldsSeq(rest) {
		if other, ok := strings.CutPrefix(arg, "@"); ok {
			t.Others = append(t.Others, other)
			continue
		}
		name, value, _ := strings.Cut(arg, "=")
		t.Args = append(t.Args, ToolArg{name, strings.ReplaceAll(value, `\n`, "\n")})
	}
	return t
}

// toolDisk is the disk of the tests of tools.
func toolDisk() *disk.Memory {
	files := new(disk.Memory)
	files.Mkdir("/w/src")
	files.WriteFile("/w/src/main.go", "package main")
	files.WriteFile("/home/u/.ssh/id_ed25519", "key")
	files.Symlink("/home/u/.ssh/id_ed25519", "/w/notes.txt")
	files.Symlink("/etc", "/w/conf")
	files.Mkdir("/home/u/.claude/plans")
	files.Symlink("/home/u/.bashrc", "/home/u/.claude/plans/link.md")
	files.Mkdir("/home/u/dotfiles/bashgate")
	files.Symlink("/home/u/dotfiles/bashgate", "/home/u/.config/bashgate")
	return files
}

// TestTools: what tools are given, met with the rules about places and
// machines. The id is that of the first reason.
func TestTools(t *testing.T) {
	e := New(Options{Files: toolDisk()})
	for _, row := range []struct {
		use, mode string
		want      policy.Decision
		id        string
	}{
		// Ordinary work is the agent's own business.
		{"Read file_path=/w/src/main.go", "", policy.Skip, ""},
		{"Read file_path=src/main.go", "", policy.Skip, ""},
		{"Read file_path=/usr/include/stdio.h", "", policy.Skip, ""},
		{"Write file_path=/w/src/new.go content=x", "", policy.Skip, ""},
		{"Edit file_path=/w/src/main.go", ModePlan, policy.Skip, ""},
		{"MultiEdit file_path=/w/a @edits", "", policy.Skip, ""},
		{"NotebookEdit notebook_path=/w/a.ipynb", "", policy.Skip, ""},
		{"Write file_path=/lib2/a", "", policy.Skip, ""},
		{"Write file_path=/scratch/a", "", policy.Skip, ""},
		{"Write file_path=/w/.claude/worktrees/fix/src/a.go", "", policy.Skip, ""},
		{"Grep pattern=x path=/w", "", policy.Skip, ""},
		{"Grep pattern=x path=/w glob=*.{ts,tsx}", "", policy.Skip, ""},
		{"rg pattern=x path=/w glob=*.{ts,tsx}", "", policy.Skip, ""},
		{"create_directory dirPath=/w/src/new", "", policy.Skip, ""},
		{"Grep pattern=x path=/w glob=**/*.ts", "", policy.Skip, ""},
		{"Grep pattern=x glob=**/*test*", "", policy.Skip, ""},
		{"Grep pattern=x path=/w/src glob=!**/.env", "", policy.Skip, ""},
		{"Glob pattern=**/*.go", "", policy.Skip, ""},
		{"LS path=/home/u", "", policy.Skip, ""},
		{"WebFetch url=https://example.org", "", policy.Skip, ""},
		{"TodoWrite @todos", "", policy.Skip, ""},
		{"apply_patch input=***\u00a0x", "", policy.Ask, "patch.unreadable"},

		// Places that are read.
		{"Read file_path=/w/.env", "", policy.Ask, "paths.secret-env"},
		{"Read file_path=.env", "", policy.Ask, "paths.secret-env"},
		{"Read file_path=/w/../home/u/.ssh/id_rsa", "", policy.Ask, "paths.secret-key"},
		{"Read file_path=~/.ssh/id_rsa", "", policy.Ask, "paths.secret-key"},
		{"Read file_path=/w/notes.txt", "", policy.Ask, "paths.secret-key"},
		{"Read file_path=/w/.env", ModePlan, policy.Block, "mode.plan"},
		{"read_file absolute_path=/w/.env", "", policy.Ask, "paths.secret-env"},
		{"read_many_files include=src/*.go include=.env", "", policy.Ask, "paths.secret-env"},
		{"read_many_files include=**/*.pem", "", policy.Ask, "paths.secret-key"},
		{"read_many_files include=/home/u/.ssh/*", "", policy.Ask, "paths.secret-key"},
		{"Grep pattern=x path=/home/u", "", policy.Ask, "paths.secret-key"},
		{"Grep pattern=x path=/w glob=.env", "", policy.Ask, "paths.secret-env"},
		{"rg pattern=. path=/home/u/.ssh", "", policy.Ask, "paths.secret-key"},
		{"rg pattern=x path=/w glob=.env", "", policy.Ask, "paths.secret-env"},
		{"create_directory dirPath=/etc/x", "", policy.Ask, "paths.system"},
		{"run_vscode_command commandId=workbench.action.terminal.sendSequence @args", "", policy.Ask, "tools.editor-command"},
		{"Grep pattern=x path=/w glob=*.{env,ts}", "", policy.Ask, "paths.secret-env"},
		{"Grep pattern=x path=/w glob=**/.env*", "", policy.Ask, "paths.secret-env"},
		{"Grep pattern=x path=/w glob=**/*.pem", "", policy.Ask, "paths.secret-key"},
		{"Glob pattern=* path=/home/u/.ssh", "", policy.Ask, "paths.secret-key"},

		// Places that are written.
		{"Write file_path=/home/u/.bashrc", "", policy.Ask, "paths.shell-start"},
		{"Write file_path=~/.bashrc", "", policy.Ask, "paths.shell-start"},
		{"Write file_path=/w/.git/hooks/pre-commit", "", policy.Ask, "paths.git-hooks"},
		{"Edit file_path=/w/.claude/settings.json", "", policy.Block, "own.hooks"},
		{"Edit file_path=/w/.claude/worktrees/fix/.claude/settings.json", "", policy.Block, "own.hooks"},
		{"Edit file_path=/w/.github/hooks/x.json", "", policy.Block, "own.hooks"},
		{"Edit file_path=/w/.CLAUDE/settings.json", "", policy.Block, "own.hooks"},
		{"Edit file_path=/home/u/.codex/config.toml", "", policy.Block, "own.hooks"},
		{"Edit file_path=/home/u/.config/bashgate/config.toml", "", policy.Block, "own.rules"},
		{"Write file_path=/etc/bashgate/rules/x.toml", "", policy.Block, "own.rules"},
		{"Write file_path=/cfg/bashgate/rules/x.toml", "", policy.Block, "own.rules"},
		{"Write file_path=/w/.bashgate/rules/x.toml", "", policy.Block, "own.rules"},
		{"Write file_path=/home/u/dotfiles/bashgate/config.toml", "", policy.Block, "own.rules"},
		{"Write file_path=/home/u/.local/state/bashgate/files.log", "", policy.Block, "taint.record"},
		{"Write file_path=/state/bashgate/files.log", "", policy.Block, "taint.record"},
		{"Write file_path=/dev/sda", "", policy.Block, "paths.disk"},
		{"Write file_path=/w/conf/passwd", "", policy.Ask, "paths.system"},
		{"Write file_path=/srv/x", "", policy.Ask, "path.write"},
		{"Write file_path=../x", "", policy.Ask, "path.write"},
		{"Write file_path=/srv/x", ModeAcceptEdits, policy.Ask, "path.write"},
		{"Write file_path=/srv/x", ModeDontAsk, policy.Block, "mode.unattended"},
		{"NotebookEdit notebook_path=/srv/a.ipynb", "", policy.Ask, "path.write"},
		{`apply_patch input=***\u0020Begin`, "", policy.Ask, "patch.unreadable"},
		{"delete_file target_file=/w/.git", "", policy.Ask, "paths.git-hooks"},
		{"delete_file target_file=/etc", "", policy.Block, "paths.system-root"},
		{"move_file source=/w/.env destination=/w/x", "", policy.Ask, "paths.secret-env"},
		{"move_file source=/w/x destination=/srv/x", "", policy.Ask, "path.write"},

		// The agent's own notes.
		{"Write file_path=/home/u/.claude/plans/a.md", ModePlan, policy.Skip, ""},
		{"Edit file_path=/home/u/.claude/projects/-w/memory/MEMORY.md", "", policy.Skip, ""},
		{"write_file file_path=/home/u/.gemini/tmp/p/plans/a.md", "", policy.Skip, ""},
		{"Write file_path=/tmp/claude-1000/s/scratchpad/x", "", policy.Skip, ""},
		{"Write file_path=/home/u/.claude/plans/link.md", "", policy.Ask, "paths.shell-start"},
		{"Write file_path=/home/u/.claude/plans/../settings.json", "", policy.Block, "own.hooks"},
		{"Write file_path=/home/v/.claude/plans/a.md", "", policy.Ask, "paths.agent"},
		{"Write file_path=/cc/plans/a.md", "", policy.Skip, ""},
		{"Write file_path=/cc/settings.json", "", policy.Block, "own.hooks"},

		// Machines.
		{"WebFetch url=http://169.254.169.254/latest/meta-data", "", policy.Ask, "hosts.metadata"},
		{"WebFetch url=http://0xA9FEA9FE/", "", policy.Ask, "hosts.metadata"},
		{"WebFetch url=file:///w/.env", "", policy.Ask, "paths.secret-env"},
		{"web_fetch prompt=sum\u00a0up http://webhook.site/x", "", policy.Skip, ""},
		{"web_fetch prompt=http://webhook.site/x", "", policy.Ask, "hosts.collector"},
		{"mcp__playwright__browser_navigate url=http://metadata.google.internal/", "", policy.Ask, "hosts.metadata"},
		{"mcp__x__fetch_url url=https://example.org", "", policy.Skip, ""},
		{"ReadMcpResource uri=file:///home/u/.ssh/id_rsa", "", policy.Ask, "paths.secret-key"},
		{"mcp__filesystem__read_multiple_files paths=/w/a paths=/w/.env", "", policy.Ask, "paths.secret-env"},
		{"mcp__filesystem__write_file path=/home/u/.profile", "", policy.Ask, "paths.shell-start"},
	} {
		r := Request{
			Cwd: "/w", Workspace: "/w", Home: "/home/u", Mode: row.mode, AdditionalDirs: []string{"/lib2"}, ScratchDirs: []string{"/scratch"},
			Aliases: func() []Alias {
				return []Alias{{"/cfg/bashgate", "~/.config/bashgate"}, {"/state/bashgate", "~/.local/state/bashgate"}, {"/home/u/dotfiles/bashgate", "~/.config/bashgate"}, {"/cc", "~/.claude"}}
			},
		}
		v := e.EvaluateTool(r, use(row.use))
		id := ""
		if len(v.Reasons) > 0 {
			id = v.Reasons[0].ID
		}
		if v.Decision != row.want || id != row.id {
			t.Errorf("%s in mode %q: %v (%s, %s), want %v (%s)", row.use, row.mode, v.Decision, id, v.Reason, row.want, row.id)
		}
	}
}

// Where the home directory is a link, the agent's own notes lie behind it.
func TestOwnBehindLink(t *testing.T) {
	files := toolDisk()
	files.Symlink("/home/u", "/h")
	e := New(Options{Files: files})
	for file, want := range map[string]policy.Decision{
		"/h/.claude/plans/a.md": policy.Skip, "/home/u/.claude/plans/a.md": policy.Skip, "/h/.claude/settings.json": policy.Block, "/h/.claude/plans/link.md": policy.Ask,
	} {
		if v := e.EvaluateTool(Request{Cwd: "/w", Home: "/h"}, use("Write file_path="+file)); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", file, v.Decision, v.Reason, want)
		}
	}
}

// A patch names its files in its text.
func TestPatchTool(t *testing.T) {
	e := New(Options{Files: toolDisk()})
	for _, row := range []struct {
		file string
		want policy.Decision
	}{
		{"src/main.go", policy.Skip}, {".git/hooks/x", policy.Ask}, {"../x", policy.Ask}, {"/home/u/.bashrc", policy.Ask}, {"/dev/sda", policy.Block},
	} {
		tool := Tool{Name: "apply_patch", Args: []ToolArg{{"input", "*** Begin Patch\n*** Update File: src/a.go\n+x\n*** Update File: " + row.file + "\n+x\n*** End Patch"}}}
		if v := e.EvaluateTool(Request{Cwd: "/w", Home: "/home/u"}, tool); v.Decision != row.want {
			t.Errorf("%s: %v (%s), want %v", row.file, v.Decision, v.Reason, row.want)
		}
	}
}

// TestToolRows: what a user's file says of tools.
func TestToolRows(t *testing.T) {
	const rules = `
[[tools]]
id = "mine.write"
name = "Write"
args = { file_path = "write" }
decision = "allow"
reason = "Writes are fine"

[[tools]]
id = "mine.github-read"
server = "github"
tool = ["get_*", "list_*", "search_*", "!get_secret*"]
decision = "allow"

[[tools]]
id = "mine.github-rest"
server = "github"
tool = ["!get_*", "!list_*", "!search_*"]
decision = "ask"
reason = "Changes something at GitHub"

[[tools]]
id = "mine.github-secret"
server = "github"
tool = "get_secret*"
decision = "ask"
reason = "Shows a secret"

[[tools]]
id = "mine.evil"
server = ["evil", "evil-*"]
decision = "block"
reason = "Nobody uses it"

[[tools]]
id = "mine.named"
name = ["Acme*", "!AcmeDelete"]
decision = "allow"

[[tools]]
id = "mine.copy"
server = "files"
tool = "copy"
args = { from = "read", to = "write", over = "write?", note = "data" }
decision = "allow"

[[tools]]
id = "mine.shell"
name = "Terminal"
args = { line = "script", in = "dir?" }
decision = "allow"

[[paths]]
id = "mine.generated"
path = "**/generated/**"
write = "block"
reason = "Generated"

[[paths]]
id = "mine.private"
path = "/w/private/**"
read = "ask"
delete = "block"
reason = "Private"

[[paths]]
id = "mine.plans"
path = "~/.claude/plans/**"
write = "ask"
reason = "My plans"

[[hosts]]
id = "mine.host"
host = "*.corp.example"
decision = "block"
reason = "Ours"
`
	e := New(Options{Files: toolDisk(), User: ownRules(t, ruleset.User, rules)})
	for _, row := range []struct {
		use  string
		want policy.Decision
		id   string
	}{
		{"Write file_path=/w/a.go", policy.Allow, "mine.write"},
		{"Write file_path=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"Write file_path=/home/u/.config/bashgate/config.toml", policy.Block, "own.rules"},
		{"Write file_path=/w/.claude/settings.json", policy.Block, "own.hooks"},
		{"Write file_path=/srv/x", policy.Ask, "path.write"},
		{"Write file_path=/w/generated/a.go", policy.Block, "mine.generated"},
		{"Edit file_path=/w/generated/a.go", policy.Block, "mine.generated"},
		{"Write content=x", policy.Ask, "tool.argument"},
		{"Write @file_path", policy.Ask, "tool.argument"},
		{"Edit @file_path", policy.Skip, ""},
		{"Write file_path=/home/u/.claude/plans/a.md", policy.Ask, "mine.plans"},
		{"Read file_path=/w/private/x", policy.Ask, "mine.private"},
		{"Glob pattern=* path=/w/private/x", policy.Ask, "mine.private"},
		{"delete_file path=/w/private/x", policy.Block, "mine.private"},
		{"WebFetch url=https://a.corp.example/x", policy.Block, "mine.host"},
		{"mcp__x__navigate url=https://a.corp.example/x", policy.Block, "mine.host"},

		{"mcp__github__get_issue", policy.Allow, "mine.github-read"},
		{"mcp__GitHub__List_issues", policy.Allow, "mine.github-read"},
		{"mcp__github__get_secret_scanning", policy.Ask, "mine.github-secret"},
		{"mcp__github__create_issue", policy.Ask, "mine.github-rest"},
		{"mcp__github__delete_repo", policy.Ask, "mine.github-rest"},
		{"mcp__github", policy.Ask, "mine.github-rest"},
		{"mcp__github2__get_issue", policy.Skip, ""},
		{"mcp__github__evil__get_issue", policy.Ask, "mine.github-rest"},
		{"mcp__github__get_x__get_y", policy.Skip, ""}, // the server may be called github__get_x
		{"mcp__evil__get", policy.Block, "mine.evil"},
		{"mcp__EVIL-two__get", policy.Block, "mine.evil"},
		{"mcp__evil", policy.Block, "mine.evil"},
		{"evil__get", policy.Skip, ""},
		{"AcmeGet", policy.Allow, "mine.named"},
		{"AcmeDelete", policy.Skip, ""},
		{"!AcmeDelete", policy.Skip, ""},

		{"mcp__files__copy from=/w/a to=/w/b", policy.Allow, "mine.copy"},
		{"mcp__files__copy from=/w/a to=/w/b over=/w/generated/x", policy.Block, "mine.generated"},
		{"mcp__files__copy from=/w/a from=/w/.env to=/w/b", policy.Ask, "paths.secret-env"},
		{"mcp__files__copy from=/w/a target=/w/b", policy.Ask, "tool.argument"},
		{"mcp__files__copy from=/w/a @to", policy.Ask, "tool.argument"},
		{"mcp__files__copy from=/w/a to=/w/b @over", policy.Ask, "tool.argument"},
		{"mcp__files__copy from=/w/a to=/w/b @note", policy.Allow, "mine.copy"},

		{"Terminal line=ls in=src", policy.Allow, "mine.shell"},
		{"Terminal line=reboot", policy.Block, "power.off"},
		{"Terminal line=frobnicate", policy.Ask, "unknown-command"},
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, use(row.use))
		id := ""
		if len(v.Reasons) > 0 {
			id = v.Reasons[0].ID
		}
		if v.Decision != row.want || id != row.id {
			t.Errorf("%s: %v (%s, %s), want %v (%s)", row.use, v.Decision, id, v.Reason, row.want, row.id)
		}
	}
	v := e.EvaluateTool(Request{Cwd: "/w"}, Tool{Name: "mcp__github__get_issue", Unread: true})
	if v.Decision != policy.Ask {
		t.Errorf("what can't be understood is %v", v.Decision)
	}
	noted := New(Options{User: ownRules(t, ruleset.User, rules), Notes: []Note{{Scope: policy.Scope{All: true}, Finding: policy.Finding{ID: "config.error", Decision: policy.Ask, Reason: "broken"}}}})
	if v := noted.EvaluateTool(Request{Cwd: "/w"}, use("Write file_path=/w/a")); v.Decision != policy.Ask {
		t.Errorf("with a broken file: %v", v.Decision)
	}
	if v := noted.EvaluateTool(Request{Cwd: "/w"}, use("Edit file_path=/w/a")); v.Decision != policy.Ask {
		t.Errorf("what the agent decides, with a file broken that may speak of it: %v", v.Decision)
	}
}

// A tool is never looser than a command that does the same to the same place,
// but where the agent keeps its own notes.
func TestToolsAreAsStrictAsCommands(t *testing.T) {
	e := New(Options{})
	asks := func(v Verdict) map[string]policy.Decision {
		found := map[string]policy.Decision{}
		for i := range v.Reasons {
			if r := &v.Reasons[i]; r.File != "" && (strings.HasPrefix(r.ID, "paths.") || strings.HasPrefix(r.ID, "taint.")) {
				found[r.ID] = max(found[r.ID], r.Decision)
			}
		}
		return found
	}
	places := 0
	for g := range (&judge{engine: e}).allGates() {
		for i := range g.Paths {
			for _, glob := range g.Paths[i].Globs {
				if strings.HasPrefix(glob, "!") {
					continue
				}
				p := exampleOf(glob)
				places++
				r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"}
				for _, pair := range []struct{ command, tool, arg string }{
					{"cat %s", "Read", "file_path"}, {"cat %s", "read_file", "absolute_path"}, {"echo x > %s", "Write", "file_path"}, {"echo x > %s", "Edit", "file_path"}, {"rm %s", "delete_file", "path"},
				} {
					c := r
					c.Command = fmt.Sprintf(pair.command, policy.Quote(p))
					command := asks(e.Evaluate(c))
					tool := asks(e.EvaluateTool(r, Tool{Name: pair.tool, Args: []ToolArg{{pair.arg, p}}}))
					for id, d := range command {
						if tool[id] < d {
							t.Errorf("%s: %s is %v by %s, %s is %v", p, c.Command, d, id, pair.tool, tool[id])
						}
					}
				}
			}
		}
	}
	if places < 700 {
		t.Errorf("only %d places", places)
	}
}

// exampleOf is a path that a glob of a paths table names.
func exampleOf(glob string) string {
	p := strings.NewReplacer("[!w]*", "x1", "[!o]*", "x1", "**/", "/w/sub/", "**", "x/y", "*", "x1", "?", "q").Replace(glob)
	if rest, ok := strings.CutPrefix(p, "~"); ok {
		p = "/home/u" + rest
	}
	if rest, ok := strings.CutPrefix(p, "."); ok {
		p = "/w" + rest
	}
	return p
}

// Adding a row that asks or blocks never loosens an answer.
func TestToolRowsOnlyTighten(t *testing.T) {
	uses := []string{
		"Read file_path=/w/a", "Read file_path=/w/.env", "Write file_path=/w/a", "Write file_path=/home/u/.bashrc", "Write file_path=/dev/sda", "Write content=x",
		"WebFetch url=https://example.org", "WebFetch url=http://169.254.169.254/", "mcp__github__get_issue", "mcp__evil__x", "mcp__files__copy from=/w/a", "Other",
	}
	const base = `
[[tools]]
id = "mine.write"
name = ["Write", "Other"]
decision = "allow"
[[tools]]
id = "mine.github"
server = "github"
decision = "allow"
`
	before := New(Options{User: ownRules(t, ruleset.User, base)})
	for i, row := range []string{
		"[[tools]]\nid = \"x.a\"\nname = \"*\"\ndecision = \"%s\"\nreason = \"x\"\n",
		"[[tools]]\nid = \"x.a\"\nname = \"!Read\"\ndecision = \"%s\"\nreason = \"x\"\n",
		"[[tools]]\nid = \"x.a\"\nserver = \"*\"\ntool = [\"*\", \"!get_*\"]\nargs = { from = \"write\" }\ndecision = \"%s\"\nreason = \"x\"\n",
		"[[tools]]\nid = \"x.a\"\nname = \"Write\"\nargs = { content = \"script\", file_path = \"delete\" }\n# %s\n",
		"[[paths]]\nid = \"x.a\"\npath = \"/w/**\"\nread = \"%[1]s\"\nwrite = \"%[1]s\"\nreason = \"x\"\n",
		"[[hosts]]\nid = \"x.a\"\nhost = \"*\"\ndecision = \"%s\"\nreason = \"x\"\n",
	} {
		for _, decision := range []string{"ask", "block"} {
			text := fmt.Sprintf(row, decision)
			for _, o := range []Options{
				{User: append(ownRules(t, ruleset.User, base), ownRules(t, ruleset.User, text)...)},
				{User: ownRules(t, ruleset.User, base), Project: ownRules(t, ruleset.Project, text)},
			} {
				after := New(o)
				for _, text := range uses {
					r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}
					was, is := before.EvaluateTool(r, use(text)).Decision, after.EvaluateTool(r, use(text)).Decision
					if is < was {
						t.Errorf("row %d with %s: %s was %v and is %v", i, decision, text, was, is)
					}
				}
			}
		}
	}
}

// A profile's directories hold for tools, and so does that it asks nobody.
func TestToolsInProfiles(t *testing.T) {
	e := New(Options{Files: toolDisk()})
	for _, row := range []struct {
		profile, use string
		want         policy.Decision
	}{
		{"allowlist", "Write file_path=/w/a", policy.Skip},
		{"allowlist", "Write file_path=/srv/a", policy.Block},
		{"allowlist", "Write file_path=/home/u/.claude/plans/a.md", policy.Skip},
		{"allowlist", "Read file_path=/w/.env", policy.Block},
		{"allowlist", "Read file_path=/w/a", policy.Skip},
		{"denylist", "Read file_path=/srv/a", policy.Ask},
		{"denylist", "Write file_path=/srv/a", policy.Ask},
		{"denylist", "Write file_path=/w/a", policy.Skip},
		{"strict", "Read file_path=/w/.env", policy.Block},
		{"strict", "Read file_path=/w/a", policy.Skip},
		{"nobody-knows", "Read file_path=/w/a", policy.Ask},
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Profile: row.profile}, use(row.use))
		if v.Decision != row.want {
			t.Errorf("%s: %s: %v (%s), want %v", row.profile, row.use, v.Decision, v.Reason, row.want)
		}
	}
}
