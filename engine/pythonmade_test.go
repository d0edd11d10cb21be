package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// madeWorld is a project with a module, its cache and a package.
func madeWorld() *Engine {
	world := nodeWorld()
	for _, file := range []string{
		"mod.py", "other.py", "evil.bin", "pkg/__init__.py", "pkg/own.py", "pkg/sub/own.py", "pkg/__pycache__/own.cpython-311.pyc",
		"__pycache__/mod.cpython-311.pyc", "__pycache__/other.cpython-311.pyc", "lib/data.txt", "tests/test_mod.py",
	} {
		world.WriteFile("/home/dev/project/"+file, "")
	}
	world.WriteFile("/tmp/foreign.py", "")
	world.WriteFile("/tmp/evil.pyc", "")
	world.WriteFile("/tmp/cache/mod.cpython-311.pyc", "")
	return New(Options{Files: world})
}

// TestPythonMade: what a line makes below a directory that is not there yet is found by
// an import that follows, or comes first in a loop, or beside it.
func TestPythonMade(t *testing.T) {
	const makes = "mkdir -p nope/x; cp /tmp/foreign.py nope/x/y.py"
	e := madeWorld()
	for _, line := range []string{
		"mkdir -p nope; cp /tmp/foreign.py nope/x.py; python3 -c 'import nope.x'",
		makes + "; python3 -c 'import nope.x.y'",
		makes + "; python3 -c 'from nope.x import y'",
		makes + "; python3 -c 'import nope'",
		makes + "; python3 -m unittest nope.x.y",
		makes + "; python3 - <<'E'\nimport nope.x.y\nE",
		"mkdir -p nope/x; echo 'x = 1' > nope/x/y.py; python3 -c 'import nope.x.y'",
		"mkdir -p nope/x; cat > nope/x/y.py <<'E'\nx = 1\nE\npython3 -c 'import nope.x.y'",
		"mkdir -p a/b/c; mv other.py a/b/c/d.py; python3 -c 'from a.b.c.d import *'",
		"python3 - <<'E'\nimport os\nos.makedirs('nope/x')\nopen('nope/x/y.py', 'w').write('x')\nE\npython3 -c 'import nope.x.y'",
		"python3 - <<'E'\nimport os\nos.makedirs('nope/x')\nopen('nope/x/y.py', 'w').write('x')\nimport nope.x.y\nE",
		"mkdir -p lib/p/q; cp /tmp/foreign.py lib/p/q/m.py; python3 -c 'import sys; sys.path.insert(0, \"lib\"); import p.q.m'",
		"mkdir -p pkg/new/x; cp /tmp/foreign.py pkg/new/x/y.py; python3 -c 'import pkg.new.x.y'",
		"python3 -c \"import zipfile; zipfile.ZipFile('a.zip').extractall('nope/x')\"; python3 -c 'import nope.x.y'",
		"python3 -c \"import shutil; shutil.copytree('pkg', 'nope/x')\"; python3 -c 'import nope.x.y'",
		"python3 other.py; echo 'x = 1' > nope/x/y.py; python3 -c 'import nope.x.y'",
		"install -D /tmp/foreign.py nope/x/y.py; python3 -c 'import nope.x.y'",
		"python3 - <<'E'\nimport os\nos.makedirs('nope/x')\nopen('nope/y.py', 'w').write('x')\nE\npython3 -c 'import nope.y'",
		"for i in 1 2; do python3 -c 'import nope.x.y'; " + makes + "; done",
		"for i in 1 2; do python3 -c 'import sys; sys.path.insert(0, \"lib\"); import p.q.m'; mkdir -p lib/p/q; cp /tmp/foreign.py lib/p/q/m.py; done",
		"f() { python3 -c 'import nope.x.y'; }; " + makes + "; f",
		"python3 -c 'import nope.x.y' & " + makes,
		"(sleep 1; python3 -c 'import nope.x.y') & mkdir -p nope/x; echo 'x = 1' > nope/x/y.py; wait",
	} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
	for _, line := range []string{
		"mkdir -p nope/x; cp mod.py nope/x/y.py; python3 -c 'import mod'",
		"mkdir -p nope/x; python3 -c 'import nope.x'",
		"sed -i s/a/b/ nope/x/y.py; python3 -c 'import nope.x.y'",
		"python3 - <<'E'\nopen('nope/x/y.py', 'w').write('x')\nE\npython3 -c 'import nope.x.y'",
		"mkdir -p nope/x; echo 'x = 1' > nope/x/y.py; python3 -c 'import json, nopes'",
		"python3 -c 'import nope.x.y'; mkdir -p nope/x; cp mod.py nope/x/y.py",
		"for i in 1 2; do python3 -c 'import mod, nope'; mkdir -p made/x; echo 1 > made/x/$i.txt; done",
		"echo 'x = 1' > other.py; python3 -c 'import mod'",
		"mkdir -p made/plots; python3 -c 'import json; json.dump({}, open(\"made/plots/a.json\", \"w\"))'",
	} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", line, v.Decision, v.Reason)
		}
	}
}

