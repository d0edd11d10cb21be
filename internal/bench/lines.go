//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
)

// A corpus is a file of command lines.
type corpus struct {
	name  string // the file's, without its ending
	lines []string
}

// limits are what Evaluate may take of a parse, by the name of a corpus.
var limits = map[string]struct{ shared, fresh, allocations float64 }{
	"agent_cmds": {2.5, 3.5, 25},
	"ci_cmds":    {fresh: 6},
}

// measureLines judges every file in this process, and then all of them in one
// process of check.
func (b *bench) measureLines(files []string) error {
	var all []string
	for _, name := range files {
		c, err := readCorpus(name)
		if err != nil {
			return err
		}
		b.measureEvaluate(c)
		all = append(all, c.lines...)
	}
	return b.measureCheck(all)
}

// A reader is one way to read a line.
type reader struct {
	name   string
	read   func(line string)
	passes []time.Duration   // of the processor, for the whole corpus
	lines  [][]time.Duration // on the clock, for each line in each pass
}

// pass reads all lines.
func (r *reader) pass(lines []string) {
	if r.lines == nil {
		r.lines = make([][]time.Duration, len(lines))
	}
	runtime.GC() // what others left behind is not collected on this one's time
	start, last := ownTime(), time.Now()
	for i, line := range lines {
		r.read(line)
		now := time.Now()
		r.lines[i] = append(r.lines[i], now.Sub(last))
		last = now
	}
	r.passes = append(r.passes, ownTime()-start)
}

// ownTime is the processor's time that this process has had.
func ownTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it is asked about itself
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func (b *bench) measureEvaluate(c *corpus) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const home, workspace = "/home/dev", "/home/dev/project"
	files := new(disk.Memory)
	files.Mkdir(workspace)
	newEngine := func() *engine.Engine { return engine.New(engine.Options{Files: files}) }
	evaluate := func(e *engine.Engine, line string) {
		e.Evaluate(engine.Request{Command: line, Cwd: workspace, Workspace: workspace, Home: home, Shell: "bash"})
	}
	shared := newEngine()
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var text strings.Reader
	parse := &reader{name: "parse", read: func(line string) {
		text.Reset(line)
		_, _ = parser.Parse(&text, "") // some lines are no valid shell, and that is no matter here
	}}
	engines := [...]*reader{
		{name: "shared engine", read: func(line string) { evaluate(shared, line) }},
		{name: "fresh engine", read: func(line string) { evaluate(newEngine(), line) }},
	}
	readers := append([]*reader{parse}, engines[:]...)
	for _, r := range readers {
		r.pass(c.lines) // fills caches, and does not count
		r.passes, r.lines = nil, nil
	}
	start := time.Now()
	for pass := 0; pass < 5 || pass < 50 && time.Since(start) < patience; pass++ {
		for i := range readers {
			readers[(i+pass)%len(readers)].pass(c.lines)
		}
	}

	limit := limits[c.name]
	for i, most := range [...]float64{limit.shared, limit.fresh} {
		r := engines[i]
		what := fmt.Sprintf("Evaluate, %s, %s: ", c.name, r.name)
		n := time.Duration(len(c.lines))
		b.table.atMost(most, ratio(median(r.passes), median(parse.passes)), "x parse", what+"sum",
			fmt.Sprintf("%v a line, parse %v; medians of %d passes over %d lines", median(r.passes)/n, median(parse.passes)/n, len(r.passes), n))
		var ratios []float64
		for k := range c.lines {
			ratios = append(ratios, ratio(median(r.lines[k]), median(parse.lines[k])))
		}
		slices.Sort(ratios)
		b.table.atMost(most, ratios[len(ratios)/2], "x parse", what+"median line", "")
		b.table.atMost(0, ratios[len(ratios)*9/10], "x parse", what+"90th percentile", "")
		mean, typical := allocations(r, c.lines)
		_, parses := allocations(parse, c.lines)
		b.table.atMost(limit.allocations, mean, "a line", what+"allocations", fmt.Sprintf("median %.0f, of parse %.0f", typical, parses))
	}
}

// patience is how long a list is judged over and over.
const patience = 8 * time.Second

// allocations are how often a reader allocates for a line: the mean, and the median.
func allocations(r *reader, lines []string) (mean, typical float64) {
	var all []float64
	for _, line := range lines {
		n := testing.AllocsPerRun(1, func() { r.read(line) })
		all = append(all, n)
		mean += n / float64(len(lines))
	}
	slices.Sort(all)
	return mean, all[len(all)/2]
}

// readCorpus reads a file of {"cmd": "..."}.
func readCorpus(name string) (*corpus, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := &corpus{name: strings.TrimSuffix(filepath.Base(name), ".jsonl")}
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var row struct {
				Cmd string `json:"cmd"`
			}
			if err := json.Unmarshal(line, &row); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			c.lines = append(c.lines, row.Cmd)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(c.lines) == 0 {
		return nil, fmt.Errorf("%s: no commands", name)
	}
	return c, nil
}
