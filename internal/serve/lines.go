package serve

import (
	"context"
	"errors"
)

// stdio answers the lines of standard input.
func (s *Server) stdio(ctx context.Context) error { return errors.New("not built") }

// socket answers the lines of every connection to the unix socket.
func (s *Server) socket(ctx context.Context) error { return errors.New("not built") }
