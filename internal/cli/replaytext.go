package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/replay"
	"github.com/bashgate/bashgate/policy"
)

// print writes the report for a person.
func (r *replayer) print(report *replay.Report, top int) error {
	w := reportWriter{style: styleFor(r.process, r.process.Stdout), process: r.process, report: report}
	if report.Commands == 0 {
		w.nothing(r)
	} else {
		w.head()
		w.hosts()
		w.chart()
		w.questions(top)
		w.with()
		w.danger(top)
	}
	w.skipped(top)
	_, err := io.WriteString(r.process.Stdout, w.out.String())
	return err
}

// reportWriter writes a report as text.
type reportWriter struct {
	process *Process
	style   style
	report  *replay.Report
	out     strings.Builder
}

func (w *reportWriter) printf(format string, args ...any) { fmt.Fprintf(&w.out, format, args...) }

func (w *reportWriter) title(text string) { w.printf("\n%s\n", w.style.paint(bold, text)) }

// nothing says where was looked.
func (w *reportWriter) nothing(r *replayer) {
	if r.left > 0 {
		w.printf("nothing to judge: the flags leave out all of %s\n", plural(r.left, "command"))
		return
	}
	w.printf("nothing to judge\n")
	if len(r.looked) > 0 {
		w.printf("looked in:\n")
		for _, path := range r.looked {
			w.printf("  %s\n", policy.Visible(w.process.home(path)))
		}
	}
}

func (w *reportWriter) head() {
	r := w.report
	noun := "commands"
	if r.Commands == 1 {
		noun = "command"
	}
	w.printf("%s %s, %s different", replay.Thousands(r.Commands), noun, replay.Thousands(r.Distinct))
	if !r.From.IsZero() {
		w.printf(", from %s to %s", r.From.UTC().Format(time.DateOnly), r.To.UTC().Format(time.DateOnly))
	}
	w.printf("\n")
	if dated := r.Dated(); dated.All() > 0 {
		w.printf("%s prompts a day\n", replay.Decimal(r.PerDay(dated.Prompts())))
	}
}

// hosts is the table of agents and shells.
func (w *reportWriter) hosts() {
	w.printf("\n%-10s %9s %8s %8s %8s\n", "", "commands", "allowed", "asked", "blocked")
	row := func(name string, c *replay.Count) {
		w.printf("%-10s %9s %7s%% %7s%% %7s%%\n", policy.Visible(name), replay.Thousands(c.All()), percent(c.Allow, c.All()), percent(c.Ask, c.All()), percent(c.Block, c.All()))
	}
	for i := range w.report.Hosts {
		if len(w.report.Hosts) > 1 {
			row(w.report.Hosts[i].Name, &w.report.Hosts[i])
		}
	}
	row("all", &w.report.Total)
	if left := w.report.Total.Left; left > 0 {
		w.printf("%s of the questions were left to the agent: in its mode it asks nobody\n", replay.Thousands(left))
	}
}

// chart shows the weeks, or the months where these are many.
func (w *reportWriter) chart() {
	type span struct {
		name string
		days int
		replay.Count
	}
	group := func(name func(time.Time) string) (spans []span) {
		for i := range w.report.Days {
			d := &w.report.Days[i]
			at, err := time.Parse(time.DateOnly, d.Date)
			if err != nil {
				continue
			}
			if n := name(at); len(spans) == 0 || spans[len(spans)-1].name != n {
				spans = append(spans, span{name: n})
			}
			last := &spans[len(spans)-1]
			last.days++
			last.Allow, last.Ask, last.Block, last.Left = last.Allow+d.Allow, last.Ask+d.Ask, last.Block+d.Block, last.Left+d.Left
		}
		return spans
	}
	title := "week of     commands  prompts a day"
	spans := group(func(t time.Time) string {
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
	})
	if len(spans) > 16 {
		title = "month       commands  prompts a day"
		spans = group(func(t time.Time) string { return t.Format("2006-01") })
	}
	if len(spans) < 2 {
		return
	}
	spans = spans[max(0, len(spans)-24):]
	most := 0.0
	for i := range spans {
		most = max(most, float64(spans[i].Prompts())/float64(spans[i].days))
	}
	w.title(title)
	for i := range spans {
		s := &spans[i]
		perDay := float64(s.Prompts()) / float64(s.days)
		w.printf("%s\n", strings.TrimRight(fmt.Sprintf("%-10s  %8s  %6s  %s", s.name, replay.Thousands(s.All()), replay.Decimal(perDay), strings.Repeat("#", bar(perDay, most, 40))), " "))
	}
}

