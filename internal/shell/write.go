package shell

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// This file is the door through which every construct gives a variable a value:
// an assignment, read, printf -v, ${x:=y}, a loop, with a subscript or without.
// What the shell itself makes of a variable does not depend on the construct.

// given asks where giving a variable a value may run a command, and does what
// the shell itself makes of certain variables. element says that the value is
// that of one element, or of one of several.
func (r *run) given(n syntax.Node, name string, v policy.Word, element bool) {
	r.zshAssign(n, name)
	switch {
	case r.integral(name, element) && !r.numericValue(v, 0):
		r.find(idEvaluates, n, "the shell calculates what is assigned to "+name)
	case r.get(name).attrsOr(0)&integer != 0 && !r.numericValue(v, 0):
		r.find(idEvaluates, n, reasonArith)
	case r.f.foreign && r.subscripted(v) && strings.ContainsAny(v.Text, "$`"):
		r.find(idEvaluates, n, "assigns a text that runs a command where a file has made the variable a number")
	case r.get(name).attrsOr(0)&counted != 0 && !r.numericValue(v, 0):
		r.find(idZsh, n, "zsh calculates what is assigned to a variable that arithmetic made a number")
	}
	switch name {
	case "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND":
		s, ok := v.Const()
		switch {
		case !ok:
			r.find(idEvaluates, n, "the shell evaluates what is assigned to "+name)
		case name == "PROMPT_COMMAND":
			if element {
				r.find(idEvaluates, n, "changes what the shell runs later")
			}
			r.deferText(s, n, name)
		case strings.ContainsAny(s, "$`"):
			r.find(idEvaluates, n, "the shell evaluates what is assigned to "+name)
			r.promptText(s, n)
		}
	case "BASH_ALIASES", "BASH_CMDS":
		r.find(idEvaluates, n, "changes what a command's name means")
	case "FUNCNEST":
		r.find(idEvaluates, n, "limits how deep functions may call each other, and one that may not run ends the line")
	case "BASH_ARGV0":
		r.f.arg0 = unknownArg0
	case "OLDPWD":
		r.f.old = nil
	case "PWD", "DIRSTACK":
		r.loseStack()
		if name == "DIRSTACK" && element {
			r.find(idEvaluates, n, "changes where the shell goes later")
		}
	}
}

// hold is set for what a construct makes of a variable: its children see it,
// where they saw the variable before.
func (r *run) hold(name string, v *variable) {
	r.set(name, v)
	if v.attrs&exported != 0 || is(name, inherited) {
		if v.attrs&lent != 0 || v.attrs&exported == 0 && r.in.Started {
			// A local variable does not hide it from programs, and in a shell that
			// the line starts it may not be there to be changed.
			r.export(name, hole(policy.ShapeAny))
			return
		}
		r.export(name, r.exportValue(v))
	}
}

// lose makes a variable one that may have been given any value.
func (r *run) lose(n syntax.Node, name string) {
	r.given(n, name, hole(policy.ShapeAny), true)
	r.hold(name, blurred(r.get(name), policy.ShapeAny))
}

// loseElement makes a variable one of which any element may have been given any
// value. That of a name that is no array is the name's own value.
func (r *run) loseElement(n syntax.Node, name string) {
	r.given(n, name, hole(policy.ShapeAny), true)
	r.hold(name, arrayOf(r.get(name)))
}

// assign gives a variable a value, with what that means for its attributes.
func (r *run) assign(n syntax.Node, name string, v policy.Word) {
	if !r.spend(1 + len(v.Text)/256) {
		return
	}
	if len(v.Parts) > maxHeld {
		v = hole(policy.ShapeAny)
	}
	r.given(n, name, v, false)
	old := r.get(name)
	var a, sure attrs
	if old != nil {
		a, sure = old.attrs, old.sure
	}
	if r.f.allExport {
		a |= exported
	}
	if a&readonly != 0 || is(name, fixed) {
		r.abort()
		r.hold(name, blurred(old, policy.ShapeAny))
		return
	}
	if text, _ := v.Const(); r.volatile(name) || (is(name, computed) || r.may(calculating) && is(name, zshComputed)) && !plainNumber(text) {
		v = hole(policy.ShapeAny) // of OPTIND= programs see a 0
	}
	v = r.transformed(a, sure, v)
	if a&arrayAttrs != 0 {
		r.setElement(n, name, "0", true, v, false)
		return
	}
	v.Pos = policy.Pos{}
	r.hold(name, &variable{set: policy.Yes, value: v, attrs: a, sure: sure})
}

// transformed is what a variable holds once a value was assigned to it. An
// attribute that it may have and need not makes it one of two values.
func (r *run) transformed(a, sure attrs, v policy.Word) policy.Word {
	if a&(integer|counted) != 0 {
		s, known := v.Const()
		switch {
		case a&integer != 0 && r.may(calculating):
			v = hole(policy.ShapeAny) // in a base or a precision of its own
		case known && plainNumber(s):
		case sure&integer != 0:
			v = hole(policy.ShapeNumber)
		default: // the result, or the text itself
			v = hole(joinShape(shapeOf(v), policy.ShapeNumber))
		}
	}
	if a&(lower|upper) == lower|upper {
		return hole(policy.ShapeAny)
	}
	for _, c := range [...]struct {
		is attrs
		op syntax.ParExpOperator
	}{{lower, syntax.LowerAll}, {upper, syntax.UpperAll}} {
		switch changed := changeCase(v, c.op); {
		case a&c.is == 0:
		case sure&c.is != 0:
			v = changed
		default:
			v = joinValue(v, changed)
		}
	}
	return v
}

// implicit is assign for what does not look like an assignment (read, for,
// printf -v). Names that the environment may give a meaning are judged.
func (r *run) implicit(n syntax.Node, name string, v policy.Word) {
	r.changed(n, policy.Assign{Name: name, Value: v})
	r.assign(n, name, v)
}

// implicitElement is implicit for an element of an array. That of a name that
// is no array is the name's own value, so that every element may be it.
func (r *run) implicitElement(n syntax.Node, name string) {
	r.changed(n, policy.Assign{Name: name, Value: hole(policy.ShapeAny)})
	r.loseElement(n, name)
}

// taken tells of a variable that is taken away: programs fall back on what they
// do without it, and the shell without PATH on the directory it is in.
func (r *run) taken(n syntax.Node, name string) {
	r.changed(n, policy.Assign{Name: name, Value: hole(policy.ShapeAny), Taken: true})
}

// changed tells of a variable that is changed by the way, where the name may
// mean something to programs.
func (r *run) changed(n syntax.Node, a policy.Assign) {
	name := a.Name
	if strings.ContainsFunc(name, func(c rune) bool { return c >= 'A' && c <= 'Z' || c == '_' }) || r.get(name) == nil && r.may(tiedState) && name == "path" {
		a.Pos, a.Exported = r.at(n.Pos()), is(name, inherited)
		r.emit(policy.Command{Assigns: []policy.Assign{a}, Pos: a.Pos})
	}
}
