//go:build linux

package main

import (
	"fmt"
	"maps"
	"os/exec"
)

// codeFiles are what code finds: a project with a secret and modules of its own,
// and what lies outside of it.
var codeFiles = func() map[string]string {
	files := maps.Clone(fixture)
	maps.Copy(files, map[string]string{
		".env": "TOKEN=secret\n", "data.json": `{"a": [1, "b"], "c": null}` + "\n", "rows.csv": "a,b\n1,2\n",
		"own.py":          "LIMIT = 3\ndef same(x):\n    return x\ndef call(f, *a):\n    return f(*a)\nclass Box:\n    def __init__(self, x=None):\n        self.x = x\n    def put(self, x):\n        self.x = x\n        return self\n",
		"pkg/__init__.py": "", "pkg/sub.py": "def twice(x):\n    return x + x\n",
		"shadow/json.py": "open('/tmp/shadowed', 'w')\ndef loads(x):\n    return x\n", "shadow/sitecustomize.py": "open('/tmp/shadowed', 'w')\n",
		"own.js": "exports.same = x => x;\nexports.call = (f, ...a) => f(...a);\n", "package.json": `{"name": "project", "main": "own.js"}` + "\n",
		jailHome + "/.ssh/id_rsa": "secret\n", jailHome + "/notes.txt": "note\n", "/tmp/elsewhere.py": "open('/tmp/stranger', 'w')\n",
	})
	return files
}()

// interpreters are the programs that are real in the jail of code, by the names
// that agents call them by.
var interpreters = map[string]string{"python3": "/usr/bin/python3", "python": "/usr/bin/python3", "node": "/usr/bin/node"}

// coding is what is in the jail of code, and the languages that can run there.
func coding() (k kit, langs []string) {
	k = kit{stubNames(), codeFiles}
	for name, path := range interpreters {
		if _, err := exec.LookPath(path); err == nil {
			k.Names = append(k.Names, name+"="+path)
		}
	}
	for _, lang := range []struct{ name, program string }{{"python", "python3"}, {"javascript", "node"}} {
		if _, err := exec.LookPath(interpreters[lang.program]); err == nil {
			langs = append(langs, lang.name)
		}
	}
	return k, langs
}

// oneCode prints what happens when a text runs.
func (s *search) oneCode(c snippet) error {
	k, _ := coding()
	j, err := newJail(s.stub, k)
	if err != nil {
		return err
	}
	defer j.close()
	happened, err := j.run(task{Code: &c, Trap: true})
	if err != nil {
		return err
	}
	for _, c := range happened.Calls {
		fmt.Printf("  asked the kernel: %s %s %s %q\n", c.Kind, c.Name, c.Path, c.Argv)
	}
	for _, n := range happened.Noticed {
		fmt.Printf("  noticed %s %.200q\n", n.Event, n.Args)
	}
	for _, r := range happened.Runs {
		fmt.Printf("  started %q in %s with %q\n", r.Argv, r.Dir, r.Env)
	}
	fmt.Printf("  changed %q\n", happened.Changed)
	return nil
}
