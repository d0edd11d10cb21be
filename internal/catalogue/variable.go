package catalogue

import (
	"slices"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Obeyed reports whether a built-in rule asks about setting a variable to some
// value, or blocks it: some program does what it says.
func Obeyed(name string) bool {
	for _, g := range gates.All {
		for i := range g.Env {
			if rule := &g.Env[i]; rule.Set > policy.Allow && slices.ContainsFunc(rule.Names, func(n match.EnvName) bool { return (n.Values == nil || !n.Places) && match.Glob(n.Glob, name) }) {
				return true
			}
		}
	}
	return false
}
