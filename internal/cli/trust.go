package cli

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

const trustHelp = `trust makes a project's rules count as your own.

Usage:
  bashgate trust [DIR]
  bashgate trust --show [DIR]
  bashgate trust --list
  bashgate trust --revoke [DIR]

A project's rules only tighten: what they allow or lift does nothing. trust
shows the rule files of the project that DIR (default: here) lies in, with what
they would allow, and asks on a terminal, and only there. From then on they
count as yours, as long as not one byte of them changes. If some has, trust
shows the difference to what you have trusted.

Flags:
  --show     show that, and ask nothing
  --list     show what is trusted
  --revoke   trust it no more

Example:
  $ bashgate trust --list
  nothing is trusted
`

func trustCommand() command {
	return command{
		name:     "trust",
		summary:  "make a project's rules count as your own",
		help:     trustHelp,
		operands: "DIR",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			show := flags.Bool("show", false, "")
			list := flags.Bool("list", false, "")
			revoke := flags.Bool("revoke", false, "")
			return func(p *Process, args []string) (int, error) {
				switch {
				case len(args) > 1:
					return 0, usagef("see bashgate trust --help", "trust takes one directory, found %d", len(args))
				case *show && *revoke:
					return 0, usagef("see bashgate trust --help", "either --show or --revoke")
				case *list && (*show || *revoke || len(args) > 0):
					return 0, usagef("see bashgate trust --help", "trust --list takes nothing else")
				}
				t := truster{process: p, setup: p.setup()}
				if *list {
					return exitOK, t.list()
				}
				s := situation{}
				if len(args) == 1 {
					s.cwd = args[0]
				}
				if err := s.complete(p); err != nil {
					return 0, err
				}
				if *revoke {
					return exitOK, t.revoke(s.cwd)
				}
				return exitOK, t.trust(s.cwd, *show)
			}
		},
	}
}

// truster is the trust command at work.
type truster struct {
	process *Process
	setup   *config.Setup
	out     strings.Builder
}

func (t *truster) print() error {
	_, err := io.WriteString(t.process.Stdout, t.out.String())
	t.out.Reset()
	return err
}

// list shows what is trusted, and whether it still is.
func (t *truster) list() error {
	lines := t.setup.Trusted().Lines
	if len(lines) == 0 {
		t.out.WriteString("nothing is trusted\n")
	}
	for i := range lines {
		line := &lines[i]
		note := trustNote(t.setup.Trusts(line.Dir))
		fmt.Fprintf(&t.out, "%s  %s%s\n", policy.Visible(t.process.home(line.Dir)), policy.Visible(strings.Join(line.Files, ", ")), note)
		fmt.Fprintf(&t.out, "  %s, by %s\n", policy.Visible(line.At), policy.Visible(line.By))
	}
	return t.print()
}

// trustNote says of a project that was trusted what has become of it; "" where it
// still is.
func trustNote(trust config.Trust) string {
	switch trust {
	case config.Changed:
		return "  (has changed since, and only tightens)"
	case config.Untrusted:
		return "  (has no rules any more)"
	}
	return ""
}

