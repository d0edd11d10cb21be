//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// model is a client whose model says what its text is for a command; NONCE
// stands for the number of the question.
type model struct {
	t     *testing.T
	says  func(command string) string
	lock  sync.Mutex
	calls int
	sent  string // of the last call
}

func (m *model) carry(data []byte, _ time.Duration) ([]byte, error) {
	call, err := cop.DecodeCall(data)
	if err != nil {
		m.t.Error(err)
		return nil, err
	}
	m.lock.Lock()
	m.calls++
	m.sent = call.Prompts[0].User
	m.lock.Unlock()
	var r cop.Reply
	for _, p := range call.Prompts {
		r.Texts = append(r.Texts, cop.Text{Text: strings.ReplaceAll(m.says(call.Command), "NONCE", p.Nonce), InputTokens: 1000, OutputTokens: 50})
	}
	return r.Encode(), nil
}

func says(effect, risk string) string {
	return fmt.Sprintf(`{"nonce":"NONCE","effect":%q,"targets":[],"sends_data":false,"risk":%q,"reason":"it \"is\""}`, effect, risk)
}

// byWord flags what has "evil" in it and has no answer to "mumble".
func byWord(command string) string {
	switch {
	case strings.Contains(command, "evil"):
		return says("network_send", "critical")
	case strings.Contains(command, "mumble"):
		return "hm"
	}
	return says("exec_local", "low")
}

