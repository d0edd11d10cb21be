package learn

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/policy"
)

// several is judging for lists of rules.
func several(files policy.Files) Judge {
	return func(r engine.Request, more ...*interp.Rules) engine.Verdict {
		return engine.New(engine.Options{Files: files, User: more}).Evaluate(r)
	}
}

func summaries(choices []Choice) (list []string) {
	for _, c := range choices {
		list = append(list, c.Summary)
	}
	return list
}

func TestCover(t *testing.T) {
	for _, test := range []struct {
		name    string
		lines   []string
		counts  []int
		least   int
		want    []string
		prompts []int
	}{
		{"nothing asked", []string{"git status"}, []int{9}, 1, nil, nil},
		{"too few", []string{"acme lint src/a.go", "acme lint src/b.go"}, []int{1, 1}, 3, nil, nil},
		{"one rule for many", []string{"git push origin feature/a", "git push origin feature/b", "git push origin feature/c"}, []int{2, 1, 1}, 3, []string{"git push to origin, branches feature/*"}, []int{4}},
		{"the narrower where it saves as much", []string{"git push origin feature/a"}, []int{5}, 3, []string{"git push to origin, the branch feature/a"}, []int{5}},
		{"the one that saves most first", []string{"git push origin fix", "acme lint src/a.go"}, []int{3, 8}, 3, []string{"only acme lint src/a.go in ~/p", "git push to origin, the branch fix"}, []int{8, 3}},
		{"what two rules answer together", []string{"acme go", "git push origin fix", "acme go && git push origin fix"}, []int{9, 7, 5}, 3, []string{"git push to origin, the branch fix", "only acme go"}, []int{12, 9}},
		{"what is only asked about together", []string{"acme go && beta go"}, []int{4}, 3, []string{"only acme go; only beta go"}, []int{4}},
		{"a block is answered by nothing", []string{"rm -rf /", "rm -rf ~"}, []int{100, 100}, 1, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var questions []Question
			for i, line := range test.lines {
				questions = append(questions, Question{request(line), test.counts[i]})
			}
			var told atomic.Int64
			choices := Cover(several(project()), questions, nil, test.least, 9, func() { told.Add(1) })
			var prompts []int
			for _, c := range choices {
				prompts = append(prompts, c.Prompts)
			}
			if got := summaries(choices); !slices.Equal(got, test.want) || !slices.Equal(prompts, test.prompts) {
				t.Errorf("%q save %d, want %q save %d", got, prompts, test.want, test.prompts)
			}
			if int(told.Load()) != len(questions) {
				t.Errorf("told of %d of %d questions", told.Load(), len(questions))
			}
		})
	}
}

// The rules that a project's recorded days suggest leave at most half of their
// questions, loosen no block, and allow nothing dangerous.
func TestCoverOfDays(t *testing.T) {
	names, err := filepath.Glob("../workday/testdata/*.day")
	if err != nil || len(names) == 0 {
		t.Fatalf("no days (%v)", err)
	}
	counts := map[string]int{}
	var questions []Question
	judge := several(project())
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "B "); ok {
				counts[command]++
				if counts[command] == 1 && judge(request(command)).Decision == policy.Ask {
					questions = append(questions, Question{Request: request(command)})
				}
			}
		}
	}
	meant := map[string]bool{} // the commands that the days ask about, whatever their messages say
	before := 0
	for i := range questions {
		v := judge(questions[i].Request)
		for k := range v.Reasons {
			meant[withoutMessage(v.Reasons[k].Command())] = true
		}
		questions[i].Count = counts[questions[i].Request.Command]
		before += questions[i].Count
	}
	slices.SortStableFunc(questions, func(a, b Question) int { return b.Count - a.Count })

	var rules []*interp.Rules
	for _, c := range Cover(judge, questions, nil, 1, 1000, func() {}) {
		rules = append(rules, c.Rules)
	}
	all := engine.New(engine.Options{Files: project(), User: rules})
	after := 0
	for _, q := range questions {
		if v := all.Evaluate(q.Request); v.Decision == policy.Ask {
			after += q.Count
			t.Logf("still asked: %s: %s", q.Request.Command, v.Reason)
		}
	}
	t.Logf("%d rules, %d questions before, %d after", len(rules), before, after)
	if after*2 > before {
		t.Errorf("%d questions before, %d after: more than half are left", before, after)
	}

	plain := engine.New(engine.Options{Files: project()})
	rows, changed := 0, 0
	for _, row := range acceptance(t) {
		r := request(row.Cmd)
		was := plain.Evaluate(r)
		if was.Decision == policy.Allow {
			continue
		}
		rows++
		now := all.Evaluate(r).Decision
		other := false // something in it that the days don't ask about
		for i := range was.Reasons {
			reason := &was.Reasons[i]
			other = other || reason.Counts() >= policy.Ask && !meant[withoutMessage(reason.Command())]
		}
		if was.Decision == policy.Block && now != policy.Block || now == policy.Allow && other {
			changed++
			t.Errorf("%s: was %v, is %v", row.Cmd, was.Decision, now)
		}
	}
	if rows < 500 {
		t.Errorf("only %d rows that are not allowed", rows)
	}
	t.Logf("%d of %d rows that are not allowed are loosened", changed, rows)
}

type acceptanceRow struct{ Cmd string }

func acceptance(t *testing.T) (rows []acceptanceRow) {
	names, err := filepath.Glob("../acceptance/testdata/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no rows (%v)", err)
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var row acceptanceRow
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// withoutMessage is a command that records a commit without what it says of it.
func withoutMessage(command string) string {
	for _, flag := range [...]string{" -m ", " -am "} {
		if before, _, ok := strings.Cut(command, flag); ok && before == "git commit" {
			return before + flag
		}
	}
	return command
}
