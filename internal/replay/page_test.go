package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/policy"
)

// told makes a report in which a text stands wherever one of others can.
func told(text string) *Report {
	at := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	return &Report{
		Made: at, Commands: 10, Distinct: 3, From: at, To: at, Total: Count{Allow: 6, Ask: 3, Block: 1, Left: 1},
		Days:    []Day{{Date: "2026-11-01", Count: Count{Name: text, Allow: 3, Ask: 1}}, {Date: "2026-11-02", Count: Count{Allow: 3, Ask: 2, Left: 1, Block: 1}}},
		Hosts:   []Count{{Name: text, Allow: 6, Ask: 2, Block: 1}},
		Asked:   []Question{{Rule: text, Program: text, Reason: text, Prompts: 2, Examples: []string{text, text}}},
		Danger:  []Finding{{Command: text, Rule: text, Reason: text, Host: text, Session: text, Time: at, Ran: true}},
		Skipped: []Skip{{Path: text, Why: text, Count: 2}},
		With:    []Variant{{Name: text, Prompts: 1, PerDay: 0.5}},
		Rows:    []Row{{Command: text, Decision: "ask", Rule: text, Count: 2, Last: at}, {Command: text, Decision: "allow", Count: 6}},
		Suggestions: []Suggestion{
			{Summary: text, Text: strings.ReplaceAll(text, "\n", " ") + "\n", Program: text, Stops: text, Prompts: 2, Examples: []string{text}},
		},
	}
}

// marks are the characters that make markup, in the order in which a page has
// them; data is what the script element holds.
func marks(t testing.TB, page []byte) (rest string, data [][]any) {
	t.Helper()
	before, after, ok := strings.Cut(string(page), `<script type="application/json" id="data">`)
	text, after, closed := strings.Cut(after, "</script>")
	if !ok || !closed || strings.ContainsAny(text, "<>&\u2028\u2029") {
		t.Fatalf("the data ends its element, or might: %.300s", text)
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatalf("the data is no JSON: %v", err)
	}
	keep := func(r rune) rune {
		if strings.ContainsRune("<>\"'\x00", r) {
			return r
		}
		return -1
	}
	return strings.Map(keep, before+after), data
}

// Whatever a command is, the page has the same elements and attributes, and the
// text of the command.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		"git push", "", "</script><script>x()</script>", "<!-- <script>", "]]>", `" onload="x()`, `' onload='x()`, "a & b &lt; &#0; &amp",
		"\u2028\u2029\u202e", "\x00\x1b[31m\xff\xfe", "line\nline\r\n", strings.Repeat("é<", 300), `\u003c/script\u003e`,
	} {
		f.Add(s)
	}
	plain, _ := marks(f, told("plain").Page())
	f.Fuzz(func(t *testing.T, text string) {
		text = "=" + text // what is empty has no place of its own
		page := told(text).Page()
		got, data := marks(t, page)
		if got != plain {
			t.Errorf("%q makes markup\n%s", text, cmp.Diff(plain, got))
		}
		want := policy.Visible(cut(text, pageText))
		if len(data) != 2 || data[0][0] != want || data[1][0] != want {
			t.Errorf("%q is %q in the data", text, data)
		}
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(want)
		if n := strings.Count(string(page), escaped); n < 15 {
			t.Errorf("%q stands in the page %d times only", text, n)
		}
	})
}

