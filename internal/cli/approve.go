package cli

import (
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
)

const approveHelp = `approve lets a command run that waits for a person.

Usage:
  bashgate approve [--trust] CODE...

It shows all of each request, as bashgate pending CODE --full does, and you type
a word that stands in the question: nothing approves that has not read it. Then
the agent may run this command once, within ten minutes, with the same files and
the same variables, and while its session has seen nothing more. What has
changed meanwhile asks anew. No approval makes a block an allow. Only a person
at a terminal approves.

Flags:
  --trust   what the session had seen when it asked counts no more in it: you
            vouch for it, and nothing more is asked because of it. Nor does the
            same where that session sees it again. bashgate taint show still
            shows it

Example:
  $ bashgate approve kxrt
  KXRT  claude 7bca2281, 12s ago, waits 4m47s more
    │ git push --force
    in     ~/project
    asks   Overwrites or deletes what is on the remote (git)
           git.push-force  rules/git.toml:1078
    does   removes files
           runs code of the project or of a file
           sends or receives data
  Type maple to approve that: maple
  KXRT is approved: once, within 10 minutes
`

const denyHelp = `deny says no to a command that waits for a person, or that has been approved
and has not run yet.

Usage:
  bashgate deny [--reason TEXT] CODE...

It shows each request, and asks on a terminal. The agent is told who has denied
it, and why.

Flags:
  --reason TEXT   what the agent is told, 300 bytes at most

Example:
  $ bashgate deny kxrt --reason 'open a pull request'
  KXRT  claude 7bca2281, 12s ago, waits 4m47s more
    │ git push --force
    in     ~/project
    asks   Overwrites or deletes what is on the remote (git)
           git.push-force  rules/git.toml:1078
    does   removes files
           runs code of the project or of a file
           sends or receives data
  Deny that? Type y: y
  KXRT is denied
`

func approveCommand() command {
	return command{
		name:     "approve",
		summary:  "let a command run that waits for a person",
		help:     approveHelp,
		operands: "CODE",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			trust := flags.Bool("trust", false, "")
			return func(p *Process, codes []string) (int, error) {
				return exitOK, p.answerCodes(codes, approval.Answer{State: approval.Approved}, *trust)
			}
		},
	}
}

func denyCommand() command {
	return command{
		name:     "deny",
		summary:  "say no to a command that waits for a person",
		help:     denyHelp,
		operands: "CODE",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			reason := flags.String("reason", "", "TEXT")
			return func(p *Process, codes []string) (int, error) {
				if len(*reason) > maxShown {
					return 0, usagef("say it shorter", "the reason is longer than %d bytes", maxShown)
				}
				return exitOK, p.answerCodes(codes, approval.Answer{State: approval.Denied, Reason: *reason}, false)
			}
		},
	}
}

// answerCodes shows each request in full, asks a person about it, and gives it the
// answer.
func (p *Process) answerCodes(codes []string, a approval.Answer, trust bool) error {
	verb, done := "approve", a.State.String()
	if a.State == approval.Denied {
		verb = "deny"
	}
	if len(codes) == 0 {
		return usagef("bashgate pending lists them", "%s needs the code of a request", verb)
	}
	queue, err := p.Requests()
	if err != nil {
		return err
	}
	for _, code := range codes {
		r, err := p.request(queue, code)
		if err != nil {
			return err
		}
		v := PendingOf(r)
		switch {
		case !r.May(a.State):
			return spell(code, &approval.EndedError{Code: r.Code, State: r.State, By: r.By})
		case trust && !v.Trust:
			return spell(code, ErrNothingToTrust)
		}
		text := v.draw(p, styleFor(p, p.Stdout), terminalWidth(p.Stdout), 0, time.Now())
		if rows := len(v.Lines(0)); rows > mostRows || len(v.Command) > maxScreen {
			text += fmt.Sprintf("  %s, %d bytes: read it from its beginning\n", plural(rows, "line"), len(v.Command))
		}
		if _, err := io.WriteString(p.Stdout, text); err != nil {
			return err
		}
		if err := p.confirms(verb, done); err != nil {
			return err
		}
		a.By, a.Channel, a.Sum = p.who(), "terminal", v.Sum
		if _, err := p.Resolve(r.Code, a, trust); err != nil {
			return spell(r.Code, err)
		}
		note := ""
		if a.State == approval.Approved {
			note = fmt.Sprintf(": once, within %d minutes", int(approval.TicketLife.Minutes()))
		}
		if trust {
			note += "; what the session had seen counts no more in it"
		}
		if _, err := fmt.Fprintf(p.Stdout, "%s is %s%s\n", r.Code, done, note); err != nil {
			return err
		}
	}
	return nil
}

// maxScreen is how long a command can be of which one sees all at once, in bytes.
const maxScreen = 4000

// confirms asks somebody at a terminal: to approve takes a word that stands in the
// question, to deny a letter.
func (p *Process) confirms(verb, done string) error {
	if verb == "approve" {
		_, err := p.picks(1, verb, done)
		return err
	}
	if err := p.noAgentAbove(verb); err != nil {
		return err
	}
	answer, err := p.types("Deny that? Type y: ", verb)
	if err == nil && answer != "y" && answer != "yes" {
		err = fmt.Errorf("nothing is %s", done)
	}
	return err
}
