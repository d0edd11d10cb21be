package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/policy"
)

// maxInput is how much the hook reads, in bytes. Ten megabytes must be
// answered; somewhere there has to be an end.
const maxInput = 16 << 20

// patience is how long the hook may take before it gives up and denies.
// Agents run the command when their own time limit ends, for which ten seconds
// are the least that people write down. A decision takes milliseconds; a
// reviewer and the user's checkers may need the rest.
const patience = 9500 * time.Millisecond

// runHook answers one event of an agent. Whatever goes wrong, the command is
// not allowed: what can't be understood is asked about, and where not even
// that can be said, exit status 2 with a text on standard error denies.
func runHook(p *Process) int {
	flags := newFlags("bashgate")
	name := flags.String("host", "", "")
	unattended := flags.Bool("unattended", false, "")
	version := flags.Bool("version", false, "")
	operands, err := parseFlags(flags, p.Args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return p.finish(help(p, nil))
	case err != nil:
		return p.finish(0, usagef("see bashgate help", "%s", err))
	case len(operands) > 0:
		return p.finish(0, usagef("see bashgate help", "the hook takes no arguments, found %q", operands[0]))
	case *version:
		return p.finish(printVersion(p, nil))
	case isTerminal(p.Stdin):
		return p.finish(0, usagef("see bashgate help", "the hook reads an agent's JSON, and standard input is a terminal"))
	}

	return within(p, patience, exitUsage, func() int { return hook(p, *name, *unattended) })
}

// within runs f and returns its exit status. If f panics that is failed; if it
// takes longer than limit the process ends with failed. The work stays on this
// goroutine, for another one would start another thread.
func within(p *Process, limit time.Duration, failed int, f func() int) (status int) {
	late := time.AfterFunc(limit, func() {
		p.complain(fmt.Sprintf("no decision within %v", limit), "")
		p.Exit(failed)
	})
	defer late.Stop()
	defer func() {
		if cause := recover(); cause != nil {
			p.complain(fmt.Sprintf("internal error: %v", cause), "please report this with the command and what follows")
			p.Stderr.Write(debug.Stack())
			status = failed
		}
	}()
	return f()
}

// hook reads an event, decides and answers. The name is the agent's, or "";
// unattended says that nobody can be asked, whatever the agent says.
func hook(p *Process, name string, unattended bool) int {
	start := time.Now()
	data, err := readAll(p.Stdin, maxInput)
	large := errors.As(err, new(*tooLarge))
	if err != nil && !large {
		p.complain("reading the agent's input: "+err.Error(), "")
		return exitUsage
	}
	dir, _ := p.Getwd() // without one the event's own must do
	in := host.Input{Data: data, Getenv: p.Getenv, Dir: dir}
	agent := host.Detect(in)
	if name != "" {
		named, err := host.Named(name)
		if err != nil {
			return p.finish(0, usagef("", "%s", err))
		}
		agent = named
	}
	question, badInput := agent.Read(in)
	if large {
		question.Event = host.None // the rest might say another one
	} else {
		err = badInput
	}
	var out []byte
	switch {
	case err != nil:
		what := policy.Visible(agent.Title + "'s input can't be understood: " + err.Error())
		p.complain(what, "")
		if question.Event > host.BeforeToolUse {
			return exitOK // nobody waits for an answer
		}
		question.Request.Unattended = question.Request.Unattended || unattended
		out = agent.Answer(misread(p, in, &question.Request, what))
	case question.Event == host.None:
		return exitOK
	case question.Event == host.BeforeToolUse:
		question.Request.Unattended = question.Request.Unattended || unattended
		out = agent.Answer(newGate(p, &question, start).before())
	default:
		return newGate(p, &question, start).after()
	}
	if _, err := p.Stdout.Write(out); err != nil {
		p.complain("writing the answer: "+err.Error(), "")
		return exitUsage
	}
	return exitOK
}

// misread answers an input that can't be understood. What may be the command in
// it is judged for blocks, by the rules alone; it is never allowed.
func misread(p *Process, in host.Input, r *engine.Request, what string) (policy.Decision, string) {
	// Modes and absent people turn questions into blocks, and most of these
	// texts are no commands.
	q := *r
	q.Mode, q.Unattended = "default", false
	if q.Workspace == "" {
		q.Workspace = q.Cwd
	}
	q.Settings = agentSettings(&q)
	j := newJudge(p)
	q.Command = ""
	nothing := j.evaluate(q)
	for _, q.Command = range host.Salvage(in) {
		if v := j.evaluate(q); v.Decision == policy.Block && !nothing.Silent {
			return policy.Block, reasonLine(&v) + "; " + what
		}
	}
	if r.Unattended || nothing.Silent { // whom to ask?
		return policy.Block, "bashgate: " + what
	}
	return policy.Ask, "bashgate: " + what
}

// onlyUnknown reports whether nothing is asked about but commands that no
// rule knows.
func onlyUnknown(reasons []engine.Reason) bool {
	for i := range reasons {
		if reasons[i].Counts() > policy.Allow && reasons[i].ID != "unknown-command" {
			return false
		}
	}
	return true
}

// reasonLine says in one line why: all reasons of the strictest decision, as
// long as they are few and short.
func reasonLine(v *engine.Verdict) string {
	if v.Decision == policy.Allow {
		return "bashgate: allowed by the rules"
	}
	const most, longest = 3, 300 // reasons, bytes of each
	reasons := []string{clip(v.Reason, longest)}
	more := 0
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if r.Counts() != v.Decision {
			break
		}
		text := clip(r.Text(), longest)
		if containsText(reasons, text) {
			continue
		}
		if len(reasons) == most {
			more++
			continue
		}
		reasons = append(reasons, text)
	}
	line := "bashgate: " + policy.Visible(strings.Join(reasons, "; "))
	if more > 0 {
		line += fmt.Sprintf("; and %s more", plural(more, "reason"))
	}
	return line
}

// clip cuts text after at most n bytes. It looks at no more than that.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "..."
}

// containsText reports whether one of the texts already says it.
func containsText(texts []string, text string) bool {
	for _, t := range texts {
		if strings.Contains(t, text) {
			return true
		}
	}
	return false
}

// tooLarge is the error of input over a limit, in bytes.
type tooLarge struct{ limit int }

func (e *tooLarge) Error() string { return fmt.Sprintf("it is larger than %d bytes", e.limit) }

// readAll reads a stream to its end; of more than limit bytes it returns the
// first ones and a *tooLarge error. The buffer grows in large steps, so that
// large inputs don't cost several times their size.
func readAll(r io.Reader, limit int) ([]byte, error) {
	data := make([]byte, 0, 8<<10)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > limit:
			return data[:limit], &tooLarge{limit}
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = append(make([]byte, 0, min(4*cap(data), limit+8<<10)), data...)
		}
	}
}
