package host

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// Sample writes a payload as the agent would send it before its shell runs a
// command, for one of its events: what its keys say, and no more. Getenv is the
// hook's environment. The question is what Read makes of it. It is an error if
// there is none that Read understands: the event is about something else, or
// knows no command.
func (h *Host) Sample(event, command, dir string, getenv func(string) string) ([]byte, Question, error) {
	name := h.event(event)
	if name == nil || name.Event != BeforeToolUse {
		return nil, Question{}, fmt.Errorf("%s decides about no command at %q", h.Title, event)
	}
	shells := catalogue.ShellNames(h.Name)
	if name.Tool != "" {
		shells = []string{name.Tool}
	}
	const alternatives = 3 // names under which agents have kept a thing
	for i := range alternatives {
		for _, shell := range shells {
			rule := catalogue.ShellTool(h.Name, shell)
			if rule == nil {
				continue
			}
			for _, key := range rule.Commands {
				var root member
				root.put(nth(h.keys.event, i), event)
				root.put(nth(h.keys.session, i), "bashgate-sample")
				root.put(nth(h.keys.cwd, i), dir)
				if name.Tool == "" {
					root.put(nth(h.keys.tool, i), shell)
				}
				place := key
				if input := nth(h.keys.input, i); input != "" {
					place = input + "." + key
				}
				root.put(place, command)
				data := append(root.text(nil), '\n')
				q, err := h.Read(Parse(Input{Data: data, Event: event, Getenv: getenv, Dir: func() string { return dir }}))
				if err == nil && q.Event == BeforeToolUse && q.Shell && q.Request.Command == command {
					return data, q, nil
				}
			}
		}
	}
	return nil, Question{}, fmt.Errorf("%s's %q knows no command", h.Title, event)
}

// nth is one of the names between bars, the last one where there are fewer.
func nth(names string, i int) string {
	list := strings.Split(names, "|")
	return list[min(i, len(list)-1)]
}

// member is a value of a document that is written: a text, or an object or a
// list of others.
type member struct {
	name   string
	value  string
	inside []*member
	list   bool
}

// put gives the place of a key a text. "" is no place.
func (m *member) put(place, value string) {
	for place != "" {
		name, rest, _ := strings.Cut(place, ".")
		place = rest
		m.list = m.list || name == "0"
		var next *member
		for _, inner := range m.inside {
			if inner.name == name {
				next = inner
			}
		}
		if next == nil {
			next = &member{name: name}
			m.inside = append(m.inside, next)
		}
		m = next
		m.value = value
	}
}

func (m *member) text(dst []byte) []byte {
	if m.inside == nil {
		return wire.AppendText(dst, m.value)
	}
	begin, end := byte('{'), byte('}')
	if m.list {
		begin, end = '[', ']'
	}
	dst = append(dst, begin)
	for i, inner := range m.inside {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !m.list {
			dst = append(wire.AppendText(dst, inner.name), ':')
		}
		dst = inner.text(dst)
	}
	return append(dst, end)
}

// Understands says what an answer to a question means to the agent, where several things mean
// the same the strictest of them. ok is false for an answer that it would take
// for a hook that has failed.
func (h *Host) Understands(q *Question, a Answer) (d policy.Decision, ok bool) {
	const reason = "(reason)"
	like := func(want Answer) bool {
		return a.Exit == want.Exit && alike(a.Stdout, want.Stdout, reason) && (len(want.Stderr) == 0 || alike(a.Stderr, want.Stderr, reason))
	}
	if like(h.Fail(reason)) {
		return policy.Block, true
	}
	for _, d := range [...]policy.Decision{policy.Block, policy.Ask, policy.Allow, policy.Skip} {
		if like(h.Answer(q, d, reason)) {
			return d, true
		}
	}
	return policy.Skip, false
}

// alike reports whether a text is another one with any reason.
func alike(got, want []byte, reason string) bool {
	got, want = bytes.TrimSpace(got), bytes.TrimSpace(want)
	first := bytes.Index(want, []byte(reason))
	if first < 0 {
		return bytes.Equal(got, want)
	}
	before, after := want[:first], want[bytes.LastIndex(want, []byte(reason))+len(reason):]
	return len(got) > len(before)+len(after) && bytes.HasPrefix(got, before) && bytes.HasSuffix(got, after)
}
