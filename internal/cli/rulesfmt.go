package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/expect"
	"github.com/bashgate/bashgate/internal/layout"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/toml"
	"github.com/bashgate/bashgate/policy"
)

// formatter is rules fmt at work.
type formatter struct {
	process   *Process
	situation *situation
	check     bool // name the files that have another form, and write none
	diff      bool // show what would change, and write nothing
	out       strings.Builder
	files     int
	changed   int
	broken    int
	projects  []string // whose rules were written
}

// rulesFmt gives rule files, and tables of tests, their one form.
func rulesFmt(p *Process, s *situation, args []string, check, diff bool) (int, error) {
	f := formatter{process: p, situation: s, check: check, diff: diff}
	names, err := f.names(args)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := f.file(name); err != nil {
			f.broken++
			p.complain(err.Error(), "")
		}
	}
	doing := "changed"
	if check || diff {
		doing = "to change"
	}
	fmt.Fprintf(&f.out, "%s, %d %s\n", plural(f.files, "file"), f.changed, doing)
	f.trust()
	status := exitOK
	if f.broken > 0 || (check || diff) && f.changed > 0 {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, f.out.String())
	return status, err
}

// names lists the files that are meant: a directory stands for those in it, and
// no name for all of the user's and the project's.
func (f *formatter) names(args []string) ([]string, error) {
	var dirs []string
	if len(args) == 0 {
		p := f.process
		places := p.setup().Places
		for _, dir := range [...]string{"rules", "profiles", "tests"} {
			dirs = append(dirs, places.Below(config.User, dir))
		}
		for _, dir := range config.Projects(f.situation.cwd, f.situation.workspace, p.Getenv("HOME")) {
			dirs = append(dirs, filepath.Join(dir, ".bashgate", "rules"), filepath.Join(dir, ".bashgate", "tests"))
		}
	}
	var names []string
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err == nil {
			args = append(args, dir)
		}
	}
	for _, name := range args {
		if info, err := os.Stat(f.situation.under(name)); err != nil || !info.IsDir() {
			names = append(names, name)
			continue
		}
		entries, err := os.ReadDir(f.situation.under(name))
		if err != nil {
			return nil, named(err, name)
		}
		for _, entry := range entries {
			if !entry.IsDir() && filepath.Ext(entry.Name()) == ".toml" {
				names = append(names, filepath.Join(name, entry.Name()))
			}
		}
	}
	return names, nil
}

// file formats one file. Where that can't be, it stays as it is.
func (f *formatter) file(name string) error {
	f.files++
	path := f.situation.under(name)
	name = f.situation.shown(f.process, name)
	text, err := disk.OS{}.ReadFile(path, maxInput)
	if err != nil {
		return named(err, name)
	}
	order := ruleset.Order
	if isTable(f.situation, path) {
		order = expect.Keys
	}
	formed, err := layout.Format(text, order)
	if wrong, ok := errors.AsType[*toml.Error](err); ok {
		return &ruleset.Error{File: name, At: wrong.At, Msg: "not TOML: " + wrong.Msg, Line: nthLine(text, wrong.At.Line)}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", policy.Visible(name), err)
	}
	if string(formed) == string(text) {
		return nil
	}
	f.changed++
	switch {
	case f.diff:
		f.out.WriteString(edit.Diff(string(text), string(formed), policy.Visible(name), policy.Visible(name)))
	case !f.check:
		if err := edit.Replace(path, formed, 0o644); err != nil {
			return named(err, name)
		}
		if f.process.layerOf(path) == ruleset.Project {
			f.projects = append(f.projects, filepath.Dir(filepath.Dir(filepath.Dir(path))))
		}
		fallthrough
	default:
		f.out.WriteString(policy.Visible(name) + "\n")
	}
	return nil
}

// trust says which projects' rules count as the user's no more, for not one
// byte of them may change.
func (f *formatter) trust() {
	said := map[string]bool{}
	for _, dir := range f.projects {
		if !said[dir] && f.process.setup().Trusts(dir) == config.Changed {
			said[dir] = true
			fmt.Fprintf(&f.out, "note: the rules of %s have changed since they were trusted: bashgate trust %s\n",
				policy.Visible(f.process.home(dir)), policy.Quote(dir))
		}
	}
}

// nthLine is a line of a text, counted from 1; "" if there is none.
func nthLine(text []byte, n int) string {
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}
