package gates

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// environmentOfMake judges the variables that a line gives to make and to what
// calls it: make expands them as it expands its own, so that a value holding
// $(shell ...) runs a command.
// Source: GNU make's manual, Variables from the Environment.
func environmentOfMake(c *match.Call) {
	for _, vars := range [...][]policy.Assign{c.Cmd.Assigns, c.Cmd.Env} {
		for _, a := range vars {
			if value, ok := a.Value.Const(); !ok || strings.Contains(value, "$") {
				c.Uses = append(c.Uses, match.Use{Kind: match.Code, Lang: "any", Word: a.Value})
			}
		}
	}
}
