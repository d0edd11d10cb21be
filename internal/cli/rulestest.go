package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/expect"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// testReport is how rules test tells what it found.
type testReport struct {
	tap   bool
	junit string // a file, "" = none
}

// rulesTest judges the examples of rule files and the tests of tables.
func rulesTest(p *Process, s *situation, args []string, how testReport) (int, error) {
	rules, paths, err := testFiles(p, s, args)
	if err != nil {
		return 0, err
	}
	var results []expect.Result
	examples := 0
	if len(args) == 0 || len(rules) > 0 {
		ok := false
		if results, ok, err = testExamples(p, s, rules); err != nil || !ok {
			return exitError, err
		}
		examples = len(results)
	}
	tables, ok, err := testTables(p, s, paths)
	if err != nil || !ok {
		return exitError, err
	}
	results = append(results, tables...)
	if len(results) == 0 {
		return exitError, usagef("bashgate rules test FILE, or write tests beside the rules", "nothing is tested: no examples and no tests here")
	}
	if how.junit != "" {
		if err := edit.Replace(s.under(how.junit), []byte(expect.JUnit(results)), 0o644); err != nil {
			return 0, err
		}
	}
	text := expect.TAP(results)
	if !how.tap {
		text = testText(results, examples)
	}
	status := exitOK
	if expect.Failures(results) > 0 {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, text)
	return status, err
}

