//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// A figure is a row of the table.
type figure struct {
	What  string  `json:"what"`
	Value float64 `json:"value"` // as it is shown, and so it is compared
	Unit  string  `json:"unit"`
	Limit float64 `json:"limit,omitempty"` // 0: there is none
	Least bool    `json:"least,omitempty"` // the limit is the least that it should be, and not the most
	Over  bool    `json:"over,omitempty"`  // the limit is not kept
	Note  string  `json:"note,omitempty"`
}

type table struct{ figures []figure }

// atMost adds a figure with the most that it should be; 0 is no limit.
func (t *table) atMost(limit, value float64, unit, what, note string) {
	value = math.Round(value*100) / 100
	t.figures = append(t.figures, figure{What: what, Value: value, Unit: unit, Limit: limit, Over: limit > 0 && value > limit, Note: note})
}

// atLeast adds a figure with the least that it should be.
func (t *table) atLeast(limit, value float64, unit, what, note string) {
	value = math.Round(value)
	t.figures = append(t.figures, figure{What: what, Value: value, Unit: unit, Limit: limit, Least: true, Over: value < limit, Note: note})
}

func (t *table) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "WHAT\tMEASURED\tLIMIT\t\tNOTES")
	for _, f := range t.figures {
		limit, kept := "", ""
		if f.Limit > 0 {
			limit, kept = "≤ "+number(f.Limit), "ok"
			if f.Least {
				limit = "≥ " + number(f.Limit)
			}
			if f.Over {
				kept = "OVER"
			}
		}
		fmt.Fprintf(out, "%s\t%8s %s\t%s\t%s\t%s\n", f.What, number(f.Value), f.Unit, limit, kept, f.Note)
	}
	return out.Flush()
}

// number is a text of at least three digits, for ratios and for thousands.
func number(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// printJSON writes all figures as one line, with what they are of.
func (t *table) printJSON(w io.Writer) error {
	// Not known outside of a checkout, and then left out.
	commit, _ := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output()
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return out.Encode(struct {
		Date    time.Time `json:"date"`
		Go      string    `json:"go"`
		Commit  string    `json:"commit,omitempty"`
		Figures []figure  `json:"figures"`
	}{time.Now().UTC().Truncate(time.Second), runtime.Version(), strings.TrimSpace(string(commit)), t.figures})
}
