//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// progress is what searches have done so far; the next one goes on from there.
type progress struct {
	Seed  uint64         // of the next round
	Tried map[string]int // lines, by kind
	Ran   map[string]int // executions, by kind
	Finds map[string]int // by kind
}

// round is how long one seed is searched.
const round = 20 * time.Second

// hunt searches until the time is over, a round of each kind in turn, and
// appends what it finds to a file as rows for testdata/regressions.jsonl.
func (s *search) hunt(long time.Duration, names []string, dir string, seed uint64) int {
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "bashgate-hunt")
	}
	p := progress{seed, map[string]int{}, map[string]int{}, map[string]int{}}
	known, err := s.resume(dir, &p)
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		return 1
	}
	var these []*kind
	for _, name := range names {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		switch {
		case i < 0:
			fmt.Fprintf(os.Stderr, "oracle: error: no kind is called %q\nhint: there are %s\n", name, kindNames())
			return 1
		case kinds[i].jail && s.stub == "":
			fmt.Fprintf(os.Stderr, "oracle: SKIPPED: %s needs root\n", name)
		case kinds[i].code && len(s.langs) == 0:
			fmt.Fprintf(os.Stderr, "oracle: SKIPPED: %s needs an interpreter\n", name)
		default:
			these = append(these, &kinds[i])
		}
	}
	start, found := time.Now(), 0
	end := start.Add(long)
	s.end = end
	fmt.Printf("%d finds are known in %s; shells %v, languages %v, %d texts of others\n", len(known), dir, s.shells, s.langs, len(s.bases))
	for i := 0; len(these) > 0 && time.Now().Before(end); i++ {
		k := these[i%len(these)]
		var t tally
		began := time.Now()
		until := began.Add(min(round, long/time.Duration(len(these))))
		err := s.run(k, p.Seed, true, &t, func(*tally) bool { return time.Now().After(until) || time.Now().After(end) })
		var fresh []find
		for _, f := range t.finds {
			f.Kind, f.Seed = k.name, p.Seed
			if !known[f.Shell+"\x00"+f.Line] {
				known[f.Shell+"\x00"+f.Line] = true
				fresh = append(fresh, f)
			}
		}
		p.Tried[k.name] += t.tried
		p.Ran[k.name] += t.ran
		p.Finds[k.name] += len(fresh)
		found += len(fresh)
		took := time.Since(began).Seconds()
		fmt.Printf("%s left: %-12s seed %d: %d lines, %d executions, %.0f a second, %d finds (%d in all, of %d lines)\n",
			time.Until(end).Round(time.Second), k.name, p.Seed, t.tried, t.ran, float64(max(t.tried, t.ran))/took, len(fresh), p.Finds[k.name], p.Tried[k.name])
		p.Seed++
		if saved := save(dir, &p, fresh); saved != nil {
			err = saved
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "oracle: error:", err)
			return 1
		}
	}
	fmt.Printf("%d finds in %s\n", found, filepath.Join(dir, "finds.jsonl"))
	if found > 0 {
		return 1
	}
	return 0
}

// resume reads where the last search ended, and what is known already.
func (s *search) resume(dir string, p *progress) (map[string]bool, error) {
	known := map[string]bool{}
	if text, err := os.ReadFile(filepath.Join(dir, "progress.json")); err == nil {
		if err := json.Unmarshal(text, p); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "finds.jsonl"))
	if err != nil {
		return known, os.MkdirAll(dir, 0o755)
	}
	for row := range strings.Lines(string(text)) {
		var f find
		if json.Unmarshal([]byte(row), &f) == nil {
			known[f.Shell+"\x00"+f.Line] = true
		}
	}
	return known, nil
}

// save writes down finds and where the search ended.
func save(dir string, p *progress, fresh []find) error {
	out, err := os.OpenFile(filepath.Join(dir, "finds.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	rows := json.NewEncoder(out)
	rows.SetEscapeHTML(false)
	for _, f := range fresh {
		if err := rows.Encode(f); err != nil {
			return err
		}
		fmt.Printf("  %s %q: %s\n", f.Shell, f.Line, f.Note)
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "progress.json"), text, 0o644)
}
