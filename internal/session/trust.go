package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// damaged begins what is said of a record that can't be trusted. No label begins
// so.
const damaged = "a record that can't be trusted: "

// String is the label in words: "corruption 2: WebFetch example.org".
func (l *Label) String() string { return levels(l.Corruption, l.Secret) + ": " + l.What }

// Levels says in words how much of which kind an event tells: "corruption 2, secret
// 1".
func (e *Event) Levels() string { return levels(e.Corruption, e.Secret) }

func levels(corruption, secret int) string {
	var list []string
	if corruption > 0 {
		list = append(list, "corruption "+strconv.Itoa(corruption))
	}
	if secret > 0 {
		list = append(list, "secret "+strconv.Itoa(secret))
	}
	return strings.Join(list, ", ")
}

// Seen lists in words, sorted, what a session has seen that counts from a level on,
// each thing once, and that its record is damaged. What a person vouches for stands
// among it, too: an answer that holds for all this holds after that as well.
func (s *State) Seen(from int) []string {
	var list []string
	for i := range s.Labels {
		if l := &s.Labels[i]; max(l.Corruption, l.Secret) >= from {
			list = append(list, l.String())
		}
	}
	if s.Damage != "" {
		list = append(list, damaged+s.Damage)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Trustable reports whether a person can vouch for what Seen has listed: for
// something, and for all of it.
func Trustable(seen []string) bool {
	return len(seen) > 0 && !slices.ContainsFunc(seen, func(text string) bool { return strings.HasPrefix(text, damaged) })
}

// Trust makes things that a session has seen count no more, on the word of a person:
// those that Seen lists in these words, and no others. Neither do they where they
// are seen again, at no higher level, in the same session; in a copy of it they do.
// The record keeps them. It is an error where it is damaged; what it does not hold is
// left out.
func (s Store) Trust(name, by string, seen []string) error {
	state := s.Read(name)
	if state.Damage != "" {
		return errors.New(damaged + state.Damage)
	}
	var events []Event
	for i := range state.Labels {
		if l := &state.Labels[i]; l.Trusted == "" && slices.Contains(seen, l.String()) && !slices.ContainsFunc(events, func(e Event) bool {
			return e.What == l.What && e.Corruption == l.Corruption && e.Secret == l.Secret
		}) {
			events = append(events, Event{Kind: Trusted, Corruption: l.Corruption, Secret: l.Secret, What: l.What, Why: by})
		}
	}
	return s.Append(name, events...)
}
