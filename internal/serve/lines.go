package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"
)

// The limits of one client.
const (
	atWork     = 64       // lines that are answered at a time
	queuedSize = 16 << 20 // bytes of lines that are read and not answered
	queuedMost = 1024     // their number
)

// How long a client may take.
const (
	lineTime  = 30 * time.Second // from a line's first byte to its end
	writeTime = 30 * time.Second // to take an answer
	endTime   = 2 * time.Second  // that a decision has to be made once the server ends
)

// stdio answers the lines of standard input. It returns at its end.
func (s *Server) stdio(ctx context.Context) error {
	c := client{server: s, in: s.Process.Stdin, out: s.Process.Stdout}
	c.serve(ctx)
	return errDone
}

// client is somebody who sends lines, and gets a line for each of them.
type client struct {
	server *Server
	in     io.Reader
	out    io.Writer
	limits limits // nil = nothing limits how long it may take

	turns   chan struct{} // atWork at a time
	gone    chan struct{} // closed once its lines have ended
	working sync.WaitGroup

	lock    sync.Mutex
	waiting map[string]bool // ids of lines that are not answered
	size    int             // of those, in bytes
	ended   bool            // no line counts any more

	writing sync.Mutex
	closed  bool // nothing is sent any more
}

// limits are the deadlines of a connection.
type limits interface {
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
	Close() error
}

// serve answers lines until they end, or the context does. It returns once those
// that were read are answered.
func (c *client) serve(ctx context.Context) {
	c.turns, c.gone, c.waiting = make(chan struct{}, atWork), make(chan struct{}), map[string]bool{}
	done := make(chan struct{})
	go func() {
		c.read(ctx)
		c.end()
		close(c.gone)
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		c.end()
	}
	c.working.Wait()
}

// end makes that no further line counts.
func (c *client) end() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.ended = true
}

// read takes the client's lines.
func (c *client) read(ctx context.Context) {
	in := bufio.NewReader(c.in)
	for {
		if _, err := in.Peek(1); err != nil { // a client may be silent for as long as it likes
			return
		}
		c.deadline(lineTime)
		line, err := readLine(in)
		switch {
		case errors.Is(err, errLarge):
			c.write(failure("", &fault{faultLarge, fmt.Sprintf("a line of more than %d bytes", maxLine)}))
			return
		case err != nil && len(line) > 0:
			c.write(failure("", &fault{faultJSON, "the line has no end"}))
			return
		case err != nil:
			return
		}
		c.deadline(0)
		if !c.take(ctx, line) {
			return
		}
	}
}

func (c *client) deadline(d time.Duration) {
	switch {
	case c.limits == nil:
	case d == 0:
		c.limits.SetReadDeadline(time.Time{})
	default:
		c.limits.SetReadDeadline(time.Now().Add(d))
	}
}

var errLarge = errors.New("too large")

// readLine returns a line without its end. With an error it returns what there is
// of it, unless it is too large.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine+1 {
			return nil, errLarge
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// take has a line answered, and reports whether the next one may be read.
func (c *client) take(ctx context.Context, line []byte) bool {
	q, bad := parse(line)
	size := len(line)
	c.lock.Lock()
	switch {
	case c.ended:
		bad = &fault{faultStopping, "the server ends"}
	case q.id != "" && c.waiting[q.id]:
		// Of two answers with one id nobody knows which is whose.
		c.lock.Unlock()
		c.hangUp(failure(q.id, &fault{faultID, "the id of a line that is not answered yet"}))
		return false
	case bad == nil && (len(c.waiting) >= queuedMost || c.size+size > queuedSize && len(c.waiting) > 0):
		bad = &fault{faultBusy, "too many lines are not answered yet"}
	case bad == nil && !q.hello:
		c.waiting[q.id] = true
		c.size += size
		c.working.Add(1)
	}
	c.lock.Unlock()
	switch {
	case bad != nil:
		return c.write(failure(q.id, bad)) && bad.code != faultStopping
	case q.hello:
		return c.write(c.server.greeting(q.id))
	}
	go func() {
		defer c.working.Done()
		c.turns <- struct{}{}
		text := c.decide(ctx, &q, func() { <-c.turns })
		c.lock.Lock()
		delete(c.waiting, q.id)
		c.size -= size
		c.lock.Unlock()
		c.write(text)
	}()
	return true
}

// decide returns the answer to a question, in time. Left is called once nothing is
// done for it any more, which may be later.
func (c *client) decide(ctx context.Context, q *question, left func()) []byte {
	answered := make(chan []byte, 1)
	go func() {
		defer left()
		answered <- c.server.decide(c.gone, q)
	}()
	late := time.NewTimer(c.server.Process.Limit() + q.wait)
	defer late.Stop()
	ends := ctx.Done()
	for {
		select {
		case text := <-answered:
			return text
		case <-ends:
			ends = nil
			late.Reset(endTime)
		case <-late.C:
			if ctx.Err() != nil {
				return failure(q.id, &fault{faultStopping, "the server ends, and nothing is decided"})
			}
			return failure(q.id, &fault{faultLate, "no decision in time"})
		}
	}
}

// decide returns the answer to a question. A panic is one too.
func (s *Server) decide(gone <-chan struct{}, q *question) (text []byte) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(s.Process.Stderr, "bashgate: error: internal error: %v\nbashgate: hint: please report this with the command and what follows\n%s", cause, debug.Stack())
			text = failure(q.id, &fault{faultInternal, fmt.Sprintf("internal error: %v", cause)})
		}
	}()
	decide := s.Process.DecideFor
	if s.deciding != nil {
		decide = s.deciding
	}
	r := decide(gone, &q.event, q.wait)
	return answer(q.id, &r, q.event.Request.Unattended)
}

// write sends a line, and reports whether that was possible.
func (c *client) write(line []byte) bool {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.send(line)
}

// hangUp sends a last line, after which nothing is answered.
func (c *client) hangUp(line []byte) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.send(line) {
		c.close()
	}
}

// send sends a line for somebody who has locked writing.
func (c *client) send(line []byte) bool {
	if c.closed {
		return false
	}
	if c.limits != nil {
		c.limits.SetWriteDeadline(time.Now().Add(writeTime))
	}
	if _, err := c.out.Write(line); err != nil {
		c.close() // half of a line is no answer
		return false
	}
	return true
}

// close ends what can be ended of a connection, for somebody who has locked
// writing.
func (c *client) close() {
	c.closed = true
	c.end()
	if c.limits != nil {
		c.limits.Close()
	}
}
