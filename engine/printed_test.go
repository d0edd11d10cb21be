package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPrinted: what printf writes is known where its format has no directives, or is a word
// in each turn; of other formats it is not.
func TestPrinted(t *testing.T) {
	for line, want := range map[string]policy.Decision{
		`printf 'console.log(1)' > y.js; node y.js`:                                               policy.Allow,
		`printf 'console.log(1)\nconsole.log("\\n 5%%")\n' > y.js && node y.js`:                   policy.Allow,
		`printf '%s\n' 'console.log(1)' 'console.log(2)' > y.js; node y.js`:                       policy.Allow,
		`printf '%s' 'console.log' '(1)' > y.js; node y.js`:                                       policy.Allow,
		`printf 'print(1)\n' > y.py; python3 y.py`:                                                policy.Allow,
		`printf 'fs.writeFileSync("/etc/x", "y")\n' > y.js; node y.js`:                            policy.Ask,
		`printf '//%s\n' 'a' 'fs.unlinkSync("a")' > y.js; node y.js`:                              policy.Ask,
		`printf '//\12fs.unlinkSync("/etc/x")' > y.js; node y.js`:                                 policy.Ask,
		`printf '//\rfs.unlinkSync("/etc/x")' > y.js; node y.js`:                                  policy.Ask,
		`printf '//%bfs.unlinkSync("/etc/x")' '\n' > y.js; node y.js`:                             policy.Ask,
		`printf 'console.log(1)//%' > y.js; node y.js`:                                            policy.Ask,
		`printf -v x 'console.log(1)' > y.js; node y.js`:                                          policy.Ask,
		`printf "console.log($x)" > y.js; node y.js`:                                              policy.Ask,
		`printf '//\nfs.writeFileSync("/etc/x", "y")' > y.js; node y.js`:                          policy.Ask,
		`printf 'console.log(1)//' > y.js; printf '\nfs.unlinkSync("/etc/x")' >> y.js; node y.js`: policy.Ask,
	} {
		if v := nodeVerdict(New(Options{Files: nodeWorld()}), line, ModeAcceptEdits); v.Decision != want {
			t.Errorf("%v, want %v: %s: %s", v.Decision, want, line, v.Reason)
		}
	}
}
