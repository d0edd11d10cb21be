package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bashgate/bashgate/engine"
)

// plainFold is fold as it is meant: each event looks at all labels.
func plainFold(events []Event) (labels, refused []Label) {
	for i := range events {
		e := &events[i]
		of := func(l Label) bool { return l.Pending && l.Use == e.Use }
		switch e.Kind {
		case Seen:
			labels = append(labels, newLabel(e, ""))
		case Ran:
			for k := range labels {
				labels[k].Pending = labels[k].Pending && labels[k].Use != e.Use
			}
			for _, l := range refused {
				if l.Use == e.Use {
					l.Pending = false
					labels = append(labels, l)
				}
			}
			refused = slices.DeleteFunc(refused, of)
		case Refused:
			for _, l := range labels {
				if of(l) && l.Asked {
					refused = append(refused, l)
				}
			}
			labels = slices.DeleteFunc(labels, func(l Label) bool { return of(l) && l.Asked })
		case Denied:
			labels = slices.DeleteFunc(labels, of)
		case Cleared:
			labels, refused = nil, nil
		}
	}
	return labels, refused
}

// fold makes a state of a session's events.
func fold(events []Event) State {
	var f folding
	for i := range events {
		f.event(&events[i], "")
	}
	return f.end()
}

func TestFold(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []Kind{Seen, Seen, Seen, Ran, Refused, Denied}
	for range 300 {
		var events []Event
		for k := range random.IntN(60) {
			e := Event{Kind: kinds[random.IntN(len(kinds))], Corruption: 1 + random.IntN(3), What: fmt.Sprint("thing ", k), Asked: random.IntN(2) == 0}
			if u := random.IntN(6); u > 0 {
				e.Use = fmt.Sprint("use", u)
			}
			if random.IntN(50) == 0 {
				e = Event{Kind: Cleared}
			}
			events = append(events, e)
		}
		s := fold(events)
		labels, refused := plainFold(events)
		for _, list := range [...][]Label{s.Labels, s.refused} {
			for i := range list {
				list[i].earlier = 0 // is of no meaning any more
			}
		}
		if !slices.Equal(s.Labels, labels) || !slices.Equal(s.refused, refused) {
			t.Fatalf("%v\n%v, refused %v\nwant %v, refused %v", events, s.Labels, s.refused, labels, refused)
		}
		for _, e := range events {
			if s.has(&e, nil) != s.has(&e, s.things()) {
				t.Errorf("%v: among many labels it is %v whether a label says it", e, s.has(&e, s.things()))
			}
		}
	}
}

// What files lie near a place is found without a look at all of them.
func TestNearby(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		p := ""
		for range 1 + random.IntN(4) {
			p += "/" + []string{"a", "b", "ab", "a-b"}[random.IntN(4)]
		}
		return p
	}
	var found []entry
	for range 200 {
		found = append(found, entry{Event: Event{Kind: Wrote, What: name(), Pattern: random.IntN(10) == 0}})
	}
	found = append(found, entry{Event: Event{Kind: Wrote, What: nowhere}})
	list := newNearby(found)
	looked := 0
	for range 200 {
		p := engine.Place{Path: name()}
		near := &area{}
		near.add(p)
		of := list.of(&p)
		looked += len(of)
		if !slices.IsSorted(of) {
			t.Fatalf("%q: %v is not in order", p.Path, of)
		}
		for i := range found {
			if near.meets(&found[i].Event) && !slices.Contains(of, i) {
				t.Errorf("%q is not near %q", found[i].What, p.Path)
			}
		}
	}
	if most := 200 * len(found) / 2; looked > most {
		t.Errorf("%d entries were looked at for 200 places, want %d at most", looked, most)
	}
}
