package session

import (
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
}

// Label is one thing that a session has seen.
type Label struct {
	Event
	Pending bool // the agent has not said that the tool has run; it counts all the same
}

// fold makes a state of a session's events.
func fold(events []Event) State {
	var s State
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case Started:
		case Resumed:
			s.Damage = "what the session had seen before is not known (" + e.What + ")"
		case Seen:
			s.Labels = append(s.Labels, Label{Event: *e, Pending: e.Use != ""})
		case Ran:
			for k := range s.Labels {
				if s.Labels[k].Use == e.Use {
					s.Labels[k].Pending = false
				}
			}
		case Denied:
			s.Labels = drop(s.Labels, e.Use)
		case Cleared:
			s = State{}
		default:
			s.Damage = "an event that has no place in a session's record"
		}
	}
	return s
}

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
		t = join(t, s.Labels[i].Corruption, s.Labels[i].Secret, from)
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
	return false
}

// maxLabels is how many labels a record holds. More tell a person nothing; one
// that raises a level is always added.
const maxLabels = 1000

// New returns those of the events that the record needs.
func (s *State) New(events []Event) []Event {
	highest := s.Taint(1)
	var fresh []Event
	for i := range events {
		e := &events[i]
		raises := e.Corruption > highest.Corruption || e.Secret > highest.Secret
		if !s.has(e) && (raises || len(s.Labels)+len(fresh) < maxLabels) {
			fresh = append(fresh, *e)
		}
	}
	return fresh
}

// Pending reports whether a tool's use has labels that wait for its end.
func (s *State) Pending(use string) bool {
	for i := range s.Labels {
		if s.Labels[i].Pending && s.Labels[i].Use == use {
			return true
		}
	}
	return false
}
