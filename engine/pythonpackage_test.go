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
}

// pythonPackagesRead are programs that have packages compare and read.
var pythonPackagesRead = []string{
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('a > 1.5 and b == \"x.y\"').head())",
	"import pandas as pd\ndf = pd.read_csv('a.csv')\nprint(df.query('a in (1, 2) and b.c > 1', engine='python'))",
	"from db import conn\nprint(conn.query('SELECT count(*) FROM t WHERE t.a IN (1, 2)'))",
	"from db import session, User\nprint(session.query(User).filter(User.id == 1).count())",
	"import numpy as np\nprint(np.load('a.npy').shape)", "import numpy as np\nprint(np.load('a.npy', allow_pickle=False).shape)",
	"import torch\nprint(torch.load('a.pt', weights_only=True))", "import pandas as pd\nprint(pd.read_csv('a.csv').describe())", "import joblib\nprint(joblib.__version__)",
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
