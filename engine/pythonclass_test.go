package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonClasses: classes that scripts have, and what hides in such.
func TestPythonClasses(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	for _, row := range []struct {
		text string
		want policy.Decision
	}{
		{"import sys\nprint(sys.version_info[:2], sys.version_info >= (3, 8), sys.version.split()[0])", policy.Allow},
		{"class P:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return P(self.x + o.x)\n    def near(self, o): return abs(self.x - o.x) < 1\nprint(P(1) + P(2))", policy.Allow},
		{"import os\nclass P:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return o.x('a')\nP(1) + P(os.remove)", policy.Ask},
		{"import os\nclass P:\n    def __init__(self, x): self.remove = x\n    def __add__(self, o): return o.remove('a')\nprint(P(1) + 1)", policy.Ask},
		{"class P:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): open(o.x, 'w')\nP('/etc/x') == P('/etc/x')", policy.Ask},
		{"class P:\n    def __init__(self, x): self.x = x\n    def put(self, o): open(o.x, 'w')\nP('/etc/x')", policy.Ask},
		{"from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 0\n    def sum(self): return self.x + self.y\np = P(1)\na, b = p\nprint(p.sum(), p._asdict(), p[0], a, P._fields)", policy.Allow},
		{"from collections import namedtuple\nP = namedtuple('P', 'x y', defaults=[1])\np = P(1)\nprint(p.x + p.y, [q.x for q in [P(1), P(2)]], p._asdict())", policy.Allow},
		{"from collections import namedtuple\nP = namedtuple('P', ['path'])\nfor p in [P('a.txt'), P('/etc/x')]:\n    open(p.path, 'w')", policy.Ask},
		{"from collections import namedtuple\nimport os\nP = namedtuple('P', ['go'])\nP(os.remove).go('a')", policy.Ask},
		{"from collections import namedtuple\nP = namedtuple('P', ['path'], defaults=['/etc/x'])\nopen(P().path, 'w')", policy.Ask},
		{"import collections\nP = collections.namedtuple('P', 'a')\np = P('x')\np = p._replace(a='/etc/x')\nopen(p.a, 'w')", policy.Ask},
		{"from collections import namedtuple\nP = namedtuple('P', 'a b')\np = P(1, 2)\nprint(p._replace(b=3).b)", policy.Allow},
		{"from collections import namedtuple\nP = namedtuple('P', 'a')\nopen(P('x')._replace(a='/etc/x').a, 'w')", policy.Ask},
		{"from collections import namedtuple\nP = namedtuple('P', 'a')\nfor p in [P('x'), P('y')]:\n    q = p._replace(**{'a': '/etc/x'})\n    open(q.a, 'w')", policy.Ask},
		{"from collections import namedtuple\nimport os\nP = namedtuple('P', 'a')\nP(len)._replace(a=os.remove).a('/etc/x')", policy.Ask},
		{"from typing import TypedDict\nclass D(TypedDict, total=False):\n    a: int\nd: D = {'a': 1}\nprint(d, D(a=2)['a'])", policy.Allow},
		{"from typing import TypedDict\nclass D(TypedDict, metaclass=M):\n    a: int\nprint(D(a=2))", policy.Ask},
		{"import json, datetime\nclass E(json.JSONEncoder):\n    def default(self, o):\n        if isinstance(o, datetime.date): return o.isoformat()\n        return super().default(o)\nprint(json.dumps({'d': datetime.date.today()}, cls=E))", policy.Allow},
		{"import json, os\nclass E(json.JSONEncoder):\n    def default(self, o): os.remove('/etc/x')\nprint(json.dumps({1, 2}, cls=E))", policy.Ask},
		{"from typing import Generic, TypeVar, Protocol\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def __init__(self, v: T): self.v = v\nclass Named(Protocol):\n    name: str\nprint(Box(3).v)", policy.Allow},
		{"class N:\n    __slots__ = ('v',)\n    def __init__(self, v): self.v = v\nprint(N(1).v)", policy.Allow},
		{"class A:\n    count = 0\n    def __init__(self): A.count += 1\nA()\nprint(A.count)", policy.Allow},
		{"import os\nclass A:\n    count = 0\nA.count = os.remove\nA.count('/etc/x')", policy.Ask},
		{"import tarfile\nclass A: pass\nx = tarfile.open('a.tar').next()\nx.name = '/etc/x'", policy.Ask},
		{"import sqlite3\nc = sqlite3.connect(':memory:')\nc.row_factory = sqlite3.Row\nc.execute('CREATE TABLE t (a)')\nc.execute('INSERT INTO t VALUES (?)', (1,))\nprint(c.execute('SELECT * FROM t').fetchall())", policy.Allow},
		{"import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute(\"ATTACH '/etc/x' AS x\")", policy.Ask},
		{"import sqlite3\nc = sqlite3.connect(':memory:')\nd = sqlite3.connect('a.db')\nd.execute('DROP TABLE t')", policy.Ask},
		{"import sqlite3\nc = sqlite3.connect(':memory:')\nd = getattr(sqlite3, 'connect')('a.db')\nd.execute('DROP TABLE t')", policy.Ask},
		{"import sqlite3\nc = sqlite3.connect(':memory:')\nd = sqlite3.dbapi2.connect('a.db')\nd.execute('DROP TABLE t')", policy.Ask},
		{"import sqlite3, os\nc = sqlite3.connect(':memory:')\nc.row_factory = lambda *a: os.remove('/etc/x')\nprint(c.execute('select 1').fetchall())", policy.Ask},
	} {
		if v := nodeVerdict(e, "python3 - <<'E'\n"+row.text+"\nE", ModeAcceptEdits); v.Decision != row.want {
			t.Errorf("%s\n%s, want %s: %s", row.text, v.Decision, row.want, v.Reason)
		}
	}
}
