// Bashgated is the part of bashgate that talks to others. The hook starts
// `bashgated cop` when a language model shall review a command: it reads one
// call from standard input, carries it to the provider, and writes one reply.
// `bashgated serve` is what `bashgate serve` becomes.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/provider"
	"github.com/bashgate/bashgate/internal/serve"
	"github.com/bashgate/bashgate/internal/system"
)

// maxCall is how large a call may be, in bytes.
const maxCall = 1 << 20

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		os.Exit(serve.Run(process(system.Admin())))
	}
	if len(os.Args) != 2 || os.Args[1] != "cop" {
		fmt.Fprintln(os.Stderr, "bashgated: error: bashgate starts this program by itself: `bashgated cop` reads a call and writes a reply")
		os.Exit(2)
	}
	os.Clearenv() // no variable may name a proxy, a certificate or another address
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bashgated: error:", err)
		os.Exit(1)
	}
}

// process is this process, with the administrator's files in a directory.
func process(admin string) *cli.Process {
	return &cli.Process{
		Name:      os.Args[0],
		Args:      os.Args[2:],
		Stdin:     os.Stdin,
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
		Getenv:    system.Getenv,
		Getwd:     os.Getwd,
		Exit:      os.Exit,
		SystemDir: admin,
	}
}

func run(in io.Reader, out io.Writer) error {
	data, err := io.ReadAll(io.LimitReader(in, maxCall+1))
	if err != nil {
		return fmt.Errorf("reading the call: %w", err)
	}
	if len(data) > maxCall {
		return fmt.Errorf("a call of more than %d bytes", maxCall)
	}
	call, err := cop.DecodeCall(data)
	if err != nil {
		return fmt.Errorf("reading the call: %w", err)
	}
	_, err = out.Write(provider.Answer(context.Background(), call).Encode())
	return err
}
