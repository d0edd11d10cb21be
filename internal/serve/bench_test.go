//go:build unix

package serve

import (
	"fmt"
	"testing"
)

// BenchmarkRoundTrip is one decision over the socket.
func BenchmarkRoundTrip(b *testing.B) {
	s := Server{Process: process(b)}
	c := dial(b, served(b, &s))
	c.send(b, begin)
	c.answer(b)
	n := 0
	for b.Loop() {
		n++
		c.send(b, command(fmt.Sprint(n), "git status && go test ./...", `,"attended":true`))
		c.answer(b)
	}
}
