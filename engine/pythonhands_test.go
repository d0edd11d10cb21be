package engine

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// computedTells are programs that tell code of the project what @ gives.
var computedTells = []string{
	"app.f(@)",
	"app.f(a=@)",
	"app.f([@])",
	"app.f({\"a\": [@]})",
	"app.f(*[@])",
	"app.f(**{\"a\": @})",
	"p = @\napp.f(p)",
	"for p in [@]:\n    app.f(p)",
	"app.f(@ or \"a\")",
	"app.f(@ if app.x else \"a\")",
	"app.f(str(@))",
	"app.f(pathlib.Path(@))",
	"def name():\n    return @\napp.f(name())",
	"def name():\n    return @\napp.f(name)",
	"def tell(p):\n    app.f(p)\ntell(@)",
	"app.f(lambda: @)",
	"def names():\n    yield @\napp.f(names())",
	"class C:\n    p = @\napp.f(C.p)",
	"class C:\n    p = @\napp.f(C)",
	"class C:\n    def __init__(self, p):\n        self.p = p\napp.f(C(@))",
	"class C:\n    def __str__(self):\n        return @\napp.f(C())",
	"class C(app.A):\n    p = @\nC().go()",
	"class C(app.A):\n    def path(self):\n        return @\nC().go()",
	"class C(app.A):\n    def __init__(self):\n        self.p = @\nC().go()",
	"class C(app.A):\n    pass\nC(@).go()",
	"app.f(types.SimpleNamespace(a=@))",
	"app.a = @",
	"app.a[\"x\"] = @",
	"app.a[@] = 1",
	"app.a[@]",
	"app.a += @",
	"print(app.a + @)",
	"print(f\"{app.a:{@}}\")",
	"print(@, file=app.a)",
	"json.dump(@, app.a)",
	"list(map(app.f, [@]))",
	"functools.partial(app.f, @)()",
	"with concurrent.futures.ThreadPoolExecutor() as pool:\n    print(list(pool.map(app.f, [@])))",
	"threading.Thread(target=app.f, args=(@,)).start()",
	"print(min([@, \"x\"], key=app.f))",
	"m = {\"a\": app.f}\nm[\"a\"](@)",
	"l = []\napp.f(l)\nl.append(@)",
	"l = {}\napp.f(l)\nl[\"a\"] = @",
	"with app.opened(@) as f:\n    pass",
	"raise app.E(@)",
	"@app.register\ndef name():\n    return @",
	"print(re.sub(\"x\", app.f, @))",
	"x = app.f(1)\nx.a.b(@)",
	"del app.a[@]",
	"sys.stdout = app.Out()\nprint(@)",
	"with contextlib.redirect_stdout(app.a):\n    print(@)",
	"class C(app.A, path=@):\n    pass",
	"def f(p=@):\n    pass\napp.f(f)",
	"@app.command\ndef f(p=@):\n    pass",
	"unittest.mock.patch(\"app.x\", @).start()",
	"unittest.mock.patch.object(app, \"x\", @).start()",
	"unittest.mock.patch.dict(app.x, {\"a\": @}).start()",
	"m = unittest.mock.Mock(return_value=@)\napp.f(m)",
	"l = [app.f]\nl[0](@)",
	"for f in (app.f, app.g):\n    f(@)",
	"(lambda f, p: f(p))(app.f, @)",
	"def call(f, *a):\n    return f(*a)\ncall(app.f, @)",
	"d = collections.defaultdict(list)\nd[\"a\"].append(@)\napp.f(d)",
	"a = []\na += [@]\napp.f(a)",
	"a, *b = 1, @\napp.f(b)",
	"app.f(p := @)",
	"try:\n    raise ValueError(@)\nexcept ValueError as e:\n    app.f(str(e))",
	"b = io.StringIO()\nb.write(@)\napp.f(b)",
	"N = collections.namedtuple(\"N\", \"a\")\napp.f(N(@))",
	"app.f(iter([@]))",
	"app.f(zip([1], [@]))",
	"async def m():\n    await app.f(@)\nasyncio.run(m())",
	"getattr(app, \"f\")(@)",
}

// tellsOtherwise are programs in which a name gets to code of the project by no constant that
// stands alone: as the name or documentation of something, as a key, or in a pattern.
var tellsOtherwise = []string{
	"app.f(re.compile('/home/dev/.ssh/id_rsa').pattern)",
	"app.f(re.compile('/home/dev/.ssh/id_rsa'))",
	"p = re.compile('/home/dev/.ssh/id_rsa')\napp.f({'a': [p]})",
	"class C:\n    p = re.compile('/home/dev/.ssh/id_rsa')\napp.f(C())",
	"p = re.compile('/home/dev/.ssh/id_rsa')\nprint(p.match('a'))\napp.f(p)",
	"app.f(re.match('/home/dev/.ssh/id_rsa', 'x'))",
	"def f():\n    '''Reads /home/dev/.ssh/id_rsa now.'''\napp.f(f.__doc__)",
	"class C:\n    '''Reads /home/dev/.ssh/id_rsa now.'''\napp.f(C.__doc__.split()[1])",
	"def env():\n    pass\napp.f('.' + env.__name__)",
	"class env:\n    pass\napp.f(f'.{env.__name__}')",
	"for k in dict(env=1):\n    app.f('.' + k)",
	"class P(enum.Enum):\n    env = 1\napp.f('.' + P.env.name)",
}

