package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// pythonLive are programs that change what Python's library reads again when it likes.
var pythonLive = []string{
	"import sys\nw = sys.warnoptions\nw += ['x']\nimport warnings",
	"import sys\nsys.warnoptions += ['x']",
	"import sys\nsys.warnoptions[0] = 'x'",
	"import sys\nsys.warnoptions[0:0] = ['x']",
	"import sys\nlist.append(sys.warnoptions, 'x')",
	"import sys, random\nrandom.shuffle(sys.warnoptions)",
	"import sys, heapq\nheapq.heappush(sys.warnoptions, 'x')",
	"import sys, bisect\nbisect.insort(sys.warnoptions, 'x')",
	"import sys\nfor l in [sys.warnoptions]: l.append('x')",
	"import sys\ndel sys.warnoptions[0]",
	"import sys\nsys.path_importer_cache |= {}",
	"import sys\nsys.path_importer_cache.update({})",
	"import sys\nsys.path_importer_cache.clear()",
	"import sys\nsys.path_importer_cache.setdefault('a', 1)",
	"import sys\nsys.path_importer_cache['/a'] = sys.path_importer_cache['/tmp/x']",
	"import sys\ndict.update(sys.path_importer_cache, {})",
	"import sys\nl = []\nl.append(sys.warnoptions)\nl[0].append('x')",
	"import sys\ndef f(l): l.append('x')\nf(sys.warnoptions)",
	"import sys\nd = {'a': sys.warnoptions}\nd['a'].extend(['x'])",
	"import sys, json\nx = json.loads('{}').get('a', sys.warnoptions)\nx.append('y')",
	"import sys\nx = max([sys.warnoptions], key=len)\nx.append('y')",
	"import sys\nx = sys.warnoptions or []\nx.append('y')",
	"import sys, functools\nfunctools.reduce(lambda a, b: a.append(b) or a, ['error::antigravity.x'], sys.warnoptions)",
	"import sys, operator\noperator.iadd(sys.warnoptions, ['x'])",
	"import xml, importlib.util as u\nu.find_spec('xml').submodule_search_locations.insert(0, '/tmp/x')\nimport xml.etree.ElementTree",
	"import xml, importlib.util as u\nu.find_spec('xml').submodule_search_locations[:] = ['/tmp/x']\nimport xml.etree.ElementTree",
	"import sys\n(lambda l=sys.warnoptions: l.append('x'))()",
	"import sys\nfor sys.warnoptions[0] in ['x']: pass",
	"import sys\nmap(sys.warnoptions.append, ['x'])",
	"import sys, copy\ncopy.copy(sys.warnoptions).append('x')",
	"import sys, asyncio\nasync def f(): return sys.warnoptions\nasync def g(): (await f()).append('x')\nasyncio.run(g())",
	"import sys\nd = dict(a=sys.warnoptions)\nx = d.get('b')\nfor k in d.values(): del k[0]",
	"import sys, json, queue\nq = queue.Queue()\nq.put(sys.warnoptions)\nq.get().append('x')",
	"import sys, queue\nq = queue.Queue()\nq.put(sys.warnoptions)\nq.get()[0] = 'x'",
	"import sys\ndict.update(sys.modules, {})",
	"import sys, itertools\nfor x in itertools.chain([sys.warnoptions]): x.insert(0, 'y')",
	"import sys, itertools\nfor x in itertools.chain([sys.warnoptions]): x += ['y']",
}

// pythonViews are programs that only look at that.
var pythonViews = []string{
	"import sys\nprint(sys.warnoptions, len(sys.warnoptions), list(sys.warnoptions), sys.warnoptions[1:], 'a' in sys.warnoptions)",
	"import sys\nfor k, v in sys.path_importer_cache.items(): print(k, v)",
	"import sys\nprint(sys.orig_argv)",
	"import importlib.util as u\nprint(u.find_spec('xml').submodule_search_locations)",
	"import importlib.util as u\nprint(list(u.find_spec('xml').submodule_search_locations)[0])",
	"import importlib.util as u, os\nprint(os.listdir(u.find_spec('xml').submodule_search_locations[0]))",
	"import sysconfig\nprint(sysconfig.get_config_vars().get('CC'), sysconfig.get_config_vars()['CC'])\nfor k, v in sorted(sysconfig.get_config_vars().items()): print(k, v)",
	"import keyword\nprint('if' in keyword.kwlist, len(keyword.kwlist), sorted(keyword.kwlist))",
	"import hashlib\nprint(sorted(hashlib.algorithms_available))",
	"import hashlib\nprint(hashlib.algorithms_guaranteed - {'md5'}, {'md5'} & hashlib.algorithms_available)",
	"import errno\nprint(errno.errorcode[2], errno.errorcode.get(3))",
	"import html.entities as h\nprint(h.name2codepoint['amp'], {**h.html5})",
	"import sys\nprint(dict(sys.path_importer_cache))",
}

// pythonForeign are lines that write what Python's library looks for elsewhere.
var pythonForeign = []string{
	"python3 - <<'E'\nimport zoneinfo\nopen('tzdata.py', 'w').write('x')\nzoneinfo.ZoneInfo('a/b')\nE",
	"python3 - <<'E'\nimport sysconfig\nopen('_sysconfigdata__x86_64-linux-gnu.py', 'w').write('x')\nsysconfig.get_config_vars()\nE",
	"python3 - <<'E'\nimport os\nos.makedirs('org/python')\nopen('org/python/core.py', 'w').write('x')\nimport copy\nE",
	"python3 - <<'E'\nimport os\nos.makedirs('tzdata/zoneinfo')\nopen('tzdata/zoneinfo/x.py', 'w').write('x')\nimport copy\nE",
	"printf 'x' > org.py; python3 -c 'import copy'",
	"printf 'x' > tzdata.py; python3 -c 'print(1)'",
	"printf x > _sysconfigdata_x.py; python3 -c 'import sysconfig'",
	"cp -r /tmp/x hashlib; python3 -c 'import random'",
	"cp -r /tmp/x org; python3 -c 'import random'",
	"mkdir -p org/python; printf x > org/python/core.py; python3 -c 'import copy'",
	"mkdir -p org/python; cp a.txt org/python/core.py; python3 -c 'import copy'",
	"mv x tzdata; python3 -c 'import zoneinfo'",
}

// pythonOwnNames are lines that write files beside which no import looks.
var pythonOwnNames = []string{
	"mkdir -p org tests; printf x > org/a.txt; python3 -c 'import copy'",
	"mkdir -p test; cp a.txt test; python3 -c 'import json'",
	"touch code; python3 -c 'print(1)'",
	"mkdir -p json; printf x > json/a.py; python3 -c 'import random'",
}

func TestPythonLive(t *testing.T) {
	judge := func(line string) Verdict { return nodeVerdict(New(Options{Files: nodeWorld()}), line, ModeAcceptEdits) }
	for _, text := range pythonLive {
		if v := judge("python3 - <<'E'\n" + text + "\nE"); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range pythonViews {
		if v := judge("python3 - <<'E'\n" + text + "\nE"); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
	for _, line := range pythonForeign {
		if v := judge(line); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
	for _, line := range pythonOwnNames {
		if v := judge(line); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", line, v.Decision, v.Reason)
		}
	}
}
