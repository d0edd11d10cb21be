package doctor

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// trials are the commands that a hook is asked about: one that the rules allow,
// one that they ask about, one that they block. None of them is run.
var trials = [...]string{"git status", "git push", "rm -rf /"}

// maxAnswer is how much of a hook's answer is read, in bytes.
const maxAnswer = 64 << 10

// answer asks the hooks that decide, each as its agent starts it, and looks at
// the answers as its agent does. What the hook would remember is forgotten.
func (p *patient) answer() {
	state, err := os.MkdirTemp("", "bashgate-doctor-")
	if err != nil {
		p.add(Warn, "", "the hook was not tried: "+policy.Visible(err.Error()), "")
		return
	}
	defer os.RemoveAll(state)
	tried := map[string]bool{}
	for _, e := range p.entries() {
		path, found := p.find(e.Program())
		if !p.decides(e) || !found || !p.trusts(e, path) || tried[e.Event+"\n"+e.Command] {
			continue
		}
		tried[e.Event+"\n"+e.Command] = true
		p.try(e, state)
	}
	if len(tried) > 0 && !p.said() {
		p.add(Warn, p.entries()[0].At, "the hook was not tried: none of its events is about a command", "")
	}
}

// said reports whether this check has found something.
func (p *patient) said() bool {
	n := len(p.found)
	return n > 0 && p.found[n-1].Check == p.check
}

// try asks one hook about the commands.
func (p *patient) try(e *entry, state string) {
	event := e.Event
	if event == "" {
		event = p.host.EventName(host.BeforeToolUse)
	}
	var answers []string
	for _, command := range trials {
		payload, q, err := p.host.Sample(event, command, p.Workspace, p.Getenv)
		if err != nil {
			return // this event is not about commands
		}
		c := child.Command{
			Path: "/bin/sh", Args: []string{"-c", e.Command}, Env: append(p.Environ[:len(p.Environ):len(p.Environ)], "XDG_STATE_HOME="+state),
			Dir: p.Workspace, Input: payload, Limit: maxAnswer, Timeout: p.Patience + time.Second,
		}
		if e.file.foreign { // what a shell would make of its text is nothing to try out
			c.Path, c.Args = p.Self, e.Words()[1:]
		}
		got, err := child.Try(c)
		if err != nil {
			what := "the hook does not answer: " + policy.Visible(err.Error())
			if errors.Is(err, child.ErrTimeout) {
				what = fmt.Sprintf("the hook does not answer within %v", p.Patience+time.Second)
			}
			p.add(Fail, e.At, what, p.reinstall(e))
			return
		}
		d, ok := p.host.Understands(&q, host.Answer{Stdout: got.Stdout, Stderr: got.Stderr, Exit: got.Exit})
		if !ok {
			p.add(Fail, e.At, fmt.Sprintf("%s does not understand the hook's answer to %q, which is %s", p.agent.Title, command, shownAnswer(got)), p.reinstall(e))
			return
		}
		want := p.Judge(q).Decision
		switch {
		case want == policy.Ask && d == policy.Skip && p.host.Asking == host.Silences: // the agent's own question comes
		case want > policy.Allow && d < want:
			p.add(Fail, e.At, fmt.Sprintf("the hook answers %q with %q, and the rules say %q", command, word(d), want), p.reinstall(e))
			return
		case want == policy.Allow && d == policy.Block:
			p.add(Warn, e.At, fmt.Sprintf("the hook blocks %q, which the rules allow: %s", command, shownAnswer(got)), "bashgate explain '"+command+"'")
			return
		}
		if len(got.Stdout)+len(got.Stderr)+got.Exit == 0 {
			d = policy.Skip // whatever else it may mean
		}
		answers = append(answers, command+": "+word(d))
	}
	p.add(OK, e.At, "the hook answers "+strings.Join(answers, ", "), "")
}

// word is a decision as an answer.
func word(d policy.Decision) string {
	if d == policy.Skip {
		return "nothing"
	}
	return d.String()
}

// shownAnswer says in a line what a program left behind.
func shownAnswer(o child.Output) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(o.Stdout)+"\n"+string(o.Stderr)), "\n")
	if len(line) > 120 {
		line = line[:120] + "..."
	}
	if line == "" {
		line = "nothing"
	}
	return fmt.Sprintf("%s, with exit status %d", policy.Visible(line), o.Exit)
}
