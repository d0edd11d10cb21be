package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

const checkHelp = `check decides about a command line.

Usage:
  bashgate check [FLAGS] CMD
  bashgate check --json [FLAGS] [CMD]

CMD is one argument: quote it. The exit status is the decision: 0 allow, 3 ask,
4 block. With --json the status is 0 whatever the decision, and the answer is
one line of JSON; without CMD every line of the input is a question:

  {"command": "git push", "cwd": "/w", "mode": "plan", "packs": ["guard-git"]}

Its keys are command, cwd, workspace, mode, shell, attended, profile, packs,
denied_commands, allowed_dirs, taint and cop. All but command are optional; the
flags give the defaults. A line that can't be understood is answered with
"decision": "ask" and an "error".

Flags:
  --json                   answer in JSON
` + situationHelp + `
Example:
  $ bashgate check 'git push --force origin main'
  ask  Overwrites or deletes what is on the remote (git)
       git push --force origin main  git.push-force  rules/git.toml:1078
`

func checkCommand() command {
	return command{
		name:    "check",
		summary: "decide about a command line",
		help:    checkHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var s situation
			json := flags.Bool("json", false, "")
			s.declare(flags)
			return func(p *Process, args []string) (int, error) {
				if len(args) > 1 {
					return 0, usagef("quote it: bashgate check '"+policy.Visible(strings.Join(args, " "))+"'", "check takes one command, found %d arguments", len(args))
				}
				if len(args) == 0 && !*json {
					return 0, usagef("bashgate check 'git status', or bashgate check --json <FILE", "check needs a command")
				}
				if err := s.complete(p); err != nil {
					return 0, err
				}
				defer seldom()()
				switch {
				case len(args) == 0:
					return exitOK, checkLines(p, &s)
				case *json:
					v := newJudge(p).evaluate(s.request(p, args[0]))
					_, err := p.Stdout.Write(appendVerdict(nil, args[0], &v))
					return exitOK, err
				}
				v := newJudge(p).evaluate(s.request(p, args[0]))
				return decisionStatus(v.Decision), printCheck(p, &v)
			}
		},
	}
}

func decisionStatus(d policy.Decision) int {
	switch d {
	case policy.Allow:
		return exitOK
	case policy.Block:
		return exitBlock
	}
	return exitAsk
}

// printCheck prints the decision and the reasons for it:
//
//	block  A whole directory of the system or of a user: / (rm)
//	       rm -rf /  paths.system-root  rules/paths.toml:13
func printCheck(p *Process, v *engine.Verdict) error {
	s := styleFor(p, p.Stdout)
	var b strings.Builder
	word := v.Decision.String()
	pad := strings.Repeat(" ", len(word)+2)
	b.WriteString(s.decision(v.Decision, word))
	shown := map[string]bool{}
	mistakes := 0
	first := true
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if v.Decision == policy.Allow || !explains(v, r) {
			continue
		}
		text, command := policy.Visible(r.Text()), shorten(policy.Visible(r.Command()), 80)
		if shown[text+command] {
			continue
		}
		shown[text+command] = true
		if r.ID == "config.error" {
			if mistakes++; mistakes > mostMistakes {
				continue
			}
		}
		if first {
			fmt.Fprintf(&b, "  %s\n", policy.Visible(v.Reason))
		} else {
			fmt.Fprintf(&b, "%s%s\n", pad, text)
		}
		first = false
		where := r.ID
		if r.File != "" {
			where = fmt.Sprintf("%s  %s:%d", r.ID, p.home(r.File), r.Line)
		}
		fmt.Fprintf(&b, "%s%s  %s\n", pad, command, s.paint(dim, where))
	}
	if more := mistakes - mostMistakes; more > 0 {
		fmt.Fprintf(&b, "%sand %s of the configuration: %s\n", pad, plural(more, "more mistake"), s.paint(dim, "bashgate rules lint"))
	}
	if first {
		b.WriteString("\n")
	}
	_, err := io.WriteString(p.Stdout, b.String())
	return err
}

// mostMistakes is how many mistakes of the configuration a check shows: a file may
// hold hundreds.
const mostMistakes = 5

// explains reports whether a reason is one of those that made the decision:
// it is as strict, or it is a question that the permission mode made a block.
func explains(v *engine.Verdict, r *engine.Reason) bool {
	return r.Counts() == v.Decision ||
		r.Counts() == policy.Ask && strings.HasPrefix(v.Reasons[0].ID, "mode.")
}
