package python_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates/python"
	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
)

// decoys change, run or load something below /etc or /tmp/evil, and look as if it were
// something else: an order of things, an alias, a special method is in the way.
var decoys = []string{
	"l=['echo','x']; l[0]='/tmp/evil'\nimport subprocess\nsubprocess.run(l)",
	"import subprocess\nsubprocess.run({'rm':'git','/etc/x':'status'})",
	"import subprocess\nsubprocess.run(['git','status'],False,'/tmp/evil')",
	"import os\nclass E:\n def go(s): os.remove('/etc/x')\nclass C(E):\n def run(s): super(C,s).go()\nC().run()",
	"def g():\n yield 1\n raise ValueError\ng()\nopen('/etc/x','w')",
	"p='a'\ndef g():\n yield\n open(p,'w')\nx=g(); p='/etc/x'; list(x)",
	"p='a'\ndef f(x):\n global p\n p='/etc/x'\nsorted([2,1],key=f)\nopen(p,'w')",
	`l=['q']; d=dict(a=l); d['a'][0]='/etc/x'; open(l[0],'w')`,
	"s=set(); s.update(['/etc/x'])\nfor p in s: open(p,'w')",
	"class C:\n p=property(lambda s:'/etc/x')\nopen(C().p,'w')",
	`k='mod'+chr(101); open('/etc/x',**{k:'w'})`,
	"def f(p='a'): open(p,'w')\nf.__defaults__=('/etc/x',)\nf()",
	"while 0x0:\n pass\nopen('/etc/x','w')",
	`p='/etc/x'; 1>2>(p:='a'); open(p,'w')`,
	"a=b=['x']; a+=['y']; a.append('/etc/x')\nfor p in b: open(p,'w')",
	"import sys\nlist.insert(sys.path,0,'/tmp/evil'); import mod",
	"import os,subprocess\nos.environ.setdefault('GIT_EXTERNAL_DIFF','/tmp/evil'); subprocess.run(['git','diff'])",
	"import tempfile\ntempfile.NamedTemporaryFile(dir='/etc/cron.d',delete=False).write(b'x')",
	"import py_compile\npy_compile.compile('a.py',cfile='/etc/x')",
	"import sqlite3\nc=sqlite3.connect(':memory:'); c.execute(\"ATTACH '/etc/x' AS a\")",
	"class C:\n __p='a'\n def f(s): open(s.__p,'w')\nc=C(); c._C__p='/etc/x'; c.f()",
	"import os\nopen(os.path.basename('/etc/')+'/etc/x','w')",
	"open('\\x1c/etc/x'.strip(),'w')",
	"class A:\n def f(s): return 'a'\nclass B(A): pass\nclass D(A):\n def f(s): return '/etc/x'\nclass E(B,D): pass\nopen(E().f(),'w')",
	"class C:\n x='a'\n def __getattribute__(s,n): return '/etc/x'\nopen(C().x,'w')",
	"class W: pass\nw=W(); w.write=lambda s: open('/etc/x','w')\nprint('x',file=w)",
	"class B:\n def append(s,x): open('/etc/x','w')\nclass C:\n def __eq__(s,o): o.append(1)\nC()==B()",
	"import yaml,typing\nyaml.load(open('/tmp/evil.yaml'),Loader=typing.Any)",
	"import os\nos.symlink('/etc','lnk'); open('lnk/x','w')",
	"import shutil\nshutil.make_archive('/etc/nv','zip','s')",
	"import sqlite3\nsqlite3.connect('file:/etc/o?mode=rwc',uri=True)",
	"import timeit\ntimeit.timeit('open(\"/etc/x\",\"w\")',number=1)",
	"class C:\n def keys(s): open('/etc/x','w'); return []\ndict(**C())",
	"import subprocess as s\nr=s.run\nr(['rm','-rf','/etc'])",
}

