package export

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// script is an operand that is judged by what it says, where what it says is
// one of a set that a pattern can hold. Nothing derives the pattern from the
// judge's reading of the language: it is written so that texts of it differ in
// numbers alone, and its examples are judged.
type script struct {
	program  string
	required []string // words before it
	pattern  string   // with quotes
	examples []string // the shortest and the longest form of it
}

// scripts lists those that agents use. The order of the examples is that of
// the pattern's alternatives.
func scripts() []script {
	return []script{
		{
			program: "sed", required: []string{"-n"},
			pattern:  `(?:'[0-9]+(?:,(?:[0-9]+|\$)|)p'|"[0-9]+(?:,[0-9]+|)p"|[0-9]+(?:,[0-9]+|)p)`,
			examples: []string{"'1p'", "'10,200p'", "'7,$p'", `"1p"`, `"10,200p"`, "1p", "10,200p"},
		},
	}
}

// scripted adds the Form of a rule whose first operand is a script that a
// pattern can hold, with files behind it and no option.
func (d *deriver) scripted(p *match.Program, r *match.Rule, path string) {
	list := scripts()
	i := slices.IndexFunc(list, func(s script) bool { return s.program == p.Name })
	if i < 0 || path != "" || len(r.Any) > 0 || len(r.All) > 0 || len(r.Operands) != 2 || r.Operands[1].Kind != match.Read || r.Operands[1].Max >= 0 {
		return
	}
	f := Form{Rule: r, Script: &list[i], Max: -1, Reads: true, like: d.like}
	for _, word := range list[i].required {
		f.Required = append(f.Required, []string{word})
	}
	for _, text := range list[i].examples {
		for _, n := range [...]int{0, 1, 3} {
			words := append(d.opening(&f), policy.Const(strings.Trim(text, `'"`)))
			if !d.holds(&f, d.holes(words, n)) {
				return
			}
		}
	}
	d.like++
	d.forms = append(d.forms, f)
}
