package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// pythonHarmless are programs that compute, read and print, in what of the language is
// not followed from top to bottom.
var pythonHarmless = []string{
	"x = 'a.txt'.replace('a', 'b')\nopen(x, 'w')\nprint(x)",
	"import subprocess\ncmd = 'git status'.split()\nprint(subprocess.run(cmd, capture_output=True, text=True).stdout)",
	"for i in range(3):\n    try:\n        f = open('lib/index.js')\n        break\n    except OSError: continue\n    finally: print('done')",
	"def fib(n):\n    a, b = 0, 1\n    while a < n:\n        yield a\n        a, b = b, a + b\nprint(list(fib(100)))",
	"def lines(p):\n    with open(p) as f:\n        for l in f:\n            yield l.rstrip()\nprint(next(lines('a.txt'), None))",
	"from pathlib import Path\ndef walk(d):\n    for e in d.iterdir():\n        if e.is_dir():\n            yield from walk(e)\n        else:\n            yield e\nprint(sum(p.stat().st_size for p in walk(Path('src'))))",
	"n = 0\ndef count(x):\n    global n\n    n += x\nfor i in range(3):\n    count(i)\nprint(n)",
	"def counter():\n    n = 0\n    def tick():\n        nonlocal n\n        n += 1\n        return n\n    return tick\nt = counter()\nprint(t(), t())",
	"import re, collections\nc = collections.Counter()\nfor l in open('log.txt'):\n    if (m := re.search(r'(\\d+)ms', l)) and int(m.group(1)) > 10:\n        c[m.group(1)] += 1\nprint(c.most_common(3))",
	"with open('a.bin', 'rb') as f:\n    while chunk := f.read(4096):\n        print(len(chunk))",
	"import json\nmatch json.load(open('a.json')):\n    case {'name': str(n), **rest}:\n        print(n, rest)\n    case [x, *_] if x:\n        print(x)\n    case _:\n        print('?')",
	"from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nprint(f(30), f.cache_info())",
	"import functools, time\ndef timed(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n        t = time.time()\n        try:\n            return f(*a, **k)\n        finally:\n            print(time.time() - t)\n    return inner\n@timed\ndef go(n):\n    return sum(range(n))\nprint(go(10))",
	"import contextlib, time\n@contextlib.contextmanager\ndef took(what):\n    t = time.time()\n    yield\n    print(what, time.time() - t)\nwith took('a'):\n    print(open('a.txt').read())",
	"import threading\nlock, done = threading.Lock(), []\ndef work(n):\n    with lock:\n        done.append(n)\nts = [threading.Thread(target=work, args=(i,)) for i in range(3)]\nfor t in ts:\n    t.start()\nfor t in ts:\n    t.join()\nprint(done)",
	"from concurrent.futures import ThreadPoolExecutor\ndef size(p):\n    return len(open(p).read())\nwith ThreadPoolExecutor(max_workers=2) as ex:\n    print(list(ex.map(size, ['a.txt', 'b.txt'])))",
	"import signal\ndef late(*a):\n    raise TimeoutError\nsignal.signal(signal.SIGALRM, late)\nsignal.alarm(5)\nprint(1)",
	"import sqlite3\nc = sqlite3.connect('app.db')\nfor r in c.execute('SELECT name FROM sqlite_master').fetchall():\n    print(r)",
	"import subprocess\np = subprocess.Popen(['git', 'log', '--oneline'], stdout=subprocess.PIPE, text=True)\nprint(p.communicate(timeout=5)[0], p.returncode)",
	"class Node:\n    def __init__(self, v):\n        self.v, self.link = v, None\na, b = Node(1), Node(2)\na.link = b\nprint(a.link.v)",
	"from pathlib import Path\np = Path('src/a/b.txt')\nfor f in p.parent.rglob('*'):\n    print(f.read_text())\n(p.parent / 'c.txt').write_text('x')",
	"import os\nprint(open(os.path.join(os.curdir, 'a.txt')).read(), file=open(os.devnull, 'w'))",
	"from pathlib import Path\nPath('src/tool.py').write_text('x = 1')\nimport subprocess\nprint(subprocess.run(['git', 'diff'], capture_output=True).stdout)",
}

// pythonShadows are lines by which a module of Python's library that no text names, or one
// that a text loads, becomes another: its modules load others of it when they like.
var pythonOwn = []string{ // files that Python may not load, though they lie where it looks first
	"cd own && python3 -c 'import subprocess; subprocess.run([\"git\", \"push\", \"--force\"])'",
	"cd own && python3 -P -c 'import os; os.remove(input())'",
	"cd own && python3 -c 'import builtins; builtins.exec(input())'",
	"cd own && python3 -c 'import os; os.execvp(\"git\", [\"git\", \"push\", \"--force\"])'",
}

