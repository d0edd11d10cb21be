package learn

import (
	"slices"
	"strconv"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/policy"
)

// ask is one simple command that is asked about.
type ask struct {
	at      string // where it stands in the tree: "0.2."
	node    *engine.Node
	command *policy.Command
	reasons []*engine.Reason // those that ask
}

// askedIn lists the commands of a verdict that are asked about. The error is a
// *Refusal: something no rule answers is among it.
func askedIn(v *engine.Verdict) ([]ask, error) {
	for i := range v.Reasons {
		r := &v.Reasons[i]
		o := catalogue.Described(r.ID)
		switch {
		case r.ID == "mode.unattended": // it stands in the place of the question
		case r.Counts() == policy.Block:
			return nil, &Refusal{"it is blocked: " + r.Text(), "a block stands: no answer of yours makes it an allow"}
		case r.Counts() != policy.Ask:
		case o != nil && o.Fixed:
			hint := o.Answer
			if hint == "" {
				hint = once
			}
			return nil, &Refusal{r.Text(), hint}
		}
	}
	asks := asked(nil, "", v.Tree)
	for i := range asks {
		a := &asks[i]
		if a.command == nil {
			return nil, &Refusal{a.reasons[0].Text(), once}
		}
		if a.command.Where != policy.Here {
			return nil, &Refusal{"it runs on another machine, or in a container: " + a.reasons[0].Text(), once}
		}
	}
	switch {
	case len(asks) == 0:
		return nil, &Refusal{v.Reason, once}
	case len(asks) > mostCommands:
		return nil, &Refusal{strconv.Itoa(len(asks)) + " commands of the line are asked about", "run them one by one, or answer this line once: bashgate allow --once"}
	}
	return asks, nil
}

func asked(list []ask, at string, nodes []engine.Node) []ask {
	for i := range nodes {
		n := &nodes[i]
		a := ask{at: at + strconv.Itoa(i) + ".", node: n, command: n.Simple()}
		for k := range n.Reasons {
			if r := &n.Reasons[k]; r.Counts() == policy.Ask {
				a.reasons = append(a.reasons, r)
			}
		}
		if a.reasons != nil {
			list = append(list, a)
		}
		list = asked(list, a.at, n.Children)
	}
	return list
}

// left lists what a verdict about the same line still asks about the command.
func (a *ask) left(v *engine.Verdict) []string {
	for _, other := range asked(nil, "", v.Tree) {
		if other.at == a.at {
			return other.ids()
		}
	}
	return nil
}

// ids are those of what is asked.
func (a *ask) ids() []string {
	var ids []string
	for _, r := range a.reasons {
		if !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// effects are those of what is asked.
func (a *ask) effects() policy.Effects {
	var all policy.Effects
	for _, r := range a.reasons {
		all |= r.Effects
	}
	return all
}

// lasting reports whether something that is asked about can't be undone.
func (a *ask) lasting() bool {
	return slices.ContainsFunc(a.reasons, func(r *engine.Reason) bool { return r.Irreversible || r.Unrecoverable })
}
