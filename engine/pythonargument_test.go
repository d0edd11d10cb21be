package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonArguments: unittest calls what the command's arguments name, so that only
// options may stand there, in whatever way the text comes to its interpreter.
func TestPythonArguments(t *testing.T) {
	const text = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\nunittest.main()"
	world := nodeWorld()
	world.WriteFile("/tmp/t.py", text)
	e := New(Options{Files: world})
	for line, allowed := range map[string]bool{
		"python3 -c 'TEXT'":                                 true,
		"python3 -c 'TEXT' -v":                              true,
		"timeout 9 python3 -c 'TEXT'":                       true,
		"python3 -c 'TEXT' os.abort":                        false,
		"python3 -c 'TEXT' -v os.abort":                     false,
		"python3 -c 'TEXT' -- os.abort":                     false,
		`python3 -c 'TEXT' "$x"`:                            false,
		"python3 -c 'TEXT' -$x":                             false,
		"python3 -c 'TEXT' *":                               false,
		"echo os.abort | xargs python3 -c 'TEXT'":           false,
		"find . -name x -exec python3 -c 'TEXT' {} +":       false,
		"f() { python3 -c 'TEXT' \"$@\"; }; f os.abort":     false,
		"bash -c 'python3 -c \"$0\" os.abort' 'TEXT'":       false,
		"python3 - <<'E'\nTEXT\nE":                          true,
		"python3 - -v <<'E'\nTEXT\nE":                       true,
		"python3 - os.abort <<'E'\nTEXT\nE":                 false,
		"echo os.abort | xargs python3 /tmp/t.py":           false,
		"python3 /tmp/t.py os.abort":                        false,
		"python3 /tmp/t.py /tmp/t.py":                       false,
		"cp /tmp/t.py /tmp/u.py; python3 /tmp/u.py os.path": false,
	} {
		v := nodeVerdict(e, strings.ReplaceAll(line, "TEXT", text), ModeAcceptEdits)
		if (v.Decision == policy.Allow) != allowed {
			t.Errorf("%s: %s: %s", line, v.Decision, v.Reason)
		}
	}
	for line, said := range map[string]bool{"python3 /tmp/t.py": false, "python3 -u /tmp/t.py -v": false, "python3 /tmp/t.py os.abort": true} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); strings.Contains(v.Reason, "that the arguments name") != said {
			t.Errorf("%s: %s: %s", line, v.Decision, v.Reason)
		}
	}
}
