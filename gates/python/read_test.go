package python_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/gates/python"
	"github.com/bashgate/bashgate/gen"
	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

func read(text string) *code.Report {
	return python.Read(code.Text{
		Code: text, Facts: &code.Facts{Texts: []string{gen.Code}}, Home: "/home/user", Dir: "/home/user/project",
		Find: func(name string, _ []policy.Word) code.Origin {
			switch name {
			case "app":
				return code.Local
			case "evil":
				return code.Strange
			}
			return code.Installed
		},
	})
}

// said is a report as one line: questions by their ids, effects by what they are.
func said(r *code.Report) string {
	var list []string
	for _, q := range r.Asks {
		list = append(list, "ask "+q.ID)
	}
	for _, e := range r.Effects {
		what := e.Kind.String() + " " + e.Word.String()
		if e.Kind == match.Command {
			what = "command " + (&policy.Command{Words: e.Words}).String()
		}
		if e.In != nil {
			what += " in " + e.In.String()
		}
		list = append(list, what)
	}
	for _, l := range r.Runs {
		list = append(list, "load "+l.Name)
	}
	return strings.Join(list, "; ")
}

// TestSays holds what texts are read as.
func TestSays(t *testing.T) {
	for _, row := range []struct{ text, says string }{
		{`print(1)`, ""},
		{`open("a").read()`, "read a"},
		{`open("a", "w").write("x")`, "write a"},
		{`open("a", mode="a")`, "write a"},
		{"p = 'a'\nif x_y if False else 1:\n    p = 'b'\nopen(p)", "ask python.unknown; read b; read a"},
		{"for p in ['a', 'b']:\n    open(p + '.txt', 'w')", "write a.txt; write b.txt"},
		{"import os\nos.system('ls ' + 'x')", "script 'ls x'"},
		{"from os import system as s\ns('ls')", "script ls"},
		{"import subprocess\nsubprocess.run(['git', 'status'])", "command git status"},
		{"import subprocess\nsubprocess.run('ls; id', shell=True)", "script 'ls; id'"},
		{"import os\nos.remove(f'a{1}.txt')", "delete a1.txt"},
		{"from pathlib import Path\n(Path('a') / 'b').write_text('x')", "write a/b"},
		{"import subprocess\nfrom pathlib import Path\nsubprocess.run(['rm', Path('./-rf'), Path(''), Path('a//b/./c/'), Path('.') / '-x', Path('//a')])", "command rm -rf . a/b/c -x //a"},
		{"from pathlib import Path\n(Path.home() / '.ssh' / 'id_rsa').read_text()", "read /home/user/.ssh/id_rsa"},
		{"import subprocess\nsubprocess.run(['cat', 'a' if input() else 'b', '-' if input() else '--'])", "command cat a -; command cat a --; command cat b -; command cat b --"},
		{"import subprocess\nsubprocess.run(['x', *(['a' if input() else 'b'] * 7)])", `command "subprocess.run(...)"`},
		{"import subprocess\na = 'a' if input() else 'b'\nsubprocess.run(['x', a, a, a, a, a, a, a])", "ask python.limit"},
		{"import os\nopen(os.path.join('a', input())).read()", `read "..."; read a/"..."; read a`},
		{"import os\nopen(os.environ['HOME'] + '/a').read()", `command printenv HOME; read "..."/a; read /home/user/a; read HOME; read /a`},
		{"print('%s/%s' % ('a', 'b'), open('%s/%s' % ('a', 'b')).read())", "read a/b"},
		{"import os\nos.environ.setdefault('A', 'b')\nprint(os.environ.setdefault('C', 'd'))", "env A=b; env C=d; command printenv C"},
		{"import os\nopen(os.path.expanduser('~/.ssh/id_rsa'))", "read /home/user/.ssh/id_rsa"},
		{"from pathlib import Path\nPath('a/b.txt').with_suffix('.md').write_text('x')", "write a/b.md"},
		{"from pathlib import Path\nPath('a/b').with_name('c').with_suffix('.md').write_text('x')", "write a/c.md"},
		{"from pathlib import Path\nPath('a/..x').with_suffix('.md').write_text('x')", `write "pathlib.Path.write_text(...)"`},
		{"import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pytest'])", "command python3 -m pytest"},
		{"import sys\nopen(sys.executable, 'w')", `write "open(...)"`},
		{"import sys, subprocess\nsubprocess.run(['rm', sys.executable])", `command rm "subprocess.run(...)"`},
		{"import os\nos.chdir('/etc')\nopen('passwd', 'w')", "write passwd; write passwd in /etc"},
		{"import os\nprint(os.environ['TOKEN'])", "command printenv TOKEN"},
		{"import os\nprint(dict(os.environ))", "ask python.handed; command printenv"},
		{"import os\nprint({**os.environ})", "ask python.handed; command printenv"},
		{"import os\nprint(f'{os.environ}')", "ask python.handed; command printenv"},
		{"import app\napp.run('x')", "arg x; load app"},
		{"import numpy as np\nprint(np.zeros(3).sum())", "load numpy"},
		{"import evil", "ask python.unknown"},
		{"import requests\nrequests.get('http://x.example').json()['a']", "url http://x.example"},
		{"def f(p):\n    open(p, 'w')\nf('a')\nf('b')", "write a; write b"},
		{"open(f'a{0x10}', 'w')\nopen(['b', 'c'][0x1], 'w')\nopen(f'd{10}', 'w')", `write a"..."; write "open(...)"; write d10`},
		{"class A:\n    def __init__(self, p):\n        self.p = p\n    def go(self):\n        open(self.p, 'w')\nA('a').go()", `write "open(...)"`},
		{"def walk(n):\n    if n:\n        walk(n - 1)\n    open('a', 'w')\nwalk(3)", "write a"},
		{"text = ''\nfor b in open('a', 'rb').read():\n    if 32 <= b:\n        text += chr(b)\n    else:\n        if any(w in text for w in ['a', 'b']):\n            print(text)\n        text = ''", "read a"},
		{"t = ''\nfor b in [1, 2, 3][1:]:\n    t += chr(b)", ""},
		{"t = ''\nfor b in open('a').read():\n    if b:\n        t += chr(b)\n    else:\n        t = ''", "read a"},
		{"t = 'x'\nfor b in open('a').read():\n    print(any(w in t for w in ['a', 'b']))", "read a"},
		{"def f():\n    yield 1\nprint(list(f()))", ""},
		{"def walk(d):\n    for e in d.iterdir():\n        if e.is_dir():\n            yield from walk(e)\n        else:\n            yield e\nfrom pathlib import Path\nfor p in walk(Path('src')):\n    print(p, p.stat().st_size)", `read src; path src/"*"; path src/".*"; read "pathlib.Path.iterdir(...)"; path "pathlib.Path.is_dir(...)"; path "pathlib.Path.stat(...)"`},
		{"def chunks(l, n):\n    for i in range(0, len(l), n):\n        yield l[i:i + n]\nfor c in chunks([1, 2, 3], 2):\n    print(sum(c))", ""},
		{"def g(p):\n    with open(p) as f:\n        for line in f:\n            yield line.strip()\nprint(next(g('a'), None))", "read a"},
		{"n = 0\ndef f():\n    global n\n    n += 1\nf()\nprint(n)", ""},
		{"def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    g()\n    return n\nprint(f())", ""},
		{"import re\nfor line in open('a'):\n    if (m := re.match('a', line)):\n        print(m.group(0))", "read a"},
		{"with open('a', 'rb') as f:\n    while chunk := f.read(10):\n        print(len(chunk))", "read a"},
		{"from pathlib import Path\nif (p := Path('out')).exists():\n    p.write_text('x')", "path out; write out"},
		{"import json\nmatch json.load(open('a')):\n    case {'a': [x, *y], **z}:\n        print(x, y, z)\n    case str(s) | [s]:\n        print(s)\n    case int() as n if n > 1:\n        print(n)\n    case _:\n        print('?')", "read a"},
		{"from functools import lru_cache\n@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(9), fib.cache_info())", ""},
		{"import functools, time\ndef timed(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n        t = time.time()\n        r = f(*a, **k)\n        print(time.time() - t)\n        return r\n    return inner\n@timed\ndef go(n):\n    return n + 1\nprint(go(1))", ""},
		{"import contextlib\n@contextlib.contextmanager\ndef opened(p):\n    f = open(p)\n    try:\n        yield f\n    finally:\n        f.close()\nwith opened('a') as f:\n    print(f.read())", "read a"},
		{"import threading\nl = []\nlock = threading.Lock()\ndef f(n):\n    with lock:\n        l.append(n)\nt = threading.Thread(target=f, args=(1,))\nt.start()\nt.join()\nprint(l)", ""},
		{"import signal\ndef f(*a): raise TimeoutError\nsignal.signal(signal.SIGALRM, f)\nsignal.alarm(2)", ""},
		{"import sqlite3\nc = sqlite3.connect('a.db')\nprint(c.execute('select 1').fetchall())", "write a.db; command sqlite3 :memory: 'select 1'"},
		{"import subprocess\np = subprocess.Popen(['git', 'log'], stdout=subprocess.PIPE)\nprint(p.communicate()[0], p.returncode)", "command git log"},
		{"class Node:\n    def __init__(self, v):\n        self.v = v\n        self.link = None\na, b = Node(1), Node(2)\na.link = b\nprint(a.link.v)", ""},
		{"from django.conf import settings\nsettings.APPEND_SLASH = True\nprint(settings.X)", "load django.conf"},
		{"def f(): f.calls += 1\nf.calls = 0\nf()\nprint(f.calls)", ""},
		{"def parser(x): return x\ndef sh(x): return parser(x)\nprint(sorted([1], key=sh))", ""},
		{"import asyncio, os\nasync def f(): os.chdir('/etc')\nasync def main():\n    asyncio.create_task(f())\n    await asyncio.sleep(0)\n    open('x', 'w')\nasyncio.run(main())", "write x; write x in /etc"},
		{"import asyncio\nasync def main():\n    await asyncio.create_subprocess_exec('git', 'log', '-1', cwd='src')\n    await asyncio.create_subprocess_exec('git', *['status'])\nasyncio.run(main())", "command git log -1 in src; dir src in src; command git status"},
		{"import asyncio\nasync def save(p, x):\n    with open(p, 'w') as f:\n        f.write(x)\nasync def main():\n    await asyncio.gather(save('a', 'x'), save('b', 'y'))\nasyncio.run(main())", "write a; write b"},
		{"import base64\nprint(open(base64.b64decode('LmVudg==').decode()).read())", "read .env"},
		{"print(open('{b}{a}'.format(a='b', b='a') + chr(46) + bytes.fromhex('6373').decode('utf-8') + 'v' * 1).read())", "read ab.csv"},
		{"import re\nprint(re.sub('a', lambda m: m.group(0), 'x'))", ""},
		{"import io\ndef app(environ, start):\n    start('200 OK', [])\n    return [b'x']\nfor m in ('GET', 'HEAD'):\n    out = io.BytesIO()\n    env = {'M': m}\n    print(out.getvalue())", ""},
		{"import io, server\ndef app(environ, start):\n    start('200 OK', [('a', 'b')])\n    return [b'x']\nfor m in ('GET', 'HEAD'):\n    h = server.H(io.BytesIO(), {'M': m})\n    h.run(app)", "arg GET; arg M; arg HEAD; arg '200 OK'; arg a; arg b; arg x; load server"},
	} {
		if got := said(read(row.text)); got != row.says {
			t.Errorf("%s\nsays %q\nwant %q", row.text, got, row.says)
		}
	}
}

