package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// foundElsewhere are programs that create files whose names were found in another directory.
var foundElsewhere = []string{
	"import os\nfor f in os.listdir('tmpl'):\n    if f.endswith('.toml'): open(f, 'w').write('x')",
	"import os\nfor f in os.listdir('tmpl'):\n    if not f.endswith('.json'): continue\n    open(f, 'w').write('x')",
	"import os\nfor f in os.listdir('tmpl'):\n    if f.endswith(('.json', 'rc')): open(f, 'w').write('x')",
	"import os\nfor f in os.listdir('tmpl'):\n    if f.endswith('.json'): open('out/' + f, 'w').write('x')",
	"import os\nfor f in os.listdir('tmpl'):\n    if f.endswith('.json'): open(os.path.join('out', f), 'w').write('x')",
	"import os\nfor f in os.listdir(input()):\n    if f.endswith('.toml'): open(f, 'w').write('x')",
	"import os\nfor f in os.listdir('/home/dev/project/tmpl'):\n    if f.endswith('.toml'): open(f, 'w').write('x')",
	"import os\nnames = [f for f in os.listdir('tmpl') if f.endswith('.toml')]\nfor f in names: open(f, 'w').write('x')",
	"import os\nfor r, ds, fs in os.walk('tmpl'):\n    for f in fs:\n        if f.endswith('.json'): open(f, 'w').write('x')",
	"import os\nfor r, ds, fs in os.walk('tmpl'):\n    for f in fs:\n        if f.endswith('.json'): open(os.path.join('out', f), 'w').write('x')",
	"import os\nfor r, ds, fs in os.walk('.'):\n    for f in fs:\n        if f.endswith('.json'): open(os.path.join('out', r, f), 'w').write('x')",
	"import os, shutil\nfor f in os.listdir('tmpl'):\n    if f.endswith('.txt'): shutil.copy('tmpl/' + f, f)",
	"import os\nfor e in os.scandir('tmpl'):\n    if e.name.endswith('.json'): open(e.name, 'w').write('x')",
	"from pathlib import Path\nfor p in Path('tmpl').iterdir():\n    if p.suffix == '.json': Path(p.name).write_text('x')",
	"from pathlib import Path\nfor p in Path('tmpl').glob('*.json'):\n    (Path('out') / p).write_text('x')",
	"import glob\nfor p in glob.glob('tmpl/*.toml'):\n    open('out/' + p, 'w').write('x')",
}

// foundThere are programs that change files where they were found, or read them.
var foundThere = []string{
	"import os\nfor f in os.listdir('.'):\n    if f.endswith('.txt'): open(f, 'w').write('x')",
	"import os\nfor f in os.listdir():\n    if f.endswith('.txt'): open(f, 'w').write('x')",
	"import os\nfor f in os.listdir('tmpl'):\n    if f.endswith('.json'): open('tmpl/' + f, 'w').write('x')",
	"import os\nd = 'tmpl'\nfor f in sorted(os.listdir(d)):\n    p = os.path.join(d, f)\n    if f.endswith('.json'): open(p, 'w').write('x')",
	"import os\nfor d in ['tmpl', 'lib']:\n    for f in os.listdir(d):\n        p = os.path.join(d, f)\n        open(p, 'w').write('x')",
	"import os\nfor f in os.listdir('./tmpl'):\n    if f.endswith('.json'): open('tmpl/' + f, 'w').write('x')",
	"import os\nd = os.path.abspath('tmpl')\nfor f in os.listdir(d):\n    if f.endswith('.json'): open('tmpl/' + f, 'w').write('x')",
	"import os\nfor r, ds, fs in os.walk('tmpl'):\n    for f in fs:\n        if f.endswith('.json'): open(os.path.join(r, f), 'w').write('x')",
	"import os\nfor r, ds, fs in os.walk('.'):\n    for f in fs:\n        if f.endswith('.md'): open(r + '/' + f).read()",
	"from pathlib import Path\nfor p in Path('tmpl').rglob('*.json'):\n    p.write_text(p.read_text().replace('a', 'b'))",
	"from pathlib import Path\nfor p in Path('tmpl').iterdir():\n    if p.suffix == '.json': p.write_text('x')",
	"import glob\nfor p in glob.glob('tmpl/*.json'):\n    open(p, 'w').write('x')",
	"import glob, os\nfor p in glob.glob('tmpl/*.json'):\n    open(os.path.abspath(p), 'w').write('x')",
	"import os\nfor f in os.listdir('tmpl'):\n    if f.endswith('.txt'): print(open(f).read())",
}

// TestPythonFound: the names that were found in a directory are known by their patterns there,
// and are any such names elsewhere.
func TestPythonFound(t *testing.T) {
	world := nodeWorld()
	for _, file := range []string{"a.txt", "tmpl/a.json", "tmpl/b/c.json", "out/x", "pyproject.toml"} {
		world.WriteFile("/home/dev/project/"+file, "x")
	}
	judge := func(text string) Verdict {
		return nodeVerdict(New(Options{Files: world}), "python3 - <<'E9'\n"+text+"\nE9", ModeAcceptEdits)
	}
	for _, text := range foundElsewhere {
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range foundThere {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", text, v.Decision, v.Reason)
		}
	}
}
