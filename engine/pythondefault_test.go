package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// defaults are expressions that give something from outside, or else the constant @.
var defaults = []string{
	"os.getenv(\"N\", \"@\")",
	"os.getenv(\"N\", default=\"@\")",
	"os.environ.get(\"N\", \"@\")",
	"json.load(open(\"a.json\")).get(\"n\", \"@\")",
	"json.load(open(\"a.json\")).setdefault(\"n\", \"@\")",
	"next((l for l in open(\"a.txt\")), \"@\")",
	"min([l for l in open(\"a.txt\")], default=\"@\")",
	"(os.getenv(\"N\") or \"@\")",
	"(input() or \"@\")",
	"(input() if len(sys.argv) > 9 else \"@\")",
}

// defaultReads are programs that read the file whose name two of these give, A and B.
var defaultReads = []string{
	"print(open(A + B).read())",
	"a = A\nb = B\nprint(open(a + b).read())",
	"print(open(f'{A}{B}').read())",
	"print(open('%s%s' % (A, B)).read())",
	"print(open('{}{}'.format(A, B)).read())",
	"print(open(os.path.join('.', A + B)).read())",
	"print(open(''.join([A, B])).read())",
	"subprocess.run(['cat', A + B])",
	"def read(a, b=B):\n    print(open(a + b).read())\nread(A)",
}

// defaultsKnown are such programs that read nothing secret, whatever comes from outside.
var defaultsKnown = []string{
	"print(open(os.getenv('DIR', 'data') + '/x.csv').read())",
	"print(open(os.path.join(os.getenv('DIR', 'data'), os.getenv('F', 'x.csv'))).read())",
	"print(open(f\"{os.getenv('DIR', 'data')}/{os.getenv('F', 'x.csv')}\").read())",
	"print(open((sys.argv[1] if len(sys.argv) > 1 else 'data') + '/x.csv').read())",
	"c = json.load(open('a.json'))\nprint(open(c.get('path', 'a.txt')).read())",
	"c = json.load(open('a.json'))\nprint(open(os.path.join(c.get('dir', 'data'), c.get('name', 'x') + '.csv')).read())",
	"c = json.load(open('a.json'))\nprint(open((c.get('dir') or 'data') + '/' + (c.get('name') or 'x')).read())",
}

// TestPythonDefaults: what a program names where it finds nothing else is among the names that
// it puts together, and is not computed.
func TestPythonDefaults(t *testing.T) {
	const imports = "import json, os, subprocess, sys\n"
	world := readsWorld()
	judge := func(text string) Verdict {
		return nodeVerdict(New(Options{Files: world}), "python3 - <<'E9'\n"+imports+text+"\nE9", ModeAcceptEdits)
	}
	for _, read := range defaultReads {
		for _, d := range defaults {
			with := func(a, b string) string {
				return strings.NewReplacer("A", strings.ReplaceAll(d, "@", a), "B", strings.ReplaceAll(d, "@", b)).Replace(read)
			}
			if v := judge(with(".e", "nv")); v.Decision == policy.Allow {
				t.Errorf("%s\nis allowed", with(".e", "nv"))
			}
		}
	}
	for _, text := range defaultsKnown {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
