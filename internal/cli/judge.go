package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/learn"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// judge is the engine with what the administrator, the user and the project
// have set up. It reads the first two's files once, and a project's when a
// request names it.
type judge struct {
	process *Process
	setup   *config.Setup
	config  config.Config // of the user and the administrator
	options engine.Options
	aliases func() []engine.Alias

	key    string // of what follows
	loaded        // for the last request's projects and profile

	// kept holds what was loaded for others; nil = nothing is. Who judges for long
	// would not see that files change.
	kept map[string]loaded
}

// loaded is what holds in the same projects, with the same profile.
type loaded struct {
	engine  *engine.Engine
	made    engine.Options // what it is made of
	project config.Config  // config with what the project adds
	packs   []string       // that are on, and built in; or none is called so
	changed []string       // projects whose rules are not those that were trusted any more
}

func newJudge(p *Process) *judge { return newJudgeOf(p, p.setup()) }

func newJudgeOf(p *Process, setup *config.Setup) *judge {
	user, managed := setup.UserRules(catalogue.Known), setup.ManagedRules(catalogue.Known)
	return &judge{
		process: p,
		setup:   setup,
		config:  setup.Config,
		aliases: sync.OnceValue(func() []engine.Alias { return aliases(p.Getenv) }),
		options: engine.Options{
			Files:       p.disk(),
			User:        layer(user.Whole()),
			Project:     layer(user.Left()),
			Managed:     layer(managed.Whole(), managed.Left()),
			NoLifts:     setup.NoLifts,
			NoOverrides: setup.NoOverrides,
			OldBash:     runtime.GOOS == "darwin" && p.Disk == nil,
			Notes:       p.notes(setup.Faults(), user.Faults(), managed.Faults()),
		},
	}
}

// setup loads the settings of the user and the administrator.
func (p *Process) setup() *config.Setup {
	return p.setupWith("")
}

// setupWith is setup with a preset that counts before what the user has set up; ""
// = without.
func (p *Process) setupWith(preset string) *config.Setup {
	names := Names()
	names.Instead = preset
	return config.Load(config.Places{Getenv: p.Getenv, System: p.SystemDir}, names)
}

// Names are those that settings may choose from.
func Names() config.Names {
	return config.Names{Packs: gates.Packs[:], Profiles: gates.Profiles[:], Presets: gates.Presets[:], Preset: gates.Preset}
}

// layer lists the rules that are not nil.
func layer(rules ...*interp.Rules) []*interp.Rules {
	var list []*interp.Rules
	for _, r := range rules {
		if r != nil {
			list = append(list, r)
		}
	}
	return list
}

// notes turns what went wrong while loading into reasons to ask: the files
// might have held a stricter rule.
func (p *Process) notes(lists ...[]config.Fault) []engine.Note {
	var notes []engine.Note
	for _, list := range lists {
		for _, fault := range list {
			if fault.Scope.None() {
				continue
			}
			notes = append(notes, engine.Note{Scope: fault.Scope, Finding: policy.Finding{
				ID:       "config.error",
				Decision: policy.Ask,
				Reason:   "The configuration can't be used: " + policy.Visible(p.firstLine(fault.Err)),
				Reach:    policy.ReachLocal,
				Source:   "(configuration)",
			}})
		}
	}
	return notes
}

// evaluate judges a request. What it leaves open is as configured.
func (j *judge) evaluate(r engine.Request) engine.Verdict {
	r, notices := j.configured(r)
	v := j.engine.Evaluate(r)
	notify(&v, notices)
	return v
}

// evaluateTool judges the use of a tool other than the shell.
func (j *judge) evaluateTool(r engine.Request, t engine.Tool) engine.Verdict {
	r, notices := j.configured(r)
	v := j.engine.EvaluateTool(r, t)
	notify(&v, notices)
	return v
}

// notify tells whoever is asked, or told no, why settings of theirs don't count.
func notify(v *engine.Verdict, notices []engine.Reason) {
	for _, notice := range notices {
		v.Reasons = append(v.Reasons, notice)
		if v.Decision > policy.Allow {
			v.Reason += "; " + notice.Text()
		}
	}
}

