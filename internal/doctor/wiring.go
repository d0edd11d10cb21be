package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/policy"
)

// failure looks at what the agent does where the hook can't be started, is late
// or crashes.
func (p *patient) failure() {
	var closed, open *entry
	for _, e := range p.entries() {
		switch {
		case !p.decides(e):
		case e.FailClosed:
			closed = e
		default:
			open = e
		}
	}
	switch {
	case open == nil && closed == nil: // none decides, which is said already
	case open == nil && closed.RunsLate:
		p.add(OK, closed.At, "where the hook can't be started or is killed, nothing runs; where it is late, everything does: "+p.agent.Title+" knows nothing else", "")
	case open == nil:
		p.add(OK, closed.At, "where the hook fails, nothing runs", "")
	case p.agent.Closes():
		p.add(Warn, open.At, "where the hook can't be started, is late or crashes, everything runs", p.reinstall(open)+" --fail-closed")
	case p.host.Closed != "":
		p.add(OK, open.At, p.agent.Title+" denies where the hook fails: "+p.host.Closed, "")
	default:
		p.add(OK, open.At, "where the hook can't be started, is late or crashes, everything runs: "+p.agent.Title+" knows nothing else", "")
	}
}

// time looks at how long the agent waits for the hook.
func (p *patient) time() {
	const endless = 10 * time.Minute
	fine, at := time.Duration(0), ""
	for _, e := range p.entries() {
		limit := e.Timeout
		if !p.decides(e) {
			continue
		}
		switch {
		case limit == 0:
		case limit < time.Second:
			p.add(Fail, e.At, fmt.Sprintf("%s ends the hook after %v, before it has answered: its unit is another one", p.agent.Title, limit), p.reinstall(e))
		case limit < p.Patience:
			p.add(Fail, e.At, fmt.Sprintf("%s ends the hook after %v, and it may take %v: what is not answered by then may run", p.agent.Title, limit, p.Patience), p.reinstall(e))
		case limit > endless:
			p.add(Warn, e.At, fmt.Sprintf("%s waits %v for the hook: its unit is another one", p.agent.Title, limit), p.reinstall(e))
		default:
			fine, at = limit, e.At
		}
	}
	switch {
	case p.said():
	case fine > 0:
		p.add(OK, at, fmt.Sprintf("%s waits %v for the hook, which takes %v at most", p.agent.Title, fine, p.Patience), "")
	default:
		p.add(OK, p.entries()[0].At, "the time limit is that of "+p.agent.Title+" itself", "")
	}
}

// tools looks at which tools the hook is not asked about.
func (p *patient) tools() {
	for _, f := range p.files {
		for _, h := range f.hooks {
			if why := restricted(h); h.ours && why != "" {
				p.add(Fail, h.Place(), why, p.reinstall(nil))
			}
		}
	}
	shells := catalogue.ShellNames(p.agent.Host)
	var matchers []string
	at := ""
	for _, e := range p.entries() {
		if !p.decides(e) {
			continue
		}
		at = e.At
		if all(e.Matcher) {
			matchers = nil
			break
		}
		matchers = append(matchers, e.Matcher)
	}
	if matchers == nil || len(shells) == 0 {
		if !p.said() {
			p.add(OK, at, "the hook is asked about every tool", "")
		}
		return
	}
	var out []string
	for _, shell := range shells {
		if !slices.ContainsFunc(matchers, func(m string) bool { return matches(m, shell) }) {
			out = append(out, shell)
		}
	}
	named := policy.Visible(strings.Join(matchers, ", "))
	switch {
	case slices.Contains(out, shells[0]):
		p.add(Fail, at, fmt.Sprintf("the hook is not asked about %s, which runs commands: the matcher is %q", shells[0], named), p.reinstall(nil))
	case len(out) > 0:
		p.add(Warn, at, fmt.Sprintf("the hook is not asked about %s, which run commands: the matcher is %q", strings.Join(out, ", "), named), p.reinstall(nil))
	default:
		p.add(Warn, at, fmt.Sprintf("the hook is asked about %q alone: tools of MCP servers that run commands, and those that write the agent's settings, are not decided about", named), p.reinstall(nil))
	}
}

