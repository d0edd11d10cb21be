//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/spawn"
)

// tenMegabytes are kinds of long commands: how they begin, what is repeated, and
// how they end.
var tenMegabytes = [...]struct{ kind, begin, part, end string }{
	{"one word", "echo ", "abcdefghij", ""},
	{"a here-document", "cat >notes.txt <<'EOF'\n", "A line of a text, as it stands in a file.\n", "EOF\n"},
	{"short commands", "", "ls -la; ", ""},
}

// measureMemory gives ten megabytes of several kinds to check and to the hook.
// The kernel's figure for a process begins with that of the one that started it,
// so this one must still be small, and never holds the ten megabytes.
func (b *bench) measureMemory() error {
	home, err := b.home("memory")
	if err != nil {
		return err
	}
	const command = "COMMAND"
	for _, row := range [...]struct {
		what, input string
		args        []string
	}{
		{"memory, check of 10 MB", string(question(command)), []string{"check", "--json"}},
		{"memory, hook of 10 MB", string(b.bash("s", command)), []string{"hook", "claude"}},
	} {
		begin, end, _ := strings.Cut(row.input, command)
		var most int64
		worst := ""
		for _, of := range tenMegabytes {
			file := filepath.Join(b.dir, "ten-megabytes")
			if err := writeRepeated(file, begin+inJSON(of.begin), inJSON(of.part), inJSON(of.end)+end, 10e6); err != nil {
				return err
			}
			p := spawn.Process{Args: append([]string{b.gate}, row.args...), Home: home}
			for range 3 { // it hangs on when the collector runs
				if err := runOn(&p, file); err != nil {
					return err
				}
			}
			if m := p.Memory(); m > most {
				most, worst = m, of.kind
			}
		}
		var own syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
			return err
		}
		if spawn.ResidentBytes(&own) >= most {
			return fmt.Errorf("%s: this process has more than the measured one, whose figure is hidden by that", row.what)
		}
		b.table.atMost(54, float64(most)/1e6, "MB", row.what, "the most that was resident, for "+worst+"; median of 3")
	}
	return nil
}

// runOn gives a file to a process, through a pipe, as agents do.
func runOn(p *spawn.Process, file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	c, err := p.Start(bufio.NewReader(in), new(counter))
	p.Costs = append(p.Costs, c)
	return err
}

// writeRepeated writes a file of about size bytes.
func writeRepeated(name, begin, part, end string, size int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	w.WriteString(begin)
	for n := len(begin) + len(end); n+len(part) <= size; n += len(part) {
		w.WriteString(part)
	}
	w.WriteString(end)
	if err := w.Flush(); err != nil { // tells of all errors before
		return err
	}
	return f.Close()
}

// inJSON is a text as it stands between the quotes of a string.
func inJSON(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // texts can be written
	}
	return string(data[1 : len(data)-1])
}

// question is a line of check --json.
func question(command string) []byte {
	line, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // texts can be written
	}
	return append(line, '\n')
}

// counter counts lines.
type counter int

func (c *counter) Write(data []byte) (int, error) {
	*c += counter(bytes.Count(data, []byte{'\n'}))
	return len(data), nil
}

// measureExport writes the policy files that take longest.
func (b *bench) measureExport() error {
	home, err := b.home("export")
	if err != nil {
		return err
	}
	var slowest *spawn.Process
	for _, target := range [...]string{"gemini", "codex"} {
		p := &spawn.Process{Args: []string{b.gate, "export", target}, Home: home}
		if err := spawn.Rounds(0, 3, []*spawn.Process{p}); err != nil {
			return err
		}
		if slowest == nil || p.CPU() > slowest.CPU() {
			slowest = p
		}
	}
	target := slowest.Args[2]
	b.table.atMost(0.25, slowest.CPU().Seconds(), "s CPU", "export "+target, fmt.Sprintf("%.0f x hello; %.2f s on the clock", ratio(slowest.CPU(), b.hello.CPU()), slowest.Wall().Seconds()))
	return nil
}

// measureCheck gives a long list to one process of check that has one
// processor.
func (b *bench) measureCheck(lines []string) error {
	home, err := b.home("check")
	if err != nil {
		return err
	}
	const least = 50000 // so that the start is nothing
	var questions []byte
	n := 0
	for n < least {
		for _, line := range lines {
			questions = append(questions, question(line)...)
		}
		n += len(lines)
	}
	p := &spawn.Process{Args: []string{b.gate, "check", "--json"}, Home: home, Env: []string{"GOMAXPROCS=1"}}
	for start := time.Now(); len(p.Costs) == 0 || len(p.Costs) < 3 && time.Since(start) < patience; {
		var answers counter
		c, err := p.Start(bytes.NewReader(questions), &answers)
		if err != nil {
			return err
		}
		if int(answers) != n {
			return fmt.Errorf("check --json gave %d answers to %d questions", answers, n)
		}
		p.Costs = append(p.Costs, c)
	}
	b.table.atLeast(25000, float64(n)/p.CPU().Seconds(), "lines/s", "check --json, one core", fmt.Sprintf("%.2f s CPU, %.2f s on the clock for %d lines; median of %d", p.CPU().Seconds(), p.Wall().Seconds(), n, len(p.Costs)))
	return nil
}
