package cli

import (
	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/cop"
)

// decide judges a request by the rules and then by what its session has seen.
// The labels say in words what that is, for the reviewer: "WebFetch
// example.com". The outcome is of the review, if there was one.
func (j *judge) decide(r engine.Request, labels []string) (engine.Verdict, cop.Outcome) {
	v := j.evaluate(r)
	r.Taint = j.taintRules().Within(&v, r.Taint)
	return v, j.review(&r, &v, labels)
}

// review decides about what the rules have judged, by what the session has
// seen.
func (j *judge) review(r *engine.Request, v *engine.Verdict, labels []string) cop.Outcome {
	return cop.Decide(r, v, j.when(), nil)
}

// when is in which sessions the reviewer is asked.
func (j *judge) when() cop.When { return cop.Tainted }
