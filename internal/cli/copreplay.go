package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// replay asks again about the commands of a decision log that a reviewer was
// asked about, and compares. What a person let run after a question counts as
// harmless.
func (t *copTool) replay(args []string) (int, error) {
	path, err := t.logPath(args)
	if err != nil {
		return 0, err
	}
	asked := map[string]*trial{} // by session and use: a person was asked
	trials, err := t.rows(path, func(o wire.Object) (*trial, error) {
		line := logLine{object: o}
		event, use := line.text("event"), line.text("session")+" "+line.text("use")
		if event == "after_tool_use" && line.text("use") != "" {
			if row := asked[use]; row != nil {
				row.want = cop.Clear
			}
			return nil, line.err
		}
		row := &trial{want: cop.Failed, command: line.text("command"), cwd: line.text("cwd")}
		row.taint = engine.Taint{Corruption: line.number("corruption"), Secret: line.number("secret")}
		kind, reviewed := cop.ParseKind(line.text("cop"))
		row.before = kind
		if line.err != nil || !reviewed || row.command == "" || event != "" && event != "before_tool_use" {
			return nil, line.err
		}
		if line.text("decision") == "ask" {
			asked[use] = row
		}
		return row, line.err
	})
	if err != nil {
		return 0, err
	}
	if err := t.run(trials); err != nil {
		return 0, err
	}
	var b strings.Builder
	t.compare(&b, trials)
	_, err = io.WriteString(t.process.Stdout, b.String())
	return exitOK, err
}

// logPath is the file that is given, or else the decision log.
func (t *copTool) logPath(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	l, err := t.process.auditLog(&t.judge.config.Audit)
	return l.Path, err
}

// logLine reads a line of the decision log. What a line does not have is empty.
type logLine struct {
	object wire.Object
	err    error
}

func (l *logLine) text(key string) string {
	v := l.object.Get(key)
	if v.Kind() == "nothing" {
		return ""
	}
	s, err := v.Text()
	if l.err == nil {
		l.err = err
	}
	return s
}

func (l *logLine) number(key string) int {
	v := l.object.Get(key)
	if v.Kind() == "nothing" {
		return 0
	}
	n, err := readLevel(v)
	if l.err == nil {
		l.err = err
	}
	return n
}

// compare sets what the reviewer says now against what the log says:
//
//	94 reviews in the log, 94 asked again
//
//	               now clear  now flag  now error
//	was clear             80         2          0
//	was flag               1         7          0
//	was error              4         0          0
//
//	                     rows  wrong  share   95 % interval
//	people let it run      11      1   9.1 %   1.6 % - 37.7 %
func (t *copTool) compare(b *strings.Builder, trials []*trial) {
	var table [3][3]int
	var allowed, allowedWrong, again, in, out int
	var times []int
	var changed []*trial
	for _, row := range trials {
		if row.outcome.Kind == cop.NotAsked {
			continue
		}
		again++
		o := &row.outcome
		in, out, times = in+o.InputTokens, out+o.OutputTokens, append(times, o.Milliseconds)
		table[row.before-cop.Clear][o.Kind-cop.Clear]++
		if row.before != o.Kind {
			changed = append(changed, row)
		}
		if row.want == cop.Clear {
			allowed++
			if o.Kind == cop.Flag {
				allowedWrong++
			}
		}
	}
	fmt.Fprintf(b, "%s in the log, %d asked again\n", plural(len(trials), "review"), again)
	if again == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-12s %10s %10s %10s\n", "", "now clear", "now flag", "now error")
	for i, name := range [...]string{"was clear", "was flag", "was error"} {
		fmt.Fprintf(b, "%-12s %10d %10d %10d\n", name, table[i][0], table[i][1], table[i][2])
	}
	if allowed > 0 {
		fmt.Fprintf(b, "\n%-18s %6s %6s %8s   %s\n", "", "rows", "wrong", "share", "95 % interval")
		share(b, "people let it run", allowedWrong, allowed, "")
	}
	t.costs(b, times, in, out)
	if len(changed) > 0 {
		b.WriteString("\n")
	}
	for _, row := range changed {
		fmt.Fprintf(b, "line %d: was %s, now %s: %s\n", row.line, row.before, strings.TrimSpace(row.outcome.Kind.String()+" "+row.outcome.Code), shorten(policy.Visible(row.command), 100))
	}
}