var pythonShadows = []string{
	"echo 'x = 1' > hashlib.py; python3 -c 'import random'",
	"echo 'x = 1' > _strptime.py; python3 -c 'import datetime; print(datetime.datetime.strptime(\"1\", \"%d\"))'",
	"mkdir -p string && echo 'x = 1' > string/__init__.py; python3 -c 'print(1)'",
	"for i in 1 2; do python3 -c 'import random'; echo 'x = 1' > hashlib.py; done",
	"python3 -c 'import datetime\nopen(\"_strptime.py\", \"w\").write(\"x = 1\")\nprint(datetime.datetime.strptime(\"1\", \"%d\"))'",
	"python3 -c 'open(\"stringprep.py\", \"w\").write(\"x = 1\")\nprint(\"a\".encode(\"idna\"))'",
	"python3 -c 'def w(x): open(\"glob.py\", \"w\").write(\"x = 1\")\nsorted([1, 2], key=w)\nimport glob'",
	"python3 -c 'import functools\ndef w(x): open(\"yaml.py\", \"w\").write(\"x = 1\")\nfunctools.partial(w, 1)()\nimport yaml'",
	"python3 -c 'import shutil\nshutil.copy(\"x/glob.py\", \".\")\nimport glob'",
	"python3 -c 'import pathlib\npathlib.Path(\"GLOB.PY\").write_text(\"x = 1\")\nimport glob'",
	"cd /tmp/shared && python3 -c 'import random'",
}

// pythonHomes are programs that read a directory of secrets, which they reach by what
// is above another one.
var pythonHomes = []string{
	"from pathlib import Path\nfor f in Path('/home/dev/x').parent.rglob('*'): print(f.read_text())",
	"from pathlib import Path\nfor f in Path.cwd().parent.rglob('*'): print(f.read_text())",
	"from pathlib import Path\nfor f in Path.cwd().parents[0].rglob('*'): print(f.read_text())",
	"from pathlib import Path\nfor f in Path('a').absolute().parent.parent.rglob('*'): print(f.read_text())",
	"from pathlib import Path\nfor f in Path('.').resolve().parents[-1].joinpath('home').rglob('*'): print(f.read_text())",
	"import os\nfor d, _, fs in os.walk(os.environ['HOME']):\n    for f in fs: print(open(os.path.join(d, f)).read())",
	"import os\nfor f in os.listdir(os.getenv('HOME')): print(open(f).read())",
	"import os\nfrom pathlib import Path\nfor f in Path(os.sep).rglob('*'): print(f.read_text())",
	"import os\nfor f in os.listdir(os.pardir): print(open(os.path.join(os.pardir, f)).read())",
}

// pythonBeside are lines that write what hides no module.
var pythonBeside = []string{
	"mkdir -p src && echo 'x = 1' > src/types.py; python3 -c 'import random'",
	"echo 'x = 1' > random.txt; python3 -c 'import random'",
	"python3 -c 'import random\nopen(\"src/__init__.py\", \"w\").write(\"x = 1\")'",
	"python3 -c 'import random\nopen(\"_fix.py\", \"w\").write(\"x = 1\")'",
	"python3 -c 'import random'; echo 'x = 1' > tool.py",
	"for i in 1 2; do python3 -c 'import random'; echo 'x = 1' > tool.py; done",
}

