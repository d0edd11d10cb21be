package engine_test

import (
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// TestListed: a pattern that is read is what it matches on the disk, and one
// that says by itself what it is after stays as it is.
func TestListed(t *testing.T) {
	m := new(disk.Memory)
	for _, name := range []string{
		"/home/u/.config/gh/hosts.yml", "/home/u/.config/gh/config.yml", "/home/u/.config/app/x.json", "/home/u/.ssh/id_rsa", "/home/u/.ssh/id_rsa.pub",
		"/home/u/p/package.json", "/home/u/p/README.md", "/home/u/p/web/package.json", "/home/u/p/infra/a.tfvars.json", "/home/u/p/infra/main.tf",
		"/home/u/p/deploy/credentials.json", "/home/u/p/many/.env", "/home/u/p/many/a",
	} {
		m.WriteFile(name, "")
	}
	m.Symlink("/home/u/.ssh/id_rsa", "/home/u/p/linked/notes.txt")
	m.WriteFile("/home/u/p/linked/a.txt", "")
	e := engine.New(engine.Options{Files: m})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{`cat ~/.config/gh/*.yml`, policy.Ask},
		{`cat ~/.config/*/*.yml`, policy.Ask},
		{`cat ~/.config/g*/h*`, policy.Ask},
		{`grep -h x ~/.config/*/*`, policy.Ask},
		{`cat ~/.ssh/*`, policy.Ask},
		{`cd infra && cat *.json`, policy.Ask},
		{`cat infra/*.json`, policy.Ask},
		{`cat */*.json`, policy.Ask},
		{`cat deploy/*`, policy.Ask},
		{`cat linked/*.txt`, policy.Ask},
		{`shopt -s dotglob; cat many/*`, policy.Ask},
		{`cat < deploy/c*`, policy.Ask},
		{`rm -f a.tfvars.json; terraform output > a.tfvars.json; cat *.json`, policy.Ask},
		{`for f in ~/.config/gh/*; do cat "$f"; done`, policy.Ask},
		{`for f in ~/.config/*/*.yml; do head -1 $f; done`, policy.Ask},
		{`for f in *.md; do head -1 "$f"; done`, policy.Allow},
		{`cat .e*`, policy.Ask},
		{`cat *.env`, policy.Ask},
		{`cat ?env`, policy.Ask},
		{`cat elsewhere/*.json`, policy.Ask}, // nobody can list it

		{`cat *.json`, policy.Allow},
		{`cat package*.json | head -3`, policy.Allow},
		{`cat ~/.config/*/*.json`, policy.Allow},
		{`cat web/*.json README*`, policy.Allow},
		{`cat many/*`, policy.Allow},
		{`cat *`, policy.Allow},
		{`cat linked/a*.txt`, policy.Allow},
		{`cat ~/.ssh/*.pub | wc -l`, policy.Ask},
	}
	for _, r := range rows {
		if v := judge(e, r.line, ""); v.Decision != r.want {
			t.Errorf("%s: %v (%s), want %v", r.line, v.Decision, v.Reason, r.want)
		}
	}
}

// TestListedWrites: what is written or removed stays a pattern.
func TestListedWrites(t *testing.T) {
	m := new(disk.Memory)
	m.WriteFile("/home/u/p/a.json", "")
	e := engine.New(engine.Options{Files: m})
	for _, line := range []string{`rm *.json`, `touch .git/hooks/*`} {
		with, without := judge(e, line, ""), judge(engine.New(engine.Options{}), line, "")
		if with.Decision != without.Decision || with.Decision < policy.Ask {
			t.Errorf("%s: %v with a disk, %v without", line, with.Decision, without.Decision)
		}
	}
}

