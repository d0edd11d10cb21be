package serve

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// The neutral protocol, one JSON object a line in both directions (docs/protocol.md):
//
//	{"v":1,"id":"1","event":"before_tool_use","session":"s","tool":"shell","input":{"command":"git push"},"cwd":"/p","attended":true}
//	{"v":1,"id":"1","decision":"ask","reason":"bashgate: Sends commits to a remote repository (git)"}
//
// Whatever is not understood is answered with an error and the decision "block",
// so that a client which looks at nothing but the decision is safe.

// The limits of the protocol.
const (
	maxLine = 16 << 20       // of a line, in bytes
	maxID   = 200            // of an id, in bytes
	maxWait = 24 * time.Hour // of "wait_ms"
)

// question is a line that was understood.
type question struct {
	id    string
	hello bool
	event host.Question
	wait  time.Duration
}

// fault is an error of the protocol: a word for programs, and a text for people.
type fault struct{ code, text string }

func (f *fault) Error() string { return f.text }

// The codes of faults.
const (
	faultJSON      = "json"      // the line is not one JSON object, or holds a key twice
	faultVersion   = "version"   // "v" is not 1
	faultID        = "id"        // "id" is missing, no text, too long, or that of a line that is not answered yet
	faultEvent     = "event"     // no such event
	faultField     = "field"     // one is unknown, missing, of the wrong type or for another event
	faultLarge     = "too_large" // the line is longer than maxLine
	faultBusy      = "busy"      // too much waits already
	faultPeer      = "peer"      // the client is another user's process, or nobody knows whose
	faultLate      = "late"      // no decision in time
	faultStopping  = "stopping"  // the server ends
	faultUnwritten = "unwritten" // what the session has seen could not be written down
	faultInternal  = "internal"  // a mistake of bashgate's
)

// Events of the protocol, as bits.
const (
	before = 1 << iota
	after
	prompt
	start
	end
	hello

	tools    = before | after
	sessions = tools | prompt | start | end
)

// field is a member that a line may have.
type field struct {
	name, kind string
	events     int // that have it
	needed     bool
}

var fields = [...]field{
	{"v", "number", sessions | hello, true},
	{"id", "string", sessions | hello, true},
	{"event", "string", sessions | hello, true},
	{"session", "string", sessions, false},
	{"agent", "string", tools, false},
	{"tool", "string", tools, true},
	{"input", "object", tools, true},
	{"use", "string", tools, false},
	{"cwd", "string", sessions, true},
	{"workspace", "string", sessions, false},
	{"mode", "string", tools, false},
	{"shell", "string", tools, false},
	{"attended", "boolean", before, false},
	{"wait_ms", "number", before, false},
	{"env", "object", tools, false},
	{"failed", "boolean", after, false},
	{"prompt", "string", prompt, true},
	{"source", "string", start, true},
}

// eventNamed returns the bit of an event; 0 if there is none called so.
func eventNamed(name string) int {
	switch name {
	case "before_tool_use":
		return before
	case "after_tool_use":
		return after
	case "prompt_submit":
		return prompt
	case "session_start":
		return start
	case "session_end":
		return end
	case "hello":
		return hello
	}
	return 0
}

// parse understands a line. Of one that it does not, it returns as much of the id
// as could be read, and why.
func parse(line []byte) (question, *fault) {
	var q question
	p := host.Parse(host.Input{Data: line})
	if p.Err != nil {
		return q, &fault{faultJSON, p.Err.Error()}
	}
	id, err := p.Object.Get("id").Text()
	switch {
	case err != nil:
		return q, &fault{faultID, `"id": ` + err.Error()}
	case id == "" || len(id) > maxID:
		return q, &fault{faultID, fmt.Sprintf(`"id": want 1 to %d bytes, found %d`, maxID, len(id))}
	}
	q.id = id
	if v, err := p.Object.Get("v").Count(); err != nil || v != 1 {
		return q, &fault{faultVersion, `"v": this is version 1 of the protocol`}
	}
	name, err := p.Object.Get("event").Text()
	if err != nil {
		return q, &fault{faultEvent, `"event": ` + err.Error()}
	}
	event := eventNamed(name)
	if event == 0 {
		return q, &fault{faultEvent, fmt.Sprintf(`"event": none is called %.80q`, name)}
	}
	if err := checkFields(p.Object, name, event); err != nil {
		return q, &fault{faultField, err.Error()}
	}
	if event == hello {
		q.hello = true
		return q, nil
	}
	vars, err := environment(p.Object.Get("env"))
	if err != nil {
		return q, &fault{faultField, err.Error()}
	}
	p.Getenv = vars.value
	if q.event, err = host.ReadRuntime(p); err != nil {
		return q, &fault{faultField, err.Error()}
	}
	if vars != nil {
		q.event.Request.Getenv = vars.told
		q.event.Vars = slices.Sorted(maps.Keys(vars.values))
	}
	if wait := p.Object.Get("wait_ms"); wait.Kind() != "nothing" {
		ms, err := wait.Milliseconds()
		if err == nil && ms > maxWait.Milliseconds() {
			err = wait.Errorf("want at most %d", maxWait.Milliseconds())
		}
		if err != nil {
			return q, &fault{faultField, `"wait_ms": ` + err.Error()}
		}
		q.wait = time.Duration(ms) * time.Millisecond
	}
	return q, nil
}

