package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// ownPaths are paths that the rows with the mark own are about, one or two for
// each glob.
func ownPaths() []string {
	var paths []string
	for _, g := range gates.All {
		for i := range g.Paths {
			if !g.Paths[i].Own {
				continue
			}
			for _, glob := range g.Paths[i].Globs {
				p := strings.TrimSuffix(glob, "/**")
				if p != glob {
					p += "/deep/x"
				}
				p = strings.ReplaceAll(p, "*", "a")
				if rest, ok := strings.CutPrefix(p, "aa/"); ok {
					paths = append(paths, "/w/"+rest, "/w/sub/dir/"+rest, "/home/u/"+rest)
				} else if strings.HasPrefix(p, "~") {
					paths = append(paths, "/home/u"+p[1:])
				} else {
					paths = append(paths, p)
				}
			}
		}
	}
	return paths
}

// writers are all uses of tools that write or remove a path.
func writers(path string) []Tool {
	var tools []Tool
	for _, g := range gates.All {
		for i := range g.Tools {
			row := &g.Tools[i]
			names := row.Names
			for _, server := range row.Servers {
				for _, tool := range row.Tools {
					names = append(names[:len(names):len(names)], "mcp__"+server+"__"+strings.ReplaceAll(tool, "*", "x"))
				}
			}
			for _, name := range names {
				if match.IsGlob(strings.TrimPrefix(name, "mcp__")) {
					continue
				}
				for _, a := range row.Args {
					switch a.Kind {
					case match.Write, match.Delete, match.Move, match.Target:
						arg := ToolArg{a.Name, path}
						tools = append(tools,
							Tool{Name: name, Args: []ToolArg{arg}},
							Tool{Name: name, Args: []ToolArg{{a.Name, "/w/harmless"}, arg}},
							Tool{Name: name, Args: []ToolArg{{a.Name, "/w/harmless"}}, Others: []string{"edits"}, Inner: []Tool{{Args: []ToolArg{{a.Name, "/w/x"}}}, {Args: []ToolArg{arg}}}},
						)
					case match.Code:
						if a.Lang == "patch" {
							for _, line := range [...]string{"*** Add File: %s\n+x", "*** Delete File: %s", "*** Update File: %s\n@@\n-a\n+b", "*** Update File: /w/x\n*** Move to: %s\n@@\n-a\n+b"} {
								tools = append(tools, Tool{Name: name, Args: []ToolArg{{a.Name, "*** Begin Patch\n" + fmt.Sprintf(line, path) + "\n*** End Patch"}}})
							}
						}
					}
				}
			}
		}
	}
	return tools
}

var ownLines = [...]string{
	"echo x > %s", "echo x >> %s", "touch %s", "rm -rf %s", "mv %s /tmp/x", "cp /tmp/x %s", "tee %s", "ln -sfn /tmp/x %s", "chmod 000 %s", "truncate -s 0 %s",
	"sed -i s/a/b/ %s", "bash -c 'rm -f %s'", "sudo rm %s", "find %s -delete", "dd if=/dev/null of=%s", "curl -o %s https://example.com", "wget -O %s https://example.com",
	"cd / && rm -r .%s", "f=%s; rm $f", "for f in %s; do rm $f; done", "command rm %s", "env rm %s", "ls | xargs rm %s", "rm -- %s/", "install /tmp/x %s", "git rm %s", "unlink %s",
}

// TestOwnFilesAreBlocked: neither a tool nor a command may change what the gate
// obeys, in no mode and whatever settings allow.
func TestOwnFilesAreBlocked(t *testing.T) {
	allowed := settings.Of([]settings.Rule{
		{Tool: settings.Edit, Decision: policy.Allow, Scope: settings.User}, {Tool: settings.Shell, Decision: policy.Allow, Scope: settings.User},
	})
	const generous = "[[tools]]\nid = \"mine.all\"\nname = \"*\"\nown = [\"/**\", \"~/**\", \"**/*\"]\n\n[[tools]]\nid = \"mine.allow\"\nname = \"*\"\ndecision = \"allow\"\n\n" +
		"[[paths]]\nid = \"mine.paths\"\npath = [\"/**\", \"~/**\"]\nread = \"allow\"\nwrite = \"allow\"\ndelete = \"allow\"\nlifts = [\"paths.*\", \"own.*\", \"taint.*\", \"path.*\"]\n"
	e := New(Options{Files: new(disk.Memory), User: ownRules(t, ruleset.User, generous)})
	paths := ownPaths()
	if len(paths) < 100 {
		t.Fatalf("only %d own paths", len(paths))
	}
	for i, path := range paths {
		mode := [...]string{"", ModeAcceptEdits, ModeBypass, ModeAuto, ModePlan}[i%5]
		r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Mode: mode, Settings: allowed, ScratchDirs: []string{"/", "/w", "/home/u"}}
		for k, tool := range writers(path) {
			if i%50 != 0 && (i+k)%23 != 0 {
				continue // they come round
			}
			if v := e.EvaluateTool(r, tool); v.Decision != policy.Block {
				t.Fatalf("%+v in mode %q: %v (%s)", tool, mode, v.Decision, v.Reason)
			}
		}
		if strings.Contains(path, " ") {
			continue // words of their own in these lines
		}
		for k, line := range ownLines {
			if i%50 != 0 && (i+k)%5 != 0 {
				continue
			}
			r.Command = fmt.Sprintf(line, path)
			if v := e.Evaluate(r); v.Decision != policy.Block {
				t.Errorf("%s in mode %q: %v (%s)", r.Command, mode, v.Decision, v.Reason)
			}
			tool := Tool{Name: "mcp__acme__run", Args: []ToolArg{{"command", r.Command}}}
			if v := e.EvaluateTool(r, tool); v.Decision != policy.Block {
				t.Errorf("%+v in mode %q: %v (%s)", tool, mode, v.Decision, v.Reason)
			}
		}
	}
}

