//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/bashgate/bashgate/internal/spawn"
)

// build compiles bashgate as it is released, and the program to compare with.
func (b *bench) build() error {
	var err error
	if b.hello, err = spawn.Hello(b.dir); err != nil {
		return err
	}
	b.gate = filepath.Join(b.dir, "bashgate")
	if err := spawn.Build(b.gate, "./cmd/bashgate"); err != nil {
		return err
	}
	info, err := os.Stat(b.gate)
	if err != nil {
		return err
	}
	b.table.atMost(7, float64(info.Size())/1e6, "MB", "binary", "")
	return nil
}

// times is for the last column of the table.
func times(p *spawn.Process) string {
	return fmt.Sprintf("%.2f ms CPU, %.2f ms on the clock", ms(p.CPU()), ms(p.Wall()))
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func median(list []time.Duration) time.Duration {
	return spawn.Middle(list, func(d time.Duration) time.Duration { return d })
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
