package cli

import (
	"errors"
	"path/filepath"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// judge is the engine with what the user and the project have set up. It
// reads the user's files once, and a project's when a request names it.
type judge struct {
	process *Process
	config  config.Config
	options engine.Options // without a project
	aliases []engine.Alias

	engine    *engine.Engine // for workspace
	workspace string
}

func newJudge(p *Process) *judge {
	settings, err := config.Load(p.Getenv)
	rules, rulesErr := config.Rules(config.UserRules(p.Getenv), ruleset.User, builtIn)
	return &judge{
		process: p,
		config:  settings,
		aliases: aliases(p.Getenv),
		options: engine.Options{
			Files: disk.OS{},
			User:  layer(rules),
			Notes: p.notes(err, rulesErr),
		},
	}
}

func layer(rules *interp.Rules) []*interp.Rules {
	if rules == nil {
		return nil
	}
	return []*interp.Rules{rules}
}

// notes turns what went wrong while loading into reasons to ask: the files
// might have held a stricter rule.
func (p *Process) notes(errs ...error) []policy.Finding {
	var list []policy.Finding
	for _, err := range errs {
		if err == nil {
			continue
		}
		list = append(list, policy.Finding{
			ID:       "config.error",
			Decision: policy.Ask,
			Reason:   "The configuration can't be used: " + policy.Visible(p.firstLine(err)),
			Reach:    policy.ReachLocal,
			Source:   "(configuration)",
		})
	}
	return list
}

// evaluate judges a request. What it leaves open is as configured.
func (j *judge) evaluate(r engine.Request) engine.Verdict {
	r = j.configured(r)
	return j.engine.Evaluate(r)
}

// evaluateTool judges the use of a tool other than the shell.
func (j *judge) evaluateTool(r engine.Request, t engine.Tool) engine.Verdict {
	r = j.configured(r)
	return j.engine.EvaluateTool(r, t)
}

// configured fills in what a request leaves open, and makes the engine for its
// workspace.
func (j *judge) configured(r engine.Request) engine.Request {
	if r.Profile == "" {
		r.Profile = j.config.Profile
	}
	if r.AllowedDirs == nil {
		r.AllowedDirs = j.config.AllowedDirs
	}
	r.Packs = join(r.Packs, j.config.Packs)
	r.DeniedCommands = join(r.DeniedCommands, j.config.DeniedCommands)
	r.ScratchDirs = j.config.ScratchDirs
	r.PackSettings = j.config.PackSettings
	r.TrustedHosts = j.config.Taint.Trusted
	r.Aliases = j.aliases
	if j.engine == nil || r.Workspace != j.workspace {
		rules, err := config.Rules(config.ProjectRules(r.Workspace), ruleset.Project, builtIn)
		options := j.options
		options.Project = layer(rules)
		options.Notes = join(options.Notes, j.process.notes(err))
		j.engine, j.workspace = engine.New(options), r.Workspace
	}
	return r
}

// aliases tells where bashgate's own files and Claude Code's lie, if that is
// not the place by which the rules know them, or that is a link.
func aliases(getenv func(string) string) []engine.Alias {
	var list []engine.Alias
	for _, a := range [...]struct{ variable, below, usual string }{
		{"XDG_CONFIG_HOME", "bashgate", ".config/bashgate"},
		{"XDG_STATE_HOME", "bashgate", ".local/state/bashgate"},
		{"CLAUDE_CONFIG_DIR", "", ".claude"},
	} {
		usual := filepath.Join(getenv("HOME"), a.usual)
		dirs := []string{usual}
		if dir := getenv(a.variable); filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Join(dir, a.below))
		}
		for _, dir := range dirs {
			if dir != usual {
				list = append(list, engine.Alias{Dir: dir, As: "~/" + a.usual})
			}
			if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(real) && real != dir {
				list = append(list, engine.Alias{Dir: real, As: "~/" + a.usual})
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
	for _, p := range g.Programs {
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
