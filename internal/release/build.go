package main

import (
	"os"
	"os/exec"
)

// cold are packages that are not inlined, which makes a program a tenth smaller
// and no answer later: a hook spends its time in starting. Not among them are those
// of ours with errors of their own, which only inlining makes before the program
// runs.
var cold = []string{
	"github.com/bashgate/bashgate/engine", "github.com/bashgate/bashgate/gates",
	"github.com/bashgate/bashgate/gates/javascript", "github.com/bashgate/bashgate/gates/python",
	"github.com/bashgate/bashgate/gen", "github.com/bashgate/bashgate/internal/audit",
	"github.com/bashgate/bashgate/internal/cli", "github.com/bashgate/bashgate/internal/code",
	"github.com/bashgate/bashgate/internal/config", "github.com/bashgate/bashgate/internal/doctor",
	"github.com/bashgate/bashgate/internal/edit", "github.com/bashgate/bashgate/internal/export",
	"github.com/bashgate/bashgate/internal/history", "github.com/bashgate/bashgate/internal/host",
	"github.com/bashgate/bashgate/internal/install", "github.com/bashgate/bashgate/internal/javascript",
	"github.com/bashgate/bashgate/internal/learn", "github.com/bashgate/bashgate/internal/manual",
	"github.com/bashgate/bashgate/internal/mask", "github.com/bashgate/bashgate/internal/match",
	"github.com/bashgate/bashgate/internal/python", "github.com/bashgate/bashgate/internal/replay",
	"github.com/bashgate/bashgate/internal/ruleset", "github.com/bashgate/bashgate/internal/settings",
	"github.com/bashgate/bashgate/internal/shell", "github.com/bashgate/bashgate/internal/task", "github.com/bashgate/bashgate/internal/toml",
	"github.com/bashgate/bashgate/internal/wire", "github.com/bashgate/bashgate/policy",
	"github.com/bashgate/bashgate/internal/disk", "github.com/bashgate/bashgate/internal/interp",
	"github.com/bashgate/bashgate/internal/expect", "github.com/bashgate/bashgate/internal/layout",
	"encoding/json", "os", "path/filepath", "net/url", "encoding/base64", "fmt", "reflect", "regexp", "regexp/syntax", "slices", "sort", "strconv", "time",
	"github.com/pelletier/go-toml/v2/unstable", "github.com/tailscale/hujson",
	"github.com/tdewolff/parse/v2", "github.com/tdewolff/parse/v2/js", "mvdan.cc/sh/v3/syntax",
}

// goBuild runs go build with the flags of a release, further arguments and
// variables.
func goBuild(args []string, env ...string) error {
	flags := []string{"build", "-trimpath"}
	for _, name := range cold {
		flags = append(flags, "-gcflags="+name+"=-l")
	}
	// With cgo the binary would be dynamic, which makes a hook take 1.7 times
	// as long.
	return run("go", append(flags, args...), append(env, "CGO_ENABLED=0")...)
}

// run runs a program that prints where this one does.
func run(name string, args []string, env ...string) error {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}
