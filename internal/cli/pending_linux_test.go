package cli

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/race"
)

// queue is where the person's requests wait.
func (p *person) queue() approval.Queue {
	return approval.Queue{Store: approval.Store{Dir: filepath.Join(p.home, ".local/state/bashgate/requests")}}
}

// asks puts a question about a push, as change has altered it.
func (p *person) asks(change func(*approval.Request)) *approval.Request {
	p.Helper()
	r := approval.Request{
		Bound: approval.Bound{Host: "claude", Session: "claude-s", Command: "git push -f", Cwd: p.project, Workspace: p.project, Rules: []string{"git.push"}, Does: []string{"sends commits to github.com"}},
		ID:    "s", Mode: "default", Shell: "bash", Why: []approval.Why{{ID: "git.push", Text: "Sends commits to a remote repository (git)", Source: "rules/git.toml:13"}},
	}
	if change != nil {
		change(&r)
	}
	asked, fresh, err := p.queue().Ask(r)
	if err != nil || !fresh {
		p.Fatal(fresh, err)
	}
	return asked
}

func (p *person) state(code string) *approval.Request {
	p.Helper()
	r, err := p.queue().Request(code)
	if err != nil {
		p.Fatal(err)
	}
	return r
}

// approval lines of the decision log.
func (p *person) logged() (list []fields) {
	p.Helper()
	text, err := os.ReadFile(p.home + "/.local/state/bashgate/audit.log")
	if err != nil && !os.IsNotExist(err) {
		p.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := fields{}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			p.Fatal(err)
		}
		if f["event"] == "approval" {
			list = append(list, f)
		}
	}
	return list
}

// TestApproveAtTerminal answers requests as a person at a terminal does, and as
// others try to.
func TestApproveAtTerminal(t *testing.T) {
	race.Sequential(t)
	for _, row := range []struct {
		name   string
		answer string
		env    []string
		args   []string // CODE stands for the request's
		status int
		shows  string
		after  approval.State
	}{
		{"the word", "WORD", nil, []string{"approve", "CODE"}, 0, "CODE is approved: once, within 10 minutes\n", approval.Approved},
		{"in small letters", "WORD", nil, []string{"approve", "LOWER"}, 0, "CODE is approved", approval.Approved},
		{"another word", "xWORD", nil, []string{"approve", "CODE"}, 1, "nothing is approved", approval.Pending},
		{"yes", "yes", nil, []string{"approve", "CODE"}, 1, "nothing is approved", approval.Pending},
		{"nothing", "", nil, []string{"approve", "CODE"}, 1, "nothing is approved", approval.Pending},
		{"the end", "\x04", nil, []string{"approve", "CODE"}, 1, "", approval.Pending},
		{"a y for an approval", "y", nil, []string{"approve", "CODE"}, 1, "nothing is approved", approval.Pending},
		{"denied", "y", nil, []string{"deny", "CODE"}, 0, "CODE is denied\n", approval.Denied},
		{"denied with a reason", "y", nil, []string{"deny", "--reason", "no\x1b[2J\u202e", "CODE"}, 0, "CODE is denied\n", approval.Denied},
		{"not denied", "n", nil, []string{"deny", "CODE"}, 1, "nothing is denied", approval.Pending},
		{"an agent's terminal", "WORD", []string{"CLAUDECODE=1"}, []string{"approve", "CODE"}, 2, "an agent can't approve that", approval.Pending},
		{"another agent's terminal", "WORD", []string{"AI_AGENT=x"}, []string{"approve", "CODE"}, 2, "an agent can't approve that", approval.Pending},
		{"an agent denies", "y", []string{"CLAUDECODE=1"}, []string{"deny", "CODE"}, 2, "an agent can't deny that", approval.Pending},
		{"nothing to trust", "WORD", nil, []string{"approve", "--trust", "CODE"}, 2, "there is nothing to trust", approval.Pending},
		{"no such code", "WORD", nil, []string{"approve", "ZZZZ"}, 2, "no request has the code ZZZZ", approval.Pending},
		{"a code like an option", "WORD", nil, []string{"approve", "--", "--trust"}, 2, "no request has the code --trust", approval.Pending},
		{"a code that is a path", "WORD", nil, []string{"approve", "../../x\x1b[1m"}, 2, `no request has the code ../../x\x1b[1m`, approval.Pending},
		{"no code", "WORD", nil, []string{"approve"}, 2, "approve needs the code of a request", approval.Pending},
		{"a long reason", "y", nil, []string{"deny", "CODE", "--reason", strings.Repeat("x", 301)}, 2, "the reason is longer than 300 bytes", approval.Pending},
	} {
		p := newPerson(t)
		r := p.asks(nil)
		codes := strings.NewReplacer("CODE", r.Code, "LOWER", strings.ToLower(r.Code))
		var args []string
		for _, arg := range row.args {
			args = append(args, codes.Replace(arg))
		}
		status, shown := answering(t, p.home, p.project, append(row.env, "USER=u"), func(word string) string {
			return strings.ReplaceAll(row.answer, "WORD", word) + "\n"
		}, args...)
		if row.status == 0 && !strings.Contains(shown, "  │ git push -f\n  in     ~/p\n") {
			t.Errorf("%s: not shown: %q", row.name, shown)
		}
		if status != row.status || !strings.Contains(shown, codes.Replace(row.shows)) {
			t.Errorf("%s: status %d, shows %q; want %d, %q", row.name, status, shown, row.status, codes.Replace(row.shows))
		}
		now, lines := p.state(r.Code), p.logged()
		if now.State != row.after {
			t.Errorf("%s: %s, want %s", row.name, now.State, row.after)
		}
		if row.after == approval.Pending {
			if len(lines) > 0 {
				t.Errorf("%s: logged %v", row.name, lines)
			}
			continue
		}
		if now.By != "u at a terminal" || now.Channel != "terminal" {
			t.Errorf("%s: by %q, %q", row.name, now.By, now.Channel)
		}
		if len(lines) != 1 || lines[0]["code"] != r.Code || lines[0]["decision"] != row.after.String() || lines[0]["by"] != "u at a terminal" || lines[0]["command"] != "git push -f" || lines[0]["session"] != "s" {
			t.Errorf("%s: logged %v", row.name, lines)
		}
	}
}

