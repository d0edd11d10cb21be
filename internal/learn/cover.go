package learn

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/policy"
)

// Question is a line that is asked about, and how often it was.
type Question struct {
	Request engine.Request
	Count   int
}

// Choice is one of the proposals that answer many questions.
type Choice struct {
	Proposal
	Prompts int   // that it saves; what several answer counts for one of them
	Answers []int // the questions that are counted for it, the most frequent first
}

// For so many questions, the most frequent ones, rules are looked for, and for so
// many about one program: nobody reads more rules. What a rule answers of the
// other questions is counted all the same.
const (
	Looked     = 2000
	perProgram = 25
)

// Cover chooses few proposals that answer many questions: the one that saves most,
// then the one that saves most of the rest, until one would save less than least,
// or there are most. It returns them by what they save. One that would change what is said about a line
// of blocked is none.
// The questions are given by their number, the most frequent first. The judge is
// used by several goroutines at once, and so is told, after each question that is
// looked at.
func Cover(judge Judge, questions []Question, blocked []engine.Request, least, most int, told func()) []Choice {
	c := cover{judge: judge, least: max(least, 1), most: most, lines: make([]line, len(questions)), blocked: make([]line, len(blocked))}
	parallel(len(blocked), func(i int) { c.blocked[i] = newLine(blocked[i], 1, judge) })
	// First what is asked about one command: of what several commands ask about
	// together, that may leave little.
	c.round(questions, func(l *line) bool { return l.commands == 1 }, told)
	c.round(questions, func(l *line) bool { return l.commands > 1 }, func() {})
	slices.SortStableFunc(c.choices, func(a, b Choice) int { return b.Prompts - a.Prompts })
	return c.choices
}

// round looks for proposals for some of the questions that are left, and chooses.
func (c *cover) round(questions []Question, which func(*line) bool, told func()) {
	judge := c.judge
	c.judge = func(r engine.Request, more ...*interp.Rules) engine.Verdict {
		return judge(r, slices.Concat(c.rules, more)...)
	}
	parallel(len(questions), func(i int) { c.lines[i] = newLine(questions[i].Request, questions[i].Count, c.judge) })
	groups := c.groups()
	found := make([][]candidate, len(groups))
	parallel(len(groups), func(i int) { found[i] = c.candidates(groups[i], which, told) })
	c.judge = judge
	c.choose(slices.Concat(found...))
}

