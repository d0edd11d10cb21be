package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// pythonTold are programs in which a secret's name, a place or a machine gets to code of
// others by no argument of a call that the reader follows.
var pythonTold = []string{
	"import app, os\nos.environ['A_B'] = '/tmp/zz'\napp.f()", // as in the shell
	"import app, os\nos.environ.setdefault('A_B', '/root/.ssh/id_rsa')\napp.f()",
	// Through objects.
	"import enum, pandas as pd\nclass P(enum.Enum): ENV = '.env'\nprint(pd.read_csv(P.ENV.value))",
	"import pandas as pd\nfrom types import SimpleNamespace\nc = SimpleNamespace(out='/etc/zz')\npd.DataFrame().to_csv(c.out)",
	"import json, pandas as pd\nc = json.loads('{\"out\": \"/home/u/.bashrc\"}')\npd.DataFrame().to_csv(c['out'])",
	"import argparse, pandas as pd\np = argparse.ArgumentParser()\np.add_argument('-f', default='/home/u/.aws/credentials')\nprint(pd.read_csv(p.parse_args([]).f))",
	"import pandas as pd\nd = dict(a='.env')\nprint(pd.read_csv(list(d.values())[0]))",
	"import pandas as pd\nfrom collections import OrderedDict\nd = OrderedDict(a='.env')\nprint(pd.read_csv(d['a']))",
	"import pandas as pd\nfrom collections import Counter\nfor k in Counter(['.env']): print(pd.read_csv(k))",
	"import pandas as pd\nfrom collections import namedtuple\nN = namedtuple('N', 'a')\nprint(pd.read_csv(N('.env').a))",
	"import io, pandas as pd\nprint(pd.read_csv(io.StringIO('.env').read()))",
	"import pandas as pd\nclass C:\n    f = '.env'\nprint(pd.read_csv(C.f))",
	"import pandas as pd\nclass C:\n    def __init__(self, f): self.f = f\nprint(pd.read_csv(C('.env').f))",
	"import pandas as pd\nprint(pd.read_csv(str(Exception('.env'))))",
	"import textwrap, pandas as pd\nprint(pd.read_csv(textwrap.dedent('  .env').strip()))",
	"import pandas as pd\nf = open('/tmp/a.csv')\nprint(pd.read_csv(f.name + 'x'))",
	// By functions of the library that call what they are handed.
	"import pandas as pd\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as t: print(list(t.map(pd.read_csv, ['.env'])))",
	"import numpy as np\nprint(min(['/home/u/.ssh/id_rsa', 'x'], key=np.fromfile))",
	"import pandas as pd, functools\nfunctools.partial(pd.DataFrame().to_csv, '/etc/zz')()",
	"import numpy as np, threading\nthreading.Thread(target=np.savetxt, args=('/etc/zz', [1])).start()",
	"import asyncio, pandas as pd\nasync def m(): print(await asyncio.to_thread(pd.read_csv, '.env'))\nasyncio.run(m())",
	"import numpy as np\nprint(sorted(['.env', 'a'], key=np.fromfile))", "import numpy as np\nprint(list(filter(np.fromfile, ['.env'])))",
	"import functools, numpy as np\nprint(functools.reduce(np.fromfile, ['.env', 'float']))", "import itertools, numpy as np\nprint(list(itertools.starmap(np.fromfile, [('.env', 'float')])))",
	"import re, mymod\nre.sub('.+', mymod.f, '.env')", "import json, mymod\njson.loads('{\"a\": \".env\"}', object_hook=mymod.f)",
	// Through the language.
	"import mymod\nclass B(mymod.A):\n    path = '/etc/zz'\nB().go()", "import mymod\nmymod.call(lambda: '.env')",
	"import mymod\nmymod.a['.env']", "import mymod\nprint(f'{mymod.a:/etc/zz}')", "import mymod\ndel mymod.a['.env']", "import mymod\nprint('.env', file=mymod.a)",
	"import json, mymod\njson.dump('.env', mymod.a)", "import contextlib, mymod\nwith contextlib.redirect_stdout(mymod.a): print('.env')", "from mymod import *\nprint('.env')",
	"import pandas as pd\nprint(pd.read_csv('X.env'.lstrip('X')))", "import pandas as pd\npd.DataFrame().to_csv(open('a.txt').read() or '/etc/zz')",
	"import pandas as pd\nfrom types import SimpleNamespace\nc = SimpleNamespace(a='/et' + 'c/zz')\npd.DataFrame().to_csv(c.a)",
	"import pandas as pd\nfrom types import SimpleNamespace\nc = SimpleNamespace(a=f'{input()}/.ssh/id_rsa')\npd.read_csv(c.a)",
	// What goes to a function that facts know goes elsewhere, too.
	"import mymod, os\nfrom types import SimpleNamespace\np = '/etc/zz'\nprint(os.path.exists(p), p)\nmymod.f(SimpleNamespace(a=p))",
	"import mymod, os\nfrom types import SimpleNamespace\np = q = '/etc/zz'\nprint(p)\nmymod.f(SimpleNamespace(a=q))",
	"import mymod\nfrom types import SimpleNamespace\ndef f(a): return SimpleNamespace(b=a)\nmymod.f(f('/etc/zz').b)",
	"import mymod, os\nfrom types import SimpleNamespace\nos.environ['A_B'] = '/etc/zz'\nmymod.f(SimpleNamespace(a=os.environ['A_B']))",
	"import mymod, requests\nfrom types import SimpleNamespace\nr = requests.get('http://localhost/a/../../x')\nmymod.f(SimpleNamespace(a='https://x.example'))",
	"import mymod\nfrom pathlib import Path\nfrom types import SimpleNamespace\np = Path('/etc/zz')\nprint(p.exists())\nmymod.f(SimpleNamespace(a=p.parent))",
	"import mymod\ntry: raise ValueError('/etc/zz')\nexcept ValueError as e: mymod.f(e.args[0])",
	"import mymod\ndef f():\n    '/etc/zz'\nclass A: b = f'{1}/../../../etc/zz'\nmymod.f(A)",
	"import mymod, re\nm = re.match('/etc/zz', 'x')\nmymod.go(lambda: m.re.pattern)", "import mymod, re\np = re.compile('/etc/zz')\nmymod.go(lambda: p.pattern)",
	"import mymod, sys\nsys.path.append('/etc/zz')\nmymod.go(lambda: sys.path[-1])", "import mymod\ntry:\n    raise ValueError('/etc/zz')\nexcept Exception:\n    import sys\n    mymod.go(lambda: sys.exc_info())",
	"import mymod\nclass A(mymod.A):\n    '/etc/zz'\nmymod.go(A)", "import mymod\na = '.'\na += 'env'\nmymod.go(lambda: a)",
	"\"\"\"Writes /etc/zz now.\"\"\"\nimport mymod\nmymod.f(__doc__.split()[1])",
	// In a text that is written in another way.
	"import numpy as np, base64\nnp.savetxt(base64.b64decode('L2V0Yy96eg==').decode(), [1])", "import pandas as pd, base64\nt = 'aHR0cHM6Ly94LmV4YW1wbGUvYQ=='\npd.read_csv(base64.b64decode(t).decode())",
	"import numpy as np\nnp.savetxt(bytes.fromhex('2f6574632f7a7a').decode(), [1])",
	// What was found may be any of it.
	"import pandas as pd, glob\nfor f in glob.glob('.*'): print(pd.read_csv(f))", "import pandas as pd, os\nfor f in os.listdir('.'): print(pd.read_csv(f))",
}

