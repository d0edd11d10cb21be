package python

import (
	"slices"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
)

// This file holds where a number may stand for a file, and what is one for sure.

// takesDescriptor reports whether a number may stand for a file where an argument has a
// kind. What runs, deletes or asks another computer has names alone: a number there is
// nothing that is understood.
func takesDescriptor(k match.Kind) bool {
	return k == match.Read || k == match.Write || k == match.Path
}

// ofNumbers stands in facts for what a call is given: int[number] is a number if that is
// numbers. Of texts, or of objects with operators of their own, it may be one of those.
const ofNumbers = "number"

// numbers reports whether nothing is passed but numbers and containers of them.
func (a *arguments) numbers() bool {
	if a.open {
		return false
	}
	for _, v := range a.positional {
		if !areNumbers(v, 0) {
			return false
		}
	}
	return !slices.ContainsFunc(a.named, func(n named) bool { return !areNumbers(n.value, 0) })
}

// maxNested is how deep containers of numbers are looked into.
const maxNested = 3

func areNumbers(v code.Value, depth int) bool {
	return depth < maxNested && len(v) > 0 && !slices.ContainsFunc(v, func(s code.Shape) bool {
		if s.Kind == code.Object && s.Box != nil && s.Type != "dict" {
			return len(s.Box.Any) > 0 && !areNumbers(s.Box.Any, depth+1)
		}
		return s.Kind != code.Object || !isNumber(s.Type) && s.Type != "none"
	})
}