// configured fills in what a request leaves open, and makes the engine for the
// projects that it lies in. The notices say what of the settings does not count.
func (j *judge) configured(r engine.Request) (engine.Request, []engine.Reason) {
	var notices []engine.Reason
	if !filepath.IsAbs(r.Home) {
		r.Home = "" // nobody knows where that is
	}
	asked := r.Profile
	profile, other := j.config.Choose(asked)
	if other && (asked != "" || j.config.Profile != "") {
		notices = append(notices, engine.NewReason("managed.profile", policy.Allow, "the administrator allows only the profiles "+strings.Join(j.config.Profiles, ", "), "(configuration)"))
	}
	r.Profile = profile
	j.load(&r)
	for _, dir := range j.changed {
		notices = append(notices, engine.NewReason("trust.changed", policy.Allow, "the rules of "+j.process.home(dir)+" have changed since they were trusted, and only tighten now", "bashgate trust "+policy.Quote(dir)))
	}
	c := &j.project
	if r.AllowedDirs == nil || j.setup.Fixed("allowed_dirs") {
		r.AllowedDirs = slashed(c.AllowedDirs)
	}
	r.Packs = j.packs
	r.DeniedCommands = join(r.DeniedCommands, c.DeniedCommands)
	r.ScratchDirs = slashed(c.ScratchDirs)
	r.ProgramDirs = slashed(config.Outside(c.ProgramDirs, system.Native(r.Workspace)))
	r.PackSettings = c.PackSettings
	r.TrustedHosts = c.Taint.Trusted
	r.Aliases = j.aliases
	if j.process.Away { // directories of that name are others there
		r.ScratchDirs, r.ProgramDirs, r.Getenv = nil, nil, nil
	}
	return r, notices
}

// slashed are directories as commands name them.
func slashed(dirs []string) []string {
	if !system.Windows || dirs == nil { // nil is not none
		return dirs
	}
	named := make([]string, len(dirs))
	for i, dir := range dirs {
		named[i] = system.Slash(dir)
	}
	return named
}

// load makes the engine for a request's projects and profile, unless it is the
// last one's.
func (j *judge) load(r *engine.Request) {
	asked := strings.Join(append(r.Packs[:len(r.Packs):len(r.Packs)], r.Profile), "\x00")
	key := strings.Join([]string{r.Cwd, r.Workspace, asked}, "\x00")
	if j.engine != nil && key == j.key {
		return
	}
	var projects []string
	switch home := j.process.Getenv("HOME"); {
	case !j.process.Away:
		projects = config.Projects(r.Cwd, r.Workspace, home)
	case j.process.Disk != nil: // the workspace is the same directory here and there
		projects = config.Projects(r.Workspace, r.Workspace, home)
	}
	shared := strings.Join(append(projects, asked), "\x00")
	if len(j.config.PacksDir) > 0 {
		shared = key // those in the workspace don't count
	}
	if known, ok := j.kept[shared]; ok {
		j.loaded, j.key = known, key
		return
	}
	options := j.options
	options.Windows = system.Windows
	project := j.setup.Project(projects, catalogue.Known)
	j.project, j.changed = j.config.With(project), nil
	for _, rules := range project.Rules {
		whole := layer(rules.Whole())
		if rules.Trust == config.IsTrusted {
			options.User = join(options.User, whole)
		} else {
			options.Project = join(options.Project, whole)
		}
		options.Project = join(options.Project, layer(rules.Left()))
		if rules.Trust == config.Changed {
			j.changed = append(j.changed, rules.Project)
		}
	}
	packs, left := j.setup.SharedPacks(join(r.Packs, j.project.Packs), r.Workspace, catalogue.Known)
	j.packs = left
	options.Project = join(options.Project, layer(packs.Whole(), packs.Left()))
	options.Notes = join(options.Notes, j.process.notes(project.Faults(), packs.Faults()))
	if gates.Profile(r.Profile) == nil {
		profiles, faults := j.setup.Profiles(catalogue.Known).Chain(r.Profile)
		options.Profiles = layer(profiles)
		options.Notes = join(options.Notes, j.process.notes(faults))
	}
	j.engine, j.made, j.key = engine.New(options), options, key
	if j.kept != nil {
		j.kept[shared] = j.loaded
	}
}

