package cli

import (
	"cmp"
	"flag"
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/policy"
)

const forgetHelp = `forget takes an answer back that bashgate allow or bashgate block has written.

Usage:
  bashgate forget ID...

ID is that of a rule, of a ticket (once-3f7a22b1) or of a rule of a session, as
bashgate allow --list shows it. What else stands in the file stays as it is.
Only a person at a terminal takes answers back.

Flags:
  --cwd DIR         the project whose answers are meant, too (default: here)
  --workspace DIR   the project's directory (default: cwd)

Example:
  $ bashgate forget acme-r6my
  Forget acme-r6my? Type yes: yes
  acme-r6my: taken out of ~/.config/bashgate/rules/learned.toml
`

func forgetCommand() command {
	return command{
		name:     "forget",
		summary:  "take an answer back",
		help:     forgetHelp,
		operands: "ANSWER",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			a := allower{}
			flags.StringVar(&a.cwd, "cwd", "", "DIR")
			flags.StringVar(&a.workspace, "workspace", "", "DIR")
			return func(p *Process, args []string) (int, error) {
				if len(args) == 0 {
					return 0, usagef("bashgate allow --list shows them", "forget needs the id of an answer")
				}
				a.process = p
				if err := a.complete(p); err != nil {
					return 0, err
				}
				for _, id := range args {
					if err := a.forget(id); err != nil {
						return 0, err
					}
				}
				return exitOK, nil
			}
		},
	}
}

// forget takes one answer out, wherever it stands.
func (a *allower) forget(id string) error {
	id = strings.TrimPrefix(id, "learned.") // which decisions name it with
	p := a.process
	took := func(where string) error {
		_, err := fmt.Fprintf(p.Stdout, "%s: taken out of %s\n", policy.Visible(id), policy.Visible(where))
		return err
	}
	person := func() error {
		if err := p.noAgentAbove("forget"); err != nil {
			return err
		}
		_, err := p.person("Forget "+policy.Visible(id)+"?", "forget", "forgotten")
		return err
	}
	files, err := a.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if text := learn.Without(f.text, id); text != nil {
			if err := person(); err != nil {
				return err
			}
			if err := f.put(text); err != nil {
				return err
			}
			if err := took(p.home(f.path)); err != nil {
				return err
			}
			return f.trusted()
		}
	}
	store, err := p.answers()
	if err != nil {
		return err
	}
	entries, complaint := store.List()
	for _, e := range entries {
		switch text := learn.Without(e.Rules, id); {
		case e.Ticket != nil && e.ID == id:
			if err := person(); err != nil {
				return err
			}
			if _, err := store.Forget(id); err != nil {
				return err
			}
			return took("the tickets")
		case text != nil:
			if err := person(); err != nil {
				return err
			}
			if len(learn.Answers(text)) == 0 {
				text = nil
			}
			if err := store.SetSession(e.Session, text); err != nil {
				return err
			}
			return took("the session " + e.Session)
		}
	}
	if complaint != nil {
		return complaint
	}
	var ids []string
	for _, c := range p.valuesOf("ANSWER") {
		ids = append(ids, c.word)
	}
	return usagef(cmp.Or(alike(id, ids), "bashgate allow --list shows them"), "no answer is called %q", id)
}
