package engine

import (
	"slices"
	"sync"

	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A user's file may count in some workspaces only. Each of them has an engine
// of its own then, made of the files that count there.

// elsewhere holds the engines of workspaces.
type elsewhere struct {
	some    bool // some file does not count everywhere
	mu      sync.Mutex
	engines map[[2]string]*Engine // by workspace and home
}

// maxEngines is how many are kept: a process serves few workspaces.
const maxEngines = 8

func (o *Options) someWorkspaces() bool {
	some := func(list []*interp.Rules) bool {
		return slices.ContainsFunc(list, func(r *interp.Rules) bool {
			return slices.ContainsFunc(interp.Gates(r), func(g *match.Gate) bool { return len(g.Workspaces) > 0 })
		})
	}
	return some(o.User) || some(o.Project) || some(o.Managed)
}

// in returns the engine for a request's workspace.
func (e *Engine) in(r *Request) *Engine {
	if !e.elsewhere.some {
		return e
	}
	x := &e.elsewhere
	x.mu.Lock()
	defer x.mu.Unlock()
	key := [2]string{r.Workspace, r.Home}
	if there := x.engines[key]; there != nil {
		return there
	}
	if x.engines == nil || len(x.engines) >= maxEngines {
		x.engines = make(map[[2]string]*Engine)
	}
	there := New(e.narrowed(r))
	there.elsewhere.some = false
	x.engines[key] = there
	return there
}

// narrowed is the options with the files that count in a request's workspace.
// Where it is not known which these are, that is asked about.
func (e *Engine) narrowed(r *Request) Options {
	o := e.opts
	j := &judge{engine: e}
	j.request, j.disk = r, make(map[string]onDisk)
	only := func(list []*interp.Rules) []*interp.Rules {
		var out []*interp.Rules
		for _, rules := range list {
			var gates []*match.Gate
			for _, g := range interp.Gates(rules) {
				switch {
				case len(g.Workspaces) == 0:
					gates = append(gates, g)
				case j.InWorkspace(g.Workspaces) == policy.Yes:
					gates = append(gates, g)
				case r.Workspace == "":
					o.Notes = append(o.Notes[:len(o.Notes):len(o.Notes)], Note{Scope: policy.Scope{All: true}, Finding: policy.Finding{
						ID: "config.workspace", Decision: policy.Ask, Reach: policy.ReachLocal, Source: g.File,
						Reason: "The workspace is not known, and " + g.File + " counts in some only",
					}})
				}
			}
			if len(gates) == len(interp.Gates(rules)) {
				out = append(out, rules)
			} else if len(gates) > 0 {
				out = append(out, interp.New(gates))
			}
		}
		return out
	}
	o.User, o.Project, o.Managed = only(o.User), only(o.Project), only(o.Managed)
	return o
}
