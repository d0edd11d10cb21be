// Release builds programs as they are released: static, without paths and
// symbols, and without inlining in the packages whose speed nobody feels,
// which saves 380 kB of what a hook's process maps. Its arguments go to go
// build.
//
//	go run ./internal/release -o bin/ ./cmd/bashgate
package main

import (
	"fmt"
	"os"
	"os/exec"
)

// cold are packages that a hook's usual answer spends little time in. Not among
// them are those of ours with errors of their own, which only inlining makes
// before the program runs.
var cold = []string{
	"github.com/bashgate/bashgate/gates", "github.com/bashgate/bashgate/gen",
	"github.com/bashgate/bashgate/internal/audit", "github.com/bashgate/bashgate/internal/cli",
	"github.com/bashgate/bashgate/internal/config", "github.com/bashgate/bashgate/internal/doctor",
	"github.com/bashgate/bashgate/internal/edit", "github.com/bashgate/bashgate/internal/export",
	"github.com/bashgate/bashgate/internal/host", "github.com/bashgate/bashgate/internal/install",
	"github.com/bashgate/bashgate/internal/mask", "github.com/bashgate/bashgate/internal/ruleset",
	"github.com/bashgate/bashgate/internal/settings", "github.com/bashgate/bashgate/internal/toml",
	"github.com/bashgate/bashgate/internal/task",
	"github.com/bashgate/bashgate/internal/wire",
	"encoding/json", "fmt", "reflect", "regexp", "regexp/syntax", "slices", "sort", "strconv", "time",
	"github.com/pelletier/go-toml/v2/unstable", "github.com/tailscale/hujson",
}

func main() {
	args := []string{"build", "-trimpath", "-ldflags=-s -w"}
	for _, name := range cold {
		args = append(args, "-gcflags="+name+"=-l")
	}
	build := exec.Command("go", append(args, os.Args[1:]...)...)
	// With cgo the binary would be dynamic, which makes a hook take 1.7 times
	// as long.
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "release: error:", err)
		os.Exit(1)
	}
}
