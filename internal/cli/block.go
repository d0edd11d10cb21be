package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

const blockHelp = `block writes a rule of yours that a command never runs.

Usage:
  bashgate block CMD [--reason TEXT] [--project]

It is about the program with its subcommand (git push), in any directory and
behind any wrapper, or, where it has none, about these words. It shows what of
the log it would have stopped. Only a person at a terminal writes it.

Flags:
  --reason TEXT     why, for whoever is told no (default: asked for)
  --project         for this project: into its .bashgate/rules/learned.toml
  --cwd DIR         where it would run (default: here)
  --workspace DIR   the project's directory (default: cwd)

Example:
  $ bashgate block 'terraform apply' --reason 'Our pipeline applies'
  1  terraform apply, whatever follows
  ...
`

func blockCommand() command {
	return command{
		name:    "block",
		summary: "write a rule that a command never runs",
		help:    blockHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			a := allower{situation: situation{attended: true, mode: "default", shell: "bash"}}
			reason := flags.String("reason", "", "TEXT")
			flags.BoolVar(&a.project, "project", false, "")
			flags.StringVar(&a.cwd, "cwd", "", "DIR")
			flags.StringVar(&a.workspace, "workspace", "", "DIR")
			return func(p *Process, args []string) (int, error) {
				if len(args) != 1 {
					return 0, usagef("quote it: bashgate block 'git push'", "block takes one command, found %d arguments", len(args))
				}
				a.process = p
				if err := a.complete(p); err != nil {
					return 0, err
				}
				return exitOK, a.block(args[0], *reason)
			}
		},
	}
}

// block shows the rule that blocks a command, and writes it.
func (a *allower) block(command, reason string) error {
	p := a.process
	j := newJudge(p)
	judge := j.learning()
	r := a.request(p, command)
	if v := judge(r); v.Decision == policy.Block {
		return usagef("bashgate explain shows why", "it is blocked already: %s", policy.Visible(v.Reason))
	}
	if reason == "" {
		if err := p.noAgentAbove("block"); err != nil {
			return err
		}
		answer, err := p.types("Why shall it never run? ", "block")
		if err != nil {
			return err
		}
		reason = answer
	}
	proposal, err := learn.Block(judge, r, reason)
	if refusal, ok := errors.AsType[*learn.Refusal](err); ok {
		return usagef(refusal.Hint, "no rule can block it: %s", policy.Visible(refusal.Why))
	}
	if err != nil {
		return err
	}
	var out strings.Builder
	a.show(&out, 1, proposal, nil)
	would := a.would(judge, a.history(), proposal, func(before, after policy.Decision) bool { return before != policy.Block && after == policy.Block })
	out.WriteString(ofTheLog(would, "it would have stopped"))
	if _, err := io.WriteString(p.Stdout, strings.TrimPrefix(out.String(), "\n")); err != nil { // nothing stands above it
		return err
	}
	if _, err := p.picks(1, "block", "blocked"); err != nil {
		return err
	}
	f, err := a.learned(r.Workspace)
	if err != nil {
		return err
	}
	if err := f.add(learn.Head(proposal.ID, time.Now(), p.home(r.Cwd), command), proposal.Text); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s: written to %s\n", proposal.ID, policy.Visible(p.home(f.path)))
	return f.trusted()
}

// maxHistory is how many lines of the log are judged again.
const maxHistory = 500

// history lists what the log holds of commands that can be judged again, the newest
// first, each once. Where there is no log, there is none.
func (a *allower) history() []audit.Line {
	c := a.process.setup().Audit
	where, err := a.process.auditLog(&c)
	if err != nil {
		return nil
	}
	r, err := audit.Open(where.Path)
	if err != nil {
		return nil
	}
	defer r.Close()
	var lines []audit.Line
	seen := map[string]bool{}
	r.Last(func(rec *audit.Record) bool { // what can't be read is no history
		if key := rec.Command + "\x00" + rec.Cwd; rec.Event == "before_tool_use" && rec.Exact() && !seen[key] {
			seen[key] = true
			lines = append(lines, rec.Line)
		}
		return len(lines) < maxHistory
	})
	return lines
}

// would lists the commands of the log that a rule decides otherwise.
func (a *allower) would(judge learn.Judge, history []audit.Line, proposal *learn.Proposal, differs func(before, after policy.Decision) bool) []string {
	var list []string
	for i := range history {
		line := &history[i]
		r := engine.Request{Command: line.Command, Cwd: line.Cwd, Workspace: line.Workspace, Home: system.Slash(a.process.Getenv("HOME")), Shell: line.Shell, Mode: "default"}
		if after := judge(r, proposal.Rules).Decision; differs(policy.Skip, after) && differs(judge(r).Decision, after) {
			list = append(list, line.Command)
		}
	}
	return list
}

// ofTheLog says how many commands of the log there are, and shows the first ones.
func ofTheLog(commands []string, what string) string {
	const most = 3
	if len(commands) == 0 {
		return ""
	}
	text := fmt.Sprintf("   %s %s of the log:\n", what, plural(len(commands), "command"))
	for i, command := range commands {
		if i == most {
			text += "     ...\n"
			break
		}
		text += "     " + policy.Visible(shorten(command, 80)) + "\n"
	}
	return text
}