// tangles are decoys in which the time matters at which something runs, or who sets a
// name.
var tangles = []string{
	"p='a'\ndef g():\n yield\n open(p,'w')\nfor _ in range(2):\n x=g(); p='/etc/x'\n next(x,0); next(x,0)",
	"def g():\n yield\n open(p,'w')\nfor _ in range(2):\n x=g(); p='/etc/x'\n next(x,0); next(x,0)",
	"from pathlib import Path\np='a'\ndef g():\n yield p\nx=g(); p=Path('/etc/x'); next(x).touch()",
	"from pathlib import Path\ndef g():\n x=yield\n x.touch()\ni=g(); next(i); i.send(Path('/etc/x'))",
	"from pathlib import Path\ndef g():\n return Path('/etc/x')\n yield\ndef h():\n x=yield from g()\n x.touch()\nlist(h())",
	"from pathlib import Path\ndef g():\n return 'a'\n yield\nfor p in g(): p.touch()\nPath('/etc/x').touch()",
	"import os\ndef g():\n raise SystemExit\n yield\ng()\nos.remove('/etc/x')",
	"import os\ndef g():\n try:\n  yield\n finally:\n  os.remove('/etc/x')\nnext(g())",
	"import os\ndef g():\n try:\n  yield\n except GeneratorExit:\n  os.remove('/etc/x')\ni=g(); next(i); i.close()",
	"from pathlib import Path\ndef g():\n import csv\n yield\nx=g()\nPath('csv.py').write_text('x')\nlist(x)",
	"from pathlib import Path\ndef g():\n import csv\n yield\ng()\nPath('csv.py').write_text('x')\nimport csv",
	"f=lambda: (yield '/etc/x')\nfor p in f(): open(p,'w')",
	"def g(p='a'):\n yield open(p,'w')\nlist(map(g,['/etc/x']))[0].__next__()",
	"class A:\n def g(self):\n  yield '/etc/x'\nfor p in A().g(): open(p,'w')",
	"p='a'\ndef f():\n global p\n p='/etc/x'\nf()\nopen(p,'w')",
	"def f():\n global p\n p='/etc/x'\ndef g(p='a'): open(p,'w')\nf(); g(p)",
	"import os.path as q\nimport app\ndef f():\n global q\n q=app\nf()\nopen(q.join('a','b'),'w')",
	"from os.path import join\ndef f():\n global join\n join=lambda *a: '/etc/x'\nf()\nopen(join('a'),'w')",
	"def f():\n global open\n open=lambda *a: 1\nopen('/etc/x','w')",
	"def f():\n global str\n str=lambda x: '/etc/x'\nf()\nopen(str('a'),'w')",
	"def f():\n global __builtins__\n __builtins__={}\nf()",
	"def f():\n p='a'\n def g():\n  nonlocal p\n  p='/etc/x'\n g(); open(p,'w')\nf()",
	"from pathlib import Path\ndef f():\n p='a'\n def g():\n  nonlocal p\n  p=Path('/etc/x')\n sorted([1],key=lambda x: g()); p.touch()\nf()",
	"p='/etc/x'; [0 for _ in [] if (p:='a')]; open(p,'w')",
	"p='a'; [(p:=x) for x in ['/etc/x']]; open(p,'w')",
	"import sys\nsys.argv and (p:='a') or (p:='/etc/x'); open(p,'w')",
	"(open:=print)('/etc/x','w')",
	"from pathlib import Path\nif 1>2>(p:='a'): pass\nelse: p=Path('/etc/x')\np.touch()",
	"class A:\n x=(__getattr__:=lambda s,n: open)\nA().y('/etc/x','w')",
	"import os\n(f:=os.remove)('/etc/x')",
	"(lambda: (p:='a'))(); p='/etc/x'; open(p,'w')",
	"match ['/etc/x']:\n case [p]: open(p,'w')",
	"p='/etc/x'\nmatch 1:\n case p if False: pass\nopen(p,'w')",
	"from pathlib import Path\nmatch Path('/etc/x'):\n case object(touch=f): f()",
	"import os\nmatch os:\n case object(remove=f): f('/etc/x')",
	"import os\nmatch [os]:\n case [m]: m.remove('/etc/x')",
	"from pathlib import Path\nmatch {'a': Path('/etc/x')}:\n case {'a': x}: x.touch()",
	"from pathlib import Path\nmatch Path('/etc/x'):\n case str() as x: pass\n case x: x.touch()",
	"class A:\n __match_args__=('x',)\n x='/etc/x'\nmatch A():\n case A(p): open(p,'w')",
	"import os\nclass A:\n @property\n def x(self): os.remove('/etc/x')\nmatch A():\n case A(x=1): pass",
	"def d(f): return lambda *a: '/etc/x'\n@d\ndef p(): return 'a'\nopen(p(),'w')",
	"def d(f): return '/etc/x'\n@d\ndef p(): return 'a'\nopen(p,'w')",
	"def d(f):\n f('/etc/x')\n@d\ndef g(p): open(p,'w')",
	"def d(f): return lambda p: f('/etc/x')\n@d\ndef g(p): open(p,'w')\ng('a')",
	"import os\n@os.remove\ndef f(): pass",
	"import functools\n@functools.partial(map,None)\ndef f(): pass",
	"import app\n@app.d\ndef f(p='a'): open(p,'w')\nf()",
	"from functools import lru_cache\nlru_cache=lambda f: '/etc/x'\n@lru_cache\ndef p(): pass\nopen(p,'w')",
	"import functools\n@functools.wraps(open)\ndef f(*a): pass\nf.__wrapped__('/etc/x','w')",
	"import functools\n@functools.lru_cache\ndef f(p): open(p,'w')\nf.__wrapped__('/etc/x')",
	"import contextlib\n@contextlib.contextmanager\ndef f():\n yield '/etc/x'\nwith f() as p: open(p,'w')",
	"import contextlib, os\n@contextlib.contextmanager\ndef f():\n yield\n os.remove('/etc/x')\nwith f(): pass",
	"import os.path as q\nfrom app import r\nr.join=lambda *a: '/etc/x'\nopen(q.join('a'),'w')",
	"from types import SimpleNamespace as N\nn=N(p='a'); n.p='/etc/x'; open(n.p,'w')",
	"class A: p='a'\na=A(); a.p='/etc/x'; open(a.p,'w')",
	"class A: p='a'\nA.p='/etc/x'; open(A().p,'w')",
	"def f(): pass\nf.p='/etc/x'; open(f.p,'w')",
	"from pathlib import Path\nclass A: pass\na=A(); a.p=Path('/etc/x'); a.p.touch()",
	"from pathlib import Path\nclass A: pass\na=A(); a.f=Path('/etc/x').touch; a.f()",
	"import os\nclass A: pass\na=A(); a.f=os.remove; a.f('/etc/x')",
	"class A:\n def go(self): pass\na=A(); a.go=lambda: open('/etc/x','w'); a.go()",
	"class A: pass\na=A(); a.__class__=int",
	"from app import b\nb.str=lambda x: '/etc/x'\nopen(str('a'),'w')",
	"from app import m\np='a'; m.p='/etc/x'; open(p,'w')",
	"from app import m\nm.__builtins__={}",
	"import sys\nsys.stdout=open('/etc/x','w')",
	"import app\napp.p='/etc/x'; open(app.p,'w')",
	"import threading\nfrom pathlib import Path\np='a'\ndef f(): p.touch()\nt=threading.Thread(target=f); p=Path('/etc/x'); t.start()",
	"import threading\ndef f(p): open(p,'w')\nthreading.Thread(target=f,args=('/etc/x',)).start()",
	"import threading\nthreading.Thread(None,open,args=('/etc/x','w')).start()",
	"import threading\nclass T(threading.Thread):\n def run(self): open('/etc/x','w')\nT().start()",
	"import threading\nfrom pathlib import Path\nthreading.Timer(0,Path('/etc/x').touch).start()",
	"from concurrent.futures import ThreadPoolExecutor as E\nfrom pathlib import Path\nE().submit(Path,'/etc/x').result().touch()",
	"from concurrent.futures import ThreadPoolExecutor as E\nfrom pathlib import Path\nfor p in E().map(Path,['/etc/x']): p.touch()",
	"from concurrent.futures import ThreadPoolExecutor as E, as_completed\nfrom pathlib import Path\nd={E().submit(print):Path('/etc/x')}\nfor f in as_completed(d): d[f].touch()",
	"import queue\nfrom pathlib import Path\nq=queue.Queue(); q.put(Path('/etc/x')); q.get().touch()",
	"import queue\nfrom pathlib import Path\nq=queue.Queue(); q.put(Path('/etc/x').touch); q.get()()",
	"import signal\nfrom pathlib import Path\np='a'\ndef f(*a): p.touch()\nsignal.signal(14,f); p=Path('/etc/x'); signal.alarm(1)",
	"import signal\nfrom pathlib import Path\nsignal.signal(14,Path('/etc/x').touch)",
	"import sqlite3\nsqlite3.connect('/etc/x')",
	"import sqlite3\nsqlite3.connect(database='/etc/x')",
	"import sqlite3\nsqlite3.connect('file:x?vfs=y',uri=True)",
	"import sqlite3\nsqlite3.connect(f\"file:{'x'}\")",
	"import sqlite3\nsqlite3.connect('a.db',factory=open)",
	"import sqlite3\nc=sqlite3.connect(':memory:')\nq='select 1'\ndef f():\n global q\n q=\"attach '/etc/x' as a\"\nf(); c.execute(q)",
	"import sqlite3\nclass A:\n def execute(self,q): pass\ndef f(c): c.execute(\"attach '/etc/x' as a\")\nf(A()); f(sqlite3.connect(':memory:'))",
	"import sqlite3\nsqlite3.Cursor.execute(sqlite3.connect(':memory:').cursor(),\"attach '/etc/x' as a\")",
	"import sqlite3\ne=sqlite3.connect(':memory:').execute\ne(\"attach '/etc/x' as a\")",
	"import sqlite3\nlist(map(sqlite3.connect(':memory:').execute,[\"attach '/etc/x' as a\"]))",
	"import sqlite3\nsqlite3.connect(':memory:').set_trace_callback(lambda s: open('/etc/x','w'))",
	"import sqlite3\nsqlite3.connect(':memory:').execute(\"select 1; VACUUM INTO '/etc/x'\")",
	"import subprocess\nsubprocess.Popen(['git','status'],cwd='/tmp/evil')",
	"import subprocess\nsubprocess.Popen(['git','status'],executable='/tmp/evil')",
	"import subprocess\nsubprocess.Popen(['git','diff'],env={'GIT_EXTERNAL_DIFF':'/tmp/evil'})",
	"import subprocess\nsubprocess.Popen(['ls'],preexec_fn=lambda: open('/etc/x','w'))",
	"import subprocess\nsubprocess.Popen(['sh'],stdin=subprocess.PIPE,text=True).stdin.write('touch /etc/x')",
	"import subprocess\nl=['ls']\nl[0]='/tmp/evil'\nsubprocess.Popen(l)",
	"def d(f): return f\nclass A:\n @d\n def touch(self): pass\nfrom pathlib import Path\ndef g(a): a.touch()\ng(Path('/etc/x'))",
}