// checkFields reports what is in a line, or missing from it, that should not be.
func checkFields(line wire.Object, name string, event int) error {
	for _, m := range line {
		i := slices.IndexFunc(fields[:], func(f field) bool { return f.name == m.Key })
		switch {
		case i < 0:
			return m.Value.Errorf("unknown field %.80q", m.Key)
		case fields[i].events&event == 0:
			return m.Value.Errorf("%s has no %q", name, m.Key)
		case m.Value.Kind() != fields[i].kind:
			return m.Value.Errorf("%q: want %s, found %s", m.Key, fields[i].kind, m.Value.Kind())
		}
	}
	for i := range fields {
		if f := &fields[i]; f.needed && f.events&event != 0 && line.Get(f.name).Kind() == "nothing" {
			return fmt.Errorf("%s needs %q", name, f.name)
		}
	}
	return nil
}

// variables are what a client tells of its shell's environment; nil: nothing.
type variables struct {
	values map[string]string
	whole  bool // no other one is set
}

// environment reads "env". A text is a variable's value, and null says that it is
// not set; "*": null says so of all others.
func environment(v wire.Value) (*variables, error) {
	if v.Kind() == "nothing" {
		return nil, nil
	}
	members, err := v.Object()
	if err != nil {
		return nil, err
	}
	vars := &variables{values: make(map[string]string, len(members))}
	for _, m := range members {
		null := m.Value.Kind() == "null"
		switch {
		case m.Key == "*" && null:
			vars.whole = true
			continue
		case m.Key == "", m.Key == "*", strings.ContainsAny(m.Key, "=\x00"):
			return nil, m.Value.Errorf("no variable is called %.80q", m.Key)
		}
		text := ""
		if !null {
			if text, err = m.Value.Text(); err != nil {
				return nil, err
			}
		}
		vars.values[m.Key] = text
	}
	return vars, nil
}

// value is a variable's value as far as it is known, else "".
func (v *variables) value(name string) string {
	if v == nil {
		return ""
	}
	return v.values[name]
}

// told is a variable for the engine. One of which nothing is told may be set to
// anything.
func (v *variables) told(name string) string {
	value, known := v.values[name]
	if !known && !v.whole {
		return "(not known)"
	}
	return value
}

// answer is a line for a client.
func answer(id string, r *cli.Reply, unattended bool) []byte {
	if r.Failed {
		return failure(id, &fault{faultUnwritten, "what the session has seen could not be written down"})
	}
	d, reason := r.Decision, r.Reason
	if d == policy.Ask && unattended { // whom?
		d = policy.Block
	}
	word := "block"
	switch d {
	case policy.Allow:
		word = "allow"
	case policy.Ask:
		word = "ask"
	case policy.Skip:
		word = "none"
	}
	line := wire.AppendText([]byte(`{"v":1,"id":`), id)
	line = append(line, `,"decision":"`+word+`"`...)
	if reason != "" {
		line = wire.AppendText(append(line, `,"reason":`...), reason)
	}
	if r.Code != "" {
		line = wire.AppendText(append(line, `,"code":`...), r.Code)
	}
	return append(line, "}\n"...)
}

// failure is the line for a fault. Nothing runs by it.
func failure(id string, f *fault) []byte {
	line := wire.AppendText([]byte(`{"v":1,"id":`), id)
	line = append(line, `,"error":{"code":"`+f.code+`","text":`...)
	line = wire.AppendText(line, policy.Visible(f.text))
	return append(line, `},"decision":"block"}`+"\n"...)
}

// greeting answers a hello.
func (s *Server) greeting(id string) []byte {
	line := wire.AppendText([]byte(`{"v":1,"id":`), id)
	line = wire.AppendText(append(line, `,"decision":"none","version":`...), cli.Version())
	line = wire.AppendText(append(line, `,"rules":`...), s.rules())
	return append(line, "}\n"...)
}
