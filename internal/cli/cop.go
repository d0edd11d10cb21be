package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/internal/system"
)

// review decides about what the rules have judged, by what the session has
// seen. The labels say in words what that is: "WebFetch example.com", and changed
// are the files of the workspace that such sessions have written, which the line
// may be moving on from. The outcome is of the reviewer, if one was asked.
func (j *judge) review(r *engine.Request, v *engine.Verdict, labels func() []string, changed []engine.Place, moving bool) cop.Outcome {
	var ask cop.Review
	if j.config.Cop.Provider != "" {
		ask = func(r *engine.Request, v *engine.Verdict) cop.Outcome {
			return j.call(r, v, false, labels, changed, moving)
		}
	}
	return j.table().Decide(r, v, ask)
}

// call asks the reviewer that is set up. A silent one says what it said earlier,
// and is not asked if that is nothing.
func (j *judge) call(r *engine.Request, v *engine.Verdict, silent bool, labels func() []string, changed []engine.Place, moving bool) cop.Outcome {
	c, err := j.reviewer(r, labels())
	if err != nil {
		return cop.Outcome{Kind: cop.Failed, Code: "configuration", Text: err.Error()}
	}
	c.Changed, c.Moving, c.Silent = changed, moving, silent
	whole, _ := j.configured(*r)
	return c.Review(&whole, v)
}

// table is who decides after the rules, as it is set up.
func (j *judge) table() cop.Table {
	var t cop.Table
	switch j.config.Cop.When {
	case "grey":
		t.When = cop.Grey
	case "never":
		t.When = cop.Never
	}
	switch j.config.Cop.Flag {
	case "ask":
		t.Flag = cop.ToAsk
	case "deny":
		t.Flag = cop.ToDeny
	}
	return t
}

// reviewer makes the reviewer that the user has set up. Nothing that the
// project's directory holds can be its configuration or its memory, whatever
// the environment says: the environment may be the project's doing.
func (j *judge) reviewer(r *engine.Request, labels []string) (*cop.Cop, error) {
	p, c := j.process, &j.config.Cop
	store, err := session.Open(p.Getenv)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(store.Dir, "cop")
	for _, path := range []string{c.File, dir} {
		if near(path, r) {
			return nil, errors.New("its files lie where the agent works: " + p.home(path))
		}
	}
	carry := p.Carry
	if carry == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, errors.New("where bashgated is can't be told")
		}
		carry = cop.Client(filepath.Join(filepath.Dir(self), "bashgated"))
	}
	if foreign(c.File) {
		return nil, errors.New("others could have written its configuration: " + p.home(c.File))
	}
	info, _ := debug.ReadBuildInfo()
	made := &cop.Cop{
		Call: cop.Call{
			Provider: c.Provider, Endpoint: c.Endpoint, Model: c.Model, Effort: c.Effort, KeyFile: c.KeyFile, Proxy: c.Proxy, Answers: c.Answers, Plain: c.Plain,
		},
		PerSession: c.PerSession, PerDay: c.PerDay,
		Dir: dir, Version: version(info), Labels: labels, Table: j.table(),
		Judge: j.evaluate, Files: p.disk(), Carry: carry,
	}
	if made.PerSession == 0 {
		made.PerSession = config.DefaultPerSession
	}
	if made.PerDay == 0 {
		made.PerDay = config.DefaultPerDay
	}
	return made, nil
}

// near reports whether a path lies in the directory of the project or where
// the command runs. That holds for an agent that works in the home directory
// too: whether HOME names that is for the environment to say.
func near(path string, r *engine.Request) bool {
	path = linked(path)
	for _, dir := range []string{r.Workspace, r.Cwd} {
		if dir == "" {
			continue
		}
		if rel, err := filepath.Rel(linked(dir), path); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return true
		}
	}
	return false
}

// linked follows the links of a path, as much of it as there is.
func linked(path string) string {
	for there := path; ; there = filepath.Dir(there) {
		if resolved, err := filepath.EvalSymlinks(there); err == nil {
			return resolved + strings.TrimPrefix(path, there)
		}
		if there == filepath.Dir(there) {
			return path
		}
	}
}

// foreign reports whether a file is not the user's own, or can be written by
// others.
func foreign(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return true
	}
	return !system.Mine(path, info) || system.Perm(path, info)&0o022 != 0
}
