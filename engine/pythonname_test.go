package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// pythonNames are programs that read a file of which no text shows which, and name one that
// is secret in a list.
var pythonNames = []string{
	"import sys\nprint(open('a,kubeconfig'.split(',')[len(sys.argv)]).read())",
	"import sys\nprint(open('a:kubeconfig:b'.split(':')[len(sys.argv)]).read())",
	"import sys\nprint(open('a kubeconfig'.split()[len(sys.argv)]).read())",
	"import sys\nlist = 'a, kubeconfig'\nprint(open(list.split(', ')[len(sys.argv)]).read())",
	"import sys\nprint(open('''a\nkubeconfig\n'''.splitlines()[len(sys.argv)]).read())",
	"import sys\nname = 'a b '\nname += 'kubeconfig'\nprint(open(name.strip().split(' ')[len(sys.argv)]).read())",
	"import sys\nnames = 'only the first of kubeconfig'\nprint(open(names.rpartition(' ')[len(sys.argv)]).read())",
	"import re, sys\nprint(open(re.findall(r'\\w+', 'see the kubeconfig')[len(sys.argv)]).read())",
	"import sys\ndef words(s): return s.split()\nprint(open(words('a kubeconfig')[len(sys.argv)]).read())",
	"import sys\nfor s in ['a kubeconfig']:\n    print(open(s.split()[len(sys.argv)]).read())",
	"import json, sys\nprint(open(json.loads('{\"a\": \"kubeconfig\"}')[sys.argv[1]]).read())",
	"import json, os\nd = json.loads('{\"d\": \"../..\"}')['d']\nfor f in os.listdir(d): print(open(os.path.join(d, f)).read())",
	"import json, os\nd = json.loads('[\"/\"]')[0]\nfor f in os.listdir(d): print(open(os.path.join(d, f)).read())",
	"from pathlib import Path\nprint(Path('.env.example').with_suffix('').read_text())",
	"import sys\nprint(open('a-kubeconfig'.split('-')[len(sys.argv)]).read())",
}

// pythonSentences are programs of the same kind that only speak of such a file.
var pythonSentences = []string{
	"import sys\nprint(open(sys.argv[1]).read().split(), 'there is no kubeconfig')",
	"import sys\nprint(open(sys.argv[1]).read().split('/'), 'a/b', '...', 'x.tar.gz', 'there is no a-b.js'.split('-'), '/'.join(sys.argv))",
	"import sys\nfor line in open(sys.argv[1]):\n    if not line.strip(): raise ValueError('missing credentials')\n    print(line.split(','))",
}

func TestPythonNames(t *testing.T) {
	judge := func(text string) Verdict { // in a file, of which the line names nothing
		world := nodeWorld()
		world.WriteFile("/opt/tool.py", text)
		return nodeVerdict(New(Options{Files: world}), "python3 /opt/tool.py", ModeAcceptEdits)
	}
	for _, text := range pythonNames {
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range pythonSentences {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}

// TestPythonPackages: what an import finds in a package of the project is code of the
// project as long as no link leads elsewhere.
func TestPythonPackages(t *testing.T) {
	world := nodeWorld()
	for _, file := range []string{
		"/home/dev/project/pkg/__init__.py", "/home/dev/project/pkg/own.py", "/home/dev/project/pkg/sub/own.py",
		"/home/dev/project/clean/__init__.py", "/home/dev/project/clean/a.py", "/home/dev/project/clean/b/c.py", "/home/dev/project/clean/LICENSE", "/home/dev/project/clean/__pycache__/a.cpython-312.pyc", "/home/dev/project/bare/sub/own.py",
		"/tmp/shared/__init__.py", "/tmp/shared/a.py", "/tmp/shared/b/c.py",
	} {
		world.WriteFile(file, "")
	}
	world.Symlink("/tmp/shared", "/home/dev/project/pkg/leads")
	world.Symlink("/tmp/shared/a.py", "/home/dev/project/pkg/a.py")
	world.Symlink("/tmp/shared/a.py", "/home/dev/project/bare/sub/a.py")
	world.Symlink("/tmp/shared/b", "/home/dev/project/pkg/sub/b")
	e := New(Options{Files: world})
	for _, row := range []struct {
		text string
		want policy.Decision
	}{
		{"import pkg", policy.Allow},
		{"import pkg.own", policy.Allow},
		{"import pkg.sub.own", policy.Allow},
		{"from pkg import own, other", policy.Allow},
		{"from pkg.sub import own as o", policy.Allow},
		{"from clean import *", policy.Allow},
		{"from pkg import *", policy.Ask},
		{"from pkg.sub import *", policy.Ask},
		{"from bare.sub import *", policy.Ask},
		{"import pkg.leads", policy.Ask},
		{"import pkg.leads.a", policy.Ask},
		{"import pkg.a", policy.Ask},
		{"import pkg.sub.b", policy.Ask},
		{"import pkg.sub.b.c", policy.Ask},
		{"import pkg.sub.own, pkg.sub.b.c as c", policy.Ask},
		{"from pkg import leads", policy.Ask},
		{"from pkg import own, a", policy.Ask},
		{"from pkg.sub import b", policy.Ask},
		{"from pkg.sub.b import c", policy.Ask},
		{"import importlib\nimportlib.import_module('pkg.leads.a')", policy.Ask},
		{"import importlib.util\nimportlib.util.find_spec('pkg.leads.a')", policy.Ask},
	} {
		if v := nodeVerdict(e, "python3 - <<'E'\n"+row.text+"\nE", ModeAcceptEdits); v.Decision != row.want {
			t.Errorf("%s\n%s, want %s: %s", row.text, v.Decision, row.want, v.Reason)
		}
	}
	for _, line := range []string{"python3 -m unittest pkg.leads", "python3 -m unittest pkg/a.py", "python3 -m unittest os.abort", "python3 -m unittest test.test_os", "coverage run -m unittest os.abort"} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
}
