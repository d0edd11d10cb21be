package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/replay"
	"github.com/bashgate/bashgate/policy"
)

const suggestHelp = `suggest proposes the few rules that would have saved the most questions.

Usage:
  bashgate suggest [FLAGS] [PATH...]

It reads histories as bashgate replay does, looks for rules that answer what is
asked about there, each judged against dangerous commands like those that it is
about, and shows those that save most: what each allows, examples, what it still
stops, and its text. A block is never loosened, and what holds a password or a
key becomes no rule.

At a terminal you keep or skip each; those that you keep are added to
~/.config/bashgate/rules/learned.toml, as bashgate allow does it, once you have
typed a word that stands there. Elsewhere, and with --print, they are only
shown. --out writes all of them into a file that you can read, change and put
among your rules.

Flags:
  --print         ask nothing, and write nothing
  --least N       no rule that saves fewer prompts than that (default 3)
  --top N         not more rules than that (default 20)
  --out FILE      write the rules into a file
  --force         write it over whatever is there
  --since TIME    what ran since then: 2026-11-01, or 30d, 12h ago
  --until TIME    what ran before that; a date is all of the day
  --agent NAMES   of these agents and shells alone: claude,codex,bash
  --here          of this project alone
  --mode MODE     judge as in that permission mode, whatever it was
  --json          one line of JSON: the report of bashgate replay --json

Example:
  $ bashgate suggest --here --since 30d
`

func suggestCommand() command {
	return command{
		name:     "suggest",
		summary:  "propose rules that would have saved questions",
		help:     suggestHelp,
		operands: "FILE",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var o replayOptions
			o.declareHistory(flags)
			least := leastPrompts
			flags.Var(&number{&least, 1, math.MaxInt}, "least", "N")
			o.top = mostRules
			flags.Var(&number{&o.top, 1, math.MaxInt}, "top", "N")
			print := flags.Bool("print", false, "")
			out := flags.String("out", "", "FILE")
			force := flags.Bool("force", false, "")
			json := flags.Bool("json", false, "")
			return func(p *Process, args []string) (int, error) {
				if *out == "" && *force {
					return 0, usagef("give --out FILE with it", "--force is about the file of --out")
				}
				r, err := newReplayer(p, &o)
				if err != nil {
					return 0, err
				}
				if err := r.read(args); err != nil {
					return 0, err
				}
				report := r.judgeAll()
				s := suggester{replayer: r, least: least}
				s.suggest(report)
				if *out != "" {
					if err := s.write(*out, *force, report); err != nil {
						return 0, err
					}
				}
				switch {
				case *json:
					_, err = p.Stdout.Write(report.AppendJSON(nil))
				case *out == "" && !*print && len(s.choices) > 0 && s.person():
					var kept bool
					if kept, err = s.ask(report); err == nil && !kept {
						err = errors.New("nothing is written")
					}
				default:
					err = s.print(report, *out == "")
				}
				return exitOK, err
			}
		},
	}
}

// leastPrompts is what a rule saves at least where nothing else is said, mostRules
// how many are looked for then, and mostBlocked for how many blocked commands it is
// looked whether it loosens them.
const (
	leastPrompts = 3
	mostRules    = 20
	mostBlocked  = 2000
)

// suggester looks for rules that answer what is asked about in a history.
type suggester struct {
	*replayer
	least   int
	asked   int // distinct questions, of which some are too many
	secrets int // those that hold some
	choices []suggested
}

// suggested is a rule, and the most frequent question that it answers.
type suggested struct {
	learn.Choice
	asked *replay.Case
}

// suggest adds the rules to a report, and what it would be with all of them.
func (s *suggester) suggest(report *replay.Report) {
	var questions []learn.Question
	var cases []*replay.Case
	var blocked []engine.Request
	sorted := slices.Clone(s.tally.Cases)
	slices.SortStableFunc(sorted, func(a, b *replay.Case) int { return cmp.Compare(b.Count, a.Count) })
	for _, c := range sorted {
		switch {
		case c.Verdict.Decision == policy.Block && len(blocked) < mostBlocked:
			blocked = append(blocked, s.request(c))
		case c.Verdict.Decision != policy.Ask || c.Verdict.Left:
		case c.Masked || holdsSecret(c.Text):
			s.asked++
			s.secrets++
		default:
			s.asked++
			questions = append(questions, learn.Question{Request: s.request(c), Count: c.Count})
			cases = append(cases, c)
		}
	}
	s.progress.begin("looking for rules", "questions", min(len(questions), learn.Looked))
	defer s.progress.end()
	var lock sync.Mutex
	told := func() {
		lock.Lock()
		s.progress.step(1)
		lock.Unlock()
	}
	for _, choice := range learn.Cover(s.judge.learning(), questions, blocked, s.least, s.options.top, told) {
		if holdsSecret(choice.Text) || len(choice.Answers) == 0 {
			continue
		}
		s.choices = append(s.choices, suggested{choice, cases[choice.Answers[0]]})
		suggestion := replay.Suggestion{ID: choice.ID, Summary: choice.Summary, Text: choice.Text, Program: choice.Program, Stops: choice.Stops, Prompts: choice.Prompts}
		for _, at := range choice.Answers[:min(len(choice.Answers), mostExamples)] {
			suggestion.Examples = append(suggestion.Examples, replay.Shown(cases[at].Text))
		}
		report.Suggestions = append(report.Suggestions, suggestion)
	}
	if len(s.choices) > 0 {
		report.With = append(report.With, s.chosen(report, s.choices))
	}
}

