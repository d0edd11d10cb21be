package serve

import (
	"context"
	"errors"
)

func (s *Server) socket(ctx context.Context) error { return errors.New("not built") }
