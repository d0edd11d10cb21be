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
	"import subprocess\nprint(subprocess.run(['git', 'log'], capture_output=True).stdout)\nimport json\nprint(json.dumps(1))",
	"from pathlib import Path\nPath('src/json_x/typing.py').write_text('x = 1')\nimport subprocess, numpy\nprint(numpy.pi)",
	"from fastapi.testclient import TestClient\nfrom api import app\nc = TestClient(app)\nprint(c.get('/health').json(), c.get('/').text, c.post('/v1/items?x=1', json={'a': 1}).status_code)",
	"from flask import Flask\napp = Flask(__name__)\n@app.route('/')\ndef index():\n    return 'ok'\nprint(app.test_client().get('/').data)",
	"from api import load\nprint(load('x').path.split('/')[-1], load('y').name.startswith('/'))",
	"import asyncio\nfrom pathlib import Path\nasync def read(p):\n    return await asyncio.to_thread(Path(p).read_text)\nasync def main():\n    for t in await asyncio.gather(read('a.txt'), read('b.txt')):\n        print(len(t))\nasyncio.run(main())",
	"import asyncio, json\nclass Server:\n    def __init__(self, n):\n        self.n = n\n        self.log = []\n    async def start(self):\n        await asyncio.sleep(0)\n        self.log.append(self.n)\n        return self\n    async def __aenter__(self):\n        return await self.start()\n    async def __aexit__(self, *exc):\n        return False\n    def __aiter__(self):\n        self.i = 0\n        return self\n    async def __anext__(self):\n        if self.i >= self.n:\n            raise StopAsyncIteration\n        self.i += 1\n        return self.i\nasync def main():\n    async with Server(3) as s:\n        async for i in s:\n            print(i, s.log)\n        print(json.dumps([i async for i in s]))\nif __name__ == '__main__':\n    asyncio.run(main())",
	"import asyncio\nfrom contextlib import asynccontextmanager\n@asynccontextmanager\nasync def session(name):\n    print('open', name)\n    try:\n        yield {'name': name}\n    finally:\n        print('close')\nasync def main():\n    async with session('x') as s:\n        print(s['name'])\nasyncio.run(main())",
	"import asyncio, time\nasync def worker(name, q, results):\n    while True:\n        item = await q.get()\n        await asyncio.sleep(0.01)\n        results.append((name, item))\n        q.task_done()\nasync def main():\n    q = asyncio.Queue()\n    results = []\n    tasks = [asyncio.create_task(worker(f'w{i}', q, results)) for i in range(3)]\n    for i in range(10):\n        q.put_nowait(i)\n    t = time.perf_counter()\n    await q.join()\n    for t in tasks: t.cancel()\n    await asyncio.gather(*tasks, return_exceptions=True)\n    print(results)\nasyncio.run(main())",
	"import asyncio\nasync def fetch(i):\n    if i == 2: raise ValueError('bad')\n    return i\nasync def main():\n    res = await asyncio.gather(*[fetch(i) for i in range(4)], return_exceptions=True)\n    for r in res:\n        if isinstance(r, Exception):\n            print('err', r)\n        else:\n            print(r + 1)\n    done, pending = await asyncio.wait([asyncio.create_task(fetch(1))], timeout=2, return_when=asyncio.FIRST_COMPLETED)\n    for d in done: print(d.result())\n    try:\n        async with asyncio.timeout(1):\n            await asyncio.sleep(2)\n    except TimeoutError:\n        print('late')\nasyncio.run(main())",
	"import asyncio\nasync def main() -> None:\n    loop = asyncio.get_event_loop()\n    fut = loop.create_future()\n    loop.call_soon(fut.set_result, 5)\n    print(await fut)\n    ev = asyncio.Event()\n    async def waiter():\n        await ev.wait()\n        return 'done'\n    t = asyncio.create_task(waiter())\n    ev.set()\n    print(await t, t.done())\n    lock = asyncio.Lock()\n    async with lock:\n        print('locked')\nasyncio.run(main())",
	"import unittest\nclass Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n    def pop(self):\n        if not self.items:\n            raise IndexError('empty')\n        return self.items.pop()\n    def __len__(self): return len(self.items)\nclass TestStack(unittest.TestCase):\n    \"\"\"Stack.\"\"\"\n    def setUp(self):\n        self.stack = Stack()\n    def tearDown(self):\n        self.stack = None\n    def test_push_pop(self):\n        self.stack.push(1)\n        self.stack.push(2)\n        self.assertEqual(self.stack.pop(), 2)\n        self.assertEqual(len(self.stack), 1)\n    def test_empty(self):\n        with self.assertRaises(IndexError):\n            self.stack.pop()\n        with self.assertRaisesRegex(IndexError, 'emp'):\n            self.stack.pop()\nif __name__ == '__main__':\n    unittest.main()",
	"import unittest\ndef fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\nclass T(unittest.TestCase):\n    def test_values(self):\n        for n, want in [(0, 0), (1, 1), (10, 55)]:\n            with self.subTest(n=n):\n                self.assertEqual(fib(n), want)\n    @unittest.skipIf(True, 'no')\n    def test_skip(self): self.fail()\n    @unittest.expectedFailure\n    def test_bad(self): self.assertEqual(fib(1), 2)\nsuite = unittest.TestLoader().loadTestsFromTestCase(T)\nres = unittest.TextTestRunner(verbosity=2).run(suite)\nfor t, tb in res.failures: print(t.id(), tb)",
	"import unittest, asyncio\nasync def double(x):\n    await asyncio.sleep(0)\n    return x * 2\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_double(self):\n        self.assertEqual(await double(2), 4)\n    async def test_timeout(self):\n        with self.assertRaises(asyncio.TimeoutError):\n            await asyncio.wait_for(asyncio.sleep(1), timeout=0.01)\nclass U(unittest.TestCase):\n    def test_run(self):\n        self.assertEqual(asyncio.run(double(3)), 6)\n    def test_log(self):\n        import logging\n        with self.assertLogs('x', level='INFO') as cm:\n            logging.getLogger('x').info('hi')\n        self.assertEqual(cm.output, ['INFO:x:hi'])\nunittest.main(verbosity=2)",
}

