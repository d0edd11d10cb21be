package engine

import (
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// TestLeaves holds what programs may leave behind them: what the rules say of those that
// are called often before something else is done there, and anything of all others.
func TestLeaves(t *testing.T) {
	const files, dirs, links = match.MakesFiles, match.MakesDirectories, match.MakesLinks
	j := newJudge(New(Options{Files: nodeWorld()}))
	j.request = &Request{}
	for name, want := range map[string]match.Makes{
		"mkdir": dirs, "touch": files, "tee": files, "truncate": files, "sed": files, "gsed": files, "perl": files | links,
		"rm": 0, "rmdir": 0, "chmod": 0, "/bin/rm": 0, "": files | dirs,
		"ln": files | dirs | links, "cp": files | dirs | links, "tar": files | dirs | links, "frobnicate": files | dirs | links, "./rm": files | dirs | links,
	} {
		c := &policy.Command{}
		if name != "" {
			c.Words = []policy.Word{policy.Const(name), policy.Const("x")}
		}
		got := j.leaves(c)
		for _, kind := range []match.Makes{files, dirs, links} {
			if got.May(kind) != (want&kind != 0) {
				t.Errorf("%q, kind %d: %v", name, kind, got.May(kind))
			}
		}
	}
}
