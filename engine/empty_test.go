package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestNothingRuns: lines of tests and arithmetic start nothing, and are not
// taken for text that could not be read.
func TestNothingRuns(t *testing.T) {
	for line, want := range map[string]policy.Decision{
		"": policy.Allow, "# x": policy.Allow, "[[ -f x ]]": policy.Allow, "! [[ a == b* ]]": policy.Allow, "((1 + 2))": policy.Allow,
		"for i in 1 2; do [[ $i == 1 ]]; done": policy.Allow, "{ [[ -d src ]]; }": policy.Allow, "bash -c '[[ -f x ]]'": policy.Allow,
		"[[ -f x ]] > f": policy.Ask, "[[ $x -eq 1 ]]": policy.Ask, "((x))": policy.Ask, "[[ -n $(danger) ]]": policy.Ask, "[[ a =~ $(danger) ]]": policy.Ask, "[[ -f": policy.Ask,
	} {
		if v := New(Options{}).Evaluate(Request{Command: line, Shell: "bash"}); v.Decision != want {
			t.Errorf("%q: %v (%s), want %v", line, v.Decision, v.Reason, want)
		}
	}
}