// TestTangles: nobody is told a harmless place by them, either.
func TestTangles(t *testing.T) {
	for _, text := range tangles {
		if !told(read(text)) {
			t.Errorf("%s\nsays %q", text, said(read(text)))
		}
	}
}

// found are texts that were once harmless to the reader.
var found = []string{
	"import re\nmax(['touch /x'], key=re.I._missing_.__func__.__globals__['sys'].modules['os'].system)",
	"import calendar\ndict(a=calendar.month_abbr._months[0].__globals__['sys'].modules['os'])['a'].remove('/x')",
	"def f(a: open): pass\nmax([0], key=f.__annotations__['a'])",
	"import sys\ndict(sys.modules)['os'].remove('/x')",
	"import sys\ndict.get(sys.modules, 'os').replace('a', '/x')",
	"from pathlib import Path\np = Path('a.txt')\nobject.__setattr__(p, '_str', '/x')\np.write_text('x')",
	"import argparse\nfrom pathlib import Path\np = Path('a.txt')\nq = argparse.ArgumentParser()\nq.add_argument('--x', dest='_str')\nq.parse_args(['--x', '/x'], p)\np.write_text('x')",
	"import argparse\nargparse.ArgumentParser().add_subparsers().add_parser('x', fromfile_prefix_chars='@')",
	"import copy, subprocess\nsubprocess.run(copy.deepcopy('ls', {id('ls'): 'rm -rf x'}), shell=True)",
	"from collections import Counter\nd = {'p': 'x'}.copy()\nCounter.__setitem__(d, 'p', '/x')\nopen(d['p'], 'w')",
	"import os, typing\nos.system(typing.get_args(typing.Literal['touch /x'])[0])",
	"import os, ast\nos.system(max(ast.iter_child_nodes(ast.parse('')), default='touch /x'))",
	"import functools, os\nfunctools.partial(os.environ.setdefault, 'LD_PRELOAD')('/tmp/e.so')\nos.system('ls')",
	"import sys\nclass A:\n    def __init__(self): self.tb_frame = self.f_builtins = 0\ntry: 1/0\nexcept Exception:\n    b = sys.exc_info()[2].tb_frame.f_builtins\n    b['print'] = b['exec']\nprint('x')",
	"from pathlib import Path\nclass A:\n    def __init__(self): self._str = 0\np = Path('a')\ndef f(q): q._str = '/x'\nsorted([p], key=f)\np.write_text('x')",
	"import io, xml.etree.ElementTree as ET\nprint('/x', file=ET.parse(io.StringIO('<a/>')), end='')",
	"import os\nos.mkdir('x', dir_fd=3)",
	"import annotationlib as a\na.ForwardRef('x').evaluate()",
	"print('{0.__globals__[os].environ}'.format(f))",
	"import os\ndef f(): pass\nprint('{0.__globals__[os].environ}'.format(f))",
	"import os\np = os.popen('python3', 'w')\np.write('import os')",
	"import argparse\np = argparse.ArgumentParser(fromfile_prefix_chars='@')\nprint(p.parse_args(['@/x']))",
	"import argparse\nargparse.FileType('r')('/x')",
	"import os\nopen(os.path.expanduser('~root/.bashrc'), 'w')",
	"a = [0]\na.append('/tmp/x')\nimport sys\nsys.path.insert(*a)\nimport evilmod",
	"import os\nos.chmod('x', 0o4755)",
	"from collections import Counter\nopen(Counter({'a': '/x'})['a'], 'w')",
	"raise SyntaxError('x', ('.env', 1, 1, None))",
	"from pathlib import Path\nfor p in {'a'}.union([Path('y')]) - {'a'}: p.replace('/etc/x')",
	"from pathlib import Path\ns = {'a'}\ns.update([Path('y')])\ns.discard('a')\nfor p in s: p.replace('/etc/x')",
	"from pathlib import Path\nl = ['a']\nsorted([Path('y')], key=l.append)\nl[-1].replace('/etc/x')",
	"from pathlib import Path\nd = {'k': 'a'}\ne = d\nd |= {'k': Path('y')}\ne['k'].replace('/etc/x')",
	"from pathlib import Path\nd = {'k': 'a'}\nd.update([('k', Path('y'))])\nd['k'].replace('/etc/x')",
	"import warnings\nwarnings.warn_explicit('x', UserWarning, '.env', 1)",
}

