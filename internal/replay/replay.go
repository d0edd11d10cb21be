// Package replay judges a history: what would have been asked, by which rules,
// and what a rule more would have saved.
package replay

import "time"

// Report is what a history comes to. Its JSON form is what `bashgate replay
// --json` prints and what the page is made of; texts in it are masked.
type Report struct {
	Version  int // 1
	Made     time.Time
	Commands int // simple records judged, repeated ones each time
	Distinct int // different ones: text, directory, mode
	From, To time.Time
	Days     []Day
	Hosts    []Count    // by agent or shell
	Asked    []Question // most frequent first
	Danger   []Finding  // what was blocked by the rules and ran all the same, newest first
	Skipped  []Skip
	With     []Variant // what a rule file, preset or profile more would change
}

// Count is how often each decision was given.
type Count struct {
	Name              string
	Allow, Ask, Block int
}

// Day is one day's decisions, and its prompts.
type Day struct {
	Date string // "2026-11-23"; "" = no time is known
	Count
}

// Question is what is asked about, by the rule that asks or the program that no
// rule knows.
type Question struct {
	Rule     string // the id of the strictest reason
	Program  string
	Reason   string
	Prompts  int
	Examples []string // at most 5 commands, most frequent first
}

// Finding is a command that would have been blocked.
type Finding struct {
	Command, Rule, Reason, Host, Session string
	Time                                 time.Time
	Ran                                  bool
}

// Skip is what of the files was left out.
type Skip struct {
	Path, Why string
	Count     int
}

// Variant is what another set of rules would have asked.
type Variant struct {
	Name            string
	Prompts, PerDay float64
}