// learning is the judge with further rules of the user's, for several goroutines
// at once. Some engines are kept, and what is set up in a project: it is for one
// command, not for as long as files may change.
func (j *judge) learning() learn.Judge {
	const most = 64
	type with struct {
		engine *engine.Engine
		rules  string // the addresses of those that an engine holds
	}
	var lock sync.Mutex
	engines := map[with]*engine.Engine{}
	j.kept = map[string]loaded{}
	find := func(r engine.Request, more []*interp.Rules) (engine.Request, *engine.Engine) {
		lock.Lock()
		defer lock.Unlock()
		r, _ = j.configured(r)
		if len(more) == 0 {
			return r, j.engine
		}
		key := with{engine: j.engine}
		for _, rules := range more {
			key.rules += fmt.Sprintf("%p ", rules)
		}
		e := engines[key]
		if e == nil {
			if len(engines) == most {
				clear(engines)
			}
			options := j.made
			options.User = join(options.User, more)
			e = engine.New(options)
			engines[key] = e
		}
		return r, e
	}
	return func(r engine.Request, more ...*interp.Rules) engine.Verdict {
		r, e := find(r, more)
		return evaluated(e, r)
	}
}

// aliases tells where bashgate's own files and those of agents lie, if that is
// not the place by which the rules know them, or that is a link.
func aliases(getenv func(string) string) []engine.Alias {
	var list []engine.Alias
	moved := append([]install.Moved{
		{Variable: "XDG_CONFIG_HOME", Below: "bashgate", Usual: ".config/bashgate"},
		{Variable: "XDG_STATE_HOME", Below: "bashgate", Usual: ".local/state/bashgate"},
	}, install.MovedDirs()...)
	for usual, dir := range map[string]string{".config": system.Config(getenv), ".local/state": system.State(getenv)} {
		if dir != "" {
			list = append(list, engine.Alias{Dir: system.Slash(filepath.Join(dir, "bashgate")), As: "~/" + usual + "/bashgate"})
		}
	}
	for _, a := range moved {
		usual := filepath.Join(getenv("HOME"), a.Usual)
		dirs := []string{usual}
		if dir := getenv(a.Variable); filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Join(dir, a.Below))
		}
		for _, dir := range dirs {
			if dir != usual {
				list = append(list, engine.Alias{Dir: system.Slash(dir), As: "~/" + a.Usual})
			}
			if _, err := os.Stat(dir); err != nil {
				continue // most of these agents are not here, and links are followed step by step
			}
			if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(real) && real != dir {
				list = append(list, engine.Alias{Dir: system.Slash(real), As: "~/" + a.Usual})
			}
		}
	}
	return list
}

// join returns a new list of both; the lists themselves stay as they are.
func join[T any](a, b []T) []T {
	if len(b) == 0 {
		return a
	}
	return append(a[:len(a):len(a)], b...)
}

// findProgram returns a gate's table for a program, or nil.
func findProgram(g *match.Gate, name string) *match.Program {
	for _, p := range g.Programs() {
		if p.Name == name {
			return p
		}
		for _, alias := range p.Aliases {
			if alias == name {
				return p
			}
		}
	}
	return nil
}

// firstLine is an error's first line, for places that have room for one, with
// a word about the rest.
func (p *Process) firstLine(err error) string {
	if errs, ok := errors.AsType[ruleset.Errors](err); ok && len(errs) > 0 {
		first := *errs[0]
		first.File, first.Line, first.Hint = p.home(first.File), "", ""
		if more := len(errs) - 1; more > 0 {
			return first.Error() + ", and " + plural(more, "more error")
		}
		return first.Error()
	}
	return err.Error()
}