// TestOwnSpellings: other ways to name what the gate obeys.
func TestOwnSpellings(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/home/u/.claude/settings.json", "{}")
	files.WriteFile("/home/u/.local/state/bashgate/files.log", "")
	files.WriteFile("/w/.claude/settings.json", "{}")
	files.WriteFile("/w/.github/ci.yml", "")
	files.Symlink("/home/u/.claude", "/w/link")
	files.Symlink("/home/u/.local/state/bashgate/files.log", "/w/notes")
	files.Symlink("/home/u", "/h")
	e := New(Options{Files: files})
	r := Request{
		Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash",
		Aliases: func() []Alias {
			return []Alias{{"/state/deep/bashgate", "~/.local/state/bashgate"}, {"/cfg/bashgate", "~/.config/bashgate"}, {"/cc", "~/.claude"}}
		},
	}
	for line, want := range map[string]policy.Decision{
		"rm -rf ~/.config":                                      policy.Block,
		"rm -rf ~/.local":                                       policy.Block,
		"rm -rf ~/.local/state/":                                policy.Block,
		"rm -rf ~/.local/*":                                     policy.Block,
		"rm -rf ~/.local/s*/bashgate":                           policy.Block,
		"rm -rf ~/.l*":                                          policy.Block,
		"rm -rf ~/.l*/state":                                    policy.Block,
		"rm ~/.local/*/bashgate/files.log":                      policy.Block,
		"chmod 000 ~/.local/*/bashgate/*":                       policy.Block,
		"rm .c*/settings.json":                                  policy.Block,
		"rm .claude/s*":                                         policy.Block,
		"echo x > .claude/s*.json":                              policy.Block,
		"mv ~/.local/state x":                                   policy.Block,
		"mv /home/u/.config x":                                  policy.Block,
		"rm -rf /h/.config/bashgate":                            policy.Block,
		"rm -rf /state":                                         policy.Block,
		"rm -rf /state/deep/*":                                  policy.Block,
		"rm -rf /cfg":                                           policy.Block,
		"echo x > /cc/settings.json":                            policy.Block,
		"echo x > link/settings.json":                           policy.Block,
		"cd link && echo x > settings.json":                     policy.Block,
		"echo x > notes":                                        policy.Block,
		"echo x > .Claude/SETTINGS.json":                        policy.Block,
		"echo x > src/../.claude/./settings.json":               policy.Block,
		"ln -s .claude d; echo x > d/settings.json":             policy.Block,
		"echo x > /proc/self/root/home/u/.claude/settings.json": policy.Block,
		"cat ~/.claude/settings.json .claude/settings.json":     policy.Allow,
		"ls ~/.local/state/bashgate ~/.config/bashgate":         policy.Allow,
		"cat ~/.local/state/bashgate/requests/a.jsonl":          policy.Ask,
		"grep -r x ~/.local/state/bashgate":                     policy.Ask,
		"grep -r x ~/.local/state/bashgate/requests":            policy.Ask,
		"base64 ~/.local/state/bashgate/requests/.key":          policy.Ask,
		"cat ~/.local/state/bashgate/audit.log":                 policy.Ask,
		"zcat ~/.local/state/bashgate/audit.log.2":              policy.Ask,
		"tail -f ~/.local/state/bashgate/audit.key":             policy.Ask,
		"chmod 644 .github/*":                                   policy.Ask,
		"rm *.json":                                             policy.Ask,
		"rm -rf build node_modules":                             policy.Ask,
		"mkdir -p .claude/commands":                             policy.Ask,
	} {
		r.Command = line
		if v := e.Evaluate(r); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", line, v.Decision, v.Reason, want)
		}
	}
	for use1, want := range map[string]policy.Decision{
		"Write file_path=link/settings.json":                 policy.Block,
		"Write file_path=notes":                              policy.Block,
		"Edit file_path=./src/../.claude/settings.json":      policy.Block,
		"Edit file_path=~/.claude/settings.json":             policy.Block,
		"Write file_path=/cc/settings.json":                  policy.Block,
		"delete_file path=/state":                            policy.Block,
		"move_file source=/home/u/.config destination=/w/x":  policy.Block,
		"Write file_path=/w/.claude/commands/x.md":           policy.Ask,
		"Read file_path=/w/.claude/settings.json":            policy.Skip,
		"mcp__x__save to=/home/u/.claude/settings.json":      policy.Block,
		"mcp__x__write_all where=~/.config/bashgate/a":       policy.Block,
		"mcp__x__update name=.claude/settings.json":          policy.Ask,
		"mcp__x__do it=/home/u/.local/state/bashgate/a":      policy.Ask,
		"mcp__x__remove_dir d=/home/u/.local":                policy.Block,
		"mcp__x__write_all where=/home/u/.local":             policy.Skip,
		"mcp__x__read_it name=.claude/settings.json":         policy.Skip,
		"mcp__readme__write_all x=~/.claude/settings.json":   policy.Block,
		"TodoWrite text=see.claude/settings.json":            policy.Skip,
		"Write file_path=/w/a content=.claude/settings.json": policy.Skip,
	} {
		if v := e.EvaluateTool(r, use(use1)); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", use1, v.Decision, v.Reason, want)
		}
	}
}

