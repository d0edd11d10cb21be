package cli

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

const explainHelp = `explain shows what was seen in a command line, which rule decided about each
command, and what would change the answer.

Usage:
  bashgate explain [FLAGS] CMD
  bashgate explain --session SESSION CMD   what the hook would answer there
  bashgate explain --last [N]              what it has answered

CMD is one argument: quote it. The exit status is 0 whatever the decision.

With --session or --host it is judged as the agent's hook does it: with the
agent's own settings, by what the session has seen, and where and in which mode
the session worked last. Nothing is remembered or logged, no checker is run and
no reviewer is asked: those that would be are named. --last takes the last
question or denial here (2: the one before) from the decision log, and judges it
once more in the situation that it had then.

Flags:
  --session SESSION        a session whose id begins so; with --last, one of its
                           questions
  --host HOST              the agent, as bashgate hook names it
  --last[=N]               the last question or denial
` + situationHelp + `
Example:
  $ bashgate explain 'git status && git push'
  ask  Sends commits to a remote repository (git)

  ├─ allow  git status
  │         git.read  rules/git.toml:446
  │
  └─ ask    git push
            Sends commits to a remote repository (git)
            git.push  rules/git.toml:1069
            → a rule of yours can lift it: lifts = ["git.push"]

  reach network; executes, network
  bash in ~/project, mode default
`

func explainCommand() command {
	return command{
		name:    "explain",
		summary: "show what was seen, and which rule decided",
		help:    explainHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var s situation
			var last lastFlag
			s.declare(flags)
			id, agent := flags.String("session", "", "SESSION"), ""
			flags.Var(&choice{to: &agent, words: append(agentNames(), execHost, host.Protocol)}, "host", "HOST")
			flags.Var(&last, "last", "N")
			return func(p *Process, args []string) (int, error) {
				var given []string
				flags.Visit(func(f *flag.Flag) { given = append(given, f.Name) })
				if last > 0 {
					if len(args) == 1 && last == 1 {
						if err := last.Set(args[0]); err != nil {
							return 0, usagef("bashgate explain --last 2", "--last takes a number, not %s", policy.Visible(args[0]))
						}
						args = nil
					}
					if slices.ContainsFunc(given, func(name string) bool { return name != "last" && name != "session" && name != "cwd" }) || len(args) > 0 {
						return 0, usagef("see bashgate explain --help", "explain --last takes the command and its situation from the log")
					}
					if err := s.complete(p); err != nil {
						return 0, err
					}
					text, err := explainLast(p, s.cwd, *id, int(last))
					if err != nil {
						return 0, err
					}
					_, err = io.WriteString(p.Stdout, text)
					return exitOK, err
				}
				if len(args) != 1 {
					return 0, usagef("quote it: bashgate explain 'git status'", "explain takes one command, found %d arguments", len(args))
				}
				if err := s.complete(p); err != nil {
					return 0, err
				}
				if *id != "" || agent != "" {
					text, err := explainIn(p, s, given, agent, *id, args[0])
					if err != nil {
						return 0, err
					}
					_, err = io.WriteString(p.Stdout, text)
					return exitOK, err
				}
				r := s.request(p, args[0])
				v := newJudge(p).evaluate(r)
				_, err := io.WriteString(p.Stdout, explain(styleFor(p, p.Stdout), &r, &v))
				return exitOK, err
			}
		},
	}
}

// explain draws a verdict:
//
//	block  A whole directory of the system or of a user: / (rm)
//
//	├─ allow  git status
//	│         git.read           rules/git.toml:446
//	│
//	└─ block  rm -rf /
//	          A whole directory of the system or of a user: / (rm)
//	          paths.system-root  rules/paths.toml:13
//	          → a block stands: nothing but an [[override]] of yours makes it a question
//
//	reach local; deletes
//	bash in /home/u/project, mode default
func explain(s style, r *engine.Request, v *engine.Verdict) string {
	t := tree{style: s, request: r}
	t.measure(v.Tree)
	title := v.Reason
	switch {
	case v.Decision == policy.Allow && len(v.Tree) == 0:
		title = "nothing to run"
	case v.Decision == policy.Allow:
		title = "every command is allowed"
	}
	t.line(s.paint(bold, s.decision(v.Decision, v.Decision.String())) + "  " + policy.Visible(title))
	t.line("")
	if len(v.Tree) > 0 {
		t.nodes("", v.Tree)
		t.line("")
	}
	for _, r := range overall(v) {
		t.line(s.decision(r.Decision, fmt.Sprintf("%-5s", r.Decision)) + "  the line as a whole")
		t.reason("       ", r.Decision, nil, r, "")
		t.line("")
	}
	effects := "no effects"
	if names := v.Effects.Names(); len(names) > 0 {
		effects = strings.Join(names, ", ")
	}
	shell := r.Shell
	if shell == "" {
		shell = "any shell"
	}
	where := shell + " in " + tilde(r.Home, r.Cwd)
	if r.Workspace != r.Cwd {
		where += ", workspace " + tilde(r.Home, r.Workspace)
	}
	mode := r.Mode
	if mode == "" && r.Settings != nil {
		mode = r.Settings.DefaultMode
	}
	where += ", mode " + cmp.Or(mode, "default")
	if r.Profile != "" && r.Profile != "default" {
		where += ", profile " + r.Profile
	}
	if r.Unattended {
		where += ", unattended"
	}
	t.line(s.paint(dim, "reach "+v.Reach.String()+"; "+effects))
	t.line(s.paint(dim, policy.Visible(where)))
	return t.String()
}

// overall returns the reasons that no node has: those about the line as a
// whole, such as a permission mode's.
func overall(v *engine.Verdict) []*engine.Reason {
	seen := map[string]bool{}
	var visit func([]engine.Node)
	visit = func(nodes []engine.Node) {
		for i := range nodes {
			for k := range nodes[i].Reasons {
				seen[nodes[i].Reasons[k].ID] = true
			}
			visit(nodes[i].Children)
		}
	}
	visit(v.Tree)
	var list []*engine.Reason
	for i := range v.Reasons {
		if !seen[v.Reasons[i].ID] {
			list = append(list, &v.Reasons[i])
		}
	}
	return list
}