// pythonAttacks are programs in which it matters when something runs, and who sets a
// name, an attribute or a file.
var pythonAttacks = []string{
	"x = 'a b'.split()\nfor y in [x]:\n    y += ['b']\n    y.append('/etc/x')\nopen(x[-1], 'w')",
	"import os\nx = ['true'].copy()\nfor y in [x]:\n    y += ['b']\n    y.append('rm a')\nos.system(x[-1])",
	"import os\nx = {'k': 'a'}.copy()\nfor y in [x]:\n    y |= {'j': 'b'}\n    y['k'] = '/etc/x'\nopen(x['k'], 'w')",
	"import os\ny = [x := 'a b'.split()][0]\ny += ['/etc/x']\nopen(x[-1], 'w')",
	"def g():\n    s = 'a'\n    for i in range(3):\n        try: break\n        finally: s = '/etc/x'\n    return s\nopen(g(), 'w')",
	"def g():\n    s = 'a'\n    while True:\n        try: 1 / 0\n        except ZeroDivisionError: break\n        finally: s = '/etc/x'\n    return s\nopen(g(), 'w')",
	"from types import SimpleNamespace\nc = ['a', 'b']\nfor y in [c]: y[1] = '/etc/x'\nn = SimpleNamespace(f=lambda: c[1])\nopen(n.f(), 'w')",
	"from types import SimpleNamespace\nc = ['a', 'b']\nfor y in [c]: y[1] = '/etc/x'\nn = SimpleNamespace(open=lambda: c[1])\np = n.open()\nopen(p, 'w')",
	"d = dict(f=max)\nd['f']([1])",
	"print(open('vne.'[::-1]).read())",
	"import logging\nlogging.basicConfig(format='{args[0].__globals__}', style='{')",
	"for f in 'a.txt .env'.split('|'): print(open(f).read())",
	"import shutil\nshutil.copytree('/home/dev', 'lib', dirs_exist_ok=True)",
	"import shutil\nshutil.copytree('lib', 'out')\nimport csv",
	"p = 'a'\ndef g():\n    yield\n    open(p, 'w')\nx = g()\np = '/etc/x'\nlist(x)",
	"from pathlib import Path\ndef g():\n    x = yield\n    x.touch()\ni = g()\nnext(i)\ni.send(Path('/etc/x'))",
	"import os\ndef g():\n    try:\n        yield\n    finally:\n        os.remove('/etc/x')\nnext(g())",
	"c = 'git status'\ndef f():\n    global c\n    c = 'rm -rf src'\nsorted([1, 2], key=lambda x: f() or x)\nimport os\nos.system(c)",
	"def f():\n    global open\n    open = lambda *a: 1\nopen('/etc/x', 'w')",
	"p = '/etc/x'\n[0 for _ in [] if (p := 'a')]\nopen(p, 'w')",
	"(open := print)('a', 'w')",
	"from pathlib import Path\nmatch Path('/etc/x'):\n    case object(touch=f): f()",
	"match ['/etc/x']:\n    case [p]: open(p, 'w')",
	"def d(f): return lambda *a: '/etc/x'\n@d\ndef p(): return 'a'\nopen(p(), 'w')",
	"import functools\n@functools.wraps(open)\ndef f(*a): pass\nf.__wrapped__('/etc/x', 'w')",
	"import threading\nfrom pathlib import Path\np = 'a'\ndef f(): p.touch()\nt = threading.Thread(target=f)\np = Path('/etc/x')\nt.start()",
	"from concurrent.futures import ThreadPoolExecutor as E\nfrom pathlib import Path\nE().submit(Path, '/etc/x').result().touch()",
	"import os.path as q\nfrom app import r\nr.join = lambda *a: '/etc/x'\nopen(q.join('a'), 'w')",
	"class A: p = 'a'\na = A()\na.p = '/etc/x'\nopen(a.p, 'w')",
	"from pathlib import Path\nclass A: pass\na = A()\na.f = Path('/etc/x').touch\na.f()",
	"import queue\nfrom pathlib import Path\nq = queue.Queue()\nq.put(Path('/etc/x').touch)\nq.get()()",
	"import signal\nfrom pathlib import Path\nsignal.signal(14, Path('/etc/x').touch)\nsignal.alarm(1)",
	"import sqlite3\nsqlite3.connect('/etc/x')",
	"import sqlite3\nsqlite3.connect('file:/etc/x?mode=rwc', uri=True)",
	"import sqlite3\nsqlite3.connect('a.db').execute(\"ATTACH '/etc/x' AS a\")",
	"import sqlite3\nc = sqlite3.connect('a.db')\nc.execute('select ' + input())",
	"import sqlite3\nsqlite3.connect('a.db').execute('drop table t')",
	"import subprocess\nsubprocess.Popen(['sh'], stdin=subprocess.PIPE, text=True).communicate('rm x')",
	"import subprocess\nsubprocess.Popen(['ls'], preexec_fn=lambda: open('/etc/x', 'w'))",
	"import subprocess\nsubprocess.Popen(['rm', '-rf', 'src'])",
	"from pathlib import Path\nPath('selectors.py').write_text('import os')\nimport subprocess",
	"from pathlib import Path\ndef g():\n    import csv\n    yield\nx = g()\nPath('csv.py').write_text('x')\nlist(x)",
}

func TestPythonInTime(t *testing.T) {
	world := nodeWorld()
	world.WriteFile("/tmp/shared/hashlib.py", "")
	world.WriteFile("/home/dev/project/own/subprocess/README", "")
	world.WriteFile("/home/dev/project/own/builtins.py", "")
	world.WriteFile("/home/dev/project/own/os.py", "")
	e := New(Options{Files: world})
	judge := func(text string) policy.Decision {
		return nodeVerdict(e, "python3 - <<'E'\n"+text+"\nE", ModeAcceptEdits).Decision
	}
	for _, text := range pythonHarmless {
		if d := judge(text); d != policy.Allow {
			t.Errorf("%s\n%s", text, d)
		}
	}
	for _, text := range pythonAttacks {
		if d := judge(text); d == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range pythonHomes {
		if d := judge(text); d == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	homes := "const fs = require('fs'), d = require('os').homedir(); for (const f of fs.readdirSync(d)) console.log(fs.readFileSync(d + '/' + f, 'utf8'))"
	if v := nodeVerdict(e, "node -e \""+homes+"\"", ModeAcceptEdits); v.Decision == policy.Allow {
		t.Errorf("%s\nis allowed", homes)
	}
	for _, line := range pythonOwn {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
	for _, line := range pythonShadows {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow || !strings.Contains(v.Reason, "Python") && !strings.Contains(v.Reason, "text") {
			t.Errorf("%s\n%s: %s", line, v.Decision, v.Reason)
		}
	}
	for _, line := range pythonBeside {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", line, v.Decision, v.Reason)
		}
	}
}