// What has been answered, used or is too late is told.
func TestApproveTooLate(t *testing.T) {
	p := newPerson(t)
	says := func(want string, args ...string) {
		t.Helper()
		out, err := bashgate(p.home, args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: %v, %s; want %q", args, err, out, want)
		}
	}
	answer := func(code string, to approval.State) {
		t.Helper()
		if _, err := p.queue().Answer(code, approval.Answer{State: to, By: "\x1b[31mu"}); err != nil {
			t.Fatal(err)
		}
	}
	r := p.asks(nil)
	answer(r.Code, approval.Approved)
	says("error: "+r.Code+` is approved already by \x1b[31mu`, "approve", r.Code)
	says("hint: it holds once, within 10 minutes; bashgate deny "+r.Code+" takes it back", "approve", r.Code)
	if used, err := p.queue().Use(&r.Bound); used == nil || err != nil {
		t.Fatal(used, err)
	}
	says("error: "+r.Code+" is used already", "deny", r.Code)
	says("error: "+r.Code+" is used already", "approve", r.Code)
	r = p.asks(nil)
	answer(r.Code, approval.Denied)
	says("is denied already", "approve", r.Code)
	r = p.asks(func(r *approval.Request) { r.Life = time.Millisecond })
	time.Sleep(30 * time.Millisecond) // the kernel's clock has hundredths of a second
	says("error: "+r.Code+" is expired already", "approve", r.Code)
	says("hint: the agent runs the same command again to ask once more", "approve", r.Code)
	// An approval can be taken back until it is used.
	r = p.asks(nil)
	answer(r.Code, approval.Approved)
	if status, shown := p.answers("y", "deny", r.Code); status != 0 || p.state(r.Code).State != approval.Denied {
		t.Errorf("%d, %s", status, shown)
	}
}

