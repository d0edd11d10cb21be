package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/manual"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// maxFacts bounds a file of option tables.
const maxFacts = 64 << 20

// auditing is what rules audit compares tables with.
type auditing struct {
	facts manual.Facts
	man   string // the program that shows pages, or ""
	only  []string
	out   strings.Builder
	found int
	seen  int // option tables that something is said of
}

// rulesAudit prints where tables disagree with manual pages and option tables.
func rulesAudit(p *Process, s *situation, facts string, only, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usagef("bashgate rules audit rsync", "rules audit takes the programs or rule files that it is about")
	}
	a := auditing{man: findMan(p.Getenv("PATH")), only: only}
	if facts != "" {
		text, err := disk.OS{}.ReadFile(s.under(facts), maxFacts)
		if err != nil {
			return 0, err
		}
		if a.facts, err = manual.ReadFacts(facts, text); err != nil {
			return 0, err
		}
	}
	for _, arg := range args {
		if err := a.argument(s, arg); err != nil {
			return 0, err
		}
	}
	fmt.Fprintf(&a.out, "%s in %s\n", plural(a.found, "finding"), plural(a.seen, "described subcommand"))
	_, err := io.WriteString(p.Stdout, a.out.String())
	if a.found > 0 {
		return exitError, err
	}
	return exitOK, err
}

// under makes a path of the command line absolute.
func (s *situation) under(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.cwd, name)
}

// findMan looks man up. An empty or relative directory of PATH is not looked in.
func findMan(path string) string {
	for dir := range strings.SplitSeq(path, ":") {
		name := filepath.Join(dir, "man")
		if info, err := os.Stat(name); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}

// argument audits one program, or all of one file.
func (a *auditing) argument(s *situation, arg string) error {
	if !strings.HasSuffix(arg, ".toml") {
		p := gates.Program(arg)
		if p == nil {
			return fmt.Errorf("no built-in rule knows %q\nhint: a rule file is named by its path, rules/x.toml", arg)
		}
		text, _ := disk.OS{}.ReadFile(s.under(p.File), maxInput) // where the sources are at hand, findings have their lines
		a.program(p, arg, p.File, string(text))
		return nil
	}
	text, err := disk.OS{}.ReadFile(s.under(arg), maxInput)
	if err != nil {
		if path, ok := errors.AsType[*os.PathError](err); ok {
			path.Path = arg
		}
		return err
	}
	gate, err := compiledFile(arg, text)
	if err != nil {
		return err
	}
	for _, p := range gate.Programs() {
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			a.program(p, name, arg, string(text))
		}
	}
	return nil
}

// compiledFile compiles one rule file, a built-in one or a user's.
func compiledFile(name string, text []byte) (*match.Gate, error) {
	known := ruleset.KnownFrom(gates.All[:])
	built, err := ruleset.Compile([]*ruleset.File{ruleset.Load(name, text, ruleset.BuiltIn)}, known)
	if err == nil {
		return built[0], nil
	}
	if users, err := ruleset.Compile([]*ruleset.File{ruleset.Load(name, text, ruleset.User)}, known); err == nil {
		return users[0], nil
	}
	return nil, err
}

// program audits what a table says of one of its programs.
func (a *auditing) program(p *match.Program, name, file, text string) {
	var list []manual.Described
	for i := range p.Levels {
		if l := &p.Levels[i]; a.man != "" && !l.PathOnly && !match.IsGlob(l.Path) && strings.Count(l.Path, " ") < 2 {
			page := strings.ReplaceAll(strings.TrimSpace(name+" "+l.Path), " ", "-")
			if options := manual.Page(a.man, page); options != nil {
				list = append(list, manual.Described{Path: l.Path, Options: options, Source: "man " + page})
			}
		}
	}
	confirmed := map[string][]string{} // by path
	for _, d := range list {
		confirmed[d.Path] = append(confirmed[d.Path], manual.Confirms(p, d)...)
	}
	for _, d := range append(list, a.facts[name]...) {
		a.seen++
		for _, f := range manual.Compare(p, d) {
			if len(a.only) > 0 && !slices.Contains(a.only, string(f.Kind)) || f.Kind == manual.Arity && slices.Contains(confirmed[f.Path], f.Option) {
				continue
			}
			a.found++
			what := strings.TrimSpace(name + " " + f.Path)
			fmt.Fprintf(&a.out, "%s:%d: %s: %s: %s\nhint: %s\n", file, lineOf(text, p.Line, f), f.Kind, what, f.Text, f.Hint)
		}
	}
}

// lineOf is where a table declares the option of a finding, or its program's
// line.
func lineOf(text string, program int, f manual.Finding) int {
	if f.Kind == manual.Unknown {
		return program
	}
	lines := strings.Split(text, "\n")
	inside := false // in the options of the subcommand
	for i := program; i < len(lines) && lines[i] != "[[programs]]"; i++ {
		line := lines[i]
		switch {
		case line == "[[programs.options]]":
			inside = f.Path == "" || strings.Contains(firstKey(lines[i+1:]), `"`+f.Path+`"`)
		case strings.HasPrefix(line, "["):
			inside = false
		case inside && names(line, f.Option):
			return i + 1
		}
	}
	return program
}

// firstKey is the first key of a table with its value, which may take several
// lines: the subcommand, where there is one.
func firstKey(lines []string) string {
	for n, line := range lines {
		if !strings.HasSuffix(lines[0], "[") || line == "]" {
			return strings.Join(lines[:n+1], " ")
		}
	}
	return ""
}

// names reports whether a line of a table holds a spelling.
func names(line, spelling string) bool {
	for _, before := range []string{`"`, " "} {
		at := strings.Index(line, before+spelling)
		for ; at >= 0; at = next(line, before+spelling, at) {
			if rest := line[at+len(before+spelling):]; rest != "" && strings.ContainsRune(`" =?`, rune(rest[0])) {
				return true
			}
		}
	}
	return false
}

// next is where a text occurs again behind a place, or -1.
func next(line, text string, at int) int {
	if again := strings.Index(line[at+1:], text); again >= 0 {
		return at + 1 + again
	}
	return -1
}
