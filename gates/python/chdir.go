package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// A move is a directory in which the text goes on, or may.
type move struct {
	dir policy.Word

	// The last call that leads there which is done once, and the statement it stands in, by its
	// offset: such calls are done in the order of the text, if not within a statement.
	call *python.Call // nil: none
	at   int32        // -1: none
}

// maxMoves is how many directories a text may go to.
const maxMoves = 6

// goes notes that a call leads to another directory, seen from where the text may be then.
// What is done once does not lead on from where it has led.
func (in *reader) goes(v code.Value, call *python.Call) {
	once := call != nil && in.scope == in.module && in.way == 0 && !in.later && len(in.current().loops) == 0
	for _, w := range v.Words("os.chdir(...)") {
		more := []move{{w, nil, -1}}
		for _, m := range in.moved {
			if !once || m.at <= in.stmt && m.call != call {
				more = append(more, move{pathJoin(m.dir, w), m.call, m.at})
			}
		}
		for _, m := range more {
			if once {
				m.call, m.at = call, in.stmt
			}
			in.moves(m)
		}
	}
}

// moves notes a move, unless one like it is known from which all calls lead on that lead on
// from this.
func (in *reader) moves(m move) {
	known := func() bool {
		return slices.ContainsFunc(in.moved, func(o move) bool {
			return o.dir.String() == m.dir.String() && (o.at < m.at || o.call == m.call)
		})
	}
	if !known() && len(in.moved) >= maxMoves {
		m = move{policy.Unknown("os.chdir(...)"), nil, -1}
	}
	if !known() {
		in.moved = append(in.moved, m)
		in.grown++
	}
	in.searches(code.Value{{Type: "str", Word: &m.dir}})
}

// wherever is an effect in each directory in which it may happen.
func (in *reader) wherever(e code.Effect) []code.Effect {
	all := []code.Effect{e}
	for i := range in.moved {
		moved := e
		moved.In = &in.moved[i].dir
		if e.In != nil {
			w := pathJoin(in.moved[i].dir, *e.In)
			moved.In = &w
		}
		all = append(all, moved)
	}
	return all
}
