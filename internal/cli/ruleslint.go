package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// rulesLint prints what is wrong with rule files (and, where all are meant,
// with the settings), and the allows that are so wide that one should know of
// them.
func rulesLint(p *Process, s *situation, args []string) (int, error) {
	layers, err := readRules(p, s, args)
	if err != nil {
		return 0, err
	}
	var b strings.Builder
	files, bad := 0, 0
	if len(args) == 0 {
		if _, err := config.Load(p.Getenv); err != nil {
			bad = countErrors(err)
			fmt.Fprintln(&b, err)
		}
	}
	for _, w := range layers {
		files += len(w.files)
		if w.err != nil {
			bad += countErrors(w.err)
			fmt.Fprintln(&b, w.err)
		}
		for _, g := range w.gates {
			for _, f := range w.files {
				if f.Name != g.File {
					continue
				}
				for _, n := range ruleset.Lint(f, g) {
					n.Msg = "note: " + n.Msg + " (" + n.Check + ")"
					fmt.Fprintln(&b, n.Error)
				}
			}
		}
	}
	if bad > 0 {
		fmt.Fprintln(&b, plural(bad, "error"))
	} else {
		fmt.Fprintf(&b, "%s, no errors\n", plural(files, "file"))
	}
	status := exitOK
	if bad > 0 {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return status, err
}

// countErrors counts the errors that were joined into one.
func countErrors(err error) int {
	if errs, ok := err.(ruleset.Errors); ok {
		return len(errs)
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		n := 0
		for _, err := range joined.Unwrap() {
			n += countErrors(err)
		}
		return n
	}
	if inner := errors.Unwrap(err); inner != nil {
		return countErrors(inner)
	}
	return 1
}
