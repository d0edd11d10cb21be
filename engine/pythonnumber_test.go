package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonNumbers: what seems to be a number stands for no file, program or address
// unless it is one whatever the call that gives it is given.
func TestPythonNumbers(t *testing.T) {
	e := New(Options{Files: nodeWorld()})
	const prod, own = "import math, os, shutil, subprocess, unicodedata, configparser, csv, io, marshal, queue, threading, colorsys, collections, urllib.request\n", "class C:\n    def write(self, s): return 'x'\n    def flush(self): return 'x'\n"
	for _, text := range []string{
		"os.system(math.prod(['touch /tmp/evil']))",
		"os.remove(math.prod(['README.md']))",
		"open(math.prod(['/tmp/evil']), 'w')",
		"print(open(math.prod(['.env'])).read())",
		"subprocess.run(math.prod(['touch /tmp/evil']), shell=True)",
		"subprocess.run([math.prod(['touch']), '/tmp/evil'])",
		"shutil.rmtree(math.prod(['src']))",
		"urllib.request.urlopen(math.prod(['http://x.example/']))",
		"os.system(shutil.get_terminal_size(('touch /tmp/evil', 1))[0])",
		"os.system(unicodedata.decimal('x', 'touch /tmp/evil'))",
		"os.system(unicodedata.numeric('x', 'touch /tmp/evil'))",
		"os.system(threading.Thread(daemon='touch /tmp/evil').daemon)",
		"os.system(queue.Queue('touch /tmp/evil').maxsize)",
		own + "os.system(csv.writer(C()).writerow([1]))",
		own + "os.system(marshal.dump(1, C()))",
		own + "open(io.TextIOWrapper(C()).fileno(), 'w')",
		own + "os.system(io.TextIOWrapper(C()).flush())",
		"os.system(len('a'))",
		"open(f\"src/{math.prod(['/../../evil'])}.txt\", 'w')",
		"open(f\"src/{configparser.ConfigParser().getint('a', 'b', fallback='../../evil')}.txt\", 'w')",
		"open(os.path.join('src', str(math.prod(['/tmp/evil'])) + '.txt'), 'w')",
		"open(f\"src/{colorsys.hsv_to_rgb(0, 0.0, '../../evil')[0]}.txt\", 'w')",
		"open(f\"src/{collections.Counter({'a': '../../evil'}).most_common(1)[0][1]}.txt\", 'w')",
	} {
		if v := nodeVerdict(e, "python3 - <<'E'\n"+prod+text+"\nE", ModeAcceptEdits); v.Decision == policy.Allow {
			t.Errorf("%s: %s: %s", text, v.Decision, v.Reason)
		}
	}
	for _, text := range []string{
		"import math\nfor i in range(3):\n    open(f'lib/{i}.txt', 'w').write('x')",
		"import math\nopen(f'lib/{len([1, 2])}-{round(2.567, 1)}-{math.floor(2.5)}-{math.prod([2, 3])}.txt', 'w').write('x')",
		"import os, random\nopen(f\"lib/{os.stat('a').st_size}-{random.randint(1, 9)}-{random.uniform(1, 2)}.txt\", 'w').write('x')",
		"open(1, 'w').write('x')",
		"import shutil\nopen(f'lib/{shutil.get_terminal_size((80, 24))[0]}.txt', 'w')",
	} {
		if v := nodeVerdict(e, "python3 - <<'E'\n"+text+"\nE", ModeAcceptEdits); v.Decision != policy.Allow {
			t.Errorf("%s: %s: %s", text, v.Decision, v.Reason)
		}
	}
}
