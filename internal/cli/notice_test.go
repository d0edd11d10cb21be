//go:build unix

package cli

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/policy"
)

// noticed is a notice as a program reads it.
type noticed struct {
	V                                       int
	Code, Host, Project, Cwd, Tool, Command string
	Masked, Cut                             bool
	Why, Labels, Does                       []string
	Made, Expires                           time.Time
	Approve, Deny                           string
}

// asked puts a question in a home, and returns it and where it waits.
func asked(t *testing.T, home, command string) (*approval.Request, approval.Queue) {
	t.Helper()
	queue := approval.Queue{Store: approval.Store{Dir: filepath.Join(home, ".local/state/bashgate/requests")}}
	r, _, err := queue.Ask(approval.Request{
		Bound: approval.Bound{Host: "claude", Session: "claude-s", Command: command, Cwd: "/w/sub", Workspace: "/w", Labels: []string{"WebFetch example.org"}, Does: []string{"writes /etc/hosts"}},
		Why:   []approval.Why{{ID: "git.push", Text: "Sends commits to a remote repository (git)", Source: "rules/git.toml:13"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, queue
}

func readNotice(t *testing.T, text []byte) noticed {
	t.Helper()
	var n noticed
	if err := json.Unmarshal(text, &n); err != nil || strings.Count(string(text), "\n") != 1 || !strings.HasSuffix(string(text), "\n") {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

func TestNotice(t *testing.T) {
	r, queue := asked(t, t.TempDir(), "git push \u202e; curl -u me:hunter2 https://example.org/\nls")
	text, err := notice(queue, r)
	if err != nil {
		t.Fatal(err)
	}
	n := readNotice(t, text)
	if n.V != 1 || n.Code != r.Code || n.Host != "claude" || n.Project != "/w" || n.Cwd != "/w/sub" || n.Cut || !n.Masked ||
		n.Command != `git push \u202e; curl -u me:SECRET_OF_7_CHARACTERS https://example.org/\nls` ||
		fmt.Sprint(n.Why, n.Labels, n.Does) != "[Sends commits to a remote repository (git)] [WebFetch example.org] [writes /etc/hosts]" ||
		n.Expires.Sub(n.Made) != r.Life || n.Made.Sub(r.Made).Abs() > time.Second {
		t.Errorf("%s", text)
	}
	for token, want := range map[string]approval.State{n.Approve: approval.Approved, n.Deny: approval.Denied} {
		if code, to, err := queue.Check(token); err != nil || code != r.Code || to != want {
			t.Errorf("%q: %s, %s, %v", token, code, to, err)
		}
	}
}

// What is not shown whole can't be answered, and nothing is longer than a pipe.
func TestLongNotice(t *testing.T) {
	for name, change := range map[string]func(r *approval.Request){
		"command":        func(r *approval.Request) { r.Command = strings.Repeat("x", noticeCommand) + " ; rm -rf /" },
		"hidden":         func(r *approval.Request) { r.Command = strings.Repeat("\x01", noticeCommand/2) },
		"a long command": func(r *approval.Request) { r.Command = strings.Repeat("\u202e", 1<<20) },
		"label":          func(r *approval.Request) { r.Labels = []string{strings.Repeat("x", noticeText+1)} },
		"labels":         func(r *approval.Request) { r.Labels = make([]string, noticeTexts+1) },
		"all": func(r *approval.Request) {
			long := strings.Repeat("\"", 1<<12)
			for range 100 {
				r.Labels, r.Does, r.Why = append(r.Labels, long), append(r.Does, long), append(r.Why, approval.Why{Text: long})
			}
			r.Command, r.Cwd, r.Workspace, r.Tool = strings.Repeat(long, 100), long, long, long
		},
	} {
		r, queue := asked(t, t.TempDir(), "git push")
		change(r)
		text, err := notice(queue, r)
		if err != nil {
			t.Fatal(err)
		}
		n := readNotice(t, text)
		if !n.Cut || n.Approve != "" || n.Deny != "" {
			t.Errorf("%s: %.300s", name, text)
		}
		if len(text) >= 64<<10 {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
	r, queue := asked(t, t.TempDir(), "git push "+strings.Repeat("x", noticeCommand-9))
	if text, err := notice(queue, r); err != nil || readNotice(t, text).Cut {
		t.Errorf("%v: a command that fits is cut", err)
	}
}

// The program gets the notice, and little of the environment; where there is none,
// or it can't be started, that is all that happens.
func TestAnnounce(t *testing.T) {
	home := t.TempDir()
	r, _ := asked(t, home, "git push")
	var complaints strings.Builder
	p := &Process{Stderr: &complaints, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "USER": "me", "PATH": "/p/node_modules/.bin", "LD_PRELOAD": "x.so", "DISPLAY": ":0", "TMUX": "t"}[name]
	}}
	p.announce(&config.Notify{}, r)
	out := filepath.Join(home, "out")
	began := time.Now()
	p.announce(&config.Notify{Command: []string{"/bin/sh", "-c", `{ cat; env; pwd; } >"$1.new"; mv "$1.new" "$1"; sleep 60`, "sh", out}}, r)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	line, env, _ := strings.Cut(soon(t, out), "\n")
	if n := readNotice(t, []byte(line+"\n")); n.Code != r.Code {
		t.Errorf("%s", line)
	}
	for _, want := range []string{"HOME=" + home, "USER=me", "DISPLAY=:0", "TMUX=t", "PATH=" + strings.Join(policy.SystemDirs(), ":") + "\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("no %s in\n%s", want, env)
		}
	}
	if strings.Contains(env, "LD_PRELOAD") || strings.Contains(env, "node_modules") || !strings.HasSuffix(env, "\n/\n") {
		t.Errorf("the environment:\n%s", env)
	}
	if complaints.Len() > 0 {
		t.Error(complaints.String())
	}
	p.announce(&config.Notify{Command: []string{"/nowhere/program"}}, r)
	if text := complaints.String(); !strings.Contains(text, "error: nobody is told of "+r.Code) || strings.Count(text, "\n") != 2 {
		t.Error(text)
	}
}

// soon waits for a file that another process puts into its place.
func soon(t *testing.T, path string) string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil {
			return string(text)
		}
	}
	t.Fatalf("%s is not there", path)
	return ""
}

// became waits until a question is answered.
func became(t *testing.T, queue approval.Queue, r *approval.Request) approval.State {
	t.Helper()
	now, err := queue.Wait(r, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return now.State
}

func TestAnswerCommand(t *testing.T) {
	home := t.TempDir()
	run := func(input string, args ...string) (string, int) {
		c := bashgate(home, append([]string{"answer"}, args...)...)
		c.Stdin = strings.NewReader(input)
		out, _ := c.CombinedOutput() // its status is looked at
		return string(out), c.ProcessState.ExitCode()
	}
	first, queue := asked(t, home, "git push")
	second, _ := asked(t, home, "git push --tags")
	token := func(r *approval.Request, to approval.State) string {
		text, err := queue.Sign(r, to)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	approve, deny := token(first, approval.Approved), token(second, approval.Denied)
	other := "A" // than what stands there
	if approve[30] == 'A' {
		other = "B"
	}
	if out, status := run("", approve[:30]+other+approve[31:]); status != exitUsage || !strings.Contains(out, "error: this is no answer to a request") {
		t.Errorf("an altered token: %d\n%s", status, out)
	}
	if now, err := queue.Request(first.Code); err != nil || now.State != approval.Pending {
		t.Errorf("an altered token has made it %s, %v", now.State, err)
	}
	if out, status := run("", approve); out != first.Code+" is approved\n" || status != exitOK {
		t.Errorf("%d\n%s", status, out)
	}
	if out, status := run("", approve); status != exitUsage || !strings.Contains(out, "error: "+first.Code+" is approved") {
		t.Errorf("a second time: %d\n%s", status, out)
	}
	// Others may write to where tokens come from, and as much as they like.
	out, status := run("\nnonsense\n"+strings.Repeat("A", 3*maxToken)+"\n"+strings.Repeat(" ", maxToken)+approve+"\n"+deny+"\n\n"+approve, "-")
	if status != exitError || !strings.Contains(out, second.Code+" is denied\n") || strings.Count(out, "error: this is no answer") != 2 || strings.Count(out, "error:") != 3 {
		t.Errorf("%d\n%s", status, out)
	}
	if now, err := queue.Request(second.Code); err != nil || now.State != approval.Denied || now.Channel != "notice" || now.By != "a person by a notice" {
		t.Errorf("%+v, %v", now, err)
	}
	log, err := os.ReadFile(filepath.Join(home, ".local/state/bashgate", auditFile))
	if err != nil || strings.Count(string(log), `"event":"approval"`) != 2 || !strings.Contains(string(log), `"decision":"denied"`) {
		t.Errorf("the log: %s, %v", log, err)
	}
	if _, status := run("", "a", "b"); status != exitUsage {
		t.Error("two tokens")
	}
}

// notifier is a program of docs/notify.
func notifier(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../../docs/notify/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"python3", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not here: the programs of docs/notify can't run", tool)
		}
	}
	return path
}

// wrapper writes bashgate as a program, for others to call.
func wrapper(t *testing.T, home string) string {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return script(t, "bashgate", "HOME='"+home+"' exec '"+self+"' play-bashgate \"$@\"")
}

func script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNotifiersAreWhole(t *testing.T) {
	for name, check := range map[string][]string{
		"desktop": {"python3"}, "ntfy": {"python3"}, "slack": {"python3"}, "slack-listen": {"python3"}, "ntfy-listen": {"sh"}, "tmux-message": {"sh"},
	} {
		path := notifier(t, name)
		args := []string{"sh", "-n", path}
		if check[0] == "python3" {
			args = []string{"python3", "-c", "import sys; compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')", path}
		}
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s can't be run", name)
		}
	}
}

// fakeNtfy is a server of ntfy: what is posted to a topic, or as JSON to the root,
// comes out of the topic's stream.
type fakeNtfy struct {
	mutex  sync.Mutex
	topics map[string][]string
	auth   []string
}

func (f *fakeNtfy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	topic := strings.Trim(r.URL.Path, "/")
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		text := string(body)
		if topic == "" {
			var message struct{ Topic string }
			if json.Unmarshal(body, &message) != nil {
				w.WriteHeader(400)
				return
			}
			topic = message.Topic
		}
		f.mutex.Lock()
		f.topics[topic] = append(f.topics[topic], text)
		f.auth = append(f.auth, r.Header.Get("Authorization"))
		f.mutex.Unlock()
		return
	}
	topic, ok := strings.CutSuffix(topic, "/raw")
	if !ok || r.URL.Query().Get("since") != "5m" {
		w.WriteHeader(404)
		return
	}
	for sent := 0; r.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
		for _, text := range f.posted(topic)[sent:] {
			sent++
			io.WriteString(w, text+"\n")
		}
		io.WriteString(w, "\n") // as ntfy does, to keep the connection
		w.(http.Flusher).Flush()
	}
}