// trust shows the rules of the projects that a directory lies in, and asks.
func (t *truster) trust(dir string, only bool) error {
	var fresh []*config.Rules
	project := t.setup.Project(config.Projects(dir, dir, t.process.Getenv("HOME")), catalogue.Known)
	for _, r := range project.Rules {
		t.changes(r)
		for _, fault := range r.Faults() {
			t.print()
			return fmt.Errorf("%w\nwhat is broken can't be trusted", fault.Err)
		}
		if r.Trust == config.IsTrusted {
			fmt.Fprintf(&t.out, "%s is trusted already\n", policy.Visible(t.process.home(r.Project)))
			continue
		}
		fresh = append(fresh, r)
		t.show(r)
	}
	if len(project.Rules) == 0 {
		return fmt.Errorf("no rules in %s", policy.Visible(t.process.home(filepath.Join(dir, ".bashgate", "rules"))))
	}
	if err := t.print(); err != nil || only || len(fresh) == 0 {
		return err
	}
	by, err := t.process.person("Shall these rules count as your own, as they are now?", "trust", "trusted")
	if err != nil {
		return err
	}
	for _, r := range fresh {
		if err := t.setup.Trusted().Add(r, by, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// changes shows how a project's files differ from what was trusted of them.
func (t *truster) changes(r *config.Rules) {
	line := t.setup.Trusted().Of(r.Project)
	if r.Trust != config.Changed || line == nil {
		return
	}
	was, ok := t.setup.Trusted().Was(line)
	if !ok {
		fmt.Fprintf(&t.out, "the rules of %s have changed since they were trusted; no copy of what was is left\n", policy.Visible(t.process.home(r.Project)))
		return
	}
	fmt.Fprintf(&t.out, "the rules of %s have changed since they were trusted (%s, by %s):\n", policy.Visible(t.process.home(r.Project)), policy.Visible(line.At), policy.Visible(line.By))
	now := r.Now()
	at := func(files []config.RuleFile, name string) int {
		return slices.IndexFunc(files, func(f config.RuleFile) bool { return f.Name == name })
	}
	diff := func(before, after, name, from, to string) {
		path := filepath.Join(t.process.home(r.Dir), name)
		t.out.WriteString(visibleLines(edit.Diff(before, after, cmp.Or(from, path), cmp.Or(to, path))))
	}
	for _, f := range was {
		if i := at(now, f.Name); i < 0 {
			diff(f.Text, "", f.Name, "", "/dev/null")
		} else {
			diff(f.Text, now[i].Text, f.Name, "", "")
		}
	}
	for _, f := range now {
		if at(was, f.Name) < 0 {
			diff("", f.Text, f.Name, "/dev/null", "")
		}
	}
	t.out.WriteString("\n")
}

// show lists a project's files with what they would allow.
func (t *truster) show(r *config.Rules) {
	s := styleFor(t.process, t.process.Stdout)
	own := r.AsOwn(catalogue.Known)
	for i := range r.Files {
		f := &r.Files[i]
		fmt.Fprintf(&t.out, "%s\n", s.paint(bold, policy.Visible(t.process.home(f.Name))))
		for _, e := range f.Inert {
			fmt.Fprintf(&t.out, "  %s  %s\n", s.paint(dim, fmt.Sprintf("%4d", e.At.Line)), policy.Visible(meaning(own.Files[i].Gate, e)))
		}
		if len(f.Inert) == 0 {
			t.out.WriteString("        only tightens\n")
		}
	}
}

// meaning says what would hold if the file were the user's.
func meaning(g *match.Gate, e *ruleset.Error) string {
	line := e.At.Line
	var last *match.Program
	for _, p := range g.Programs() {
		for i := range p.Rules {
			r := &p.Rules[i]
			if int(r.Line) != line || r.Decision != policy.Allow {
				continue
			}
			words := []string{"allow " + p.Name}
			if c := conditions(r); len(c) > 0 {
				words = append(words, strings.Join(c, ", "))
			}
			if len(r.Lifts()) > 0 {
				words = append(words, "lifts "+strings.Join(r.Lifts(), ", "))
			}
			return strings.Join(words, ": ")
		}
		if p.Line <= line && (last == nil || p.Line > last.Line) {
			last = p
		}
	}
	if last != nil && last.Unknown == policy.Allow && strings.HasPrefix(strings.TrimSpace(e.Line), "unknown_action") {
		return "allow " + last.Name + ": whatever no other rule is about"
	}
	return strings.TrimSpace(e.Line)
}

// revoke trusts the projects no more that a directory lies in.
func (t *truster) revoke(dir string) error {
	dirs := append([]string{dir}, config.Projects(dir, dir, t.process.Getenv("HOME"))...)
	revoked := false
	for _, dir := range dirs {
		was, err := t.setup.Trusted().Revoke(dir)
		if err != nil {
			return err
		}
		if was {
			fmt.Fprintf(&t.out, "%s is trusted no more\n", policy.Visible(t.process.home(dir)))
			revoked = true
		}
	}
	if !revoked {
		return fmt.Errorf("%s is not trusted", policy.Visible(t.process.home(dir)))
	}
	return t.print()
}
