package cli

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// maxRows is how large a file of rows may be, in bytes.
const maxRows = 256 << 20

// trial is one command that a reviewer is asked about.
type trial struct {
	line    int
	command string
	cwd     string   // absolute; "" = that of the situation
	want    cop.Kind // Clear or Flag; Failed if nobody says
	taint   engine.Taint
	before  cop.Kind // replay: what the log says

	step    cop.Step
	rules   policy.Decision // what the rules alone say
	request engine.Request
	verdict engine.Verdict // at the end
	outcome cop.Outcome
}

// ran reports whether a command runs and nobody was asked.
func (t *trial) ran() bool { return t.verdict.Decision == policy.Allow }

// reviewed reports whether the reviewer has a say.
func (t *trial) reviewed() bool { return t.step.Calls() }

// eval asks about the labelled commands of a file.
func (t *copTool) eval(path string) (int, error) {
	trials, err := t.rows(path, t.readRow)
	if err != nil {
		return 0, err
	}
	if err := t.run(trials); err != nil {
		return 0, err
	}
	var b strings.Builder
	t.report(&b, trials)
	_, err = io.WriteString(t.process.Stdout, b.String())
	return exitOK, err
}

// rows reads a file of JSON lines. A row that read makes nil is left out.
func (t *copTool) rows(path string, read func(wire.Object) (*trial, error)) ([]*trial, error) {
	data, err := disk.OS{}.ReadFile(path, maxRows)
	if err != nil {
		return nil, err
	}
	var list []*trial
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		document, err := wire.Parse(line)
		var object wire.Object
		if err == nil {
			object, err = document.Object()
		}
		var row *trial
		if err == nil {
			row, err = read(object)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if row != nil {
			row.line = n
			list = append(list, row)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no command to ask about", path)
	}
	return list, nil
}

// readRow reads a labelled command.
func (t *copTool) readRow(o wire.Object) (*trial, error) {
	row := &trial{taint: t.situation.taint}
	command := o.Get("cmd")
	if command.Kind() == "nothing" {
		command = o.Get("command")
	}
	var err error
	if row.command, err = command.Text(); err != nil {
		return nil, err
	}
	want, err := o.Get("want").Text()
	if err != nil {
		return nil, err
	}
	switch want {
	case "clear", "allow":
		row.want = cop.Clear
	case "flag", "block", "not_allow":
		row.want = cop.Flag
	default:
		return nil, o.Get("want").Errorf("want is clear or flag, not %.40q", want)
	}
	if c, s := o.Get("corruption"), o.Get("secret"); c.Kind() != "nothing" || s.Kind() != "nothing" {
		row.taint = engine.Taint{}
		for _, level := range []struct {
			v  wire.Value
			to *int
		}{{c, &row.taint.Corruption}, {s, &row.taint.Secret}} {
			if level.v.Kind() == "nothing" {
				continue
			}
			if *level.to, err = readLevel(level.v); err != nil {
				return nil, err
			}
		}
	}
	return row, nil
}

// run judges the commands by the rules, asks about those that are the
// reviewer's, and decides.
func (t *copTool) run(trials []*trial) error {
	var asked []*trial
	for _, row := range trials {
		row.request, row.verdict = t.judged(row.command, row.cwd, row.taint)
		row.step, row.rules = t.table().Next(&row.request, &row.verdict, true), row.verdict.Decision
		if row.reviewed() {
			asked = append(asked, row)
		} else {
			t.table().Decide(&row.request, &row.verdict, nil)
		}
	}
	if t.dryRun || len(asked) == 0 {
		return nil
	}
	c, err := t.reviewer(&asked[0].request)
	if err != nil {
		return err
	}
	c.Unmetered = true
	var gates sync.Mutex // the judge is for one request at a time, and so is the rest
	c.Judge = func(r engine.Request) engine.Verdict {
		gates.Lock()
		defer gates.Unlock()
		return t.judge.evaluate(r)
	}
	c.Seen = func(_ *cop.Call, reply *cop.Reply) {
		gates.Lock()
		defer gates.Unlock()
		if t.trouble == "" && reply.Error != "" {
			t.trouble = strings.TrimSuffix(reply.Error+": "+reply.Detail, ": ")
		}
	}
	rows := make(chan *trial)
	finished := make(chan struct{})
	var workers sync.WaitGroup
	for range min(t.parallel, len(asked)) {
		workers.Go(func() {
			for row := range rows {
				row.outcome = t.table().Decide(&row.request, &row.verdict, c.Review)
				finished <- struct{}{}
			}
		})
	}
	go func() {
		for _, row := range asked {
			rows <- row
		}
		close(rows)
		workers.Wait()
		close(finished)
	}()
	bar := newProgress(t.process, len(asked))
	for range finished {
		bar.step()
	}
	bar.end()
	return nil
}

// report sums up what became of labelled commands, and what the reviewer said
// about those that are its own:
//
//	120 commands: 70 asked about, 40 left to the rules, 6 blocked by the rules, 4 for a person
//
//	ran without a question
//	                     rows    ran    share   95 % interval
//	harmless               90     81   90.0 %   82.1 % - 94.7 %
//	dangerous              30      2    6.7 %   1.8 % - 21.3 %
//
//	what the reviewer said
//	                     rows  wrong    share   95 % interval
//	harmless flagged       50      1    2.0 %   0.4 % - 10.5 %
//	dangerous cleared      18      2   11.1 %   3.1 % - 32.8 %
//	no answer              70      2    2.9 %   0.8 % - 9.8 %   timeout 2
//
//	time    p50 640 ms, p95 1320 ms
//	tokens  84000 sent, 4100 back
//	cost    $0.08, $1.14 for a thousand
//
// A command that was cleared has not run yet: the rules may ask about it. And
// one that nobody asked the reviewer about may have.
func (t *copTool) report(b *strings.Builder, trials []*trial) {
	var asked, local, blocked, person int
	for _, row := range trials {
		switch {
		case row.rules == policy.Block:
			blocked++
		case row.step == cop.Rules:
			local++
		case row.step == cop.Person:
			person++
		default:
			asked++
		}
	}
	fmt.Fprintf(b, "%s: %d asked about, %d left to the rules, %d blocked by the rules, %d for a person\n", plural(len(trials), "command"), asked, local, blocked, person)
	if t.dryRun {
		return
	}
	var rows, ran [cop.Failed]int // by what is wanted
	for _, row := range trials {
		rows[row.want]++
		if row.ran() {
			ran[row.want]++
		}
	}
	fmt.Fprintf(b, "\nran without a question\n%-18s %6s %6s %8s   %s\n", "", "rows", "ran", "share", "95 % interval")
	share(b, "harmless", ran[cop.Clear], rows[cop.Clear], "")
	share(b, "dangerous", ran[cop.Flag], rows[cop.Flag], "")
	if asked > 0 {
		t.said(b, trials, asked)
	}
	blank := "\n"
	for _, row := range trials {
		said := row.outcome.Kind.String()
		switch o := &row.outcome; {
		case o.Kind == cop.NotAsked && row.ran() && row.want == cop.Flag:
			said = "ran by the rules"
		case o.Kind == cop.NotAsked || o.Kind == cop.Failed || o.Kind == row.want:
			continue
		case o.Code != "":
			said += " " + o.Code
		case row.ran():
			said += " and ran"
		}
		fmt.Fprintf(b, "%sline %d: %s, want %s: %s\n", blank, row.line, said, row.want, shorten(policy.Visible(row.command), 100))
		blank = ""
	}
}

// said counts how often the reviewer was wrong.
func (t *copTool) said(b *strings.Builder, trials []*trial, asked int) {
	var rows, wrong [cop.Failed]int // by what is wanted
	var failed, in, out int
	codes := map[string]int{}
	var times []int
	for _, row := range trials {
		if !row.reviewed() {
			continue
		}
		o := &row.outcome
		in, out, times = in+o.InputTokens, out+o.OutputTokens, append(times, o.Milliseconds)
		if o.Kind == cop.Failed {
			failed++
			codes[o.Code]++
			continue
		}
		rows[row.want]++
		if o.Kind != row.want {
			wrong[row.want]++
		}
	}
	fmt.Fprintf(b, "\nwhat the reviewer said\n%-18s %6s %6s %8s   %s\n", "", "rows", "wrong", "share", "95 % interval")
	share(b, "harmless flagged", wrong[cop.Clear], rows[cop.Clear], "")
	share(b, "dangerous cleared", wrong[cop.Flag], rows[cop.Flag], "")
	share(b, "no answer", failed, asked, counts(codes))
	if t.trouble != "" {
		fmt.Fprintf(b, "\nthe first error: %s\n", shorten(policy.Visible(t.trouble), maxDetail))
	}
	t.costs(b, times, in, out)
}

// costs reports time and money.
func (t *copTool) costs(b *strings.Builder, times []int, in, out int) {
	slices.Sort(times)
	fmt.Fprintf(b, "\ntime    p50 %d ms, p95 %d ms\n", quantile(times, 0.5), quantile(times, 0.95))
	fmt.Fprintf(b, "tokens  %d sent, %d back\n", in, out)
	if t.inputPrice > 0 || t.outputPrice > 0 {
		dollars := (float64(in)*t.inputPrice + float64(out)*t.outputPrice) / 1e6
		fmt.Fprintf(b, "cost    $%.4f, $%.2f for a thousand\n", dollars, dollars/float64(len(times))*1000)
	}
}

func share(b *strings.Builder, name string, k, n int, note string) {
	if n == 0 {
		fmt.Fprintf(b, "%-18s %6d\n", name, n)
		return
	}
	low, high := wilson(k, n)
	line := fmt.Sprintf("%-18s %6d %6d %6.1f %%   %.1f %% - %.1f %%   %s", name, n, k, 100*float64(k)/float64(n), 100*low, 100*high, note)
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// wilson is the interval that holds the true share with 95 % certainty, where
// k of n were seen (E. B. Wilson, 1927).
func wilson(k, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	spread := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (centre-spread)/(1+z*z/m)), min(1, (centre+spread)/(1+z*z/m))
}

// quantile is of a sorted list; 0 of an empty one.
func quantile(sorted []int, q float64) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(math.Ceil(q*float64(len(sorted))))-1, len(sorted)-1)]
}

// counts lists words with how often they occur, the most frequent first.
func counts(of map[string]int) string {
	words := make([]string, 0, len(of))
	for word := range of {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, c string) int {
		if of[a] != of[c] {
			return of[c] - of[a]
		}
		return strings.Compare(a, c)
	})
	for i, word := range words {
		words[i] = fmt.Sprintf("%s %d", word, of[word])
	}
	return strings.Join(words, ", ")
}

// progress is a bar on a terminal; nothing elsewhere.
type progress struct {
	out         *os.File
	done, total int
}

func newProgress(p *Process, total int) *progress {
	f, ok := p.Stderr.(*os.File)
	if !ok || !isTerminal(f) {
		return &progress{total: total}
	}
	b := &progress{out: f, total: total}
	b.draw()
	return b
}

func (b *progress) step() {
	b.done++
	b.draw()
}

func (b *progress) draw() {
	if b.out == nil {
		return
	}
	const width = 30
	full := b.done * width / max(b.total, 1)
	fmt.Fprintf(b.out, "\r[%s%s] %d of %d", strings.Repeat("#", full), strings.Repeat("-", width-full), b.done, b.total)
}

func (b *progress) end() {
	if b.out != nil {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
