package shell

import (
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// $1, $2 and so on.

// setArgs sets $1, $2 and so on.
func (r *run) setArgs(args []policy.Word) {
	r.argSets++
	r.f.setArgs(args)
}

func (r *run) shift(in *invocation, args []policy.Word) {
	for _, w := range args {
		if s, ok := w.Const(); r.may(calculating) && (!ok && shapeOf(w) != policy.ShapeNumber || ok && !isDigits(s)) {
			r.find(idZsh, in.node, "zsh shifts arrays, and calculates by how many")
		}
	}
	r.argSets++
	n := 1
	if len(args) > 0 {
		s, ok := args[0].Const()
		var err error
		if n, err = strconv.Atoi(s); !ok || err != nil || n < 0 || len(args) > 1 {
			r.f.loseArgs()
			return
		}
	}
	if r.f.argsKnown && n <= len(r.f.args) {
		r.f.args = r.f.args[n:]
	}
}

func (r *run) getopts(in *invocation, args []policy.Word) {
	if len(args) < 2 {
		return
	}
	s, ok := args[1].Const()
	if !ok || !isName(s) {
		r.find(idEvaluates, in.node, "reads options into a variable whose name is not known")
		return
	}
	m := r.mark()
	r.implicit(in.node, s, hole(policy.ShapeAny))
	if options, ok := args[0].Const(); ok && !strings.HasPrefix(options, "-") {
		r.release(m)
	} else {
		r.either(m) // it has no options of its own, and fails
	}
	r.hold("OPTARG", &variable{set: policy.Maybe, value: hole(policy.ShapeAny)})
	r.hold("OPTIND", &variable{set: policy.Yes, value: hole(policy.ShapeNumber)})
}