// bar is how long a bar is: something above nothing is at least one.
func bar(n, most float64, width int) int {
	if n <= 0 || most <= 0 {
		return 0
	}
	return max(1, int(n/most*float64(width)+0.5))
}

func (w *reportWriter) questions(top int) {
	if len(w.report.Asked) == 0 {
		return
	}
	w.title("asked about most")
	for i := range w.report.Asked[:min(top, len(w.report.Asked))] {
		q := &w.report.Asked[i]
		name := q.Rule
		if q.Program != "" {
			name += ": " + q.Program
		}
		w.printf("%7s  %s\n", replay.Thousands(q.Prompts), w.style.paint(yellow, policy.Visible(name)))
		w.printf("         %s\n", shorten(q.Reason, 70))
		w.printf("         %s\n", w.style.paint(dim, "$ "+shorten(q.Examples[0], 66)))
	}
	if more := len(w.report.Asked) - top; more > 0 {
		prompts := 0
		for i := range w.report.Asked[top:] {
			prompts += w.report.Asked[top+i].Prompts
		}
		w.printf("%7s  for %s\n", replay.Thousands(prompts), plural(more, "other reason"))
	}
}

// with compares what other rules would ask.
func (w *reportWriter) with() {
	if len(w.report.With) == 0 {
		return
	}
	dated := w.report.Dated()
	unit := "prompts"
	if dated.All() > 0 {
		unit = "prompts a day"
	}
	w.title("with other rules")
	w.printf("%-20s  %13s  %8s\n", "", unit, "blocked")
	row := func(name string, prompts int, perDay float64, blocked int) {
		number := replay.Thousands(prompts)
		if dated.All() > 0 {
			number = replay.Decimal(perDay)
		}
		w.printf("%-20s  %13s  %8s\n", policy.Visible(name), number, replay.Thousands(blocked))
	}
	row("now", w.report.Total.Prompts(), w.report.PerDay(dated.Prompts()), w.report.Total.Block)
	for i := range w.report.With {
		v := &w.report.With[i]
		row(v.Name, v.Prompts, v.PerDay, v.Blocked)
	}
}

func (w *reportWriter) danger(top int) {
	if len(w.report.Danger) == 0 {
		return
	}
	w.title("blocked by the rules, and ran all the same")
	for i := range w.report.Danger[:min(top, len(w.report.Danger))] {
		f := &w.report.Danger[i]
		when := "          "
		if !f.Time.IsZero() {
			when = f.Time.UTC().Format(time.DateOnly)
		}
		w.printf("%s  %-8s %s\n", when, policy.Visible(f.Host), w.style.paint(red, shorten(f.Command, 57)))
		w.printf("            %s\n", shorten(f.Rule+": "+f.Reason, 68))
	}
	if more := len(w.report.Danger) - top; more > 0 {
		w.printf("            and %d more\n", more)
	}
}

// skipped lists what was left out, the same reasons together.
func (w *reportWriter) skipped(top int) {
	type group struct {
		why, path    string
		count, files int
	}
	var groups []*group
	for i := range w.report.Skipped {
		s := &w.report.Skipped[i]
		at := slices.IndexFunc(groups, func(g *group) bool { return g.why == s.Why })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{why: s.Why, path: s.Path})
		}
		groups[at].count += s.Count
		groups[at].files++
	}
	if len(groups) == 0 {
		return
	}
	w.title("left out")
	for _, g := range groups {
		where := policy.Visible(w.process.home(g.path))
		if g.files > 1 {
			where += fmt.Sprintf(" and %s", plural(g.files-1, "other file"))
		}
		w.printf("%7s  %s: %s\n", replay.Thousands(g.count), g.why, where)
	}
}

// percent is a part of a whole, which is never 0 or 100 where that is not so.
func percent(part, whole int) string {
	share := 100 * float64(part) / float64(max(whole, 1))
	switch {
	case part > 0 && share < 1:
		return "<1"
	case part < whole && share > 99:
		return ">99"
	}
	return fmt.Sprintf("%.0f", share)
}
