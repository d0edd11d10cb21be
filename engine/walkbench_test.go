package engine_test

import (
	"fmt"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
)

// BenchmarkWalk looks for secret files among 1800 of a workspace.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	var m disk.Memory
	for d := range 60 {
		for i := range 30 {
			m.WriteFile(fmt.Sprintf("%s/d%d/e/f%d.go", dir, d, i), "")
		}
	}
	e := engine.New(engine.Options{Files: &m})
	b.ReportAllocs()
	for b.Loop() {
		if v := e.Evaluate(engine.Request{Command: "grep -r x .", Cwd: dir, Workspace: dir, Home: "/home/u"}); len(v.Tree[0].Sights) != 0 {
			b.Fatal(v.Tree[0].Sights)
		}
	}
}
