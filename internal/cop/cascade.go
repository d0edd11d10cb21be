package cop

import (
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// When says in which sessions the Cop is asked.
type When uint8

// The settings of [cop] when.
const (
	Tainted When = iota // that have seen something
	Grey                // also in others, about commands that no rule knows
	Never               // in none: what would be reviewed is asked about
)

// Kind is how a review ended.
type Kind uint8

// The ends of a review. What is not Clear clears nothing.
const (
	NotAsked Kind = iota // nobody was asked
	Clear                // harmless, as far as the Cop can tell
	Flag                 // dangerous
	Failed               // no answer that can be used
)

var kindNames = [...]string{"", "clear", "flag", "error"}

// String returns the word of machine output; "" for NotAsked.
func (k Kind) String() string { return kindNames[k] }

// ParseKind reads a word of machine output.
func ParseKind(word string) (Kind, bool) {
	for i, name := range kindNames {
		if word == name && i > 0 {
			return Kind(i), true
		}
	}
	return Failed, false
}

// Outcome is the end of a review. The zero value is that of none.
type Outcome struct {
	Kind   Kind
	Code   string // "exfiltration", "timeout": why, as one word of a closed list
	Text   string // why, as a sentence's end, of this program's making or quoted
	Said   string // the model's own reason, which is text of a stranger
	Risk   Risk   // of a flag: how bad it finds it; none where the form has no word for it
	Cached bool   // an earlier answer to the same question
	Votes  int    // how many answers it is made of

	InputTokens, OutputTokens int
	Milliseconds              int // from the question to the outcome
}

// Review asks a reviewer about a line that the rules have decided. It is called
// once at most.
type Review func(*engine.Request, *engine.Verdict) Outcome

// Table is how a person has set up who decides. The zero value is the usual
// one.
type Table struct {
	When When
	Flag OnFlag
	Free bool // the reviewer's answer is there already, and costs nothing: it is heard where the rules ask, too
}

// OnFlag says what becomes of a command that the reviewer flags.
type OnFlag uint8

// The settings of [cop] flag.
const (
	ByRisk OnFlag = iota // denied where it says that the risk is high or critical, and asked about otherwise
	ToAsk                // asked about
	ToDeny               // denied
)

// Step is who decides after the rules.
type Step uint8

// The steps. The zero value is the strictest.
const (
	Person Step = iota // nobody but a person
	Ask                // the Cop
	Place              // a person, before something goes to a machine that nobody knows
	Lift               // the Cop, who may turn the question into an allow
	Paths              // the Cop, if there is one, about paths that the profile can't tell
	Rules              // the rules have decided
)

// Calls reports whether a reviewer is asked in a step.
func (s Step) Calls() bool { return s == Ask || s == Lift || s == Paths }

// Next tells who decides about a line. Reviewer says that there is one.
func (t Table) Next(r *engine.Request, v *engine.Verdict, reviewer bool) Step {
	corruption, secret := r.Taint.Corruption > 0, r.Taint.Secret > 0
	reach := v.Beyond(r.Taint.Untouched)
	reviewer = reviewer || t.When == Never // where the Cop would be, somebody wants to be asked
	switch {
	case v.Decision == policy.Block, reach == policy.ReachLocal:
		return Rules
	case r.Taint.Damaged:
		return Person
	case corruption && secret:
		if reach == policy.ReachUnknown && reviewer && !t.settled(r, v) {
			return Ask
		}
		return Person
	case corruption || secret:
		known := reach == policy.ReachNetwork && !secret && len(v.Tree) > 0 && !doubts(v.Tree, r.Taint.Untouched)
		switch {
		case t.settled(r, v):
			return Rules
		case reviewer && !(known && !t.Free):
			return Ask
		case corruption && stray(v.Tree):
			return Place
		}
		return Rules
	case t.When == Grey && v.OnlyUnknown():
		if reviewer {
			return Lift
		}
	case t.When != Never && unread(v):
		if reviewer {
			return Paths
		}
	}
	return Rules
}

// settled reports whether a person will be asked whatever a reviewer says: a
// call would be spent for nothing. Where a question is left to the agent it may
// reach nobody.
func (t Table) settled(r *engine.Request, v *engine.Verdict) bool {
	return v.Decision == policy.Ask && !t.Free && r.Mode != engine.ModeBypass && r.Mode != engine.ModeAuto
}

// doubts reports whether a command of a line may reach what nobody knows: code,
// or a machine.
func doubts(nodes []engine.Node, untouched bool) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.Alone(untouched) == policy.ReachUnknown || n.Stray() || n.Fetches() || doubts(n.Children, untouched) {
			return true
		}
	}
	return false
}

