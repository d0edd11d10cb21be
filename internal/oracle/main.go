//go:build linux

// Command oracle proves the gate against real shells: it makes lines from a
// grammar, lets bash, dash and zsh run them in a jail where every program is a
// stub that writes down how it was started, and fails when a line that the
// engine allowed started a program, changed a file or set a variable for a
// child that the engine had not seen.
//
//	go run ./internal/oracle -n 100000
//
// It needs root, name spaces and a C compiler, and leaves nothing behind.
// Failures are shrunk and printed as rows for testdata/regressions.jsonl.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/policy"
)

func main() {
	n := flag.Int("n", 100_000, "executions: lines times shells")
	seed := flag.Uint64("seed", 0, "seed; 0 takes one from the clock")
	need := flag.Float64("allowed", 0.3, "the share of executions that must be of allowed lines")
	workers := flag.Int("jails", 8, "jails at a time; each has its own stream of lines")
	only := flag.String("shells", "bash,dash,zsh,sh", "the shells; the first one gets most lines, and sh is bash called by that name")
	show := flag.Int("show", 0, "print so many lines and run nothing")
	line := flag.String("line", "", "judge and run this line alone, and print what was believed and what happened")
	root := flag.String("jail", "", "")
	stub := flag.String("stub", "", "")
	flag.Func("but", "aspects that are not compared, by commas: dir, env, input, builtins", func(s string) error {
		but = strings.Split(s, ",")
		return nil
	})
	flag.Parse()
	switch {
	case *root != "":
		if err := inside(*root, *stub); err != nil {
			fmt.Fprintln(os.Stderr, "oracle: error: jail:", err)
			os.Exit(1)
		}
	case *line != "":
		if err := one(*line, strings.Split(*only, ",")); err != nil {
			fmt.Fprintln(os.Stderr, "oracle: error:", err)
			os.Exit(1)
		}
	case *show > 0:
		g := newGrammar(*seed, 0)
		for range *show {
			line, _ := g.line()
			fmt.Printf("%q\n", line)
		}
	default:
		if *seed == 0 {
			*seed = uint64(time.Now().UnixNano())
		}
		os.Exit(prove(*n, *seed, *need, *workers, strings.Split(*only, ",")))
	}
}

// but are the aspects that are not compared.
var but []string

// tally is what all workers found.
type tally struct {
	sync.Mutex
	ran, allowed, programs int
	failures               []failure
}

// failure is one row of testdata/regressions.jsonl.
type failure struct {
	Shell string `json:"shell"` // as the engine was told; "" if it was not
	Line  string `json:"cmd"`
	Want  string `json:"want"`
	Note  string `json:"note"`
}

// maxFailures ends a run that has found enough to do.
const maxFailures = 20

