package replay

import (
	"cmp"
	_ "embed" // for what the page is made of
	"slices"
	"strconv"
	"time"
)

// PageMark is how a page begins; a file that begins otherwise is none.
const PageMark = "<!doctype html>\n<!-- bashgate replay -->\n"

// What a page has room for.
const (
	pageTable   = 512 << 10 // bytes of the table of commands
	pageList    = 48 << 10  // bytes of each of the other lists
	pageEntries = 50        // of each of them
	pageText    = 400       // bytes of a text
	pageLines   = 50        // of a rule's text
	pageBars    = 130       // of the chart
)

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

// Page returns the report as one HTML file of less than a megabyte, which asks
// nothing of any machine: style, script and data stand in it, and its policy
// forbids all else. The figures can be read without the script, which filters
// and sorts the commands.
func (r *Report) Page() []byte {
	d := new(document)
	d.head()
	d.figures(r)
	d.chart(r)
	d.hosts(r)
	rules := new(document) // first, for the questions lead to those that are shown
	shown := rules.suggestions(r.Suggestions)
	d.questions(r, r.Suggestions[:shown])
	d.bytes = append(d.bytes, rules.bytes...)
	d.variants(r)
	d.danger(r)
	d.skipped(r)
	d.commands(r)
	d.put("</main>\n<footer><p>Made by bashgate on ").text(r.Made.Format("2006-01-02 15:04")).
		put(". Passwords and keys that it knows are masked; all else is here as it ran. Nothing in this file is sent anywhere.</p></footer>\n")
	d.put("<script>").put(markup(pageScript)).put("</script>\n</body>\n</html>\n")
	return d.bytes
}

