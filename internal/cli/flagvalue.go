package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The values of flags that not every text fits. The error of Set names what
// fits: it stands behind `invalid value "x" for flag --y: `.

// list is a flag's value of names with commas between them; given again, the
// flag adds to it.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(s string) error {
	if s != "" {
		*l = append(*l, strings.Split(s, ",")...)
	}
	return nil
}

// choice is one of some words.
type choice struct {
	to    *string
	words []string
	also  func(string) bool // other texts that fit; nil = none
}

func (c *choice) String() string {
	if c.to == nil { // package flag makes one of its own, to see whether the default is empty
		return ""
	}
	return *c.to
}

func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) && (c.also == nil || !c.also(s)) {
		return noneOf(c.words, s)
	}
	*c.to = s
	return nil
}

func (c *choice) choices() []string { return c.words }

// choices is a list, each of whose names is one of some words.
type choices struct {
	list  *list
	words []string
}

func (c *choices) String() string {
	if c.list == nil {
		return ""
	}
	return c.list.String()
}

func (c *choices) Set(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		if s != "" && !slices.Contains(c.words, name) {
			return noneOf(c.words, name)
		}
	}
	return c.list.Set(s)
}

func (c *choices) choices() []string { return c.words }

// noneOf is the error about a text that is none of some words.
func noneOf(words []string, text string) error {
	what := "one of " + strings.Join(words, ", ")
	if hint := alike(text, words); hint != "" {
		what += "\nhint: " + hint
	}
	return errors.New(what)
}

// number is a whole number between two others. Its default need not be.
type number struct {
	to          *int
	least, most int
}

func (n *number) String() string {
	if n.to == nil || *n.to < n.least { // nothing is said
		return ""
	}
	return strconv.Itoa(*n.to)
}

func (n *number) Set(s string) error {
	value, err := strconv.Atoi(s)
	switch {
	case (err != nil || value < n.least) && n.most == math.MaxInt:
		return fmt.Errorf("a number from %d on", n.least)
	case err != nil, value < n.least, value > n.most:
		return fmt.Errorf("a number from %d to %d", n.least, n.most)
	}
	*n.to = value
	return nil
}

// dollars is a price.
type dollars struct{ to *float64 }

func (d *dollars) String() string {
	if d.to == nil {
		return ""
	}
	return strconv.FormatFloat(*d.to, 'f', -1, 64)
}

func (d *dollars) Set(s string) error {
	value, err := strconv.ParseFloat(s, 64)
	if err != nil || !(value >= 0 && value < math.MaxFloat32) {
		return errors.New("a price such as 0.25")
	}
	*d.to = value
	return nil
}

// lapse is how long something takes.
type lapse struct {
	to   *time.Duration
	most time.Duration
}

func (l *lapse) String() string {
	if l.to == nil || *l.to == 0 {
		return ""
	}
	return l.to.String()
}

func (l *lapse) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > l.most {
		return fmt.Errorf("a time up to %v, such as 90s", l.most)
	}
	*l.to = d
	return nil
}

// instant is a moment of the past: so long ago, or a date.
type instant struct {
	to  *time.Time
	end bool // a date is when it is over
}

func (i *instant) String() string { return "" }

func (i *instant) Set(s string) error {
	at, ok := moment(s, time.Now())
	if !ok {
		return errors.New(`a time such as 30m, 2h, 3d, 2026-11-02 or "2026-11-02 10:42"`)
	}
	if i.end {
		at = endOf(s, at)
	}
	*i.to = at
	return nil
}

// moment reads a time: so long ago, or a date of this place with or without the
// time of the day.
func moment(text string, now time.Time) (time.Time, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return now.AddDate(0, 0, -n), err == nil && n >= 0
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(-d), d >= 0
	}
	for _, form := range [...]string{"2006-01-02", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339} {
		if at, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// endOf is when a time is over: a date is all of the day.
func endOf(text string, at time.Time) time.Time {
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return at.AddDate(0, 0, 1)
	}
	return at
}