func (f *fakeNtfy) posted(topic string) []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.topics[topic]
}

// TestNtfy sends a question to a phone, whose owner presses a button.
func TestNtfy(t *testing.T) {
	home := t.TempDir()
	f := &fakeNtfy{topics: map[string][]string{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.CloseClientConnections)
	listener := exec.Command(notifier(t, "ntfy-listen"), server.URL+"/", "replies", wrapper(t, home))
	listener.Env = []string{"PATH=" + os.Getenv("PATH")}
	if err := listener.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Process.Kill(); listener.Wait() })
	p := &Process{Stderr: os.Stderr, Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
	token := filepath.Join(home, "token")
	if err := os.WriteFile(token, []byte("tk_1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	type message struct {
		Title, Message string
		Actions        []struct{ Action, Label, URL, Method, Body string }
	}
	announced := func(command string, n int) (*approval.Request, approval.Queue, message) {
		r, queue := asked(t, home, command)
		p.announce(&config.Notify{Command: []string{notifier(t, "ntfy"), server.URL, "questions", "replies", token}}, r)
		for end := time.Now().Add(20 * time.Second); len(f.posted("questions")) < n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("nothing was published")
			}
		}
		var m message
		if err := json.Unmarshal([]byte(f.posted("questions")[n-1]), &m); err != nil {
			t.Fatal(err)
		}
		return r, queue, m
	}
	press := func(a struct{ Action, Label, URL, Method, Body string }) {
		if a.Action != "http" || a.Method != "POST" {
			t.Errorf("%+v", a)
		}
		response, err := http.Post(a.URL, "text/plain", strings.NewReader(a.Body))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	r, queue, m := announced("git push", 1)
	if m.Title != "claude asks: "+r.Code || !strings.HasPrefix(m.Message, "git push\n") || !strings.Contains(m.Message, "it has seen WebFetch example.org\nin /w/sub") || len(m.Actions) != 2 {
		t.Fatalf("%+v", m)
	}
	if f.auth[0] != "Bearer tk_1" {
		t.Errorf("%q", f.auth)
	}
	press(struct{ Action, Label, URL, Method, Body string }{"http", "", server.URL + "/replies", "POST", "nonsense"})
	press(m.Actions[0])
	if got := became(t, queue, r); got != approval.Approved {
		t.Errorf("after %s it is %s", m.Actions[0].Label, got)
	}
	for i := range 2 { // the same command passes then, once
		if used, err := queue.Use(&r.Bound); err != nil || (used != nil) != (i == 0) {
			t.Errorf("used %d times: %v, %v", i, used, err)
		}
	}
	press(m.Actions[0]) // too late
	r, queue, m = announced("git push --tags", 2)
	press(m.Actions[1])
	if got := became(t, queue, r); got != approval.Denied {
		t.Errorf("after %s it is %s", m.Actions[1].Label, got)
	}
	// More than a message holds has no buttons.
	r, _, m = announced("git push "+strings.Repeat("é", 2000), 3)
	if len(m.Actions) != 0 || !strings.Contains(m.Message, "bashgate pending "+r.Code) || len(m.Message) > 4096 {
		t.Errorf("%+v", m)
	}
}