// restricted says what in an entry keeps the agent from waiting for the hook, or
// from starting it each time.
func restricted(h hook) string {
	switch {
	case h.Get("async").Text() == "true", h.Get("asyncRewake").Text() == "true":
		return `the agent does not wait for the hook: "async"`
	case h.Get("if").Text() != "":
		return `the hook is started for some commands only: "if"`
	case h.Get("once").Text() == "true":
		return `the hook is started once a session: "once"`
	case h.Get("enabled").Text() == "false", h.Get("disabled").Text() == "true":
		return "the hook is switched off"
	}
	return ""
}

// all reports whether a matcher means every tool.
func all(matcher string) bool { return matcher == "" || matcher == "*" || matcher == ".*" }

// matches reports whether a matcher names a tool: names between bars, of which
// each may hold ".*". Of one that is written in another way, it does not.
func matches(matcher, tool string) bool {
	matcher = strings.TrimSuffix(strings.TrimPrefix(matcher, "^"), "$")
	if inner, ok := strings.CutPrefix(matcher, "("); ok && strings.HasSuffix(inner, ")") {
		matcher = inner[:len(inner)-1]
	}
	for name := range strings.SplitSeq(matcher, "|") {
		name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(name), "^"), "$")
		first, rest, some := strings.Cut(name, ".*")
		if name == tool || some && strings.HasPrefix(tool, first) && strings.HasSuffix(tool[len(first):], strings.ReplaceAll(rest, ".*", "")) {
			return true
		}
	}
	return false
}

// missed says what is lost without hooks for some events. Of the others nothing
// but lines of the decision log is lost.
var missed = [...]struct {
	events []host.Event
	what   string
}{
	{[]host.Event{host.BeforeToolUse}, "what happens there is not decided about"},
	{[]host.Event{host.PermissionAsk}, "what bashgate allows is asked about there all the same"},
	{[]host.Event{host.AfterToolUse, host.AfterToolFailure, host.ToolDenied, host.PromptSubmit, host.SessionStart}, "what a session has seen is known less well"},
	{[]host.Event{host.ConfigChange}, "a change of the settings can take the hook out of a session"},
}

// events looks at which of the agent's events have no hook.
func (p *patient) events() {
	at := p.entries()[0].At
	for _, m := range missed {
		var names []string
		for _, e := range p.agent.Events {
			wired := slices.ContainsFunc(p.entries(), func(w *entry) bool { return w.Event == "" || strings.EqualFold(w.Event, e.Name) })
			if !wired && slices.Contains(m.events, p.host.EventNamed(e.Name)) {
				names = append(names, e.Name)
			}
		}
		if len(names) > 0 && (m.events[0] != host.PermissionAsk || p.host.Approves) {
			p.add(Warn, at, "no hook for "+strings.Join(names, ", ")+": "+m.what, p.reinstall(nil))
		}
	}
	if !p.said() {
		p.add(OK, at, "every event that matters has a hook", "")
	}
}

// twice looks for hooks that are started for the same thing.
func (p *patient) twice() {
	deciding := map[string][]*entry{}
	var events []string
	for _, e := range p.entries() {
		if !p.decides(e) {
			continue
		}
		if deciding[e.Event] == nil {
			events = append(events, e.Event)
		}
		deciding[e.Event] = append(deciding[e.Event], e)
	}
	for _, event := range events {
		list := deciding[event]
		if len(list) < 2 {
			continue
		}
		places, same := []string{}, true
		for _, e := range list {
			places = append(places, e.At)
			one, _ := p.find(e.Program())
			other, _ := p.find(list[0].Program())
			same = same && (one == other || p.isSelf(one) && p.isSelf(other))
		}
		what := plural(len(list), "hook") + " of bashgate's decide about the same: " + strings.Join(places, ", ")
		if !same {
			what = "different programs decide about the same: " + strings.Join(places, ", ")
		}
		fix := "keep one of them"
		if list[0].file != list[len(list)-1].file {
			fix = "bashgate uninstall " + p.agent.Host + " --project, or keep that one and uninstall the other"
		}
		p.add(Warn, list[1].At, what, fix)
		return
	}
}

// others looks for hooks of others that answer in place of the person who is
// asked.
func (p *patient) others() {
	for _, f := range p.files {
		for _, h := range f.hooks {
			if !h.ours && p.host.EventNamed(h.event) == host.PermissionAsk {
				p.add(Warn, h.Place(), "a hook of somebody else's may answer what bashgate asks you: "+policy.Visible(policy.Clip(h.Compact(), 120)), "take it out, unless you know what it says yes to")
			}
		}
	}
}
