package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/layout"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// rulesLint prints what is wrong with rule files (and, where all are meant,
// with the settings), what their layer may not do, and the allows that are so
// wide that one should know of them.
func rulesLint(p *Process, s *situation, args []string) (int, error) {
	layers, err := readRules(p, s, args)
	if err != nil {
		return 0, err
	}
	l := lint{}
	if len(args) == 0 {
		setup := p.setup()
		l.settings(setup.Files)
		for _, e := range setup.Inside(s.workspace) {
			l.error(e)
		}
		l.settings(setup.Project(config.Projects(s.cwd, s.workspace, p.Getenv("HOME")), catalogue.Known).Files)
	}
	for _, rules := range layers {
		l.rules(rules)
	}
	if l.bad > 0 {
		fmt.Fprintln(&l.out, plural(l.bad, "error"))
	} else {
		fmt.Fprintf(&l.out, "%s, no errors\n", plural(l.files, "file"))
	}
	if l.formless > 0 {
		fmt.Fprintf(&l.out, "hint: bashgate rules fmt gives %s another form\n", plural(l.formless, "file"))
	}
	status := exitOK
	if l.bad > 0 {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, l.out.String())
	return status, err
}

type lint struct {
	out        strings.Builder
	files, bad int
	formless   int // files that are not in their form
}

func (l *lint) error(err error) {
	l.bad += countErrors(err)
	fmt.Fprintln(&l.out, err)
}

// note prints what is no error but good to know.
func (l *lint) note(e *ruleset.Error, check string) {
	noted := *e
	noted.Msg = "note: " + e.Msg + " (" + check + ")"
	fmt.Fprintln(&l.out, &noted)
}

func (l *lint) settings(files []*config.File) {
	for _, f := range files {
		for _, fault := range f.Faults {
			l.error(fault.Err)
		}
		for _, e := range f.Inert {
			l.note(e, "inert")
		}
	}
}

func (l *lint) rules(rules *config.Rules) {
	l.files += len(rules.Files)
	for _, fault := range rules.Unread() {
		l.error(fault.Err)
	}
	for i := range rules.Files {
		f := &rules.Files[i]
		if err := f.Err(); err != nil {
			l.error(err)
		}
		for _, e := range f.Inert {
			l.note(e, "inert")
		}
		if formed, err := layout.Format([]byte(f.Text()), ruleset.Order); err == nil && string(formed) != f.Text() {
			l.formless++
		}
		if f.Faults == nil && f.Gate != nil {
			for _, n := range ruleset.Lint(f.File, f.Gate) {
				l.note(n.Error, n.Check)
			}
		}
	}
}

// countErrors counts the errors that were joined into one.
func countErrors(err error) int {
	if errs, ok := errors.AsType[ruleset.Errors](err); ok {
		return len(errs)
	}
	return 1
}