// tellsKnown are programs that tell code of the project numbers, times, what comes from
// elsewhere, and texts of which each that may be is known.
var tellsKnown = []string{
	"app.f([i * i for i in range(10)], sum(x / 2 for x in range(9)))",
	"app.f(math.sqrt(2) * 3, round(2.5), random.random(), 2 ** 10)",
	"app.f(datetime.date(2024, 1, 1), lambda: datetime.datetime(2024, 1, 1))",
	"app.f(json.load(open('a.json'))['a'].upper())",
	"data = json.load(open('a.json'))\nfor row in data.get('rows', []):\n    app.f(row.get('text', '').strip()[:100])",
	"app.f(open('a.txt').read().replace('a', 'b').split('c')[0][::-1])",
	"app.f(time.strftime('%Y'), os.getpid(), os.getcwd())",
	"app.f('abc'.upper(), 'a,b'.split(','), 'x' * 3, 'abc'[::-1])",
	"app.f('{a}/{b}'.format(a='x', b='y'), '%s-%d' % ('a', 1), 'a' + 'b')",
	"for a in ('%s', 'a%sb'):\n    for b in ('x', 'y'):\n        app.f(a % b, b * 2)",
	"app.f(types.SimpleNamespace(path='a', method='GET'))",
	"def page(environ, start):\n    start('200 OK', [])\n    return [b'x']\nout = io.BytesIO()\nhandler = app.Handler(out, {'METHOD': 'GET'})\nhandler.run(page)",
	"xs = []\nfor line in open('a.txt'):\n    xs.append(float(line.strip().replace(',', '.')))\nxs = app.array(xs)\nxs = xs[app.argsort(xs)]\nprint(app.f(xs))",
	"print(app.f(app.x), f'{app.x:.2f}', ', '.join(sorted(c.upper() for c in app.names)))",
	"app.f(sys.argv[1:], len('a'), 'a' == 'b', not 'a', [1, 2][::-1])",
	"app.f(base64.b64decode('iVBORw0KGgo='), io.BytesIO(base64.b64decode('iVBORw0KGgo=')))",
	"p = re.compile('^/etc/')\nprint([l for l in app.lines() if p.match(l)])",
	"try:\n    app.f()\nexcept Exception as e:\n    app.log(type(e).__name__, app.f.__name__)",
	"def area(w, h):\n    return w * h\napp.f(area, lambda x, a, b: a * x + b, [1, 2])",
	"@app.register\ndef page(name):\n    return f'{name}: {app.f(name)}'",
	"app.f({'a': range(9), 'b': list('abc')}, [n.capitalize() for n in ('a', 'b')])",
	"lines = []\nfor k in ('a', 'b'):\n    lines.append(k + '=' + k.upper())\napp.f('\\n'.join(lines), ' and '.join(f'{k} = %s' for k in ('a', 'b')))",
	"app.f('<ul>' + ''.join(f'<li>{i}</li>' for i in range(3)) + '</ul>', '{:.1f}%'.format(sum([1, 2]) / 3 * 100))",
	"class P(app.A):\n    def __init__(self, n=3):\n        self.n = app.Linear(n, n * 2)\n        self.name = 'net-%d' % n\n    def norm(self):\n        return (self.x ** 2 + self.y ** 2) ** 0.5\nprint(P()(app.x))",
	"a = argparse.ArgumentParser(description='x')\na.add_argument('--n', type=int, default=3)\nargs = a.parse_args([])\napp.f(args, args.n * 2)",
	"app.f(collections.Counter('abracadabra').most_common(2), list(itertools.combinations('abc', 2)))",
	"app.f(data=json.dumps({'a': 1, 'b': ['x', 'y']}))",
	"print('%s: %d' % ('a', app.f()), ' '.join(str(x) for x in app.g()))",
}

// TestPythonHands: what a program computes of its constants is no more told to code of the
// project than it is read.
func TestPythonHands(t *testing.T) {
	const imports = "import app, argparse, ast, asyncio, contextlib, unittest.mock, base64, binascii, codecs, collections, concurrent.futures, csv, datetime, enum, functools, html, io, itertools, json, math, operator, os, pathlib, random, re, shlex, string, struct, sys, threading, time, types, urllib.parse\n"
	world := readsWorld()
	world.WriteFile("/home/dev/project/app.py", "")
	judge := func(text string) Verdict {
		return nodeVerdict(New(Options{Files: world}), "python3 - <<'E9'\n"+imports+text+"\nE9", ModeAcceptEdits)
	}
	asks := func(text string) {
		t.Helper()
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	filled := func(tells, name string) string { return strings.NewReplacer("@app", "@app", "@", name).Replace(tells) }
	for i, name := range computedNames {
		asks(filled(computedTells[i%len(computedTells)], name))
		asks(filled(computedTells[0], name))
	}
	for _, tells := range computedTells {
		for _, name := range [...]string{computedNames[0], computedNames[2]} {
			asks(filled(tells, name))
		}
	}
	for _, text := range tellsOtherwise {
		asks(text)
	}
	if v := judge("#"); v.Decision != policy.Allow {
		t.Fatal(v.Reason)
	}
	for _, text := range tellsKnown {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