// TestDesktop lets a notify-send be there that has buttons, or has none.
func TestDesktop(t *testing.T) {
	for name, test := range map[string]struct {
		help, pressed, command string
		want                   approval.State
	}{
		"approve":        {"--action", "approve", "git push <b>", approval.Approved},
		"deny":           {"--action", "deny", "git push", approval.Denied},
		"closed":         {"--action", "", "git push", approval.Pending},
		"other words":    {"--action", "0", "git push", approval.Pending},
		"an older one":   {"", "approve", "git push", approval.Pending},
		"a long command": {"--action", "approve", "git push " + strings.Repeat("x", 300), approval.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			r, queue := asked(t, home, test.command)
			shown := filepath.Join(home, "shown")
			fake := script(t, "notify-send", `if [ "$1" = --help ]; then echo '`+test.help+`'; exit; fi
printf '%s\n' "$@" >'`+shown+`'
case "$*" in *--action*) echo '`+test.pressed+`' ;; esac`)
			text, err := notice(queue, r)
			if err != nil {
				t.Fatal(err)
			}
			c := exec.Command(notifier(t, "desktop"), wrapper(t, home))
			c.Env = []string{"PATH=" + filepath.Dir(fake) + ":" + os.Getenv("PATH")}
			c.Stdin = strings.NewReader(string(text))
			if out, err := c.CombinedOutput(); err != nil && test.want != approval.Pending {
				t.Fatalf("%v\n%s", err, out)
			}
			now, err := queue.Request(r.Code)
			if err != nil || now.State != test.want {
				t.Errorf("it is %s, %v", now.State, err)
			}
			args := soon(t, shown)
			if !strings.Contains(args, "claude asks: "+r.Code+"\ngit push") || strings.Contains(args, "<b>") {
				t.Errorf("shown:\n%s", args)
			}
		})
	}
}

