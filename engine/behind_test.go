package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// behindLinks are lines that write beside what a link in the workspace leads to, which
// lies outside.
var behindLinks = []string{
	"touch leads/../x",
	"cat a.txt > leads/../x",
	"env -C leads/.. touch x",
	"env -C leads sh -c 'cd .. && touch x'",
	"cd leads && PWD=/ bash -c 'cd .. && touch x'",
	"cd leads && env -i /bin/bash -c 'cd .. && touch x'",
	"cd leads && bash -c 'unset PWD; cd .. && touch x'",
	`python3 -c "import subprocess; subprocess.run(['touch', 'x'], cwd='leads/..')"`,
	`python3 -c "import subprocess; subprocess.run('cd .. && touch x', shell=True, cwd='leads')"`,
	`python3 -c "import os; os.chdir('leads'); os.chdir('..'); open('x', 'w')"`,
	`python3 -c "import os; os.chdir('leads/..'); open('x', 'w')"`,
	`node -e "require('child_process').execFileSync('touch', ['x'], {cwd: 'leads/..'})"`,
	`node -e "require('child_process').execSync('cd .. && touch x', {cwd: 'leads'})"`,
	`node -e "require('fs').writeFileSync('leads/../x', '')"`,
}

// TestBehindLinks: `..` behind a link is the parent of what the link means, but for a shell
// that knows how it came there.
func TestBehindLinks(t *testing.T) {
	world := nodeWorld()
	world.Mkdir("/home/dev/other/d")
	world.Symlink("/home/dev/other/d", "/home/dev/project/leads")
	world.Mkdir("/home/dev/project/sub/deep")
	e := New(Options{Files: world})
	for _, line := range behindLinks {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", line)
		}
	}
	for _, line := range []string{
		"cd leads && cd .. && touch x",
		"touch sub/../x",
		"env -C sub/.. touch x",
		"env -C sub sh -c 'cd .. && touch x'",
		"cd sub && bash -c 'cd .. && touch x'",
		`python3 -c "import os; os.chdir('sub'); open('x', 'w')"`,
		`python3 -c "import os; os.chdir('sub'); os.chdir('deep'); open('x', 'w')"`,
		`python3 -c "import subprocess; subprocess.run(['touch', 'x'], cwd='sub/..')"`,
		`python3 -c "import subprocess; subprocess.run('cd .. && touch x', shell=True, cwd='sub')"`,
		`node -e "require('child_process').execSync('cd .. && touch x', {cwd: 'sub'})"`,
	} {
		if v := nodeVerdict(e, line, ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%s\n%s: %s", line, v.Decision, v.Reason)
		}
	}
}

// pythonMoves are programs that leave the workspace by a call that is done twice, and
// write there.
var pythonMoves = []string{
	"os.chdir('..')\nos.chdir('..')",
	"for d in ['..', '..']: os.chdir(d)",
	"for _ in range(2): os.chdir('..')",
	"[os.chdir('..') for _ in range(2)]",
	"[0 for _ in 'ab' if not os.chdir('..')]",
	"def f(): os.chdir('..')\nf()\nf()",
	"f = lambda: os.chdir('..')\nf()\nf()",
	"i = 0\nwhile i < 2:\n    os.chdir('..')\n    i += 1",
	"os.chdir(os.chdir('..') or '..')",
	"os.chdir('..') if os.chdir('..') is None else 0",
	"x = {}\nx[os.chdir('..')] = os.chdir('..')",
	"try: os.chdir('..')\nfinally: os.chdir('..')",
	"with open('a') as f: os.chdir('..')\nos.chdir('..')",
	"sorted('ab', key=lambda x: os.chdir('..') or 0)",
	"os.chdir('deep/../../..')",
	"os.chdir('deep')\nos.chdir('..')\nos.chdir('..')\nos.chdir('..')",
}

func TestPythonMoves(t *testing.T) {
	world := nodeWorld()
	world.Mkdir("/home/dev/project/sub/deep")
	e := New(Options{Files: world})
	for _, text := range pythonMoves {
		v := e.Evaluate(Request{Command: "python3 - <<'E'\nimport os\n" + text + "\nopen('x', 'w')\nE", Cwd: "/home/dev/project/sub", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Mode: ModeAcceptEdits})
		if v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
}
