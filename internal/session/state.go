package session

import (
	"slices"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
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

// Label is one thing that a session has seen. A hook reads a thousand of them, and
// needs no more of each than this; Event tells the rest.
type Label struct {
	What       string // this and the next four as in Event
	Use        string
	Corruption int
	Secret     int
	Asked      bool
	Pending    bool   // the agent has not said that the tool has run; it counts all the same
	Trusted    string // who vouches for it, which then counts no more: "u at a terminal"; "" = nobody

	earlier int32  // the label before it that waited for the end of the same use, from 1 on; 0 = there is none
	line    string // of the record
}

func newLabel(e *Event, line string) Label {
	return Label{What: e.What, Use: e.Use, Corruption: e.Corruption, Secret: e.Secret, Asked: e.Asked, Pending: e.Use != "", line: line}
}

// Event is what the record says of the label.
func (l *Label) Event() Event {
	var e Event
	at, err := e.read(l.line)
	if err != nil { // it is of no record
		return Event{Kind: Seen, Corruption: l.Corruption, Secret: l.Secret, What: l.What, Use: l.Use, Asked: l.Asked}
	}
	e.At = moment(at)
	return e
}

// end is the state to which a session's events have come.
func (f *folding) end() State {
	s := f.state
	s.Labels, s.refused = standing(s.Labels, f.gone), standing(s.refused, f.goneRefused)
	if len(s.trusted) == 0 {
		return s
	}
	trusted := make(map[string][]Event, len(s.trusted))
	for _, t := range s.trusted {
		trusted[t.What] = append(trusted[t.What], t)
	}
	for i := range s.Labels {
		l := &s.Labels[i]
		l.Trusted = voucher(trusted[policy.Clip(l.What, maxText)], l)
	}
	return s
}

// folding is a state on its way, in which the labels of a tool's use are found
// without a look through all others.
type folding struct {
	state             State
	gone, goneRefused map[int]bool     // indexes of labels that count no more
	waiting           map[string]int32 // the last label that waits for the end of a use, from 1 on; nil: none has ended yet
	refusedBy         map[string][]int // indexes of the refused labels of a use
}

// event goes on with an event, and the line that tells it.
func (f *folding) event(e *Event, line string) {
	s := &f.state
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
		f.add(newLabel(e, line))
	case Ran:
		for _, k := range f.take(e.Use) {
			s.Labels[k].Pending = false
		}
		for _, k := range f.refusedBy[e.Use] { // it has run all the same
			l := s.refused[k]
			l.Pending = false
			f.add(l)
			f.goneRefused = also(f.goneRefused, k)
		}
		delete(f.refusedBy, e.Use)
	case Refused:
		f.drop(e.Use, func(l *Label) bool { return l.Asked }, func(l *Label) {
			if f.refusedBy == nil {
				f.refusedBy = map[string][]int{}
			}
			f.refusedBy[e.Use] = append(f.refusedBy[e.Use], len(s.refused))
			s.refused = append(s.refused, *l)
		})
	case Denied:
		f.drop(e.Use, func(*Label) bool { return true }, func(*Label) {})
	case Trusted:
		s.trusted = append(s.trusted, *e)
	case Cleared:
		*f = folding{}
	default:
		s.Damage = "an event that has no place in a session's record"
	}
}

func (f *folding) add(l Label) {
	f.state.Labels = append(f.state.Labels, l)
	if l.Pending && f.waiting != nil {
		f.wait(len(f.state.Labels) - 1)
	}
}

// wait notes that a label waits for the end of its use.
func (f *folding) wait(k int) {
	l := &f.state.Labels[k]
	l.earlier = f.waiting[l.Use]
	f.waiting[l.Use] = int32(k + 1)
}

// take lists the labels that wait for the end of a use, and which do so no more. Most
// uses end soon, so that few ever wait.
func (f *folding) take(use string) (list []int) {
	if f.waiting == nil {
		f.waiting = map[string]int32{}
		for k := range f.state.Labels {
			if f.state.Labels[k].Pending {
				f.wait(k)
			}
		}
	}
	for k := f.waiting[use]; k > 0; k = f.state.Labels[k-1].earlier {
		list = append(list, int(k-1))
	}
	delete(f.waiting, use)
	slices.Reverse(list)
	return list
}

// drop removes those of the labels of a tool's use that wait for its end. What has
// run stays.
func (f *folding) drop(use string, which func(*Label) bool, dropped func(*Label)) {
	for _, k := range f.take(use) {
		if l := &f.state.Labels[k]; which(l) {
			f.gone = also(f.gone, k)
			dropped(l)
		} else {
			f.wait(k)
		}
	}
}

func also(set map[int]bool, k int) map[int]bool {
	if set == nil {
		set = map[int]bool{}
	}
	set[k] = true
	return set
}

// standing are the labels without those that are gone.
func standing(labels []Label, gone map[int]bool) []Label {
	if len(gone) == 0 {
		return labels
	}
	var kept []Label
	for i := range labels {
		if !gone[i] {
			kept = append(kept, labels[i])
		}
	}
	return kept
}

// voucher is who vouches for what a label tells, among those who do for that
// thing: at its levels or higher ones. Whether it was seen before or after that is
// all the same.
func voucher(trusted []Event, l *Label) string {
	for i := range trusted {
		if t := &trusted[i]; t.Corruption >= l.Corruption && t.Secret >= l.Secret {
			return t.Why
		}
	}
	return ""
}

// Forked is how an agent calls the beginning of a session that goes on with a
// copy of what another one has in its context.
const Forked = "fork"

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

// has reports whether a label says already what an event would. A record of many
// labels is asked by their things: see things.
func (s *State) has(e *Event, things map[string][]*Label) bool {
	says := func(l *Label) bool {
		return l.Corruption >= e.Corruption && l.Secret >= e.Secret && (!l.Pending || l.Use == e.Use)
	}
	what := policy.Clip(e.What, maxText)
	if things != nil {
		return slices.ContainsFunc(things[what], says)
	}
	for i := range s.Labels {
		if s.Labels[i].What == what && says(&s.Labels[i]) {
			return true
		}
	}
	for i := range s.refused { // its end brings it back
		if l := &s.refused[i]; l.Use == e.Use && l.What == what && says(l) {
			return true
		}
	}
	return false
}

// things are the labels by what they are about, with those that a use's end brings
// back, which say something to that use alone.
func (s *State) things() map[string][]*Label {
	things := make(map[string][]*Label, len(s.Labels))
	for _, list := range [...][]Label{s.Labels, s.refused} {
		for i := range list {
			things[list[i].What] = append(things[list[i].What], &list[i])
		}
	}
	return things
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
	var things map[string][]*Label
	if len(events) > 8 {
		things = s.things()
	}
	var fresh []Event
	for i := range events {
		e := &events[i]
		raises := e.Corruption > highest.Corruption || e.Secret > highest.Secret
		most := maxLabels
		if max(e.Corruption, e.Secret) <= weak {
			most = maxWeak
		}
		if !s.has(e, things) && (raises || len(s.Labels)+len(fresh) < most) {
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
	told := map[string]bool{}
	for i := range s.Labels {
		switch l := &s.Labels[i]; {
		case !l.Pending:
		case !l.Asked:
			return nil
		case !told[l.Use]:
			told[l.Use] = true
			events = append(events, Event{Kind: Refused, Use: l.Use})
		}
	}
	return events
}
