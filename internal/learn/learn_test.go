package learn

import (
	"errors"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/policy"
)

// project is a workspace with a repository.
func project() *disk.Memory {
	m := new(disk.Memory)
	m.WriteFile("/home/u/p/.git/HEAD", "ref: refs/heads/main\n")
	m.WriteFile("/home/u/p/.git/config", "[remote \"origin\"]\n\turl = https://github.com/acme/p.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n")
	m.WriteFile("/home/u/p/README.md", "x")
	m.WriteFile("/home/u/p/scripts/check.sh", "#!/bin/sh\nmytool --all\n")
	m.WriteFile("/home/u/p/src/a.go", "package a\n")
	return m
}

// judging is a Judge over a disk in memory. It keeps the engines of rules.
func judging(files policy.Files) Judge {
	engines := map[*interp.Rules]*engine.Engine{}
	return func(r engine.Request, more ...*interp.Rules) engine.Verdict {
		var key *interp.Rules
		if len(more) > 0 {
			key = more[0]
		}
		e := engines[key]
		if e == nil {
			e = engine.New(engine.Options{Files: files, User: more})
			engines[key] = e
		}
		return e.Evaluate(r)
	}
}

func request(command string) engine.Request {
	return engine.Request{Command: command, Cwd: "/home/u/p", Workspace: "/home/u/p", Home: "/home/u", Shell: "bash", Mode: "default"}
}

func TestShow(t *testing.T) {
	j := judging(project())
	for _, c := range strings.Split(`git push origin feature/x
git push -u origin feature/x
git push -f origin main
acme lint src/a.go
acme -p x destroy
./scripts/other.sh --x
echo x > src/gen/out.txt
sed -i s/a/b/ src/a.go
rm -rf build
GOFLAGS=-mod=mod go test ./...
curl -d a=b https://api.example.com/x
gh pr comment 5 --body hi
npm install lodash
python3 -c 'import os; print(1|2)'
acme "$x"
rm -rf /
echo x | acme
acme a && acme b
mv src/a.go src/b.go
cat .env
docker run -it ubuntu bash
acme -- x --y
acme "" "!x" "a or b" "a|b*"`, "\n") {
		list, err := Propose(j, request(c))
		t.Logf("=== %s: %d %v", c, len(list), err)
		if r, ok := errors.AsType[*Refusal](err); ok {
			t.Logf("   hint %s", r.Hint)
		}
		for _, p := range list {
			t.Logf("--- %s: %s (stops %s)\n%s", p.ID, p.Summary, p.Stops, p.Text)
		}
	}
}
