//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/policy"
)

// next makes a line. wild says that it is made of pieces without a grammar: few
// of those are allowed, and none that is not teaches anything.
func (w *worker) next() (line string, wild bool) {
	line, wild = w.line()
	if !w.harsh {
		return line, wild
	}
	switch {
	case len(w.pool) > 0 && w.chance(0.5):
		line = w.pool[w.IntN(len(w.pool))]
	case wild && w.chance(0.8): // few that are damaged further are allowed
		line = w.structured()
	}
	for range 1 + w.IntN(2) {
		line = w.twist(line)
	}
	return line, true
}

// execute runs a line in a shell.
func (w *worker) execute() (*find, error) {
	line, wild := w.next()
	for range w.shells {
		// bash is what hosts use; the others take a turn now and then.
		shell := w.shells[0]
		if w.chance(0.3) {
			shell = w.shells[w.IntN(len(w.shells))]
		}
		t := task{Shell: shell, Line: line, Trace: traceable(shell, line) && w.chance(0.5)}
		judged := dialect(shell)
		if (judged == "bash" || judged == "zsh") && w.chance(0.2) {
			judged = "" // the host has not said which of the two it is
		}
		if w.verdict(line, judged).Decision != policy.Allow && (wild || w.chance(0.6)) {
			continue // a line that is not allowed promises nothing
		}
		_, f, err := w.try(t, judged)
		return f, err
	}
	return nil, nil
}

// try runs a line and compares. What it finds is made as short as it can be.
func (w *worker) try(t task, judged string) (truth, *find, error) {
	fails := func(line string) (string, truth, error) {
		t.Line = line
		happened, err := w.jail.run(t)
		if err != nil {
			return "", happened, fmt.Errorf("%q: %w", line, err)
		}
		return unseen(w.verdict(line, judged), happened, w.but...), happened, nil
	}
	line := t.Line
	what, happened, err := fails(line)
	if err != nil {
		return happened, nil, err
	}
	w.counts.ran++
	w.counts.programs += len(happened.Runs)
	if w.verdict(line, judged).Decision == policy.Allow {
		w.counts.allowed++
	}
	if what == "" {
		return happened, nil, nil
	}
	// Many lines have the same thing wrong with them; one that is made short as
	// often as this has been found.
	if class := classOf(what); w.harsh {
		if w.seen == nil {
			w.seen = map[string]int{}
		}
		if w.seen[class]++; w.seen[class] > 3 {
			return happened, nil, nil
		}
	}
	runs := 0
	small := shrink(line, func(s string) bool {
		if runs++; w.harsh && (runs > mostRuns || time.Now().After(w.end)) {
			return false
		}
		now, _, err := fails(s)
		if err != nil || now == "" || classOf(now) != classOf(what) {
			return false
		}
		what = now
		return true
	})
	return happened, &find{Shell: judged, Line: small, Want: "not_allow", Note: what}, nil
}

// mostRuns bounds the executions in which a hunt makes one find short.
const mostRuns = 300

// classOf is what a find is about: "ran danger-cmd", "ran in", "gave cd". Programs
// that are no more than stubs are alike.
func classOf(what string) string {
	how, rest, _ := strings.Cut(what, " ")
	switch how {
	case "ran":
		if strings.Contains(rest, hidden) {
			return how + " " + hidden
		}
		if _, aspect, ok := strings.Cut(rest, "] "); ok {
			aspect, _, _ = strings.Cut(aspect, " ")
			return how + " " + aspect
		}
	case "gave":
		name, _, _ := strings.Cut(rest, " ")
		return how + " " + name
	}
	return how
}

// compare runs a line in all shells. Lines that they do not read alike, and a
// reader may mix up, are kept to make further ones of.
func (w *worker) compare() (*find, error) {
	line, _ := w.next()
	allowed := func(shell string) bool { return w.verdict(line, shell).Decision == policy.Allow }
	var ran []string
	var found *find
	for _, shell := range w.shells {
		judged := dialect(shell)
		if !allowed(judged) {
			if judged == "sh" || judged == "dash" || !allowed("") {
				continue
			}
			judged = ""
		}
		happened, f, err := w.try(task{Shell: shell, Line: line, Trace: traceable(shell, line)}, judged)
		if err != nil {
			return nil, err
		}
		if f != nil {
			found = f
		}
		var started []string
		for _, r := range happened.Runs {
			started = append(started, fmt.Sprintf("%q in %s", r.Argv, r.Dir))
		}
		slices.Sort(started)
		ran = append(ran, strings.Join(started, "\n"))
	}
	if ran = slices.Compact(ran); len(ran) > 1 && len(line) < 300 {
		if len(w.pool) == 200 {
			w.pool = w.pool[1:]
		}
		w.pool = append(w.pool, line)
	}
	return found, nil
}
