// Package serve is bashgate for others than hooks: programs that hand their events
// over as lines of JSON, containers that share a directory, and a person at a page
// in a browser. All of them get the decisions that a hook would get.
package serve

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/host"
)

// Server serves until its context ends. The zero value serves nothing.
type Server struct {
	Process *cli.Process

	Stdio   bool          // lines of JSON on standard input and output
	Socket  string        // path of a unix socket for the same; "" = none
	Folders []string      // directories in which containers put their questions: "DIR" or "DIR=WORKSPACE"
	Page    string        // address of the page, on loopback: "127.0.0.1:0"; "" = none
	Open    bool          // print the page's one-time link, and open a browser
	Idle    time.Duration // how long nothing happens until it ends; 0 = for ever

	Life time.Duration // how long a question of a folder waits for a person; 0 = approval.RequestLife

	clients   sync.WaitGroup
	idle      idle
	program   program
	activated bool // systemd has opened the socket

	deciding func(gone <-chan struct{}, q *host.Question, wait time.Duration) cli.Reply // nil = the process; for tests
}

// Run is `bashgated serve`: it parses its flags, serves until a signal ends it, and
// returns the exit status, as the command's do.
func Run(p *cli.Process) int { return cli.Serve(p, run) }

func run(p *cli.Process, f *cli.ServeFlags) error {
	if f.Print != "" {
		return printUnits(p.Stdout, p, f.Print)
	}
	s := Server{Process: p, Stdio: f.Stdio, Socket: f.Socket, Folders: f.Folders, Page: f.Page, Open: f.Open, Idle: f.Idle}
	s.activated = p.Getenv("LISTEN_PID") == strconv.Itoa(os.Getpid()) // else it is another process's
	if s.Open && s.Page == "" {
		s.Page = "127.0.0.1:0"
	}
	if !s.activated && !s.Stdio && s.Socket == "" && s.Folders == nil && s.Page == "" {
		path, err := p.Socket()
		if err != nil {
			return err
		}
		s.Socket = path
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	return s.Serve(ctx)
}

// errDone ends the server without being an error.
var errDone = errors.New("done")

// Serve runs all parts until one of them ends, or the context does.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	parts := []func(context.Context) error{}
	if s.Stdio {
		parts = append(parts, s.stdio)
	}
	if s.Socket != "" || s.activated {
		parts = append(parts, s.socket)
	}
	for _, dir := range s.Folders {
		parts = append(parts, func(ctx context.Context) error { return s.folder(ctx, dir) })
	}
	if s.Page != "" {
		parts = append(parts, s.page)
	}
	if len(parts) == 0 {
		return errors.New("nothing to serve")
	}
	if s.Idle > 0 {
		stop := s.idle.watch(s.Idle, func() { cancel(errDone) })
		defer stop()
	}
	for _, part := range parts {
		s.clients.Go(func() {
			if err := part(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	s.clients.Wait()
	switch err := context.Cause(ctx); {
	case errors.Is(err, errDone), errors.Is(err, context.Canceled):
		return nil
	default:
		return err
	}
}

// idle knows since when nothing happens.
type idle struct {
	lock  sync.Mutex
	busy  int // how many things happen
	since time.Time
}

// begin says that something happens until end is called: a client is connected, a
// question waits.
func (i *idle) begin() (end func()) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.busy++
	return sync.OnceFunc(func() {
		i.lock.Lock()
		defer i.lock.Unlock()
		i.busy--
		i.since = time.Now()
	})
}

// watch calls over once nothing has happened for so long, unless it is stopped
// before.
func (i *idle) watch(limit time.Duration, over func()) (stop func()) {
	i.since = time.Now()
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(max(limit/10, time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			i.lock.Lock()
			still := i.busy == 0 && time.Since(i.since) >= limit
			i.lock.Unlock()
			if still {
				over()
				return
			}
		}
	}()
	return sync.OnceFunc(func() { close(ended) })
}
