package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// unset takes variables and functions away.
func (r *run) unset(in *invocation, args []policy.Word) {
	opts, args := in.own.getopt(args)
	variables, functions := !opts.any("f"), !opts.any("vn")
	certain := !opts.alien && !opts.any("n") && (variables || functions)
	for _, w := range args {
		s, ok := w.Const()
		if !ok {
			if variables {
				r.find(idEvaluates, in.node, "unsets a variable whose name is not known; a name can hold a command substitution")
			}
			continue
		}
		if !certain {
			r.find(idEvaluates, in.node, "unsets with options that not every shell has, or that exclude each other")
		}
		if !variables {
			r.unsetFunc = true
			r.setFunc(s, nil)
			r.handlesAnew()
			continue
		}
		if !r.plainVariable(w) {
			r.find(idEvaluates, in.node, "unsets "+policy.Quote(s)+", whose subscript may run a command")
			continue
		}
		base, _, element := strings.Cut(s, "[")
		old := r.get(base)
		if isName(base) {
			r.taken(in.node, base)
		}
		switch {
		case !isName(base):
		case element:
			if old != nil {
				r.hold(base, blurred(old, policy.ShapeAny))
			}
		case old != nil && old.attrs&readonly != 0:
			r.hold(base, blurred(old, policy.ShapeAny))
		case old != nil && old.attrs&(local|lent) != 0:
			r.set(base, r.uncovered(base)) // an outer one may show again
		case base == "IFS":
			r.forget(base)
		default:
			n := &variable{set: policy.No}
			if is(base, inherited) {
				n.attrs = lent // nobody sees what it is given from now on
			}
			r.set(base, n)
			r.dropExport(base, false)
		}
		if functions && (old == nil || old.set != policy.Yes) && r.funcs[s] != nil {
			// The function goes if there is no such variable.
			r.unsetFunc = true
			r.setFunc(s, &function{bodies: r.funcs[s].bodies, maybe: true})
			r.handlesAnew()
		}
	}
}