// A page of many commands stays small, keeps the strictest and most frequent,
// and says what it leaves out.
func TestPageSize(t *testing.T) {
	p := told("x")
	p.Rows, p.Distinct = nil, 100_000
	for i := range 100_000 {
		d := "allow"
		switch {
		case i%1000 == 0:
			d = "block"
		case i%100 == 0:
			d = "ask"
		}
		p.Rows = append(p.Rows, Row{Command: fmt.Sprintf("make target-%d %s", i, strings.Repeat("<", i%200)), Decision: d, Rule: "some.rule", Count: 1 + i%7})
	}
	long := strings.Repeat("<", 1<<20)
	p.Asked = nil
	for range 3000 {
		p.Asked = append(p.Asked, Question{Rule: long, Program: long, Reason: long, Examples: []string{long, long, long, long, long}})
		p.Danger = append(p.Danger, Finding{Command: long, Reason: long})
		p.Skipped = append(p.Skipped, Skip{Path: long, Why: long})
	}
	page := p.Page()
	if len(page) >= 1<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	_, data := marks(t, page)
	if len(data) < 1000 || data[0][1] != "block" || data[100][1] != "ask" {
		t.Errorf("the page has %d commands, and does not begin with the strictest", len(data))
	}
	if left := Thousands(100_000 - len(data)); !bytes.Contains(page, []byte("no room for "+left+" more")) {
		t.Errorf("the page does not say that it leaves out %s", left)
	}
	for what, all := range map[string]int{"more questions": 3000, "more of them": 3001, "more files or records": 3001} {
		before, _, found := bytes.Cut(page, []byte(" "+what))
		var left int
		if _, err := fmt.Sscanf(strings.ReplaceAll(string(before[bytes.LastIndexByte(before, '>')+1:]), ",", ""), "and %d", &left); !found || err != nil || left < all-pageEntries || left >= all {
			t.Errorf("of %d the page leaves out %d %s (%v)", all, left, what, err)
		}
	}
}

func TestSpans(t *testing.T) {
	r := told("x")
	if r.days() != 2 || r.perDay(3) != "1.5" || new(Report).perDay(3) != "–" {
		t.Errorf("%d days, %s a day, %s of none", r.days(), r.perDay(3), new(Report).perDay(3))
	}
	day := func(date string, n int) Day { return Day{Date: date, Count: Count{Allow: n}} }
	run := func(from string, n, step int) (list []Day) {
		at, err := time.Parse(time.DateOnly, from)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			list = append(list, day(at.AddDate(0, 0, i*step).Format(time.DateOnly), 1))
		}
		return list
	}
	for _, test := range []struct {
		name        string
		days        []Day
		unit        markup
		bars        int
		first, last string
	}{
		{"nothing", nil, "day", 0, "", ""},
		{"no time known", []Day{day("", 5), day("yesterday", 1)}, "day", 0, "", ""},
		{"a gap", []Day{day("", 5), day("2026-01-01", 1), day("2026-01-04", 1)}, "day", 4, "2026-01-01", "2026-01-04"},
		{"as many days as there is room for", run("2026-01-01", 130, 1), "day", 130, "2026-01-01", "2026-05-10"},
		{"weeks begin on Monday", run("2026-01-01", 131, 1), "week", 20, "2025-12-29", "2026-05-11"},
		{"months", run("2016-01-31", 120, 30), "month", 119, "2016-01", "2025-11"},
		{"years", run("1990-06-01", 30, 365), "year", 30, "1990", "2019"},
		{"too many years", []Day{day("0001-01-01", 1), day("1700-01-01", 1), day("9999-12-31", 1)}, "year", 130, "0004", "9999"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bars, unit := spans(test.days)
			first, last, sum, want := "", "", 0, 0
			for i := range bars {
				sum += bars[i].Allow
			}
			for i := range test.days {
				if _, err := time.Parse(time.DateOnly, test.days[i].Date); err == nil {
					want += test.days[i].Allow
				}
			}
			if len(bars) > 0 {
				first, last = bars[0].Date, bars[len(bars)-1].Date
			}
			if unit != test.unit || len(bars) != test.bars || first != test.first || last != test.last {
				t.Errorf("%d bars, each a %s, from %s to %s; want %d, each a %s, from %s to %s", len(bars), unit, first, last, test.bars, test.unit, test.first, test.last)
			}
			if sum != want && test.name != "too many years" {
				t.Errorf("the bars have %d commands of %d", sum, want)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Thousands(0): "0", Thousands(999): "999", Thousands(1000): "1,000", Thousands(1234567): "1,234,567", Thousands(-123): "-123",
		percent(1, 0): "–", percent(1, 3): "33.3 %", percent(3, 3): "100 %",
		Decimal(0.04): "0.0", Decimal(99.94): "99.9", Decimal(99.95): "100", Decimal(1234.5): "1,235",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
