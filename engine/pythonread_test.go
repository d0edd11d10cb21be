package engine

import (
	"slices"
	"strconv"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// pythonCommands are programs that start one which reads a secret, under a word that may be
// several, or of which nothing is known.
var pythonCommands = []string{
	"import subprocess\np = input() or '/home/dev/.ssh/id_rsa'\nsubprocess.run(['cat', p])",
	"import subprocess\nsubprocess.run(['cat', '.env' if input() else 'b'])",
	"import os, subprocess\np = '.env' if os.path.exists('.env') else '.env.example'\nprint(subprocess.run(['cat', p], capture_output=True).stdout)",
	"import subprocess, os\nsubprocess.run(['cat', os.environ['HOME'] + '/.ssh/id_rsa'])",
	"import subprocess, os\nsubprocess.run(['cat', f'{os.environ[\"HOME\"]}/.ssh/id_rsa'])",
	"import subprocess, os\nsubprocess.run(['cat', os.path.join('/home/dev/.ssh', input())])",
	"import subprocess\nfrom pathlib import Path\nsubprocess.run(['cat', Path('/home/dev/.ssh') / input()])",
	"import asyncio, os\nasync def main():\n    await asyncio.create_subprocess_exec('cat', os.environ['HOME'] + '/.ssh/id_rsa')\nasyncio.run(main())",
	"import subprocess\nnames = {'a': '.env', 'b': 'c'}\nsubprocess.run(['cat', names.get(input(), 'b').strip()])",
}

// pythonPlaces are programs that name the place of a secret in a way that is easily lost.
var pythonPlaces = []string{
	"import os\nd = os.environ['HOME'] + '/.ssh'\nfor f in os.listdir(d): print(open(d + '/' + f).read())",
	"import os\nprint(open(os.path.join(os.environ['HOME'], '.ssh', input())).read())",
	"import os\nprint(open(os.path.join(os.environ.get('HOME', '/root'), '.ssh', input())).read())",
	"import os, shutil\nshutil.copy(os.environ['HOME'] + '/.ssh/' + input(), 'x')",
	"import os, numpy as np\nnp.savetxt(os.environ['HOME'] + '/.bashrc', [1])",
	"print(open('%s%s' % ('/etc/sha', 'dow')).read())",
	"import os, pandas as pd\nprint(pd.read_csv(os.path.join('/root/.aws', input())))",
	"from importlib.metadata import distributions\nprint(list(distributions(path=['/home/dev/.ssh'])))",
	"import os\nprint(os.environ.setdefault('AWS_SECRET_ACCESS_KEY', ''))",
	"import os\nx = os.environ.setdefault('AWS_SECRET_ACCESS_KEY', '')\nprint(x)",
	"import os\nfor f in os.listdir('.'):\n    if f.endswith('.env'): print(open(f).read())",
	"import os\nfor f in os.listdir('.'):\n    if f.endswith('nv'): print(open(f).read())",
	"from pathlib import Path\nfor p in Path('.').rglob('*'):\n    if p.name.endswith('.env'): print(p.read_text())",
}

// pythonListings are programs that read all that a directory holds, whatever becomes of the
// names in between.
var pythonListings = []string{
	"from pathlib import Path\nfor p in Path('.').iterdir():\n    if p.is_file() and p.suffix in '.py': print(p.read_text())",
	"from pathlib import Path\nfor p in Path('.').rglob('*'):\n    if p.is_file() and p.suffix in ('.py.md'): print(p.read_text())",
	"import os\nfor f in os.listdir('.'):\n    try:\n        if not f.endswith('.py'): break\n    finally:\n        print(open(f).read())",
	"import os\ndef g():\n    for f in os.listdir('.'):\n        try:\n            if not f.endswith('.py'): return\n        finally:\n            print(open(f).read())\ng()",
	"import os\nfor f in os.listdir('.'):\n    try:\n        if not f.endswith('.py'): raise ValueError(1)\n    finally:\n        print(open(f).read())",
	"import os, sys\nfor f in os.listdir('.'):\n    try:\n        if not f.endswith('.py'): sys.exit()\n    finally:\n        print(open(f).read())",
	"import os\nfor f in os.listdir('.'):\n    try:\n        if f.endswith('.py'): print(1)\n        else: continue\n    finally:\n        print(open(f).read())",
	"import os\ndef g():\n    for f in os.listdir('.'):\n        try:\n            if not f.endswith('.py'): continue\n            yield f\n        finally: print(open(f).read())\nfor x in g(): print(x)",
	"from pathlib import Path\nfor p in Path('.').iterdir():\n    try:\n        if not p.suffix == '.py': continue\n    finally: print(p.read_text())",
	"import os, subprocess\nfor f in os.listdir('.'): print(subprocess.run(['cat', f], capture_output=True).stdout)",
	"import os\nfor e in os.scandir('.'): print(open(e.path).read())",
	"import os\nfor e in os.scandir(): print(open(e).read())",
	"import os\nwith os.scandir('.') as it:\n    for e in it: print(open(e.name).read())",
	"from pathlib import Path\nfor d, _, fs in Path('.').walk():\n    for f in fs: print((d / f).read_text())",
	"from pathlib import Path\nfor p in Path('.').iterdir(): print(p.resolve().read_text())",
	"from pathlib import Path\nfor p in Path('.').iterdir(): print(p.absolute().read_text())",
	"from pathlib import Path\nfor p in Path('.').iterdir(): print(p.relative_to('.').read_text())",
	"from pathlib import Path\nfor p in Path('.').iterdir(): print((p.parent / p.name).read_text())",
	"from pathlib import Path\nfor p in Path('.').iterdir(): print(open(p.name).read())",
	"import os\nfrom pathlib import Path\nfor d, _, fs in os.walk('.'):\n    for f in fs: print((Path(d) / f).read_text())",
	"import os\nfrom pathlib import Path\nfor d, _, fs in os.walk('.'):\n    for f in fs: print(Path(d, f).read_text())",
	"import os\nfor f in os.listdir('.'): print(open(os.path.abspath(f)).read())",
	"import os\nfor f in os.listdir('.'): print(open(f.strip()).read())",
	"import os\nfor f in map(str, os.listdir('.')): print(open(f).read())",
	"import itertools, os\nfor f in itertools.chain(os.listdir('.')): print(open(f).read())",
	"import fnmatch, os\nfor f in fnmatch.filter(os.listdir('.'), '*'): print(open(f).read())",
	"import os\nfrom concurrent.futures import ThreadPoolExecutor\ndef read(f): print(open(f).read())\nwith ThreadPoolExecutor() as pool: list(pool.map(read, os.listdir('.')))",
	"import os\nfor f in os.listdir('.'):\n    if not f.endswith('.py'): print(open(f).read())",
	"import os\nfor f in os.listdir('.'):\n    if f.endswith('.py') or f: print(open(f).read())",
	"import os\nfor f in os.listdir('.'):\n    if f.endswith('.py'): print(f)\n    print(open(f).read())",
	"import os\nlater = []\nfor f in os.listdir('.'):\n    if f.endswith('.py'): later.append(lambda: print(open(f).read()))\nfor g in later: g()",
	"import os\nl = os.listdir('.')\nfor f in l:\n    if f.endswith('.py') and (f := l[len(f)]): print(open(f).read())",
	"from pathlib import Path\nfor d in Path('.').glob('**'):\n    for f in d.iterdir(): print(f.read_text())",
	"from pathlib import Path\nfor d in Path('.').iterdir():\n    for f in d.iterdir(): print(f.read_text())\nfor f in Path('.').iterdir(): print(f.resolve().read_text())",
}

// pythonShown are programs whose code is said to come from a secret: Python shows the line of
// that file which a warning or an error is about.
var pythonShown = []string{
	"compile('return', '.env', 'exec')",
	"compile('1 is 1', filename='.env', mode='exec')",
	"try:\n    compile(source='1 is 1', filename='/home/dev/.ssh/id_rsa', mode='eval')\nexcept SyntaxError as e: print(e)",
	"import ast, warnings\nwarnings.simplefilter('always')\nast.parse('\"\\\\d\"', '.env')",
	"import ast\nprint(ast.dump(ast.parse('1 +', filename='/home/dev/.ssh/id_rsa')))",
	"from ast import parse\nparse('1 +', '.e' + 'nv', 'exec', type_comments=True)",
}

// pythonListedTold are programs that tell code of the project what a directory holds.
var pythonListedTold = []string{
	"import glob, pandas as pd\nfor f in glob.glob('.*'): print(pd.read_csv(f))",
	"import os, pandas as pd\nfor f in os.listdir('.'): print(pd.read_csv(f))",
	"import pandas as pd\nfrom pathlib import Path\nfor p in Path('.').iterdir(): print(pd.read_csv(p))",
	"import pandas as pd\nfrom pathlib import Path\nfor p in Path('.').rglob('*'): print(pd.read_csv(str(p)))",
	"import os, numpy as np\nfor d, _, fs in os.walk('.'):\n    for f in fs: print(np.loadtxt(os.path.join(d, f)))",
	"import glob, pandas as pd\nprint([pd.read_csv(f) for f in sorted(glob.glob('.*'))])",
}

// pythonQuiet are programs of the same kind that read no secret wherever they run.
var pythonQuiet = []string{
	"compile('return', '<string>', 'exec')\ncompile('1', '<x>', mode='eval')\ncompile(open('a.txt').read(), 'a.txt', 'exec')",
	"import ast, sys\nast.parse('1')\nast.parse('1', '<x>')\nprint(ast.dump(ast.parse(open('a.txt').read(), filename='a.txt', mode='exec')))\nfor f in sys.argv[1:]: ast.parse(open(f).read(), f)",
	"import os\nfor f in os.listdir('.'): print(f)",
	"import os\nwith os.scandir('.') as it:\n    for e in it: print(e.name, e.stat().st_size)",
	"def walk(d):\n    for e in d.iterdir():\n        if e.is_dir(): yield from walk(e)\n        else: yield e\nfrom pathlib import Path\nfor p in walk(Path('.')): print(p, p.stat().st_size)",
	"from pathlib import Path\nfor p in Path('.').rglob('*.py'): print(p.read_text())",
	"from pathlib import Path\nfor p in Path('.').rglob('*.json'): print(p.read_text())",
	"import os\nfor f in os.listdir('plain'): print(open(os.path.join('plain', f)).read())",
	"import os, pandas as pd\nfor f in os.listdir('.'):\n    if f.endswith('.csv'): print(pd.read_csv(f))",
	"import glob, pandas as pd\nfor f in glob.glob('*'): print(pd.read_csv(f))",
	"import pandas as pd\nfrom pathlib import Path\nfor p in Path('plain').rglob('*'): print(pd.read_csv(p))",
	"import pandas as pd\nfrom pathlib import Path\nfor p in Path('.').rglob('*.csv'): print(pd.read_csv(p))",
	"import os, subprocess\nfor f in os.listdir('plain'): print(subprocess.run(['wc', '-l', 'plain/' + f]))",
	"import os, subprocess\nfor f in os.listdir('plain'): print(subprocess.run(['git', 'log', '-1', '--', os.path.join('plain', f)]))",
	"import os, sys\nprint(os.listdir('plain'), open(sys.argv[1]).read())",
	"import os\nfor d, _, fs in os.walk('.'):\n    for f in fs:\n        if f.endswith('.py'): print(open(os.path.join(d, f)).read())",
	"import os\nfor d, _, fs in os.walk('.'):\n    for f in fs:\n        if not f.endswith('.py'): continue\n        print(open(os.path.join(d, f)).read())",
	"import os\nprint([len(open(f).read()) for f in os.listdir('.') if f.endswith('.py') and f])",
	"from pathlib import Path\nfor p in Path('.').rglob('*'):\n    if p.is_file() and p.suffix in {'.py', '.md'}: print(p.read_text())",
	"from pathlib import Path\nfor p in Path('.').iterdir():\n    if p.name.endswith('.py'): print(p.read_text())",
	"import subprocess\nfor ref in ['a', 'b']: print(subprocess.run(['git', 'log', '-1', ref if ref else 'HEAD']))",
	"import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'a.b')\nos.environ.setdefault('AWS_SECRET_ACCESS_KEY', 'x')",
	"import os, sys\nprint(open(os.path.join('plain', sys.argv[1])).read())",
}

// readsWorld is a project with directories of which some hold a secret, hidden among others.
func readsWorld() *disk.Memory {
	world := nodeWorld()
	for _, file := range []string{".env", ".gitignore", "a.txt", "plain/.gitignore", "plain/a.txt", "plain/sub/.hid/b.txt", "led/sub/.env", "full/.env"} {
		world.WriteFile("/home/dev/project/"+file, "x")
	}
	world.Mkdir("/home/dev/project/away")
	world.Symlink("sub", "/home/dev/project/led/link")
	world.Symlink("..", "/home/dev/project/plain/sub/up")
	for i := range maxLookedUp {
		world.WriteFile("/home/dev/project/full/"+strconv.Itoa(i)+".txt", "x")
	}
	return world
}

// TestPythonReads: a secret that a program reads is asked about, whatever becomes of its
// name before.
func TestPythonReads(t *testing.T) {
	world := readsWorld()
	judge := func(text string) Verdict { // in a file, of which the line names nothing
		world.WriteFile("/opt/tool.py", text)
		return nodeVerdict(New(Options{Files: world}), "python3 /opt/tool.py", ModeAcceptEdits)
	}
	for _, list := range [...][]string{pythonCommands, pythonPlaces, pythonListings, pythonShown, pythonListedTold} {
		for _, text := range list {
			v := judge(text)
			if v.Decision == policy.Allow {
				t.Errorf("%s\nis allowed", text)
			}
			for i := range v.Reasons {
				if v.Reasons[i].ID == "code.any" {
					t.Errorf("%s\nis not understood: %s", text, v.Reasons[i].Text())
				}
			}
		}
	}
	for _, text := range pythonQuiet {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}

// TestListingsElsewhere: where a directory holds no secret, to read all of it is no question.
func TestListingsElsewhere(t *testing.T) {
	e := New(Options{Files: readsWorld()})
	for _, text := range slices.Concat(pythonListings, pythonListedTold) {
		if v := nodeVerdict(e, "cd plain && python3 - <<'E'\n"+text+"\nE", ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}

// TestLookedUpAmongMany: a look at the disk that comes to no end leaves open what a hidden
// file may be, and nothing else.
func TestLookedUpAmongMany(t *testing.T) {
	e := New(Options{Files: readsWorld()})
	const read = "python3 -c \"import glob, os, pathlib\nfor f in "
	for _, row := range []struct {
		line string
		want policy.Decision
	}{
		{read + "os.listdir('full'): print(open('full/' + f).read())\"", policy.Ask},
		{read + "glob.glob('full/.*'): print(open(f).read())\"", policy.Ask},
		{read + "pathlib.Path('full').rglob('*'): print(f.read_text())\"", policy.Ask},
		{read + "pathlib.Path('full').rglob('*.py'): print(f.read_text())\"", policy.Allow},
		{read + "glob.glob('full/*.txt'): print(open(f).read())\"", policy.Allow},
		{read + "pathlib.Path('led').rglob('*'): print(f.read_text())\"", policy.Ask},
		{read + "pathlib.Path('led/link').rglob('*'): print(f.read_text())\"", policy.Ask},
		{read + "pathlib.Path('plain').rglob('*'): print(f.read_text())\"", policy.Allow},
		{"mkdir -p plain/out && cd plain && " + read + "os.listdir('.'): print(open(f).read())\"", policy.Allow},
		{"mkdir -p out; " + read + "glob.glob('.*'): print(open(f).read())\"", policy.Ask},
		{"mkdir -p full/out; " + read + "pathlib.Path('full').rglob('*.py'): print(f.read_text())\"", policy.Allow},
		{"cd plain && " + read + "os.listdir('.'): print(open(f).read())\" > out.txt", policy.Allow},
		{"cp a.txt plain/b.txt; " + read + "os.listdir('plain'): print(open('plain/' + f).read())\"", policy.Ask},
		{"cp a.txt plain/b.txt; " + read + "glob.glob('plain/*.txt'): print(open(f).read())\"", policy.Allow},
		{"cp a.txt plain/b.txt; " + read + "pathlib.Path('plain').rglob('*.py'): print(f.read_text())\"", policy.Allow},
		{"cp a.txt b.txt; " + read + "pathlib.Path('.').rglob('.e*'): print(f.read_text())\"", policy.Ask},
		{"cp a.txt plain/b.txt; " + read + "os.listdir('plain'): os.system('cat plain/' + f)\"", policy.Ask},
	} {
		if v := nodeVerdict(e, row.line, ModeAcceptEdits); v.Decision != row.want {
			t.Errorf("%s\n%s, want %s: %s", row.line, v.Decision, row.want, v.Reason)
		}
	}
}
