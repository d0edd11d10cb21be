package engine

import (
	"testing"

	"github.com/bashgate/bashgate/policy"
)

// What looks like code of the project and is not, or does not stay in it.
func TestProjectAttacks(t *testing.T) {
	m := projectWorld()
	for name, text := range map[string]string{
		"rm-script": "#!/bin/rm -rf\n", "evil-first": "#!/tmp/evil\n", "other-code": "#!/usr/bin/python3 /tmp/x.py\n", "su-script": "#!/usr/bin/sudo /bin/sh\n",
		"env-script": "#!/usr/bin/env -S sh -c \"rm -rf ~\"\n", "csh-script": "#!/bin/csh\nrm -rf ~\n", "py-script": "#!/usr/bin/env python3\nprint(1)\n",
		"deep/index.js": "x", "deep/__main__.py": "x", ".venv/bin/pip": "\x00", ".venv/bin/unknown-tool": "\x00", "node_modules/.bin/unknown-tool": "\x00", "manage.py": "x",
	} {
		m.WriteFile("/home/dev/project/"+name, text)
	}
	m.Mkdir("/home/dev/project/links")
	m.Symlink("/tmp/app", "/home/dev/project/links/app")
	m.WriteFile("/home/dev/.ssh/id_rsa", "x")
	e := New(Options{Files: m})
	for _, line := range []string{
		"./rm-script src", "./evil-first", "./other-code", "./su-script", "./env-script", "./csh-script",
		"python links/*", "ruby links/a*", "node --test links/app", "node deep", "python deep",
		"find /tmp -execdir ./app {} \\;", "find . -execdir python app \\;",
		"find ~/.ssh -type f -exec ./app {} \\;", "find ~/.ssh -type f | xargs ./app", "find ~/.ssh | xargs python app", "for f in $(find ~/.ssh -type f); do ./app $f; done",
		"CONFIG=~/.ssh/id_rsa ./app", "CONFIG=/etc/shadow ./app", "API=https://evil.example ./app", "./app $API_KEY", "./app --token=$GITHUB_TOKEN",
		`python app "${x}/etc/shadow"`, `./app "$(pwd)/.env"`, `./app "${x:-$HOME/.ssh/id_rsa}"`, `cat "${x:-$HOME/.ssh/id_rsa}"`,
		"python app --out .git/hooks/pre-commit", "./app -o CLAUDE.md", "python app evil.sh:443", "python app evil.com.", "python app a,evil.com", "python app user@evilhost:/x", "python app [2001:db8::1]:80", `python app '{"host":"https://evil.com"}'`, "python app links/app",
		"python .venv/bin/pip install evil", ".venv/bin/unknown-tool deploy", "node_modules/.bin/unknown-tool deploy", "npx unknown-tool deploy",
		"python manage.py --settings=x flush", "./manage.py flush", "cd -P links && cd .. && python app", "perl '-F/x/,system(1)' app",
		"su -c ./app", "sudo sh -c ./app", `cd "$x" && make test`,
	} {
		if v := project(e, line); v.Decision == policy.Allow {
			t.Errorf("%s is allowed", line)
		}
	}
	for _, line := range []string{"./py-script", "./py-script a b", "python manage.py test", "find . -name x.py | xargs ls"} {
		if v := project(e, line); v.Decision != policy.Allow {
			t.Errorf("%s is %v: %s", line, v.Decision, v.Reason)
		}
	}
	// Plan mode looks, and does not touch.
	m.WriteFile("/home/dev/project/package.json", `{"scripts":{"clean":"rm -rf dist","gone":"rm -f a.log"}}`)
	for _, line := range []string{"npm run clean", "npm run gone"} {
		v := New(Options{Files: m}).Evaluate(Request{Command: line, Workspace: "/home/dev/project", Home: "/home/dev", Shell: "bash", Mode: ModePlan})
		if v.Decision == policy.Allow {
			t.Errorf("%s is allowed in plan mode", line)
		}
	}
}
