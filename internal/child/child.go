// Package child runs a program for its answer: it hands over an input and
// takes what comes back, within a time and a size. Whatever a program does
// (it hangs, floods, dies, leaves others behind) the caller goes on in time.
package child

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// Command is a program and what it is given. Nothing comes from this process's
// own environment.
type Command struct {
	Path  string   // absolute
	Args  []string // without the program's name
	Env   []string // "NAME=value"; nil = none at all
	Dir   string   // "" = this process's
	Input []byte

	Limit   int           // of the output, in bytes
	Timeout time.Duration // from the start to the end of the output
}

// The errors of a program that was started, for errors.Is. Others are of
// starting it.
var (
	ErrTimeout  = errors.New("no answer in time")
	ErrTooLarge = errors.New("the answer is too large")
)

// ExitError is the error of a program that ended with another status than 0.
type ExitError struct{ State string }

func (e *ExitError) Error() string { return e.State }

// Run starts the program and returns what it writes to its standard output.
// It returns no output with an error.
func Run(c Command) ([]byte, error) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	data, state, err := both(c, null)
	if err != nil {
		return nil, err
	}
	if !state.Success() {
		return nil, &ExitError{state.String()}
	}
	return data, nil
}

// Output is all that a program leaves behind.
type Output struct {
	Stdout, Stderr []byte
	Exit           int // the status; -1 where a signal has ended it
}

// Try runs the program as Run does, for a caller to whom its status and its
// standard error are part of the answer. Of the latter no more is kept than the
// limit.
func Try(c Command) (Output, error) {
	complaints, complain, err := os.Pipe()
	if err != nil {
		return Output{}, err
	}
	defer complaints.Close()
	complaints.SetDeadline(time.Now().Add(c.Timeout)) // where that can't be, the program's end is the end
	stderr := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(io.LimitReader(complaints, int64(c.Limit))) // what is there by then
		stderr <- data
	}()
	data, state, err := both(c, complain)
	complain.Close()
	o := Output{Stdout: data, Stderr: <-stderr}
	if err != nil {
		return Output{}, err
	}
	o.Exit = state.ExitCode()
	return o, nil
}

// both is what they have in common. It returns no output with an error.
func both(c Command, stderr *os.File) ([]byte, *os.ProcessState, error) {
	deadline := time.Now().Add(c.Timeout)
	in, feed, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer feed.Close()
	out, answer, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	defer out.Close()
	env := c.Env
	if env == nil {
		env = []string{} // nil would be this process's own
	}
	process, err := system.StartGroup(c.Path, append([]string{c.Path}, c.Args...), &os.ProcAttr{
		Dir:   c.Dir,
		Env:   env,
		Files: []*os.File{in, answer, stderr},
	})
	in.Close()
	answer.Close()
	if err != nil {
		return nil, nil, err
	}
	defer process.Close()
	// Where pipes have no deadlines, the program's end is the end of what is waited for.
	if err := errors.Join(feed.SetDeadline(deadline), out.SetDeadline(deadline)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		kill(process)
		return nil, nil, err
	}
	late := time.AfterFunc(time.Until(deadline), process.End)
	go func() {
		feed.Write(c.Input) // a program may answer without reading all of it
		feed.Close()
	}()
	data, err := read(out, c.Limit)
	if err != nil {
		late.Stop()
		kill(process)
		return nil, nil, err
	}
	state, err := process.Wait() // it has closed its output, which is not yet its end
	switch inTime := late.Stop(); {
	case err != nil:
		return nil, nil, err
	case !inTime:
		return nil, nil, ErrTimeout
	}
	return data, state, nil
}

func kill(process *system.Group) {
	process.End()
	process.Wait()
}

func read(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, ErrTimeout
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case len(data) > limit:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return data, nil
}