// stray reports whether a command of a line may talk to a machine that nobody
// knows.
func stray(nodes []engine.Node) bool {
	for i := range nodes {
		if nodes[i].Stray() || stray(nodes[i].Children) {
			return true
		}
	}
	return false
}

// unread reports whether a profile lets a program pass that no rule knows or
// that runs code, so that which paths it touches is a guess.
func unread(v *engine.Verdict) bool {
	for i := range v.Reasons {
		if r := &v.Reasons[i]; r.ID == "profile.unlisted" && r.Decision == policy.Allow && r.Reach > policy.ReachLocal {
			return true
		}
	}
	return false
}

// Decide applies the table to what the rules decided about a request. It asks
// the reviewer if the table says so; nil is none. The verdict only gets
// stricter, but for Lift.
func (t Table) Decide(r *engine.Request, v *engine.Verdict, review Review) Outcome {
	step := t.Next(r, v, review != nil)
	switch step {
	case Rules:
		return Outcome{}
	case Place:
		v.Tighten(r, "taint.place", policy.Ask, Seen(r.Taint)+", and this talks to a machine that nobody here knows")
		v.Human = v.Decision == policy.Ask
		return Outcome{}
	case Person:
		person(r, v, Seen(r.Taint)+", and this may reach the outside: a person decides about "+about(r))
		return Outcome{}
	}
	var o Outcome
	if t.When == Never || review == nil {
		o = Failed.because("never", `no reviewer is asked, for [cop] when = "never"`)
	} else {
		o = review(r, v)
	}
	both := r.Taint.Corruption > 0 && r.Taint.Secret > 0
	switch {
	case o.Kind == Clear && step == Lift:
		lift(r, v)
	case o.Kind == Clear:
	case o.Kind == Flag && both:
		person(r, v, flagged(o)+"; a person decides about "+about(r))
	case o.Kind == Flag && step != Lift && t.denies(o):
		v.Tighten(r, "cop.flag", policy.Block, flagged(o))
	case o.Kind == Flag:
		v.Tighten(r, "cop.flag", policy.Ask, flagged(o))
	default:
		o.Kind = Failed
		text := "Not cleared by the reviewer: " + o.Text
		if step == Ask {
			text = Seen(r.Taint) + ", and this was not cleared: " + o.Text
		}
		if both {
			person(r, v, text+"; a person decides about "+about(r))
		} else {
			v.Tighten(r, "cop.error", policy.Ask, text)
		}
	}
	return o
}

// denies reports whether a flag is a denial. One that was raised before, and
// about which a person may have thought since, is a question.
func (t Table) denies(o Outcome) bool {
	switch t.Flag {
	case ToAsk:
		return false
	case ToDeny:
		return !o.Cached
	}
	return o.Risk >= High && !o.Cached
}

func (k Kind) because(code, text string) Outcome {
	return Outcome{Kind: k, Code: code, Text: text}
}

// Recorded is a reviewer whose reviews all end in the same way. Its flags are
// grave ones.
func Recorded(k Kind) Review {
	return func(*engine.Request, *engine.Verdict) Outcome {
		o := k.because("recorded", "recorded")
		if k == Flag {
			o.Risk = High
		}
		return o
	}
}

// flagged says what the Cop objects to, even if it gave no reason.
func flagged(o Outcome) string {
	text := o.Text
	if text == "" {
		text = "it gives no reason"
	}
	return "Flagged by the reviewer: " + text
}

// Seen says what a session has seen.
func Seen(t engine.Taint) string {
	switch {
	case t.Damaged:
		return "What the session has seen is not known"
	case t.Corruption > 0 && t.Secret > 0:
		return "The session has read untrusted content and secrets"
	case t.Corruption > 0:
		return "The session has read untrusted content"
	case t.Secret > 0:
		return "The session has read secrets"
	}
	return "The session has seen nothing that counts"
}

// about is the command for a message, at most 200 bytes of it.
func about(r *engine.Request) string {
	text, most := strings.TrimSpace(r.Command), 200
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

// person makes a verdict a question that nothing but a person answers.
func person(r *engine.Request, v *engine.Verdict, text string) {
	v.Tighten(r, "taint.person", policy.Ask, text)
	v.Human = v.Decision == policy.Ask
}

// lift turns questions about unknown programs into an allow.
func lift(r *engine.Request, v *engine.Verdict) {
	v.Clear(engine.Lift{By: "cop.clear", Text: "the reviewer", To: policy.Allow})
	v.Reasons = append([]engine.Reason{engine.NewReason("cop.clear", policy.Allow, "Cleared by the reviewer", r.Command)}, v.Reasons...)
}
