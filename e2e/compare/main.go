// Command compare asks bashgate and other gates the same questions, as an agent
// does, and writes down what each answers and what a call costs.
//
//	go run ./e2e/compare -packages DIR [-date 2026-11-26 -doc docs/comparison.md] [FILE.jsonl ...]
//
// DIR is where e2e/install.sh put the packages that packages/package.json pins.
// Each gate has a home and a project of its own, is set up as its documentation
// says, and keeps its defaults. A command is only ever text on a gate's standard
// input: nothing here runs one. While gates decide, they reach no network, where
// the system can forbid it.
//
// The files hold lines of {"cmd": "...", "want": "..."}: "allow" is harmless,
// "ask", "block" and "not_allow" must not run unasked, none is a record of what
// was run. Of each list -rows are taken, at equal distances. A gate that does not
// start here is left out, and that is said.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	var o options
	flag.StringVar(&o.packages, "packages", "", "`DIR`ectory of the gates' packages")
	flag.StringVar(&o.doc, "doc", "", "write what came out into this `FILE`")
	flag.StringVar(&o.date, "date", "", "the `DAY` to be written there, 2026-11-26")
	flag.StringVar(&o.out, "out", "", "write each answer as a line of JSON into this `FILE`")
	flag.StringVar(&o.libc, "libc", "", "`DIR`ectory of a newer C library, for programs that need one")
	flag.StringVar(&o.only, "gates", "", "the `NAMES` of some gates, between commas; all if it is not given")
	flag.IntVar(&o.rows, "rows", 150, "how many lines of each list; 0 is all")
	flag.IntVar(&o.rounds, "rounds", 30, "how often each gate is started for what it costs; 0 leaves that out")
	flag.IntVar(&o.jobs, "jobs", 2, "`N` questions at once")
	flag.Parse()
	if err := o.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "compare: error:", err)
		os.Exit(1)
	}
}

type options struct {
	packages, doc, date, out, libc, only string
	rows, rounds, jobs                   int
}

func (o *options) run(files []string) error {
	switch {
	case o.packages == "":
		return fmt.Errorf("-packages is missing\nhint: make compare installs them and gives it")
	case o.doc != "" && o.date == "":
		return fmt.Errorf("-doc needs -date")
	}
	lists, err := readLists(files, o.rows)
	if err != nil {
		return err
	}
	b, err := newBed(o.packages, o.libc)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	chosen, err := b.setUp(o.only)
	if err != nil {
		return err
	}
	r := &report{date: o.date, offline: len(b.offline) > 0, gates: chosen, lists: lists}
	if o.rounds > 0 { // first, while no gate has a long log
		if r.costs, err = b.measure(chosen, o.rounds); err != nil {
			return err
		}
	}
	for _, g := range chosen {
		for i := range lists {
			answers, err := b.askAll(g, lists[i].rows, o.jobs)
			if err != nil {
				return err
			}
			lists[i].answers = append(lists[i].answers, answers)
			fmt.Printf("%-15s %-40s %v\n", g.name, lists[i].title, count(answers))
		}
		answers, err := b.askAll(g, shown[:], o.jobs)
		if err != nil {
			return err
		}
		r.shown = append(r.shown, answers)
	}
	if o.out != "" {
		if err := r.writeAnswers(o.out); err != nil {
			return err
		}
	}
	if o.doc == "" {
		return nil
	}
	return r.writePage(o.doc)
}

// writeAnswers writes what each gate said to each command.
func (r *report) writeAnswers(name string) error {
	f, err := os.Create(filepath.Clean(name))
	if err != nil {
		return err
	}
	defer f.Close()
	out := json.NewEncoder(f)
	out.SetEscapeHTML(false)
	for i := range r.lists {
		l := &r.lists[i]
		for k, cmd := range l.rows {
			said := map[string]string{}
			for n, g := range r.gates {
				said[g.name] = l.answers[n][k].String()
			}
			if err := out.Encode(map[string]any{"list": l.title, "cmd": cmd, "said": said}); err != nil {
				return err
			}
		}
	}
	return f.Close()
}
