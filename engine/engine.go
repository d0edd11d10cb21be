package engine

import (
	"github.com/bashgate/bashgate/internal/code"

	"slices"
	"sync"
	"sync/atomic"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// Options are what an Engine is made of besides the built-in rules.
type Options struct {
	Files    policy.Files // nil: nothing is known of the disk
	User     []*Rules     // the user's rule files
	Project  []*Rules     // the project's, and what is left of broken files: they only tighten
	Managed  []*Rules     // the administrator's
	Profiles []*Rules     // the profiles of users; built-in names go first
	Windows  bool         // commands name files of Windows: with drives and backslashes, in any case
	NoLifts  bool         // nothing that a user or their agent has set up lifts a question
	// NoOverrides says that no user puts a built-in block out of force.
	NoOverrides bool
	// OldBash says that bash may be 3.2, as on macOS.
	OldBash bool
	Notes   []Note // what went wrong while loading
}

// Engine judges command lines. It holds no state between requests and is safe
// for concurrent use.
type Engine struct {
	opts      Options
	idle      atomic.Pointer[judge]     // one that has judged, with its buffers; nil: none, or it is at work
	indexed   lazy[*placeIndex]         // of the built-in, the user's and the project's rows
	isInside  lazy[bool]                // whether one of them names a place of the workspace
	owning    lazy[[]*match.PathRule]   // about what the gate itself obeys or remembers
	bringing  lazy[[]*match.SourceRule] // what rules bring from the network
	owned     lazy[map[string]layer]    // whose the files are that are not built in
	made      lazy[[]string]            // where tools put what they make
	loosened  lazy[*lenient]            // the rows of users that drop asks
	overruled lazy[[]*match.Override]   // what of blocks a user makes questions
	known     lazy[*code.Facts]         // what rules say of programming languages
	elsewhere elsewhere                 // the engines of other workspaces, where some file counts in some only
}

// lazy is a value that is made when it is first asked for.
type lazy[T any] struct {
	done  sync.Once
	value T
}

func (o *lazy[T]) get(make func() T) T {
	o.done.Do(func() { o.value = make() })
	return o.value
}

// New makes an Engine of the built-in rules and o.
func New(o Options) *Engine {
	e := &Engine{opts: o}
	e.elsewhere.some = o.someWorkspaces()
	return e
}

func (e *Engine) places() *placeIndex {
	return e.indexed.get(func() *placeIndex { return (&judge{engine: e}).newPlaces() })
}

func (e *Engine) inside() bool {
	return e.isInside.get(func() bool { return gates.Places.Inside || e.namesInside() })
}

func (e *Engine) namesInside() bool {
	for _, owner := range e.layers() {
		for _, rules := range owner.rules {
			if namesInside(slices.Values(interp.Gates(rules))) {
				return true
			}
		}
	}
	return false
}

func (e *Engine) owners() map[string]layer {
	return e.owned.get(func() (owners map[string]layer) {
		for _, owner := range e.layers() {
			for _, rules := range owner.rules {
				for _, g := range interp.Gates(rules) {
					if owners == nil {
						owners = map[string]layer{}
					}
					owners[g.File] = owner.layer
				}
			}
		}
		return owners
	})
}

func (e *Engine) own() []*match.PathRule       { return e.owning.get(ownRows) }
func (e *Engine) sources() []*match.SourceRule { return e.bringing.get(e.opts.sources) }
func (e *Engine) outputs() []string            { return e.made.get(outputPlaces) }
func (e *Engine) lenient() *lenient            { return e.loosened.get(e.loosening) }
func (e *Engine) overrides() []*match.Override { return e.overruled.get(e.overriding) }

// Evaluate judges one command line. The decision is Allow only if every
// simple command in it was understood and allowed.
func (e *Engine) Evaluate(r Request) Verdict {
	if r.Cwd == "" {
		r.Cwd = r.Workspace
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	if e.elsewhere.some {
		here := r
		e = e.in(&here)
	}
	if s := r.Settings; s != nil {
		r.AdditionalDirs = append(r.AdditionalDirs[:len(r.AdditionalDirs):len(r.AdditionalDirs)], s.AdditionalDirs...)
		if r.Mode == "" {
			r.Mode = s.DefaultMode
		}
	}
	j := e.judge() // which nobody gets again where this panics
	j.question = r
	j.request = &j.question
	nodes := j.profile(r.Profile, r.Packs)
	nodes = append(nodes, settingsNotes(r.Settings)...)
	if r.Shell == policy.ShellOther {
		nodes = append(nodes, engineNode("shell.unread", policy.Ask, "A shell runs it whose language is not read", r.Command))
	}
	read := j.text(shell.Input{
		Text:    r.Command,
		Dialect: dialect(r.Shell),
		Dirs:    oneDir(r.Cwd),
		Home:    r.Home,
	}, frame{})
	read = append(read, j.changedLater()...)
	read = append(read, j.turnedLater()...)
	read = append(read, j.unfollowed()...)
	if len(nodes) > 0 {
		read = append(nodes, read...)
	}
	v := j.verdict(read)
	v.Incomplete = len(nodes) > 0 || len(j.notes()) > 0
	e.rest(j)
	return v
}

// judge is one that nobody else uses. Of those that have judged one is kept: a pool
// outlives its engine, and most engines judge one command at a time.
func (e *Engine) judge() *judge {
	if j := e.idle.Swap(nil); j != nil {
		return j
	}
	return newJudge(e)
}

// rest takes a judge back that has judged. After a long text its buffers are large, and
// nobody may need them again.
func (e *Engine) rest(j *judge) {
	if len(j.request.Command) > longText {
		return
	}
	j.forget()
	e.idle.Store(j)
}

const longText = 64 << 10 // bytes

// judged is what the gates say of a call beside the call itself.
type judged struct {
	builtIn int          // how many of its uses the rules outside the profile found
	known   bool         // some rule outside the profile has a table for the program
	ours    bool         // a built-in one has
	listed  bool         // a profile with opinions of its own may let it pass: it lists the program, or another file allows the use
	reach   policy.Reach // how far it reaches by the rules that the profile puts out of force
}

// gates runs every gate over a call.
func (j *judge) gates(c *match.Call) judged {
	c.Layer = uint8(builtIn)
	gates.Judge(c)
	said := judged{ours: c.Known}
	if j.grammarOnly() {
		for i := range c.Held {
			said.reach = max(said.reach, c.Held[i].Rule.Reach)
		}
		for i := range c.Unknowns {
			said.reach = max(said.reach, c.Unknowns[i].Reach)
		}
	}
	for _, l := range j.engine.layers() {
		c.Layer = uint8(l.layer)
		for _, rules := range l.rules {
			interp.Judge(rules, c)
		}
	}
	c.Layer = uint8(ofPack)
	for _, g := range j.packs {
		g.Judge(c)
	}
	said.known, said.builtIn = c.Known, len(c.Uses)
	for i := range c.Held {
		said.listed = said.listed || c.Held[i].Decision == policy.Allow && mayList(c.Held[i].Layer)
	}
	for i := range c.Unknowns {
		said.listed = said.listed || c.Unknowns[i].Decision == policy.Allow && mayList(c.Unknowns[i].Layer)
	}
	c.Layer = uint8(ofProfile)
	for _, g := range j.profiles {
		g.Judge(c)
		said.listed = said.listed || g.Has(c.Name)
	}
	return said
}

// mayList reports whether an allow of a layer adds to what a profile lists.
func mayList(l uint8) bool { return layer(l) > ofProject }

// layers are the rules beside the built-in ones and the packs, in the order
// in which they give their reasons.
func (e *Engine) layers() [3]struct {
	layer layer
	rules []*interp.Rules
} {
	return [3]struct {
		layer layer
		rules []*interp.Rules
	}{{ofUser, e.opts.User}, {ofProject, e.opts.Project}, {ofManaged, e.opts.Managed}}
}

func dialect(shellName string) shell.Dialect {
	switch shellName {
	case policy.ShellBash:
		return shell.Bash
	case policy.ShellPOSIX, "dash":
		return shell.POSIX
	case policy.ShellZsh:
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
