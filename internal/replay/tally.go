package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/history"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/policy"
)

// Tally gathers a history: each command is kept once, with how often it ran.
// The zero value is empty.
type Tally struct {
	Cases []*Case // in the order in which they were found first

	index   map[key]int32
	events  []event
	days    []string
	dates   map[int64]int32 // days since 1970 to the place in days; -1 without a time
	hosts   []string
	skipped []Skip
	from    time.Time
	to      time.Time
}

// Case is a distinct command, and what is said of it.
type Case struct {
	history.Command // the first one of them
	Count           int
	Dated           int       // of them, those of which the day is known
	Last            time.Time // zero = not known
	Verdict         Verdict
}

// Verdict is what a judge says of a case.
type Verdict struct {
	Decision policy.Decision
	Left     bool   // a question that is left to the agent, which asks nobody
	Rule     string // the id of the strictest reason; "" of an allow
	Program  string // that it is about; "" where it is not about one
	Reason   string
}

// key is what a verdict hangs on.
type key struct{ text, cwd, workspace, mode, shell, host string }

// event is one time that a command ran.
type event struct {
	place, day int32 // into Cases and days
	host       uint8 // into hosts
	ran        bool
}

// Add adds a command. Of agents and shells there may be 255.
func (t *Tally) Add(c history.Command) {
	host := c.Host
	k := key{c.Text, c.Cwd, c.Workspace, c.Mode, c.Shell, ""}
	if host == "claude" || host == "pi" { // whose settings, and whose way to ask, count
		k.host = host
	}
	if t.index == nil {
		t.index = map[key]int32{}
		t.dates = map[int64]int32{}
	}
	at, known := t.index[k]
	if !known {
		at = int32(len(t.Cases))
		t.index[k] = at
		t.Cases = append(t.Cases, &Case{Command: c})
	}
	kept := t.Cases[at]
	kept.Count++
	if c.Time.After(kept.Last) {
		kept.Last = c.Time
	}
	if c.Outcome == history.Ran && kept.Outcome != history.Ran || c.Outcome == history.Ran && c.Time.After(kept.Time) {
		kept.Outcome, kept.Time, kept.Session, kept.Host = c.Outcome, c.Time, c.Session, c.Host
	}
	t.events = append(t.events, event{place: at, day: t.day(c.Time), host: t.host(c.Host), ran: c.Outcome == history.Ran})
	if !c.Time.IsZero() {
		kept.Dated++
		if t.from.IsZero() || c.Time.Before(t.from) {
			t.from = c.Time
		}
		if c.Time.After(t.to) {
			t.to = c.Time
		}
	}
}

// Skip adds something that was left out.
func (t *Tally) Skip(s history.Skipped) {
	t.skipped = append(t.skipped, Skip{s.Path, s.Why, s.Count})
}

// End says that all commands were added.
func (t *Tally) End() { t.index, t.dates = nil, nil }

func (t *Tally) day(at time.Time) int32 {
	n := int64(-1)
	if !at.IsZero() {
		_, east := at.Local().Zone() // days are those of whoever reads it
		n = max(-1, (at.Unix()+int64(east))/(24*60*60))
	}
	day, known := t.dates[n]
	if !known {
		day = int32(len(t.days))
		t.dates[n] = day
		date := ""
		if n >= 0 {
			date = at.Local().Format(time.DateOnly)
		}
		t.days = append(t.days, date)
	}
	return day
}

func (t *Tally) host(name string) uint8 {
	at := slices.Index(t.hosts, name)
	if at < 0 {
		at = min(len(t.hosts), 255)
		if at == len(t.hosts) {
			t.hosts = append(t.hosts, name)
		}
	}
	return uint8(at)
}

// The most that a report holds: examples of a question, dangerous commands, rows
// of distinct commands, and bytes of a command.
const (
	maxExamples = 5
	maxDanger   = 1000
	maxRows     = 2000
	maxText     = 500
)

// Report is what the history comes to, once all cases have a verdict.
func (t *Tally) Report(made time.Time) *Report {
	r := &Report{Version: 1, Made: made, Commands: len(t.events), Distinct: len(t.Cases), From: t.from, To: t.to, Skipped: t.skipped}
	days, hosts := make([]Day, len(t.days)), make([]Count, len(t.hosts))
	for i := range days {
		days[i].Date = t.days[i]
	}
	for i := range hosts {
		hosts[i].Name = t.hosts[i]
	}
	for _, e := range t.events {
		one := t.Cases[e.place].Verdict.count()
		r.Total.add(one)
		days[e.day].add(one)
		hosts[e.host].add(one)
	}
	slices.SortFunc(days, func(a, b Day) int { return strings.Compare(a.Date, b.Date) })
	slices.SortStableFunc(hosts, func(a, b Count) int { return b.All() - a.All() })
	r.Days, r.Hosts = days, hosts

	cases := slices.Clone(t.Cases)
	slices.SortStableFunc(cases, func(a, b *Case) int { return b.Count - a.Count })
	r.Asked = questions(cases)
	for _, c := range cases[:min(len(cases), maxRows)] {
		v := &c.Verdict
		r.Rows = append(r.Rows, Row{Shown(c.Text), v.Decision.String(), v.Rule, Shown(v.Reason), c.Count, c.Last})
	}
	cases = slices.DeleteFunc(cases, func(c *Case) bool { return c.Verdict.Decision != policy.Block || c.Outcome != history.Ran })
	slices.SortStableFunc(cases, func(a, b *Case) int { return b.Time.Compare(a.Time) })
	for _, c := range cases[:min(len(cases), maxDanger)] {
		r.Danger = append(r.Danger, Finding{Shown(c.Text), c.Verdict.Rule, Shown(c.Verdict.Reason), c.Host, c.Session, c.Time, true})
	}
	return r
}

// count is a verdict as a count of one.
func (v *Verdict) count() Count {
	var c Count
	switch v.Decision {
	case policy.Allow:
		c.Allow = 1
	case policy.Block:
		c.Block = 1
	default:
		c.Ask = 1
		if v.Left {
			c.Left = 1
		}
	}
	return c
}

// questions groups the cases that are asked about, the most frequent first: by
// rule, and where no rule knows the program by that too.
func questions(cases []*Case) []Question {
	type group struct{ rule, program string }
	index := map[group]int{}
	var list []Question
	for _, c := range cases {
		v := &c.Verdict
		if v.Decision != policy.Ask || v.Left {
			continue
		}
		g := group{v.Rule, v.Program}
		at, known := index[g]
		if !known {
			at = len(list)
			index[g] = at
			list = append(list, Question{Rule: v.Rule, Program: Shown(v.Program), Reason: Shown(v.Reason)})
		}
		q := &list[at]
		q.Prompts += c.Count
		if len(q.Examples) < maxExamples {
			if text := Shown(c.Text); !slices.Contains(q.Examples, text) {
				q.Examples = append(q.Examples, text)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Question) int {
		return cmp.Or(b.Prompts-a.Prompts, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Program, b.Program))
	})
	return list
}

// Shown is a text as a report may hold it: masked, on one line, not too long.
func Shown(text string) string {
	const more = 4 << 10 // half a secret is not known for one
	if len(text) > maxText+more {
		text = text[:maxText+more]
	}
	text = policy.Visible(mask.Text(text))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return text
}
