package code

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// What functions and operators make of nothing but constants of a text is the text's own.
// As long as it is known it is as good as a constant that stands there. Else the text hides
// what it says. What comes from outside tells of what is there, and hides nothing.

// The sources of holes that a text itself fills.
const (
	Digits  = "a number"                     // with the digits of a number
	Several = "one of several"               // with one of more constants than are kept
	Mixed   = "one of several with the rest" // with one of more texts than are kept, in which something comes from outside
	Hidden  = "what the text makes"          // with something else that it makes
)

// Hides reports whether a text's own is in a shape without being shown. One of several names
// is as good as each of them where it stands alone, in a directory, or before an ending.
func (s *Shape) Hides() bool {
	if s.Kind != Object || !s.Made {
		return false
	}
	if s.Word == nil {
		return true
	}
	parts := s.Word.Parts
	for i, p := range parts {
		switch {
		case p.Kind == policy.Lit:
		case p.Text == Hidden, isSeveral(p) && (i > 0 && !endsName(parts[i-1]) || i+1 < len(parts) && !beginsName(parts[i+1])):
			return true
		}
	}
	return false
}

func isSeveral(p policy.Part) bool {
	return p.Kind == policy.Hole && (p.Text == Several || p.Text == Mixed)
}

func endsName(p policy.Part) bool { return p.Kind == policy.Lit && strings.HasSuffix(p.Text, "/") }

func beginsName(p policy.Part) bool {
	return p.Kind == policy.Lit && (strings.HasPrefix(p.Text, "/") || strings.HasPrefix(p.Text, "."))
}

// IsWhole reports whether nothing but a text's own is in a shape.
func (s *Shape) IsWhole() bool {
	return s.Kind == Object && s.Made && (s.Word == nil || !slices.ContainsFunc(s.Word.Parts, func(p policy.Part) bool {
		return p.Kind != policy.Lit && p.Text != Digits && p.Text != Several && p.Text != Hidden
	}))
}

// isOneOf reports whether a shape is one hole of a source.
func (s *Shape) isOneOf(source string) bool {
	return s.Made && s.Word != nil && len(s.Word.Parts) == 1 && s.Word.Parts[0].Kind == policy.Hole && s.Word.Parts[0].Text == source
}

// coversMade reports whether one of several that a text has made may be another shape.
func (s *Shape) coversMade(o *Shape) bool {
	return s.isOneOf(Several) && o.Word != nil && o.Word.IsConst() || s.isOneOf(Mixed) && o.Word != nil && !o.Hides()
}

// several is what is left of shapes that a text has made: one of several constants, or with
// something from outside, or nothing that is shown.
func several(shapes []Shape) *policy.Word {
	source := Several
	for i := range shapes {
		switch s := &shapes[i]; {
		case s.Hides():
			return nil
		case !s.Word.IsConst() && !s.isOneOf(Several):
			source = Mixed
		}
	}
	w := policy.Unknown(source)
	return &w
}