// TestPythonCache: a library, and a file in a cache of Python's, may run in place of the
// module's text.
func TestPythonCache(t *testing.T) {
	const copies = "cp /tmp/evil.pyc __pycache__/mod.cpython-311.pyc"
	e := madeWorld()
	for _, line := range []string{
		copies + "; python3 -c 'import mod'",
		copies + "; python3 -c 'import mod; mod.f()'",
		copies + "; python3 -m unittest mod",
		copies + "; python3 - <<'E'\nfrom mod import f\nE",
		"mv evil.bin __pycache__/mod.cpython-311.pyc; python3 -c 'import mod'",
		"cat evil.bin > __pycache__/mod.cpython-311.opt-1.pyc; python3 -c 'import mod'",
		"mkdir -p __pycache__; cp evil.bin ./__pycache__/mod.cpython-312.pyc; python3 -c 'import mod'",
		"cp -r /tmp/cache/. __pycache__; python3 -c 'import mod'",
		"cp /tmp/cache/mod.cpython-311.pyc __pycache__; python3 -c 'import mod'",
		"cp /tmp/cache/* __pycache__/; python3 -c 'import mod'",
		"rm -rf __pycache__; cp -r /tmp/cache __pycache__; python3 -c 'import mod'",
		"rm -rf __pycache__; ln -s /tmp/cache __pycache__; python3 -c 'import mod'",
		"cp /tmp/evil.pyc pkg/__pycache__/own.cpython-311.pyc; python3 -c 'import pkg.own'",
		"cp /tmp/evil.pyc pkg/__pycache__/__init__.cpython-311.pyc; python3 -c 'import pkg'",
		"cp /tmp/evil.pyc pkg/sub/__pycache__/own.cpython-311.pyc; python3 -m unittest pkg.sub.own",
		"python3 - <<'E'\nimport shutil\nshutil.copy('evil.bin', '__pycache__/mod.cpython-311.pyc')\nimport mod\nE",
		"python3 - <<'E'\nopen('__pycache__/mod.cpython-311.pyc', 'wb').write(b'x')\nE\npython3 -c 'import mod'",
		"cp evil.bin __pycache__/; mv __pycache__/evil.bin __pycache__/mod.cpython-312.pyc; python3 -c 'import mod'",
		"cp evil.bin mod.so; python3 -c 'import mod'",
		"cp evil.bin mod.cpython-311-x86_64-linux-gnu.so; python3 -m unittest mod",
		"cp evil.bin pkg/own.abi3.so; python3 -c 'import pkg.own'",
		"cp evil.bin nope.pyc; python3 -c 'import nope'",
		"python3 -m unittest mod & cp evil.bin mod.abi3.so",
		"for i in 1 2; do python3 -c 'import nope'; cp evil.bin nope.pyc; done",
		"for i in 1 2; do python3 -c 'import mod'; cp evil.bin mod.so; done",
		"for i in 1 2; do python3 -c 'import mod'; " + copies + "; done",
		"f() { python3 -c 'import mod'; }; " + copies + "; f",
		"python3 -c 'import mod' & " + copies,
	} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
	for _, line := range []string{
		"python3 -c 'import mod'",
		"python3 -c 'import mod'; " + strings.Replace(copies, "/tmp/evil.pyc", "evil.bin", 1),
		"rm -f __pycache__/mod.cpython-311.pyc; python3 -c 'import mod'",
		"mkdir -p __pycache__; python3 -c 'import mod'",
		"cp evil.bin __pycache__/other.cpython-311.pyc; python3 -c 'import mod'",
		"for i in 1 2; do rm -f __pycache__/mod.cpython-311.pyc; python3 -c 'import mod'; done",
		"cp evil.bin mod.txt; cp evil.bin module.so; python3 -c 'import mod'",
		"for i in 1 2; do python3 -c 'import mod'; cp evil.bin mod.txt; done",
		"python3 -c 'import mod; open(\"a.txt\", \"w\")'; cp evil.bin mod.so",
		"for f in a b; do echo 1 > $f.md; python3 -c 'import mod'; done",
	} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", line, v.Decision, v.Reason)
		}
	}
	for _, line := range []string{
		"rm -rf __pycache__; python3 -c 'import mod'",
		"rm -rf tests/__pycache__ __pycache__; python3 -c 'import pkg.own, mod'",
		"for i in 1 2; do rm -rf __pycache__; python3 -c 'import mod'; done",
	} {
		v := nodeVerdict(e, line, ModeAcceptEdits)
		for i := range v.Reasons {
			if r := &v.Reasons[i]; r.Counts() > policy.Allow && r.ID != "files.rm-tree" {
				t.Errorf("%s\n%s: %s", line, r.ID, r.Text())
			}
		}
	}
}
