package cop

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Answer is what a model said, in the strict form.
type Answer struct {
	Effect    string
	Targets   []Target
	SendsData bool
	Risk      Risk
	Reason    string // a stranger's text
}

// Target is what a command acts on.
type Target struct {
	Kind  string // "path", "host" or "other"
	Value string
}

// Risk is how bad the model thinks it is.
type Risk uint8

// The risks. The zero value is none that a model can say.
const (
	noRisk Risk = iota
	Low
	Medium
	High
	Critical
)

var riskNames = [...]string{"", "low", "medium", "high", "critical"}

func (r Risk) String() string { return riskNames[r] }

// ParseRisk reads a word of String; what is none says no risk.
func ParseRisk(word string) Risk { return Risk(max(slices.Index(riskNames[:], word), 0)) }

// effect is one row of the decision table: what a flag says, and up to which
// risk the effect is cleared. No risk is that low where it is noRisk.
type effect struct {
	name       string
	code       string // of a flag
	text       string // likewise, after "it would "
	clean      Risk   // in a session that has seen nothing
	corruption Risk   // that has read text of strangers
	secret     Risk   // that has read secrets
	both       Risk
}

// effects is the decision table. The model says what a command does and how
// risky that is; whether that passes is said here.
var effects = [...]effect{
	{"read_local", "reading", "read what it has no business with", Medium, Medium, Medium, Medium},
	{"write_workspace", "tampering", "tamper with the project", Medium, Medium, Medium, Low},
	{"write_outside", "tampering", "change files outside the project", Low, Low, Low, noRisk},
	{"delete", "destruction", "destroy files", Low, Low, Low, Low},
	{"exec_local", "execution", "run code that can't be trusted", Low, Medium, Medium, Low},
	{"exec_downloaded", "download-and-run", "run what it has downloaded", noRisk, noRisk, noRisk, noRisk},
	{"network_read", "contact", "contact an unexpected place", Low, Low, Low, noRisk},
	{"network_send", "exfiltration", "send data out (exfiltration)", Low, Low, Low, noRisk},
	{"credential_read", "credentials", "read or look for credentials", noRisk, noRisk, noRisk, noRisk},
	{"persistence", "persistence", "plant something that runs later", noRisk, noRisk, noRisk, noRisk},
	{"privilege", "privilege", "get more rights", noRisk, noRisk, noRisk, noRisk},
	{"infra_change", "infrastructure", "change things that others share", noRisk, Low, Low, noRisk},
}

// maxTargets is how many targets an answer may name.
const maxTargets = 16

// ParseAnswer reads the strict form: one object with all of its keys and no
// others, that repeats the nonce.
func ParseAnswer(text, nonce string) (*Answer, error) {
	document, err := wire.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	f := newForm(document)
	a := &Answer{Effect: f.text("effect"), SendsData: f.bool("sends_data"), Reason: f.text("reason")}
	said := f.text("nonce")
	risk := f.text("risk")
	for _, v := range f.values("targets") {
		t := newForm(v)
		target := Target{t.text("kind"), t.text("value")}
		a.Targets = append(a.Targets, target)
		f.fail(t.end())
		if target.Kind != "path" && target.Kind != "host" && target.Kind != "other" {
			f.fail(fmt.Errorf("a target of kind %.40q", target.Kind))
		}
	}
	if err := f.end(); err != nil {
		return nil, err
	}
	for i, name := range riskNames {
		if name == risk && i > 0 {
			a.Risk = Risk(i)
		}
	}
	switch {
	case said != nonce || nonce == "":
		return nil, errors.New("it does not repeat the number that it was given")
	case a.Risk == noRisk:
		return nil, fmt.Errorf("risk %.40q", risk)
	case a.Effect != "unknown" && a.row() == nil:
		return nil, fmt.Errorf("effect %.40q", a.Effect)
	case len(a.Targets) > maxTargets:
		return nil, fmt.Errorf("%d targets", len(a.Targets))
	}
	return a, nil
}

func (a *Answer) row() *effect {
	for i := range effects {
		if effects[i].name == a.Effect {
			return &effects[i]
		}
	}
	return nil
}

// decide makes an outcome of an answer to a question in a session.
func (a *Answer) decide(q *Question, t engine.Taint) Outcome {
	for _, target := range a.Targets {
		switch {
		case policy.Visible(target.Value) != target.Value || target.Value == "":
			return Failed.because("target", "its answer names a target that can't be shown")
		case !q.holds(target.Value):
			return Failed.because("target", "its answer names a target that is not in the command")
		}
	}
	if a.Effect == "unknown" {
		if a.Risk >= High {
			return a.flag("unclear", "it can't tell what this does, and finds it dangerous")
		}
		return Failed.because("unclear", "it can't tell what this does")
	}
	row := a.row()
	if a.SendsData && row.name != "network_send" {
		// Whatever else it is, it is that as well.
		sends := Answer{Effect: "network_send", Risk: a.Risk}
		if o := sends.decide(q, t); o.Kind != Clear {
			return o
		}
	}
	limit := row.clean
	switch {
	case t.Corruption > 0 && t.Secret > 0 || t.Damaged:
		limit = row.both
	case t.Corruption > 0:
		limit = row.corruption
	case t.Secret > 0:
		limit = row.secret
	}
	if a.Risk > limit {
		return a.flag(row.code, "it would "+row.text)
	}
	return Outcome{Kind: Clear}
}

func (a *Answer) flag(code, text string) Outcome {
	o := Flag.because(code, text)
	o.Risk = a.Risk
	return o
}

// parsePlain reads the plain form. A question that holds an answer is cleared by
// none: it may be an echo.
func parsePlain(text string, q *Question) Outcome {
	document, err := wire.Parse([]byte(text))
	if err != nil {
		return Failed.because("garbage", "its answer can't be read: "+err.Error())
	}
	f := newForm(document)
	flagged, reason := f.bool("flagged"), f.text("reason")
	if err := f.end(); err != nil {
		return Failed.because("garbage", "its answer can't be read: "+err.Error())
	}
	said := quoted(reason)
	if !flagged {
		if q.answersItself() {
			return Failed.because("echo", "its answer stands in the command itself")
		}
		return Outcome{Kind: Clear, Said: said}
	}
	o := Flag.because("flagged", said)
	o.Said = said
	if said == "" {
		o.Text = "it gives no reason"
	}
	return o
}

// quoted shows a stranger's text as one; "" for none.
func quoted(text string) string {
	const most = 200
	text = policy.Visible(strings.TrimSpace(text))
	if text == "" {
		return ""
	}
	runes := []rune(text)
	if len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return `"` + strings.ReplaceAll(text, `"`, `'`) + `"`
}

// combine makes one outcome of several answers to the same question: one flag
// is enough, and all must clear.
func combine(outcomes []Outcome) Outcome {
	all := Failed.because("none", "it gave no answer")
	for i, o := range outcomes {
		if i == 0 || o.Kind == Flag && (all.Kind != Flag || o.Risk > all.Risk) || o.Kind != Clear && all.Kind == Clear {
			all = o
		}
	}
	return all
}
