//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/host"
)

// tree is what lies below a directory: names, sizes and what files hold.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(path + "\n")
		if entry.Type().IsRegular() {
			data, err := os.ReadFile(path)
			b.Write(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLookAgrees lets every event that agents really sent be looked at before the
// hook answers it, and from the log afterwards: the answer and the reason are the
// same, and looking leaves nothing behind.
func TestLookAgrees(t *testing.T) {
	files, err := filepath.Glob("../host/testdata/*-*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	decided, again := 0, 0
	for _, set := range []string{"", "profile = \"strict\"\n[hook]\nunknown = \"defer\"\n", "[[checkers]]\ncommand = [\"/bin/cat\"]\n"} {
		var p *Process
		agentName := ""
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c struct {
				Stdin json.RawMessage
				Env   map[string]string
				Args  []string
			}
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(filepath.Base(file), "-")
			if name != agentName { // each agent has a home, and what was seen stays
				p, _, _ = process(t, nil)
				agentName = name
				configured(t, p, set+"\n[approvals]\nrequests = \"off\"\n") // the hook would name a code
			}
			home := p.Getenv("HOME")
			p.Getenv = func(name string) string {
				if name == "HOME" {
					return home
				}
				return c.Env[name]
			}
			var stderr bytes.Buffer
			p.Stderr = &stderr
			agent, err := host.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			in := host.Input{Data: c.Stdin, Getenv: p.Getenv, Dir: func() string { return "/srv/project" }}
			if len(c.Args) > 0 {
				in.Event = c.Args[0]
			}
			q, err := agent.Read(host.Parse(in))
			if err != nil {
				continue // no gate sees it
			}
			q.Request.Home = home
			if q.Event != host.BeforeToolUse {
				if q.Event != host.None && !q.Event.Waits() {
					newGate(p, &q, time.Now()).after()
				}
				continue
			}
			decided++
			before := treeOf(t, home)
			look := newLook(p, &q, nil)
			look.unasked = unheard(agent, &q, false)
			r := q.Request
			v, d, reason := look.decide(&r)
			if after := treeOf(t, home); after != before && strings.Contains(before, "sessions") { // the directory itself may be made
				t.Errorf("%s: looking at it wrote\n%s\nwhere there was\n%s", file, after, before)
			}
			hooked, _ := agent.Read(host.Parse(in))
			hooked.Request.Home = home
			g := newGate(p, &hooked, time.Now())
			g.unasked = unheard(agent, &hooked, false)
			if is, why := g.before(); set == "" || !strings.Contains(set, "checkers") {
				if is != d || why != reason {
					t.Errorf("%s: the hook says %s (%s), a look at it %s (%s)", file, is, why, d, reason)
				}
			} else if q.Shell && d != 3 && len(look.look.checkers) != 1 {
				t.Errorf("%s: the checkers %q are named", file, look.look.checkers)
			}
			var line *audit.Line
			p.logged(func(rec *audit.Record) bool { line = &rec.Line; return false })
			if line == nil || line.Decision != d.String() && !strings.Contains(set, "checkers") {
				t.Fatalf("%s: logged as %+v", file, line)
			}
			if line.Decision != "ask" && line.Decision != "block" || !q.Shell && line.Cut || strings.Contains(set, "checkers") {
				continue
			}
			again++
			shown, err := explainLast(p, line.Cwd, "", 1)
			if err != nil || !strings.Contains(shown, "Now the answer is the same:") || line.Reason != audit.Text(v.Reason) {
				t.Errorf("%s: %v\n%s", file, err, shown)
			}
		}
	}
	if decided < 100 || again < 10 {
		t.Errorf("%d events, %d of them explained from the log", decided, again)
	}
}

// What can't be judged again is said to be so, and a reviewer's answer is the one
// that was logged.
func TestExplainLast(t *testing.T) {
	m := &model{t: t, says: byWord}
	a := newAgent(t, reviewerTOML)
	a.process.Carry = m.carry
	a.event("s", "SessionStart", fields{"source": "startup"})
	a.tool("s", "WebFetch", "url", "https://example.org/")
	a.bash("s", "curl https://x.example/evil")
	calls := m.calls
	explains := func(n int) string {
		t.Helper()
		text, err := explainLast(a.process, "/srv/project", "", n)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := explains(1); !strings.Contains(got, "said: flag exfiltration") || !strings.Contains(got, "Now the answer is the same:") {
		t.Error(got)
	}
	given := func(command string) string {
		t.Helper()
		s := situation{mode: "default", shell: "bash", attended: true}
		text, err := explainIn(a.process, s, nil, "", "s", command)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := given("curl https://y.example/fine"); !strings.Contains(got, "a reviewer would be asked: openai, small\nwhere it clears this, the hook answers: allow  bashgate: allowed by the rules\n") {
		t.Error(got)
	}
	if got := given("curl https://x.example/evil"); strings.Contains(got, "would be asked") || !strings.Contains(got, "Flagged by the reviewer") { // it has answered that
		t.Error(got)
	}
	if m.calls != calls {
		t.Errorf("the reviewer was asked %d times", m.calls-calls)
	}
	// What has been seen since does not count.
	a.event("clean", "SessionStart", fields{"source": "startup"})
	a.bash("clean", "git push")
	a.tool("clean", "WebFetch", "url", "https://example.org/")
	a.tool("clean", "Read", "file_path", "/srv/project/.env")
	if got := explains(2); !strings.Contains(got, "seen nothing that counts") || !strings.Contains(got, "Now the answer is the same:") {
		t.Error(got)
	}
	// The answer is another one now.
	configured(t, a.process, "denied_commands = [\"git push\"]\n")
	if got := explains(2); !strings.Contains(got, "Now the answer is another one: block, and ask then.") {
		t.Error(got)
	}
	configured(t, a.process, "[audit]\ncommands = \"names\"\n")
	a.bash("names", "git push --force")
	if got := explains(1); !strings.Contains(got, "names  git\n") || !strings.Contains(got, "can't be judged again") {
		t.Error(got)
	}
	configured(t, a.process, "")
	a.bash("masked", "git push https://me:hunter2@example.org/x")
	if got := explains(1); strings.Contains(got, "hunter2") || !strings.Contains(got, "in the log secrets are masked") {
		t.Error(got)
	}
}
