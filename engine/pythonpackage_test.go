package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// pythonPackages are programs that have a package run a text, or what a file of pickled
// objects says.
var pythonPackages = []string{
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('@pd.io.common.os.system(\"id\")'))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query(expr='@pd.x'))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('a.to_csv(\"/etc/x\")'))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('(a . to_csv) (\"/etc/x\")'))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query(input()))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query(*[input()]))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query(**{'expr': '@x'}))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('a.__class__'))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nq = df.query\nq('@x')",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(list(map(df.query, ['@x'])))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.groupby('a').query('@x'))",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.eval('a + 1'))",
	"import pandas as pd\nprint(pd.eval('1 + 1'))",
	"import numexpr as ne\nprint(ne.evaluate('1 + 1'))",
	"import pandas as pd\npd.read_pickle('a.pkl')", "from pandas import read_pickle\nread_pickle('a.pkl')", "import pandas as pd\npd.io.pickle.read_pickle('a.pkl')", "import pandas as pd\nf = pd.read_pickle\nf('a.pkl')",
	"import joblib\njoblib.load('a.pkl')", "from joblib import load\nload('a.pkl')", "import joblib as j\nprint(list(map(j.load, ['a.pkl'])))",
	"import numpy as np\nnp.load('a.npy', allow_pickle=True)", "import numpy as np\nnp.load('a.npy', allow_pickle=bool(input()))", "from numpy import load\nload('a.npy', allow_pickle=1)", "import numpy as np\nnp.load('a.npy', **{'allow_pickle': True})",
	"import torch\nt = torch.load\nt('a.pt')", "from torch import load\nload('a.pt')", "import torch\ngetattr(torch, 'load')('a.pt')", "import torch as t\nt.load('a.pt', **{'weights_only': False})",
	"import functools\nimport numpy as np\nfunctools.partial(np.load, allow_pickle=True)('a.npy')", "import numpy as np\nf = np.load\nf('a.npy', allow_pickle=True)",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\ngetattr(df, 'query')('@x')",
	"import torch\ntorch.load('a.pt')", "import torch\ntorch.load('a.pt', weights_only=False)", "import torch\ntorch.load('a.pt', map_location='cpu')",
	// Flags by their places, and by other names.
	"import numpy as np\nnp.load('a.npy', None, True)", "import numpy as np\nnp.load('a.npy', *[None, True])", "from numpy import load\nload('a.npy', None, True)", "from numpy import load as l\nl('a.npy', *input())",
	"import ruamel.yaml\nprint(ruamel.yaml.YAML(typ='unsafe').load('a'))", "from transformers import AutoModel\nAutoModel.from_pretrained('a/b', trust_remote_code=True)", "import keras\nkeras.saving.load('a.keras', safe_mode=False)",
	// Texts that lead from any object to all of Python, or are names of its functions.
	"import sympy\nprint(sympy.S(\"__import__('os').system('x')\"))", "import sympy\nprint(sympy.simplify(\"__import__('os').system('x')\"))", "import sympy\nprint(sympy.N(\"open('a', 'w')\"))", "from sympy import *\nprint(diff(\"exec ('x')\", 'x'))",
	"import sympy as sp\nprint(sp.lambdify('x', 'x.system(1)'))", "import sympy as sp\nt = '__imp' + 'ort__(\"os\")'\nprint(sp.S(t))",
	"import jinja2\nprint(jinja2.Template(\"{{ cycler.__init__.__globals__.os.popen('x').read() }}\").render())", "import jinja2\nprint(jinja2.Environment().from_string(\"{{ ''|attr('\\\\x5f\\\\x5fclass\\\\x5f\\\\x5f') }}\").render())",
	"from werkzeug.utils import import_string\nimport_string('os:system')('x')", "from django.utils.module_loading import import_string\nimport_string('os.remove')('x')", "import mymod\nmymod.go({'call': 'subprocess.run'})", "import mymod\nmymod.go('pty:spawn')", "import mymod\nfrom types import SimpleNamespace\nmymod.go(SimpleNamespace(a='shutil.rmtree'))",
	"import numpy as np\nnp.testing.runstring('a', {})", "import cython\ncython.inline('return 1')", "from mako.template import Template\nprint(Template('a').render())", "import jsonpickle\njsonpickle.decode('{}')", "import asteval\nasteval.Interpreter()('1')",
	"import keras\nkeras.models.load_model('a.h5')", "import tensorflow as tf\ntf.keras.models.load_model('a.h5')", "import mlflow\nmlflow.sklearn.load_model('a')", "import torch\ntorch.hub.load('a/b', 'c')",
	// Commands of Django.
	"from django.core.management import call_command\ncall_command('flush', '--noinput')", "from django.core import management\nmanagement.call_command('flush', interactive=False)", "from django.core.management import call_command as c\nc('migrate', 'app', 'zero')", "from django.core.management import call_command\ncall_command(input())",
	// Packages that talk, start, delete, serve, and read variables from files.
	"import git\ngit.Repo('.').git.push('--force')", "import sarge\nsarge.run('x')", "from huggingface_hub import upload_file\nupload_file(path_or_fileobj='a.txt', path_in_repo='x', repo_id='x/y')", "import nltk\nnltk.download('punkt')", "import wget\nwget.download('https://x.example')",
	"from send2trash import send2trash\nsend2trash('a')", "from pyarrow import fs\nfs.LocalFileSystem().delete_dir('a')", "import fsspec\nfsspec.filesystem('file').rm('a', recursive=True)", "import fire\nfire.Fire(print)", "import alembic", "import twine", "import pyperclip\npyperclip.paste()", "import papermill",
	"import uvicorn\nuvicorn.run('app:app', host='0.0.0.0')", "import flask\nflask.Flask('x').run(host='0.0.0.0')", "from flask import Flask\napp = Flask('x')\napp.run()", "from datasets import Dataset\nDataset.from_dict({}).push_to_hub('a/b')", "import wandb\nwandb.init(project='a')",
	"import dotenv\nprint(dotenv.dotenv_values())", "from dotenv import load_dotenv\nload_dotenv()", "import pandas as pd\nprint(pd.read_clipboard())",
}

