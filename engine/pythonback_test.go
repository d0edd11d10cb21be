package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// TestPythonBack: a constant that goes to what keeps nothing of it is told nobody, unless
// the text has a way to get it back.
func TestPythonBack(t *testing.T) {
	e := madeWorld()
	judge := func(text string) Verdict {
		return e.Evaluate(Request{Command: "python3 - <<'E'\nimport mod\n" + text + "\nE", Cwd: "/home/dev/project", Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash"})
	}
	for _, text := range []string{
		"import sys\ntry:\n    sys.exit('.env')\nexcept SystemExit as e:\n    mod.show(e.code)", // what ends a program is raised
		"try:\n    exit('.env')\nexcept SystemExit as e:\n    mod.show(str(e))",
		"class C:\n    def __enter__(self): return self\n    def __exit__(self, t, v, tb):\n        mod.show(str(v))\n        return True\nwith C():\n    raise ValueError('.env')",
		"from concurrent.futures import ThreadPoolExecutor\ndef f(): raise ValueError('.env')\nwith ThreadPoolExecutor() as p:\n    mod.show(str(p.submit(f).exception()))",
		"import asyncio\nasync def f(): raise ValueError('.env')\nasync def m():\n    r = await asyncio.gather(f(), return_exceptions=True)\n    mod.show(str(r[0]))\nasyncio.run(m())",
		"import logging, io\nb = io.StringIO()\nlogging.basicConfig(stream=b, format='%(message)s')\nlogging.warning('.env')\nmod.show(b.getvalue().strip())",
		"class C:\n    def __contains__(self, o): return mod.show(o)\nprint('.env' in C())", // what comparing means
		"class C:\n    def __eq__(self, o):\n        mod.show(o)\n        return True\nmatch C():\n    case '.env': pass",
		"import os\ntry:\n    os.stat('/home/dev/.ssh/nope')\nexcept OSError as e:\n    mod.show(e.filename)",
		"import yaml\nmod.show(yaml.safe_load('{a: .env}')['a'])", // no JSON
		"import os\nmod.show(os.getenv('N', '_env').replace('_', '.'))",
		"import os\nprint(open(os.getenv('N', 'vne.')[::-1].lower()).read())",
	} {
		if v := judge(text); v.Decision == policy.Allow {
			t.Errorf("%s\nis allowed", text)
		}
	}
	for _, text := range []string{
		"import sys\nif mod.show(1) == '.env': sys.exit('.env is no name')",
		"try:\n    mod.show(1)\nexcept ValueError as e:\n    print('failed', e)\nif mod.name in ('.env', 'a'): print('yes')",
		"import logging\nlogging.basicConfig(level=logging.DEBUG)\nlogging.info('starts')\nmod.show(1)",
		"import json\nprint(mod.show(json.loads('{\"a\": 1}')))",
		"import os\nmod.show(os.getenv('HOST', 'localhost'))",
	} {
		if v := judge(text); v.Decision != policy.Allow {
			t.Errorf("%s\n%v: %s", text, v.Decision, v.Reason)
		}
	}
}
