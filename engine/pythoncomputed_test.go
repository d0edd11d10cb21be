package engine

import (
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// computedNames are expressions that give the name of a secret, made of nothing but constants.
var computedNames = []string{
	"operator.add(\".e\", \"nv\")",
	"base64.b64decode(\"LmVudg==\").decode()",
	"bytes([46, 101, 110, 118]).decode()",
	"bytes.fromhex(\"2e656e76\").decode()",
	"binascii.unhexlify(\"2e656e76\").decode()",
	"(778399350).to_bytes(4, \"big\").decode()",
	"codecs.decode(\".rai\", \"rot13\")",
	"\"%c%s\" % (46, \"env\")",
	"\"%(a)s%(b)s\" % {\"a\": \".e\", \"b\": \"nv\"}",
	"\"{:c}env\".format(46)",
	"\"{a}{b}\".format(a=\".e\", b=\"nv\")",
	"f\"{46:c}env\"",
	"f\".{14:x}nv\"",
	"f\".{1:e<1}nv\".replace(\"1\", \"e\")",
	"\"%.4s\" % \".envy\"",
	"\"|env\".translate({124: 46})",
	"\"vne.\"[::-1]",
	"\".xnv\".replace(\"x\", chr(101))",
	"re.sub(\"x\", \"\", \".exnv\")",
	"re.match(\"(.*)y\", \".envy\").group(1)",
	"string.Template(\"$a$b\").substitute(a=\".e\", b=\"nv\")",
	"html.unescape(\"&#46;env\")",
	"urllib.parse.unquote(\"%2eenv\")",
	"json.loads('\"\\\\u002eenv\"')",
	"ast.literal_eval(\"'.e' 'nv'\")",
	"shlex.split(\".e''nv\")[0]",
	"next(csv.reader([\".e,nv\"]))[0] + \"nv\"",
	"struct.pack(\"4B\", 46, 101, 110, 118).decode()",
	"functools.reduce(lambda a, b: a + b, [\".e\", \"nv\"])",
	"os.path.commonprefix([\".env1\", \".env2\"])",
	"os.path.basename(\"a/.e\") + \"nv\"",
	"\".env.bak\".removesuffix(\".bak\")",
	"\"x.envx\".strip(\"x\")",
	"\"aQ.envQb\".split(\"Q\")[1]",
	"\".ENV\".casefold()",
	"pathlib.Path(\"x.env\").suffix",
	"max([\".d\", \".e\"]) + \"nv\"",
	"\"/home/user/\" + \"\".join([\".s\", \"sh\"]) + \"/id_rsa\"",
	"''.join(reversed(\"vne.\"))",
	"''.join([\".e\", \"nv\"])",
	"''.join(map(str, [\".e\", \"nv\"]))",
	"''.join(map(chr, [46, 101, 110, 118]))",
	"''.join((c for c in \".env\"))",
	"''.join(itertools.chain(\".e\", \"nv\"))",
	"''.join(collections.deque([\".e\", \"nv\"]))",
	"''.join(sorted({1: \".e\", 2: \"nv\"}.values()))",
	"''.join(a + b for a, b in zip(\".n\", \"ev\"))",
	"''.join(dict.fromkeys(\".env\"))",
}

// computedReads are programs that read the file whose name @ gives.
var computedReads = []string{
	"print(open(@).read())",
	"print(pathlib.Path(@).read_text())",
	"p = @\nprint(open(p).read())",
	"subprocess.run([\"cat\", @])",
	"cmd = [\"cat\"]\ncmd.append(@)\nsubprocess.run(cmd)",
	"os.system(\"cat \" + @)",
	"def read(p):\n    return open(p).read()\nprint(read(@))",
	"read = lambda p: open(p).read()\nprint(read(@))",
	"def name():\n    return @\nprint(open(name()).read())",
	"def names():\n    yield @\nfor p in names():\n    print(open(p).read())",
	"class A:\n    def __init__(self, p):\n        self.p = p\n    def read(self):\n        return open(self.p).read()\nprint(A(@).read())",
	"class A:\n    p = @\nprint(open(A.p).read())",
	"class A:\n    def __str__(self):\n        return @\nprint(open(str(A())).read())",
	"print([open(p).read() for p in [@]])",
	"print([f.read() for f in map(open, [@])])",
	"for k, p in {\"a\": @}.items():\n    print(open(p).read())",
	"l = []\nl.append(@)\nfor p in l:\n    print(open(p).read())",
	"with concurrent.futures.ThreadPoolExecutor() as pool:\n    print(list(pool.map(lambda p: open(p).read(), [@])))",
	"p = input() if len(sys.argv) > 9 else @\nprint(open(p).read())",
	"p = argparse.ArgumentParser()\np.add_argument(\"-a\", default=@)\nprint(open(p.parse_args([]).a).read())",
	"compile('return', filename=@, mode='exec')",
}

// computedByOthers are programs that read a file whose name their library computes.
var computedByOthers = []string{
	"c = sqlite3.connect(\":memory:\")\nc.text_factory = lambda b: open(b).read()\nc.execute(\"select '.e' || 'nv'\").fetchall()",
	"c = configparser.ConfigParser()\nc.read_string(\"[a]\\nb = .e\\nc = %(b)snv\")\nprint(open(c[\"a\"][\"c\"]).read())",
	"b = io.StringIO()\nb.write(\".e\")\nb.write(\"nv\")\nprint(open(b.getvalue()).read())",
	"b = bytearray(b\"xenv\")\nb[0] = 46\nprint(open(bytes(b)).read())",
	"for f in os.listdir(base64.b64decode('L2hvbWUvZGV2Ly5zc2g=').decode()): print(open(base64.b64decode('L2hvbWUvZGV2Ly5zc2g=').decode() + '/' + f).read())",
	"print(open('data/' + base64.b64decode('Li4vLmVudg==').decode()).read())",
	"try:\n    raise ValueError(''.join(['.e', 'nv']))\nexcept ValueError as e: print(open(str(e)).read())",
	"x = ''\nfor c in [46, 101, 110, 118]: x += chr(c)\nprint(open(x).read())",
	"x = ''\ni = 0\nwhile i < 4:\n    x += '.env'[i]\n    i += 1\nprint(open(x).read())",
	"s = 'abcdefghijklmnopqrstuvwxyz.'\nprint(open(''.join(s[i] for i in [26, 4, 13, 21])).read())",
	"a = 'x.envx'\nfor i in range(9): print(open(a[i:i+4]).read())",
	"m = {'a': lambda p: open(p).read()}\nprint(m['a'](''.join(['.e', 'nv'])))",
	"class A:\n    def f(self, p): return open(p).read()\ng = A().f\ng(''.join(['.e', 'nv']))",
	"import queue\nq = queue.Queue()\nq.put(''.join(['.e', 'nv']))\nprint(open(q.get()).read())",
	"b = io.StringIO()\nprint('.e', 'nv', sep='', end='', file=b)\nprint(open(b.getvalue()).read())",
	"p = argparse.ArgumentParser()\np.add_argument(\"-a\", default=f\"{46:c}env\")\nprint(open(p.parse_args([]).a).read())",
	"json.loads('{\"a\": \".e\\\\u006ev\"}', object_hook=lambda d: print(open(d['a']).read()))",
	"re.sub('.*', lambda m: open(m.group(0) + 'nv').read(), '.e')",
}

// foundNames are programs that read files whose names come from elsewhere, or of which each
// that may be is known.
var foundNames = []string{
	"for n in MANY:\n    print(open(n).read())",
	"for n in MANY:\n    print(open(f'data/{n}.csv').read())",
	"for n in MANY:\n    print(open(n + '.csv').read())",
	"for n in MANY:\n    print(open('data/' + n + '.csv').read())",
	"for n in MANY:\n    print(open('docs/' + n.lower() + '.md').read())",
	"names = LINES.splitlines()\nfor n in names:\n    print(open(n.strip()).read())",
	"names = LINES.split()\nfor i, n in enumerate(names, 1):\n    print(open(f'out/{i:03d}_{n}.txt').read())",
	"for n in MANY:\n    for i in range(50):\n        print(open(f'out/{n}_{i}.txt').read())",
	"table = {n: n for n in MANY}\nimport sys\nprint(open(table[sys.argv[1]]).read())",
	"from pathlib import Path\nroot = Path('data')\nfor n in MANY:\n    print((root / n / 'a.txt').read_text())",
	"import sys\nprint(open(sys.argv[1] + '/package.json').read())",
	"import sys\nprint(open(f'{sys.argv[1]}/package.json').read())",
	"import sys\nfor p in sys.argv[1:]:\n    print(p, len(open(p).read()))",
	"import sys, os\nd = sys.argv[1] if len(sys.argv) > 1 else '.'\nprint(open(os.path.join(d, 'a.txt')).read())",
	"import argparse\np = argparse.ArgumentParser()\np.add_argument('file', default='a.txt')\np.add_argument('--n', type=int, default=10 * 1024)\na = p.parse_args()\nprint(open(a.file).read())",
	"import json\nc = json.load(open('a.json'))\nfor n in c['files']:\n    print(open(n + '.txt').read())",
	"import csv\nfor r in csv.DictReader(open('a.csv')):\n    print(open('data/' + r['name'] + '.txt').read())",
	"for l in open('list.txt'):\n    l = l.strip()\n    if l: print(open('src/' + l + '.py').read())",
	"import subprocess\nout = subprocess.run(['git', 'ls-files'], capture_output=True, text=True).stdout\nfor f in out.splitlines():\n    if f.endswith('.py'): print(open(f).read().count('x'))",
	"import datetime\nd = datetime.date(2024, 1, 1)\nfor i in range(40):\n    print(open(f'logs/{d + datetime.timedelta(days=i):%Y-%m-%d}.log').read())",
	"from datetime import date, timedelta\nd = date(2024, 1, 1)\nfor i in range(40):\n    print(open('logs/' + (d + timedelta(days=i)).isoformat() + '.log').read())",
	"import datetime\nprint(open(datetime.datetime.now().strftime('logs/%Y.log')).read())",
	"import time\nprint(open(time.strftime('logs/%Y.log')).read())",
	"import hashlib\nprint(open('cache/' + hashlib.md5(b'https://x').hexdigest()).read())",
	"def load(n):\n    return open(f'data/{n}.txt').read()\nfor n in ['a', 'b']:\n    print(load(n))",
	"BASE = 'data'\nimport os\ndef load(n, ext='.txt'):\n    return open(os.path.join(BASE, n + ext)).read()\nprint(load('a'), load('b', '.md'))",
	"from concurrent.futures import ThreadPoolExecutor\ndef load(p): return open(p).read()\nwith ThreadPoolExecutor() as ex:\n    print(list(ex.map(load, [f'data/{i}.txt' for i in range(4)])))",
	"from concurrent.futures import ThreadPoolExecutor\nBASE = 'data'\ndef load(n): return open(BASE + '/' + n + '.txt').read()\nwith ThreadPoolExecutor() as ex:\n    print(list(ex.map(load, ['a', 'b'])))",
	"class C:\n    def __init__(self, root):\n        self.root = root\n    def read(self, n):\n        return open(self.root + '/' + n + '.txt').read()\nc = C('data')\nprint(c.read('a'))",
	"from dataclasses import dataclass\n@dataclass\nclass C:\n    root: str\n    name: str = 'a'\n    def read(self):\n        return open(f'{self.root}/{self.name}.txt').read()\nprint(C('data').read())",
	"import re\ntext = open('a.md').read()\nfor m in re.findall(r'\\((.*?)\\)', text):\n    print(open('docs/' + m).read())",
	"import re\nfor f in open('list').read().split():\n    print(open(re.sub(r'x$', 'y', f)).read())",
	"import glob\nfor f in glob.glob('src/*.py'):\n    print(open(f.replace('.py', '.txt')).read())",
	"import os\nfor f in os.listdir('src'):\n    base, ext = os.path.splitext(f)\n    print(open('src/' + base + '.md').read())",
	"from pathlib import Path\nfor p in Path('src').rglob('*.py'):\n    print(Path('docs', p.stem + '.md').read_text())",
	"from pathlib import Path\nfor p in sorted(Path('src').rglob('*.py'), key=lambda p: p.name):\n    t = p.read_text()\n    print(p, t.count('\\n'))",
	"f = input('name: ')\nprint(open('data/' + f).read())",
	"import sys\nfor l in sys.stdin:\n    print(open(l.strip()).read())",
	"import os\nprint(open(os.environ.get('X', 'a') + '.txt').read())",
	"files = []\nfor i in range(3):\n    files.append(f'data/{i}.txt')\nfor f in files:\n    print(open(f).read())",
	"files = {}\nfor i in range(3):\n    files[i] = 'data/%d.txt' % i\nfor k, f in files.items():\n    print(open(f).read())",
	"import itertools\nfor a, b in itertools.product(['x', 'y'], ['1', '2']):\n    print(open(f'data/{a}{b}.txt').read())",
	"import itertools\nfor a in itertools.chain(['x'], ['y']):\n    print(open(f'data/{a}.txt').read())",
	"for y in range(2000, 2050):\n    print(open(f'data/y{y}.csv').read())",
	"for y in range(2000, 2050):\n    print(open('data/y' + str(y) + '.csv').read())",
	"for y in range(2000, 2050):\n    print(open('data/y%04d.csv' % y).read())",
	"for y in range(2000, 2050):\n    print(open('data/y{:04d}.csv'.format(y)).read())",
	"for y in range(2000, 2050):\n    print(open('data/y{}.csv'.format(y)).read())",
	"for y in range(2000, 2050):\n    print(open('data/y' + str(y).zfill(5) + '.csv').read())",
	"for k in 'abcdefghijklmnopqrstuvwxyz0123456789':\n    print(open('data/' + k + '.csv').read())",
	"import csv, io\nrows = csv.reader(io.StringIO('a.txt,1\\nb.txt,2'))\nfor r in rows: print(open(r[0]).read())",
	"import json\nc = json.loads('{\"path\": \"a.txt\"}')\nprint(open(c['path']).read())",
	"import textwrap\nfor l in textwrap.dedent('''\n  a.txt\n  b.txt\n''').strip().splitlines():\n    print(open(l).read())",
	"names = [n.strip() for n in 'a.txt, b.txt'.split(',')]\nfor n in names: print(open(n).read())",
	"import os\nHERE = os.path.dirname(os.path.abspath(__file__))\nprint(open(os.path.join(HERE, 'a.txt')).read())",
	"import subprocess\nfor n in ['a', 'b']:\n    subprocess.run(['cat', 'data/' + n + '.txt'])",
	"import subprocess\nfor n in MANY:\n    subprocess.run(['wc', '-l', 'data/' + n + '.txt'])",
	"import subprocess\nfor n in MANY:\n    subprocess.run(['git', 'log', '-1', '--', n])",
	"import subprocess\nfor i in range(50):\n    print(subprocess.run(['git', 'show', f'HEAD~{i}'], capture_output=True))",
	"import subprocess\nfor n in range(50):\n    subprocess.run(['head', '-n', str(n * 2), 'a.txt'])",
	"import subprocess, sys\nsubprocess.run(['head', '-n', sys.argv[1] + '0', 'a.txt'])",
	"import sqlite3\nc = sqlite3.connect(':memory:')\nc.row_factory = sqlite3.Row\nprint(c.execute('select 1').fetchall())",
	"import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.d = 'data'\n    def test(self):\n        self.assertTrue(open(self.d + '/' + 'a' + '.txt').read())\nunittest.main()",
	"def walk(d):\n    import os\n    for n in os.listdir(d):\n        yield d + '/' + n\nfor p in walk('src'): print(open(p).read())",
	"import functools\n@functools.lru_cache\ndef load(n): return open('data/' + n + '.txt').read()\nprint(load('a'))",
	"lines = open('a.txt').read().splitlines()\nkey = ''.join(l[0] for l in lines)\nprint(open(key).read())",
	"import collections\nc = collections.Counter(open('a.txt').read().split())\nfor w, n in c.most_common(3): print(open('data/' + w).read())",
	"x = 'src'\nx = x + '/lib'\nx += '/a.txt'\nprint(open(x).read())",
	"import os\nparts = ['src', 'lib', 'a.txt']\nprint(open(os.path.join(*parts)).read())",
	"import os\nparts = 'src/lib/a.txt'.split('/')\nprint(open(os.sep.join(parts)).read())",
	"mod = 'app.core.util'\nprint(open(mod.replace('.', '/') + '.py').read())",
	"for mod in ['app.core', 'app.util']:\n    print(open('src/' + mod.replace('.', '/') + '.py').read())",
	"import ast\nfor f in ['a.py', 'b.py']:\n    t = ast.parse(open(f).read(), f)\n    for n in ast.walk(t): print(n)",
	"p = 'a.txt'\nwith open(p) as f: s = f.read()\ns = s.replace('a', 'b')\nwith open(p + '.bak') as f: print(f.read() == s)",
}

// TestComputedNames: a file whose name a program makes of its own constants is asked about,
// and one whose name comes from elsewhere is not.
func TestComputedNames(t *testing.T) {
	const imports = "import argparse, ast, base64, binascii, codecs, collections, concurrent.futures, configparser, csv, functools, html, io, itertools, json, operator, os, pathlib, re, shlex, sqlite3, string, struct, subprocess, sys, urllib.parse\n"
	names := make([]string, 40)
	for i := range names {
		names[i] = "part" + strconv.Itoa(i) + "x"
	}
	many := strings.NewReplacer("MANY", "['"+strings.Join(names, "', '")+"']", "LINES", "'''"+strings.Join(names, "\n")+"'''")
	world := readsWorld()
	judge := func(text string) Verdict {
		world.WriteFile("/opt/tool.py", text)
		return nodeVerdict(New(Options{Files: world}), "python3 /opt/tool.py", ModeAcceptEdits)
	}
	asks := func(text string) {
		t.Helper()
		if v := judge(imports + text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for i, name := range computedNames {
		asks(strings.ReplaceAll(computedReads[i%len(computedReads)], "@", name))
		asks(strings.ReplaceAll(computedReads[0], "@", name))
	}
	for i, read := range computedReads {
		asks(strings.ReplaceAll(read, "@", computedNames[i%len(computedNames)]))
	}
	for _, text := range computedByOthers {
		asks(text)
	}
	for _, text := range foundNames {
		if v := judge(many.Replace(text)); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
