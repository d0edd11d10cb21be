package session

import "testing"

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
