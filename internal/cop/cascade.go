package cop

import (
	"strings"
	"unicode/utf8"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/policy"
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
	Cached bool   // an earlier answer to the same question
	Votes  int    // how many answers it is made of

	InputTokens, OutputTokens int
	Milliseconds              int // from the question to the outcome
}

// Review asks a reviewer about a line that the rules have decided. It is called
// once at most.
type Review func(*engine.Request, *engine.Verdict) Outcome

// Step is who decides after the rules.
type Step uint8

// The steps. The zero value is the strictest.
const (
	Person Step = iota // nobody but a person
	Ask                // the Cop; without one it is asked about
	Lift               // the Cop, who may turn the question into an allow
	Paths              // the Cop, if there is one, about paths that the profile can't tell
	Rules              // the rules have decided
)

// Next tells who decides about a line.
func Next(r *engine.Request, v *engine.Verdict, when When) Step {
	corruption, secret := r.Taint.Corruption > 0, r.Taint.Secret > 0
	switch {
	case v.Decision == policy.Block, v.Reach == policy.ReachLocal:
		return Rules
	case r.Taint.Damaged:
		return Person
	case corruption && secret && v.Reach != policy.ReachUnknown:
		return Person
	case corruption || secret:
		return Ask
	case when == Grey && onlyUnknown(v):
		return Lift
	case when != Never && unread(v):
		return Paths
	}
	return Rules
}

// onlyUnknown reports whether all that is asked about are programs that no rule
// knows.
func onlyUnknown(v *engine.Verdict) bool {
	if v.Decision != policy.Ask {
		return false
	}
	for i := range v.Reasons {
		if v.Reasons[i].Counts() > policy.Allow && v.Reasons[i].ID != "unknown-command" {
			return false
		}
	}
	return true
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
func Decide(r *engine.Request, v *engine.Verdict, when When, review Review) Outcome {
	step := Next(r, v, when)
	if review == nil && (step == Lift || step == Paths) {
		step = Rules
	}
	switch step {
	case Rules:
		return Outcome{}
	case Person:
		person(r, v, Seen(r.Taint)+", and this may reach the outside: a person decides about "+about(r))
		return Outcome{}
	}
	var o Outcome
	switch {
	case when == Never:
		o = Failed.because("never", "no reviewer is asked here")
	case review == nil:
		o = Failed.because("none", "no reviewer is set up")
	default:
		o = review(r, v)
	}
	both := r.Taint.Corruption > 0 && r.Taint.Secret > 0
	switch {
	case o.Kind == Clear && step == Lift:
		lift(r, v)
	case o.Kind == Clear:
	case o.Kind == Flag && both:
		person(r, v, flagged(o)+"; a person decides about "+about(r))
	case o.Kind == Flag && step == Lift:
		v.Tighten(r, "cop.flag", policy.Ask, flagged(o))
	case o.Kind == Flag:
		v.Tighten(r, "cop.flag", policy.Block, flagged(o))
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

func (k Kind) because(code, text string) Outcome {
	return Outcome{Kind: k, Code: code, Text: text}
}

// Recorded is a reviewer whose reviews all end in the same way.
func Recorded(k Kind) Review {
	return func(*engine.Request, *engine.Verdict) Outcome { return k.because("recorded", "recorded") }
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