// TestFound: they stay found.
func TestFound(t *testing.T) {
	for _, text := range found {
		if r := read(text); harmless(r) {
			t.Errorf("%s\nis harmless: %q", text, said(r))
		}
	}
}

// TestEnds: values that hold themselves, texts that double.
func TestEnds(t *testing.T) {
	for _, text := range []string{
		"a = []\na.append(a)\nimport mypkg\nmypkg.f(a)",
		"d = {}\nd['d'] = d\nimport mypkg\nmypkg.f(d)",
		"import sys\na = []\na.append(a)\nsys.path.append(a)",
		"try:\n    pass\nexcept open('x'):\n    pass",
		"a = []\na.append(a)\ntry:\n    pass\nexcept a:\n    pass",
		"x = 'a'\n" + strings.Repeat("x = x + x\n", 60),
		"x = 'a'\n" + strings.Repeat("x = f'{x}{x}'\n", 60),
		"x = 'a'\n" + strings.Repeat("x = x.replace('a', 'aaaaaaaaaa')\n", 12),
		"x = [1]\n" + strings.Repeat("x = x + x\n", 40),
		"x = [1]\n" + strings.Repeat("x = [*x, *x]\n", 40),
	} {
		read(text)
	}
}

// TestGuessed: what a text names is read where it reads something of which the name is
// not known.
func TestGuessed(t *testing.T) {
	const secret = "'/home/user/.ssh/id_rsa'"
	for family, text := range map[string]string{
		"member of an enumeration":  "import enum\nclass A(enum.Enum):\n    X = SECRET\nprint(open(A.X.value).read())",
		"field of a dataclass":      "from dataclasses import dataclass, field\n@dataclass\nclass A:\n    p: str = field(default=SECRET)\nprint(open(A().p).read())",
		"dataclass as a tuple":      "from dataclasses import dataclass, astuple\n@dataclass\nclass A:\n    p: str\nprint(open(astuple(A(SECRET))[0]).read())",
		"text of an object":         "class A:\n    def __str__(self): return SECRET\nprint(open(f'{A()}').read())",
		"arguments of an exception": "class A(Exception):\n    pass\ntry:\n    raise A(SECRET)\nexcept A as e:\n    print(open(e.args[0]).read())",
		"attribute of a namespace":  "from types import SimpleNamespace as N\nprint(open(N(p=SECRET).p).read())",
		"context that gives it":     "import contextlib\nwith contextlib.nullcontext(SECRET) as p: print(open(p).read())",
		"library that gives it":     "import re\nprint(open(re.sub('x', 'y', SECRET)).read())",
		"part of a text":            "print(open(SECRET[0:]).read())",
		"field that is not passed":  "from dataclasses import dataclass, field\n@dataclass\nclass A:\n    a: str = field(init=False, default='a')\n    b: str = 'b'\nprint(open(A(SECRET).b).read())",
		"variable of the class":     "from dataclasses import dataclass\nfrom typing import ClassVar\n@dataclass\nclass A:\n    a: ClassVar[str] = 'a'\n    b: str = 'b'\nprint(open(A(SECRET).b).read())",
		"__init__ that is hidden":   "from dataclasses import dataclass\nclass B:\n    def __init__(self, p): self.p = 'a'\n@dataclass\nclass A(B):\n    p: str\nprint(open(A(SECRET).p).read())",
		"fields of two bases":       "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: str = 'a'\n@dataclass\nclass B:\n    b: str = 'b'\n@dataclass\nclass C(A, B): pass\nprint(open(C(SECRET).b).read())",
		"order of bases":            "class A:\n    def f(s): return 'a'\nclass B(A): pass\nclass D(A):\n    def f(s): return SECRET\nclass E(B, D): pass\nprint(open(E().f()).read())",
		"names in a class":          "p = ['a']\nclass A:\n    p = [SECRET]\n    q = [x for x in p]\nprint(open(A.q[0]).read())",
		"set that is united":        "for p in {'a'}.union([SECRET]): print(open(p).read())",
		"set that gets more":        "s = {'a'}\ns.update([SECRET])\nfor p in s: print(open(p).read())",
		"pairs":                     "d = {'k': 'a'}\nd.update([('k', SECRET)])\nprint(open(d['k']).read())",
		"super() beside":            "class A:\n    def f(s): return 'a'\nclass B(A):\n    def f(s): return super().f()\nclass D(A):\n    def f(s): return SECRET\nclass E(B, D): pass\nprint(open(E().f()).read())",
		"lines of a text":           "for p in '''a\n/home/user/.ssh/id_rsa'''.splitlines(): print(open(p).read())",
		"bytes":                     "print(open(bSECRET.decode('ascii')).read())",
		"name that is private":      "__p = 'a'\n_C__p = SECRET\nclass C:\n    def go(self): print(open(__p).read())\nC().go()",
	} {
		r := read(strings.ReplaceAll(text, "SECRET", secret))
		if !slices.ContainsFunc(r.Effects, func(e code.Effect) bool {
			return e.Kind == match.Read && e.Word.String() == strings.Trim(secret, "'")
		}) {
			t.Errorf("%s: says %q", family, said(r))
		}
	}
}

