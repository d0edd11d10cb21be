package shell

import (
	"slices"

	"github.com/bashgate/bashgate/policy"
)

// This file holds what programs have in their environment: what is exported to them,
// as far as the text says, and what becomes of that where names are hidden, lent and
// taken away. Where shells differ, or an outer variable shows again, they may have any
// value of the name, or none.

// export puts a variable in the environment of later commands.
func (r *run) export(name string, v policy.Word) {
	r.unexport(name)
	n := len(r.f.env)
	if n == maxExports {
		r.exhausted("the command line exports too many variables")
		return
	}
	r.spend(n / 4)
	a := policy.Assign{Name: name, Value: v, Exported: true}
	r.f.env = append(r.f.env[:n:n], a)
	if slices.ContainsFunc(r.exports, func(e policy.Assign) bool { return e.Name == name && sameValue(e.Value, v) }) {
		return
	}
	if given := slices.IndexFunc(r.in.Vars, func(e policy.Assign) bool { return e.Name == name }); given >= 0 && !sameValue(r.in.Vars[given].Value, v) {
		a.Value = hole(policy.ShapeAny) // what runs at any time may have what the text was given
	}
	r.exports = joinEnv([]policy.Assign{a}, r.exports)
}

// exportedAs is what commands have of a name in their environment; nil for nothing
// that the text has put there.
func (r *run) exportedAs(name string) *policy.Assign {
	for i := range r.f.env {
		if r.f.env[i].Name == name {
			return &r.f.env[i]
		}
	}
	return nil
}

func (r *run) unexport(name string) {
	for i := range r.f.env {
		if r.f.env[i].Name == name {
			r.f.env = append(r.f.env[:i:i], r.f.env[i+1:]...)
			return
		}
	}
}

func (r *run) exportValue(v *variable) policy.Word {
	if v.attrs&arrayAttrs != 0 || v.set != policy.Yes {
		return hole(policy.ShapeAny)
	}
	return v.value
}

// declExport does what a declaration means for the environment, of a variable that
// had some attributes before.
func (r *run) declExport(d *declaration, name string, v *variable, was attrs) {
	if d.add&exported != 0 && was&lent != 0 {
		v.attrs |= confirmed
	}
	if d.drop&exported == 0 {
		return
	}
	kept := r.keepsExport(d)
	if kept {
		v.attrs |= (was | d.add) & exported
	}
	v.attrs |= lent
	r.dropExport(name, kept)
}

// keepsExport reports whether a shell that may run the text leaves in the
// environment what a declaration takes from there: only bash knows export -n.
func (r *run) keepsExport(d *declaration) bool {
	return d.misplaced || d.name == "export" && r.may(typedValues|plainOnly)
}

// dropExport takes a variable from the environment. Programs may have it all the
// same where that uncovers one of the name, or where kept says so.
func (r *run) dropExport(name string, kept bool) {
	if r.exportedAs(name) != nil && (kept || len(r.calls) > 0 || is(name, inherited)) {
		r.export(name, hole(policy.ShapeAny))
		return
	}
	r.unexport(name)
}

// uncovered is what a name stands for once a function's own variable of it is gone:
// nothing, or the variable outside, which programs may have again.
func (r *run) uncovered(name string) *variable {
	v := blurred(nil, policy.ShapeAny)
	v.attrs = lent
	outside := func(l savedLocal) bool { return l.name == name && l.env != nil }
	if r.exportedAs(name) != nil || slices.ContainsFunc(r.calls, func(a *activation) bool { return slices.ContainsFunc(a.locals, outside) }) {
		v.attrs |= exported
		r.export(name, hole(policy.ShapeAny))
	}
	return v
}
