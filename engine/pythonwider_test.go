package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonWider: a name that is known in one place and not in another one is not
// known, although as many kinds of values remain.
func TestPythonWider(t *testing.T) {
	e := madeWorld()
	const turned = `''.join(reversed('vne.'))`
	for _, text := range []string{
		"import mod\np = 'a'\ndef f():\n    global p\n    p = " + turned + "\nf()\nprint(open(p).read())",
		"def g():\n    p = 'a'\n    def f():\n        nonlocal p\n        p = " + turned + "\n    f()\n    print(open(p).read())\ng()",
		"class S:\n    def __init__(self):\n        self.p = 'a'\ns = S()\ns.p = " + turned + "\nprint(open(s.p).read())",
		"class S:\n    p = 'a'\nS.p = " + turned + "\nprint(open(S.p).read())",
		"def f():\n    pass\nf.p = 'a'\nf.p = " + turned + "\nprint(open(f.p).read())",
		"d = {'p': 'a'}\ndef f():\n    d['p'] = " + turned + "\nf()\nprint(open(d['p']).read())",
		"import os\nclass S:\n    def __init__(self):\n        self.q = 'HOME'\ns = S()\ns.q = ''.join(reversed('YEK_SSECCA_TERCES_SWA'))\nprint(os.environ[s.q])",
	} {
		line := "python3 - <<'E'\n" + text + "\nE"
		v := e.Evaluate(Request{Command: line, Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash"})
		if v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	const dated = "python3 -c \"import datetime; print(open(f'{datetime.date.today().strftime(format=chr(37) + str(89))}.log').read())\""
	if v := e.Evaluate(Request{Command: dated, Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash"}); v.Decision != policy.Allow {
		t.Errorf("%s = %v (%s)", dated, v.Decision, v.Reason)
	}
}