// TestClasses: what is taken for an object of the text's, and is none, is asked about.
func TestClasses(t *testing.T) {
	for family, text := range map[string]string{
		"method of two types":        "from pathlib import Path\nclass A:\n    def touch(self): pass\ndef f(c): c.touch()\nf(A())\nf(Path('/etc/x'))",
		"method kept as a value":     "from pathlib import Path\nclass A:\n    f = Path('/etc/x').touch\nA.f()",
		"method of its class":        "import app, os\nclass A:\n    def go(self, v): self.join = v\nA.go(app.os.path, 1)\nopen(os.path.join('a', 'b'), 'w')",
		"self that is another":       "import app\nclass A:\n    def go(self):\n        for self in [app.os.path]:\n            self.join = 1\nA().go()",
		"class that hooks":           "class A:\n    def __getattr__(self, n): return open\nA().x('a', 'w')",
		"class below that hooks":     "class A:\n    def __init_subclass__(c): pass\nclass B(A): pass",
		"metaclass":                  "class M(type): pass\nclass A(metaclass=M): pass",
		"decorator of another name":  "def classmethod(f):\n    f('/etc/x')\nclass A:\n    @classmethod\n    def x(p): open(p, 'w')",
		"class that is a text":       "class A(str): pass\nopen(A('/etc/x'), 'w')",
		"open that is a method":      "class A:\n    def open(self): return '/etc/x'\np = A().open()\nopen(p, 'w')",
		"archive kept in an object":  "import zipfile\nclass A:\n    def __init__(self): self.z = zipfile.ZipFile('a')\n    def extractall(self): self.z.extractall()\nA().extractall()",
		"module of a computed name":  "import importlib\nn = 'app'\ndef f():\n    global n\n    n = 'os'\nf()\nimportlib.import_module(n).remove('a')",
		"module kept under a name":   "import importlib\nm = importlib.import_module('os')\nm.remove('a')",
		"names that nobody shows":    "import json, logging\nlogging.basicConfig(**json.load(open('a')))",
		"private function":           "from os.path import exists as __f\nfrom os import remove as _C__f\nclass C:\n    def go(self): __f('/etc/x')\nC().go()",
		"private attribute":          "class A:\n    _B__f = open\nclass B(A):\n    def go(self): self.__f('/etc/x', 'w')\nB().go()",
		"hook of the module":         "import inspect, os\ndef __getattr__(n): os.remove('/etc/x')\nclass A: pass\ninspect.getsource(A)",
		"file of the module":         "import inspect\n__file__ = '/home/user/.ssh/id_rsa'\nclass A: pass\nprint(inspect.getsource(A))",
		"builtins of the module":     "from pathlib import Path\n__builtins__ = {'str': lambda x: '/etc/x'}\ndef g(): Path(str('a')).write_text('x')\ng()",
		"getattr of a method":        "from pathlib import Path\nclass T:\n    def touch(s): pass\ndef f(): return T()\ngetattr(f(), 'touch')()",
		"import behind an exception": "class A:\n    def f(s): raise KeyError\nclass B(A): pass\nclass D(A):\n    def f(s): return 1\nclass E(B, D): pass\nE().f()\nimport antigravity",
		"import nobody reaches":      "raise SystemExit\nimport antigravity",
		"imported as a hook":         "from app import x as __builtins__",
		"annotation that assigns":    "p: (p := '/etc/x') = 'a'\nopen(p, 'w')",
		"annotation that keeps":      "import os\ndef f(x: os.remove): pass\nsorted(['/etc/x'], key=f.__annotations__['x'])",
		"annotation of the text's":   "import os\ndef g(p): os.remove(p)\ndef f(x: g): pass\nsorted(['/etc/x'], key=f.__annotations__['x'])",
		"method by another name":     "from pathlib import Path\ndef f(s, *a): return Path('/etc/x')\nclass A:\n    def go(self): self.joinpath = f\nB = A\nsorted([Path], key=B.go)\nPath('a').joinpath('b').touch()",
		"method by getattr":          "from pathlib import Path\ndef f(s, *a): return Path('/etc/x')\nclass A:\n    def go(self): self.joinpath = f\nsorted([Path], key=getattr(A, 'go'))\nPath('a').joinpath('b').touch()",
		"field with another method":  "from dataclasses import dataclass, field\nfrom pathlib import Path\n@dataclass\nclass A:\n    a: str = field(init=False, default='a')\n    b: str = 'b'\nA(Path('y')).b.replace(*[], '/etc/x')",
		"environment of a directory": "import os, tempfile\nos.environ['TMPDIR'] = '/etc'\ntempfile.mkdtemp()",
		"names of the text's own":    "def locals(): return [open('/etc/x', 'w')]\nprint('x' in locals())",
		"header that is put in":      "import requests\nh = {'A': 'b'}\ndef f(): h['X'] = open('a').read()\nf()\nrequests.get('https://x.example', headers=h)",
		"header in what it holds":    "import requests\nl = []\nh = {'A': l}\nl.append(open('a').read())\nrequests.get('https://x.example', headers=h)",
		"field of a class below":     "import tarfile\nclass A:\n    def __init__(self): self.w = set()\n    def go(self): self.w.add('x')\nclass B(A):\n    def __init__(self, t): self.w = t\nB(tarfile.open('x.tar')).go()",
		"field set by its class":     "import tarfile\nclass A:\n    w = set()\n    def go(self): self.w.add('x')\n    @classmethod\n    def put(cls, t): cls.w = t\nA.put(tarfile.open('x.tar'))\nA().go()",
		"field of anybody's":         "import tarfile\nclass A:\n    def __init__(self): self.w = set()\n    @staticmethod\n    def go(self): self.w.add('x')\nclass T: pass\nt = T()\nt.w = tarfile.open('x.tar')\nA.go(t)",
		"field that a loop sets":     "import tarfile\nclass A:\n    def __init__(self):\n        self.w = set()\n        for self.w in [tarfile.open('x.tar')]: self.w.add('x')\nA()",
		"field that is opened":       "import tarfile\nclass A:\n    def go(self):\n        self.w = set()\n        with tarfile.open('x.tar') as self.w: self.w.add('x')\nA().go()",
		"field of a dataclass":       "import tarfile\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    w: set\n    def go(self): self.w.add('x')\n    def put(self): self.w = set()\nA(tarfile.open('x.tar')).go()",
		"container of another name":  "import tarfile\nset = tarfile.open\nclass A:\n    def __init__(self): self.w = set('x.tar')\n    def go(self): self.w.add('x')\nA().go()",
	} {
		if r := read(text); len(r.Asks) == 0 && !strings.Contains(said(r), "(...)") {
			t.Errorf("%s: says %q", family, said(r))
		}
	}
}

