package cli

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

const serveHelp = `serve answers programs that are no command lines: an agent of your own, a
framework, a plugin. They send events as lines of JSON and get the decisions
that a hook would get. It runs until it is ended, in the foreground.

Usage:
  bashgate serve [FLAGS]

Without a flag that says what is served it is the socket.

Flags:
  --stdio          lines on standard input and output, for the program that
                   starts it; it ends with its input
  --socket PATH    lines on a unix socket, for programs of the same user
                   (default $XDG_RUNTIME_DIR/bashgate/s.sock, else s.sock in the
                   state directory)
  --folder DIR     the files that containers put into a directory; several times
                   for several directories. DIR=WORKSPACE: that directory is
                   theirs too, at the same path, and is looked at
  --page ADDR      the page for a person's browser, on loopback: 127.0.0.1:0
  --open           print the page's one-time link, and open a browser
  --idle TIME      end after so long without a client (default: never)
  --print UNIT     print what starts it when it is needed, and end: systemd or
                   launchd

Exit status: 0 ended, 1 failed, 2 used wrongly.

Example:
  $ echo '{"v":1,"id":"1","event":"before_tool_use","cwd":"/tmp",
      "tool":"shell","input":{"command":"rm -rf /"}}' | paste -s - |
      bashgate serve --stdio
  {"v":1,"id":"1","decision":"block","reason":"bashgate: A whole directory of...
`

// ServeFlags are those of serve. The zero value names nothing that is served.
type ServeFlags struct {
	Stdio   bool
	Socket  string   // a path; "" = none
	Folders []string // "DIR" or "DIR=WORKSPACE"
	Page    string   // an address; "" = none
	Open    bool
	Idle    time.Duration // 0 = it never ends by itself
	Print   string        // "systemd", "launchd"; "" = it serves
}

func (f *ServeFlags) declare(flags *flag.FlagSet) {
	flags.BoolVar(&f.Stdio, "stdio", false, "")
	flags.StringVar(&f.Socket, "socket", "", "PATH")
	flags.Func("folder", "DIR", func(dir string) error {
		f.Folders = append(f.Folders, dir)
		return nil
	})
	flags.StringVar(&f.Page, "page", "", "ADDR")
	flags.BoolVar(&f.Open, "open", false, "")
	flags.Var(&lapse{&f.Idle, longestIdle}, "idle", "TIME")
	flags.Var(&choice{to: &f.Print, words: []string{"systemd", "launchd"}}, "print", "UNIT")
}

// check reports flags that make no sense.
func (f *ServeFlags) check(operands []string) error {
	switch {
	case len(operands) > 0:
		return usagef("see bashgate serve --help", "serve takes no arguments, found %q", operands[0])
	case f.Page != "" && !strings.HasPrefix(f.Page, "127.0.0.1:") && !strings.HasPrefix(f.Page, "[::1]:"):
		return usagef("bashgate serve --page 127.0.0.1:0; port 0 is any that is free", "--page is an address of this machine alone, found %q", f.Page)
	}
	return nil
}

// longestIdle is how long a server may be told to wait for a client.
const longestIdle = 30 * 24 * time.Hour

func serveCommand() command { return serving(becomeServer) }

// serving is the subcommand, whoever does the work.
func serving(run func(*Process, *ServeFlags) (int, error)) command {
	return command{
		name:    "serve",
		summary: "answer programs, containers and a person's browser",
		help:    serveHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var f ServeFlags
			f.declare(flags)
			return func(p *Process, operands []string) (int, error) {
				if err := f.check(operands); err != nil {
					return exitUsage, err
				}
				return run(p, &f)
			}
		},
	}
}

// Serve is the subcommand in the program that serves: it reads the flags, and
// returns the exit status.
func Serve(p *Process, run func(*Process, *ServeFlags) error) int {
	c := serving(func(p *Process, f *ServeFlags) (int, error) { return exitOK, run(p, f) })
	return p.finish(c.run(p, p.Args))
}

// becomeServer makes the process bashgated, which may speak to networks.
func becomeServer(p *Process, _ *ServeFlags) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return exitError, errors.New("where bashgated is can't be told")
	}
	path := filepath.Join(filepath.Dir(self), "bashgated")
	if _, err := os.Stat(path); err != nil {
		return exitError, errors.New("bashgated, which serves, is not beside bashgate: " + policy.Visible(p.home(path)) + "; make install, packages and go install .../cmd/bashgated put it there")
	}
	become, environ := replace, os.Environ
	if p.Exec != nil {
		become = p.Exec
	}
	if p.Environ != nil {
		environ = p.Environ
	}
	return exitError, become(path, append([]string{path}, p.Args...), environ())
}

// Socket is the socket's path where none is named.
func (p *Process) Socket() (string, error) {
	if dir := p.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "bashgate", "s.sock"), nil
	}
	store, err := session.Open(p.Getenv)
	return filepath.Join(store.Dir, "s.sock"), err
}

// Limit is how long a decision may take.
func (p *Process) Limit() time.Duration { return p.patience() }
