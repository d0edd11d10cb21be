//go:build unix

package main

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// model is a language model that does what it was told before: each of its
// turns uses the next tool of a script, and the last one says "Done." It
// listens on the loopback interface alone and speaks what the agents speak:
// OpenAI's chat completions and responses, Anthropic's messages and Gemini's
// generateContent, as a stream where that is asked for.
type model struct {
	URL    string // http://127.0.0.1:PORT
	name   string // agents offer some models other tools
	server *http.Server

	// lenient skips uses of tools that are not offered, which are a problem else.
	lenient bool

	mu      sync.Mutex
	script  []use
	calls   int
	results []string          // what the agent said of the tools' uses, in order
	tools   map[string]schema // every tool that was offered, by name
	paths   []string          // what was asked for, for messages about failures
	problem error             // the first thing that the script could not do
}

// use is one use of a tool: the first of the names that is offered. Of the
// values those are given to it that its schema has a name for.
type use struct {
	names  []string
	values object
	before func(told string) error // is done once before it, and knows what was said of the use before; may be nil
}

// shell is the use of a shell.
func shell(tool, command string) use {
	return use{names: []string{tool}, values: object{"command": command, "cmd": command, "commands": list{command}}}
}

// writes is the use of a tool that makes a file, or adds it by a patch.
func writes(path string) use {
	patch := "*** Begin Patch\n*** Add File: " + path + "\n+one\n*** End Patch\n"
	return use{names: []string{"Write", "write_file", "write", "create", "editor", "apply_patch"}, values: object{
		"file_path": path, "path": path, "filePath": path, "absolute_path": path,
		"content": "one\n", "file_text": "one\n", "new_text": "one\n", "command": "create",
		"input": patch, "patchText": patch, customInput: patch,
	}}
}

// schema is a tool's JSON schema of its arguments.
type schema map[string]any

// newModel starts a model with a name and a script.
func newModel(name string, script []use) (*model, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{URL: "http://" + listener.Addr().String(), name: name, script: script, tools: map[string]schema{}}
	m.server = &http.Server{Handler: m}
	go m.server.Serve(listener)
	return m, nil
}

// close ends the server; what it has seen may be read then.
func (m *model) close() {
	m.server.Close()
	m.mu.Lock()
	defer m.mu.Unlock()
}

// dialect is one protocol: what a request says, and how an answer is written.
type dialect struct {
	tools   func(body object) map[string]schema
	results func(body object) []string
	answer  func(w http.ResponseWriter, stream bool, c *call)
}

// call is a use of a tool, as the model asks for it. No call says that the
// model is done.
type call struct {
	id, tool string
	args     string // JSON
}

type (
	object = map[string]any
	list   = []any
)

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var body object
	json.Unmarshal(data, &body) // a body that is no object has no tools
	m.mu.Lock()
	m.paths = append(m.paths, r.Method+" "+r.URL.Path)
	m.mu.Unlock()
	path, stream := r.URL.Path, body["stream"] == true
	switch {
	case r.Method != http.MethodPost && strings.Contains(path, "/models"):
		one := object{"id": m.name, "slug": m.name, "name": "models/" + m.name, "display_name": m.name, "object": "model", "type": "model", "created": 1, "owned_by": "e2e"}
		reply(w, object{"object": "list", "data": list{one}, "models": list{}, "has_more": false})
	case strings.HasSuffix(path, "/chat/completions"):
		m.turn(w, body, stream, chat)
	case strings.HasSuffix(path, "/responses"):
		m.turn(w, body, stream, responses)
	case strings.HasSuffix(path, "/messages"):
		m.turn(w, body, stream, messages)
	case strings.HasSuffix(path, ":streamGenerateContent"):
		m.turn(w, body, true, generate)
	case strings.HasSuffix(path, ":generateContent"):
		m.turn(w, body, false, generate)
	case strings.Contains(path, "count_tokens"), strings.Contains(path, "countTokens"):
		reply(w, object{"input_tokens": 10, "totalTokens": 10})
	default:
		reply(w, object{})
	}
}

func read(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(r.Body)
	}
	unpacked, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}

// turn answers a request that may use tools with the next use of the script.
// How many have been before, the request itself says: it holds their results.
// Agents also ask for titles and summaries, without tools or with others.
func (m *model) turn(w http.ResponseWriter, body object, stream bool, d dialect) {
	tools, results := d.tools(body), d.results(body)
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, s := range tools {
		m.tools[name] = s
	}
	if len(results) > len(m.results) {
		m.results = results
	}
	if len(tools) > 0 {
		if c := m.next(len(results), tools); c != nil {
			d.answer(w, stream, c)
			return
		}
	}
	d.answer(w, stream, nil)
}

// next is the use after as many results, nil if nothing is left of the script.
func (m *model) next(results int, tools map[string]schema) *call {
	for n, u := range m.script {
		i := slices.IndexFunc(u.names, func(name string) bool { _, ok := tools[name]; return ok })
		switch {
		case i < 0 && m.lenient:
			continue
		case results > 0:
			results--
			continue
		case i >= 0:
			if u.before != nil && n > 0 {
				m.problem = cmp.Or(m.problem, u.before(m.results[n-1]))
				m.script[n].before = nil // agents may ask for the same turn again
			}
			args, _ := json.Marshal(tools[u.names[i]].fill(u.values))
			m.calls++
			return &call{id: fmt.Sprintf("call_%d", m.calls), tool: u.names[i], args: string(args)}
		}
		if len(m.results) == 0 && m.problem == nil {
			m.problem = fmt.Errorf("none of the tools %q is offered, but %q", u.names, keys(tools))
		}
		return nil
	}
	return nil
}

func keys(tools map[string]schema) []string {
	var names []string
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// fill makes a tool's arguments: the values that its schema names, and something
// for what is required besides. A tool without a schema takes a text alone.
func (s schema) fill(values object) object {
	properties, args := at(object(s), "properties"), object{}
	if s["custom"] == true {
		return object{customInput: values[customInput]}
	}
	for key, value := range values {
		switch property := at(properties, key); {
		case property == nil:
		case property["type"] == "array" && text(value) == value:
			args[key] = list{"bash", "-c", value}
		default:
			args[key] = value
		}
	}
	required, _ := s["required"].(list)
	for _, r := range required {
		key, _ := r.(string)
		if _, ok := args[key]; ok {
			continue
		}
		property := at(properties, key)
		choices, _ := property["enum"].(list)
		switch kind := property["type"]; {
		case len(choices) > 0:
			args[key] = choices[0]
		case kind == "boolean":
			args[key] = false
		case kind == "number", kind == "integer":
			args[key] = 20
		case kind == "array":
			args[key] = list{}
		default:
			args[key] = "do it"
		}
	}
	return args
}

// at is a member that is an object; nil where it is none.
func at(o object, key string) object {
	v, _ := o[key].(object)
	return v
}

// members are the objects of a member that is a list.
func members(o object, key string) []object {
	var all []object
	l, _ := o[key].(list)
	for _, v := range l {
		if o, ok := v.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, _ := json.Marshal(v)
	return string(data)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// events writes a stream, with the events' names before them where their type
// is one.
func events(w http.ResponseWriter, all ...object) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range all {
		if name, ok := e["type"].(string); ok {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		fmt.Fprintf(w, "data: %s\n\n", text(e))
	}
}

// done is what the model says when nothing is left to do.
const done = "Done."
