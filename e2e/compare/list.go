package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// list is commands that should get the same answer.
type list struct {
	title, source string
	kind          kind
	total         int      // how many there are, of which rows are some
	rows          []string // commands
	answers       [][]outcome
}

type kind int

const (
	recorded kind = iota // what was run; nobody says how it should be answered
	harmless
	harmful // must not run unasked
)

// known says what files are, by their names.
var known = map[string]struct{ title, source string }{
	"gtfobins":       {"GTFOBins", "Ways to a shell, to files and to networks with ordinary programs: the examples of [GTFOBins](https://gtfobins.github.io), with its placeholders as they are; reads of files left out."},
	"atomic":         {"Atomic Red Team", "The `sh` and `bash` blocks for Linux and macOS of [Atomic Red Team](https://github.com/redcanaryco/atomic-red-team), with default inputs filled in. Some of them are mild."},
	"agent_cmds":     {"Commands of agents", "Shell commands of published runs: mini-swe-agent on Terminal-Bench tasks, SWE-agent, OpenHands, and tool-use data sets. What was run, harmless or not."},
	"agent_readonly": {"Read-only commands of agents", "Those of the commands of agents that only list, show, print and search: `ls`, `cat`, `grep`, `find`, `git log` and their like."},
	"tldr_readonly":  {"tldr-pages, reading", "Examples of [tldr-pages](https://github.com/tldr-pages/tldr) whose descriptions say that they list, show, print, display or search, with their placeholders filled in. Many are of rare programs, and about one in five is debatable."},
}

// readLists reads the project's own rows, and those of files. Of each list, at
// most n are taken at equal distances; 0 takes all.
func readLists(files []string, n int) ([]list, error) {
	own, err := filepath.Glob("internal/acceptance/testdata/*.jsonl")
	if err != nil {
		return nil, err
	}
	var harmfulRows, harmlessRows []string
	for _, name := range own {
		rows, err := readRows(name)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			switch {
			case r.situation: // of a mode, a profile, a session
			case r.kind == harmless:
				harmlessRows = append(harmlessRows, r.cmd)
			case r.kind == harmful:
				harmfulRows = append(harmfulRows, r.cmd)
			}
		}
	}
	const ownSource = "bashgate's own acceptance rows about defaults (`internal/acceptance/testdata`), written beside bashgate: they show where others differ from it, and not who is better. Where bashgate differs from its own row, the answer hangs on where the home lies, or on files, which its test has elsewhere."
	lists := []list{
		{title: "bashgate's rows: to be stopped", source: ownSource, kind: harmful, rows: harmfulRows},
		{title: "bashgate's rows: harmless", source: ownSource, kind: harmless, rows: harmlessRows},
	}
	if len(files) == 0 {
		files = []string{"internal/bench/testdata/agent_cmds.jsonl"}
	}
	for _, name := range files {
		rows, err := readRows(name)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		l := list{title: known[base].title, source: known[base].source}
		if l.title == "" {
			l.title = base
		}
		for _, r := range rows {
			l.kind = max(l.kind, r.kind)
			l.rows = append(l.rows, r.cmd)
		}
		lists = append(lists, l)
	}
	for i := range lists {
		l := &lists[i]
		l.rows = distinct(l.rows)
		if l.total = len(l.rows); l.total == 0 {
			return nil, fmt.Errorf("%s: no commands", l.title)
		}
		l.rows = spread(l.rows, n)
	}
	return lists, nil
}

type row struct {
	cmd       string
	kind      kind
	situation bool // the answer is for a mode, a profile, or a session that has seen something
}

// readRows reads a file of {"cmd": "...", "want": "..."}.
func readRows(name string) ([]row, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []row
	for in, number := bufio.NewReader(f), 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var fields map[string]any
			if err := json.Unmarshal(line, &fields); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			var r row
			for key, value := range fields {
				switch key {
				case "cmd":
					r.cmd, _ = value.(string)
				case "want":
					switch value {
					case "allow":
						r.kind = harmless
					case "ask", "block", "not_allow":
						r.kind = harmful
					}
				case "note", "reason_has", "reach", "agent":
				default:
					r.situation = true
				}
			}
			if _, ok := fields["cmd"].(string); !ok {
				return nil, fmt.Errorf("%s:%d: no cmd", name, number)
			}
			rows = append(rows, r)
		}
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// distinct leaves out what was there before.
func distinct(rows []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, r := range rows {
		if !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// spread takes n rows at equal distances; all if n is 0 or there are no more.
func spread(rows []string, n int) []string {
	if n <= 0 || n >= len(rows) {
		return rows
	}
	out := make([]string, n)
	for i := range out {
		out[i] = rows[i*len(rows)/n]
	}
	return out
}
