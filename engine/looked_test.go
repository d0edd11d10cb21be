package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestLookedUpBelow: where more of a path stands behind what a program found, the file
// that is meant lies below each name that it may have found, a hidden one or a link, and
// whether it is there or not.
func TestLookedUpBelow(t *testing.T) {
	world := nodeWorld()
	for _, file := range []string{
		"plain/a/x.txt", "plain/b/x.txt", "plain/.notes/x.txt", "plain/.list", "vendor/a/x.txt", "vendor/.git/config", "h/a/x.txt", "h/.hid/y.txt",
		"deep/a/b/.claude/x.txt", "two/a/.git/config", "names/a.txt", "names/.git/hooks/x.sample", "ends/a.d/x.txt", "ends/.lnk.d/x.txt",
	} {
		world.WriteFile("/home/dev/project/"+file, "")
	}
	world.WriteFile("/srv/other/victim.py", "")
	world.WriteFile("/srv/other/sub/x.txt", "")
	world.Symlink("/srv/other", "/home/dev/project/h/.lnk")
	world.Symlink("/srv/other", "/home/dev/project/h2/.lnk")
	world.Symlink(".lnk", "/home/dev/project/h2/.led")
	world.Symlink("/srv/other", "/home/dev/project/two/b/.lnk")
	world.Symlink("/srv/other", "/home/dev/project/seen/lnk")
	e := New(Options{Files: world})
	for _, row := range []struct {
		text string
		want policy.Decision
	}{
		{"import os\nfor n in os.listdir('plain'): open('plain/' + n + '/x.txt', 'w').write('x')", policy.Allow},
		{"import os\nfor n in os.listdir('plain'): open('plain/' + n + '/new/er.txt', 'w').write('x')", policy.Allow},
		{"from pathlib import Path\nfor p in Path('plain').iterdir(): (p / 'new.txt').write_text('x')", policy.Allow},
		{"from pathlib import Path\nfor p in Path('plain').glob('*/x.txt'): p.write_text('x')", policy.Allow},
		{"from pathlib import Path\nfor p in Path('plain').glob('*/x.txt'): print((p.parent / 'y.txt').read_text())", policy.Allow},
		{"from pathlib import Path\nfor p in Path('vendor').rglob('x.txt'): p.write_text('x')", policy.Allow},
		{"import os\nfor n in os.listdir('vendor'): print(open('vendor/' + n + '/package.json').read())", policy.Allow},
		{"import os\nfor n in os.listdir('vendor'): open('vendor/' + n + '/hooks/pre-commit', 'w').write('x')", policy.Ask},
		{"import os\nfor n in os.listdir('vendor'): open(os.path.join('vendor', n, 'hooks', 'pre-commit'), 'w').write('x')", policy.Ask},
		{"import os\nfor n in os.listdir('vendor'): open(f'vendor/{n}/config', 'w').write('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('vendor').iterdir(): (p / 'hooks' / 'pre-commit').write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('vendor').rglob('*'): (p / 'hooks/pre-commit').write_text('x')", policy.Ask},
		{"import os\nfor d, dirs, files in os.walk('vendor'): open(os.path.join(d, 'hooks/pre-commit'), 'w')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('names').rglob('hooks'): (p / 'pre-commit').write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('.').glob('*/*/hooks'): (p / 'pre-commit').write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('h').glob('*/victim.py'): p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('h').iterdir(): (p / 'new.txt').write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('h').iterdir(): (p / 'a' / 'b.txt').write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('h').glob('*/*.py'): p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('h').glob('*/*/x.txt'): p.write_text('x')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('h2').glob('*/new.txt'): p.write_text('x')", policy.Ask},
		{"import os\nfor n in os.listdir('ends'): open('ends/' + n + '/y.txt', 'w').write('x')", policy.Allow},
		{"import os\nfor n in os.listdir('two'):\n    for m in os.listdir('two/' + n): open('two/' + n + '/' + m + '/new.txt', 'w').write('x')", policy.Ask},
		{"import os\nfor d, dirs, files in os.walk('deep'):\n    for n in dirs: open(os.path.join(d, n, 'settings.json'), 'w').write('{}')", policy.Block},
		{"import os\nfor n in os.listdir('plain'): open('plain/' + n + '/../x.txt', 'w')", policy.Ask},
		{"import os\nfor n in os.listdir('plain'): open('plain/' + n + '/../../../x.txt', 'w')", policy.Ask},
		{"import glob\nfor n in glob.glob('h/.*'): open(n + '/../x.txt', 'w')", policy.Ask},
		{"from pathlib import Path\nfor p in Path('seen').iterdir(): (p / 'new.txt').write_text('x')", policy.Ask},
		{"import os\nos.makedirs('plain/.vscode')\nfor n in os.listdir('plain'): open('plain/' + n + '/settings.json', 'w').write('{}')", policy.Ask},
		{"import os\nos.makedirs('plain/.notes/b')\nfor n in os.listdir('plain'): open('plain/' + n + '/settings.json', 'w').write('{}')", policy.Allow},
		{"import os\nfor n in os.listdir('plain'): open('plain/' + n, 'w').write('x')\nE\nmkdir -p plain/.new; cat <<'E'", policy.Allow},
	} {
		if v := nodeVerdict(e, "python3 - <<'E'\n"+row.text+"\nE", ModeAcceptEdits); v.Decision != row.want {
			t.Errorf("%s\n%s, want %s: %s", row.text, v.Decision, row.want, v.Reason)
		} else if v.Decision > policy.Allow && v.Reason == "" {
			t.Errorf("%s\nno reason", row.text)
		}
	}
}
