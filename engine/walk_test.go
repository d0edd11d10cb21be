package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// walkedDisk is a workspace with an ignored secret, a hidden one and plain ones.
func walkedDisk() *disk.Memory {
	var m disk.Memory
	m.Mkdir("/w/.git")
	m.WriteFile("/w/.gitignore", "/.env\n*.pem\n!keep.pem\nnode_modules/\n")
	for _, name := range []string{".env", ".npmrc", "ca/server.pem", "ca/keep.pem", "src/main.go", "src/.env.example", "docs/a.md", "node_modules/x/.env", "my files/credentials.json"} {
		m.WriteFile("/w/"+name, "")
	}
	m.Symlink("/w/.env", "/w/docs/link")
	return &m
}

// TestWalks: what reads all that lies below a directory shows the secret files
// there, and what is decided of it stays.
func TestWalks(t *testing.T) {
	e := engine.New(engine.Options{Files: walkedDisk()})
	const env, npmrc, pem, keep, login = ".env", ".npmrc", "ca/server.pem", "ca/keep.pem", "my files/credentials.json"
	const link = "docs/link" // a link counts as what it leads to, whoever follows links
	for _, row := range []struct {
		command string
		want    []string // files that it may show; at most three are named
	}{
		{"grep -r x .", []string{env, npmrc, keep}},
		{"grep -r x", []string{env, npmrc, keep}},
		{"grep -R x .", []string{env, npmrc, keep}},
		{"grep -d recurse x .", []string{env, npmrc, keep}},
		{"timeout 9 grep -r x .", []string{env, npmrc, keep}},
		{"bash -c 'grep -r x .'", []string{env, npmrc, keep}},
		{"cd ca && grep -r x", []string{"keep.pem", "server.pem"}},
		{"grep -r x ca", []string{keep, pem}},
		{"grep -r x *", []string{keep, pem, link, login, "node_modules/x/.env"}},
		{"grep -r x [a-c]*", []string{keep, pem}},
		{"git ls-files | xargs cat", []string{npmrc, keep, link}},
		{"rg --files | xargs cat", []string{keep, link, login}},
		{"grep -r x src", nil},
		{"grep -r x docs", []string{link}},
		{"grep -r --include='*.go' x .", nil},
		{"grep -r --include='*.{go,pem}' x .", []string{keep, pem}},
		{"grep -rl x .", nil},
		{"grep -rc x .", nil},
		{"grep x src/main.go", nil},
		{"cat x | grep x", nil},
		{"rg x", []string{keep, link, login}},
		{"rg --hidden x", []string{npmrc, keep, link}},
		{"rg -uu x", []string{env, npmrc, keep}},
		{"rg --no-ignore x", []string{keep, pem, link}},
		{"rg -l x", nil},
		{"rg --files", nil},
		{"cat a | rg x", nil},
		{"git grep x", []string{npmrc, keep, link}},
		{"git grep -l x", nil},
		{"find . -exec cat {} +", []string{env, npmrc, keep}},
		{"find ca -type f -exec head -n 1 {} \\;", []string{keep, pem}},
		{"find . -type f -exec sh -c 'cat \"$1\"' _ {} \\;", []string{env, npmrc, keep}},
		{"find . -name '*.go' -exec cat {} +", nil},
		{"find . -type f -exec grep -l x {} +", nil},
		{"find . -type f -exec wc -l {} +", nil},
		{"find . -type f", nil},
		{"find . -type f | xargs cat", []string{env, npmrc, keep}},
		{"find . -type f -print0 | sort -z | xargs -0 cat", []string{env, npmrc, keep}},
		{"grep -rl x . | xargs cat", []string{env, npmrc, keep}},
		{"find . -type f | xargs wc -l", nil},
		{"find . -type f | while read f; do cat \"$f\"; done", []string{env, npmrc, keep}},
		{"cat $(find ca -type f)", []string{keep, pem}},
		{"fd -u . -x cat", []string{env, npmrc, keep}},
		{"tar c .", []string{env, npmrc, keep}},
		{"tar xf a.tar", nil},
		{"head -c9 **/*.json", []string{login}},
		{"ls -R", nil},
		{"ssh host grep -r x .", nil},
		{"docker exec web grep -r x .", nil},
	} {
		v := e.Evaluate(engine.Request{Command: row.command, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		var got []string
		for _, s := range seen(v.Tree) {
			if _, file, ok := strings.Cut(s.What, " may show "); ok {
				got = append(got, file)
				if s.Secret < 2 {
					t.Errorf("%s: %s has level %d", row.command, file, s.Secret)
				}
			}
		}
		if strings.Join(got, "|") != strings.Join(row.want, "|") {
			t.Errorf("%s: shows %q, want %q", row.command, got, row.want)
		}
		without := engine.New(engine.Options{Files: emptied()}).Evaluate(engine.Request{Command: row.command, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash"})
		if strings.HasPrefix(row.command, "grep") && v.Decision != without.Decision {
			t.Errorf("%s: %v with secret files there, %v without", row.command, v.Decision, without.Decision)
		}
	}
}

func emptied() *disk.Memory {
	var m disk.Memory
	m.Mkdir("/w")
	return &m
}

func seen(nodes []engine.Node) (all []engine.Sight) {
	for i := range nodes {
		all = append(append(all, nodes[i].Sights...), seen(nodes[i].Children)...)
	}
	return all
}

// TestWalkEnds: a tree that is too large or too deep to be looked through counts
// as one that may hold something.
func TestWalkEnds(t *testing.T) {
	var large, deep disk.Memory
	for i := range 3000 {
		large.WriteFile(fmt.Sprintf("/w/d/%04d.go", i), "")
	}
	deep.WriteFile("/w/1/2/3/4/5/6/7/8/9/10/a.go", "")
	for name, m := range map[string]*disk.Memory{"large": &large, "deep": &deep} {
		v := engine.New(engine.Options{Files: m}).Evaluate(engine.Request{Command: "grep -r x .", Cwd: "/w", Workspace: "/w"})
		if s := seen(v.Tree); v.Decision != policy.Allow || len(s) != 1 || s[0].Secret != 1 {
			t.Errorf("%s: %v, sees %v", name, v.Decision, s)
		}
	}
}

// TestToolWalks: an agent's own search shows what a command's does.
func TestToolWalks(t *testing.T) {
	e := engine.New(engine.Options{Files: walkedDisk()})
	arg := func(name, value string) engine.ToolArg { return engine.ToolArg{Name: name, Value: value} }
	lines := arg("output_mode", "content")
	for _, row := range []struct {
		tool engine.Tool
		want int // files that are named
	}{
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{arg("pattern", "x")}}, 0},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{arg("pattern", "x"), arg("output_mode", "count")}}, 0},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{arg("pattern", "x"), lines}}, 3},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{arg("pattern", "x")}, Others: []string{"output_mode"}}, 3},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{lines, arg("path", "/w/src")}}, 0},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{lines, arg("path", "src")}}, 0},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{lines, arg("path", "ca")}}, 1},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{lines, arg("glob", "*.go")}}, 0},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{lines, arg("glob", "**/*.{go,json}")}}, 1},
		{engine.Tool{Name: "Grep", Args: []engine.ToolArg{lines, arg("glob", "!*.go")}}, 3},
		{engine.Tool{Name: "Glob", Args: []engine.ToolArg{arg("pattern", "**/*")}}, 0},
		{engine.Tool{Name: "grep_search", Args: []engine.ToolArg{arg("query", "x")}}, 3},
	} {
		v := e.EvaluateTool(engine.Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}, row.tool)
		if got := len(seen(v.Tree)); got != row.want || v.Decision > policy.Allow {
			t.Errorf("%v: %v, sees %v; want %d", row.tool, v.Decision, seen(v.Tree), row.want)
		}
	}
}
