package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/toml"
)

// form is what kind of file a shape is for.
type form uint8

const (
	hooks  form = iota // JSON with hooks among other settings
	tables             // TOML with one table a hook
	text               // a file of bashgate's own
)

// shape is how an agent wants its hooks written down.
type shape struct {
	form form

	above []string // JSON: the keys that lead to the events
	head  []member // JSON: what the file must say besides
	list  bool     // JSON: a list of hooks, each of which names its event
	lower bool     // events begin with a small letter
	own   bool     // JSON: the file is bashgate's own

	// entry is one hook, or all of a text: $event is its event; $command its
	// command, as JSON or TOML or, in a text, as the language wants it;
	// $matcher and $closed are what the fields say where an event needs them.
	entry   string
	matcher string
	closed  string // makes the agent deny where the hook fails
	shell   bool   // a shell starts the hook, so that orDeny can
	// matchers are the tools that an event's hook is for, where other events
	// are about the rest: the event and the value.
	matchers []member

	// dialog is the event in which the hook may wait for a person, for the agent's
	// own dialog is open meanwhile; "" = there is none. Only there $limit is not 15.
	dialog string

	argument bool          // the payload does not name its event, so the command does
	unit     time.Duration // of time limits; 0 = there are none
	program  bool          // a text that is run
	fixed    bool          // a text without a hook
}

// member is a name and a value, as JSON.
type member struct{ name, value string }

// marks stand around bashgate's tables.
var marks = edit.Marks{Begin: "# bashgate begins: written by bashgate install, removed by bashgate uninstall", End: "# bashgate ends"}

func (s *shape) eventName(e Event) string {
	if s.lower {
		return strings.ToLower(e.Name[:1]) + e.Name[1:]
	}
	return e.Name
}

// hook writes the entry of one event.
func (s *shape) hook(a *Agent, e Event, o *Options) string {
	argument := ""
	if s.argument {
		argument = e.Name
	}
	matcher, closed := "", ""
	if e.Kind != Other {
		matcher = s.matcher
	}
	for _, m := range s.matchers {
		if m.name == e.Name {
			matcher = `"matcher": ` + m.value + ", "
		}
	}
	words, limit := o.words(a, argument), "15"
	if e.Name == s.dialog {
		words, limit = append(words, "--wait", "290s"), "300"
	}
	command := line(words)
	if e.Kind == Decides && o.FailClosed {
		closed = s.closed
		if s.shell {
			command += orDeny
		}
	}
	return strings.NewReplacer("$event", s.eventName(e), "$matcher", matcher, "$closed", closed, "$limit", limit,
		"$command", quoteJSON(command)).Replace(s.entry)
}

// put returns a file's text with the hooks in it. The name is for errors.
func (s *shape) put(a *Agent, event string, before []byte, name string, o *Options) ([]byte, error) {
	switch s.form {
	case hooks:
		return s.putHooks(a, before, name, o)
	case tables:
		return s.putTables(a, before, name, o)
	}
	if len(before) > 0 && !bytes.Contains(before, []byte(written)) {
		return nil, fmt.Errorf("%s: this file is somebody else's\nhint: move it away, or call bashgate from it", name)
	}
	words := o.words(a, event)
	command := line(words)
	if !s.program {
		list, _ := json.Marshal(words) // strings can always be written
		command = string(list)
	}
	closed := clineOpen
	if slices.Contains(a.Events, Event{event, Decides}) && o.FailClosed {
		closed = s.closed
	}
	return []byte(strings.NewReplacer("$command", command, "$host", a.Host, "$closed", closed).Replace(s.entry)), nil
}

// putHooks writes JSON. What is as it should be stays where it is.
func (s *shape) putHooks(a *Agent, before []byte, name string, o *Options) ([]byte, error) {
	d, err := edit.ParseJSON(before, name)
	if err != nil {
		return nil, err
	}
	was, _ := edit.ParseJSON(before, name) // again, for Remove to keep what is there
	for _, m := range s.head {
		if err := d.Default(m.value, m.name); err != nil {
			return nil, err
		}
	}
	type wanted struct {
		keys []string
		text string
	}
	var missing []wanted
	for _, e := range a.Events {
		keys := s.above
		if !s.list {
			keys = append(slices.Clone(keys), s.eventName(e))
		}
		missing = append(missing, wanted{keys, s.hook(a, e, o)})
	}
	stale := d.Remove(func(item edit.Item) edit.Verdict {
		for i, w := range missing {
			if item.Name == "" && slices.Equal(item.Keys, w.keys) && item.Compact() == compact(w.text) {
				missing = slices.Delete(missing, i, i+1)
				return edit.Keep
			}
		}
		return ours(item)
	}, was)
	if !stale && len(missing) == 0 {
		return before, nil
	}
	for _, w := range missing {
		if err := d.Append(w.text, w.keys...); err != nil {
			return nil, err
		}
	}
	return d.Bytes(), nil
}