// person reports whether somebody is there who can be asked.
func (s *suggester) person() bool {
	p := s.process
	return isTerminal(p.Stdin) && isTerminal(p.Stdout) && p.Getenv("CLAUDECODE") == "" && p.Getenv("AI_AGENT") == "" && p.noAgentAbove("keep") == nil
}

// chosen is what the history would be with some of the rules.
func (s *suggester) chosen(report *replay.Report, choices []suggested) replay.Variant {
	j := newJudge(s.process)
	j.kept = map[string]loaded{}
	for i := range choices {
		j.options.User = join(j.options.User, []*interp.Rules{choices[i].Rules})
	}
	return s.with(report, variant{"the suggested rules", j, ""})
}

// mostExamples is how many commands are shown of those that a rule answers.
const mostExamples = 5

// holdsSecret reports whether a text holds what may not be shown, or kept.
func holdsSecret(text string) bool { return mask.Text(text) != text }

// print writes the rules for a person, with their texts or without.
func (s *suggester) print(report *replay.Report, texts bool) error {
	w := reportWriter{style: styleFor(s.process, s.process.Stdout), process: s.process, report: report}
	switch {
	case report.Commands == 0:
		w.nothing(s.replayer)
	case report.Total.Prompts() == 0:
		w.printf("nothing is asked about in %s\n", plural(report.Commands, "command"))
	case len(report.Suggestions) == 0:
		w.printf("no rule that is safe to write would save %s\n", plural(s.least, "prompt"))
	}
	for i := range report.Suggestions {
		w.suggestion(i+1, &report.Suggestions[i], texts)
	}
	if n := len(s.choices); n > 0 {
		w.saved(n, &report.With[len(report.With)-1])
	}
	if rest := s.asked - s.secrets - learn.Looked; rest > 0 {
		w.printf("for %s, asked about least often, no rules were looked for\n", plural(rest, "command"))
	}
	if s.secrets > 0 {
		w.printf("no rule is made of %s with passwords or keys in them\n", plural(s.secrets, "command"))
	}
	_, err := io.WriteString(s.process.Stdout, w.out.String())
	return err
}

// ask shows a person each rule, and writes those that they keep. It reports
// whether they keep any.
func (s *suggester) ask(report *replay.Report) (keeps bool, err error) {
	p := s.process
	var kept []suggested
	for i := range s.choices {
		w := reportWriter{style: styleFor(p, p.Stdout), process: p, report: report}
		w.suggestion(i+1, &report.Suggestions[i], true)
		if _, err := io.WriteString(p.Stdout, w.out.String()); err != nil {
			return false, err
		}
		answer, err := p.types("Keep it? y, n, or q for no more: ", "keep")
		if err != nil {
			return false, err
		}
		if answer == "y" {
			kept = append(kept, s.choices[i])
		}
		if answer == "q" {
			break
		}
	}
	if len(kept) == 0 {
		return false, nil
	}
	w := reportWriter{style: styleFor(p, p.Stdout), process: p, report: report}
	then := s.chosen(report, kept)
	w.saved(len(kept), &then)
	if _, err := io.WriteString(p.Stdout, w.out.String()); err != nil {
		return false, err
	}
	if _, err := p.picks(1, "write", "written"); err != nil {
		return false, err
	}
	for i := range kept {
		k := &kept[i]
		a := allower{process: p}
		r := s.request(k.asked)
		if err := a.write(&r, &k.Proposal); err != nil {
			return false, err
		}
	}
	return true, nil
}

// suggestion shows a rule, with its text where that is not written elsewhere.
func (w *reportWriter) suggestion(n int, s *replay.Suggestion, text bool) {
	w.printf("%d  %s\n", n, w.style.paint(bold, policy.Visible(s.Summary)))
	w.printf("   saves %s of %s prompts", replay.Thousands(s.Prompts), replay.Thousands(w.report.Total.Prompts()))
	if s.Stops != "" {
		w.printf("; still stops %s", policy.Visible(s.Stops))
	}
	w.printf("\n")
	for _, example := range s.Examples {
		w.printf("   $ %s\n", example)
	}
	if text {
		w.printf("\n")
		for line := range strings.Lines(s.Text) {
			w.printf("%s\n", strings.TrimRight("     "+w.style.paint(dim, policy.Visible(strings.TrimSuffix(line, "\n"))), " "))
		}
	}
	w.printf("\n")
}

// saved says what some rules come to.
func (w *reportWriter) saved(rules int, then *replay.Variant) {
	now := w.report.Total.Prompts()
	w.printf("%s would leave %s of %s prompts", plural(rules, "rule"), replay.Thousands(then.Prompts), replay.Thousands(now))
	if dated := w.report.Dated(); dated.Prompts() > 0 {
		w.printf(": %s a day, then %s", replay.Decimal(w.report.PerDay(dated.Prompts())), replay.Decimal(then.PerDay))
	}
	w.printf("\n")
}

// write writes the rules as a file of rules.
func (s *suggester) write(path string, force bool, report *replay.Report) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.here, path)
	}
	var b strings.Builder
	b.WriteString(suggestedMark)
	for i := range report.Suggestions {
		r := &report.Suggestions[i]
		fmt.Fprintf(&b, "\n# %s: would have saved %s.\n%s", policy.Visible(r.Summary), plural(r.Prompts, "prompt"), r.Text)
	}
	if err := replaceable(path, suggestedMark, force); err != nil {
		return err
	}
	return writePrivately(path, []byte(b.String()))
}

// suggestedMark is how a file of suggested rules begins.
const suggestedMark = "# Rules that bashgate suggest proposed. They count once they are among your own:\n# bashgate config path says where those lie.\n"