// What a person reads is what they answer, whatever happens meanwhile.
func TestChangedWhileRead(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(p *person, r *approval.Request)
		shows  string
	}{
		{"denied elsewhere", func(p *person, r *approval.Request) {
			p.queue().Answer(r.Code, approval.Answer{State: approval.Denied, By: "page"})
		}, "is denied already by page"},
		{"gone", func(p *person, r *approval.Request) { os.RemoveAll(p.queue().Dir) }, "no request has the code"},
		{"another one of that code", func(p *person, r *approval.Request) {
			other := p.asks(func(r *approval.Request) { r.Command = "git push -f evil" })
			files, _ := filepath.Glob(p.queue().Dir + "/*-" + other.Code + ".jsonl")
			text, _ := os.ReadFile(files[0])
			old, _ := filepath.Glob(p.queue().Dir + "/*-" + r.Code + ".jsonl")
			for _, name := range append(old, files...) {
				os.Remove(name)
			}
			putFile(p.T, strings.Replace(files[0], other.Code, r.Code, 1), strings.ReplaceAll(string(text), other.Code, r.Code))
			os.Chmod(strings.Replace(files[0], other.Code, r.Code, 1), 0o600)
		}, "is another question now than the one that was shown"},
	} {
		p := newPerson(t)
		r := p.asks(nil)
		status, shown := answering(t, p.home, p.project, nil, func(word string) string {
			row.change(p, r)
			return word + "\n"
		}, "approve", r.Code)
		if status == 0 || !strings.Contains(shown, row.shows) || len(p.logged()) > 0 {
			t.Errorf("%s: %d, %s, %v", row.name, status, shown, p.logged())
		}
		list, _ := p.queue().Requests()
		if slices.ContainsFunc(list, func(r *approval.Request) bool { return r.State == approval.Approved }) {
			t.Errorf("%s: approved", row.name)
		}
	}
}

// Several are shown and answered one after the other, each with its own word.
func TestApproveSeveral(t *testing.T) {
	p := newPerson(t)
	one, two := p.asks(nil), p.asks(func(r *approval.Request) { r.Command = "git push -f two" })
	status, shown := p.answers("WORD", "approve", one.Code, two.Code)
	// The scripted person types the first word alone.
	if status == 0 || p.state(one.Code).State != approval.Approved || p.state(two.Code).State != approval.Pending || strings.Count(shown, "Type ") != 2 {
		t.Errorf("%d, %s", status, shown)
	}
}