func prove(n int, seed uint64, need float64, workers int, want []string) int {
	if os.Geteuid() != 0 {
		fmt.Fprintln(os.Stderr, "oracle: SKIPPED: it needs root and name spaces; nothing was proved")
		return 0
	}
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	stub, err := buildStub(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error: the stub:", err)
		return 1
	}
	var shells []string
	for _, name := range want {
		if _, err := exec.LookPath(program(name)); err == nil {
			shells = append(shells, name)
		} else {
			fmt.Fprintf(os.Stderr, "oracle: %s is not installed: its share goes to the others\n", name)
		}
	}
	if len(shells) == 0 {
		fmt.Fprintln(os.Stderr, "oracle: error: none of the shells is installed")
		return 1
	}
	// What is made for a line is thrown away with it.
	debug.SetGCPercent(800)
	start := time.Now()
	fmt.Printf("seed %d, %d executions in %v\n", seed, n, shells)
	var t tally
	var wg sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		wg.Go(func() { errs[w] = t.work(stub, shells, seed, uint64(w), n/workers) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		return 1
	}
	took := time.Since(start)
	fmt.Printf("%d executions, %d of allowed lines, %d programs started, %d unseen; %.0f executions a second\n",
		t.ran, t.allowed, t.programs, len(t.failures), float64(t.ran)/took.Seconds())
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, f := range t.failures {
		out.Encode(f)
	}
	switch {
	case len(t.failures) > 0:
		return 1
	case float64(t.allowed) < need*float64(t.ran):
		fmt.Fprintf(os.Stderr, "oracle: error: only %d of %d executions were of allowed lines: that proves too little\n", t.allowed, t.ran)
		return 1
	case t.programs == 0:
		fmt.Fprintln(os.Stderr, "oracle: error: no program was started: the jail is broken")
		return 1
	}
	return 0
}

// one prints what is believed of a line, and what shells do with it.
func one(line string, shells []string) error {
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stub, err := buildStub(dir)
	if err != nil {
		return err
	}
	j, err := newJail(stub, stubNames())
	if err != nil {
		return err
	}
	defer j.close()
	for _, shell := range shells {
		v := newJudge().verdict(line, shell)
		fmt.Printf("%s: %s %s\n", shell, v.Decision, v.Reason)
		var nodes []*engine.Node
		collect(v.Tree, &nodes)
		for _, n := range nodes {
			if c := n.Simple(); c != nil {
				fmt.Printf("  believed %s in %q with %v, input %d %q\n", c, c.Dirs, c.Env, c.Stdin.Kind, c.Stdin.Text)
			}
		}
		happened, err := j.run(task{Shell: shell, Line: line, Trace: traceable(shell, line)})
		if err != nil {
			return err
		}
		for _, r := range happened.Runs {
			fmt.Printf("  started %q in %s with %q, without %q, input %s %q\n", r.Argv, r.Dir, r.Env, r.Lost, r.Stdin, r.Input)
		}
		fmt.Printf("  traced %q\n  changed %q\n", happened.Builtin, happened.Changed)
		if what := unseen(v, happened, but...); what != "" {
			fmt.Println("  UNSEEN:", what)
		}
	}
	return nil
}

// work runs one jail until n executions are done.
func (t *tally) work(stub string, shells []string, seed, stream uint64, n int) error {
	j, err := newJail(stub, stubNames())
	if err != nil {
		return err
	}
	defer j.close()
	g := newGrammar(seed, stream)
	judge := newJudge()
	ran, allowed, programs := 0, 0, 0
	for ran < n {
		line, wild := g.line()
		for range shells {
			// bash is what hosts use; the others take a turn now and then.
			shell := shells[0]
			if g.Float64() < 0.3 {
				shell = shells[g.IntN(len(shells))]
			}
			task, judged := task{Shell: shell, Line: line, Trace: traceable(shell, line) && g.chance(0.5)}, shell
			if (shell == "bash" || shell == "zsh") && g.Float64() < 0.2 {
				judged = "" // the host has not said which of the two it is
			}
			v := judge.verdict(line, judged)
			if v.Decision != policy.Allow && (wild || g.Float64() < 0.6) {
				continue // a line that is not allowed promises nothing
			}
			happened, err := j.run(task)
			if err != nil {
				return fmt.Errorf("%q: %w", line, err)
			}
			ran++
			programs += len(happened.Runs)
			if v.Decision == policy.Allow {
				allowed++
			}
			if what := unseen(v, happened, but...); what != "" {
				small := shrink(line, func(s string) bool {
					shorter := task
					shorter.Line = s
					happened, err := j.run(shorter)
					if err != nil {
						return false
					}
					now := unseen(judge.verdict(s, judged), happened, but...)
					if now != "" {
						what = now
					}
					return now != ""
				})
				if t.fail(failure{judged, small, "not_allow", what}) {
					return nil
				}
			}
			break
		}
	}
	t.Lock()
	defer t.Unlock()
	t.ran, t.allowed, t.programs = t.ran+ran, t.allowed+allowed, t.programs+programs
	return nil
}

// fail notes a failure and reports whether there are enough.
func (t *tally) fail(f failure) bool {
	t.Lock()
	defer t.Unlock()
	if !slices.ContainsFunc(t.failures, func(g failure) bool { return g.Line == f.Line }) {
		t.failures = append(t.failures, f)
	}
	return len(t.failures) >= maxFailures
}

// stubNames are the programs of the jail: all that a rule knows, and the one
// that no rule knows.
func stubNames() []string {
	names := append([]string{hidden}, through...)
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			names = append(names, p.Name)
			names = append(names, p.Aliases...)
		}
	}
	return names
}

//go:embed stub/stub.c
var stubSource []byte

// buildStub compiles the stub into a directory.
func buildStub(dir string) (string, error) {
	stub := filepath.Join(dir, "stub")
	build := exec.Command("cc", "-O2", "-static", "-nostdlib", "-fno-stack-protector", "-fno-builtin", "-o", stub, "-x", "c", "-")
	build.Stdin = bytes.NewReader(stubSource)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it needs a C compiler as cc: %w\n%s", err, out)
	}
	return stub, nil
}

// program is what runs as a shell.
func program(shell string) string {
	if shell == "sh" {
		return "bash"
	}
	return shell
}

// shrink cuts pieces out of a line while it still fails.
func shrink(line string, fails func(string) bool) string {
	for size := len(line) / 2; size > 0; {
		cut := false
		for at := 0; at+size <= len(line); {
			shorter := line[:at] + line[at+size:]
			if fails(shorter) {
				line, cut = shorter, true
			} else {
				at += size
			}
		}
		if !cut || size > len(line) {
			size /= 2
		}
	}
	return line
}
