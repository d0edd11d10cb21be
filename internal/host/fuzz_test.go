package host

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/catalogue"
)

// FuzzRead checks for every agent that a command which is understood is the one
// that an ordinary decoder finds too, whatever it does with doubtful input, and
// that no command which such a decoder finds is overlooked.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*-*.json")
	for _, file := range files {
		c := readCaptured(f, file)
		for i, h := range hosts {
			if h.Name == c.host {
				f.Add([]byte(c.Stdin), uint8(i), c.payload().Event)
			}
		}
	}
	for i := range hosts {
		for _, row := range badPayloads {
			f.Add([]byte(row.data), uint8(i), "")
		}
	}
	for _, row := range goodPayloads {
		for i, h := range hosts {
			if h.Name == row.host {
				f.Add([]byte(row.data), uint8(i), "")
				f.Add([]byte(strings.Replace(row.data, `{"command":"ls"}`, `"{\"command\":\"ls\"}"`, 1)), uint8(i), "")
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8, event string) {
		h := hosts[int(which)%len(hosts)]
		in := input(string(data))
		in.Event = event
		p := Parse(in)
		Detect(p)
		Guess(p)
		q, err := h.Read(p)
		if err != nil {
			if q.Shell || q.Tool.Name != "" || q.Request.Command != "" {
				t.Fatalf("%s: more than the event is told of what is not understood: %+v", h.Name, q)
			}
			return
		}
		var document any
		if err := json.Unmarshal(data, &document); err != nil {
			t.Fatalf("%s: read what is no JSON: %v", h.Name, err)
		}
		if q.Event == None {
			return
		}
		if q.Event != h.EventNamed(q.Name) {
			t.Fatalf("%s: %v is called %q", h.Name, q.Event, q.Name)
		}
		if !path.IsAbs(q.Request.Cwd) || !path.IsAbs(q.Request.Workspace) {
			t.Fatalf("%s: %q in %q", h.Name, q.Request.Cwd, q.Request.Workspace)
		}
		rule := catalogue.ShellTool(h.Name, q.Tool.Name)
		if rule == nil {
			if q.Shell {
				t.Fatalf("%s: %q is no shell", h.Name, q.Tool.Name)
			}
			return
		}
		found := commands(ordinary(document, h), rule.Commands)
		switch {
		case q.Shell && !slices.Contains(found, q.Request.Command):
			t.Fatalf("%s: %q was read, and there is %q", h.Name, q.Request.Command, found)
		case !q.Shell && len(found) > 0:
			t.Fatalf("%s: no opinion about %q", h.Name, found)
		}
	})
}

// ordinary is what an ordinary decoder finds that a tool is given.
func ordinary(document any, h *Host) any {
	for name := range strings.SplitSeq(h.keys.input, "|") {
		v := document
		for part := range strings.SplitSeq(name, ".") {
			switch in := v.(type) {
			case map[string]any:
				if part != "" {
					v = in[part]
				}
			case []any:
				v = nil
				if i, err := strconv.Atoi(part); err == nil && i < len(in) {
					v = in[i]
				}
			default:
				v = nil
			}
		}
		if text, ok := v.(string); ok && h.encoded {
			var inner any
			if json.Unmarshal([]byte(text), &inner) == nil {
				return inner
			}
		}
		if v != nil {
			return v
		}
	}
	return nil
}

// commands lists the texts that lie under some names.
func commands(v any, names []string) (list []string) {
	object, _ := v.(map[string]any)
	for _, name := range names {
		if text, ok := object[name].(string); ok {
			list = append(list, text)
		}
	}
	return list
}