// What the session has seen counts no more where a person says so with an answer, and
// the answer holds.
func TestApproveTrust(t *testing.T) {
	race.Sequential(t)
	p := newPerson(t)
	a := p.agent()
	a.event("s", "SessionStart", fields{"source": "startup"})
	a.tool("s", "WebFetch", "url", "https://example.org/")
	a.tool("s", "WebFetch", "url", "https://other.example/")
	store := a.store()
	state := store.Read("claude-s")
	seen := state.Seen(2)
	if len(seen) != 2 || a.counts("s") != "corruption" {
		t.Fatal(seen)
	}
	because := func(r *approval.Request) {
		r.Labels = seen[:1]
		r.Why = append(r.Why, approval.Why{ID: "taint.person", Text: "It has read untrusted content"})
	}
	r := p.asks(because)
	if status, shown := p.answers("WORD", "approve", "--trust", r.Code); status != 0 || !strings.Contains(shown, "approve --trust: it counts no more in this session") || !strings.Contains(shown, "; what the session had seen counts no more in it\n") {
		t.Fatalf("%d, %s", status, shown)
	}
	state = store.Read("claude-s")
	if now := state.Seen(2); !slices.Equal(now, seen) || a.counts("s") != "corruption" {
		t.Errorf("%v, %s", now, a.counts("s"))
	}
	if used, err := p.queue().Use(&r.Bound); used == nil || err != nil {
		t.Errorf("the answer does not hold: %v", err)
	}
	r = p.asks(func(r *approval.Request) { because(r); r.Labels = seen })
	if status, shown := p.answers("WORD", "approve", "--trust", r.Code); status != 0 || a.counts("s") != "" {
		t.Errorf("%d, %s: %s", status, shown, a.counts("s"))
	}
	a.tool("s", "WebFetch", "url", "https://example.org/")
	if got := a.counts("s"); got != "" {
		t.Errorf("the same page again: %s", got)
	}
	// What asks because of that alone asks no more, and elsewhere as before.
	a.tool("other", "WebFetch", "url", "https://example.org/")
	for session, want := range map[string]string{"s": "allow", "other": "ask"} {
		if d, reason := a.bash(session, "curl -s https://example.com"); d != want {
			t.Errorf("in %s: %s (%s), want %s", session, d, reason, want)
		}
	}
	a.tool("s", "WebFetch", "url", "https://third.example/")
	a.tool("s", "Read", "file_path", "/srv/project/.env")
	if got := a.counts("s"); got != "corruption secret" {
		t.Errorf("another page and a secret: %s", got)
	}
	out, err := bashgate(p.home, "taint", "show", "s").Output()
	if err != nil || strings.Count(string(out), "(trusted by a person at a terminal") != 2 {
		t.Errorf("%v, %s", err, out)
	}
	// A damaged record is not trusted, nor what another session has seen.
	r = p.asks(func(r *approval.Request) { because(r); r.Labels, r.Session = seen, "claude-other" })
	p.answers("WORD", "approve", "--trust", r.Code)
	if got := a.counts("s"); got != "corruption secret" {
		t.Errorf("for another session: %s", got)
	}
	if err := os.Truncate(filepath.Join(store.Dir, "sessions/claude-s.log"), 10); err != nil {
		t.Fatal(err)
	}
	state = store.Read("claude-s")
	damaged := state.Seen(2)
	r = p.asks(func(r *approval.Request) { because(r); r.Labels = damaged })
	if status, shown := p.answers("WORD", "approve", "--trust", r.Code); status != 2 || !strings.Contains(shown, "there is nothing to trust") || strings.Contains(shown, "approve --trust:") {
		t.Errorf("damaged: %d, %s", status, shown)
	}
	// It was whole when it asked.
	r = p.asks(func(r *approval.Request) { because(r); r.Labels = seen[1:] })
	if status, shown := p.answers("WORD", "approve", "--trust", r.Code); status != 1 || !strings.Contains(shown, "is approved, but what the session has seen counts as before") || a.counts("s") != "corruption secret damaged" && a.counts("s") != "damaged" {
		t.Errorf("damaged since: %d, %s, %s", status, shown, a.counts("s"))
	}
}

// Whatever others have written into a request, none of it acts on the terminal or
// looks like a line of bashgate's.
func TestHostileRequest(t *testing.T) {
	const evil = "\x1b[2J\x1b]0;x\a\r\u202e\u2066\u200b\x7f\u0085  KXRT  claude"
	p := newPerson(t)
	r := p.asks(func(r *approval.Request) {
		*r = approval.Request{
			Bound: approval.Bound{Host: "h" + evil, Session: evil, Tool: "t" + evil, Command: "x\n" + evil + strings.Repeat(" ", 200) + "│ end\n", Cwd: "/p" + evil, Labels: []string{evil + strings.Repeat("y", 500)}, Does: []string{evil}, Files: []string{evil + "=1"}},
			ID:    evil, Mode: evil, Shell: evil, Why: []approval.Why{{ID: evil, Text: evil, Source: evil}},
		}
	})
	if _, err := p.queue().Answer(r.Code, approval.Answer{State: approval.Approved, By: evil, Channel: evil, Reason: evil}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"pending", "--all"}, {"pending", r.Code}} {
		out, err := bashgate(p.home, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
			if strings.ContainsAny(line, "\x1b\a\r\u202e\u2066\u200b\x7f\u0085") {
				t.Errorf("%v: %q", args, line)
			}
			if i > 0 && !strings.HasPrefix(line, "  ") {
				t.Errorf("%v: line %d looks like another: %q", args, i+1, line)
			}
		}
	}
	// A terminal wraps nothing by itself.
	v := PendingOf(p.state(r.Code))
	process, _, _ := process(t, nil)
	for _, width := range []int{1, 20, 40, 80, 200} {
		for i, line := range strings.Split(v.draw(process, false, width, 0, time.Now()), "\n") {
			if n := len([]rune(line)); i > 0 && n > max(width, 20+len("  asks   ")) {
				t.Errorf("width %d: %d columns: %q", width, n, line)
			}
		}
	}
}