// TestWrittenPatterns: what a loop over a pattern writes lies where the pattern
// says; what a pattern may match above that, or hidden, is not known.
func TestWrittenPatterns(t *testing.T) {
	m := new(disk.Memory)
	m.WriteFile("/other/t.txt", "")
	m.Symlink("/other/t.txt", "/w/linked/sub/t.txt")
	m.Symlink("/other", "/w/linked/out")
	m.WriteFile("/w/linked/sub/a.ts", "")
	e := engine.New(engine.Options{Files: m})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{`for f in linked/sub/*.ts; do echo x > "$f"; done`, policy.Allow},
		{`for f in linked/sub/*.txt; do echo x > "$f"; done`, policy.Ask},
		{`sed -i s/a/b/ linked/sub/*.txt`, policy.Ask},
		{`for f in linked/o*/t.txt; do echo x > "$f"; done`, policy.Ask},
		{`for f in src/*.ts; do sed -i s/a/b/ "$f"; done`, policy.Allow},
		{`for f in *.ts; do sed -i s/a/b/ "src/$f"; done`, policy.Allow},
		{`for f in ./*; do echo x > "$f"; done`, policy.Allow},
		{`sed -i s/a/b/ ./*/x src/?.ts`, policy.Allow},
		{`shopt -s nullglob; sed -i s/a/b/ ./*`, policy.Allow},

		{`for f in src/*.ts; do sed -i s/a/b/ "../$f"; done`, policy.Ask},
		{`for f in src/*.ts; do cd ..; sed -i s/a/b/ "$f"; done`, policy.Ask},
		{`for f in src/*.ts; do f=$x; sed -i s/a/b/ "./$f"; done`, policy.Ask},
		{`for f in src/*.ts "$x"; do sed -i s/a/b/ "./$f"; done`, policy.Ask},
		{`for f in */*.ts; do sed -i s/a/b/ ./$f; done`, policy.Ask}, // "a b/c.ts" is two words
		{`for f in *; do echo x > ".$f"; done`, policy.Ask},
		{`for f in src/*; do echo x > "$f/../../../x"; done`, policy.Ask},
		{`for f in /lib/*; do echo x > "$f"; done`, policy.Ask},
		{`f=${y:-src/a.ts}; sed -i s/a/b/ "./$f"`, policy.Ask},
		{`sed -i s/a/b/ .?/x`, policy.Ask},
		{`sed -i s/a/b/ ./src/.?/.?/x`, policy.Ask},
		{`sed -i s/a/b/ ./src/*/../../x`, policy.Ask},
		{`shopt -s dotglob; sed -i s/a/b/ ./*`, policy.Ask},
		{`x=dot; shopt -s ${x}glob; sed -i s/a/b/ ./*`, policy.Ask},
		{`eval 'shopt -s dotglob'; for f in ./*; do echo x > "$f"; done`, policy.Ask},
		{`shopt -u globskipdots; sed -i s/a/b/ ./*`, policy.Ask},
		{`shopt -s nocaseglob; sed -i s/a/b/ ./M*`, policy.Ask},
		{`bash -O dotglob -c 'sed -i s/a/b/ ./*'`, policy.Ask},
	}
	for _, r := range rows {
		v := e.Evaluate(engine.Request{Command: r.line, Cwd: "/w", Workspace: "/w", Home: "/home/u", Shell: "bash", Mode: engine.ModeAcceptEdits})
		if v.Decision != r.want {
			t.Errorf("%s: %v, want %v (%s)", r.line, v.Decision, r.want, v.Reason)
		}
	}
}

// TestUnrooted: what stands behind a directory that is not known is held to be in
// a home, and in the root, if its name says more than a wildcard does.
func TestUnrooted(t *testing.T) {
	e := engine.New(engine.Options{Files: new(disk.Memory)})
	rows := []struct {
		line string
		want policy.Decision
	}{
		{`cat "$(dirname ~/x)"/.ssh/config`, policy.Ask},
		{`cat "$(dirname ~/x)"/.ssh/*`, policy.Ask},
		{`cat "$(dirname ~/x)"/.ss?/*`, policy.Ask},
		{`cd "$(dirname ~/x)"; cat .ssh/i*`, policy.Ask},
		{`cd "$(dirname ~/x)"; cat .[s]sh/*`, policy.Ask},
		{`cd "$(dirname ~/x)" && grep -r x .gnupg`, policy.Ask},
		{`cat "$(dirname ~/x)"/.password-store/a.gpg`, policy.Ask},
		{`cat "$(dirname ~/x)"/Library/Keychains/a`, policy.Ask},
		{`cat "$(dirname ~/x)"/.config/gh/*`, policy.Ask},
		{`head -1 "$(dirname ~/x)"/*/.ssh/config`, policy.Ask},
		{`while cd ..; cat */.ssh/*; do :; done`, policy.Ask},
		{`until cat < "$(dirname ~/x)"/.ssh/config; do break; done`, policy.Ask},
		{`cat "$(dirname /x)"/etc/letsencrypt/live/key`, policy.Ask},
		{`grep -r x "$(dirname ~/x)"/.config`, policy.Ask},
		{`python3 -c 'import sys; print(open(sys.path[0] + "/.ssh/config").read())'`, policy.Ask},

		{`cat "$(dirname ~/x)"/.ssh/known_hosts`, policy.Allow},
		{`cat "$(dirname ~/x)"/.ssh/*.pub`, policy.Allow},
		{`cat "$(git rev-parse --show-toplevel)"/.github/workflows/*.yml`, policy.Allow},
		{`cat "$(dirname "$0")"/config/*.yaml`, policy.Allow},
		{`cd "$(git rev-parse --show-toplevel)" && cat src/*.go docs/* .github/*/*`, policy.Allow},
		{`for d in $(ls); do cat "$d"/*; cat "$d"/package.json; head -1 "$d"/.config/nextest.toml; done`, policy.Allow},
		{`ls "$(dirname ~/x)"/.ssh`, policy.Allow},
	}
	for _, r := range rows {
		if v := judge(e, r.line, ""); v.Decision != r.want {
			t.Errorf("%s: %v, want %v: %s", r.line, v.Decision, r.want, v.Reason)
		}
	}
}