// TestKeptIsOwn: what is kept of the rules, which says what is allowed, is as far from
// agents as the records of sessions, file by file and as a directory.
func TestKeptIsOwn(t *testing.T) {
	const state = "/home/u/.local/state/bashgate/"
	kept, record := [...]string{state + "compiled/" + strings.Repeat("0f", 32), state + "compiled", "/state/deep/bashgate/compiled/x"}, [...]string{state + "sessions/claude-s.log", state + "sessions", "/state/deep/bashgate/sessions/x"}
	e := New(Options{Files: new(disk.Memory)})
	r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u", Aliases: func() []Alias { return []Alias{{"/state/deep/bashgate", "~/.local/state/bashgate"}} }}
	lines := append(ownLines[:len(ownLines):len(ownLines)], "ln /tmp/x %s", "ln -s /tmp/x %s/x", "mv /tmp/x %s/x", "mkdir -p %s/x", "rmdir %s", "rsync -a /tmp/x %s", "tar -C %s -xf /tmp/x.tar", "cat %s", "ls -la %s", "grep -r x %s")
	for i := range kept {
		for _, mode := range [...]string{"", ModeAcceptEdits, ModeBypass, ModeAuto, ModePlan} {
			r.Mode = mode
			for _, line := range lines {
				r.Command = fmt.Sprintf(line, record[i])
				want := e.Evaluate(r).Decision
				r.Command = fmt.Sprintf(line, kept[i])
				if v := e.Evaluate(r); v.Decision != want || v.Decision < policy.Block && !strings.Contains("cat ls grep", strings.Fields(line)[0]) {
					t.Errorf("%s in mode %q: %v (%s), and %v of a record", r.Command, mode, v.Decision, v.Reason, want)
				}
			}
			for _, tool := range writers(kept[i]) {
				if v := e.EvaluateTool(r, tool); v.Decision != policy.Block {
					t.Errorf("%+v in mode %q: %v (%s)", tool, mode, v.Decision, v.Reason)
				}
			}
		}
	}
}

// TestOwnOverride: a user may make it a question that agents change their own
// settings. What is remembered of sessions stays out of reach.
func TestOwnOverride(t *testing.T) {
	e := New(Options{User: ownRules(t, ruleset.User, "[[override]]\nids = [\"own.hooks\", \"taint.*\"]\nreason = \"I watch it\"\n")})
	r := Request{Cwd: "/w", Workspace: "/w", Home: "/home/u"}
	for path, want := range map[string]policy.Decision{
		"/w/.claude/settings.json": policy.Ask, "/w/.bashgate/x": policy.Block, "/home/u/.local/state/bashgate/files.log": policy.Block,
	} {
		if v := e.EvaluateTool(r, use("Write file_path="+path)); v.Decision != want {
			t.Errorf("Write %s: %v (%s), want %v", path, v.Decision, v.Reason, want)
		}
		r.Command = "echo x > " + path
		if v := e.Evaluate(r); v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", r.Command, v.Decision, v.Reason, want)
		}
	}
}
