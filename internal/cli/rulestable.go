package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/expect"
	"github.com/bashgate/bashgate/internal/toml"
)

// testFiles splits what is named into rule files and tables of tests. Without
// names the tables are those that lie beside the rules: in tests of the user's
// and the administrator's directory, and in .bashgate/tests. A directory that is
// named stands for its tables.
func testFiles(p *Process, s *situation, args []string) (rules, tables []string, err error) {
	if len(args) == 0 {
		setup := p.setup()
		dirs := []string{setup.Places.Below(config.User, "tests"), setup.Places.Below(config.Managed, "tests")}
		for _, dir := range config.Projects(s.cwd, s.workspace, p.Getenv("HOME")) {
			dirs = append(dirs, filepath.Join(dir, ".bashgate", "tests"))
		}
		for _, dir := range dirs {
			found, err := tablesIn(s, dir)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, nil, err
			}
			tables = append(tables, found...)
		}
		return nil, tables, nil
	}
	for _, name := range args {
		if info, err := os.Stat(s.under(name)); err == nil && info.IsDir() {
			found, err := tablesIn(s, name)
			if err != nil {
				return nil, nil, err
			}
			if len(found) == 0 {
				return nil, nil, fmt.Errorf("no tests in %s", name)
			}
			tables = append(tables, found...)
			continue
		}
		if isTable(s, name) {
			tables = append(tables, name)
		} else {
			rules = append(rules, name)
		}
	}
	return rules, tables, nil
}

// tablesIn lists the tables of a directory, in the order of their names; "" is
// none.
func tablesIn(s *situation, dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(s.under(dir))
	if err != nil {
		return nil, named(err, dir)
	}
	var tables []string
	for _, entry := range entries {
		if !entry.IsDir() && slices.Contains(expect.Extensions(), filepath.Ext(entry.Name())) {
			tables = append(tables, filepath.Join(dir, entry.Name()))
		}
	}
	return tables, nil
}

// isTable reports whether a file holds tests and no rules: it lies in a
// directory called tests, or says so.
func isTable(s *situation, name string) bool {
	path := s.under(name)
	if filepath.Ext(path) != ".toml" {
		return slices.Contains(expect.Extensions(), filepath.Ext(path))
	}
	if filepath.Base(filepath.Dir(path)) == "tests" {
		return true
	}
	text, err := disk.OS{}.ReadFile(path, maxInput)
	if err != nil {
		return false // whoever reads rules says so
	}
	root, _ := toml.Parse(text)
	return root.Get("test") != nil || root.Get("defaults") != nil
}

// named makes an error of the file system speak of a file as it was named.
func named(err error, name string) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		path.Path = name
	}
	return err
}

// testTables judges the tests of tables as check would. A table that is broken
// is complained about, and nothing is judged.
func testTables(p *Process, s *situation, paths []string) (results []expect.Result, ok bool, err error) {
	if len(paths) == 0 {
		return nil, true, nil
	}
	t := tableTest{process: p, judge: newJudge(p), profiles: gates.Profiles[:]}
	for _, f := range t.judge.setup.Profiles(catalogue.Known).Files {
		t.profiles = append(t.profiles[:len(t.profiles):len(t.profiles)], f.Base())
	}
	tests := make([][]expect.Test, len(paths))
	ok = true
	for i, path := range paths {
		name := s.shown(p, path)
		text, err := disk.OS{}.ReadFile(s.under(path), maxInput)
		if err != nil {
			return nil, false, named(err, name)
		}
		if tests[i], err = expect.Load(name, text); err != nil {
			p.complain(err.Error(), "")
			ok = false
		}
	}
	if !ok {
		return nil, false, nil
	}
	for i := range tests {
		base := s.base(paths[i])
		for k := range tests[i] {
			t.test(base, &tests[i][k])
		}
	}
	return t.results, true, nil
}

type tableTest struct {
	process  *Process
	judge    *judge
	profiles []string // those that there are
	results  []expect.Result
}

// test judges one test of a table that belongs to a directory.
func (t *tableTest) test(base string, test *expect.Test) {
	r := expect.Result{File: test.File, At: test.At, Command: test.Command}
	r.Wrong = t.wrong(base, test)
	t.results = append(t.results, r)
}

// wrong says what is wrong with a test, line by line; nil if nothing is.
func (t *tableTest) wrong(base string, test *expect.Test) []string {
	here, err := t.situation(base, test)
	if err != nil {
		return []string{err.Error()}
	}
	v := t.judge.evaluate(here.request(t.process, test.Command))
	held := test.ID == ""
	for i := range v.Reasons {
		held = held || v.Reasons[i].ID == test.ID && explains(&v, &v.Reasons[i])
	}
	if held && v.Decision == test.Decision {
		return nil
	}
	lines := []string{strings.TrimRight("expected  "+test.Decision.String()+"  "+test.ID, " ")}
	for i, line := range t.process.because(&v) {
		head := "          "
		if i == 0 {
			head = "got       "
		}
		lines = append(lines, head+line)
	}
	if test.Note != "" {
		lines = append(lines, "note      "+test.Note)
	}
	return lines
}

// base is the directory that a table belongs to: the project, for one in its
// .bashgate/tests, and else the workspace.
func (s *situation) base(table string) string {
	if dir := filepath.Dir(s.under(table)); filepath.Base(dir) == "tests" && filepath.Base(filepath.Dir(dir)) == ".bashgate" {
		return filepath.Dir(filepath.Dir(dir))
	}
	return s.workspace
}

// shown is how a file is named to a person: from where it runs, or from the home
// directory.
func (s *situation) shown(p *Process, name string) string {
	if rest, below := strings.CutPrefix(name, strings.TrimSuffix(s.cwd, "/")+"/"); below {
		return rest
	}
	return p.home(name)
}

// situation is the one that a test describes. In the base relative paths begin,
// and it is the workspace of all that happens in it.
func (t *tableTest) situation(base string, test *expect.Test) (*situation, error) {
	here := situation{mode: test.Mode, shell: test.Shell, profile: test.Profile, attended: !test.Unattended}
	if here.mode == "" {
		here.mode = "default"
	}
	if here.shell == "" {
		here.shell = "bash"
	}
	if here.profile != "" && !slices.Contains(t.profiles, here.profile) {
		return nil, fmt.Errorf("no profile is called %q", here.profile)
	}
	for _, dir := range [...]struct {
		to   *string
		name string
	}{{&here.cwd, test.Cwd}, {&here.workspace, test.Workspace}} {
		switch rest, below := strings.CutPrefix(dir.name, "~/"); {
		case (below || dir.name == "~") && !filepath.IsAbs(t.process.Getenv("HOME")):
			return nil, fmt.Errorf("%s: there is no home directory", dir.name)
		case dir.name == "~":
			*dir.to = t.process.Getenv("HOME")
		case below:
			*dir.to = filepath.Join(t.process.Getenv("HOME"), rest)
		case filepath.IsAbs(dir.name):
			*dir.to = filepath.Clean(dir.name)
		case dir.name != "":
			*dir.to = filepath.Join(base, dir.name)
		}
	}
	if here.cwd == "" {
		here.cwd = base
	}
	if here.workspace == "" && (here.cwd == base || strings.HasPrefix(here.cwd, strings.TrimSuffix(base, "/")+"/")) {
		here.workspace = base
	}
	return &here, nil
}
