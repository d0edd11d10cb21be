// Package learn turns a question into rules that would have answered it: the
// smallest ones that can be written, from narrow to wide, each judged before it
// is shown. A proposal never loosens a block, never says that a program is fine
// whatever it does, and is never made of words that are not known.
package learn

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// Judge decides about a request with further rules of the user's.
type Judge func(r engine.Request, more ...*interp.Rules) engine.Verdict

// Proposal is a rule file's text that answers a question.
type Proposal struct {
	ID      string // "git-push-x7k2": of its programs and its text
	Summary string // in words: "git push to origin, branches feature/*"
	Text    string // the tables as TOML, with examples that hold
	Program string // the program that it is about; "" where it is about a place, a machine or a variable
	Rules   *interp.Rules

	Stops string // the nearest dangerous command that still asks or is blocked; "" = none was found
}

// Refusal says why there is no rule that answers a question.
type Refusal struct {
	Why  string
	Hint string
}

func (r *Refusal) Error() string { return r.Why }

// most is how many proposals are made, and mostCommands how many commands of a
// line they may be about: nobody reads more.
const (
	most         = 3
	mostCommands = 6
)

// once is what answers a question that no rule can.
const once = "bashgate allow --once answers it this time"

// Propose returns rules that answer what is asked about a request, the narrowest
// first: with any of them it is allowed. There are none, and no error, where
// nothing is asked. The error is a *Refusal.
func Propose(judge Judge, r engine.Request) ([]Proposal, error) {
	v := judge(r)
	if v.Decision == policy.Allow {
		return nil, nil
	}
	l := learner{judge: judge, request: r, known: known()}
	asks, err := answerable(&v)
	if err != nil {
		return nil, err
	}
	answers := make([][]draft, len(asks))
	for i := range asks {
		if answers[i], err = l.answers(&asks[i]); err != nil {
			return nil, err
		}
	}
	var list []Proposal
	for width := range most {
		var drafts []draft
		more := width == 0
		for _, of := range answers {
			more = more || width < len(of)
			d := of[min(width, len(of)-1)]
			if !slices.ContainsFunc(drafts, func(o draft) bool { return o.text == d.text }) {
				drafts = append(drafts, d)
			}
		}
		if !more {
			break
		}
		p, err := l.proposal(drafts)
		if err != nil {
			return nil, err
		}
		if v := judge(r, p.Rules); v.Decision == policy.Allow && !slices.ContainsFunc(list, func(o Proposal) bool { return o.Text == p.Text }) {
			list = append(list, *p)
		}
	}
	if list == nil {
		return nil, &Refusal{"no rule answers all of it: " + v.Reason, once}
	}
	return list, nil
}

// Refused says why no rule answers what a verdict asks about a request, as far as
// its words tell: Propose may find a reason more, for a hundred times the time. nil:
// none is known. The error is a *Refusal.
func Refused(r engine.Request, v *engine.Verdict) error {
	asks, err := answerable(v)
	if err != nil {
		return err
	}
	l := learner{request: r, known: ruleset.Known{Program: gates.Program}} // what drafts look up, and a hook has no time for more
	for i := range asks {
		if _, err := l.drafts(&asks[i]); err != nil {
			return err
		}
	}
	return nil
}

// Once reports whether a person may still let the command pass once.
func (r *Refusal) Once() bool { return r.Hint == once }

// answerable lists what a verdict asks about, if rules may answer all of it.
func answerable(v *engine.Verdict) ([]ask, error) {
	asks, err := askedIn(v)
	if err != nil {
		return nil, err
	}
	if command := runsFetched(asks, v.Tree); command != "" {
		return nil, &Refusal{"it runs what it may have fetched before, and a rule can't say what that is: " + policy.Visible(command), once}
	}
	if file := runsWritten(asks, v.Tree); file != "" {
		return nil, &Refusal{"it runs a file that it also writes, and a rule can't say what is in it: " + policy.Visible(file), once}
	}
	return asks, nil
}

