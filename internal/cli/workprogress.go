package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/replay"
)

// workProgress tells on a terminal how far long work has come, and how fast;
// nothing elsewhere.
type workProgress struct {
	out         *os.File
	verb, unit  string
	done, total int
	start, last time.Time
}

func newWorkProgress(p *Process) *workProgress {
	f, ok := p.Stderr.(*os.File)
	if !ok || !isTerminal(f) {
		return &workProgress{}
	}
	return &workProgress{out: f}
}

// begin begins a part of the work.
func (b *workProgress) begin(verb, unit string, total int) {
	b.verb, b.unit, b.total, b.done = verb, unit, total, 0
	b.start = time.Now()
	b.last = b.start
}

// step tells that n more are done. The line is written a few times a second.
func (b *workProgress) step(n int) {
	b.done += n
	if b.out == nil {
		return
	}
	now := time.Now()
	if now.Sub(b.last) < 100*time.Millisecond {
		return
	}
	b.last = now
	const width = 30
	full := min(int(float64(b.done)*width/float64(max(b.total, 1))), width)
	perSecond := int(float64(b.done) / now.Sub(b.start).Seconds())
	fmt.Fprintf(b.out, "\r\x1b[K[%s%s] %s: %s of %s %s, %s a second", strings.Repeat("#", full), strings.Repeat("-", width-full),
		b.verb, replay.Thousands(b.done), replay.Thousands(b.total), b.unit, replay.Thousands(perSecond))
}

// end takes the line away.
func (b *workProgress) end() {
	if b.out != nil {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