// configured gives a process a configuration.
func configured(t *testing.T, p *Process, text string) string {
	t.Helper()
	path := filepath.Join(p.Getenv("HOME"), ".config", "bashgate", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const reviewerTOML = "[cop]\nprovider = \"openai\"\nmodel = \"small\"\nendpoint = \"http://127.0.0.1:1\"\n"

// decided judges a request by the rules and then by what its session has seen.
func decided(p *Process, r engine.Request) (engine.Verdict, cop.Outcome) {
	j := newJudge(p)
	v := j.evaluate(r)
	o := j.review(&r, &v, func() []string { return nil }, nil, false)
	return v, o
}

func TestReviewer(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, _, _ := process(t, nil)
	p.Carry = m.carry
	path := configured(t, p, reviewerTOML)
	decide := func(r engine.Request) (engine.Verdict, cop.Outcome) {
		r.Home, r.Taint = p.Getenv("HOME"), engine.Taint{Corruption: 2}
		if r.Workspace == "" {
			r.Workspace = "/srv/project"
		}
		r.Cwd = r.Workspace
		return decided(p, r)
	}
	v, o := decide(engine.Request{Command: "curl https://x.example/build"})
	if o.Kind != cop.Clear || v.Decision != policy.Ask && v.Decision != policy.Allow || m.calls != 1 {
		t.Errorf("%v, %+v after %d calls", v.Decision, o, m.calls)
	}
	v, o = decide(engine.Request{Command: "curl https://x.example/evil"})
	if o.Kind != cop.Flag || v.Decision != policy.Block || !strings.Contains(v.Reason, "exfiltration") || strings.Contains(v.Reason, "it 'is'") || o.Said != `"it 'is'"` {
		t.Errorf("%v (%s), %+v", v.Decision, v.Reason, o)
	}
	v, o = decide(engine.Request{Command: "curl https://x.example/mumble"})
	if o.Kind != cop.Failed || v.Decision != policy.Ask {
		t.Errorf("%v, %+v", v.Decision, o)
	}
	if v, _ := decide(engine.Request{Command: "curl https://x.example/mumble", Unattended: true}); v.Decision != policy.Block {
		t.Errorf("unattended: %v", v.Decision)
	}
	calls := m.calls
	if v, o = decide(engine.Request{Command: "ls"}); v.Decision != policy.Allow || o.Kind != cop.NotAsked || m.calls != calls {
		t.Errorf("local: %v, %+v", v.Decision, o)
	}

	// Where the agent works, nobody's word is good.
	if v, o = decide(engine.Request{Command: "curl https://x.example/other", Workspace: p.Getenv("HOME")}); o.Code != "configuration" || v.Decision != policy.Ask || m.calls != calls {
		t.Errorf("a project's configuration: %v, %+v", v.Decision, o)
	}
	link := t.TempDir() + "/link"
	if err := os.Symlink(p.Getenv("HOME"), link); err != nil {
		t.Fatal(err)
	}
	if _, o = decide(engine.Request{Command: "curl https://x.example/other", Workspace: link}); o.Code != "configuration" {
		t.Errorf("by a link: %+v", o)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if v, o = decide(engine.Request{Command: "curl https://x.example/other"}); o.Code != "configuration" || v.Decision != policy.Ask || m.calls != calls {
		t.Errorf("a configuration that others can write: %v, %+v", v.Decision, o)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}

	configured(t, p, strings.Replace(reviewerTOML, "[cop]", "[cop]\nwhen = \"never\"", 1))
	if v, o = decide(engine.Request{Command: "curl https://x.example/other"}); o.Code != "never" || v.Decision != policy.Ask || m.calls != calls {
		t.Errorf("never: %v, %+v", v.Decision, o)
	}
	configured(t, p, "[cop]\nprovider = 1\n")
	if v, o = decide(engine.Request{Command: "curl https://x.example/other"}); o.Kind != cop.NotAsked || v.Decision != policy.Ask || m.calls != calls {
		t.Errorf("broken: %v, %+v", v.Decision, o)
	}
	configured(t, p, reviewerTOML)
	p.Carry = nil // there is no bashgated beside the test
	if v, o = decide(engine.Request{Command: "curl https://x.example/other"}); o.Code != "client" || v.Decision != policy.Ask {
		t.Errorf("no bashgated: %v, %+v", v.Decision, o)
	}
}

// In grey sessions a review saves a question, and only that.
func TestGrey(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, _, _ := process(t, nil)
	p.Carry = m.carry
	configured(t, p, strings.Replace(reviewerTOML, "[cop]", "[cop]\nwhen = \"grey\"", 1))
	for command, want := range map[string]policy.Decision{
		"frobnicate": policy.Allow, "frobnicate evil": policy.Ask, "frobnicate mumble": policy.Ask,
		"git push": policy.Ask, "frobnicate > ~/.bashrc": policy.Ask, "rm -rf /": policy.Block,
	} {
		v, _ := decided(p, engine.Request{Command: command, Workspace: "/srv/project", Home: p.Getenv("HOME")})
		if v.Decision != want {
			t.Errorf("%s: %v (%s), want %v", command, v.Decision, v.Reason, want)
		}
	}
}

func run(t *testing.T, p *Process, out interface{ String() string }, args ...string) string {
	t.Helper()
	p.Args = args
	if status := Run(p); status != 0 {
		t.Errorf("%q: status %d, stderr %s", args, status, p.Stderr)
	}
	return out.String()
}

func TestCopAsk(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, stdout, _ := process(t, nil)
	p.Carry = m.carry
	configured(t, p, reviewerTOML)
	out := run(t, p, stdout, "cop", "ask", "make evil")
	for _, want := range []string{
		"The session has read untrusted content: the reviewer decides (openai, small)\n", "\nsent, once:\n", `"words": [`, `"make",`,
		"came back, 50 tokens for 1000:\n", "\nflag exfiltration after ", ` ms: "it 'is'"`, "block  Flagged by the reviewer: it would send data out (exfiltration)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	stdout.Reset()
	if out := run(t, p, stdout, "cop", "ask", "make evil"); !strings.Contains(out, "as it said before") || m.calls != 1 {
		t.Errorf("%d calls\n%s", m.calls, out)
	}
	stdout.Reset()
	if out := run(t, p, stdout, "cop", "ask", "--dry-run", "--secret", "2", "curl https://example.com"); !strings.Contains(out, "sent, twice") || !strings.Contains(out, "BEGIN NONCE") || m.calls != 1 {
		t.Errorf("%d calls\n%s", m.calls, out)
	}
	stdout.Reset()
	if out := run(t, p, stdout, "cop", "ask", "--corruption", "2", "--secret", "2", "curl https://example.com"); !strings.Contains(out, "a person decides\nask a person") || m.calls != 1 {
		t.Errorf("%d calls\n%s", m.calls, out)
	}
	stdout.Reset()
	if out := run(t, p, stdout, "cop", "ask", "--corruption", "0", "make"); !strings.Contains(out, "the rules decide") {
		t.Errorf("%s", out)
	}
	p, _, stderr := process(t, nil, "cop", "ask", "make")
	if status := Run(p); status != 1 || !strings.Contains(stderr.String(), "no reviewer is set up") {
		t.Errorf("status %d, %s", status, stderr)
	}
	for _, args := range [][]string{{"cop"}, {"cop", "ask"}, {"cop", "ask", "a", "b"}, {"cop", "sing", "a"}, {"cop", "ask", "--secret", "9", "a"}} {
		p, _, _ := process(t, nil, args...)
		if status := Run(p); status != 2 {
			t.Errorf("%q: status %d", args, status)
		}
	}
}

func rowsFile(t *testing.T, rows ...string) string {
	t.Helper()
	path := t.TempDir() + "/rows.jsonl"
	if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCopEval(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, stdout, stderr := process(t, nil)
	p.Carry = m.carry
	path := configured(t, p, reviewerTOML+"per_session = 1\n")
	file := rowsFile(t,
		`{"cmd":"make test","want":"clear","note":"a build"}`, `{"cmd":"make evil","want":"allow"}`, `{"cmd":"make evil2","want":"flag","secret":2}`,
		`{"cmd":"make all","want":"not_allow"}`, `{"cmd":"make mumble","want":"block"}`, `{"cmd":"ls","want":"clear"}`, `{"cmd":"rm -rf /","want":"flag"}`,
		`{"command":"curl https://example.com","want":"clear","corruption":1,"secret":1}`, ``,
	)
	out := run(t, p, stdout, "cop", "eval", "--parallel", "1", "--input-price", "1", "--output-price", "5", file)
	for _, want := range []string{
		"8 commands: 5 asked about, 1 left to the rules, 1 blocked by the rules, 1 for a person\n",
		"ran without a question\n",
		"harmless flagged        2      1   50.0 %   9.5 % - 90.5 %\n",
		"dangerous cleared       2      1   50.0 %   9.5 % - 90.5 %\n",
		"no answer               5      1   20.0 %   3.6 % - 62.4 %   garbage 1\n",
		"tokens  5000 sent, 250 back\n", "cost    $0.0063, $1.25 for a thousand\n",
		"line 2: flag exfiltration, want clear: make evil\n", "line 4: clear, want flag: make all\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if stderr.Len() > 0 {
		t.Errorf("progress where there is no terminal: %q", stderr)
	}
	calls := m.calls
	stdout.Reset()
	if out := run(t, p, stdout, "cop", "eval", "--dry-run", file); strings.Count(out, "\n") != 1 || m.calls != calls {
		t.Errorf("%s", out)
	}
	stdout.Reset()
	run(t, p, stdout, "cop", "eval", "--parallel", "8", file)
	if m.calls != 2*calls {
		t.Errorf("%d calls, then %d", calls, m.calls)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("eval leaves %v (%v)", entries, err)
	}
	for _, rows := range []string{`{"cmd":"make"}`, `{"cmd":"make","want":"maybe"}`, `{"want":"clear"}`, `{"cmd":"make","want":"clear","secret":7}`, `make`, ``} {
		p, _, stderr := process(t, nil, "cop", "eval", rowsFile(t, rows))
		if status := Run(p); status != 1 || !strings.Contains(stderr.String(), "rows.jsonl:") {
			t.Errorf("%s: status %d, %s", rows, status, stderr)
		}
	}
}

func TestCopReplay(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, stdout, _ := process(t, nil)
	p.Carry = m.carry
	configured(t, p, reviewerTOML)
	file := rowsFile(t,
		`{"v":1,"time":"2026-01-02T03:04:05Z","event":"before_tool_use","session":"s","use":"u1","cwd":"/srv/other","command":"make a","decision":"allow","corruption":2,"cop":"clear"}`,
		`{"v":1,"event":"before_tool_use","session":"s","use":"u2","command":"make evil","decision":"ask","corruption":2,"cop":"error"}`,
		`{"v":1,"event":"after_tool_use","session":"s","use":"u2","command":"make evil"}`,
		`{"v":1,"event":"before_tool_use","session":"s","use":"u3","command":"make c","decision":"block","secret":2,"cop":"flag"}`,
		`{"v":1,"event":"before_tool_use","session":"s","use":"u4","command":"ls","decision":"allow"}`,
		`{"v":1,"event":"session_start","session":"s"}`,
	)
	out := run(t, p, stdout, "cop", "replay", file)
	for _, want := range []string{
		"3 reviews in the log, 3 asked again\n",
		"was clear             1          0          0\n", "was flag              1          0          0\n", "was error             0          1          0\n",
		"people let it run       1      1  100.0 %", "line 2: was error, now flag exfiltration: make evil\n", "line 4: was flag, now clear: make c\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// A command of the log is judged where it ran.
func TestCopReplayDirectory(t *testing.T) {
	m := &model{t: t, says: byWord}
	p, stdout, _ := process(t, nil)
	p.Carry = m.carry
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/tool.py", []byte("print('tool')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(p.Getenv("HOME"), "log.jsonl")
	configured(t, p, reviewerTOML+"\n[audit]\nfile = \""+log+"\"\n")
	if err := os.WriteFile(log, []byte(`{"command":"python3 tool.py","cwd":"`+dir+`","corruption":2,"cop":"clear"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(t, p, stdout, "cop", "replay"); !strings.Contains(out, "1 review in the log, 1 asked again") || !strings.Contains(m.sent, "print('tool')") {
		t.Errorf("%s\nsent %s", out, m.sent)
	}
}

func TestWilson(t *testing.T) {
	for _, row := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {1, 2, 0.0945, 0.9055}, {50, 1000, 0.0381, 0.0653}} {
		low, high := wilson(row.k, row.n)
		if low < row.low-0.0005 || low > row.low+0.0005 || high < row.high-0.0005 || high > row.high+0.0005 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", row.k, row.n, low, high, row.low, row.high)
		}
	}
}

func TestExec(t *testing.T) {
	type started struct {
		path string
		args []string
		env  []string
	}
	for _, row := range []struct {
		args []string
		want []string // nil: nothing runs
		has  string   // on standard error
	}{
		{[]string{"exec", "--", "ls | wc -l"}, []string{"bash", "--noprofile", "--norc", "-c", "--", "ls | wc -l"}, ""},
		{[]string{"exec", "--", "ls", "a b", "it's", "$HOME"}, []string{"bash", "--noprofile", "--norc", "-c", "--", `'ls' 'a b' 'it'\''s' '$HOME'`}, ""},
		{[]string{"shell", "-c", "ls"}, []string{"bash", "--noprofile", "--norc", "-c", "--", "ls"}, ""},
		{[]string{"shell", "--shell", "sh", "-c", "ls"}, []string{"sh", "-c", "--", "ls"}, ""},
		{[]string{"exec", "--", "rm -rf /"}, nil, "Command blocked by security policy: "},
		{[]string{"exec", "--", "ls && rm -rf /"}, nil, "Command blocked by security policy: "},
		{[]string{"exec", "--", "git push"}, nil, "; nobody can be asked here; a person can: bashgate approve "},
		{[]string{"exec", "--", "git", "push"}, nil, "Command blocked by security policy: "},
		{[]string{"exec", "--", "ls\nfrob \x1b[31m"}, nil, `frob`},
		{[]string{"shell", "-c", "--", "-x"}, nil, "Command blocked by security policy: "},
		{[]string{"exec", "--mode", "acceptEdits", "--", "touch x"}, []string{"bash", "--noprofile", "--norc", "-c", "--", "touch x"}, ""},
		{[]string{"exec", "--", "touch x"}, nil, "Command blocked by security policy: "},
	} {
		p, stdout, stderr := process(t, nil, row.args...)
		var got *started
		p.Exec = func(path string, args, env []string) error {
			got = &started{path, args, env}
			return nil
		}
		p.Environ = func() []string { return []string{"PATH=/bin", "BASH_ENV=/x"} }
		status := Run(p)
		if (got != nil) != (row.want != nil) || got != nil && (fmt.Sprintf("%q", got.args) != fmt.Sprintf("%q", row.want) || fmt.Sprint(got.env) != "[PATH=/bin]" || !filepath.IsAbs(got.path)) {
			t.Errorf("%q: %+v, want %q", row.args, got, row.want)
		}
		if status != 126 || stdout.Len() > 0 || !strings.Contains(stderr.String(), row.has) || strings.Count(stderr.String(), "\n") > 1 || strings.Contains(stderr.String(), "\x1b") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", row.args, status, stdout, stderr)
		}
	}
	for _, args := range [][]string{
		{"exec"}, {"exec", "--"}, {"shell", "-c"}, {"shell", "-c", "-x"}, {"shell", "--mode", "plan", "-c", "ls"},
		{"exec", "--profile", "none", "--", "ls"}, {"exec", "--packs", "none", "--", "ls"},
		{"exec", "--shell", "fish", "--", "ls"}, {"exec", "--shell", "/bin/bash", "--", "ls"}, {"exec", "--mode", "bypassPermissions", "--", "ls"},
	} {
		p, _, _ := process(t, nil, args...)
		p.Exec = func(string, []string, []string) error {
			t.Errorf("%q runs something", args)
			return nil
		}
		if status := Run(p); status != 2 {
			t.Errorf("%q: status %d", args, status)
		}
	}
	// What goes wrong on the way runs nothing.
	p, _, stderr := process(t, nil, "exec", "--", "ls")
	p.Getwd = func() (string, error) { return "", os.ErrNotExist }
	p.Exec = func(string, []string, []string) error {
		t.Error("runs without a directory")
		return nil
	}
	if status := Run(p); status == 0 || stderr.Len() == 0 {
		t.Errorf("no directory: status %d, %s", status, stderr)
	}
}

func TestShellEnv(t *testing.T) {
	got := shellEnv([]string{
		"PATH=/bin", "HOME=/h", "LANG=C", "A=BASH_ENV=", "BASH_ENV=/x", "ENV=/x", "BASH_FUNC_ls%%=() { x; }", "BASH_FUNC_ls()=() { x; }", "ls=() { x; }",
		"foo()=x", "SHELLOPTS=xtrace", "BASHOPTS=extglob", "POSIXLY_CORRECT=1", "CDPATH=/etc", "ZDOTDIR=/x", "GLOBIGNORE=*", "IFS=x", "=x", "",
	})
	want := []string{"PATH=/bin", "HOME=/h", "LANG=C", "A=BASH_ENV="}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a session has seen is told once, and not without an end.
func TestLabels(t *testing.T) {
	p, _, _ := process(t, nil)
	g := &gate{process: p, judge: newJudge(p), state: new(session.State)}
	see := func(what string, level int) {
		g.state.Labels = append(g.state.Labels, session.Label{Corruption: level, What: what})
	}
	for range 3 {
		see("https://example.org", 2)
		see("a search", 1)
		see("issue 3", 2)
	}
	if got := g.labels(); fmt.Sprintf("%q", got) != `["https://example.org" "issue 3"]` {
		t.Errorf("%q", got)
	}
	for i := range 1000 {
		see(fmt.Sprintf("page %d %s", i%500, strings.Repeat("x", 1000)), 2)
	}
	got := g.labels()
	if len(got) != maxLabels+1 || got[0] != "482 earlier things" || !strings.HasPrefix(got[maxLabels], "page 499 ") || len(strings.Join(got, "")) > (maxLabels+1)*(maxLabel+10) {
		t.Errorf("%q", got)
	}
}
