// Package replay judges a history: what would have been asked, by which rules,
// and what a rule more would have saved.
package replay

import "time"

// Report is what a history comes to. Its JSON form is what `bashgate replay
// --json` prints and what the page is made of; texts in it are masked.
type Report struct {
	Version  int // 1
	Made     time.Time
	Commands int // that were judged, repeated ones each time
	Distinct int // different ones: text, directory, mode and shell
	From, To time.Time
	Total    Count
	Days     []Day   // by date; those without a time first
	Hosts    []Count // by agent or shell, the one with the most commands first
	Asked    []Question
	Danger   []Finding // what the rules block and ran all the same, newest first
	Skipped  []Skip
	With     []Variant // what a rule file, preset or profile more would change
	Rows     []Row     // the distinct commands, most frequent first; not all of many

	Suggestions []Suggestion // the rule that saves most first; nil where they were not looked for
}

// Count is how often each decision was given.
type Count struct {
	Name              string
	Allow, Ask, Block int
	// Left is how many of those asked about are left to the agent, in a mode in
	// which it asks nobody.
	Left int
}

// Prompts is how often a person would have been asked.
func (c *Count) Prompts() int { return c.Ask - c.Left }

// All is how many commands were counted.
func (c *Count) All() int { return c.Allow + c.Ask + c.Block }

// Share is the part that is allowed, from 0 to 1; 0 of none.
func (c *Count) Share() float64 { return float64(c.Allow) / float64(max(c.All(), 1)) }

func (c *Count) add(d Count) {
	c.Allow, c.Ask, c.Block, c.Left = c.Allow+d.Allow, c.Ask+d.Ask, c.Block+d.Block, c.Left+d.Left
}

// PerDay is a number over the days on which something ran; of a history without
// times it is 0.
func (r *Report) PerDay(n int) float64 {
	days := r.days()
	if days == 0 {
		return 0
	}
	return float64(n) / float64(days)
}

// Dated counts the commands of which the day is known.
func (r *Report) Dated() Count {
	var c Count
	for i := range r.Days {
		if r.Days[i].Date != "" {
			c.add(r.Days[i].Count)
		}
	}
	return c
}

// Day is one day's decisions, and its prompts.
type Day struct {
	Date string // "2026-11-23", in UTC; "" = no time is known
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
	Name    string
	Prompts int
	PerDay  float64 // prompts, of commands of which the day is known
	Blocked int     // a profile that asks nobody blocks instead
}

// Row is one distinct command.
type Row struct {
	Command, Decision, Rule, Reason string
	Count                           int
	Last                            time.Time // zero = not known
}

// Suggestion is a rule that would have answered questions of the history.
type Suggestion struct {
	ID, Summary string
	Text        string   // TOML
	Program     string   // "" = it is about no single one
	Stops       string   // what it still stops; "" = nothing was found
	Prompts     int      // that it saves; what several answer counts for one of them
	Examples    []string // at most 5 commands that it answers, most frequent first
}