// All of a command is shown before it is approved, and as much as one can read where
// nobody approves.
func TestLongRequest(t *testing.T) {
	p := newPerson(t)
	long := strings.Repeat("echo one\n", 999) + "rm -rf build\n"
	r := p.asks(func(r *approval.Request) { r.Command = long })
	out, err := bashgate(p.home, "pending").Output()
	if err != nil || strings.Contains(string(out), "rm -rf build") || strings.Count(string(out), "│ echo one\n") != 200 || !strings.Contains(string(out), "  800 more lines: bashgate pending "+r.Code+" --full\n") {
		t.Errorf("%v, %.300s", err, out)
	}
	out, err = bashgate(p.home, "pending", "--full", r.Code).Output()
	if err != nil || strings.Count(string(out), "│ echo one\n") != 999 || !strings.Contains(string(out), "│ rm -rf build\n") {
		t.Errorf("%v, %.300s", err, out)
	}
	status, shown := p.answers("WORD", "approve", r.Code)
	if status != 0 || strings.Count(shown, "│ echo one\n") != 999 || !strings.Contains(shown, "│ rm -rf build\n") || !strings.Contains(shown, "  1000 lines, 9004 bytes: read it from its beginning\n") {
		t.Errorf("%d, %.300s", status, shown)
	}
	wide := p.asks(func(r *approval.Request) { r.Command = strings.Repeat("é", 500<<10) })
	v := PendingOf(wide)
	if rows := v.Lines(80); len(rows) != 500<<10/80 || strings.Join(rows, "") != wide.Command {
		t.Errorf("%d rows", len(rows))
	}
}

// The machine form is JSON, a line each, and holds what was asked.
func TestPendingJSON(t *testing.T) {
	p := newPerson(t)
	r := p.asks(func(r *approval.Request) {
		r.Command, r.Labels, r.Files = "a\x1b\n\u202eb", []string{"corruption 2: x"}, []string{"/p/a=b.sh=3f7a"}
	})
	out, err := bashgate(p.home, "pending", "--json").Output()
	if err != nil || strings.Count(string(out), "\n") != 1 {
		t.Fatalf("%v, %s", err, out)
	}
	var got fields
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"v": 1.0, "code": r.Code, "sum": r.Sum(), "state": "pending", "agent": "claude", "session": "s", "tool": "", "command": "a\x1b\n\u202eb",
		"cwd": p.project, "workspace": p.project, "mode": "default", "shell": "bash", "trust": false, "by": "", "channel": "", "reason": "",
		"made": r.Made.UTC().Format(time.RFC3339), "ends": r.Made.Add(r.Life).UTC().Format(time.RFC3339),
	} {
		if got[key] != want {
			t.Errorf("%s: %v, want %v", key, got[key], want)
		}
		delete(got, key)
	}
	rest, _ := json.Marshal(got)
	if want := `{"does":["sends commits to github.com"],"lines":["a\\x1b","\\u202eb"],"runs":["/p/a=b.sh"],"seen":["corruption 2: x"],"why":[{"rule":"git.push","source":"rules/git.toml:13","text":"Sends commits to a remote repository (git)"}]}`; string(rest) != want {
		t.Errorf("%s, want %s", rest, want)
	}
}