// traps are texts that do what is asked about in ways that are easy to miss.
var traps = []string{
	"import unittest, sys, os\ndef f(): os.remove('a.txt')\nsys.argv = ['x', 'f']\nunittest.main()",
	"import unittest, sys, os\ndef danger():\n    print(open('.env').read())\nsys.argv = ['t', 'danger']\nunittest.main()",
	"import unittest, sys\nsys.argv: list = ['x', 'f']\nunittest.main()",
	"import unittest, sys\nsys.argv, a = ['x', 'f'], 1\nunittest.main()",
	"import unittest, sys\nfor sys.argv in [['x', 'f']]: pass\nunittest.main()",
	"import unittest, sys\ndef f(): open('zzz', 'w')\nwith open('a.txt') as sys.argv: pass\nunittest.main()",
	"import unittest, sys\ndef go():\n    sys.argv = ['x', 'unittest.sys.modules.clear']\n    unittest.main()\ngo()",
	"import sys, unittest\nsys.argv = ['x', 'os.abort']\nunittest.main()",
	"import inspect, distro.distro\nfor n, m in inspect.getmembers(distro.distro, inspect.ismodule):\n    if n == 'os': m.remove('a.txt')",
	"import inspect, app\nfor n, f in inspect.getmembers(app, inspect.isbuiltin):\n    if n == 'system': f('id')",
	"import inspect, app\nd = dict(inspect.getmembers(app, inspect.isclass))\nd['Popen'](['touch', 'zzz'])",
	"import inspect, distro.distro\nprint([m.environ for n, m in inspect.getmembers(distro.distro, inspect.ismodule) if n == 'os'])",
	"import inspect, app\nfor n, m in inspect.getmembers(app, inspect.ismodule):\n    if n == 'subprocess': m.run(['touch', 'zzz'])",
	"import os, py_compile\ns = os.stat('own.py')\nopen('own.txt', 'w').write('open(\"zzz\", \"w\")'.ljust(s.st_size))\nos.utime('own.txt', (s.st_mtime, s.st_mtime))\npy_compile.compile('own.txt')\nimport own",
	"import importlib, own, py_compile\nopen('own.txt', 'w').write('x')\npy_compile.compile('own.txt')\nimportlib.reload(own)",
	"from unittest.mock import patch\nimport os\nwith patch('app.osp.join', lambda *a: '.en' + 'v'): print(open(os.path.join('a', 'b')).read())",
	"from unittest.mock import patch\nimport os\nwith patch('app.osp.join', lambda *a: '/etc/x'): open(os.path.join('a', 'b'), 'w').write('x')",
	"from unittest.mock import patch\nimport os\nwith patch('app.o.path', 3): print(os.path.join('a', 'b'))",
	"from unittest.mock import patch\nwith patch('app.P.with_suffix', lambda *a: 'zz'): \n    from pathlib import Path\n    print(open(Path('a.b').with_suffix('.c')).read())",
	"import distro.distro as d\nd.argparse._os.remove('a.txt')",
	"import distro.distro as d\nd.argparse._os.execvp('touch', ['touch', 'zzz'])",
	"import wheel.cli.pack as a, glob\na.glob._glob1 = lambda *x, **k: ['.en' + 'v']\nfor f in glob.glob('*.md'): print(open(f).read())",
	`import os; o = os.system; o(x)`,
	`__import__("os").system("id")`,
	`getattr(__import__("os"), "sys" + "tem")("id")`,
	`import os; getattr(os, "kill")(1, 9)`,
	`().__class__.__base__.__subclasses__()`,
	`print.__self__.eval("1")`,
	`(lambda: 0).__globals__["os"]`,
	`exec("x")`, `eval("x")`, `exec(compile("x", "", "exec"))`,
	`import json, os; json.loads = os.system; json.loads("id")`,
	`import builtins; builtins.print = 1`,
	`import sys; sys.modules["json"] = sys`,
	`import sys; sys.modules["os"].system("id")`,
	`globals()["x"]`, `vars()`, `locals()`,
	`import importlib; importlib.import_module(input())`,
	`import importlib; importlib.import_module("ctypes")`,
	`from importlib import import_module as i; i("pty").spawn("sh")`,
	`import pickle; pickle.loads(b"x")`,
	`import marshal; marshal.loads(b"x")`,
	`import ctypes`, `import socket; socket.socket()`, `import pty`,
	`import subprocess; subprocess.Popen(["ls"])`,
	`import subprocess; subprocess.run(["bash"], input="rm x")`,
	`import subprocess; subprocess.run(*input())`,
	`import os; os.execvp("ls", ["ls"])`,
	"print(open(''.join(reversed('vne.'))).read())",
	"import sqlite3\nc = sqlite3.connect(':memory:')\nc.text_factory = lambda b: open(b).read()\nc.execute(\"select '.e' || 'nv'\").fetchall()",
	"class A:\n    def __str__(self):\n        return '%c%s' % (46, 'env')\nprint(open(str(A())).read())",
	"import argparse, re\np = argparse.ArgumentParser()\np.add_argument('-a', default=re.sub('x', '', '.exnv'))\nprint(open(p.parse_args([]).a).read())",
	`open(input(), "w")`,
	`open("a", input())`,
	`open("a", "w", opener=eval)`,
	`import os; list(map(os.remove, ["a"]))`,
	`import os; sorted(["a"], key=os.remove)`,
	`import os; {"f": os.remove}["f"]("a")`,
	`import os; [os.remove][0]("a")`,
	"import os\nf = print\nif input():\n    f = os.remove\nf('a')",
	"import os\ndef f(g=os.remove):\n    g('a')\nf()",
	"import os\n@os.system\ndef f(): pass",
	"import os\nclass A:\n    os.remove('a')",
	"import os\nclass A:\n    def __str__(self): return os.remove('a') or ''\nprint(A())",
	"import os\nclass A:\n    def __eq__(self, o): return os\n(A() == 1).remove('a')",
	"import os\nclass A:\n    def __getattr__(self, n): return os.remove\nA().foo('a')",
	"import os\nclass A:\n    def __getattribute__(self, n): return os.remove\n    def foo(self, p): pass\nA().foo('a')",
	"import os\nclass A:\n    @property\n    def x(self): os.remove('a')\nA().x",
	"import os\nclass D:\n    def __get__(self, o, t): return os.remove\nclass A:\n    x = D()\nA().x('a')",
	"import os\nclass A:\n    def __new__(cls): return os\nA().remove('a')",
	"import os\nclass A:\n    def __iadd__(self, o): return os\na = A()\na += 1\na.remove('a')",
	"import os\nclass A:\n    def __del__(self): os.remove('a')",
	"import os\nclass A:\n    def __enter__(self): return os\n    def __exit__(self, *a): pass\nwith A() as a:\n    a.remove('a')",
	"import os\nclass A:\n    def __iter__(self): return iter([os])\nfor a in A():\n    a.remove('a')",
	"import os\ndef g():\n    yield os\nfor a in g():\n    a.remove('a')",
	"import os\ndef g():\n    sys.exit()\n    yield 1\nimport sys\ng()\nos.remove('a')",
	"import os\nf = print\ndef g():\n    global f\n    f = os.remove\n    yield 1\ni = g()\nf = print\nnext(i)\nf('a')",
	"import os\nf = print\ng = (f(x) for x in ['a'])\nf = os.remove\nlist(g)",
	"import os, atexit\np = 'a'\natexit.register(lambda: open(p, 'w'))\np = input()",
	"import os, threading\nthreading.Thread(target=os.remove, args=('a',)).start()",
	"import os, functools\nfunctools.partial(os.remove, 'a')()",
	"from pathlib import Path\nd = {'p': Path('a')}\nimport json\njson.dumps(d)\nd['p'].unlink()",
	"from pathlib import Path\nimport json\nx = json.loads('[]')\nx.append(Path('a'))\nx[0].replace('b')",
	"from functools import partial\nfrom pathlib import Path\npartial(Path, 'x')().replace('y')",
	"import os\ntry:\n    f = os.remove\n    1 / 0\n    f = print\nexcept Exception:\n    f('a')",
	"import os\nf = os.remove\nwhile input():\n    f('a')\n    f = print",
	"import os\nf = print\nwhile True:\n    if input():\n        f = os.remove\n        break\n    f = print\nf('a')",
	"import os\ntry:\n    import sys\n    sys.exit()\nexcept SystemExit:\n    os.remove('a')",
	"import os, contextlib, sys\nwith contextlib.suppress(SystemExit):\n    sys.exit()\nos.remove('a')",
	"import os, sys\ndef f():\n    sys.exit()\nasync def g():\n    sys.exit()\ng()\nos.remove('a')",
	"import os\nprint(f'{os.remove(\"a\")}')",
	"import os\nx: os.remove('a') = 1",
	"import os\n[os.remove(x) for x in ['a']]",
	"import os\nassert os.remove('a')",
	"import os\nmatch os.remove('a'):\n    case _: pass",
	"import os\n(y := os.remove)('a')",
	"import os\na, b = os.remove, 1\na('x')",
	"import os\ndel os.sep",
	"import os\nl = []\nm = l\nm.append(os.remove)\nl[0]('a')",
	"import os\nclass A: pass\na = A()\na.f = os.remove\nA().f('x') if False else a.f('x')",
	"import os\nraise SystemExit(os.remove('a'))",
	"import os\nclass M(type): pass\nclass A(metaclass=M): pass",
	"class A: pass\nA.__class__ = int\na = A()\na.__class__ = A",
	"import numpy; numpy.os.system('id')",
	"from app import *\nos.system('id')",
	"import sys; sys.path = ['/tmp']",
	"import sys; sys.settrace(print)",
	"import os; os.environ.__class__.__init__",
	"import typing\ndef f(x: '__import__(1)'): pass\ntyping.get_type_hints(f)",
	"import inspect, os\ninspect.getmodule(os.remove).remove('a')",
	"import timeit; timeit.timeit('x')",
	"import logging.config",
	"import tarfile; tarfile.open('a').extractall()",
	"print(undefined_name_of_somebody)",
	"import os\nos.popen('rm x').read()",
	"import shutil; shutil.rmtree('a')",
	"from shutil import *",
	"import os\nf = [os.remove, print]\nfor g in f:\n    g('a')",
	"import os\ndef dec(f): return os.remove\n@dec\ndef g(x): pass\ng('a')",
	"import os\n\ndef outer():\n    f = print\n    def inner():\n        nonlocal f\n        f = os.remove\n    inner()\n    f('a')\nouter()",
	"import sqlite3; sqlite3.connect('a.db')",
	"import urllib.request; urllib.request.urlopen('http://x.example', b'data')",
	"import requests; requests.post('http://x.example')",
	"import yaml; yaml.load('x', Loader=yaml.Loader)",
	"x = 1 +",
	"from pathlib import Path\nPath('zz.py').write_text('x')\nimport json",
	"import subprocess\nl = ['echo', 'x']\nl[0] = '/tmp/evil'\nsubprocess.run(l)",
	"import subprocess\nsubprocess.run(['git', 'status'], False, '/tmp/evil')",
	"import app\nl = []\napp.fill(l)\nfor p in l:\n    open(p, 'w')",
	"k = 'mod' + chr(101)\nopen('a', **{k: 'w'})",
	"import os\nwhile 0x0:\n    pass\nos.remove('a')",
	"import os\nos.environ.setdefault('A', 'b')",
	"import tempfile\ntempfile.mkdtemp(dir='/etc')",
	"import os\nprint([os.environ])",
	"import os\nclass E:\n    def go(s): os.remove('a')\nclass C(E):\n    def run(s): super(C, s).go()\nC().run()",
	"import importlib, sys\nimportlib.import_module(sys.argv[1]).system('id')",
	"import os\na = [print]\na[:] = [os.remove]\na[0]('x')",
	"import os, json\nclass A:\n    def __add__(self, o): return os\nl = json.loads('[]')\nl.append(A())\n(l[0] + 1).remove('a')",
	"import os, json\nclass A:\n    def __getitem__(self, o): return os\nl = json.loads('[]')\nl.append(A())\nl[0][1].remove('a')",
}

