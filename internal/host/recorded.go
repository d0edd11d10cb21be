package host

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Recorded is a use of a tool that stands in a session which an agent has kept.
type Recorded struct {
	Tool      string
	Input     wire.Value // what it was given
	Cwd       string     // absolute; "" = not known
	Workspace string     // likewise
	Mode      string     // the agent's word; "" = not known
}

// Recall reads a recorded use of the agent's shell as the hook would have: the
// command, where it ran, in which mode and by which shell. It reports false of
// other tools, and where the hook would not have understood what was given.
// Getenv is the environment of now, which says which shell is the user's.
func (h *Host) Recall(use Recorded, getenv func(string) string) (engine.Request, bool) {
	rule := catalogue.ShellTool(h.Name, use.Tool)
	if rule == nil {
		return engine.Request{}, false
	}
	input, err := use.Input.Object()
	if err != nil {
		return engine.Request{}, false
	}
	command, err := oneOf(input, rule.Commands)
	if err != nil {
		return engine.Request{}, false
	}
	q := Question{Shell: true, Request: h.process(Input{Getenv: func(name string) string {
		if name == "SHELL" || name == "CLAUDE_CODE_SHELL" {
			return getenv(name)
		}
		return "" // what else it says is of the process, which is no hook
	}})}
	q.Tool.Name = use.Tool
	r := &q.Request
	r.Cwd, r.Workspace, r.Host, r.Unattended = use.Cwd, use.Workspace, h.Name, false
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	if r.Command, err = command.Text(); err != nil {
		words, err := command.Texts()
		if err != nil || len(words) == 0 {
			return engine.Request{}, false
		}
		r.Command, r.Shell = spoken(words, r.Shell)
	}
	if path.IsAbs(r.Workspace) {
		if h.place(&q, input) != nil {
			return engine.Request{}, false
		}
	}
	r.Mode = use.Mode
	for _, m := range h.modes {
		if r.Mode == m.theirs {
			r.Mode = m.ours
			break
		}
	}
	return *r, r.Command != ""
}

// spoken is the line that a program and its words stand for, and the shell that
// reads it: that of bash -lc LINE is LINE.
func spoken(words []string, shell string) (line, by string) {
	if name := ShellName(words[0]); len(words) == 3 && name != "" && slices.Contains([]string{"-c", "-lc", "-cl"}, words[1]) {
		return words[2], name
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = policy.Quote(word)
	}
	return strings.Join(quoted, " "), shell
}
