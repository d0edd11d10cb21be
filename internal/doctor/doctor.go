// Package doctor finds out whether bashgate decides about what the agents on
// this machine run: whether a hook stands in their settings, whether it can be
// started and answers as its agent understands it, and what would keep the agent
// from asking it. It reads, and starts what the settings start; of that, lines in
// a decision log that has a file of its own are all that stays.
package doctor

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/install"
)

// Level says how grave a finding is.
type Level uint8

// The levels.
const (
	OK   Level = iota // as it should be
	Warn              // works, but for something
	Fail              // something runs that should be decided about
)

// String is what a person reads.
func (l Level) String() string { return [...]string{"ok", "warn", "fail"}[l] }

// Finding is what a check has found.
type Finding struct {
	Host  string // the agent's name; "" = bashgate itself
	Check string // the check's name: "program"
	Level Level
	What  string // one line
	Fix   string // what to do about it, "" = nothing
	File  string // where it stands, as a person reads it; "" = nowhere
	Line  int    // counted from 1; 0 = the file as a whole
}

// Machine is what is looked at.
type Machine struct {
	install.Place
	Environ  []string      // what agents hand on to their hooks: "NAME=value"
	Self     string        // this program's path
	Version  string        // what it calls itself: "bashgate v0.1.0"
	Patience time.Duration // how long the hook takes at most
	// Judge is what the rules say of a question, without what sessions have seen.
	Judge func(host.Question) engine.Verdict
}

// checks are all there are about an agent, in the order in which they are shown.
// The first one that finds no hook is the last one.
var checks = [...]struct {
	name string
	look func(*patient)
}{
	{"hook", (*patient).hook},
	{"program", (*patient).program},
	{"answer", (*patient).answer},
	{"failure", (*patient).failure},
	{"time", (*patient).time},
	{"tools", (*patient).tools},
	{"events", (*patient).events},
	{"twice", (*patient).twice},
	{"others", (*patient).others},
	{"switch", (*patient).switches},
	{"trust", (*patient).trust},
	{"shell", (*patient).shells},
}

// Examine looks at an agent. Named says that the user has named it, and expects
// a hook.
func (m *Machine) Examine(a *install.Agent, named bool) []Finding {
	h, err := host.Named(a.Host)
	if err != nil {
		return nil // install's table knows it, and the hook does not yet: nothing can be installed
	}
	p := &patient{Machine: m, agent: a, host: h, named: named}
	p.read()
	for _, c := range checks {
		p.check = c.name
		c.look(p)
		if !p.has() {
			break
		}
	}
	return p.found
}

// Installed reports whether a hook of bashgate's that decides stands in the
// agent's settings.
func (m *Machine) Installed(a *install.Agent) bool {
	h, err := host.Named(a.Host)
	if err != nil {
		return false
	}
	p := &patient{Machine: m, agent: a, host: h}
	p.read()
	return slices.ContainsFunc(p.entries(), p.decides)
}

// Without says why the agent would not ask bashgate any more with the settings as
// they are now, "" if it would, or if that can't be known.
func (m *Machine) Without(a *install.Agent, h *host.Host) string {
	p := &patient{Machine: m, agent: a, host: h}
	p.read()
	for _, f := range p.files {
		if f.err != nil {
			return ""
		}
	}
	if p.switches(); slices.ContainsFunc(p.found, func(f Finding) bool { return f.Level == Fail }) {
		return p.found[0].What
	}
	for _, f := range p.files {
		for _, h := range f.hooks {
			if why := restricted(h); h.ours && why != "" && p.host.EventNamed(h.event) == host.BeforeToolUse {
				return why
			}
		}
	}
	if !slices.ContainsFunc(p.entries(), p.decides) {
		return "no hook of bashgate's that decides stands in the settings of " + a.Title
	}
	return ""
}

// patient is one agent that is being looked at.
type patient struct {
	*Machine
	agent *install.Agent
	host  *host.Host
	named bool
	files []*file
	check string
	found []Finding
}

// add notes a finding. At is the entry's place, or the file's name.
func (p *patient) add(l Level, at, what, fix string) {
	f := Finding{Host: p.agent.Host, Check: p.check, Level: l, What: what, Fix: fix, File: at}
	// "~/.claude/settings.json:12:9"
	if rest, column, ok := cutLast(at); ok && column > 0 {
		if name, line, ok := cutLast(rest); ok {
			f.File, f.Line = name, line
		}
	}
	p.found = append(p.found, f)
}

func cutLast(at string) (before string, number int, ok bool) {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return at, 0, false
	}
	n, err := strconv.Atoi(at[i+1:])
	return at[:i], n, err == nil
}

// reinstall is what repairs most: to write an entry anew, or a first one.
func (p *patient) reinstall(e *entry) string {
	fix := "bashgate install " + p.agent.Host
	if e != nil && slices.Contains(p.agent.Places(p.Place, install.Project), e.file.path) && !slices.Contains(p.agent.Places(p.Place, install.User), e.file.path) {
		fix += " --project"
	}
	return fix
}

// has reports whether there is a hook of bashgate's at all.
func (p *patient) has() bool { return len(p.entries()) > 0 }

func (p *patient) hook() {
	for _, f := range p.files {
		if f.err != nil {
			p.add(Fail, f.shown, "it can't be read, and "+p.agent.Title+" may go on without its hooks: "+f.err.Error(), "mend the file")
		}
	}
	if !p.has() {
		level := Warn
		if p.named {
			level = Fail
		}
		p.add(level, "", "no hook of bashgate's stands in the settings of "+p.agent.Title, p.reinstall(nil))
		return
	}
	if !slices.ContainsFunc(p.entries(), p.decides) {
		p.add(Fail, p.entries()[0].At, "no hook decides: none is started for "+p.host.EventName(host.BeforeToolUse), p.reinstall(nil))
		return
	}
	for _, f := range p.files {
		if slices.ContainsFunc(f.entries, p.decides) {
			p.add(OK, f.shown, "a hook stands in "+f.shown, "")
		}
	}
}

// decides reports whether the agent waits for the answer to a hook before it
// uses a tool. A plugin is told of all events.
func (p *patient) decides(e *entry) bool {
	return e.Event == "" || p.host.EventNamed(e.Event) == host.BeforeToolUse
}

// plural returns "1 tool", "2 tools".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