// runsFetched returns a command that is asked about because of the code that it
// runs, behind one that fetches something, or "".
func runsFetched(asks []ask, tree []engine.Node) string {
	fetched := ""
	var visit func(at string, nodes []engine.Node)
	visit = func(at string, nodes []engine.Node) {
		for i := range nodes {
			at := at + strconv.Itoa(i) + "."
			if n := &nodes[i]; fetched == "" && len(n.Children) == 0 && n.Effects&policy.Network != 0 {
				fetched = at
			}
			visit(at, nodes[i].Children)
		}
	}
	visit("", tree)
	for i := range asks {
		a := &asks[i]
		runs := (a.effects()|a.node.Effects)&policy.Executes != 0 || slices.Contains(a.ids(), "unknown-command")
		if fetched != "" && runs && a.at > fetched && !strings.HasPrefix(a.at, fetched) && !slices.Contains(a.ids(), "git.commit") {
			return a.node.Command()
		}
	}
	return ""
}

// runsWritten returns a file that the line writes and that something which is asked
// about may run, or "".
func runsWritten(asks []ask, tree []engine.Node) string {
	written := map[string][]string{} // by whom: where these stand in the tree
	var visit func(at string, nodes []engine.Node)
	visit = func(at string, nodes []engine.Node) {
		for i := range nodes {
			at := at + strconv.Itoa(i) + "."
			for _, p := range nodes[i].Writes {
				written[p.Path] = append(written[p.Path], at)
			}
			visit(at, nodes[i].Children)
		}
	}
	visit("", tree)
	for i := range asks {
		a := &asks[i]
		if (a.effects()|a.node.Effects)&policy.Executes == 0 && !slices.Contains(a.ids(), "unknown-command") {
			continue
		}
		for _, w := range a.command.Words {
			file, known := w.Const()
			if !path.IsAbs(file) {
				file = path.Join(a.node.Dir(), file)
			}
			if known && slices.ContainsFunc(written[path.Clean(file)], func(at string) bool {
				return !strings.HasPrefix(at, a.at) && !strings.HasPrefix(a.at, at)
			}) {
				return file
			}
		}
	}
	return ""
}

// learner looks for the rules that answer a request.
type learner struct {
	judge   Judge
	request engine.Request
	known   ruleset.Known
}

// referable is what rules may refer to. Its lists are long, and made once.
var referable struct {
	once  sync.Once
	known ruleset.Known
}

func known() ruleset.Known {
	referable.once.Do(func() { referable.known = catalogue.Known() })
	return referable.known
}

// answers returns the drafts that answer what is asked about one command, and
// nothing that is dangerous, the narrowest first.
func (l *learner) answers(a *ask) ([]draft, error) {
	drafts, err := l.drafts(a)
	if err != nil {
		return nil, err
	}
	var good []draft
	for i := 0; i < len(drafts); i++ {
		d := drafts[i]
		if len(good) == most || d.spare && len(good) > 0 || slices.ContainsFunc(good, func(o draft) bool { return o.text == d.text }) {
			continue
		}
		rules, err := l.compile("learned.toml", identified(d.text, "x"))
		if err != nil {
			continue // words that the rule language has no spelling for
		}
		if v := l.judge(l.request, rules); a.left(&v) != nil {
			if again, ok := d.lifting(a.left(&v)); ok {
				drafts[i], i = again, i-1
			}
			continue
		}
		stops, loosened := l.attack(a, &d, rules)
		if loosened != "" {
			continue
		}
		d.stops = stops
		good = append(good, d)
	}
	if good == nil {
		return nil, &Refusal{"no rule can be written that answers it and nothing else: " + a.reasons[0].Text(), once}
	}
	return good, nil
}

// proposal joins drafts.
func (l *learner) proposal(drafts []draft) (*Proposal, error) {
	var texts, summaries []string
	var p Proposal
	name := ""
	for i := range drafts {
		d := &drafts[i]
		texts, summaries = append(texts, d.text), append(summaries, d.summary)
		if p.Program == "" {
			p.Program = d.program
		}
		if name == "" {
			name = d.name
		}
		if p.Stops == "" {
			p.Stops = d.stops
		}
	}
	text := strings.Join(texts, "\n")
	p.ID = identity(name, text)
	p.Text = identified(text, p.ID)
	p.Summary = strings.Join(summaries, "; ")
	var err error
	p.Rules, err = l.compile("learned.toml", p.Text)
	return &p, err
}

// compile reads rules of the user's.
func (l *learner) compile(name, text string) (*interp.Rules, error) {
	return compile(name, []byte(text), l.known)
}

func compile(name string, text []byte, known ruleset.Known) (*interp.Rules, error) {
	compiled, err := ruleset.Compile([]*ruleset.File{ruleset.Load(name, text, ruleset.User)}, known)
	if err != nil {
		return nil, err
	}
	return interp.New(compiled), nil
}
