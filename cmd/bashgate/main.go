// Nobody waits for more processors than there were at the start: looking for them
// takes a fiftieth of a hook's time.
//
//go:debug updatemaxprocs=0

// Bashgate decides allow, ask or block for every shell command that a coding
// agent wants to run. Without arguments it is the agent's hook; `bashgate help`
// tells the rest.
package main

import (
	"os"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/system"
)

func main() {
	deepen(false)
	os.Exit(cli.Run(process(system.Admin())))
}

// process is this process, with the administrator's files in a directory.
func process(admin string) *cli.Process {
	return &cli.Process{
		Name:      os.Args[0],
		Args:      os.Args[1:],
		Stdin:     os.Stdin,
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
		Getenv:    system.Getenv,
		Getwd:     os.Getwd,
		Exit:      os.Exit,
		SystemDir: admin,
	}
}
