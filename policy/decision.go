package policy

import "fmt"

// Decision is an answer about a command. Decisions are ordered by
// strictness, so that the strictest of two is the larger one.
//
// The zero value is Skip ("no opinion"), never Allow.
type Decision uint8

// The decisions, loosest first.
const (
	Skip  Decision = iota // no opinion
	Allow                 // runs without a question
	Ask                   // a person decides
	Block                 // never runs
)

var decisionNames = [...]string{"skip", "allow", "ask", "block"}

// String returns the word used in rule files and in machine output.
func (d Decision) String() string {
	if int(d) < len(decisionNames) {
		return decisionNames[d]
	}
	return fmt.Sprintf("decision(%d)", uint8(d))
}

// ParseDecision reads a word of a rule file. It reports false for any other
// text, and then returns Ask.
func ParseDecision(s string) (Decision, bool) {
	for i, name := range decisionNames {
		if s == name {
			return Decision(i), true
		}
	}
	return Ask, false
}

// Reach says what a command can touch. A line's reach is the largest of its
// commands'. The zero value means that nobody said.
type Reach uint8

// The reaches, narrowest first.
const (
	ReachUnset   Reach = iota
	ReachLocal         // files and processes of this machine
	ReachUnknown       // project code, unknown programs, local daemons, unreadable lines
	ReachNetwork       // talks to a network, or is an interpreter or a downloader
)

var reachNames = [...]string{"", "local", "unknown", "network"}

// String returns the word used in rule files and in machine output; the zero
// value is the empty text.
func (r Reach) String() string {
	if int(r) < len(reachNames) {
		return reachNames[r]
	}
	return fmt.Sprintf("reach(%d)", uint8(r))
}

// ParseReach reads a word of a rule file.
func ParseReach(s string) (Reach, bool) {
	for i, name := range reachNames[1:] {
		if s == name {
			return Reach(i + 1), true
		}
	}
	return ReachUnset, false
}

// Effects is a set of things that a command does.
type Effects uint16

// The effects.
const (
	Reads       Effects = 1 << iota // reads files
	Writes                          // creates or changes files
	Deletes                         // removes files
	Executes                        // runs code of the project or of a file
	Network                         // sends or receives data
	Secret                          // shows credentials
	Persistence                     // plants something that runs later
	Privilege                       // acts with more rights
	Endless                         // does not end by itself
)

var effectNames = [...]string{"reads", "writes", "deletes", "executes", "network", "secret", "persistence", "privilege", "endless"}

// Names lists the effects of the set in a fixed order.
func (e Effects) Names() []string {
	names := make([]string, 0, len(effectNames))
	for i, name := range effectNames {
		if e&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// ParseEffect reads one word of a rule file.
func ParseEffect(s string) (Effects, bool) {
	for i, name := range effectNames {
		if s == name {
			return 1 << i, true
		}
	}
	return 0, false
}