func (d *document) head() {
	d.put(PageMark)
	d.put("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	d.put("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src '").
		text(hash(pageStyle)).put("'; script-src '").text(hash(pageScript)).put("'\">\n")
	d.put("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>What bashgate would have asked</title>\n<style>").
		put(markup(pageStyle)).put("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#commands\">Skip to the commands</a>\n")
}

// section begins a part of the page.
func (d *document) section(id, title markup) *document {
	return d.put("<section id=\"").put(id).put("\" aria-labelledby=\"").put(id).put("-title\">\n<h2 id=\"").put(id).put("-title\">").put(title).put("</h2>\n")
}

func (d *document) end() { d.put("</section>\n") }

func (d *document) figures(r *Report) {
	d.put("<header>\n<div>\n<h1>What bashgate would have asked</h1>\n<p>")
	d.number(r.Commands).put(" commands, ").number(r.Distinct).put(" of them different")
	if !r.From.IsZero() {
		d.put(", from ").text(r.From.Format(time.DateOnly)).put(" to ").text(r.To.Format(time.DateOnly))
	}
	d.put("</p>\n</div>\n<button type=\"button\" id=\"theme\" hidden>Dark</button>\n</header>\n<main>\n")
	d.section("figures", "At a glance").put("<dl class=\"figures\">\n")
	figure := func(name markup, value string) {
		d.put("<div><dt>").put(name).put("</dt><dd>").text(value).put("</dd></div>\n")
	}
	dated := r.Dated()
	figure("Prompts a day", r.perDay(dated.Prompts()))
	figure("Allowed", percent(r.Total.Allow, r.Total.All()))
	figure("Asked", Thousands(r.Total.Prompts()))
	figure("Blocked", Thousands(r.Total.Block))
	if r.Total.Left > 0 {
		figure("Left to the agent", Thousands(r.Total.Left))
	}
	figure("Commands", Thousands(r.Commands))
	figure("Days", Thousands(r.days()))
	d.put("</dl>\n").end()
}

// chart draws the decisions over time: all commands, and those that stop an
// agent, which are too few to be seen among all.
func (d *document) chart(r *Report) {
	list, unit := spans(r.Days)
	if len(list) < 2 {
		return
	}
	d.section("time", "Over time")
	d.put("<p class=\"legend\"><span class=\"key ask\"></span>asked <span class=\"key block\"></span>blocked <span class=\"key allow\"></span>allowed")
	if r.Total.Left > 0 {
		d.put(" <span class=\"key left\"></span>left to the agent")
	}
	d.put("</p>\n")
	d.bars(list, unit, true)
	d.bars(list, unit, false)
	d.put("<details><summary>As a table</summary>\n").counts(unit, len(list), func(i int) (string, *Count) { return list[i].Date, &list[i].Count }, r.Total.Left > 0)
	d.put("</details>\n").end()
}

// counts adds a table of counts, those of which there are any.
func (d *document) counts(of markup, n int, row func(i int) (name string, c *Count), left bool) {
	d.put("<table>\n<thead><tr><th scope=\"col\">").put(of).put("</th>")
	column := func(name markup) { d.put("<th scope=\"col\" class=\"n\">").put(name).put("</th>") }
	column("asked")
	column("blocked")
	if left {
		column("left to the agent")
	}
	d.put("<th scope=\"col\" class=\"n extra\">allowed</th>")
	column("share allowed")
	d.put("</tr></thead>\n<tbody>\n")
	for i := range n {
		name, c := row(i)
		if c.All() == 0 {
			continue
		}
		d.put("<tr><th scope=\"row\">").text(name).put("</th>").cell(c.Prompts()).cell(c.Block)
		if left {
			d.cell(c.Left)
		}
		d.put("<td class=\"n extra\">").number(c.Allow).put("</td><td class=\"n\">").text(percent(c.Allow, c.All())).put("</td></tr>\n")
	}
	d.put("</tbody>\n</table>\n")
}

// bars draws one bar for each span, of all decisions or without those that
// allow. Questions stand at the bottom, where their heights can be compared.
func (d *document) bars(list []Day, unit markup, all bool) {
	most := 0
	height := func(b *Day) int {
		if all {
			return b.All()
		}
		return b.Prompts() + b.Block
	}
	for i := range list {
		most = max(most, height(&list[i]))
	}
	if most == 0 {
		return
	}
	what := markup("commands")
	if !all {
		what = "questions and blocks"
	}
	d.put("<figure>\n<p class=\"scale\">").put(what).put(" a ").put(unit).put(", at most ").number(most).
		put("</p>\n<svg class=\"chart\" role=\"img\" aria-label=\"").put(what).put(" a ").put(unit).
		put(", as in the table below\" preserveAspectRatio=\"none\" viewBox=\"0 0 ").text(strconv.Itoa(len(list) * 10)).put(" 1000\">\n")
	for i := range list {
		b := &list[i]
		d.put("<g><title>").text(b.Date).put(": ").number(b.Prompts()).put(" asked, ").number(b.Block).put(" blocked, ").number(b.Allow).put(" allowed")
		if b.Left > 0 {
			d.put(", ").number(b.Left).put(" left to the agent")
		}
		d.put("</title>")
		below := 0
		for _, part := range [...]struct {
			class markup
			n     int
		}{{"ask", b.Prompts()}, {"block", b.Block}, {"left", b.Left}, {"allow", b.Allow}} {
			if part.n == 0 || below+part.n*1000/most > height(b)*1000/most {
				continue
			}
			height := part.n * 1000 / most
			below += height
			d.put("<rect class=\"").put(part.class).put("\" width=\"8\" x=\"").text(strconv.Itoa(i*10 + 1)).put("\" y=\"").text(strconv.Itoa(1000 - below)).put("\" height=\"").text(strconv.Itoa(height)).put("\"/>")
		}
		d.put("</g>\n")
	}
	d.put("</svg>\n<p class=\"axis\"><span>").text(list[0].Date).put("</span><span>").text(list[len(list)-1].Date).put("</span></p>\n</figure>\n")
}

// cell adds a table's cell with a count.
func (d *document) cell(n int) *document {
	return d.put("<td class=\"n\">").number(n).put("</td>")
}

func (d *document) hosts(r *Report) {
	if len(r.Hosts) == 0 {
		return
	}
	shown := min(len(r.Hosts), pageEntries)
	d.section("hosts", "By agent").counts("agent or shell", shown, func(i int) (string, *Count) { return r.Hosts[i].Name, &r.Hosts[i] }, r.Total.Left > 0)
	d.more(len(r.Hosts)-shown, "more")
	d.end()
}

// examples adds commands as a list.
func (d *document) examples(commands []string) {
	if len(commands) == 0 {
		return
	}
	d.put("<ul class=\"examples\">\n")
	for _, c := range commands {
		d.put("<li><code>").text(c).put("</code></li>\n")
	}
	d.put("</ul>\n")
}

// list writes the entries of a list for which the page has room, and returns how
// many that are.
func (d *document) list(n int, entry func(i int)) int {
	from := len(d.bytes)
	for i := range n {
		if i == pageEntries || len(d.bytes)-from > pageList {
			return i
		}
		entry(i)
	}
	return n
}

// more says how many of a list's entries the page has no room for.
func (d *document) more(n int, what markup) {
	if n > 0 {
		d.put("<p class=\"quiet\">and ").number(n).put(" ").put(what).put("</p>\n")
	}
}

func (d *document) questions(r *Report, suggestions []Suggestion) {
	if len(r.Asked) == 0 {
		return
	}
	prompts := r.Total.Prompts()
	d.section("asked", "What is asked about").put("<ol class=\"cards\">\n")
	shown := d.list(len(r.Asked), func(i int) {
		q := &r.Asked[i]
		d.put("<li>\n<h3>").text(q.Reason)
		if q.Program != "" {
			d.put(" <span class=\"quiet\">").text(q.Program).put("</span>")
		}
		d.put("</h3>\n").bar("ask", float64(q.Prompts)/float64(max(prompts, 1)))
		d.put("<p class=\"quiet\">").number(q.Prompts).put(" prompts, ").text(percent(q.Prompts, prompts)).put(" of all · rule <code>").text(q.Rule).put("</code>")
		for i := range suggestions {
			if s := &suggestions[i]; s.Program != "" && s.Program == q.Program {
				d.put(" · <a href=\"#rule-").number(i + 1).put("\">a rule saves ").number(s.Prompts).put("</a>")
				break
			}
		}
		d.put("</p>\n")
		d.examples(q.Examples)
		d.put("</li>\n")
	})
	d.put("</ol>\n").more(len(r.Asked)-shown, "more questions, asked less often")
	d.end()
}

// suggestions returns how many of them are shown.
func (d *document) suggestions(list []Suggestion) int {
	if len(list) == 0 {
		return 0
	}
	d.section("rules", "Rules that would have saved the most").
		put("<p>Each was judged against dangerous commands like those that it is about. None is in force: <code>bashgate suggest</code> writes those that you choose.</p>\n<ol class=\"cards\">\n")
	shown := d.list(len(list), func(i int) {
		s := &list[i]
		d.put("<li id=\"rule-").number(i + 1).put("\">\n<h3>").text(s.Summary).put("</h3>\n<p class=\"quiet\">saves ").number(s.Prompts).put(" prompts")
		if s.Stops != "" {
			d.put(" · still stops <code>").text(s.Stops).put("</code>")
		}
		d.put("</p>\n")
		d.examples(s.Examples)
		d.put("<details><summary>The rule</summary><pre tabindex=\"0\"><code>").lines(s.Text).put("</code></pre></details>\n</li>\n")
	})
	d.put("</ol>\n").more(len(list)-shown, "more rules")
	d.end()
	return shown
}

func (d *document) variants(r *Report) {
	if len(r.With) == 0 {
		return
	}
	dated := r.Dated()
	now := Variant{Name: "as it is", Prompts: r.Total.Prompts(), PerDay: r.PerDay(dated.Prompts()), Blocked: r.Total.Block}
	most := max(now.Prompts, 1)
	for i := range r.With {
		most = max(most, r.With[i].Prompts)
	}
	row := func(v *Variant) {
		d.put("<tr><th scope=\"row\">").text(v.Name).put("</th><td class=\"n\">").text(r.often(v.PerDay)).put("</td>").cell(v.Blocked).
			put("<td class=\"wide\">").bar("ask", float64(v.Prompts)/float64(most)).put("</td></tr>\n")
	}
	d.section("with", "Prompts a day with other rules").put("<table>\n<thead><tr><th scope=\"col\">rules</th><th scope=\"col\" class=\"n\">prompts a day</th><th scope=\"col\" class=\"n\">blocked in all</th><td></td></tr></thead>\n<tbody>\n")
	row(&now)
	shown := d.list(len(r.With), func(i int) { row(&r.With[i]) })
	d.put("</tbody>\n</table>\n").more(len(r.With)-shown, "more sets of rules")
	d.end()
}

func (d *document) danger(r *Report) {
	d.section("danger", "Dangerous commands that ran")
	if len(r.Danger) == 0 {
		d.put("<p>None of those that the rules block.</p>\n").end()
		return
	}
	d.put("<ul class=\"cards\">\n")
	shown := d.list(len(r.Danger), func(i int) {
		f := &r.Danger[i]
		d.put("<li>\n<p><code>").text(f.Command).put("</code></p>\n<p><span class=\"word block\">").text(f.Reason).put("</span></p>\n<p class=\"quiet\">")
		if f.Ran {
			d.put("ran")
		} else {
			d.put("whether it ran is not known")
		}
		if !f.Time.IsZero() {
			d.put(" · ").text(f.Time.Format("2006-01-02 15:04"))
		}
		d.put(" · ").text(f.Host)
		if f.Session != "" {
			d.put(" · session ").text(f.Session)
		}
		d.put(" · rule <code>").text(f.Rule).put("</code></p>\n</li>\n")
	})
	d.put("</ul>\n").more(len(r.Danger)-shown, "more of them")
	d.end()
}

func (d *document) skipped(r *Report) {
	if len(r.Skipped) == 0 {
		return
	}
	d.section("skipped", "Left out").put("<ul class=\"plain\">\n")
	shown := d.list(len(r.Skipped), func(i int) {
		s := &r.Skipped[i]
		d.put("<li><code>").text(s.Path).put("</code> ").text(s.Why)
		if s.Count > 1 {
			d.put(" <span class=\"quiet\">").number(s.Count).put(" times</span>")
		}
		d.put("</li>\n")
	})
	d.put("</ul>\n").more(len(r.Skipped)-shown, "more files or records")
	d.end()
}

// commands adds the table of commands as data for the script: the strictest
// first, and of those the most frequent, as far as there is room.
func (d *document) commands(r *Report) {
	strict := func(row *Row) int { return slices.Index([]string{"allow", "ask", "block"}, row.Decision) }
	rows := slices.Clone(r.Rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(strict(&b)-strict(&a), b.Count-a.Count, cmp.Compare(a.Command, b.Command))
	})
	d.section("commands", "All commands").put("<noscript><p>The table of commands needs JavaScript.</p></noscript>\n<div id=\"table\"></div>\n")
	d.put("<script type=\"application/json\" id=\"data\">[")
	shown, from := 0, len(d.bytes)
	for i := range rows {
		if len(d.bytes)-from > pageTable {
			break
		}
		if shown++; shown > 1 {
			d.put(",")
		}
		row, last := &rows[i], ""
		if !row.Last.IsZero() {
			last = row.Last.Format(time.DateOnly)
		}
		d.put("\n[").value(row.Command).put(",").value(row.Decision).put(",").value(row.Rule).put(",").text(strconv.Itoa(row.Count)).put(",").value(last).put("]")
	}
	d.put("]</script>\n")
	if left := r.Distinct - shown; left > 0 {
		d.put("<p class=\"quiet\" id=\"left\">The page has no room for ").number(left).put(" more, which ran least often.</p>\n")
	}
	d.end()
}