// pythonShadows are lines by which a module of Python's library that no text names, or one
// that a text loads, becomes another: its modules load others of it when they like.
var pythonOwn = []string{ // what changes beside, and files that Python may not load, though they lie where it looks first
	"{ sleep 1; python3 -c 'import own.sub.a'; } & echo x > own/sub/a.py",
	"cd own && python3 -c 'import subprocess; subprocess.run([\"git\", \"push\", \"--force\"])'",
	"cd own && python3 -P -c 'import os; os.remove(input())'",
	"cd own && python3 -c 'import builtins; builtins.exec(input())'",
	"cd own && python3 -c 'import os; os.execvp(\"git\", [\"git\", \"push\", \"--force\"])'",
}

var pythonShadows = []string{
	"python3 -c 'import subprocess; subprocess.run([\"cp\", \"a.txt\", \"hashlib.py\"]); import random'",
	"python3 -c 'import subprocess; subprocess.run([\"cp\", \"a.txt\", \"json.py\"]); import json'",
	"python3 -c 'import subprocess; subprocess.run(\"cp a.txt json.py\", shell=True); import json'",
	"python3 -c 'import os; os.rename(\"a.txt\", \"hashlib.py\"); import random'",
	"python3 -c 'import sys, os; sys.path.insert(0, \"lib\"); os.rename(\"a.txt\", \"lib/hashlib.py\"); import random'",
	"PYTHONPATH=lib python3 -c 'open(\"lib/json.py\", \"w\"); import json'",
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
	"printf 'import shutil' > calendar.py; python3 -m calendar",
	"echo 'x = 1' > argparse.py; python3 -m json.tool a.json",
	"echo 'x = 1' > pytest.py; python3 -m pytest",
	"mkdir -p unittest && echo x > unittest/__init__.py; python3 -m unittest discover",
	"cd lib && echo 'x = 1' > json.py; python -m black .",
	"echo 'x = 1' > .venv/lib/python3.11/site-packages/numpy.py; .venv/bin/python -c 'import numpy'",
	"echo 'x = 1' > .venv/lib/python3.11/site-packages/pluggy/__init__.py; python -m pytest",
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
	"echo 'x = 1' > tool.py; python3 -m pytest",
	"mkdir -p src && echo 'x = 1' > src/json.py; python3 -m pytest src",
	"python3 -m json.tool a.json; echo 'x = 1' > json.py",
}