// parallel does a task for each number below n, as many at once as there are
// processors.
func parallel(n int, task func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				task(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

// cover looks for proposals.
type cover struct {
	judge          Judge
	least, most    int
	lines, blocked []line
	choices        []Choice
	rules          []*interp.Rules // of the choices
}

// line is a question, or a line that is blocked.
type line struct {
	request  engine.Request
	count    int
	decision policy.Decision
	commands int      // that are asked about
	programs []string // that its reasons are about, sorted
	ids      []string // of those reasons that a rule about no program may answer, sorted
}

func newLine(r engine.Request, count int, judge Judge) line {
	v := judge(r)
	l := line{request: r, count: count, decision: v.Decision}
	var commands []string
	for i := range v.Reasons {
		reason := &v.Reasons[i]
		if reason.Counts() < policy.Ask {
			continue
		}
		if reason.ID != "unknown-command" && reason.ID != "unknown-use" {
			l.ids = append(l.ids, reason.ID)
		}
		commands = append(commands, reason.Command())
		if words := strings.Fields(reason.Command()); len(words) > 0 {
			l.programs = append(l.programs, words[0])
		}
	}
	slices.Sort(commands)
	l.commands = len(slices.Compact(commands))
	slices.Sort(l.programs)
	slices.Sort(l.ids)
	l.programs, l.ids = slices.Compact(l.programs), slices.Compact(l.ids)
	return l
}

// about reports whether a proposal that was made for another line may answer it.
func (l *line) about(p *Proposal, other *line) bool {
	if p.Program == "" {
		return common(l.ids, other.ids)
	}
	return slices.Contains(l.programs, p.Program) || common(l.programs, other.programs)
}

// like reports whether one rule may answer both.
func (l *line) like(other *line) bool {
	return common(l.programs, other.programs) || common(l.ids, other.ids)
}

func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// groups are the questions by the first program that they are about, those first
// that are most.
func (c *cover) groups() (groups [][]int) {
	at := map[string]int{}
	for i := range c.lines[:min(len(c.lines), Looked)] {
		name := ""
		if l := &c.lines[i]; len(l.programs) > 0 {
			name = l.programs[0]
		}
		k, known := at[name]
		if !known {
			k = len(groups)
			at[name] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return len(b) - len(a) })
	return groups
}

// candidate is a proposal with the questions that it answers.
type candidate struct {
	Proposal
	of      int   // the question that it was made for
	answers []int // those that it answers
}

// candidates makes proposals for some of a group's questions: not for one that a
// proposal for another answers, nor where all like it are too few.
func (c *cover) candidates(group []int, which func(*line) bool, told func()) (list []candidate) {
	answered := map[int]bool{}
	tried := 0
	for _, i := range group {
		if tried < perProgram && !answered[i] && c.lines[i].decision == policy.Ask && which(&c.lines[i]) && c.worth(i) {
			tried++
			proposals, err := Propose(c.judge, c.lines[i].request)
			if err != nil {
				proposals = nil // a *Refusal: nothing answers it
			}
			// What a narrow one answers, a wide one does as well.
			among := c.like(i)
			from := len(list)
			for _, p := range slices.Backward(proposals) {
				if c.loosens(&p, i) {
					continue
				}
				found := candidate{p, i, c.answers(&p, i, among)}
				among = found.answers
				for _, k := range found.answers {
					answered[k] = true
				}
				list = slices.Insert(list, from, found)
			}
		}
		told()
	}
	return list
}

// worth reports whether the questions that have something in common with one are
// enough to look for a rule.
func (c *cover) worth(of int) bool {
	sum := 0
	for i := range c.lines {
		if l := &c.lines[i]; l.decision == policy.Ask && l.like(&c.lines[of]) {
			if sum += l.count; sum >= c.least {
				return true
			}
		}
	}
	return false
}

// like lists the questions looked at that one rule may answer with another.
func (c *cover) like(of int) (list []int) {
	for i := range c.lines[:min(len(c.lines), Looked)] {
		if c.lines[i].like(&c.lines[of]) {
			list = append(list, i)
		}
	}
	return list
}

// answers lists those of some questions that a proposal answers.
func (c *cover) answers(p *Proposal, of int, among []int) (list []int) {
	for _, i := range among {
		if l := &c.lines[i]; l.decision == policy.Ask && l.about(p, &c.lines[of]) && c.judge(l.request, p.Rules).Decision == policy.Allow {
			list = append(list, i)
		}
	}
	return list
}

// others lists the questions not looked at that the rules answer, the last
// candidate's among them.
func (c *cover) others(answered []bool, last *candidate) (list []int) {
	from := min(len(c.lines), Looked)
	allowed := make([]bool, len(c.lines))
	parallel(len(c.lines)-from, func(i int) {
		i += from
		l := &c.lines[i]
		allowed[i] = !answered[i] && l.decision == policy.Ask && l.about(&last.Proposal, &c.lines[last.of]) && c.judge(l.request, c.rules...).Decision == policy.Allow
	})
	for i := range allowed {
		if allowed[i] {
			list = append(list, i)
		}
	}
	return list
}

// loosens reports whether a proposal changes what is said about a blocked line.
func (c *cover) loosens(p *Proposal, of int) bool {
	for i := range c.blocked {
		l := &c.blocked[i]
		if l.decision == policy.Block && l.about(p, &c.lines[of]) && c.judge(l.request, p.Rules).Decision != policy.Block {
			return true
		}
	}
	return false
}

// choose takes candidates, as long as they save enough: of those that save
// equally many prompts the one that was proposed first, which is narrower.
func (c *cover) choose(list []candidate) {
	answered := make([]bool, len(c.lines))
	for len(c.choices) < c.most {
		best, most := -1, c.least-1
		for i := range list {
			sum := 0
			for _, k := range list[i].answers {
				if !answered[k] {
					sum += c.lines[k].count
				}
			}
			if sum > most {
				best, most = i, sum
			}
		}
		if best < 0 {
			break
		}
		choice := Choice{Proposal: list[best].Proposal}
		c.rules = append(c.rules, choice.Rules)
		for _, k := range slices.Concat(list[best].answers, c.together(answered, &list[best]), c.others(answered, &list[best])) {
			if !answered[k] {
				answered[k] = true
				choice.Answers = append(choice.Answers, k)
				choice.Prompts += c.lines[k].count
			}
		}
		slices.SortStableFunc(choice.Answers, func(a, b int) int { return cmp.Compare(c.lines[b].count, c.lines[a].count) })
		c.choices = append(c.choices, choice)
	}
}

// together lists the questions about several things that the rules answer
// together, the last candidate's among them.
func (c *cover) together(answered []bool, last *candidate) (list []int) {
	for i := range c.lines[:min(len(c.lines), Looked)] {
		l := &c.lines[i]
		several := len(c.rules) > 1 && l.commands > 1
		if several && !answered[i] && l.decision == policy.Ask && l.about(&last.Proposal, &c.lines[last.of]) && c.judge(l.request, c.rules...).Decision == policy.Allow {
			list = append(list, i)
		}
	}
	return list
}
