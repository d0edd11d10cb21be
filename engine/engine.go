package engine

import (
	"sync"
	"sync/atomic"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/shell"
)

// Options are what an Engine is made of besides the built-in rules.
type Options struct {
	Files   policy.Files     // nil: nothing is known of the disk
	User    []*interp.Rules  // the user's rule files
	Project []*interp.Rules  // the project's: they only tighten
	Notes   []policy.Finding // what went wrong while loading; each joins every verdict
}

// Engine judges command lines. It holds no state between requests and is safe
// for concurrent use.
type Engine struct {
	opts   Options
	judges sync.Pool
	places func() *placeIndex // of the built-in, the user's and the project's rows
	inside func() bool        // whether one of them names a place of the workspace
	looked atomic.Int32       // how many paths were looked up in them

	labels  func() []*match.PathRule   // those of the rows that show a session something
	sources func() []*match.SourceRule // what rules bring from the network

	lenient   func() *lenient // the rows of users that drop asks
	overrides func() bool     // whether a user turns blocks into asks
	elsewhere elsewhere       // the engines of other workspaces, where some file counts in some only
}

// New makes an Engine of the built-in rules and o.
func New(o Options) *Engine {
	e := &Engine{opts: o}
	e.judges.New = func() any { return newJudge(e) }
	e.places = sync.OnceValue(func() *placeIndex {
		return newPlaceIndex((&judge{engine: e}).allGates())
	})
	e.labels = sync.OnceValue(func() (rows []*match.PathRule) {
		for g := range (&judge{engine: e}).allGates() {
			rows = labelled(rows, g)
		}
		return rows
	})
	e.sources = sync.OnceValue(e.opts.sources)
	e.inside = sync.OnceValue(func() bool { return namesInside((&judge{engine: e}).allGates()) })
	e.lenient = sync.OnceValue(func() *lenient { return loosening((&judge{engine: e}).allGates()) })
	e.overrides = sync.OnceValue(func() bool {
		for g := range (&judge{engine: e}).allGates() {
			if len(g.Overrides) > 0 {
				return true
			}
		}
		return false
	})
	e.elsewhere.some = o.someWorkspaces()
	return e
}

// Evaluate judges one command line. The decision is Allow only if every
// simple command in it was understood and allowed.
func (e *Engine) Evaluate(r Request) Verdict {
	if r.Cwd == "" {
		r.Cwd = r.Workspace
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	e = e.in(&r)
	j := e.judges.Get().(*judge)
	defer func() {
		j.forget()
		e.judges.Put(j)
	}()
	j.request = &r
	if s := r.Settings; s != nil {
		r.AdditionalDirs = append(r.AdditionalDirs[:len(r.AdditionalDirs):len(r.AdditionalDirs)], s.AdditionalDirs...)
		if r.Mode == "" {
			r.Mode = s.DefaultMode
		}
	}
	nodes := j.profile(r.Profile, r.Packs)
	nodes = append(nodes, settingsNotes(r.Settings)...)
	read := j.text(shell.Input{
		Text:    r.Command,
		Dialect: dialect(r.Shell),
		Dirs:    oneDir(r.Cwd),
		Home:    r.Home,
	}, frame{})
	read = append(read, j.changedLater()...)
	read = append(read, j.turnedLater()...)
	if len(nodes) > 0 {
		read = append(nodes, read...)
	}
	return j.verdict(read)
}

// gates runs every gate over a call. It reports whether a rule outside the
// profile knows the program, how many uses those rules found, and how far the
// command reaches by those that the profile puts out of force.
func (j *judge) gates(c *match.Call) (known bool, uses int, reach policy.Reach) {
	gates.Judge(c)
	for _, rules := range j.engine.opts.User {
		rules.Judge(c)
	}
	for _, rules := range j.engine.opts.Project {
		rules.Judge(c)
	}
	for _, g := range j.packs {
		g.Judge(c)
	}
	known, uses = c.Known, len(c.Uses)
	if j.grammarOnly() {
		for i := range c.Held {
			reach = max(reach, c.Held[i].Rule.Reach)
		}
		for i := range c.Unknowns {
			reach = max(reach, c.Unknowns[i].Reach)
		}
		c.OnlyGrammar()
	}
	for _, g := range j.profiles {
		g.Judge(c)
	}
	return known, uses, reach
}

func dialect(shellName string) shell.Dialect {
	switch shellName {
	case "bash":
		return shell.Bash
	case "sh", "dash":
		return shell.POSIX
	case "zsh":
		return shell.Zsh
	}
	return shell.Any
}

func oneDir(dir string) []string {
	if dir == "" {
		return nil
	}
	return []string{dir}
}
