package install

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/toml"
)

// Entry is a hook of bashgate's that stands in a file.
type Entry struct {
	Event      string // as the agent calls it; "" for a plugin, which has all of them
	Command    string // as a shell reads it
	Matcher    string // of tools; "" = none is written
	Timeout    time.Duration
	FailClosed bool   // the agent denies where the hook fails
	RunsLate   bool   // but not where it is late
	At         string // "~/.claude/settings.json:12:9"
}

// Words are the command's program and its arguments.
func (e *Entry) Words() []string { return split(e.Command) }

// Program is the program that the entry starts.
func (e *Entry) Program() string {
	if words := split(e.Command); len(words) > 0 {
		return words[0]
	}
	return ""
}

// Entries finds bashgate's hooks in the text of one of the agent's files. The
// name is for errors, which say where the file can't be read.
func (a *Agent) Entries(path string, data []byte, name string) ([]Entry, error) {
	switch filepath.Ext(path) {
	case ".json":
		d, err := edit.ParseJSON(data, name)
		if err != nil {
			return nil, err
		}
		r := reader{unit: a.unit()}
		r.read(d.Root(), nil, "")
		return r.entries, nil
	case ".toml":
		return a.tables(data, name)
	}
	return textEntries(path, string(data), name), nil
}

// unit is what the agent counts time limits in.
func (a *Agent) unit() time.Duration {
	for i := range a.Files {
		if unit := a.Files[i].shape.unit; unit > 0 {
			return unit
		}
	}
	return time.Second
}

// reader collects entries of a JSON document, whatever they are inside of.
type reader struct {
	unit    time.Duration
	entries []Entry
}

// read looks below a value that lies below the keys, inside of a matcher.
func (r *reader) read(v edit.Value, keys []string, matcher string) {
	if m := v.Get("matcher"); m.Is() {
		matcher = m.Text()
	}
	if command := commandOf(v); command != "" && Ours(command) {
		e := Entry{Command: command, Matcher: matcher, At: v.Place(), Event: v.Get("trigger").Text()}
		for _, key := range keys {
			if e.Event == "" && key != "hooks" && key != "bashgate" {
				e.Event = key
			}
		}
		for _, limit := range [...]struct {
			key  string
			unit time.Duration
		}{{"timeout", r.unit}, {"timeoutSec", time.Second}, {"timeout_ms", time.Millisecond}} {
			if n, err := strconv.ParseFloat(v.Get(limit.key).Text(), 64); err == nil && n > 0 && n < 1e9 {
				e.Timeout = time.Duration(n * float64(limit.unit))
			}
		}
		e.RunsLate = strings.HasSuffix(command, orDeny)
		e.FailClosed = e.RunsLate || v.Get("onFailure").Text() == "block" || v.Get("on_failure").Text() == "block" || v.Get("failClosed").Text() == "true"
		r.entries = append(r.entries, e)
		return
	}
	for _, item := range v.Items() {
		r.read(item, keys, matcher)
	}
	for _, key := range v.Keys() {
		r.read(v.Get(key), append(keys[:len(keys):len(keys)], key), matcher)
	}
}

func (a *Agent) tables(data []byte, name string) ([]Entry, error) {
	document, err := toml.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	list := document.Get("hooks")
	if list == nil {
		return nil, nil
	}
	var entries []Entry
	str := func(v *toml.Value) string {
		if v == nil {
			return ""
		}
		return v.Text
	}
	for _, item := range list.Items {
		if command := str(item.Get("command")); Ours(command) {
			limit, _ := item.Get("timeout").Int()
			denies := strings.HasSuffix(command, orDeny)
			entries = append(entries, Entry{
				Event: str(item.Get("event")), Command: command, Matcher: str(item.Get("matcher")),
				Timeout: time.Duration(limit) * a.unit(), FailClosed: denies, RunsLate: denies, At: fmt.Sprintf("%s:%d:%d", name, item.At.Line, item.At.Col),
			})
		}
	}
	return entries, nil
}

// textEntries finds the hook in a plugin or a script that install wrote. Plugins
// deny where the hook fails.
func textEntries(path, data, name string) []Entry {
	if !strings.Contains(data, written) {
		return nil
	}
	number := 0
	for l := range strings.Lines(data) {
		number++
		l = strings.TrimSpace(l)
		if list, ok := strings.CutPrefix(l, "const command = "); ok {
			var words []string
			if json.Unmarshal([]byte(strings.TrimSuffix(list, ";")), &words) == nil && Ours(line(words)) {
				return []Entry{{Command: line(words), Timeout: Limit, FailClosed: true, At: fmt.Sprintf("%s:%d:1", name, number)}}
			}
		}
		if command, _, ok := strings.Cut(l, " || "); ok && Ours(command) {
			return []Entry{{Event: filepath.Base(path), Command: command, FailClosed: strings.Contains(l, clineClosed), At: fmt.Sprintf("%s:%d:1", name, number)}}
		}
	}
	return nil
}