// TestData: what the text gives nothing but data is data, in texts with archives, too.
func TestData(t *testing.T) {
	for _, text := range []string{
		"import tarfile\nclass A:\n    n = set()\n    def __init__(self): self.w = self.n or {1}\n    def go(self): self.w.add('x')\nA().go()",
		"import tarfile\nclass A:\n    def __init__(self, w): self.w = set(w)\n    def go(self):\n        self.w.add('x')\n        seen = {1}\n        seen.add(len(self.w))\nA('ab').go()",
		"x = 1\nif 'x' in locals() and 'y' not in globals(): print(x)",
		"import requests\nh = {'A': 'b'}\nprint(requests.get('https://x.example', headers=h).text)",
		"import urllib.request as u\nh = {'A': 'b'}\nprint(u.urlopen(u.Request('https://x.example', headers=h)).read())",
		"class N:\n    def __init__(self, v): self.v, self.next = v, None\na, b = N(1), N(2)\na.next = b\nn = a\nwhile n: n = n.next",
		"import json\nd = json.load(open('a.json'))\nd['version'] = '1'\nd.setdefault('scripts', {})['build'] = 'x'\nprint(d)",
		"from collections import deque\nq, seen = deque([1]), {1}\nwhile q:\n    n = q.popleft()\n    for m in {1: [2], 2: []}[n]:\n        if m not in seen: seen.add(m); q.append(m)",
		"class V:\n    def __init__(self, x): self.x = x\n    def __add__(self, n): return V(self.x + n)\n    def __iter__(self): yield self.x\nprint(*(V(1) + 2))",
		"p = [(1, 2)]\nfor y in range(min(a for a, b in p), max(b for a, b in p) + 1): print(y, max(1, 2) + 1, min(*[[3]]))",
	} {
		if r := read(text); len(r.Asks) > 0 {
			t.Errorf("%s\nsays %q", text, said(r))
		}
	}
}

