package python_test

import "testing"

// daily are families of texts as agents write them, and what of each asks.
var daily = []struct {
	family string
	passes []string
	asks   []string
}{
	{"the class of an object", []string{
		"class A:\n    def f(self): return self.__class__.__name__\nprint(A().f())",
		"try: pass\nexcept Exception as e: print(e.__class__.__name__)",
		"from app import X\nprint(X.__class__, X.__mro__)",
	}, []string{
		"from app import X\nX.__globals__",
		"from app import X\nX.__init__.__globals__['a']",
		"from app import X\nX.__subclasses__()",
		"import os\nos.__class__('x').y",
		"class A:\n    def f(self): pass\na = A()\nA.__class__('B', (), {})",
	}},
	{"methods of code of the project", []string{
		"import inspect\nfrom app import X\nprint(inspect.getsource(X.__init__))",
	}, []string{
		"import os\nos.path.__init__",
	}},
	{"classes in others", []string{
		"def f():\n    class A:\n        x = 1\n    return A()\nprint(f().x)",
		"from app import B\nclass A(B):\n    class Meta:\n        label = 'a'\nprint(A())",
	}, []string{
		"def f():\n    class A(metaclass=type): pass\nf()",
		"class A:\n    class B:\n        def __getattr__(self, n): return 1",
		"def f():\n    class A: pass\nclass A: pass",
	}},
	{"object()", []string{
		"s = object()\ndef f(x=s): return x is s\nprint(f())",
	}, []string{
		"object.__subclasses__()",
		"o = object\no.__subclasses__()",
		"object().x",
	}},
	{"attributes that are set", []string{
		"class A: pass\na = A()\na.path = 'x'\na.system = 1\nprint(a.path)",
		"import app.client as client\nclient.session = lambda u: 1\nclient.run()",
		"from app import q\nu = q.get(1)\nu.name = 'x'\nu.save()",
		"import sys, io\nold = sys.stdout\nsys.stdout = io.StringIO()\nsys.stdout = old",
		"import sys\nfrom app import main\nsys.argv = ['app', '--help']\nmain()",
	}, []string{
		"import os\nos.getcwd = lambda: '/etc'",
		"from app import o\no.join = lambda *a: '/etc/x'",
		"from app import q\nu = q()\nu.join = lambda *a: '/etc/x'",
		"import sys\nsys.path = ['/tmp/x']",
		"import sys\nsys.modules = {}",
		"import json\njson.loads = print",
		"class A: pass\na = A()\nimport os\na = os\na.getcwd = print",
		"import app\nclass A:\n    def __enter__(self): return app.f()\n    def __exit__(self, *a): pass\nwith A() as a:\n    a.join = print",
	}},
	{"what objects hold", []string{
		"from app import x\nprint(vars(x), x.__dict__, sorted(vars(x)), list(x.__dict__.keys()))",
		"from app import x\nprint(f'{x.__dict__}')",
	}, []string{
		"import app\napp.__dict__['a'](1)",
		"import app\nvars(app)['a'](1)",
		"import app\nd = vars(app)\nprint(d)",
		"import os\nprint(vars(os))",
		"import app\nprint = lambda d: d['x']\nprint(vars(app))",
		"import os\nprint(vars(os.environ))",
	}},
	{"reload", []string{
		"import importlib, app.main\nimportlib.reload(app.main)\nprint(app.main.x)",
		"from importlib import reload\nimport app\nreload(app)",
	}, []string{
		"import importlib, json\nimportlib.reload(json)",
		"import importlib, app\nopen('app.py', 'w')\nimportlib.reload(app)",
		"import importlib, app\nfor i in range(2):\n    importlib.reload(app)\n    open('app.py', 'w')",
		"import importlib\nimportlib.reload(input())",
	}},
	{"SQL that looks, with something put in", []string{
		"import sqlite3\nc = sqlite3.connect('a.db')\nfor (t,) in c.execute('select name from sqlite_master'):\n    print(c.execute(f'SELECT COUNT(*) FROM {t}').fetchone(), c.execute('PRAGMA table_info(%s)' % t).fetchall())",
	}, []string{
		"import sqlite3\nc = sqlite3.connect('a.db')\nc.execute(f'DROP TABLE {input()}')",
		"import sqlite3\nc = sqlite3.connect('a.db')\nc.executescript(f'SELECT {input()}')",
		"import sqlite3\nc = sqlite3.connect('a.db')\nc.execute(f'{input()} SELECT 1')",
		"import sqlite3\nc = sqlite3.connect('a.db')\nc.execute(f'PRAGMA {input()}')",
	}},
	{"mocks", []string{
		"from unittest.mock import Mock\nfrom app import S\nd = Mock()\nd.q.return_value = [1]\nprint(S(d).n())",
		"from unittest.mock import patch\nimport app.client\nwith patch('app.client.fetch') as m:\n    m.return_value = 1\n    print(app.client.run())",
		"from unittest.mock import patch\nimport app.client\nwith patch('app.client.requests.get') as m:\n    app.client.run()",
	}, []string{
		"from unittest.mock import patch\nwith patch('os.getcwd'): pass",
		"from unittest.mock import patch\nwith patch('app.os.getcwd'): pass",
		"from unittest.mock import patch\nwith patch('app.path.join'): pass",
		"from unittest.mock import patch\nwith patch('builtins.open'): pass",
		"from unittest.mock import patch\nopen('app.py', 'w')\nwith patch('app.x'): pass",
		"from unittest.mock import patch\nimport requests\nwith patch('app.requests.get'): pass",
		"from unittest.mock import Mock\nimport os\nMock(side_effect=os.remove)('a')",
	}},
	{"visitors", []string{
		"import ast\nclass V(ast.NodeVisitor):\n    def visit_FunctionDef(self, n):\n        print(n.name, n.decorator_list)\n        self.generic_visit(n)\nV().visit(ast.parse(open('a.py').read()))",
		"import html.parser\nclass P(html.parser.HTMLParser):\n    def handle_starttag(self, tag, attrs):\n        print(tag)\nP().feed('a')",
	}, []string{
		"import ast\nclass V(ast.NodeVisitor):\n    def visit_PosixPath(self, n):\n        n.unlink()\nV().visit(1)",
	}},
	{"members of code of the project", []string{
		"import inspect, app\nfor n, c in inspect.getmembers(app, inspect.isclass):\n    print(n, c.__doc__)",
	}, []string{
		"import inspect, app\ninspect.getmembers(app)",
		"import inspect, os\ninspect.getmembers(os, inspect.isfunction)",
		"import inspect, app\ninspect.getmembers(app, lambda x: True)",
	}},
	{"a look at the syntax", []string{
		"compile(open('a.py').read(), 'a.py', 'exec')",
		"try:\n    compile(open('a.py').read(), 'a.py', 'exec')\n    print('ok')\nexcept SyntaxError as e:\n    print(e)",
	}, []string{
		"exec(compile('1', 'a', 'exec'))",
		"import app\napp.f(compile('1', 'a', 'exec'))",
		"type(lambda: 0)(compile('1', 'a', 'exec'), {})()",
		"import app\napp.f.__class__(compile('1', 'a', 'exec'), {})()",
		"l = [compile('1', 'a', 'exec')]\nimport app\napp.f(*l)",
		"class B: pass\nb = B()\nb.c = compile('1', 'a', 'exec')\nimport app\napp.f.__class__(app.same(b).c, {})()",
		"list(map(compile, ['1'], ['a'], ['exec']))",
	}},
	{"compiled files", []string{
		"import py_compile\npy_compile.compile('a.py', doraise=True)",
		"import compileall\ncompileall.compile_dir('src', quiet=1)",
		"import py_compile, glob\nfor f in glob.glob('src/*.py'):\n    py_compile.compile(f, doraise=True)",
	}, []string{
		"import py_compile\npy_compile.compile('a.py', 'b.pyc')",
		"import compileall\ncompileall.compile_dir('src', rx=input())",
	}},
	{"decorators of the project", []string{
		"from app import cli\n@cli.command()\ndef f(): print(1)\nf()",
		"import pytest\n@pytest.mark.parametrize('x', [1])\ndef test(x): assert x",
	}, []string{
		"import os\n@os.system\ndef f(): pass",
		"import atexit\n@atexit.register\ndef f(): pass",
	}},
	{"dunder names by getattr", []string{
		"import app\nprint(getattr(app, '__version__', '?'))",
	}, []string{
		"import app\ngetattr(app, '__globals__')",
		"import app\ngetattr(app, '__dict__')['x']",
	}},
}

func TestDaily(t *testing.T) {
	for _, row := range daily {
		for _, text := range row.passes {
			if r := read(text); len(r.Asks) > 0 {
				t.Errorf("%s:\n%s\nsays %q, %q", row.family, text, said(r), r.Asks[0].Reason)
			}
		}
		for _, text := range row.asks {
			if r := read(text); !told(r) {
				t.Errorf("%s:\n%s\nsays %q", row.family, text, said(r))
			}
		}
	}
}

// TestCommandsShown: a command that is printed is still the same.
func TestCommandsShown(t *testing.T) {
	const text = "import subprocess\nfor c in [['git', 'log'], ['git', 'diff']]:\n    print(' '.join(c))\n    subprocess.run(c)"
	if got := said(read(text)); got != "command git log; command git diff" {
		t.Errorf("says %q", got)
	}
}
