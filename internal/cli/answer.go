package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/policy"
)

const answerHelp = `answer gives the answer of a notice: approve or deny, as its token says.

Usage:
  bashgate answer TOKEN
  bashgate answer -

[notify] in config.toml names a program that is told of each question that
waits. It is handed two signed tokens, one that approves and one that denies.
Whoever holds one can give that answer, once, while the question waits. With -
tokens are read from standard input, one a line, until it ends: for programs
that listen.

A token that was changed, or made by somebody else, does nothing.

Example:
  $ bashgate answer \
      AVJTQ00CAAAAAGsE7apNKhDndjHsS1SRX5xoJETkUy63ivytjE_w4bX7VgJl6g
  RSCM is approved
`

func answerCommand() command {
	return command{
		name:    "answer",
		summary: "give the answer of a notice's token",
		help:    answerHelp,
		setup: func(*flag.FlagSet) func(*Process, []string) (int, error) {
			return func(p *Process, args []string) (int, error) {
				if len(args) != 1 {
					return 0, usagef("bashgate answer TOKEN, or - to read them from standard input", "answer takes one token, found %d", len(args))
				}
				queue, err := p.Requests()
				if err != nil {
					return 0, err
				}
				if args[0] == "-" {
					return p.answerEach(queue)
				}
				return exitOK, p.answer(queue, args[0])
			}
		},
	}
}

// maxToken is how long a line of tokens may be, in bytes.
const maxToken = 4 << 10

// answerEach reads tokens, a line each, and complains about those that do nothing,
// however long: others may write to where they come from. The status tells whether
// there was one.
func (p *Process) answerEach(queue approval.Queue) (int, error) {
	status := exitOK
	for lines := bufio.NewReaderSize(p.Stdin, maxToken); ; {
		line, err := lines.ReadSlice('\n')
		token := strings.TrimSpace(string(line))
		for errors.Is(err, bufio.ErrBufferFull) { // what is left of it is no line
			_, err = lines.ReadSlice('\n')
		}
		if token != "" {
			if wrong := p.answer(queue, token); wrong != nil {
				status = exitError
				p.finish(status, wrong)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return status, nil
		case err != nil:
			return status, err
		}
	}
}

// answer gives the answer of a token.
func (p *Process) answer(queue approval.Queue, token string) error {
	code, to, err := queue.Check(token)
	if err == nil {
		var r *approval.Request
		if r, err = queue.Request(code); err == nil { // and no other that has its code by then
			_, err = p.Resolve(code, approval.Answer{State: to, By: p.noticed(), Channel: "notice", Sum: r.Sum()}, false)
		}
	}
	var ended *approval.EndedError
	switch {
	case errors.As(err, &ended):
		return usagef("bashgate pending lists what waits", "%s", policy.Visible(ended.Error()))
	case errors.Is(err, approval.ErrToken):
		return usagef("a token is all that the notice held, and counts where the question waits", "%s", err)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s is %s\n", code, to)
	return err
}

// noticed is who answers by a notice: whoever it was sent to.
func (p *Process) noticed() string {
	if user := p.Getenv("USER"); user != "" {
		return user + " by a notice"
	}
	return "a person by a notice"
}