// TestRows: of a table with more rows than are known one by one, rows that look alike are
// one, and what any of them holds is found.
func TestRows(t *testing.T) {
	many := func(row string) string { return strings.Repeat(row, 1100) }
	for _, row := range []struct{ text, says string }{
		{"for r in [" + many("{'p': 'a', 'n': 1}, ") + "]:\n    open(r['p'])", "read a"},
		{"for r in [" + many("{'p': 'a', 'n': 1}, ") + "{'n': 2, 'p': 'b'}, {'p': 'c', 'n': 1}]:\n    open(r['p'])", "read a; read c; read b"},
		{"for p, n in [" + many("('a', 1), ") + "('b', 2)]:\n    open(p)", "read a; read b"},
		{"for r in [" + many("{'p': {'q': ['a', 1]}}, ") + "{'p': {'q': ['b', 1]}}, {'p': {'r': ['c', 1]}}]:\n    open(r['p']['q'][0])", "read a; read b"},
		{"t = {" + many("1: ['a', 1], ") + "2: ['b', 1]}\nopen(t[2][0])", "read a; read b"},
		{"t = [" + many("['a'], ") + "]\nt[0].append('b')\nfor r in t:\n    open(r[0])", "read a; read b"},
		{"t = [" + many("['a'], ") + "*[['b']], *(x for x in [['c']])]\nfor r in t:\n    open(r[0])", "read a; read b; read c"},
		{"import os\nfor f, p in [" + many("(print, 'a'), ") + "(os.remove, 'b')]:\n    f(p)", "ask python.handed; delete a; delete b"},
		{"def f(t):\n    for p, n in t:\n        open(p)\nf([" + many("('a', 1), ") + "])\nf([('b', 1)])", "read a; read b"},
	} {
		if got := said(read(row.text)); got != row.says {
			t.Errorf("%.60s...%s\nsays %q\nwant %q", row.text, row.text[max(0, len(row.text)-60):], got, row.says)
		}
	}
}

