package main

import (
	"testing"

	"github.com/bashgate/bashgate/internal/export"
)

// TestJudged holds that what may allow is what is judged here.
func TestJudged(t *testing.T) {
	judged := map[string]bool{}
	for _, r := range engines("") {
		judged[r.target] = true
		if export.Find(r.target) == nil {
			t.Errorf("there is no target %s", r.target)
		}
	}
	for _, target := range export.Targets() {
		if target.Judged != judged[target.Name] {
			t.Errorf("%s: Judged is %t, and engines run here: %t", target.Name, target.Judged, judged[target.Name])
		}
	}
}
