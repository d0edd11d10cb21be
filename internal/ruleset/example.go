package ruleset

import (
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Example is a command that a rule file says something about.
type Example struct {
	Command string
	Rules   []*match.Rule // one of them must hold; nil: the program must not allow the command
	Without []*match.Rule // facts of which none may hold, or nil
	Pipe    string        // the id of the pipe row that must hold, or ""
	File    *File
	At      Span
}

// Examples lists the examples of a file and of what it was compiled to, in
// the order of the text.
func Examples(f *File, g *match.Gate) []Example {
	byLine := map[int][]*match.Rule{}
	for _, p := range g.Programs() {
		for i := range p.Rules {
			r := &p.Rules[i]
			byLine[r.Line] = append(byLine[r.Line], r)
		}
		for i := range p.Facts {
			r := &p.Facts[i]
			byLine[r.Line] = append(byLine[r.Line], r)
		}
	}
	var out []Example
	for i := range f.Programs {
		p := &f.Programs[i]
		for _, rules := range [...][]Rule{p.Allow, p.Ask, p.Block} {
			for k := range rules {
				w := &rules[k]
				for _, t := range w.Examples {
					out = append(out, Example{Command: t.Value, Rules: byLine[w.At.Line], File: f, At: t.At})
				}
				for _, t := range w.Not {
					out = append(out, Example{Command: t.Value, File: f, At: t.At})
				}
			}
		}
		for k := range p.Facts {
			w := &p.Facts[k]
			for _, t := range w.Examples {
				out = append(out, Example{Command: t.Value, Rules: byLine[w.At.Line], File: f, At: t.At})
			}
			for _, t := range w.Not {
				out = append(out, Example{Command: t.Value, Without: byLine[w.At.Line], File: f, At: t.At})
			}
		}
	}
	for i := range f.Pipes {
		w := &f.Pipes[i]
		for _, t := range w.Examples {
			out = append(out, Example{Command: t.Value, Pipe: w.ID.Value, File: f, At: t.At})
		}
		for _, t := range w.Not {
			out = append(out, Example{Command: t.Value, File: f, At: t.At})
		}
	}
	return out
}

// Decision is what the rules of an example say; Ask for one of a pipe row,
// Skip for a fact, and for a command that must not be allowed.
func (e *Example) Decision() policy.Decision {
	switch {
	case len(e.Rules) > 0:
		return e.Rules[0].Decision
	case e.Pipe != "":
		return policy.Ask
	}
	return policy.Skip
}

// Errorf returns an error at the example.
func (e *Example) Errorf(hint, msg string) *Error {
	return &Error{File: e.File.Name, At: e.At, Msg: msg, Hint: hint, Line: e.File.line(e.At.Line)}
}