// What others could have written is not shown as a question.
func TestForeignRequest(t *testing.T) {
	p := newPerson(t)
	r := p.asks(nil)
	files, _ := filepath.Glob(p.queue().Dir + "/*-" + r.Code + ".jsonl")
	if err := os.Chmod(files[0], 0o666); err != nil {
		t.Fatal(err)
	}
	c := bashgate(p.home, "pending")
	out, err := c.CombinedOutput()
	if err != nil || strings.Contains(string(out), "git push") || !strings.Contains(string(out), "does not count") {
		t.Errorf("%v, %s", err, out)
	}
	if status, shown := p.answers("WORD", "approve", r.Code); status == 0 || !strings.Contains(shown, "does not count") {
		t.Errorf("%d, %s", status, shown)
	}
}

// A thousand are no trouble.
func TestThousandRequests(t *testing.T) {
	race.Sequential(t)
	p := newPerson(t)
	asked := 0
	listed := func(n int) (best time.Duration) {
		for ; asked < n; asked++ {
			p.asks(func(r *approval.Request) {
				r.Session = "s" + string(rune('a'+asked%26)) + string(rune('a'+asked/26))
				r.ID = r.Session
			})
		}
		best = time.Hour
		for range 5 {
			start := time.Now()
			out, err := bashgate(p.home, "pending").Output()
			best = min(best, time.Since(start))
			if err != nil || strings.Count(string(out), "│ git push -f") != n {
				t.Fatal(err)
			}
		}
		return best
	}
	few := listed(100)
	many := listed(1000)
	t.Log(few, many)
	if many > 30*few { // ten times as much to read, and what starts once
		t.Errorf("1,000 requests take %v, and 100 take %v", many, few)
	}
}

// --watch goes on: a terminal is drawn anew, others get each question once.
func TestPendingWatch(t *testing.T) {
	p := newPerson(t)
	first := p.asks(nil)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := bashgate(p.home, "pending", "--watch")
	c.Stdout = in
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	in.Close()
	out.SetReadDeadline(time.Now().Add(20 * time.Second))
	all, buffer := "", make([]byte, 4096)
	until := func(text string) {
		t.Helper()
		for !strings.Contains(all, text) {
			n, err := out.Read(buffer)
			if all += string(buffer[:n]); err != nil {
				t.Fatalf("%v: %s", err, all)
			}
		}
	}
	until(first.Code)
	second := p.asks(func(r *approval.Request) { r.Command = "git push -f two" })
	until("git push -f two")
	if strings.Count(all, first.Code) != 1 || strings.Count(all, second.Code) != 1 || strings.Contains(all, "\x1b") {
		t.Errorf("%s", all)
	}
}

func TestPendingWatchTerminal(t *testing.T) {
	p := newPerson(t)
	screen, line := terminal(t)
	c := bashgate(p.home, "pending", "--watch")
	c.Env = append(c.Env, "TERM=xterm")
	c.Stdout = line
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	late := time.AfterFunc(20*time.Second, func() { c.Process.Kill(); line.Close() })
	defer late.Stop()
	all, buffer := "", make([]byte, 4096)
	until := func(text string) {
		t.Helper()
		for !strings.Contains(all, text) {
			n, err := screen.Read(buffer)
			if all += string(buffer[:n]); err != nil || !late.Reset(20*time.Second) {
				t.Fatalf("%v: %q", err, all)
			}
		}
	}
	until("nothing waits for a person\x1b[K\r\n\x1b[J")
	r := p.asks(nil)
	until("\x1b[H\x1b[1m\x1b[33m" + r.Code)
}

