package config

import (
	"fmt"
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

// How long a checker may take where it is not said, and at most.
const (
	DefaultChecker = 2 * time.Second
	longestChecker = 5 * time.Second
)

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
	Track           ruleset.Text   `toml:"track" default:"\"on\"" doc:"whether it is remembered what sessions have seen: on or off"`
	From            int            `toml:"from" default:"2" doc:"the level from which it counts: 1, 2 or 3"`
	TrustedHosts    []ruleset.Text `toml:"trusted_hosts" doc:"globs over machines whose content is not untrusted: docs.example.com"`
	TrustedRemotes  []ruleset.Text `toml:"trusted_remotes" doc:"globs over repositories whose content is not untrusted: github.com/acme/*"`
	ContainsSecrets []ruleset.Text `toml:"contains_secrets" doc:"directories: reading a file there shows a secret"`
	Files           ruleset.Text   `toml:"files" default:"\"keep\"" doc:"whether files that a tainted session wrote taint who reads them: keep or forget"`
}

type checker struct {
	ruleset.Table
	Command []ruleset.Text `toml:"command" doc:"the program's absolute path and its arguments" need:"yes"`
	Tools   []ruleset.Text `toml:"tools" doc:"globs over the agent's tools that it is asked about; absent: the shell"`
	Timeout int            `toml:"timeout" doc:"how long it may take, in seconds, from 1 to 5; 2 where it is absent"`
}

type notify struct {
	ruleset.Table
	Command []ruleset.Text `toml:"command" doc:"the program's absolute path and its arguments: it is started when a question waits for a person elsewhere"`
}

type audit struct {
	ruleset.Table
	Log          ruleset.Text `toml:"log" default:"\"on\"" doc:"whether decisions are logged: on or off"`
	File         ruleset.Text `toml:"file" doc:"where to, instead of audit.log in the directory of the state"`
	Key          ruleset.Text `toml:"key" doc:"the key that chains the lines, instead of audit.key in the directory of the state"`
	Commands     ruleset.Text `toml:"commands" default:"\"full\"" doc:"how much of a command is logged: full, names of its programs, or off"`
	MaxMegabytes int          `toml:"max_megabytes" default:"16" doc:"how large the file may grow; 16 where it is absent"`
	Keep         int          `toml:"keep" default:"4" doc:"how many full files are kept; 4 where it is absent"`
}

// reader checks the values of tables.
type reader struct {
	fail func(at ruleset.Text, msg, hint string)
	path func(key string, t ruleset.Text) string
}

func (r reader) oneOf(key string, t ruleset.Text, words ...string) {
	for _, word := range words {
		if t.Value == word {
			return
		}
	}
	if t.Value != "" {
		r.fail(t, key+" takes "+strings.Join(words, ", "), "")
	}
}

func (r reader) between(t *ruleset.Table, key string, n, least, most int) int {
	if t.Has(key) && (n < least || n > most) {
		r.fail(ruleset.Text{At: t.Key(key)}, fmt.Sprintf("%s is a number from %d to %d, not %d", key, least, most, n), "")
		return 0
	}
	return n
}

func (w *taint) meaning(r reader) Taint {
	r.oneOf("track", w.Track, "on", "off")
	r.oneOf("files", w.Files, "keep", "forget")
	t := Taint{
		Off: w.Track.Value == "off", From: r.between(&w.Table, "from", w.From, 1, 3),
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
	c := Checker{
		Command: values(w.Command), Tools: values(w.Tools),
		Timeout: time.Duration(r.between(&w.Table, "timeout", w.Timeout, 1, int(longestChecker/time.Second))) * time.Second,
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
	r.oneOf("log", w.Log, "on", "off")
	if w.Commands.Value == "none" { // an older word for it
		w.Commands.Value = "off"
	}
	r.oneOf("commands", w.Commands, "full", "names", "off")
	a := Audit{
		Off: w.Log.Value == "off", Commands: w.Commands.Value,
		MaxBytes: int64(r.between(&w.Table, "max_megabytes", w.MaxMegabytes, 1, 4096)) << 20,
		Keep:     r.between(&w.Table, "keep", w.Keep, 1, 1000),
	}
	if w.File.Value != "" {
		a.File = r.path("file", w.File)
	}
	if w.Key.Value != "" {
		a.Key = r.path("key", w.Key)
	}
	return a
}
