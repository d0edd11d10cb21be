// Command workday drives the hook through workdays of a person with an agent,
// and counts what it costs that sessions are remembered: questions with taint
// against those without it, and calls of a reviewer.
//
// Usage:
//
//	go run ./internal/workday [-show] [-gate FILE] [DAY.day | DIR]...
//
// The project's own days are always among them; a directory stands for its
// *.day files. The form of a day is in day.go. Each day is driven six times:
// without taint, with it and no reviewer, with it and a reviewer that clears
// whatever it is asked, and all of that with what many users allow their agent
// anyway (testdata/allowed.json). A denial counts as a question: the agent
// stops as well. Commands are judged and never run.
//
// The exit status is 1 if a limit is broken, over all days together: without a
// reviewer at most 1.5 questions for one, with it at most 1.2, and at most one
// call for four commands. With an allow list, which leaves few questions, those
// of sessions that have seen untrusted content and secrets are told and not held
// against the limit: there a person is promised about the network.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// The limits.
const (
	withoutReviewer = 1.5  // questions, for each without taint
	withReviewer    = 1.2  // likewise
	callsEach       = 0.25 // calls for each command
)

func main() {
	if filepath.Base(os.Args[0]) == reviewerName {
		if err := review(filepath.Dir(os.Args[0]), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "workday: error:", err)
			os.Exit(1)
		}
		return
	}
	show := flag.Bool("show", false, "print the steps that are asked about, and why")
	gate := flag.String("gate", "", "the bashgate to drive; built if it is not given")
	flag.Parse()
	kept, err := run(*gate, flag.Args(), *show)
	if err != nil {
		fmt.Fprintln(os.Stderr, "workday: error:", err)
		os.Exit(1)
	}
	if !kept {
		os.Exit(1)
	}
}

// settings are the ways in which each day is driven.
var settings = [...]setting{
	{taint: "off"},
	{},
	{reviewer: true},
	{taint: "off", allowed: true},
	{allowed: true},
	{reviewer: true, allowed: true},
}

// run drives all days and reports whether the limits are kept.
func run(gate string, names []string, show bool) (kept bool, err error) {
	const own = "internal/workday/testdata"
	days, err := load(append([]string{own}, names...))
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "bashgate-workday-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	d := driver{dir: dir, testdata: own}
	if d.gate, err = prepare(dir, gate); err != nil {
		return false, err
	}
	counts := make([][len(settings)]count, len(days))
	var work sync.WaitGroup
	var mutex sync.Mutex
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range days {
		for k := range settings {
			work.Go(func() {
				turns <- struct{}{}
				defer func() { <-turns }()
				n, dayErr := d.drive(&days[i], &settings[k])
				mutex.Lock()
				defer mutex.Unlock()
				if counts[i][k] = n; dayErr != nil && err == nil {
					err = fmt.Errorf("%s: %w", days[i].name, dayErr)
				}
			})
		}
	}
	work.Wait()
	if err != nil {
		return false, err
	}
	if show {
		for i := range days {
			for k := range settings {
				for _, line := range counts[i][k].stopped {
					fmt.Printf("%s, %s: %s\n", days[i].name, settings[k].String(), line)
				}
			}
		}
	}
	return report(days, counts), nil
}

// prepare puts the hook's programs into a directory: bashgate, and this
// program in the place of the one that talks to models.
func prepare(dir, gate string) (string, error) {
	programs := filepath.Join(dir, "bin")
	if err := os.Mkdir(programs, 0o755); err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if err := os.Symlink(self, filepath.Join(programs, reviewerName)); err != nil {
		return "", err
	}
	binary := filepath.Join(programs, "bashgate")
	if gate != "" {
		data, err := os.ReadFile(gate)
		if err != nil {
			return "", err
		}
		return binary, os.WriteFile(binary, data, 0o755)
	}
	if out, err := exec.Command("go", "run", "./internal/release", "-o", binary, "./cmd/bashgate").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building: %w\n%s", err, out)
	}
	return binary, nil
}

// load reads days: files, and all of a directory.
func load(names []string) ([]day, error) {
	var days []day
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); err != nil {
			return nil, err
		} else if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(name, "*.day")); err != nil {
				return nil, err
			}
			slices.Sort(files)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			d, err := parse(strings.TrimSuffix(filepath.Base(file), ".day"), string(text))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			days = append(days, d)
		}
	}
	return days, nil
}

// report prints the table and what the limits say.
func report(days []day, counts [][len(settings)]count) (kept bool) {
	const half = len(settings) / 2
	fmt.Printf("%-20s %8s  %38s  %38s\n", "", "", "as it is installed", "with a usual allow list")
	fmt.Printf("%-20s %8s", "day", "commands")
	for range 2 {
		fmt.Printf("  %5s %5s %5s %8s %5s %5s", "off", "on", "ratio", "reviewer", "ratio", "calls")
	}
	fmt.Println()
	line := func(name string, c *[len(settings)]count) {
		fmt.Printf("%-20s %8d", name, c[0].commands)
		for k := 0; k < len(c); k += half {
			off, on, reviewed := &c[k], &c[k+1], &c[k+2]
			fmt.Printf("  %5d %5d %5s %8d %5s %5d", off.questions, on.questions, share(on.questions, off.questions),
				reviewed.questions, share(reviewed.questions, off.questions), reviewed.calls)
		}
		fmt.Println()
	}
	var sum [len(settings)]count
	for i := range days {
		line(days[i].name, &counts[i])
		for k := range sum {
			sum[k].add(&counts[i][k])
		}
	}
	line("sum", &sum)
	kept = true
	limit := func(what string, got, of int, most float64) {
		word := "kept"
		if float64(got) > most*float64(of) {
			word, kept = "BROKEN", false
		}
		fmt.Printf("%-56s %4d for %4d: %s, at most %.2f: %s\n", what, got, of, share(got, of), most, word)
	}
	for k := 0; k < len(sum); k += half {
		with := ""
		if settings[k].allowed {
			with = ", with a usual allow list"
		}
		for i, most := range [...]float64{withoutReviewer, withReviewer} {
			c, what := &sum[k+1+i], [...]string{"questions without a reviewer", "questions with a reviewer"}[i]+with
			if settings[k].allowed && c.promised > 0 {
				fmt.Printf("%-56s %4d, %d of them in sessions with both kinds\n", what, c.questions, c.promised)
				limit("the others", c.questions-c.promised, sum[k].questions, most)
				continue
			}
			limit(what, c.questions, sum[k].questions, most)
		}
		limit("calls for commands"+with, sum[k+2].calls, sum[k].commands, callsEach)
	}
	return kept
}

// share is a ratio for the table; "-" where there is none.
func share(got, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(got)/float64(of))
}
