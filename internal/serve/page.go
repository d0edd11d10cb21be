package serve

import (
	"context"
	"errors"
)

// page serves a person's browser on loopback.
func (s *Server) page(ctx context.Context) error { return errors.New("not built") }
