package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonLoops: what loops go through that the tree shows, or that a pattern names, is
// what is read and written.
func TestPythonLoops(t *testing.T) {
	world := nodeWorld()
	for _, file := range []string{
		"far/x/y/z/credentials.json", "far/x/y/.claude/settings.json", "far/x/y/CLAUDE.md", "src/a.ts", "src/b.ts", "src/sub/c.ts", "src/sub/.d.ts", "data/a.json", "data/.b.json", "hooked/a.ts", "hooked/.git/hooks/b.ts",
		"hooked/.git/c.ts", "led/a.ts", "deep/x/a.ts", "deep/y/a.ts", "dirs/x/a.ts", "keys/a.txt", "keys/.env",
	} {
		world.WriteFile("/home/dev/project/"+file, "")
	}
	world.WriteFile("/etc/x/a.ts", "")
	world.Symlink("/etc/x/a.ts", "/home/dev/project/led/b.ts")
	world.Symlink("/etc/x/a.ts", "/home/dev/project/deep/y/b.ts")
	world.Symlink("/etc/x", "/home/dev/project/dirs/y")
	e := New(Options{Files: world})
	for _, row := range []struct {
		text string
		want policy.Decision
	}{
		{"for a, b in [('x.txt', 'y.txt'), ('p.txt', 'q.txt')]:\n    open(b, 'w').write(open(a).read())", policy.Allow},
		{"for a, b in [('x.txt', '/etc/y.txt'), ('p.txt', 'q.txt')]:\n    open(b, 'w').write(open(a).read())", policy.Ask},
		{"rows = [['a', 'x.txt']]\nfor a, b in rows:\n    open(b, 'w')", policy.Allow},
		{"rows = [['a', 'x.txt']]\nfor row in rows:\n    row[1] = '/etc/x'\nfor a, b in rows:\n    open(b, 'w')", policy.Ask},
		{"rows = [['a', 'x.txt']]\nrows[0][1] = '/etc/x'\nfor a, b in rows:\n    open(b, 'w')", policy.Ask},
		{"rows = [('a', ['x.txt'])]\nfor a, bs in rows:\n    bs.append('/etc/x')\n    for b in bs:\n        open(b, 'w')", policy.Ask},
		{"files = {'a.txt': 'x', 'src/b.txt': 'y'}\nfor name, text in files.items():\n    open(name, 'w').write(text)", policy.Allow},
		{"files = {'a.txt': 'x'}\nfiles['/etc/x'] = 'y'\nfor name, text in files.items():\n    open(name, 'w').write(text)", policy.Ask},
		{"files = {'a.txt': 'x'}\nfiles.update({'/etc/x': 'y'})\nfor name in files.keys():\n    open(name, 'w')", policy.Ask},
		{"for i, name in enumerate(['a', 'b'], 1):\n    open(f'made/{i}-{name}.txt', 'w')", policy.Allow},
		{"for i, name in enumerate(['a', '../../x']):\n    open(f'made/{name}', 'w')", policy.Ask},
		{"for a, b in zip(['a', 'b'], ('.txt', '.md')):\n    open('made/' + a + b, 'w')", policy.Allow},
		{"for a, b in zip(['a', 'b'], open('x')):\n    open('made/' + b, 'w')", policy.Ask},
		{"for i in range(3):\n    open(f'made/{i}.txt', 'w')", policy.Allow},
		{"for i in range(300):\n    open(f'made/{i:03d}.txt', 'w')", policy.Allow},
		{"import os\nfor i in range(1, 200, 7):\n    open(os.path.join('made', 'part-%s.csv' % i), 'w')", policy.Allow},
		{"for i in range(300):\n    open(f'/etc/{i}.txt', 'w')", policy.Ask},
		{"for i in range(300):\n    open(f'{i:/>9}', 'w')", policy.Ask},
		{"for i in range(2):\n    open(f'{i:/>3}', 'w')", policy.Ask},
		{"import json\nfor i in range(300):\n    open(f'made/{i}', 'w')\nopen('made/' + json.load(open('a')), 'w')", policy.Ask},
		{"import json\nfor i in range(300):\n    open(f'made/{i}.txt', 'w')\nfor i in json.load(open('a')):\n    open(f'made/{i}.txt', 'w')", policy.Ask},
		{"for i in range(2):\n    open(f'{i:{chr(47)}>3}', 'w')", policy.Ask},
		{"import os\nfor d, dirs, files in os.walk('src'):\n    dirs[:] = ['../..']\n    for n in files:\n        open(os.path.join(d, n), 'w')", policy.Ask},
		{"import os\nfor d, dirs, files in os.walk('src'):\n    dirs[:] = [x for x in dirs if x != 'sub']\n    for n in files:\n        open(os.path.join(d, n), 'w')", policy.Allow},
		{"import os\nfor d, dirs, files in os.walk('src'):\n    dirs[:] = ['../../etc' for x in dirs]\n    for n in files:\n        open(os.path.join(d, n), 'w')", policy.Ask},
		{"import os\nfor row in os.walk('src'):\n    row[1][:] = ['../..']\n    for n in row[2]:\n        open(os.path.join(row[0], n), 'w')", policy.Ask},
		{"for i in range(46, 300):\n    open(f'{i:c}' * 2 + '/x', 'w')", policy.Ask},
		{"import glob\nfor f in glob.glob('src/*.ts'):\n    open(f, 'w').write(open(f).read())", policy.Allow},
		{"import glob\nfor f in glob.glob('src/**/*.ts', recursive=True):\n    open(f, 'w').write(open(f).read())", policy.Allow},
		{"from pathlib import Path\nfor p in Path('src').rglob('*.ts'):\n    p.write_text(p.read_text())", policy.Allow},
		{"from pathlib import Path\nfor p in Path('data').glob('*.json'):\n    p.write_text(p.read_text())", policy.Allow},
		{"from pathlib import Path\nfor p in Path('hooked').rglob('*.ts'):\n    p.write_text(p.read_text())", policy.Ask},
		{"from pathlib import Path\nfor p in Path('hooked').rglob('*.md'):\n    p.write_text(p.read_text())", policy.Allow},
		{"from pathlib import Path\nfor p in Path('led').rglob('*.ts'):\n    p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('led').glob('*.ts'):\n    p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('deep').rglob('*.ts'):\n    p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('deep').glob('*/*.ts'):\n    p.write_text('x')", policy.Ask},
		{"import glob\nfor f in glob.glob('dirs/**/*.ts', recursive=True):\n    open(f, 'w')", policy.Ask},
		{"import os\nfor d, _, files in os.walk('src'):\n    for name in files:\n        p = os.path.join(d, name)\n        open(p, 'w').write(open(p).read())", policy.Allow},
		{"import os\nfor d, _, files in os.walk('hooked'):\n    for name in files:\n        open(os.path.join(d, name), 'w')", policy.Ask},
		{"import os\nfor d, _, files in os.walk('deep'):\n    for name in files:\n        open(os.path.join(d, name), 'w')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('far').rglob('*.json'):\n    print(p.read_text())", policy.Ask},
		{"import glob\nfor p in glob.glob('far/**/*.json', recursive=True):\n    print(open(p).read())", policy.Ask},
		{"from pathlib import Path\nfor p in Path('far').rglob('*.md'):\n    p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('far').rglob('*.txt'):\n    p.write_text('x')", policy.Allow},
		{"import os\nos.rename('a.txt', 'src/b.txt')\nos.replace('~', 'b')", policy.Allow},
		{"import os\nfor a, b in [('a', 'b'), ('c', 'd')]: os.rename(a, b)", policy.Allow},
		{"from pathlib import Path\nPath('a.txt').rename('b.txt')", policy.Allow},
		{"import os\nos.rename('a.txt', '/etc/b')", policy.Ask},
		{"import os\nos.rename('/etc/b', 'a.txt')", policy.Ask},
		{"from pathlib import Path\np = Path('a')\np = Path('/etc/x')\np.rename('b')", policy.Ask},
		{"import os\nos.rename('src', '.git/hooks')", policy.Ask},
		{"import os\nos.rename('data', 'yaml.py')\nimport yaml", policy.Ask},
		{"import os\nfrom pathlib import Path\nfor p in Path('src').rglob('*.ts'): p.write_text('x')\nos.rename('led/b.ts', 'src/z.ts')", policy.Ask},
		{"import os\nfor name in os.listdir('src'):\n    open(os.path.join('src', name), 'w')", policy.Allow},
		{"import os\nfor name in os.listdir('led'):\n    open(os.path.join('led', name), 'w')", policy.Ask},
		{"import os\nfor name in os.listdir('/etc'):\n    open(os.path.join('/etc', name), 'w')", policy.Ask},
		{"import os\nfor name in os.listdir('keys'):\n    print(open(os.path.join('keys', name)).read())", policy.Ask},
		{"from pathlib import Path\nfor p in Path('keys').rglob('*'):\n    print(p.read_text())", policy.Ask},
		{"from pathlib import Path\nfor p in Path('src').rglob('*.ts'):\n    p = Path('/etc/x')\n    p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('src').rglob('../*'):\n    p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('.').glob('*.md'):\n    p.write_text('x')", policy.Allow},
		{"from pathlib import Path\nfor p in Path('.').glob('*.py'):\n    p.write_text('x')", policy.Ask},
	} {
		if v := nodeVerdict(e, "python3 - <<'E'\n"+row.text+"\nE", ModeAcceptEdits); v.Decision != row.want {
			t.Errorf("%s\n%s, want %s: %s", row.text, v.Decision, row.want, v.Reason)
		}
	}
}
