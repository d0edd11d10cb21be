package session

import (
	"fmt"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
)

func BenchmarkReadEvents(b *testing.B) {
	var text []byte
	for range 20 {
		text = append(text, lines(sample[1])...)
	}
	b.ReportAllocs()
	record := string(text)
	for b.Loop() {
		if _, n, err := eventsOf(record); n != 20 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkReadFiles looks files up among 20,000 that sessions have written.
func BenchmarkReadFiles(b *testing.B) {
	for _, reads := range []int{1, 100} {
		b.Run(fmt.Sprint(reads), func(b *testing.B) {
			s := Store{Dir: b.TempDir()}
			var events []Event
			for i := range 20000 {
				events = append(events, Event{At: time.Now(), Kind: Wrote, Corruption: 2, What: fmt.Sprintf("/srv/project/src/dir%d/file%d.go", i%100, i), Session: "claude-7bca2281-2543-420a-a598-11a4a4186e50", Before: absent})
			}
			if err := s.files().write(events); err != nil {
				b.Fatal(err)
			}
			var places []engine.Place
			for i := range reads {
				places = append(places, engine.Place{Path: fmt.Sprintf("/srv/project/src/dir%d/file%d.go", i%100, 19900+i%100), Pattern: false})
			}
			nodes := make([]engine.Node, 1)
			b.ReportAllocs()
			for b.Loop() {
				nodes[0] = engine.Node{Reads: places}
				s.ReadFiles(nodes, 2)
			}
		})
	}
}
