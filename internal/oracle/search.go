//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// search is how lines are tried: by which shells, and in which jails.
type search struct {
	shells  []string
	langs   []string // in which code is made, that can run here
	bases   []text   // of others, from which further ones are made
	stub    string   // "": nothing can run
	workers int
	but     []string  // aspects that are not compared
	end     time.Time // of a hunt; what is found then stays as it is
}

// kind is one way to come across lines about which the gate is wrong.
type kind struct {
	name  string
	jail  bool                         // it runs them
	code  bool                         // they hold code of other languages
	tries func(*worker) (*find, error) // one line
}

// kinds are all of them; the first is what CI runs.
var kinds = []kind{
	{"oracle", true, false, (*worker).execute},
	{"differential", true, false, (*worker).compare},
	{"metamorphic", false, false, (*worker).rewrite},
	{"rules", false, false, (*worker).option},
	{"layers", false, false, (*worker).layer},
	{"code", true, true, (*worker).code},
}

func kindNames() string {
	names := ""
	for _, k := range kinds {
		names += "," + k.name
	}
	return names[1:]
}

// find is a line about which the gate is wrong: one row of
// testdata/regressions.jsonl.
type find struct {
	Shell string `json:"shell"` // as the engine was told; "" if it was not
	Line  string `json:"cmd"`
	Want  string `json:"want"`
	Note  string `json:"note"`
	Kind  string `json:"kind,omitempty"`
	Seed  uint64 `json:"seed,omitempty"`
}

// tally is what all workers of a search did.
type tally struct {
	sync.Mutex
	tried, ran, allowed, programs int
	texts, understood             int // of code
	finds                         []find
}

// worker tries lines, with a jail of its own.
type worker struct {
	*search
	*grammar
	*judge
	jail   *jail
	texts  map[string]*grammar // by language, of code
	harsh  bool                // no line stays as the grammar makes it
	pool   []string            // lines that shells do not read alike
	seen   map[string]int      // finds by class, of a hunt
	held   []string            // texts of JavaScript that run with the next ones
	laws   *laws
	counts tally
}

// run tries lines of a kind until the workers are told to stop, by what they
// have counted themselves. Each has its own stream of the seed.
func (s *search) run(k *kind, seed uint64, harsh bool, t *tally, stop func(*tally) bool) error {
	errs := make([]error, s.workers)
	var wg sync.WaitGroup
	for i := range s.workers {
		wg.Go(func() {
			w := &worker{search: s, grammar: newGrammar(seed, uint64(i)), judge: newJudge(fixture), harsh: harsh}
			if k.jail {
				what := plain()
				if k.code {
					what = coding()
					w.judge, w.texts = newJudge(codeFiles), map[string]*grammar{}
					for _, lang := range s.langs {
						w.texts[lang] = newTexts(lang, seed, uint64(i))
					}
				}
				if w.jail, errs[i] = newJail(s.stub, what); errs[i] != nil {
					return
				}
				defer w.jail.close()
			}
			for full := false; !full && !stop(&w.counts); {
				f, err := w.once(k)
				if err != nil {
					errs[i] = err
					return
				}
				full = t.add(&w.counts, f, harsh)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// once tries one line of a kind. One that no verdict comes of is a find, too, and
// no end of the search.
func (w *worker) once(k *kind) (f *find, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			f, err = &find{Shell: w.judging.shell, Line: w.judging.line, Want: "not_allow", Note: fmt.Sprintf("panics: %v", cause)}, nil
		}
	}()
	return k.tries(w)
}

// maxFinds ends a proof that has found enough to do.
const maxFinds = 20

// add counts what a worker has done since the last call, and a find. It reports
// whether there are enough.
func (t *tally) add(done *tally, f *find, more bool) bool {
	t.Lock()
	defer t.Unlock()
	t.tried++
	t.ran, t.allowed, t.programs = t.ran+done.ran, t.allowed+done.allowed, t.programs+done.programs
	t.texts, t.understood = t.texts+done.texts, t.understood+done.understood
	if done.texts > 0 { // of which several may have run at once
		done.tried += done.texts
	} else {
		done.tried += done.ran
	}
	done.ran, done.allowed, done.programs, done.texts, done.understood = 0, 0, 0, 0, 0
	if f != nil && !slices.ContainsFunc(t.finds, func(g find) bool { return g.Line == f.Line && g.Shell == f.Shell }) {
		t.finds = append(t.finds, *f)
	}
	return !more && len(t.finds) >= maxFinds
}

// prove runs the same lines each time for a seed.
func (s *search) prove(n int, seed uint64, need float64) int {
	start := time.Now()
	fmt.Printf("seed %d, %d executions in %v\n", seed, n, s.shells)
	var t tally
	if err := s.run(&kinds[0], seed, false, &t, func(w *tally) bool { return w.tried >= n/s.workers }); err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		return 1
	}
	fmt.Printf("%d executions, %d of allowed lines, %d programs started, %d unseen; %.0f executions a second\n",
		t.ran, t.allowed, t.programs, len(t.finds), float64(t.ran)/time.Since(start).Seconds())
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, f := range t.finds {
		out.Encode(f)
	}
	switch {
	case len(t.finds) > 0:
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

// shrink cuts pieces out of a line while it still fails: lines first, where it
// has some.
func shrink(line string, fails func(string) bool) string {
	for lines := strings.SplitAfter(line, "\n"); len(lines) > 1; {
		cut := false
		for i := range slices.Backward(lines) {
			shorter := slices.Concat(lines[:i], lines[i+1:])
			if len(shorter) > 0 && fails(strings.Join(shorter, "")) {
				lines, cut = shorter, true
				line = strings.Join(lines, "")
			}
		}
		if !cut {
			break
		}
	}
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
