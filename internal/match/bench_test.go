package match_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// BenchmarkJudge judges commands by the built-in rule files with a reused
// call, as the engine does.
func BenchmarkJudge(b *testing.B) {
	rules := builtin(b)
	for _, line := range []string{
		"git status",
		"git log --oneline -n 5 main",
		"ls -la",
		"grep -rn x .",
		"cat a b c",
		"git -C d diff --stat HEAD -- f",
		"kubectl get pods -n x -o yaml",
		"cargo test --all",
		"rm -rf build",
		"frobnicate x",
	} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			cmd := parse(line)
			var call match.Call
			b.ReportAllocs()
			for b.Loop() {
				call.Reset()
				call.Cmd = cmd
				call.Name, _ = cmd.Program()
				interp.Judge(rules, &call)
			}
		})
	}
}

// builtin loads the rule files of the project.
func builtin(t testing.TB) *interp.Rules {
	t.Helper()
	files, err := ruleset.LoadDir(os.DirFS("../.."), "rules", "rules/", ruleset.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	gates, err := ruleset.Compile(files, ruleset.Known{})
	if err != nil {
		t.Log("rule files with errors are left out; go generate ./... tells")
	}
	return interp.New(gates)
}
