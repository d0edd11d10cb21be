package config

import (
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// Taint is how what a session has seen is remembered. The zero value is what
// holds without a table.
type Taint struct {
	Off             bool     // nothing is remembered
	From            int      // the level from which it counts, 1 to 3; 0 = DefaultFrom
	Trusted         []string // globs over machines, and over repositories like github.com/acme/*
	ContainsSecrets []string // absolute directories: reading a file there shows a secret
	ForgetFiles     bool     // files that a tainted session wrote are as any other
}

// DefaultFrom is the level from which what was seen counts: a page of the web
// does, what a search found does not.
const DefaultFrom = 2

// Checker is a program that may tighten a decision.
type Checker struct {
	Command []string // the program's absolute path and its arguments
	Tools   []string // globs over the tools that it is asked about
	Timeout time.Duration
}

// DefaultChecker is how long a checker may take where it is not said.
const DefaultChecker = 2 * time.Second

// Notify is how a person is told of a request that waits. The zero value is what
// holds without a table: nobody is told.
type Notify struct {
	Command []string // the program's absolute path and its arguments; nil = none
}

// Audit is what the decision log holds. The zero value is what holds without a
// table: everything is logged.
type Audit struct {
	Off      bool   // there is no log
	File     string // absolute; "" = audit.log in the directory of the state
	Key      string // absolute, of the key that chains the lines; "" = audit.key in the directory of the state
	Commands string // "full", "names" or "off"; "" = "full"
	MaxBytes int64  // when a new file is begun; 0 = DefaultAuditBytes
	Keep     int    // how many full files are kept; 0 = DefaultAuditKeep
	Why      error  // because of which no commands are logged, if that is a mistake about which nothing is asked
}

// The sizes where the settings say nothing.
const (
	DefaultAuditBytes = 16 << 20
	DefaultAuditKeep  = 4
)

type taint struct {
	ruleset.Table
	Track           ruleset.Text   `toml:"track" takes:"on,off" default:"\"on\"" doc:"whether it is remembered what sessions have seen"`
	From            int            `toml:"from" range:"1-3" default:"2" doc:"the level from which it counts"`
	TrustedHosts    []ruleset.Text `toml:"trusted_hosts" doc:"globs over machines whose content is not untrusted: docs.example.com"`
	TrustedRemotes  []ruleset.Text `toml:"trusted_remotes" doc:"globs over repositories whose content is not untrusted: github.com/acme/*"`
	ContainsSecrets []ruleset.Text `toml:"contains_secrets" doc:"directories: reading a file there shows a secret"`
	Files           ruleset.Text   `toml:"files" takes:"keep,forget" default:"\"keep\"" doc:"whether files that a tainted session wrote taint who reads them"`
}

type checker struct {
	ruleset.Table
	Command []ruleset.Text `toml:"command" doc:"the program's absolute path and its arguments" need:"yes"`
	Tools   []ruleset.Text `toml:"tools" doc:"globs over the agent's tools that it is asked about" absent:"the shell"`
	Timeout int            `toml:"timeout" range:"1-5" default:"2" doc:"how long it may take, in seconds"`
}

type notify struct {
	ruleset.Table
	Command []ruleset.Text `toml:"command" doc:"the program's absolute path and its arguments: it is started when a question waits for a person elsewhere"`
}

type audit struct {
	ruleset.Table
	Log          ruleset.Text `toml:"log" takes:"on,off" default:"\"on\"" doc:"whether decisions are logged"`
	File         ruleset.Text `toml:"file" doc:"where to" absent:"audit.log in the directory of the state"`
	Key          ruleset.Text `toml:"key" doc:"the key that chains the lines" absent:"audit.key in the directory of the state" more:"log.md#whether-it-is-what-was-written"`
	Commands     ruleset.Text `toml:"commands" takes:"full,names,off" default:"\"full\"" doc:"how much of a command is logged: all, the names of its programs, or nothing"`
	MaxMegabytes int          `toml:"max_megabytes" range:"1-4096" default:"16" doc:"how large the file may grow"`
	Keep         int          `toml:"keep" range:"1-1000" default:"4" doc:"how many full files are kept"`
}

func (w *taint) meaning(r reader) Taint {
	r.check(w)
	t := Taint{
		Off: w.Track.Value == "off", From: w.From,
		Trusted: append(values(w.TrustedHosts), values(w.TrustedRemotes)...), ForgetFiles: w.Files.Value == "forget",
	}
	for _, remote := range w.TrustedRemotes {
		if !strings.Contains(remote.Value, "/") || strings.Contains(remote.Value, "://") {
			r.fail(remote, "trusted_remotes needs the machine and the path", `write it like "github.com/acme/*"`)
		}
	}
	for _, dir := range w.ContainsSecrets {
		if p := r.path("contains_secrets", dir); p != "" {
			t.ContainsSecrets = append(t.ContainsSecrets, p)
		}
	}
	return t
}

func (w *checker) meaning(r reader) Checker {
	r.check(w)
	c := Checker{
		Command: values(w.Command), Tools: values(w.Tools),
		Timeout: time.Duration(w.Timeout) * time.Second,
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultChecker
	}
	if len(w.Command) > 0 {
		c.Command[0] = r.path("command", w.Command[0])
	}
	return c
}

func (w *notify) meaning(r reader) Notify {
	n := Notify{Command: values(w.Command)}
	if len(n.Command) > 0 {
		if n.Command[0] = r.path("command", w.Command[0]); n.Command[0] == "" {
			n.Command = nil
		}
	}
	return n
}

func (w *audit) meaning(r reader) Audit {
	if w.Commands.Value == "none" { // an older word for it
		w.Commands.Value = "off"
	}
	r.check(w)
	a := Audit{
		Off: w.Log.Value == "off", Commands: w.Commands.Value,
		MaxBytes: int64(w.MaxMegabytes) << 20,
		Keep:     w.Keep,
	}
	if w.File.Value != "" {
		a.File = r.path("file", w.File)
	}
	if w.Key.Value != "" {
		a.Key = r.path("key", w.Key)
	}
	return a
}
