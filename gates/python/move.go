package python

import (
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// movesTo is the parameter to which what the one before it names is moved; -1 where there
// is none.
func (in *reader) movesTo(sig *code.Signature) int {
	is := func(p *code.Param, kind match.Kind) bool {
		return len(p.Kinds) == 1 && p.Kinds[0].Kind == kind && p.Kinds[0].Own == code.NotOwn
	}
	for i := 1; i < len(sig.Params); i++ {
		if is(&sig.Params[i-1], match.Move) && is(&sig.Params[i], match.Write) {
			return i
		}
	}
	return -1
}

// move notes that files get other names, as the command mv gives them.
func (in *reader) move(from, to code.Value, name string) {
	place := func(w policy.Word) policy.Word {
		if strings.HasPrefix(w.Prefix(), "~") { // a sign like others
			return code.Concat(policy.Const("./"), w)
		}
		return w
	}
	for _, a := range something(from).Words(name + "(...)") {
		for _, b := range something(to).Words(name + "(...)") {
			in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("mv"), policy.Const("--"), place(a), place(b)}}, Line: in.line})
		}
	}
}