// pythonPackagesRead are programs that have packages compare and read.
var pythonPackagesRead = []string{
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('a > 1.5 and b == \"x.y\"').head())",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('a in (1, 2) and b.c > 1', engine='python'))",
	"from db import conn\nprint(conn.query('SELECT count(*) FROM t WHERE t.a IN (1, 2)'))",
	"from db import session, User\nprint(session.query(User).filter(User.id == 1).count())",
	"import numpy as np\nprint(np.load('a.npy').shape)", "import numpy as np\nprint(np.load('a.npy', allow_pickle=False).shape)",
	"import torch\nprint(torch.load('a.pt', weights_only=True))", "import pandas as pd\nprint(pd.read_csv('a.csv').describe())", "import joblib\nprint(joblib.__version__)",
	"import numpy as np\nprint(np.load('a.npy', None, False).shape, np.load('b.npy', 'r').shape)", "import ruamel.yaml\nprint(ruamel.yaml.YAML(typ='safe').load(open('a.yaml')))",
	"import sympy as sp\nx = sp.symbols('x')\nprint(sp.simplify('sin(x)**2 + cos(x)**2'), sp.S('1.5*x'), sp.diff('x**2', 'x'), sp.solve(x**2 - 1))",
	"import jinja2\nprint(jinja2.Template('Hello {{ name }}{% for a in b %}{{ a.c }}{% endfor %}').render(name='a', b=[]))",
	"from django.utils.module_loading import import_string\nprint(import_string('app.models.A'))", "import app\nprint(app.load('code.csv'), app.load('test.py'), app.load('trace.json'), app.find('os.path'), app.get('json.loads'))",
	"import app\nfrom unittest.mock import patch\nwith patch('app.f'):\n    app.g()", "import app\nprint('os.system' in app.source(), app.names() == ['subprocess.run'])",
	"import app\napp.write('__label__a b')\nprint(app.filter('user__name__icontains'), app.scan('src/__tests__/a.js'), app.load('a/__init__.py'))",
	"from django.core.management import call_command\ncall_command('check')\ncall_command('loaddata', open('a').read())\ncall_command('migrate', 'app', '0001')",
	"from django.core.management import call_command\nfrom django.core.management.base import BaseCommand\nclass C(BaseCommand):\n    def handle(self, *a, **k): print(a)\ncall_command(C(), a=1)",
	"import transformers, wandb, nltk, flask, keras\nprint(transformers.__version__, wandb.__version__, nltk.word_tokenize('a b'), flask.__version__, keras.__version__)",
	"from flask import Flask\napp = Flask('x')\n@app.route('/')\ndef f(): return 'x'\nprint(app.test_client().get('/').data)", "from app import app\nwith app.test_client() as c:\n    print(c.get('/').status_code)",
	"import app, io\nfor m in ('GET', 'HEAD'):\n    h = app.H(io.BytesIO(), {'M': m})\n    h.run(app)\n    h.log('x')\n    h.move(1)",
}

func TestPythonPackagesRun(t *testing.T) {
	judge := func(text string) Verdict {
		return nodeVerdict(New(Options{Files: nodeWorld()}), "python3 - <<'E'\n"+text+"\nE", ModeAcceptEdits)
	}
	for _, text := range pythonPackages {
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range pythonPackagesRead {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