// harmless reports whether nothing in a report is for anybody to judge.
func harmless(r *code.Report) bool {
	for _, e := range r.Effects {
		if e.Kind != match.Read && e.Kind != match.Path && e.Kind != match.Arg {
			return false
		}
	}
	return len(r.Asks) == 0
}

func TestTraps(t *testing.T) {
	for _, text := range traps {
		if r := read(text); harmless(r) {
			t.Errorf("%s\nis harmless: %q", text, said(r))
		}
	}
}

// wrappings change how a text is written, and not what it does.
var wrappings = []struct {
	name string
	wrap func(string) string
}{
	{"if", func(s string) string { return "if True:\n" + indent(s) }},
	{"function", func(s string) string { return "def wrapped():\n" + indent(s) + "\nwrapped()" }},
	{"try", func(s string) string { return "try:\n" + indent(s) + "\nfinally:\n    pass" }},
	{"for", func(s string) string { return "for _ in range(2):\n" + indent(s) }},
	{"while", func(s string) string { return "while True:\n" + indent(s) + "\n    break" }},
	{"with", func(s string) string { return "import contextlib\nwith contextlib.nullcontext():\n" + indent(s) }},
	{"method", func(s string) string {
		return "class Wrapped:\n    def go(self):\n" + indent(indent(s)) + "\nWrapped().go()"
	}},
	{"class", func(s string) string { return "class Wrapped:\n" + indent(s) }},
	{"else", func(s string) string { return "for _ in []:\n    pass\nelse:\n" + indent(s) }},
	{"callback", func(s string) string { return "def wrapped(x):\n" + indent(s) + "\nlist(map(wrapped, [1]))" }},
	{"decorator", func(s string) string { return "def wrapped(f):\n" + indent(s) + "\n@wrapped\ndef g(): pass" }},
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// TestWrapped: however a text is wrapped, what is asked about stays asked about.
func TestWrapped(t *testing.T) {
	for _, text := range traps {
		for _, w := range wrappings {
			if strings.Contains(text, "global ") || strings.Contains(text, "import *") ||
				w.name == "class" && strings.Contains(text+" ", " for ") || w.name == "class" && (strings.Contains(text, "def ") || strings.Contains(text, "\n    ")) {
				continue // means something else there: names of a class are not seen by what is defined in it
			}
			if r := read(w.wrap(text)); harmless(r) {
				t.Errorf("%s around\n%s\nis harmless: %q", w.name, text, said(r))
			}
		}
	}
}

// TestGrowth: the work grows with the text, and not faster.
func TestGrowth(t *testing.T) {
	for _, line := range []string{
		"print(1)\n", "x = 'a' + 'b'\n", "def f(a): return a\nf(1)\n", "if x: y = 1\n", "for i in range(3): z = i\n", "try:\n    a = 1\nexcept Exception:\n    a = 2\n", "l = [1, 2]\n",
	} {
		r := read("x = 1\n" + strings.Repeat(line, 2000))
		if len(r.Asks) > 0 {
			t.Errorf("2000 times %q: %s", line, said(r))
		}
	}
}

// TestWork: four times the text is four times the work, in steps, in expressions that
// are looked at, and in what is allocated.
func TestWork(t *testing.T) {
	facts := &code.Facts{Texts: []string{gen.Code}}
	for _, lines := range []string{
		"def f%d(a):\n    return f%[2]d(a)\n",
		"def f%d(a, b=1):\n    for x in range(3):\n        print(x, a)\n    return b\nprint(f%[1]d(1))\n",
		"def f(p):\n    open(p, 'w')\nf('a%d')\n",
		"def f(p):\n    f(p)\n    f(p)\n    open(p, 'w')\nf('a%d')\n",
		"x%d = 'a%[1]d'\n",
		"a0 = a1 = a2 = a%d = 'a%[1]d'\nprint(a%[1]d + a0)\n",
		"if a%d == 1:\n    b%[1]d = 1\nelse:\n    b%[1]d = 'a'\n",
		"l%d = ['a', 'b', {'c': [1, 2, 3]}]\nprint(l%[1]d)\n",
		"print(max(abs(max(abs(max(abs(max(abs(%d)))))))))\n",
		"import os\nx%d = 'a'\nos.remove(x%[1]d)\n",
		"l0 = l0 + [{'a': 'b%d'}] if x else [{}]\n",
		"l.append({'a': %d})\n",
		"def f%d(a):\n    try:\n        b = f%[2]d(a)\n        return [c for c in b]\n    except OSError as e:\n        return e\n",
	} {
		text := func(n int) code.Text {
			var b strings.Builder
			b.WriteString("def f0(a): return a\nl = []\n")
			for i := range n {
				fmt.Fprintf(&b, strings.ReplaceAll(lines, "%d", "%[1]d"), i+1, i)
			}
			return code.Text{Code: b.String(), Facts: facts}
		}
		measure := func(n int) (steps, looked, allocated int) {
			steps, looked = python.Work(text(n))
			return steps, looked, int(testing.AllocsPerRun(1, func() { python.Read(text(n)) }))
		}
		steps, looked, allocated := measure(100)
		more, further, grown := measure(400)
		if more > 6*steps || further > 6*looked+100 || grown > 6*allocated {
			t.Errorf("%q: 100 times takes %d steps, %d looks, %d allocations; 400 times %d, %d, %d", lines, steps, looked, allocated, more, further, grown)
		}
	}
}

// TestEntangled: what is called from everywhere ends in a question, and soon.
func TestEntangled(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "def g%d(a, b=1):\n    return g%d(a, b) + g%d(a)\n", i, i/2, i/3)
	}
	text := code.Text{Code: b.String() + "print(g3999(1))\n", Facts: &code.Facts{Texts: []string{gen.Code}}}
	if steps, _ := python.Work(text); steps > 100_000+2*len(text.Code) {
		t.Errorf("%d steps for %d bytes", steps, len(text.Code))
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range traps {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			t.Skip("too long to be worth it")
		}
		one, two := said(read(text)), said(read(text))
		if one != two {
			t.Errorf("%q is read in two ways:\n%s\n%s", text, one, two)
		}
	})
}
