package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// pythonStale are programs in which what was made at a place of the text is made there
// again, of something else, or is changed under another name before it is gone through.
var pythonStale = []string{
	"import os\ndef f(L, go):\n    os.system(tuple(L)[0])\n    if go: f(('touch /tmp/x',), 0)\nf(('ls',), 1)",
	"import os\ndef f(L, go):\n    os.system(list(enumerate(L))[0][1])\n    if go: f(('touch /tmp/x',), 0)\nf(('ls',), 1)",
	"import subprocess\ndef f(L, go):\n    subprocess.run(list(L))\n    if go: f(('touch', '/tmp/x'), 0)\nf(('ls',), 1)",
	"def f(L, go):\n    open(list(zip(L))[0][0], 'w')\n    if go: f(('/etc/x',), 0)\nf(('a.txt',), 1)",
	"P = ('a.txt', '/etc/x')\ndef f(n, go):\n    open(P[list(range(n))[-1]], 'w')\n    if go: f(2, 0)\nf(1, 1)",
	"import os\na = L = ['ls', 'ls']\ne = enumerate(L)\na[1] = 'touch /tmp/x'\nfor i, x in e: os.system(x)",
	"import os\na = L = ['ls', 'ls']\ne = zip(L, L)\na[1] = 'touch /tmp/x'\nfor x, y in e: os.system(x)",
	"import os\na = L = ['ls', 'ls']\nfor i, x in enumerate(L):\n    os.system(x)\n    a[1] = 'touch /tmp/x'",
	"import os\na = [L] = (['ls', 'ls'],)\nfor i, x in enumerate(L):\n    os.system(x)\n    a[0][1] = 'touch /tmp/x'",
	"import os\na = (L := ['ls', 'ls'])\nfor i, x in enumerate(L):\n    os.system(x)\n    a[1] = 'touch /tmp/x'",
}

// pythonTaken are programs that pair items of an iterator of which some were taken before,
// or are taken while others are.
var pythonTaken = []string{
	"import os\ng = (x for x in ('ls', 'touch /tmp/x'))\nfor q in g: break\nfor a, b in zip(('', 'echo '), g): os.system(a + b)",
	"import os\ng = (x for x in ('ls', 'touch /tmp/x'))\nfor q in g: break\nfor a, b in list(zip(('', 'echo '), g)): os.system(a + b)",
	"import os\ng = (x for x in ('ls', 'touch /tmp/x'))\nfor q in g: break\nfor i, (a, b) in enumerate(zip(('', 'echo '), g)): os.system(a + b)",
	"import os\nz = zip(('ls', 'touch /tmp/x'), (1, 2))\nfor q in z: break\nfor a, (b, _) in zip(('', 'echo '), z): os.system(a + b)",
	"import os\ne = enumerate(('ls', 'touch /tmp/x'))\nfor q in e: break\nfor a, (i, b) in zip(('', 'echo '), e): os.system(a + b)",
	"import os\nk = enumerate(('echo ', ''))\nfor x in ('ls', 'touch /tmp/x'):\n    try:\n        for i, a in k:\n            os.system(a + x)\n            raise ValueError\n    except ValueError: pass",
	"g = (x for x in ('..', '/../x'))\nfor a, b in zip(g, g): open(f'data/{a}{b}', 'w')",
	"g = (x for x in ('..', '/../x'))\nfor a, b in zip(*[g, g]): open(f'data/{a}{b}', 'w')",
	"g = (x for x in ('..', '/../x'))\n[open(f'data/{a}{b}', 'w') for a, b in zip(g, g)]",
	"z = zip(('..', '/../x'), (1, 2))\nfor (a, _), (b, _) in zip(z, z): open(f'data/{a}{b}', 'w')",
}

// pythonWhole are programs that do the same with what is all there, and is known.
var pythonWhole = []string{
	"import os\ndef f(L, go):\n    os.system(tuple(L)[0])\n    if go: f(('ls -l',), 0)\nf(('ls',), 1)",
	"import os\nL = ['ls', 'ls -l']\ne = enumerate(L)\nfor i, x in e: os.system(x)",
	"import subprocess\ncmd = base = ['git', 'status']\nsubprocess.run(cmd)",
	"import os\na = L = ('ls', 'ls')\nfor x, y in zip(L, a): os.system(x)",
	"import os\nL = ('ls', 'ls -l')\nfor x, y in zip(L, L): os.system(x)",
	"for a, b in zip(['x', 'y'], ['1', '2']): open(f'data/{a}{b}', 'w')",
	"for a, b in zip((x for x in ('..', 'x')), ('/a', '/../b')): open(f'data/x/{a}{b}', 'w')",
	"names = ['x', 'y']\nfor i, (a, n) in enumerate(zip(names, range(2))): open(f'data/{i}{a}{n}', 'w')",
	"for i, n in enumerate(['a', 'b']): open(f'data/{i}{n}', 'w')",
	"for k, v in {'a': '1', 'b': '2'}.items(): open(f'data/{k}{v}', 'w')",
	"z = zip(['x', 'y'], ['1', '2'])\nfor a, b in z: open(f'data/{a}{b}', 'w')",
}

// TestPythonTaken: what is believed of items is what they are when they are gone through,
// and those go together that do.
func TestPythonTaken(t *testing.T) {
	world := nodeWorld()
	world.WriteFile("/home/dev/project/data/x/a.txt", "")
	e := New(Options{Files: world})
	for _, row := range []struct {
		texts []string
		allow bool
	}{{pythonStale, false}, {pythonTaken, false}, {pythonWhole, true}} {
		for _, text := range row.texts {
			if v := nodeVerdict(e, "python3 - <<'E'\n"+text+"\nE", ModeAcceptEdits); (v.Decision == policy.Allow) != row.allow {
				t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
			}
		}
	}
}
