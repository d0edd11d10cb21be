//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/policy"
)

// tightening are files that only tighten, with lines that they are about. A
// line that begins with "tool " is a use of that tool.
var tightening = []struct {
	name, text string
	rows       []string
	config     bool // a config.toml
}{
	{name: "programs", text: `# what acme does
[meta]
name = "Acme"
priority = 10

[[programs]]
name = "acme"
aliases = ["acmectl"]
[[programs.options]]
flag = ["-v --verbose"]
data = ["-p --project"]
read = ["-f"]
[[programs.block]]
id = "acme.destroy"
subcommand = ["destroy", "db drop"]
reason = "Destroys it"
[[programs.ask]]
reason = "Deploys"
subcommand = "deploy"
if_flags_any = ["-f"]

[[programs]]
names = ["wc", "head"]
[[programs.ask]]
reason = "No counting"
if_args_contain = ["*.csv"]

[[programs]]
name = "tail"
unknown_action = "block"
`, rows: []string{"ls", "git status", "acme", "acme destroy", "acme -p x destroy", "acmectl destroy", "acme deploy -f x", "sudo acme destroy", "wc a", "wc a.csv", "head -n 1 a.csv", "tail a", "env FOO=1 tail a", "echo a | tail", "cat f"}},
	{name: "rows", text: `[[paths]]
id = "mine.notes"
path = ["**/notes/**", "!**/notes/public/**"]
read = "ask"
write = "block"
reason = "Notes of mine"

[[env]]
name = ["ACME_*", "EDITOR"]
set = "block"
reason = "Steers acme"

[[hosts]]
id = "mine.host"
host = "*.acme.example"
decision = "block"
reason = "Not from here"

[[pipes]]
id = "mine.pipe"
decision = "block"
reason = "No counting"
[pipes.from]
programs = ["cat"]
[pipes.to]
programs = ["wc"]

[[tools]]
id = "mine.tool"
name = "mcp__acme__*"
decision = "block"
reason = "Not for agents"

[[servers]]
name = "acme"
public_sink = true

[[programs]]
name = "sort"
[[programs.ask]]
reason = "No sorting of notes"
if_args_contain = ["*notes*"]
`, rows: []string{"ls", "pwd", "cat notes/a", "cat notes/public/a", "echo x > notes/a", "ACME_X=1 ls", "EDITOR=vi", "curl https://x.acme.example", "ping x.acme.example", "cat a | wc", "echo a | wc", "sort a", "sort notes", "tool mcp__acme__drop", "tool mcp__other__x", "tool Read"}},
	{name: "mixed", text: `[[programs]]
name = "git"
[[programs.ask]]
id = "mine.status"
subcommand = "status"
reason = "Never look"
[[env]]
name = "FOO"
set = "ask"
reason = "Foo"
[[programs]]
name = "find"
[[programs.block]]
id = "mine.find"
reason = "No finding"
[[paths]]
id = "mine.x"
path = "/x/**"
read = "block"
reason = "Not x"
`, rows: []string{"ls", "git status", "git log", "FOO=1 git log", "find .", "cat /x/y", "FOO=2"}},
	{name: "config", config: true, text: `# settings
profile = "strict"
packs = ["guard-git"]
denied_commands = ["docker ps", "tail"]
allowed_dirs = ["/srv"]

[hook]
unknown = "ask"

[audit]
log = "off"
keep = 3

[taint]
contains_secrets = ["/srv/secret"]
from = 1
`, rows: []string{"ls", "git pull", "docker ps", "tail f", "cat /opt/f", "cat /srv/project/f", "tool WebFetch"}},
}

// layered puts a file into one layer of what a process sees, or takes it away.
type layered struct {
	process *Process
	path    string
}