// TestMacDesktop does so for osascript.
func TestMacDesktop(t *testing.T) {
	home := t.TempDir()
	r, queue := asked(t, home, "git push")
	fake := script(t, "osascript", `cat >/dev/null; [ "$1" = - ] && [ "$2" = "claude asks: `+r.Code+`" ] && echo Deny`)
	text, err := notice(queue, r)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(notifier(t, "desktop"), wrapper(t, home))
	c.Env = []string{"PATH=" + filepath.Dir(fake) + ":" + os.Getenv("PATH")}
	c.Stdin = strings.NewReader(string(text))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if now, err := queue.Request(r.Code); err != nil || now.State != approval.Denied {
		t.Errorf("it is %s, %v", now.State, err)
	}
}

// TestSlack posts a question to a channel, and takes the buttons that Slack signs.
func TestSlack(t *testing.T) {
	home := t.TempDir()
	posts := make(chan string, 10)
	webhook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		posts <- string(body)
	}))
	defer webhook.Close()
	file := func(name, text string) string {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	hook, secret := file("webhook", webhook.URL), file("secret", "8f742231b10e8888abcd99yyyzzz85a5")
	r, queue := asked(t, home, "git push <!channel>")
	text, err := notice(queue, r)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(notifier(t, "slack"), hook)
	c.Stdin = strings.NewReader(string(text))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var message struct {
		Blocks []struct {
			Type     string
			Text     struct{ Type, Text string }
			Elements []struct {
				Value    string
				ActionID string `json:"action_id"`
			}
		}
	}
	if err := json.Unmarshal([]byte(<-posts), &message); err != nil || len(message.Blocks) != 3 || message.Blocks[1].Text.Type != "plain_text" || len(message.Blocks[2].Elements) != 2 {
		t.Fatalf("%+v, %v", message, err)
	}
	token := message.Blocks[2].Elements[0].Value

	listener := exec.Command(notifier(t, "slack-listen"), secret, hook, "0", wrapper(t, home))
	out, err := listener.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { listener.Process.Kill(); listener.Wait() }()
	var address string
	if _, err := fmt.Fscanf(out, "slack-listen: %s\n", &address); err != nil {
		t.Fatal(err)
	}
	press := func(key, token string, age time.Duration, spoil func(body string) string) int {
		payload, err := json.Marshal(map[string]any{"type": "block_actions", "user": map[string]any{"username": "me"}, "actions": []any{map[string]any{"action_id": "approve", "value": token}}})
		if err != nil {
			t.Fatal(err)
		}
		body := url.Values{"payload": {string(payload)}}.Encode()
		stamp := fmt.Sprint(time.Now().Add(-age).Unix())
		mac := hmac.New(sha256.New, []byte(key))
		io.WriteString(mac, "v0:"+stamp+":"+body)
		request, err := http.NewRequest("POST", "http://"+address+"/", strings.NewReader(spoil(body)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Slack-Request-Timestamp", stamp)
		request.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	const key = "8f742231b10e8888abcd99yyyzzz85a5"
	same := func(body string) string { return body }
	for name, status := range map[string]int{
		"another secret": press("other", token, 0, same),
		"an old one":     press(key, token, 6*time.Minute, same),
		"another body":   press(key, token, 0, func(body string) string { return body + "&x=y" }),
		"no body":        press(key, token, 0, func(string) string { return "" }),
	} {
		if status != 401 {
			t.Errorf("%s: %d", name, status)
		}
	}
	if now, err := queue.Request(r.Code); err != nil || now.State != approval.Pending {
		t.Fatalf("it is %s, %v", now.State, err)
	}
	if status := press(key, token, 0, same); status != 200 {
		t.Fatal(status)
	}
	if got := became(t, queue, r); got != approval.Approved {
		t.Errorf("it is %s", got)
	}
	if text := <-posts; text != `{"text": "me: `+r.Code+` is approved", "mrkdwn": false}` {
		t.Error(text)
	}
	if status := press(key, "nonsense", 0, same); status != 200 {
		t.Error(status)
	}
	if text := <-posts; !strings.Contains(text, "this is no answer to a request") {
		t.Error(text)
	}
}

// TestTmux names the code, and nothing that tmux would run.
func TestTmux(t *testing.T) {
	home := t.TempDir()
	r, queue := asked(t, home, "echo '#(touch /tmp/x)'")
	text, err := notice(queue, r)
	if err != nil {
		t.Fatal(err)
	}
	shown := filepath.Join(home, "shown")
	fake := script(t, "tmux", `if [ "$1" = list-clients ]; then echo /dev/pts/1; else printf '%s\n' "$@" >'`+shown+`'; fi`)
	c := exec.Command(notifier(t, "tmux-message"))
	c.Env = []string{"PATH=" + filepath.Dir(fake) + ":" + os.Getenv("PATH")}
	c.Stdin = strings.NewReader(string(text))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := soon(t, shown), "display-message\n-c\n/dev/pts/1\nbashgate: "+r.Code+" waits for you: bashgate pending\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTheWholeWay goes from a hook's question to a phone and back: the hook denies
// with a code, the phone's button approves, and the same command passes, once.
func TestTheWholeWay(t *testing.T) {
	home := t.TempDir()
	f := &fakeNtfy{topics: map[string][]string{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.CloseClientConnections)
	listener := exec.Command(notifier(t, "ntfy-listen"), server.URL, "replies", wrapper(t, home))
	listener.Env = []string{"PATH=" + os.Getenv("PATH")}
	if err := listener.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Process.Kill(); listener.Wait() })
	settings := filepath.Join(home, ".config/bashgate/config.toml")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, fmt.Appendf(nil, "[notify]\ncommand = [%q, %q, \"questions\", \"replies\"]\n", notifier(t, "ntfy"), server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	hook := func() string {
		c := bashgate(home, "hook", "claude", "--unattended")
		c.Stdin = strings.NewReader(`{"session_id":"s1","cwd":"` + home + `","hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","tool_use_id":"u","tool_input":{"command":"git push"}}`)
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	published := func(n int) []string {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if list := f.posted("questions"); len(list) >= n {
				return list
			}
			if time.Now().After(end) {
				t.Fatal("nothing was published")
			}
		}
	}
	queue := approval.Queue{Store: approval.Store{Dir: filepath.Join(home, ".local/state/bashgate/requests")}}
	first := hook()
	list := published(1)
	open, err := queue.Requests()
	if err != nil || len(open) != 1 {
		t.Fatalf("%d requests, %v", len(open), err)
	}
	r := open[0]
	if !strings.Contains(first, `"permissionDecision":"deny"`) || !strings.Contains(first, r.Code) {
		t.Errorf("the hook answers %s", first)
	}
	if again := hook(); !strings.Contains(again, r.Code) { // it still waits, and nobody is told twice
		t.Errorf("the second hook answers %s", again)
	}
	var message struct{ Actions []struct{ URL, Body string } }
	if err := json.Unmarshal([]byte(list[0]), &message); err != nil || len(message.Actions) != 2 {
		t.Fatalf("%s, %v", list[0], err)
	}
	response, err := http.Post(message.Actions[0].URL, "text/plain", strings.NewReader(message.Actions[0].Body))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := became(t, queue, r); got != approval.Approved {
		t.Fatalf("it is %s", got)
	}
	if passes := hook(); !strings.Contains(passes, `"permissionDecision":"allow"`) {
		t.Errorf("after the answer: %s", passes)
	}
	if third := hook(); !strings.Contains(third, `"permissionDecision":"deny"`) || strings.Contains(third, r.Code) {
		t.Errorf("once more: %s", third)
	}
	if list := published(2); len(list) != 2 {
		t.Errorf("%d were told of", len(list))
	}
}
