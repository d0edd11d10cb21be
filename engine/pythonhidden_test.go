package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonHidden: where a text computes something of nothing but its own constants, a
// name of which nothing is known may be that, whatever way it has gone.
func TestPythonHidden(t *testing.T) {
	e := madeWorld()
	const turned = `''.join(reversed('vne.'))`
	for _, text := range []string{
		"SINK(b'.e\\xffnv'.decode('utf-8', 'ignore'))", // a decoder leaves out what it can't read
		"SINK(b'\\xef\\xbb\\xbf.env'.decode('utf-8-sig'))",
		"class C:\n    p = @\nSINK(C().p)",                                                              // an attribute of a class, of an object
		"class C:\n    def __init__(self): self.p = @\n    def go(self): SINK(self.p)\nC().go()",        // in a method
		"class C:\n    def __str__(self): return @\nSINK(str(C()))",                                     // what the language asks an object
		"class C:\n    def __call__(self, p): SINK(p)\nC()(@)",                                          // special methods
		"class C:\n    def __getitem__(self, p): SINK(p)\nC()[@]",                                       //
		"def f(p): SINK(p)\n[f][0](@)",                                                                  // functions in lists
		"def f(p): SINK(p)\nd = {'a': f}\nd['a'](@)",                                                    //
		"def f(p): SINK(p)\nfor g in (f,): g(@)",                                                        //
		"l = []\na = l\na.append(@)\nSINK(l[0])",                                                        // other names of a container
		"l = []\nf = l.append\nf(@)\nSINK(l[0])",                                                        //
		"import csv, io\nb = io.StringIO()\ncsv.writer(b).writerow([@])\nSINK(b.getvalue().strip())",    // buffers
		"import io\nb = io.StringIO()\nprint(end=@, file=b)\nSINK(b.getvalue())",                        //
		"import sys\nSINK(sys.intern(@))",                                                               // modules that reach out, and pass on
		"import asyncio\nasync def f(): return @\nSINK(asyncio.run(f()))",                               //
		"import os\nos.environ['X'] = @\nSINK(os.environ['X'])",                                         //
		"try:\n    {}[@]\nexcept KeyError as e:\n    SINK(e.args[0])",                                   // what is raised
		"def h():\n    yield 1\n    return @\ndef g():\n    r = yield from h()\n    SINK(r)\nlist(g())", //
	} {
		for _, sink := range []string{"open(", "mod.show("} {
			text := "import mod\n" + strings.ReplaceAll(strings.ReplaceAll(text, "SINK(", sink), "@", turned)
			v := e.Evaluate(Request{Command: "python3 - <<'E'\n" + text + "\nE", Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash"})
			if v.Decision == policy.Allow {
				t.Errorf("%s\nis allowed", text)
			}
		}
	}
	for _, text := range []string{
		"import sys\nprint(open(sys.argv[1]).read(), ', '.join(['a', 'b']).upper())",
		"import os, hashlib\nfor f in os.listdir('lib'):\n    print(f, hashlib.sha256(open(os.path.join('lib', f), 'rb').read()).hexdigest())",
		"import mod, random\nprint(mod.show(random.randint(1, 6)), '-' * 60)",
		"import mod, io\nb = io.BytesIO(b'')\nmod.show(b)\nprint(b.getvalue().decode('utf-8'))",
	} {
		v := e.Evaluate(Request{Command: "python3 - <<'E'\n" + text + "\nE", Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash"})
		if v.Decision != policy.Allow {
			t.Errorf("%s\n%v: %s", text, v.Decision, v.Reason)
		}
	}
}
