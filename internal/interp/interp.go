// Package interp runs rule sets without compiling them: users' and projects'
// own files, and the examples of all files when they are generated. It has no
// meaning of its own; package match judges.
package interp

import "github.com/bashgate/bashgate/internal/match"

// Rules is a list of rule files ready to judge. It does not change after New
// and is safe for concurrent use.
type Rules struct {
	gates    []*match.Gate
	programs map[string][]*match.Program // by name and alias, in the files' order
}

// New takes compiled rule files, in the order in which their rules are to be
// tried. Their Judge functions are set where they have none.
func New(gates []*match.Gate) *Rules {
	r := &Rules{gates: gates, programs: make(map[string][]*match.Program)}
	for _, g := range gates {
		for _, p := range g.Programs {
			r.add(p.Name, p)
			for _, alias := range p.Aliases {
				r.add(alias, p)
			}
		}
		if g.Judge == nil {
			g.Judge = gateJudge(g)
		}
	}
	return r
}

func (r *Rules) add(name string, p *match.Program) {
	r.programs[name] = append(r.programs[name], p)
}

// Judge tries all rules about the call's program.
func (r *Rules) Judge(c *match.Call) {
	for _, p := range r.programs[c.Name] {
		c.Judge(p)
	}
}

// Gates lists the files.
func (r *Rules) Gates() []*match.Gate { return r.gates }

func gateJudge(g *match.Gate) func(*match.Call) {
	one := &Rules{programs: make(map[string][]*match.Program)}
	for _, p := range g.Programs {
		one.add(p.Name, p)
		for _, alias := range p.Aliases {
			one.add(alias, p)
		}
	}
	return one.Judge
}
