package serve

import (
	"errors"
	"io"

	"github.com/bashgate/bashgate/internal/cli"
)

func printUnits(w io.Writer, f *cli.ServeFlags) error { return errors.New("not built") }
