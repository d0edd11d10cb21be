package cli

import (
	"flag"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/doctor"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

const statusHelp = `status says in one line whose hooks are installed, what the session has seen,
who reviews what tainted sessions do, and how many questions wait for a person,
if some do.

Usage:
  bashgate status [--session SESSION] [--json]

The session is the one that SESSION is the beginning of, that of Claude Code's
status line, whose JSON is read from standard input, or else the one that
changed last. "tainted(2)" is a session that has seen something of that level
which counts; bashgate taint show tells what. "2 wait" are those of bashgate
pending. "off" is no hook at all: bashgate doctor tells why.

Flags:
  --session SESSION  which session
  --json             one JSON object

Exit status: 0 a hook is installed, 1 none is. For a status line it is 0.

Example:
  $ bashgate status
  bashgate claude,gemini · tainted(2) · cop off
`

func statusCommand() command {
	return command{
		name:    "status",
		summary: "one line for prompts and status bars",
		help:    statusHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			name := flags.String("session", "", "SESSION")
			json := flags.Bool("json", false, "")
			return func(p *Process, args []string) (int, error) {
				if len(args) > 0 {
					return 0, usagef("see bashgate status --help", "status takes no arguments, found %q", args[0])
				}
				s, err := statusOf(p, *name)
				if err != nil {
					return 0, err
				}
				out := s.line()
				if *json {
					out = s.json()
				}
				_, err = io.WriteString(p.Stdout, out)
				if len(s.hosts) == 0 && !s.bar {
					return exitError, err
				}
				return exitOK, err
			}
		},
	}
}

// status is what the line says.
type status struct {
	hosts   []string // whose hooks are installed
	session string   // "" = none has a record
	taint   engine.Taint
	cop     string // "off", or the provider
	waits   int    // how many requests wait for a person
	bar     bool   // an agent wants it for its status line
}

func statusOf(p *Process, prefix string) (*status, error) {
	here, _ := p.Getwd() // without one, the user's own settings count
	s := &status{cop: "off"}
	place := install.Place{Home: p.Getenv("HOME"), Workspace: here, Getenv: p.Getenv}
	store, err := session.Open(p.Getenv)
	if err != nil {
		return nil, err
	}
	tool := taintTool{process: p, store: store}
	if prefix == "" {
		var id string
		if id, place.Workspace = statusLine(p.Stdin, here); id != "" {
			s.bar, s.session = true, session.Name("claude", id)
		}
	} else if s.session, err = tool.find(prefix); err != nil {
		return nil, err
	}
	if s.session == "" {
		if names, _ := store.Names(); len(names) > 0 {
			s.session = names[0]
		}
	}
	setup := p.setup()
	if c := &setup.Cop; c.Provider != "" && c.When != "never" {
		s.cop = c.Provider
	}
	if names, _ := store.Names(); s.session != "" && len(names) > 0 && !setup.Taint.Off {
		rules := (&judge{config: setup.Config}).taintRules()
		state := store.Read(s.session)
		s.taint = state.Taint(rules.From)
	}
	s.waits = p.waits()
	m := doctor.Machine{Place: place}
	for _, a := range install.Agents() {
		if m.Installed(a) {
			s.hosts = append(s.hosts, a.Host)
		}
	}
	return s, nil
}

// statusLine reads what Claude Code hands to the program of its status line
// (https://code.claude.com/docs/en/statusline): the session's id, and the
// directory of its project. A terminal, and what is no such JSON or not there
// within a fifth of a second, says nothing.
func statusLine(stdin io.Reader, here string) (id, workspace string) {
	if f, ok := stdin.(*os.File); ok {
		if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
			return "", here
		}
	}
	input := make(chan []byte, 1)
	go func() {
		data, _ := readAll(stdin, 1<<20)
		input <- data
	}()
	select {
	case data := <-input:
		v, err := wire.Parse(data)
		if err != nil {
			return "", here
		}
		o, err := v.Object()
		if err != nil {
			return "", here
		}
		id, _ = o.Get("session_id").Text()
		project, err := o.Get("workspace").Object()
		if dir, bad := project.Get("project_dir").Text(); err == nil && bad == nil && dir != "" {
			here = dir
		}
	case <-time.After(200 * time.Millisecond):
	}
	return id, here
}

// level is how much of what counts the session has seen.
func (s *status) level() int { return max(s.taint.Corruption, s.taint.Secret) }

// line is "bashgate claude,gemini · tainted(2) · cop off", or "bashgate off".
func (s *status) line() string {
	if len(s.hosts) == 0 {
		return "bashgate off" + s.waiting() + "\n"
	}
	seen := "clean"
	switch {
	case s.taint.Damaged:
		seen = "tainted(?)"
	case s.level() > 0:
		seen = "tainted(" + strconv.Itoa(s.level()) + ")"
	}
	return policy.Visible("bashgate "+strings.Join(s.hosts, ",")+" · "+seen+" · cop "+s.cop) + s.waiting() + "\n"
}

// waiting is " · 2 wait"; "" where nothing does.
func (s *status) waiting() string {
	if s.waits == 0 {
		return ""
	}
	return " · " + strconv.Itoa(s.waits) + " wait"
}

func (s *status) json() string {
	b := []byte(`{"hosts":[`)
	for i, name := range s.hosts {
		if i > 0 {
			b = append(b, ',')
		}
		b = wire.AppendText(b, name)
	}
	b = wire.AppendText(append(b, `],"session":`...), s.session)
	b = strconv.AppendInt(append(b, `,"corruption":`...), int64(s.taint.Corruption), 10)
	b = strconv.AppendInt(append(b, `,"secret":`...), int64(s.taint.Secret), 10)
	b = strconv.AppendBool(append(b, `,"damaged":`...), s.taint.Damaged)
	b = wire.AppendText(append(b, `,"cop":`...), s.cop)
	b = strconv.AppendInt(append(b, `,"waits":`...), int64(s.waits), 10)
	return string(append(b, "}\n"...))
}