// testText is the report for people.
func testText(results []expect.Result, examples int) string {
	var b strings.Builder
	for i := range results {
		r := &results[i]
		if r.Wrong == nil {
			continue
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", policy.Visible(r.File), r.At.Line, r.At.Col, policy.Visible(r.Command))
		for _, line := range r.Wrong {
			fmt.Fprintf(&b, "    %s\n", policy.Visible(line))
		}
	}
	var counts []string
	if tests := len(results) - examples; tests > 0 {
		counts = append(counts, plural(tests, "test"))
	}
	if examples > 0 || len(counts) == 0 {
		counts = append(counts, plural(examples, "example"))
	}
	b.WriteString(strings.Join(counts, " and "))
	if bad := expect.Failures(results); bad > 0 {
		fmt.Fprintf(&b, ", %d of them wrong\n", bad)
	} else {
		b.WriteString(", all as they should be\n")
	}
	return b.String()
}

// testExamples judges the examples of rule files by the built-in rules and the
// files themselves: each must be decided by the rule that it stands in. A file
// that is broken is complained about, and nothing is judged.
func testExamples(p *Process, s *situation, args []string) (results []expect.Result, ok bool, err error) {
	layers, err := readRules(p, s, args)
	if err != nil {
		return nil, false, err
	}
	options := engine.Options{Files: disk.OS{}}
	for _, rules := range layers {
		for _, fault := range rules.Faults() {
			p.complain(fault.Err.Error(), "")
			return nil, false, nil
		}
		switch whole := rules.Whole(); {
		case whole == nil:
		case rules.Layer == ruleset.Project, rules.Layer == ruleset.Shared:
			options.Project = append(options.Project, whole)
		case rules.Layer == ruleset.Managed:
			options.Managed = append(options.Managed, whole)
		case rules.Layer == ruleset.OwnProfiles:
			options.Profiles = append(options.Profiles, whole)
		default:
			options.User = append(options.User, whole)
		}
	}
	t := exampleTest{process: p, engine: engine.New(options), request: s.request(p, "")}
	t.request.Unattended = false
	for _, rules := range layers {
		for i := range rules.Files {
			f := &rules.Files[i]
			t.request.Profile = ""
			if rules.Layer == ruleset.OwnProfiles {
				t.request.Profile = f.Base()
			}
			t.file(f.File, f.Gate)
		}
	}
	return t.results, true, nil
}

type exampleTest struct {
	process *Process
	engine  *engine.Engine
	request engine.Request
	results []expect.Result
}

// file judges the examples of one file. Rules know their line, and that is
// how a written one finds what it means.
func (t *exampleTest) file(f *ruleset.File, g *match.Gate) {
	rules := map[int]*match.Rule{}
	for _, p := range g.Programs() {
		for i := range p.Rules {
			rules[int(p.Rules[i].Line)] = &p.Rules[i]
		}
		for i := range p.Facts {
			rules[int(p.Facts[i].Line)] = &p.Facts[i]
		}
	}
	for i := range f.Programs {
		p := &f.Programs[i]
		for _, written := range [...][]ruleset.Rule{p.Allow, p.Ask, p.Block} {
			for k := range written {
				w := &written[k]
				if rule := rules[w.At.Line]; rule != nil {
					for _, example := range w.Examples {
						t.example(f, example, rule)
					}
				}
				for _, example := range w.Not {
					t.not(f, example)
				}
			}
		}
		for k := range p.Facts {
			w := &p.Facts[k]
			if fact := rules[w.At.Line]; fact != nil {
				for _, example := range w.Examples {
					t.fact(f, example, fact)
				}
			}
		}
	}
}

func (t *exampleTest) evaluate(command string) engine.Verdict {
	t.request.Command = command
	return t.engine.Evaluate(t.request)
}

// example wants the rule to hold and, unless another rule is stricter, to
// decide: where edits are accepted, if the rule wants that.
func (t *exampleTest) example(f *ruleset.File, example ruleset.Text, rule *match.Rule) {
	if rule.AcceptEdits && rule.Decision == policy.Allow {
		mode := t.request.Mode
		t.request.Mode = engine.ModeAcceptEdits
		defer func() { t.request.Mode = mode }()
	}
	v := t.evaluate(example.Value)
	held := false
	for i := range v.Reasons {
		held = held || v.Reasons[i].ID == rule.ID
	}
	wrong := ""
	switch {
	case !held:
		wrong = rule.ID + " does not hold"
	case rule.Decision == policy.Allow && v.Decision != policy.Allow:
		wrong = fmt.Sprintf("it is %s, not allow", v.Decision)
	}
	t.add(f, example, wrong, &v)
}

// fact wants a command to do what a fact says.
func (t *exampleTest) fact(f *ruleset.File, example ruleset.Text, fact *match.Rule) {
	v := t.evaluate(example.Value)
	wrong := ""
	if missing := fact.Effects &^ v.Effects; missing != 0 {
		wrong = "it is not " + strings.Join(missing.Names(), ", ")
	}
	t.add(f, example, wrong, &v)
}

func (t *exampleTest) not(f *ruleset.File, example ruleset.Text) {
	v := t.evaluate(example.Value)
	wrong := ""
	if v.Decision == policy.Allow {
		wrong = "it is allowed"
	}
	t.add(f, example, wrong, &v)
}

// add notes how an example went: "" is well.
func (t *exampleTest) add(f *ruleset.File, example ruleset.Text, wrong string, v *engine.Verdict) {
	r := expect.Result{File: f.Name, At: example.At, Command: example.Value}
	if wrong != "" {
		r.Wrong = append([]string{wrong}, t.process.because(v)...)
	}
	t.results = append(t.results, r)
}

// because tells what decided, line by line:
//
//	ask  git.push  rules/git.toml:1069
//	     Sends commits to a remote repository
func (p *Process) because(v *engine.Verdict) []string {
	var lines []string
	word := v.Decision.String()
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if !explains(v, r) {
			continue
		}
		line := word + "  " + r.ID
		if r.File != "" {
			line += fmt.Sprintf("  %s:%d", p.home(r.File), r.Line)
		}
		lines = append(lines, line)
		word = strings.Repeat(" ", len(word))
		if text := r.Text(); text != "" {
			lines = append(lines, word+"  "+text)
		}
	}
	if lines == nil {
		return []string{word}
	}
	return lines
}
