package export

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Form is a set of command lines that are all allowed:
//
//	git log --oneline HEAD~3
//	^^^^^^^ the program and its Path
//	        ^^^^^^^^^ Options and operands, in any order
//
// The words of Required, one of each, stand right behind the path, and a text
// of Script behind them.
type Form struct {
	Names    []string // programs that are judged alike, sorted
	Path     []string
	Required [][]string
	Script   *script  // nil: none
	Options  []Option // the only words that may begin with a dash
	Letters  string   // options that may be written as one word: "la" for -la
	Number   bool     // -20 is an option
	Any      bool     // any words follow, whatever they begin with
	Min, Max int      // how many operands; Max is -1 for any number
	Reads    bool     // some word may be a file that is read
	Except   []string // globs that no operand may match
	Alone    bool     // not to be joined with other commands: what it reads from a pipe is a program, say

	Rule *match.Rule // the allow

	like int // equal for Forms of one program that differ in their path only
}

// Option is a word that a Form may hold.
type Option struct {
	Spelling string // "--oneline", "-n"
	Bare     bool   // may stand without a value
	Glued    bool   // may have a value in the same word: --author=x, -n5
	Apart    bool   // has its value in the next word: -n 5
	Reads    bool   // its value is a file that is read

	line  string        // all its spellings
	glued []policy.Part // the word with a value in it, once it was asked for
}

// sign is what stands between an option and a value in the same word.
func (o *Option) sign() string {
	if len(o.Spelling) > 2 {
		return "="
	}
	return ""
}

// apart lists the options whose value is the next word.
func (f *Form) apart() []string {
	var list []string
	for i := range f.Options {
		if f.Options[i].Apart {
			list = append(list, f.Options[i].Spelling)
		}
	}
	return list
}

// start is the command line's beginning: a name and the path.
func (f *Form) start(name string) string {
	return strings.Join(append([]string{name}, f.Path...), " ")
}