func layers(t *testing.T, config bool) map[string]layered {
	t.Helper()
	list := map[string]layered{}
	for _, layer := range []string{"user", "project", "managed"} {
		p, _, _ := process(t, nil)
		p.SystemDir = t.TempDir()
		dir := map[string]string{"user": p.Getenv("HOME") + "/.config/bashgate", "project": p.Getenv("HOME") + "/p/.bashgate", "managed": p.SystemDir}[layer]
		path := filepath.Join(dir, "rules", "x.toml")
		if config {
			path = filepath.Join(dir, "config.toml")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		list[layer] = layered{p, path}
	}
	return list
}

// decisions judges lines with a text in the layer's file; "" is no file.
func (l *layered) decisions(t *testing.T, text string, rows []string) ([]policy.Decision, *judge) {
	t.Helper()
	if text == "" {
		if err := os.Remove(l.path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	} else if err := os.WriteFile(l.path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	j := newJudge(l.process)
	out := make([]policy.Decision, len(rows))
	for i, row := range rows {
		out[i] = l.decide(j, row).Decision
	}
	return out, j
}

func (l *layered) decide(j *judge, row string) engine.Verdict {
	dir := l.process.Getenv("HOME") + "/p"
	r := engine.Request{Command: row, Cwd: dir, Workspace: dir, Home: l.process.Getenv("HOME"), Shell: "bash"}
	if tool, ok := strings.CutPrefix(row, "tool "); ok {
		return j.evaluateTool(r, engine.Tool{Name: tool})
	}
	return j.evaluate(r)
}

// broken reports whether something is wrong with the files that a judge has
// read, and with the project's.
func (l *layered) broken(j *judge) bool {
	return len(j.setup.Faults())+len(j.setup.UserRules(catalogue.Known).Faults())+len(j.setup.ManagedRules(catalogue.Known).Faults())+
		len(j.setup.Project([]string{l.process.Getenv("HOME") + "/p"}, catalogue.Known).Faults()) > 0
}

// corruptions are what a slip of the hand makes of a text.
func corruptions(text string) (list []string) {
	for i := range len(text) {
		list = append(list, text[:i]+text[i+1:])
	}
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		before, after := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
		list = append(list, before+after, before+lines[i]+lines[i]+after)
	}
	return list
}

// neverLooser states the law: a broken file that only tightened when it was
// whole lets no line pass that did not pass with it, and is never looser than
// no file at all.
func neverLooser(t *testing.T, what string, rows []string, whole, without, broken []policy.Decision) {
	t.Helper()
	for i, row := range rows {
		if broken[i] < min(whole[i], policy.Ask) || broken[i] < without[i] {
			t.Errorf("%s: %q is %v; with the whole file %v, without it %v", what, row, broken[i], whole[i], without[i])
		}
	}
}

// TestBrokenFilesNeverLoosen breaks files of every layer in every place.
func TestBrokenFilesNeverLoosen(t *testing.T) {
	race.Sequential(t)
	quiet, asked := 0, 0
	for _, file := range tightening {
		list := layers(t, file.config)
		for turn, layer := range []string{"user", "project", "managed"} {
			l := list[layer]
			without, _ := l.decisions(t, "", file.rows)
			whole, j := l.decisions(t, file.text, file.rows)
			if l.broken(j) {
				t.Fatalf("%s in layer %s is broken already: %v", file.name, layer, j.options.Notes)
			}
			for i, text := range corruptions(file.text) {
				if i%3 != turn && !testing.Verbose() {
					continue // the layers share the work
				}
				broken, j := l.decisions(t, text, file.rows)
				if !l.broken(j) {
					continue // another file, as good as the first
				}
				neverLooser(t, fmt.Sprintf("%s, layer %s, corruption %d:\n%s\n", file.name, layer, i, text), file.rows, whole, without, broken)
				if broken[0] > whole[0] { // ls
					asked++
				} else {
					quiet++
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("ls was left alone %d times of %d", quiet, quiet+asked)
	if asked*4 > quiet {
		t.Errorf("ls was asked about for %d of %d broken files", asked, quiet+asked)
	}
}

// FuzzBrokenFiles changes one byte or one line of a file.
func FuzzBrokenFiles(f *testing.F) {
	f.Add(uint8(0), uint16(100), byte('"'), uint8(0))
	f.Add(uint8(1), uint16(7), byte('['), uint8(4))
	f.Add(uint8(2), uint16(7), byte('#'), uint8(8))
	f.Add(uint8(3), uint16(70), byte('\n'), uint8(11))
	f.Fuzz(func(t *testing.T, which uint8, at uint16, b byte, how uint8) {
		file := tightening[int(which)%len(tightening)]
		l := layers(t, file.config)[[]string{"user", "project", "managed"}[how%3]]
		text := file.text
		i := int(at) % len(text)
		switch how / 3 % 4 {
		case 0:
			text = text[:i] + string([]byte{b}) + text[i:]
		case 1:
			text = text[:i] + string([]byte{b}) + text[i+1:]
		case 2: // lines change places
			lines := strings.SplitAfter(text, "\n")
			k := i % (len(lines) - 1)
			lines[k], lines[k+1] = lines[k+1], lines[k]
			text = strings.Join(lines, "")
		case 3: // the disk was full
			if i == 0 || text[i-1] == '\n' {
				return // the rest is a file as good as any
			}
			text = text[:i]
		}
		without, _ := l.decisions(t, "", file.rows)
		whole, _ := l.decisions(t, file.text, file.rows)
		broken, j := l.decisions(t, text, file.rows)
		if l.broken(j) {
			neverLooser(t, text, file.rows, whole, without, broken)
		}
	})
}
