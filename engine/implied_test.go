package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
)

// TestImplied: what a program takes where no operand stands is judged as if it
// stood there, for all rules that say what that is.
func TestImplied(t *testing.T) {
	e := engine.New(engine.Options{})
	lines := 0
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			for i := range p.Rules {
				r := &p.Rules[i]
				for k := range r.Operands {
					implied := r.Operands[k].Default
					if implied == "" {
						continue
					}
					line := spelled(p, r, k)
					for _, dir := range []string{"", "~", "~/.ssh", "~/.aws", "/", "/etc", `"$x"`} {
						there := line
						if dir != "" {
							there = "cd " + dir + " && " + line
						}
						without, with := judge(e, there, ""), judge(e, there+" "+implied, "")
						if a, b := judged(&without), judged(&with); a != b {
							t.Errorf("%s (%s)\n  alone  %s\n  with %s %s", there, r.ID, a, implied, b)
						}
						lines++
					}
				}
			}
		}
	}
	if lines < 500 {
		t.Errorf("only %d lines: no rule says what is meant without operands?", lines)
	}
}

// spelled is a line for which a rule may hold, without the operand at a place.
func spelled(p *match.Program, r *match.Rule, place int) string {
	words := []string{p.Name}
	if len(r.Paths) > 0 {
		words = append(words, r.Paths[0])
	}
	for _, tests := range [][]match.FlagTest{r.Any[:min(1, len(r.Any))], r.All, r.Operands[place].With[:min(1, len(r.Operands[place].With))]} {
		for _, test := range tests {
			words = append(words, test.Spelling)
			if len(test.Values) > 0 {
				words[len(words)-1] += "=" + strings.Trim(test.Values[0], "*")
			} else if takesWord(p, test.Spelling) {
				words = append(words, "x")
			}
		}
	}
	for _, o := range r.Operands[:place] {
		switch o.Kind {
		case match.Data, match.Name:
			words = append(words, "x")
		case match.Code:
			words = append(words, ".")
		}
	}
	return strings.Join(words, " ")
}

func takesWord(p *match.Program, spelling string) bool {
	for _, l := range p.Levels {
		for i := range l.Options {
			o := &l.Options[i]
			if o.Arity == match.Value && slices.Contains(strings.Fields(o.Spellings), spelling) {
				return true
			}
		}
	}
	return false
}

// judged is what is said of a line, and the files that it reads.
func judged(v *engine.Verdict) string {
	var reads []engine.Place
	var visit func([]engine.Node)
	visit = func(nodes []engine.Node) {
		for i := range nodes {
			reads = append(reads, nodes[i].Reads...)
			visit(nodes[i].Children)
		}
	}
	visit(v.Tree)
	return fmt.Sprint(v.Decision, v.Reach, v.Effects.Names(), reads)
}

// TestIncluded: whoever searches all files of some names reads them.
func TestIncluded(t *testing.T) {
	e := engine.New(engine.Options{})
	for _, line := range []string{
		`grep -r --include=.env '' .`,
		`grep -r --include='.env*' KEY`,
		`grep -rh --include '*.pem' . src`,
		`rg -g id_rsa ''`,
		`rg -uu -g '**/.env' ''`,
		`rg -uug.env ''`,
		`rg --iglob '*.{env,pem}' x .`,
		`rg -uu --type-add 'e:*.env' -te x`,
		`ag -G '\.env$' x`,
		`grep -r --include='*env' x .`,
		`ugrep -g .env x .`,
		`zgrep -r --include=credentials x`,
		`semgrep scan -e x --include .env .`,
		`ast-grep -p a --globs '*.env'`,
	} {
		if v := judge(e, line, ""); v.Decision.String() != "ask" {
			t.Errorf("%s: %v", line, v.Decision)
		}
	}
	for _, line := range []string{
		`rg -g '!*.min.js' x`,
		`rg -g '*.ts' -g '!.env' x`,
		`rg --files -g '*.go'`,
		`grep -r --include=*.go x .`,
		`grep -rn --include='*.json' --include='*.{yml,yaml}' x .`,
		`grep -rn --include='*.env.example' x .`,
		`grep -rn --include='*' x .`,
	} {
		if v := judge(e, line, ""); v.Decision.String() != "allow" {
			t.Errorf("%s: %v (%s)", line, v.Decision, v.Reason)
		}
	}
}
