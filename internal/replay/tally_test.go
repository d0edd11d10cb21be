package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/history"
	"github.com/bashgate/bashgate/policy"
)

// day is a time on the nth day.
func day(n int) time.Time { return time.Date(2026, 11, n, 10, 0, 0, 0, time.UTC) }

func TestTally(t *testing.T) {
	var tally Tally
	add := func(text, host string, at time.Time, outcome history.Outcome) {
		tally.Add(history.Command{Text: text, Host: host, Time: at, Cwd: "/p", Outcome: outcome})
	}
	add("ls", "codex", day(2), history.Ran)
	add("ls", "gemini", day(4), history.Ran)
	add("git push", "codex", day(2), history.Unknown)
	add("git push", "codex", time.Time{}, history.Unknown)
	add("acme x", "bash", time.Time{}, history.Ran)
	add("acme y", "codex", day(4), history.Ran)
	add("acme y", "codex", day(4), history.Ran)
	add("rm -rf /", "codex", day(3), history.Refused)
	add("rm -rf /", "codex", day(4), history.Ran)
	add("rm -rf ~", "codex", day(4), history.Refused)
	add("make", "codex", day(4), history.Ran)
	// Claude Code's own settings may decide otherwise about the same text.
	add("ls", "claude", day(4), history.Ran)
	tally.Skip(history.Skipped{Path: "/h", Why: "binary", Count: 2})
	tally.End()

	verdicts := map[string]Verdict{
		"ls":       {Decision: policy.Allow},
		"git push": {Decision: policy.Ask, Rule: "git.push", Reason: "Sends commits"},
		"acme x":   {Decision: policy.Ask, Rule: "unknown-command", Program: "acme", Reason: "No rule knows acme"},
		"acme y":   {Decision: policy.Ask, Rule: "unknown-command", Program: "acme", Reason: "No rule knows acme"},
		"rm -rf /": {Decision: policy.Block, Rule: "paths.system-root", Reason: "A whole directory"},
		"rm -rf ~": {Decision: policy.Block, Rule: "paths.system-root", Reason: "A whole directory"},
		"make":     {Decision: policy.Ask, Left: true, Rule: "make.run", Reason: "Runs make"},
	}
	for _, c := range tally.Cases {
		c.Verdict = verdicts[c.Text]
	}
	got := tally.Report(day(20))
	if len(got.Rows) != 8 || got.Rows[0].Command != "ls" || got.Rows[0].Count != 2 || !got.Rows[0].Last.Equal(day(4)) {
		t.Errorf("rows: %+v", got.Rows)
	}
	got.Rows = nil
	want := &Report{
		Version: 1, Made: day(20), Commands: 12, Distinct: 8, From: day(2), To: day(4),
		Total: Count{Allow: 3, Ask: 6, Block: 3, Left: 1},
		Days: []Day{
			{"", Count{Ask: 2}},
			{"2026-11-02", Count{Allow: 1, Ask: 1}},
			{"2026-11-03", Count{Block: 1}},
			{"2026-11-04", Count{Allow: 2, Ask: 3, Block: 2, Left: 1}},
		},
		Hosts: []Count{
			{Name: "codex", Allow: 1, Ask: 5, Block: 3, Left: 1}, {Name: "gemini", Allow: 1}, {Name: "bash", Ask: 1}, {Name: "claude", Allow: 1},
		},
		Asked: []Question{
			{Rule: "unknown-command", Program: "acme", Reason: "No rule knows acme", Prompts: 3, Examples: []string{"acme y", "acme x"}},
			{Rule: "git.push", Reason: "Sends commits", Prompts: 2, Examples: []string{"git push"}},
		},
		Danger:  []Finding{{Command: "rm -rf /", Rule: "paths.system-root", Reason: "A whole directory", Host: "codex", Time: day(4), Ran: true}},
		Skipped: []Skip{{"/h", "binary", 2}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if dated := got.Dated(); dated.Prompts() != 3 || got.PerDay(dated.Prompts()) != 1 {
		t.Errorf("dated: %+v", dated)
	}
}

// Nothing in a report shows a secret, breaks a line or is longer than it may be,
// and its JSON is JSON.
func TestReportTexts(t *testing.T) {
	var tally Tally
	for i := range 3000 {
		text := fmt.Sprintf("mysql -phunter%d -e 'x\x1b[2J\n\u2028</script>%s'", i, strings.Repeat("ä", 400))
		tally.Add(history.Command{Text: text, Host: "bash\n", Session: "s", Outcome: history.Ran})
	}
	for _, c := range tally.Cases {
		c.Verdict = Verdict{Decision: policy.Block, Rule: "r", Reason: c.Text}
	}
	r := tally.Report(day(1))
	if len(r.Rows) != maxRows || len(r.Danger) != maxDanger {
		t.Errorf("%d rows, %d dangerous", len(r.Rows), len(r.Danger))
	}
	for _, row := range r.Rows {
		for _, text := range [...]string{row.Command, row.Reason} {
			if strings.Contains(text, "hunter") || strings.ContainsAny(text, "\n\x1b\u2028") || len(text) > maxText+3 {
				t.Fatalf("%q", text)
			}
		}
	}
	text := r.AppendJSON(nil)
	var keys map[string]any
	if err := json.Unmarshal(text, &keys); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Fatal(err)
	}
	for _, key := range [...]string{"version", "made", "commands", "distinct", "from", "to", "total", "days", "hosts", "asked", "danger", "skipped", "with", "rows"} {
		if keys[key] == nil {
			t.Errorf("no %q", key)
		}
	}
}

// A long history is held in little: what is the same is kept once.
func TestTallyMemory(t *testing.T) {
	bytes := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			var tally Tally
			for i := range 10_000 {
				tally.Add(history.Command{Text: commands[i%len(commands)], Host: "codex", Time: day(1 + i%20), Cwd: "/p"})
			}
			if len(tally.Cases) != len(commands) {
				b.Fatal(len(tally.Cases))
			}
		}
	}).AllocedBytesPerOp()
	if each := bytes / 10_000; each > 100 {
		t.Errorf("%d bytes for each command", each)
	}
}

var commands = []string{"ls", "git status", "git diff", "make", "npm test"}
