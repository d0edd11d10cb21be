package session

import (
	"slices"

	"github.com/bashgate/bashgate/engine"
)

// State is what is known of a session.
type State struct {
	Labels []Label
	Known  bool   // there is a record of it
	Lost   bool   // there is none, and there should be one
	Damage string // why the record can't be trusted; "" if it can

	// Unwritable says that the record itself is whole: nothing but that it
	// can't be written is the damage.
	Unwritable bool
	Fork       bool // that is because it goes on with what another session has seen, and it is not known which

	refused []Label // of uses that a person has refused, as far as is known
	trusted []Event // what a person vouches for
}

// Label is one thing that a session has seen.
type Label struct {
	Event
	Pending bool   // the agent has not said that the tool has run; it counts all the same
	Trusted string // who vouches for it, which then counts no more: "u at a terminal"; "" = nobody
}

// fold makes a state of a session's events.
func fold(events []Event) State {
	var s State
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case Started:
		case Resumed:
			s.Fork = e.What == Forked && s.Damage == ""
			s.Damage = "what the session had seen before is not known (" + e.What + ")"
		case Inherited:
			if s.Fork {
				s.Fork, s.Damage = false, ""
			}
		case Seen:
			s.Labels = append(s.Labels, Label{Event: *e, Pending: e.Use != ""})
		case Ran:
			for k := range s.Labels {
				if s.Labels[k].Use == e.Use {
					s.Labels[k].Pending = false
				}
			}
			for _, l := range s.refused { // it has run all the same
				if l.Use == e.Use {
					l.Pending = false
					s.Labels = append(s.Labels, l)
				}
			}
			s.refused = drop(s.refused, e.Use)
		case Refused:
			for _, l := range s.Labels {
				if l.Pending && l.Asked && l.Use == e.Use {
					s.refused = append(s.refused, l)
				}
			}
			s.Labels = slices.DeleteFunc(s.Labels, func(l Label) bool { return l.Pending && l.Asked && l.Use == e.Use })
		case Denied:
			s.Labels = drop(s.Labels, e.Use)
		case Trusted:
			s.trusted = append(s.trusted, *e)
		case Cleared:
			s = State{}
		default:
			s.Damage = "an event that has no place in a session's record"
		}
	}
	for i := range s.Labels {
		s.Labels[i].Trusted = s.voucher(&s.Labels[i].Event)
	}
	return s
}

// voucher is who vouches for what an event tells: for that thing, at its levels or
// higher ones. Whether it was seen before or after that is all the same.
func (s *State) voucher(e *Event) string {
	for i := range s.trusted {
		if t := &s.trusted[i]; t.What == clip(e.What) && t.Corruption >= e.Corruption && t.Secret >= e.Secret {
			return t.Why
		}
	}
	return ""
}

// Forked is how an agent calls the beginning of a session that goes on with a
// copy of what another one has in its context.
const Forked = "fork"

// drop removes the labels of a tool's use that did not run. What has run stays.
func drop(labels []Label, use string) []Label {
	kept := labels[:0]
	for _, l := range labels {
		if !l.Pending || l.Use != use {
			kept = append(kept, l)
		}
	}
	return kept
}

// Taint is what counts of a state. Levels below from don't.
func (s *State) Taint(from int) engine.Taint {
	t := engine.Taint{Damaged: s.Damage != ""}
	for i := range s.Labels {
		if l := &s.Labels[i]; l.Trusted == "" {
			t = join(t, l.Corruption, l.Secret, from)
		}
	}
	return t
}

func join(t engine.Taint, corruption, secret, from int) engine.Taint {
	if corruption >= from {
		t.Corruption = max(t.Corruption, corruption)
	}
	if secret >= from {
		t.Secret = max(t.Secret, secret)
	}
	return t
}

// has reports whether a label says already what an event would.
func (s *State) has(e *Event) bool {
	for i := range s.Labels {
		l := &s.Labels[i]
		if l.Corruption >= e.Corruption && l.Secret >= e.Secret && l.What == clip(e.What) && (!l.Pending || l.Use == e.Use) {
			return true
		}
	}
	for i := range s.refused { // its end brings it back
		if l := &s.refused[i]; l.Use == e.Use && l.Corruption >= e.Corruption && l.Secret >= e.Secret && l.What == clip(e.What) {
			return true
		}
	}
	return false
}

// maxLabels is how many labels a record holds. More tell a person nothing; one
// that raises a level is always added.
const maxLabels = 1000

// maxWeak is how many labels a record holds before it takes no more of the
// lowest level, which mostly don't count.
const maxWeak = 50

// New returns those of the events that the record needs.
func (s *State) New(events []Event) []Event {
	highest := s.Taint(1)
	var fresh []Event
	for i := range events {
		e := &events[i]
		raises := e.Corruption > highest.Corruption || e.Secret > highest.Secret
		most := maxLabels
		if max(e.Corruption, e.Secret) <= weak {
			most = maxWeak
		}
		if !s.has(e) && (raises || len(s.Labels)+len(fresh) < most) {
			fresh = append(fresh, *e)
		}
	}
	return fresh
}

// Pending reports whether a tool's use has labels that wait for its end, or
// that were taken away because it did not come.
func (s *State) Pending(use string) bool {
	for i := range s.refused {
		if s.refused[i].Use == use {
			return true
		}
	}
	for i := range s.Labels {
		if s.Labels[i].Pending && s.Labels[i].Use == use {
			return true
		}
	}
	return false
}

// Refusals lists what is to be noted when a person says something new: a tool's
// use about which that person was asked, and whose end the agent has not told,
// did not run. Where a use that nobody was asked about has not ended either,
// the agent may not tell ends at all, and nothing is known.
func (s *State) Refusals() (events []Event) {
	for i := range s.Labels {
		switch l := &s.Labels[i]; {
		case !l.Pending:
		case !l.Asked:
			return nil
		case !slices.ContainsFunc(events, func(e Event) bool { return e.Use == l.Use }):
			events = append(events, Event{Kind: Refused, Use: l.Use})
		}
	}
	return events
}
