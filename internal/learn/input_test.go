package learn

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// What runs its input is never allowed by words that name no more than that.
func TestNamedInput(t *testing.T) {
	judge := judging(project())
	for _, command := range []string{"python3 - <<'E'\neval(1)\nimport x\nE", "python3 /dev/stdin <x.py", "node - <x.js", "ruby - a <x.rb", "python3 /proc/self/fd/0 <x"} {
		if judge(request(command)).Decision == policy.Allow {
			t.Errorf("nothing to ask about: %s", command)
		}
		list, err := Propose(judge, request(command))
		for _, p := range list {
			t.Errorf("%s: proposed %s", command, p.Summary)
		}
		if err == nil {
			t.Errorf("%s: no refusal", command)
		}
	}
}