// Status bars tell how many wait, and the log who has answered.
func TestWaitsAndLog(t *testing.T) {
	p := newPerson(t)
	putFile(t, p.home+"/.claude/settings.json", `{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/usr/local/bin/bashgate hook claude"}]}]}}`)
	status := func(want string) {
		t.Helper()
		out, err := bashgate(p.home, "status").Output()
		if err != nil || string(out) != "bashgate claude · clean · cop off"+want+"\n" {
			t.Errorf("%v, %s", err, out)
		}
	}
	status("")
	one, two := p.asks(nil), p.asks(func(r *approval.Request) { r.Command = "git push -f two" })
	status(" · 2 wait")
	if out, err := bashgate(p.home, "status", "--json").Output(); err != nil || !strings.Contains(string(out), `,"waits":2}`) {
		t.Errorf("%v, %s", err, out)
	}
	if status, shown := p.answers("y", "deny", "--reason", "a pull\nrequest", one.Code); status != 0 {
		t.Fatal(shown)
	}
	status(" · 1 wait")
	p.answers("WORD", "approve", two.Code)
	status("")
	for _, row := range []struct {
		args []string
		want string
	}{
		{nil, "       claude s  approval " + one.Code + ` denied by a person at a terminal: a pull\nrequest` + "\n       claude s  approval " + two.Code + " approved by a person at a terminal\n"},
		{[]string{"--code", strings.ToLower(two.Code)}, "       claude s  approval " + two.Code + " approved by a person at a terminal\n"},
		{[]string{"--decision", "denied"}, "       claude s  approval " + one.Code + ` denied by a person at a terminal: a pull\nrequest` + "\n"},
		{[]string{"--rule", "git.push", "--decision", "approved"}, "       claude s  approval " + two.Code + " approved by a person at a terminal\n"},
		{[]string{"--decision", "ask"}, ""},
	} {
		out, err := bashgate(p.home, append([]string{"log"}, row.args...)...).Output()
		got := ""
		for line := range strings.Lines(string(out)) {
			got += line[min(len(line), len("2026-11-02 10:42:11  ")):]
		}
		if err != nil || got != row.want {
			t.Errorf("%v: %v, %q, want %q", row.args, err, got, row.want)
		}
	}
	// A log that holds no commands holds none of these either.
	putFile(t, p.home+"/.config/bashgate/config.toml", "[audit]\ncommands = \"names\"\n")
	three := p.asks(func(r *approval.Request) { r.Command = "git push -f three" })
	p.answers("WORD", "approve", three.Code)
	lines := p.logged()
	if last := lines[len(lines)-1]; last["code"] != three.Code || last["command"] != nil {
		t.Errorf("%v", last)
	}
}

// An agent that makes itself a terminal, hides its variables and stands far above is
// one all the same.
func TestApproveBelowAgent(t *testing.T) {
	p := newPerson(t)
	r := p.asks(nil)
	for _, verb := range []string{"approve", "deny"} {
		script := filepath.Join(p.home, "deep.sh")
		putFile(t, script, `[ "$1" = 0 ] || { sh "$0" $(($1 - 1)); exit $?; }; "$BASHGATE" play-bashgate `+verb+" "+r.Code+"; exit $?\n")
		screen, programs := terminal(t)
		c := exec.Command("/bin/sh", script, "12")
		c.Args[0] = "/usr/bin/claude"
		c.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "BASHGATE=" + os.Args[0]}
		c.Stdin, c.Stdout, c.Stderr = programs, programs, programs
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
		late := time.AfterFunc(20*time.Second, func() { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		programs.Close()
		shown, _ := io.ReadAll(screen) // ends with an error when nobody holds the other end
		c.Wait()
		late.Stop()
		if !strings.Contains(string(shown), "an agent can't "+verb+" that: it was started by claude") || c.ProcessState.ExitCode() != 2 || p.state(r.Code).State != approval.Pending {
			t.Errorf("%s: %v, %s", verb, c.ProcessState, shown)
		}
	}
}

// A screen shows no more than it has rows.
func TestFitting(t *testing.T) {
	const text = "a\nb\nc\nd\n"
	for rows, want := range map[int]string{
		0: text, 1: text, 6: text, 5: text, 4: "a\nb\n2 more lines: bashgate pending\n", 3: "a\n3 more lines: bashgate pending\n",
	} {
		if got := fitting(text, rows); got != want {
			t.Errorf("%d rows: %q, want %q", rows, got, want)
		}
	}
}
