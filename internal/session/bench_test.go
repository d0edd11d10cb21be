package session

import (
	"fmt"
	"testing"

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
		if _, n, err := readEvents(record); n != 20 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkReadFiles looks a file up among 2000 that tainted sessions have
// written.
func BenchmarkReadFiles(b *testing.B) {
	s := Store{Dir: b.TempDir()}
	var places []engine.Place
	for i := range 2000 {
		places = append(places, engine.Place{Path: fmt.Sprintf("/srv/project/src/some/dir/file%d.go", i)})
	}
	if err := s.Keep([][]engine.Place{places}, engine.Taint{Corruption: 2}, "claude-s"); err != nil {
		b.Fatal(err)
	}
	nodes := make([]engine.Node, 1)
	b.ReportAllocs()
	for b.Loop() {
		nodes[0] = engine.Node{Reads: []engine.Place{{Path: "/srv/project/src/some/dir/file1999.go"}}}
		s.ReadFiles(nodes)
		if len(nodes[0].Sights) != 1 {
			b.Fatal(nodes[0].Sights)
		}
	}
}
