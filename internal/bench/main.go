//go:build unix

// Command bench measures what bashgate costs and prints a table of it: what,
// the figure, its limit, and whether it is kept. Most figures are ratios, which
// hold on any machine where times don't. A limit that is not kept fails
// nothing: the machine has its share in every figure.
//
// # Processes
//
//   - They are started and measured as internal/spawn says; the time on the
//     clock is shown beside.
//   - Each hook has a home of its own, so that no record of another one makes
//     it slower. A second copy of one of them shows what is chance.
//
// Hooks are compared with a Go program that prints a line, given the same
// input; state and log with the same hook without them; other agents' hooks
// with Claude Code's.
//
// # Decisions
//
// Evaluate is compared with the bare parse of the same line, both in this
// process on one CPU, so that the garbage collector's work counts too: with one
// engine for all lines, as in check --json, and with a new one for each, as in
// a hook. The parser and an engine judge the whole file before the next one
// does, for a parse right after a decision finds the caches cold and would
// flatter it. The ratio of the sums, in CPU time, says what a file costs, where
// a few long lines count most; the median and the 90th percentile are of the
// lines' own ratios, which only the clock is fine enough for, as medians of many
// passes.
//
// Usage:
//
//	go run ./internal/bench [-rounds N] [-json] [FILE.jsonl ...]
//
// A line of a file is {"cmd": "..."}; other keys are left alone. The default
// are samples of what agents and CI run. Limits are for files of these names.
// Nothing of them is run here. With -json the last line is an object of all
// figures, to be kept and compared with a later one.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/spawn"
)

// bench is what the measurements share.
type bench struct {
	dir     string         // a new one, for all that is written
	project string         // where the agents work
	gate    string         // the program
	hello   *spawn.Process // what hooks are compared with
	rounds  int            // how often each process is started
	table   table
}

func main() {
	rounds := flag.Int("rounds", 300, "how often each process is started")
	machine := flag.Bool("json", false, "end with a line of JSON")
	flag.Parse()
	files := flag.Args()
	if len(files) == 0 {
		files = []string{"internal/bench/testdata/agent_cmds.jsonl", "internal/bench/testdata/ci_cmds.jsonl"}
	}
	if err := run(files, *rounds, *machine); err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

func run(files []string, rounds int, machine bool) error {
	if rounds < 1 {
		return fmt.Errorf("-rounds %d: at least one", rounds)
	}
	dir, err := spawn.TempDir("bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, project: filepath.Join(dir, "project"), rounds: rounds}
	for _, step := range [...]struct {
		doing string
		do    func() error
	}{
		{"building", b.build},
		{"a project", b.makeProject},
		{"ten megabytes", b.measureMemory}, // first, while this process is small
		{"hooks", b.measureHooks},
		{"export", b.measureExport},
		{"decisions", func() error { return b.measureLines(files) }},
	} {
		fmt.Fprintln(os.Stderr, "bench:", step.doing)
		if err := step.do(); err != nil {
			return err
		}
	}
	if err := b.table.print(os.Stdout); err != nil || !machine {
		return err
	}
	return b.table.printJSON(os.Stdout)
}

// makeProject makes the directory that the agents work in.
func (b *bench) makeProject() error {
	for name, text := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tbare = false\n",
		"README.md": "# Project\n", "main.go": "package main\n\nfunc main() {}\n", "go.mod": "module example.org/project\n",
	} {
		if err := write(b.project, name, text); err != nil {
			return err
		}
	}
	return nil
}

// home makes an empty home.
func (b *bench) home(name string) (string, error) {
	dir := filepath.Join(b.dir, "homes", name)
	return dir, os.MkdirAll(dir, 0o755)
}

// write makes a file below dir, and the directories above it.
func write(dir, name, text string) error {
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}