// pythonToldNothing are programs in which such constants go to functions that facts know,
// or to nobody.
var pythonToldNothing = []string{
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint('see https://x.example/docs and /etc/hosts', df.shape)",
	"\"\"\"Loads /etc/hosts, see https://x.example\"\"\"\nimport mymod\ndef f():\n    \"\"\"Reads ~/.ssh/config.\"\"\"\n    return mymod.a()\nprint(f())",
	"import mymod, os\nfor root, dirs, files in os.walk('src'):\n    for f in files:\n        p = os.path.join(root, f)\n        if '/node_modules/' in p or p.split('/')[0] == '/' or f.endswith('.env'): continue\n        print(p.replace('/', '__'))\nprint(mymod.a)",
	"import numpy as np\ns = '''a,b\n1,2'''\nx = [float(t) for t in s.split('\\n')[1].split(',')]\nprint(np.mean(x), f'{1}/{2}', '/'.join(['a', 'b']))",
	"import app\nfrom pathlib import Path\np = Path('/tmp/zz/x.json')\nprint(p.exists(), app.__version__)",
	"import app\nfrom pathlib import Path\nif Path('/etc/os-release').exists(): print(open('/etc/os-release').read())\nprint(app.f())",
	"import app, re\nt = open('README.md').read()\nprint(re.findall(r'https?://[^\\s)]+', t), re.sub(r'^/+', '', t))\nprint(app.a)",
	"import app, subprocess\nprint(subprocess.run(['ls', '/etc'], capture_output=True, text=True).stdout, app.x)",
	"import app, json\nc = json.load(open('package.json'))\nassert c['repository']['url'] == 'https://github.com/x/y', c\nprint(app.f(1))",
	"import app, unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(app.url('x'), 'https://x.example/x')\n        self.assertEqual(app.path('x'), '/var/x')\nunittest.main()",
	"import app, logging\nlogging.basicConfig(level=logging.INFO, format='%(asctime)s')\nlogging.info('see https://x.example')\nlog = logging.getLogger('a')\nlog.info('in /var/log/a')\napp.f()",
	"import pandas as pd\nfrom pathlib import Path\nout = Path('/tmp/zz')\nfor p in sorted(out.glob('*.csv')):\n    print(p.name, p.stat().st_size)\nprint(pd.__version__)",
	"import pandas as pd\nimport os\nd = '/tmp/zz'\nfor f in sorted(os.listdir(d)):\n    p = os.path.join(d, f)\n    print(f, os.path.getsize(p))\nprint(pd.__version__)",
	"import pandas as pd, json\nwith open('/tmp/zz/a.json') as f: d = json.load(f)\nprint(d['a'], pd.DataFrame(d).shape)",
	"import app\ndef show(p):\n    print(p, open(p).read())\nfor p in ['/tmp/a', '/tmp/b']: show(p)\nshow('/tmp/c')\nprint(app.x)",
	"import app\ntry:\n    app.f()\nexcept Exception as e:\n    print('failed, see https://x.example/issues', e)\n    raise SystemExit('see https://x.example/issues')",
	"import app, sys\nif len(sys.argv) < 3: sys.exit('usage: see https://x.example')\nprint(app.f('a'))",
	"from types import SimpleNamespace\nimport app\nr = SimpleNamespace(path='/admin/a/1', method='GET')\nprint(app.view(r))",
	"import app\ndata = {'next': '/login2/'}\nr = app.client.get('/users/1')\nprint(r['Location'] == '/login2/')",
	"\"\"\"Loads /etc/hosts, see https://x.example.\"\"\"\nimport sys, app\nif len(sys.argv) > 3: sys.exit(__doc__)\nprint(__doc__, app.f(1))",
	"import app\nmatch app.f():\n    case '/etc/hosts': print(1)\n    case _: print(2)",
}

func TestPythonTold(t *testing.T) {
	judge := func(text string) Verdict {
		world := nodeWorld()
		world.WriteFile("/home/dev/project/.env", "A=1")
		world.WriteFile("/home/dev/project/mymod.py", "")
		world.WriteFile("/home/dev/project/app.py", "")
		world.WriteFile("/etc/hosts", "")
		return nodeVerdict(New(Options{Files: world}), "python3 - <<'E'\n"+text+"\nE", ModeAcceptEdits)
	}
	for _, text := range pythonTold {
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range pythonToldNothing {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