func ours(item edit.Item) edit.Verdict {
	if item.Name == "" && Ours(commandOf(item.Value)) {
		return edit.Drop
	}
	return edit.Look
}

// commandOf is the command of an entry, "" for what is none.
func commandOf(item edit.Value) string {
	for _, keys := range [...][]string{{"command"}, {"bash"}, {"action", "command"}} {
		if v := item.Get(keys...); v.Is() {
			return v.Text()
		}
	}
	return ""
}

// putTables writes TOML, and reads it again: a table can't be added to every
// document.
func (s *shape) putTables(a *Agent, before []byte, name string, o *Options) ([]byte, error) {
	var block strings.Builder
	for i, e := range a.Events {
		if i > 0 {
			block.WriteByte('\n')
		}
		block.WriteString(s.hook(a, e, o))
	}
	base := string(before)
	bare, err := withoutTables(base, name)
	if err != nil {
		return nil, err
	}
	if without, _ := marks.Take(base); without != bare {
		base = bare // hooks stand outside of the marks too
	}
	after, err := marks.Put(base, block.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := toml.Parse([]byte(after)); err != nil {
		if _, already := toml.Parse(before); already != nil {
			return nil, fmt.Errorf("%s:%w", name, already)
		}
		return nil, fmt.Errorf("%s:%w\nhint: hooks have to be written as [[hooks]] for bashgate to add its own", name, err)
	}
	return []byte(after), nil
}

// withoutTables takes bashgate's hooks out of TOML: the block between the marks,
// and tables outside of it. An agent that writes its file anew keeps no
// comments.
func withoutTables(before, name string) (string, error) {
	text, err := marks.Take(before)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	document, err := toml.Parse([]byte(text))
	if err != nil {
		return "", fmt.Errorf("%s:%w", name, err)
	}
	list := document.Get("hooks")
	if list == nil {
		return text, nil
	}
	lines := strings.SplitAfter(text, "\n")
	for _, item := range slices.Backward(list.Items) {
		command := item.Get("command")
		if command == nil || !Ours(command.Text) {
			continue
		}
		if !list.Tables {
			return "", fmt.Errorf("%s:%d:%d: a hook of bashgate's in a list\nhint: remove it, or write the hooks as [[hooks]]", name, item.At.Line, item.At.Col)
		}
		from := item.At.Line - 1
		to := from + 1
		for to < len(lines) && !strings.HasPrefix(strings.TrimLeft(lines[to], " \t"), "[") {
			to++
		}
		// Comments and empty lines before the next table are its own.
		for to < len(lines) && to > from+1 && (strings.TrimSpace(lines[to-1]) == "" || strings.HasPrefix(strings.TrimSpace(lines[to-1]), "#")) {
			to--
		}
		if to < len(lines) && strings.TrimSpace(lines[to]) == "" {
			to++
		}
		lines = slices.Delete(lines, from, to)
	}
	text = strings.Join(lines, "")
	if _, err := toml.Parse([]byte(text)); err != nil {
		return "", fmt.Errorf("%s: bashgate's hooks can't be told from the rest\nhint: remove them yourself", name)
	}
	return text, nil
}

// take returns a file's text without what is bashgate's; nil if nothing else
// is in it. What was there before, as far as it is known, stays.
func (s *shape) take(text, before []byte, name string) ([]byte, error) {
	switch s.form {
	case tables:
		after, err := withoutTables(string(text), name)
		return []byte(after), err
	case hooks:
		d, err := edit.ParseJSON(text, name)
		if err != nil {
			return nil, err
		}
		was, err := edit.ParseJSON(before, name)
		if err != nil { // not what install found, for it could read it
			was, _ = edit.ParseJSON(nil, name)
		}
		if !d.Remove(ours, was) {
			return text, nil
		}
		if !d.Root().Get(s.above...).Is() {
			// Nothing needs what the file had to say besides.
			d.Remove(func(item edit.Item) edit.Verdict {
				for _, m := range s.head {
					if len(item.Keys) == 0 && item.Name == m.name && item.Compact() == m.value && !was.Root().Get(m.name).Is() {
						return edit.Drop
					}
				}
				return edit.Keep
			}, was)
		}
		if s.own && len(d.Root().Keys()) == 0 {
			return nil, nil
		}
		return d.Bytes(), nil
	}
	if bytes.Contains(text, []byte(written)) {
		return nil, nil
	}
	return text, nil
}

// mode is that of a file which is made.
func (s *shape) mode(scope Scope) fs.FileMode {
	mode := fs.FileMode(0o600)
	if scope == Project {
		mode = 0o644
	}
	if s.program {
		mode |= mode >> 2 & 0o111
	}
	return mode
}

func compact(text string) string {
	d, err := edit.ParseJSON([]byte(text), "")
	if err != nil {
		return text
	}
	return d.Root().Compact()
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