// pythonAttacks are programs in which it matters when something runs, and who sets a
// name, an attribute or a file.
var pythonAttacks = []string{
	"import lib\nlib.f(['1', '2', '3', '4', '5', '6', '7', '8', '9', '/etc/shadow'])",
	"import sys\nsys.argv.append('/etc/shadow')\nimport lib",
	"import sys\nsys.argv[1] = '/etc/shadow'\nimport lib",
	"x = 'a b'.split()\nfor y in [x]:\n    y += ['b']\n    y.append('/etc/x')\nopen(x[-1], 'w')",
	"import os\nx = ['true'].copy()\nfor y in [x]:\n    y += ['true']\n    y.append('rm a')\nos.system(x[-1])",
	"import os\nx = {'k': 'a'}.copy()\nfor y in [x]:\n    y |= {'j': 'b'}\n    y['k'] = '/etc/x'\nopen(x['k'], 'w')",
	"import os\ny = [x := 'a b'.split()][0]\ny += ['/etc/x']\nopen(x[-1], 'w')",
	"x = 'a b'.split()\ny = [x][0]\ny += ['b']\ny.append('/etc/x')\nopen(x[-1], 'w')",
	"from types import SimpleNamespace\ndef g():\n    s = 'a'\n    for i in range(3):\n        try: break\n        finally: s = '/etc/x'\n    return s\nn = SimpleNamespace(f=g)\nopen(n.f(), 'w')",
	"from types import SimpleNamespace\nc = 'a b c'.split()\nfor y in [c]:\n    y += ['d']\n    y[2] = '/etc/x'\nn = SimpleNamespace(f=lambda: c[2])\nopen(n.f(), 'w')",
	"from types import SimpleNamespace\nc = 'a b c'.split()\nfor y in [c]:\n    y += ['d']\n    y[2] = '/etc/x'\nn = SimpleNamespace(open=lambda: c[2])\np = n.open()\nopen(p, 'w')",
	"for f in sorted('a.txt .env'.split(' ')): print(open(f).read())",
	"import shutil\nshutil.copytree('tree', '.', dirs_exist_ok=True)",
	"import shutil\nshutil.copy('tree/CLAUDE.md', 'lib')",
	"import subprocess, os\nsubprocess.run(['find', 'lib', os.path.normpath('./-delete')])",
	"import os\nopen(os.path.normpath('./ab/etc/x')[2:], 'w')",
	"from pathlib import Path\nopen(str(Path('//etc/x/y').parent)[1:], 'w')",
	"import os\nopen(os.path.abspath('./x').replace('/home/dev/project/x', '/etc/x'), 'w')",
	"from pathlib import Path\n(Path('leads').resolve().parent / 'x').write_text('a')",
	"from pathlib import Path\nPath('leads/../x').resolve().write_text('a')",
	"from pathlib import Path\nPath('leads/../x').absolute().write_text('a')",
	"import os\nopen(os.path.realpath('leads/../x'), 'w')",
	"import os\nopen(os.path.join(os.path.dirname(os.path.realpath('leads/../x')), 'y'), 'w')",
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
	"import sqlite3\nc = sqlite3.connect('a.db')\nc.execute('delete from ' + input())",
	"import sqlite3\nsqlite3.connect('a.db').execute('drop table t')",
	"import subprocess\nsubprocess.Popen(['sh'], stdin=subprocess.PIPE, text=True).communicate('rm x')",
	"import subprocess\nsubprocess.Popen(['ls'], preexec_fn=lambda: open('/etc/x', 'w'))",
	"import subprocess\nsubprocess.Popen(['rm', '-rf', 'src'])",
	"from pathlib import Path\nPath('selectors.py').write_text('import os')\nimport subprocess",
	"from pathlib import Path\ndef g():\n    import csv\n    yield\nx = g()\nPath('csv.py').write_text('x')\nlist(x)",
	"import asyncio\nfrom pathlib import Path\np = Path('a')\nasync def f():\n    global p\n    p = Path('/etc/x')\nasync def main():\n    t = asyncio.create_task(f())\n    await asyncio.sleep(0)\n    p.touch()\nasyncio.run(main())",
	"import asyncio\nfrom pathlib import Path\nasync def f():\n    import csv\nc = f()\nPath('csv.py').write_text('x')\nasyncio.run(c)",
	"import asyncio\nasync def main(): await asyncio.create_subprocess_exec('rm', '-rf', 'src')\nasyncio.run(main())",
	"import unittest\nfrom pathlib import Path\nclass T(unittest.TestCase):\n    def test_b(self): self.p.touch()\n    def setUp(self): self.p = Path('/etc/x')\nunittest.main()",
	"import unittest, os\ndef load_tests(*a): os.remove('/etc/x')\nclass T(unittest.TestCase): pass\nunittest.main()",
}

func TestPythonInTime(t *testing.T) {
	world := nodeWorld()
	world.WriteFile("/tmp/shared/hashlib.py", "")
	world.WriteFile("/home/dev/project/tree/CLAUDE.md", "")
	world.Symlink("/tmp/shared", "/home/dev/project/leads")
	world.WriteFile("/home/dev/project/own/subprocess/README", "")
	world.WriteFile("/home/dev/project/own/builtins.py", "")
	world.WriteFile("/home/dev/project/own/os.py", "")
	world.WriteFile("/home/dev/project/own/sub/a.py", "")
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
