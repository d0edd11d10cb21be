// Package serve is bashgate for others than hooks: programs that hand their events
// over as lines of JSON, containers that share a directory, and a person at a page
// in a browser. All of them get the decisions that a hook would get.
package serve

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
)

// Server serves until its context ends. The zero value serves nothing.
type Server struct {
	Process *cli.Process

	Stdio   bool          // lines of JSON on standard input and output
	Socket  string        // path of a unix socket for the same; "" = none
	Folders []string      // directories in which containers put their questions
	Page    string        // address of the page, on loopback: "127.0.0.1:0"; "" = none
	Open    bool          // print the page's one-time link, and open a browser
	Idle    time.Duration // how long nothing happens until it ends; 0 = for ever

	clients sync.WaitGroup
}

// Run is `bashgated serve`: it parses its flags, serves, and returns the exit
// status, as the command's do.
func Run(p *cli.Process) int {
	s := Server{Process: p}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&s.Stdio, "stdio", false, "")
	if err := flags.Parse(p.Args); err != nil {
		fmt.Fprintln(p.Stderr, "bashgate: error:", err)
		return 2
	}
	if err := s.Serve(context.Background()); err != nil {
		fmt.Fprintln(p.Stderr, "bashgate: error:", err)
		return 1
	}
	return 0
}

// Serve runs all parts until one fails, or the context ends.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	parts := []func(context.Context) error{}
	if s.Stdio {
		parts = append(parts, s.stdio)
	}
	if s.Socket != "" {
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
	for _, part := range parts {
		s.clients.Go(func() {
			if err := part(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	s.clients.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
