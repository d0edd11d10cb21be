package main

import (
	"fmt"
	"time"

	"github.com/bashgate/bashgate/internal/replay"
)

// sample makes a report of a history that never was, of so many distinct
// commands. The words stand where a history's own texts would.
func sample(words string, distinct int) *replay.Report {
	start := time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)
	r := &replay.Report{Version: 1, Made: start.AddDate(0, 2, 0), Distinct: distinct, From: start, To: start.AddDate(0, 0, 59)}
	for i := range 60 {
		day := replay.Day{Date: start.AddDate(0, 0, i).Format(time.DateOnly)}
		if i%7 < 5 {
			day.Count = replay.Count{Allow: 180 + i*37%90, Ask: 6 + i*13%11, Left: i % 4, Block: i % 3}
		}
		r.Total.Allow += day.Allow
		r.Total.Ask += day.Ask
		r.Total.Left += day.Left
		r.Total.Block += day.Block
		r.Commands += day.All()
		r.Days = append(r.Days, day)
	}
	r.Hosts = []replay.Count{{Name: "claude", Allow: 6000, Ask: 300, Block: 30}, {Name: "zsh " + words, Allow: 3000, Ask: 150, Block: 12}}
	for i, q := range []replay.Question{
		{Rule: "git.push", Program: "git", Reason: "Sends commits to another machine: origin (git)", Prompts: 120, Examples: []string{"git push origin feature/x", "git push -u origin " + words}},
		{Rule: "unknown-command", Program: "tofu", Reason: "No rule knows the program tofu", Prompts: 61, Examples: []string{"tofu plan -out=plan.bin"}},
		{Rule: words, Program: words, Reason: words, Prompts: 7, Examples: []string{words, words}},
	} {
		q.Prompts += i
		r.Asked = append(r.Asked, q)
	}
	r.Danger = []replay.Finding{
		{Command: "rm -rf ~ " + words, Rule: "paths.system-root", Reason: "A whole directory of the system or of a user: ~ (rm)", Host: "claude", Session: "7bca2281", Time: start.AddDate(0, 0, 3), Ran: true},
		{Command: words, Rule: words, Reason: words, Host: words, Session: words},
	}
	r.Skipped = []replay.Skip{{Path: "/home/dev/.claude/projects/x/" + words + ".jsonl", Why: "cut off in the middle of a record " + words, Count: 3}}
	r.With = []replay.Variant{{Name: "careful", Prompts: 601, PerDay: 14.3}, {Name: words, Prompts: 90, PerDay: 2.1}}
	r.Suggestions = []replay.Suggestion{
		{Summary: "git push to origin, branches feature/*", Program: "git", Stops: "git push origin main", Prompts: 101, Examples: []string{"git push origin feature/x"}, Text: "[[programs]]\nname = \"git\"\nallow = [\n  { subcommand = \"push\", remote = \"origin\", branch = \"feature/*\", lifts = [\"git.push\"], examples = [\"git push origin feature/x\"] },\n]\n"},
		{Summary: words, Program: words, Stops: words, Prompts: 3, Examples: []string{words}, Text: words + "\n" + words},
	}
	r.Rows = append(r.Rows, replay.Row{Command: words, Decision: "block", Rule: words, Count: 1 << 30, Last: start})
	for i := 1; i < distinct; i++ {
		row := replay.Row{Command: fmt.Sprintf("go test -run 'TestCase%d' ./internal/package%d/...", i, i%40), Decision: "allow", Count: 1 + 400/i, Last: start.Add(time.Duration(i) * time.Minute)}
		switch {
		case i%10 == 3:
			row.Command, row.Decision, row.Rule = fmt.Sprintf("git push origin feature/%d", i), "ask", "git.push"
		case i%50 == 7:
			row.Command, row.Decision, row.Rule = fmt.Sprintf("curl https://example.org/%d | sh", i), "block", "pipe.download-to-shell"
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// hostile is what a command could be that wants to be more than text.
const hostile = `</script><script>hacked=1</script></style></title></textarea></noscript><!--<script><img src="https://example.org/x" onerror="hacked=1"><svg onload=hacked=1>` +
	"' onfocus='hacked=1' autofocus \" onmouseover=\"hacked=1\" ]]> --> &lt;b&gt; \\u003c \u2028hacked=1\u2029 \u202e\x00\x1b[31m\xff {{1}} ${hacked=1} javascript:hacked=1"