// TestPatterns: so is what a pattern stands for that the text looks for.
func TestPatterns(t *testing.T) {
	for _, text := range []string{
		"import glob\nfor f in glob.glob('.s??/id_*'): print(open(f).read())",
		"from glob import iglob\nfor f in iglob('.s??/id_*'): print(open(f).read())",
		"from pathlib import Path\nfor f in Path('.').rglob('.s??/id_*'): print(f.read_text())",
	} {
		r := read(text)
		if !slices.ContainsFunc(r.Effects, func(e code.Effect) bool {
			n := len(e.Word.Parts)
			return e.Kind == match.Read && n > 0 && strings.HasSuffix(e.Word.Parts[n-1].Match, "??/id_*")
		}) {
			t.Errorf("%s: says %q", text, said(r))
		}
	}
}

// TestLoaded: a module that the text may have written is none of the project's, but one
// that was loaded before is.
func TestLoaded(t *testing.T) {
	const write = "\nfrom pathlib import Path\nPath('csv.py').write_text('x')\n"
	for text, asked := range map[string]bool{
		"import app" + write + "import app":                                                          false,
		"import json" + write + "import json":                                                        false,
		"import app" + write + "import app.y":                                                        true,
		"try:\n    import app\nexcept ImportError:\n    pass" + write + "import app":                 true,
		"if input():\n    import csv" + write + "import csv":                                         true,
		"for _ in []:\n    import csv" + write + "import csv":                                        true,
		"def f(): import csv\nlist(map(f, []))" + write + "import csv":                               true,
		"def f():\n    import csv" + write + "import csv":                                            true,
		"def f():\n    import csv\nf()" + write + "import csv":                                       false,
		"open('x.json', 'w')\nimport csv":                                                            false,
		"def f():\n    if input(): return\n    import csv\nf()" + write + "import csv":               true,
		"open('csv/x', 'w')\nimport csv":                                                             true,
		"open('src/x.py', 'w')\nimport csv":                                                          false,
		"open('src/x.py', 'w')\nimport x":                                                            true,
		"open('src/x.py', 'w')\nimport src.y":                                                        true,
		"open('SRC/x.py', 'w')\nimport src.y":                                                        true,
		"open('src/x.py', 'w')\nimport app":                                                          false,
		"from pathlib import Path\nfor p in Path('src').rglob('*.py'): p.write_text('')\nimport app": true,
		"import subprocess\nsubprocess.run(['make'])\nimport json":                                   false,
		"import subprocess\nsubprocess.run(['make'])\nimport app":                                    true,
		"import os\nprint(os.getenv('A'))\nimport app":                                               false,
		"open('src/selectors.py', 'w')\nimport subprocess":                                           true,
		"open('selectors/x', 'w')\nimport subprocess":                                                true,
		"open('Selectors.py', 'w')\nimport subprocess":                                               true,
		"open('_csv.so', 'w')\nimport csv":                                                           true,
		"open('x.pth', 'w')\nimport csv":                                                             true,
		"open(input(), 'w')\nimport csv":                                                             true,
		"import os\nos.rename('a.py', 'b.py')\nimport csv":                                           true,
		"import os\nos.rename('a.py', 'csv.py')\nimport csv":                                         true,
		"import os\nos.rename('a', 'csv')\nimport csv":                                               true,
		"import os\nos.rename('a.py', 'b.py')\nimport app":                                           true,
		"import threading\ndef f(): import app.y\ndef g(): open('app/y.py', 'w')\nthreading.Thread(target=f).start()\nthreading.Thread(target=g).start()":            true,
		"import threading\ndef g(): open('app/y.py', 'w')\nthreading.Thread(target=g).start()\nimport app.y":                                                         true,
		"import threading, app.y\ndef g(): open('app/y.py', 'w')\nthreading.Thread(target=g).start()\nimport app.y":                                                  false,
		"import threading\ndef f():\n    import app.y\n    open('app/y.py', 'w')\nthreading.Thread(target=f).start()":                                                true, // it may be started twice
		"import os\ndef g():\n    if os.path.exists('n'): import app.y\n    open('app/y.py', 'w')\n[g() for _ in range(2)]":                                          true,
		"import importlib\nwhile True:\n    try:\n        importlib.import_module('app.y')\n        break\n    except ImportError: open('app/y.py', 'w')":            true,
		"import app\nopen('app/y.py', 'w')\nfrom app import y":                                                                                                       true,
		"import app\nopen('app/y.txt', 'w')\nfrom app import y":                                                                                                      false,
		"import unittest\nclass B(unittest.TestCase):\n    def test_b(self): import app.y\nclass A(unittest.TestCase):\n    def test_a(self): open('app/y.py', 'w')": true,
		"import asyncio\nasync def g(): open('app/y.py', 'w')\nasync def f(): import app.y\nasync def main(): await asyncio.gather(f(), g())":                        true,
		"import pytest.__main__":                                      true,
		"if input():\n    import app" + write + "import app":          true,
		"try:\n    import app\nexcept ImportError:\n    pass" + write: false,
	} {
		if r := read(text); len(r.Asks) > 0 != asked {
			t.Errorf("%s: says %q", text, said(r))
		}
	}
}

