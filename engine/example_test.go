package engine_test

import (
	"errors"
	"fmt"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// A line is allowed only if all of it is. The zero Options are the built-in
// rules, without a look at the disk.
func Example() {
	e := engine.New(engine.Options{})
	for _, line := range []string{"git status", "git push --force", "git status && rm -rf ~"} {
		v := e.Evaluate(engine.Request{Command: line, Workspace: "/srv/app", Home: "/home/u", Shell: policy.ShellBash})
		fmt.Printf("%s: %s\n", line, v.Decision)
		for _, r := range v.Reasons {
			if r.Counts() > policy.Allow {
				fmt.Printf("\t%s: %s\n", r.ID, r.Text())
			}
		}
	}
	// Output:
	// git status: allow
	// git push --force: ask
	// 	git.push-force: Overwrites or deletes what is on the remote (git)
	// git status && rm -rf ~: block
	// 	paths.system-root: A whole directory of the system or of a user: /home/u (rm)
	// 	files.rm-outside: Removes directories that are not in the workspace with all that is in them (rm)
	// 	files.rm-tree: Removes directories with all that is in them (rm)
}

// A user's rule file adds what the built-in rules don't know.
func ExampleLoadRules() {
	rules, err := engine.LoadRules(engine.UserLayer, engine.RuleFile{Name: "acme.toml", Text: []byte(`
[[programs]]
name = "acme"
unsteered = true
[[programs.allow]]
subcommand = "status"
[[programs.ask]]
subcommand = "deploy"
reason = "Brings the workspace to the servers"
`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := engine.New(engine.Options{Files: engine.OSFiles(), User: []*engine.Rules{rules}})
	for _, line := range []string{"acme status", "acme deploy", "acme destroy"} {
		v := e.Evaluate(engine.Request{Command: line, Workspace: "/srv/app"})
		fmt.Printf("%s: %s\n", line, v.Decision)
	}
	// Output:
	// acme status: allow
	// acme deploy: ask
	// acme destroy: ask
}

// Each mistake says where it is and what to write instead.
func ExampleRuleError() {
	_, err := engine.LoadRules(engine.UserLayer, engine.RuleFile{Name: "acme.toml", Text: []byte("[[programs]]\nname = \"acme\"\nunsteerd = true\nunknown_action = \"allow\"\n")})
	fmt.Println(err)
	var wrong *engine.RuleError
	if errors.As(err, &wrong) {
		fmt.Println(wrong.Line, wrong.Col, wrong.Hint)
	}
	// Output:
	// acme.toml:3:1: unknown key "unsteerd" in [[programs]]
	//     unsteerd = true
	//     ^^^^^^^^
	// hint: did you mean "unsteered"?
	// 3 1 did you mean "unsteered"?
}

// In a session that has seen untrusted content and secrets, what talks to a
// network is for a person.
func ExampleTaint() {
	v := engine.New(engine.Options{}).Evaluate(engine.Request{
		Command: "npm ci", Workspace: "/srv/app",
		Taint: engine.Taint{Corruption: 3, Secret: 3},
	})
	fmt.Println(v.Decision, v.Reach)
	// Output: ask network
}
