package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// projectDisk is a home with a project, in memory.
func projectDisk() *disk.Memory {
	m := new(disk.Memory)
	m.Mkdir("/home/u/p/.git")
	m.Mkdir("/usr/bin")
	m.Mkdir("/etc")
	m.WriteFile("/home/u/p/deploy.sh", "#!/bin/sh\necho deployed\n")
	m.WriteFile("/home/u/p/sub/deploy.sh", "#!/bin/sh\necho deployed\n")
	m.WriteFile("/home/u/p/hello.sh", "#!/bin/sh\necho hello\n")
	m.WriteFile("/usr/bin/nc", "")
	m.Symlink("/usr/bin", "/bin")
	m.Symlink("deploy.sh", "/home/u/p/link.sh")
	return m
}

// A denied command is denied under every profile, by whatever path, through
// whatever wrapper.
func TestDenied(t *testing.T) {
	e := New(Options{Files: projectDisk()})
	for _, row := range []struct {
		entry, line string
		want        policy.Decision // of the entry; Skip: it does not hold
	}{
		{"docker", "docker ps", policy.Block},
		{"docker", "/usr/bin/docker ps", policy.Block},
		{"docker", "/opt/x/docker ps", policy.Block},
		{"docker", "./docker ps", policy.Block},
		{"docker", "sudo -u x docker ps", policy.Block},
		{"docker", "env A=1 nice docker ps", policy.Block},
		{"docker", "ls | xargs docker rm", policy.Block},
		{"docker", "find . -exec docker {} +", policy.Block},
		{"docker", "bash -c 'docker ps'", policy.Block},
		{"docker", "echo $(docker ps)", policy.Block},
		{"docker", "docker-compose up", policy.Skip},
		{"docker", "echo docker", policy.Skip},
		{"npm*", "npm install", policy.Block},
		{"npm*", "npm-check", policy.Block},
		{"npm*", "npx vite", policy.Skip},
		{"git push", "git push origin main", policy.Block},
		{"git push", "git -C sub -c a=b push", policy.Block},
		{"git push", "git --no-pager push", policy.Block},
		{"git push", "./git push", policy.Block},
		{"git push", "git pull", policy.Skip},
		{"git push", "git commit -m push", policy.Skip},
		{"git push", "git log push", policy.Skip},
		{"git push", "git $x", policy.Ask},
		{"git push", "git --frobnicate push", policy.Block},
		{"git push", "git --frobnicate x push", policy.Block},
		{"git push origin", "git push -u origin main", policy.Block},
		{"git push origin", "git push other", policy.Skip},
		{"git stash d*", "git stash drop", policy.Block},
		{"git stash d*", "git stash list", policy.Skip},
		{"aws s3 rm", "aws --profile x s3 rm s3://b/k", policy.Block},
		{"aws s3 rm", "aws s3 ls s3://b/rm", policy.Skip},
		{"sudo docker", "sudo docker ps", policy.Block},
		{"sudo docker", "docker ps", policy.Skip},
		{"acme destroy", "acme -p x destroy", policy.Block},
		{"acme destroy", "/opt/acme/bin/acme destroy", policy.Block},
		{"acme destroy", "acme create destroy", policy.Skip},
		{"/usr/bin/nc", "nc -l 1", policy.Block},
		{"/usr/bin/nc", "/usr/bin/nc -l 1", policy.Block},
		{"/usr/bin/nc", "/bin/nc -l 1", policy.Block}, // the same directory
		{"/usr/bin/nc", "./nc -l 1", policy.Skip},
		{"/opt/x/nc", "nc -l 1", policy.Skip},
		{"/opt/x/*", "/opt/x/tool", policy.Block},
		{"~/bin/tool", "~/bin/tool x", policy.Block},
		{"~/bin/tool", "/home/u/bin/tool x", policy.Block},
		{"./deploy.sh", "./deploy.sh", policy.Block},
		{"./deploy.sh", "/home/u/p/deploy.sh now", policy.Block},
		{"./deploy.sh", "cd sub && ../deploy.sh", policy.Block},
		{"./deploy.sh", "./link.sh", policy.Block},
		{"./deploy.sh", "bash deploy.sh", policy.Block},
		{"./deploy.sh", "sh -x ./deploy.sh a b", policy.Block},
		{"./deploy.sh", "source ./deploy.sh", policy.Block},
		{"./deploy.sh", "cd sub && ./deploy.sh", policy.Skip},
		{"./deploy.sh", "cat deploy.sh", policy.Skip},
		{"*/deploy.sh", "sub/deploy.sh", policy.Block},
	} {
		for _, profile := range []string{"", "strict", "denylist", "allowlist"} {
			v := e.Evaluate(Request{Command: row.line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", Profile: profile, DeniedCommands: []string{row.entry}})
			got := policy.Skip
			for i := range v.Reasons {
				if v.Reasons[i].ID == "config.denied" {
					got = max(got, v.Reasons[i].Decision)
				}
			}
			if got != row.want || v.Decision < row.want {
				t.Errorf("profile %q: %q denies %s: %v, want %v (%v, %s)", profile, row.entry, row.line, got, row.want, v.Decision, v.Reason)
			}
		}
	}
}

// Directories that the user keeps to hold in every profile.
func TestAllowedDirs(t *testing.T) {
	e := New(Options{Files: projectDisk()})
	for line, want := range map[string]bool{ // whether something lies outside
		"cat a": false, "cat /home/u/p/a": false, "ls": false, "cat /tmp/x": false, "git status": false, "cat </home/u/p/a": false, "ls /dev/null": false,
		"cat /etc/hosts": true, "cat ../x": true, "ls ~": true, "cat <../x": true, "cp ../x y": true, "rsync -a /opt/x .": true, "find / -name x": true, "sudo cat /opt/x": true, "cd / && ls": true,
	} {
		for _, profile := range []string{"", "strict", "denylist", "allowlist"} {
			v := e.Evaluate(Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", Profile: profile, AllowedDirs: []string{"/home/u/p", "/tmp"}})
			got := false
			for i := range v.Reasons {
				got = got || v.Reasons[i].ID == "config.outside" || v.Reasons[i].ID == "profile.outside"
			}
			if got != want || want && v.Decision < policy.Ask {
				t.Errorf("profile %q: %s: outside is %v, want %v (%v, %s)", profile, line, got, want, v.Decision, v.Reason)
			}
		}
	}
	if v := e.Evaluate(Request{Command: "cat a", Cwd: "/home/u/p", AllowedDirs: []string{}}); v.Decision != policy.Ask {
		t.Errorf("no directory at all: %v", v.Decision)
	}
}

func TestScratchOfTheWorkspace(t *testing.T) {
	m := projectDisk()
	m.Mkdir("/home/u/p/build")
	m.Mkdir("/home/u/q")
	m.Symlink("/home/u/q", "/home/u/p/out")
	m.Symlink("/home/u/p/build", "/home/u/p/dist")
	m.Symlink("/etc", "/home/u/p/build/etc")
	e := New(Options{Files: m})
	for line, want := range map[string]policy.Decision{
		"echo x > build/a":               policy.Allow,
		"echo x > ./build/b/a":           policy.Allow,
		"echo x > /home/u/p/build/a":     policy.Allow,
		"cd build && echo x > a":         policy.Allow,
		"echo x > dist/a":                policy.Allow,
		"cp a build/a":                   policy.Allow,
		"echo x > a":                     policy.Ask,
		"echo x > build/../a":            policy.Ask,
		"echo x > builds/a":              policy.Ask,
		"echo x > out/a":                 policy.Ask, // leads out of the workspace
		"echo x > build/etc/a":           policy.Ask,
		"echo x > /home/u/q/build/a":     policy.Ask,
		"cd /home/u/q; echo x > build/a": policy.Ask,
	} {
		v := e.Evaluate(Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", ScratchDirs: []string{"./build", "./dist", "./out"}})
		if v.Decision != want {
			t.Errorf("%s: %v, want %v (%s)", line, v.Decision, want, v.Reason)
		}
	}
}

// Programs of directories that the user vouches for are known by their names.
func TestProgramDirs(t *testing.T) {
	e := New(Options{Files: projectDisk()})
	for _, row := range []struct {
		line string
		want policy.Decision
	}{
		{"~/go/bin/ls", policy.Allow},
		{"/home/u/go/bin/ls -la", policy.Allow},
		{"env ~/go/bin/ls", policy.Allow},
		{"~/go/bin/rm -rf /", policy.Block},
		{"/home/u/go/bin/nosuch", policy.Ask},
		{"~/go/bin/sub/ls", policy.Ask},
		{"~/go/bin/../bin/ls", policy.Ask},
		{"~/other/ls", policy.Ask},
		{"cp a ~/go/bin/ls; ~/go/bin/ls", policy.Ask},
		{"ssh h ~/go/bin/ls", policy.Ask},
	} {
		r := Request{Command: row.line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", ProgramDirs: []string{"/home/u/go/bin"}}
		if v := e.Evaluate(r); v.Decision != row.want {
			t.Errorf("%s: %v, want %v (%s)", row.line, v.Decision, row.want, v.Reason)
		}
		if r.ProgramDirs = nil; row.want == policy.Allow {
			if v := e.Evaluate(r); v.Decision != policy.Ask {
				t.Errorf("%s without program_dirs: %v", row.line, v.Decision)
			}
		}
	}
}

// A note joins the verdicts that it may be about, and no others.
func TestNotes(t *testing.T) {
	const all, acme, places, variables, machines, pipes, tools = "all", "acme", "places", "variables", "machines", "pipes", "tools"
	note := func(name string, s policy.Scope) Note {
		return Note{policy.Finding{ID: "config.error", Decision: policy.Ask, Reason: name}, s}
	}
	notes := []Note{
		note(acme, policy.Scope{Programs: []string{"acme", "x*"}}), note(places, policy.Scope{About: policy.Places}), note(variables, policy.Scope{About: policy.Variables}),
		note(machines, policy.Scope{About: policy.Machines}), note(pipes, policy.Scope{About: policy.Pipes}), note(tools, policy.Scope{About: policy.Tools}),
	}
	for line, want := range map[string]string{
		"ls":                        "",
		"git status":                "",
		"acme":                      acme,
		"sudo acme x":               acme,
		"./acme":                    acme,
		"xz --version":              acme,
		"cat f":                     places,
		"ls >f":                     places,
		"FOO=1 ls":                  variables,
		"FOO=1":                     variables,
		"env FOO=1 ls":              variables,
		"echo $FOO":                 variables,
		"curl https://x.example":    machines,
		"ls | wc -l":                pipes,
		"cat f | FOO=1 xargs acme":  acme + places + variables + pipes,
		"bash -c 'ls | acme'":       acme + pipes,
		"find . -exec grep -l x {}": places,
	} {
		v := New(Options{Files: projectDisk(), Notes: notes}).Evaluate(Request{Command: line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash"})
		for _, name := range []string{acme, places, variables, machines, pipes, tools} {
			got := false
			for i := range v.Reasons {
				got = got || v.Reasons[i].ID == "config.error" && strings.EqualFold(v.Reasons[i].Text(), name)
			}
			if want := strings.Contains(want, name); got != want {
				t.Errorf("%s: the note about %s is there: %v", line, name, got)
			}
			if got && v.Decision == policy.Allow {
				t.Errorf("%s is allowed", line)
			}
		}
	}
	everything := New(Options{Notes: []Note{note(all, policy.Scope{All: true})}})
	if v := everything.Evaluate(Request{Command: "ls"}); v.Decision != policy.Ask {
		t.Errorf("ls: %v", v.Decision)
	}
	for _, e := range []*Engine{everything, New(Options{Notes: notes})} {
		if v := e.EvaluateTool(Request{}, Tool{Name: "NoSuchTool"}); v.Decision != policy.Ask {
			t.Errorf("a tool: %v", v.Decision)
		}
	}
}

// Profiles of users extend built-in ones, and nothing else has their names.
func TestProfilesOfUsers(t *testing.T) {
	profile := func(name, text string) *ruleset.File {
		return ruleset.Load(name+".toml", []byte(text), ruleset.OwnProfiles)
	}
	compiled, err := ruleset.Compile([]*ruleset.File{
		profile("mine", "[profile]\nextends = \"allowlist\"\n[[programs]]\nname = \"make\"\n[[programs.allow]]\noperands = [\"data*\"]\nany_flags = \"mine\"\n"),
		profile("more", "[profile]\nextends = \"mine\"\n[[programs]]\nname = \"shellcheck\"\nunknown_action = \"allow\"\n"),
	}, ruleset.Known{Profiles: []string{"allowlist"}})
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Files: projectDisk(), Profiles: []*interp.Rules{interp.New(compiled)}})
	for _, row := range []struct {
		profile, line string
		want          policy.Decision
	}{
		{"allowlist", "make x", policy.Block},
		{"mine", "make x", policy.Allow},
		{"mine", "ls", policy.Allow},
		{"mine", "docker ps", policy.Block},
		{"mine", "shellcheck x", policy.Block},
		{"more", "shellcheck x", policy.Allow},
		{"more", "make x", policy.Allow},
		{"nosuch", "ls", policy.Ask},
	} {
		v := e.Evaluate(Request{Command: row.line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", Profile: row.profile})
		if v.Decision != row.want {
			t.Errorf("profile %s: %s is %v, want %v (%s)", row.profile, row.line, v.Decision, row.want, v.Reason)
		}
	}
}

// What the administrator's rules ask or block nobody lifts, be it about a
// program or about a place.
func TestManagedIsLast(t *testing.T) {
	compiled := func(layer ruleset.Layer, text string) []*interp.Rules {
		t.Helper()
		gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load(layerName(layer)+".toml", []byte(text), layer)}, ruleset.KnownFrom(gates.All[:]))
		if err != nil {
			t.Fatal(err)
		}
		return []*interp.Rules{interp.New(gates)}
	}
	user := compiled(ruleset.User, `
[[programs]]
names = ["cat", "git", "shellcheck", "env"]
[[programs.allow]]
operands = ["data*"]
any_flags = "mine"
lifts = ["*"]
`)
	managed := compiled(ruleset.Managed, `
[[programs]]
name = "git"
[[programs.ask]]
id = "managed.status"
subcommand = "status"
reason = "R"
[[programs]]
name = "shellcheck"
[[programs.block]]
id = "managed.shellcheck"
reason = "R"
[[paths]]
id = "managed.notes"
path = ["**/notes/**", "**/.env"]
read = "ask"
reason = "R"
`)
	for _, row := range []struct {
		line          string
		without, with policy.Decision
	}{
		{"git status", policy.Allow, policy.Ask},
		{"git log", policy.Allow, policy.Allow},
		{"shellcheck x", policy.Allow, policy.Block},
		{"cat notes/a", policy.Allow, policy.Ask},
		{"cat .env", policy.Allow, policy.Ask}, // a built-in question that the user lifts, and the administrator's that stays
		{"cat README.md", policy.Allow, policy.Allow},
	} {
		for _, e := range []struct {
			managed []*interp.Rules
			want    policy.Decision
		}{{nil, row.without}, {managed, row.with}} {
			v := New(Options{Files: projectDisk(), User: user, Managed: e.managed}).Evaluate(Request{Command: row.line, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash"})
			if v.Decision != e.want {
				t.Errorf("%s, with the administrator's rules %v: %v, want %v (%s)", row.line, e.managed != nil, v.Decision, e.want, v.Reason)
			}
		}
	}
	lifts := New(Options{Files: projectDisk(), User: user, NoLifts: true})
	if v := lifts.Evaluate(Request{Command: "cat .env", Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash"}); v.Decision != policy.Ask {
		t.Errorf("where nobody may lift: %v", v.Decision)
	}
}

func layerName(l ruleset.Layer) string {
	if l == ruleset.Managed {
		return "/etc/bashgate/rules/managed"
	}
	return "/home/u/.config/bashgate/rules/user"
}