// TestHides: where it is known where imports look first, a file that lies elsewhere is no
// module of Python's own library, whatever it is called.
func TestHides(t *testing.T) {
	for text, asked := range map[string]bool{
		"open('src/selectors.py', 'w')\nimport subprocess":                                                  false,
		"open('src/_x.py', 'w')\nimport subprocess":                                                         false,
		"open('/home/user/project/src/json/x.py', 'w')\nimport subprocess":                                  false,
		"open('selectors.py', 'w')\nimport subprocess":                                                      true,
		"open('./src/../selectors.py', 'w')\nimport subprocess":                                             true,
		"open('/home/user/project/selectors.py', 'w')\nimport subprocess":                                   true,
		"open('_sysconfigdata_x.py', 'w')\nimport subprocess":                                               true,
		"open('lib/selectors.py', 'w')\nimport subprocess":                                                  true,
		"import sys\nsys.path.insert(0, 'src')\nopen('src/selectors.py', 'w')\nimport subprocess":           true,
		"import sys\nsys.path.insert(0, input())\nopen('src/selectors.py', 'w')\nimport subprocess":         true,
		"import os\nos.chdir('src')\nopen('selectors.py', 'w')\nimport subprocess":                          true,
		"import shutil\nshutil.copy('a.py', 'src')\nimport subprocess":                                      false,
		"import shutil\nshutil.copy('a.py', 'lib')\nimport subprocess":                                      true,
		"import shutil\nshutil.copytree('a', '/home')\nimport subprocess":                                   true,
		"import os\nos.rename('a', 'selectors')\nimport subprocess":                                         true,
		"import os\nos.rename('a', 'src/selectors')\nimport subprocess":                                     false,
		"from pathlib import Path\nfor p in Path('src').rglob('*.py'): p.write_text('')\nimport subprocess": false,
		"from pathlib import Path\nfor p in Path('.').rglob('*.py'): p.write_text('')\nimport subprocess":   true,
		"from pathlib import Path\nfor p in Path('lib').rglob('*.py'): p.write_text('')\nimport subprocess": true,
		"open('src/' + input() + '.py', 'w')\nimport subprocess":                                            true,
		"open('src/x.py', 'w')\nimport app":                                                                 false,
		"open('src/x.py', 'w')\nimport yaml":                                                                false,
		"open('src/x.py', 'w')\nimport project.src":                                                         true, // the directory itself may be a package
		"open('link/x.py', 'w')\nimport app.x":                                                              true,
		"import os\nos.chdir('app')\nopen('x.py', 'w')\nimport app.x":                                       true,
	} {
		follow := func(path string) string { return strings.Replace(path, "/link/", "/app/", 1) }
		r := python.Read(code.Text{Code: text, Facts: &code.Facts{Texts: []string{gen.Code}}, Follow: follow, Dir: "/home/user/project", Paths: []string{"/home/user/project", "/home/user/project/lib"}})
		if len(r.Asks) > 0 != asked {
			t.Errorf("%s: says %q", text, said(r))
		}
	}
}

// TestDecoys: nobody is told a harmless place. Such a text is asked about, or what it
// really means is among its effects, or something that is not known is.
func TestDecoys(t *testing.T) {
	for _, text := range decoys {
		if r := read(text); !told(r) {
			t.Errorf("%s\nsays %q", text, said(r))
		}
	}
}

// told reports whether a report asks, or tells that something happens in a place that is
// not known, or in one of those that decoys are about.
func told(r *code.Report) bool {
	told := len(r.Asks) > 0
	for _, e := range r.Effects {
		for _, w := range append(e.Words[:len(e.Words):len(e.Words)], e.Word) {
			told = told || w.HasHole() && e.Kind != match.Read || strings.Contains(w.String(), "/etc") || strings.Contains(w.String(), "/tmp/evil")
		}
	}
	return told
}

// TestSure holds what a word is believed from.
func TestSure(t *testing.T) {
	for _, row := range []struct{ text, says string }{
		{"p = 'a'\nopen(p, 'w')", "write a"},
		{"p = 'a'\np = 'b'\nopen(p, 'w')", `write "open(...)"`},
		{"d = 'out'\nfor n in ['a', 'b']:\n    open(d + '/' + n, 'w')", "write out/a; write out/b"},
		{"def save(p):\n    open(p, 'w')\nsave('a')", "write a"},
		{"def save(p):\n    open(p, 'w')\nsave('a')\nf = save\nf('b')", `write "open(...)"`},
		{"import subprocess\nc = ['git', 'status']\nsubprocess.run(c)", "command git status"},
		{"import subprocess\nc = ['git', 'status']\nc.append('x')\nsubprocess.run(c)", `command "subprocess.run(...)"`},
		{"import json\nwith open('a', 'w') as f:\n    json.dump({}, f)", "write a"},
		{"from pathlib import Path\np = Path('a') / 'b'\np.write_text('x')", "write a/b"},
		{"import os\nmap(os.remove, ['a'])", "ask python.handed"},
		{"class A: pass", ""},
		{"class A(metaclass=B): pass", "ask python.strange"},
		{"async def f(): pass", ""},
	} {
		if got := said(read(row.text)); !strings.HasPrefix(got, row.says) {
			t.Errorf("%s\nsays %q\nwant %q", row.text, got, row.says)
		}
	}
}
