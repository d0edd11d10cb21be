package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// How much of a request a notice holds. A command is whole or its end is cut off,
// and then nobody can answer by the notice.
const (
	noticeCommand = 16 << 10 // bytes
	noticeText    = 500      // of every other text
	noticeTexts   = 40       // of a list
	noticeAll     = 28 << 10 // of all texts: as JSON, where each byte may take two, they fit into a pipe
)

// announce tells a person of a request that was put just now, by the program that
// [notify] names; where it names none, nobody is told. It waits for nothing. For a
// request that was put before somebody is told already.
func (p *Process) announce(c *config.Notify, r *approval.Request) {
	if len(c.Command) == 0 {
		return
	}
	if err := p.tell(c, r); err != nil {
		p.complain("nobody is told of "+r.Code+": "+policy.Visible(err.Error()), "[notify] command in config.toml names the program")
	}
}

func (p *Process) tell(c *config.Notify, r *approval.Request) error {
	queue, err := p.Requests()
	if err != nil {
		return err
	}
	input, err := notice(queue, r)
	if err != nil {
		return err
	}
	return child.Start(child.Command{Path: c.Command[0], Args: c.Command[1:], Env: p.noticeEnv(), Dir: "/", Input: input}, queue.Dir)
}

// noticeEnv is what the program sees of the environment: what it needs to reach the
// person's screen. As of checkers, the agent's PATH is not theirs: it may name
// programs of the project, and the program holds a signed answer.
func (p *Process) noticeEnv() []string {
	env := []string{"PATH=" + strings.Join(policy.SystemDirs(), ":")}
	for _, name := range [...]string{"HOME", "USER", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "TMUX"} {
		if value := p.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// notice is the request as one line of JSON, as the program reads it:
//
//	{"v":1,"code":"KXRT","host":"claude","project":"/w","cwd":"/w","tool":"","command":"git push",
//	 "masked":false,"cut":false,"why":["Sends commits to a remote repository (git)"],"labels":["WebFetch example.org"],
//	 "does":["writes /etc/hosts"],"made":"2026-11-02T10:42:00Z","expires":"2026-11-02T10:47:00Z",
//	 "approve":"AUtYUlQC...","deny":"AUtYUlQD..."}
//
// The texts are as a person may see them: control characters are escaped, secrets
// masked. Where cut is true, some are cut off, and there are no tokens.
func notice(queue approval.Queue, r *approval.Request) ([]byte, error) {
	cut, left := false, noticeAll
	short := func(text string, most int) string {
		out := policy.Visible(text)
		if short := policy.Clip(out, min(most, left)); short != out {
			cut, out = true, short
		}
		left = max(left-len(out), 0)
		return out
	}
	b := []byte(`{"v":1`)
	text := func(key, value string) {
		b = wire.AppendText(append(b, `,"`+key+`":`...), value)
	}
	list := func(key string, texts []string) {
		b = append(b, `,"`+key+`":[`...)
		for i, t := range texts {
			if i == noticeTexts {
				cut = true
				break
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = wire.AppendText(b, short(mask.Text(t), noticeText))
		}
		b = append(b, ']')
	}
	text("code", r.Code)
	text("host", short(r.Host, noticeText))
	project := r.Workspace
	if project == "" {
		project = r.Cwd
	}
	text("project", short(project, noticeText))
	text("cwd", short(r.Cwd, noticeText))
	text("tool", short(r.Tool, noticeText))
	command := policy.Clip(r.Command, noticeCommand+noticeText)
	cut = cut || command != r.Command
	masked := mask.Text(command)
	text("command", short(masked, noticeCommand))
	why := make([]string, len(r.Why))
	for i := range r.Why {
		why[i] = r.Why[i].Text
	}
	list("why", why)
	list("labels", r.Labels)
	list("does", r.Does)
	b = fmt.Appendf(b, `,"masked":%t,"cut":%t`, masked != command, cut)
	text("made", r.Made.UTC().Format(time.RFC3339))
	text("expires", r.Made.Add(r.Life).UTC().Format(time.RFC3339))
	if !cut {
		for _, answer := range [...]struct {
			key string
			to  approval.State
		}{{"approve", approval.Approved}, {"deny", approval.Denied}} {
			token, err := queue.Sign(r, answer.to)
			if err != nil {
				return nil, err
			}
			text(answer.key, token)
		}
	}
	return append(b, "}\n"...), nil
}
