package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// maxAnswer is how long a checker's answer may be, in bytes.
const maxAnswer = 64 << 10

// checkers asks the programs that the user has set up, in their order, until
// one denies. They are asked about what is not blocked already and can only
// tighten: what is no answer (late, crashed, garbled) is asked about, and blocked
// where nobody would be asked.
func (j *judge) checkers(q *host.Question, r *engine.Request, v *engine.Verdict, deadline time.Time) {
	for i := range j.config.Checkers {
		c := &j.config.Checkers[i]
		if v.Decision == policy.Block || !asksAbout(c, q) {
			continue
		}
		text, err := j.ask(c, q, r, v, deadline)
		name := policy.Visible(c.Command[0])
		switch {
		case err != nil:
			text, d := "The checker "+name+" gave no answer: "+policy.Visible(err.Error()), policy.Ask
			if r.Mode == engine.ModeBypass {
				// The agent would answer the question by itself, with yes.
				text, d = text+"; in this mode nobody is asked", policy.Block
			}
			v.Tighten(r, "checker.error", d, text)
			v.Incomplete = true
		case text != "":
			v.Tighten(r, "checker.deny", policy.Block, text)
		}
	}
}

func asksAbout(c *config.Checker, q *host.Question) bool {
	if len(c.Tools) == 0 {
		return q.Shell
	}
	return match.AnyGlob(c.Tools, q.Tool.Name)
}

// ask hands a checker the request and returns its reason to deny; "" if it has
// none.
func (j *judge) ask(c *config.Checker, q *host.Question, r *engine.Request, v *engine.Verdict, deadline time.Time) (string, error) {
	answer, err := child.Run(child.Command{
		Path: c.Command[0], Args: c.Command[1:], Env: j.process.checkerEnv(),
		Input: checkerInput(q, r, v), Limit: maxAnswer, Timeout: min(c.Timeout, time.Until(deadline)),
	})
	if err != nil {
		return "", err
	}
	return checkerAnswer(answer)
}

// checkerEnv is what a checker sees of the environment: the user, no more. The
// agent's environment is partly the project's, and could name libraries to
// load.
func (p *Process) checkerEnv() []string {
	env := []string{"PATH=" + strings.Join(policy.SystemDirs(), ":")}
	for _, name := range [...]string{"HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		if value := p.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// checkerInput is the request as a checker reads it:
//
//	{"version":1,"event":"before_tool_use","host":"claude","session":"...","tool":"Bash",
//	 "command":"git push","input":{"command":"git push"},"cwd":"/w","workspace":"/w","mode":"default",
//	 "attended":true,"decision":"ask","reason":"Sends commits to a remote repository (git)"}
//
// The input is all that the tool is given, in whatever shape.
func checkerInput(q *host.Question, r *engine.Request, v *engine.Verdict) []byte {
	out := []byte(`{"version":1,"event":"` + q.Event.String() + `"`)
	text := func(key, value string) {
		out = append(out, `,"`+key+`":`...)
		out = wire.AppendText(out, value)
	}
	text("host", r.Host)
	text("session", r.Session)
	text("tool", q.Tool.Name)
	if q.Shell {
		text("command", r.Command)
	}
	out = append(append(out, `,"input":`...), toolInput(q, r)...)
	text("cwd", r.Cwd)
	text("workspace", r.Workspace)
	text("mode", r.Mode)
	out = append(out, `,"attended":`...)
	out = strconv.AppendBool(out, !r.Unattended)
	text("decision", v.Decision.String())
	text("reason", v.Reason)
	return append(out, "}\n"...)
}

// toolInput is what the tool is given, as the agent wrote it and in one line. Of an
// agent that hands over no more than a command it is that.
func toolInput(q *host.Question, r *engine.Request) []byte {
	input := bytes.Clone(q.Input)
	for i, c := range input {
		if c == '\n' || c == '\r' { // between values: no text of JSON holds one
			input[i] = ' '
		}
	}
	switch {
	case len(input) > 0:
		return input
	case q.Shell:
		return append(wire.AppendText([]byte(`{"command":`), r.Command), '}')
	}
	return []byte("{}")
}

// checkerAnswer reads {"decision":"deny","reason":"..."}, also with "block",
// and {} for no objection.
func checkerAnswer(answer []byte) (string, error) {
	document, err := wire.Parse(bytes.TrimSpace(answer))
	if err != nil {
		return "", err
	}
	object, err := document.Object()
	if err != nil || len(object) == 0 {
		return "", err
	}
	var decision, reason string
	for _, m := range object {
		switch m.Key {
		case "decision":
			decision, err = m.Value.Text()
		case "reason":
			reason, err = m.Value.Text()
		default:
			err = m.Value.Errorf("unknown key %.80q", m.Key)
		}
		if err != nil {
			return "", err
		}
	}
	switch decision {
	case "deny", "block":
	case "":
		return "", errors.New(`no "decision"`)
	default:
		return "", fmt.Errorf("a decision of %.80q, where only \"deny\" can be one", decision)
	}
	if reason == "" {
		reason = "Blocked by security policy"
	}
	return policy.Clip(policy.Visible(reason), 500), nil
}
