//go:build unix

package serve

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/approval"
)

const pageHost = "127.0.0.1:4321"

// browser is one that talks to a page without a network.
type browser struct {
	t           testing.TB
	page        *page
	cookie, key string
}

// newBrowser makes a page and a browser that is not let in.
func newBrowser(t testing.TB) *browser {
	p, err := newPage(process(t), pageHost)
	if err != nil {
		t.Fatal(err)
	}
	p.done = t.Context().Done()
	return &browser{t: t, page: p}
}

// send sends what the page's script would, after change.
func (b *browser) send(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+pageHost+path, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("X-Bashgate-Key", b.key)
	if method != "GET" {
		r.Header.Set("Origin", "http://"+pageHost)
		r.Header.Set("Content-Type", "application/json")
	}
	if b.cookie != "" {
		r.AddCookie(&http.Cookie{Name: b.page.door.cookieName(), Value: b.cookie})
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	b.page.ServeHTTP(w, r)
	return w
}

// want sends, and expects a status and an answer that has a text.
func (b *browser) want(status int, text, method, path, body string) {
	b.t.Helper()
	if w := b.send(method, path, body, nil); w.Code != status || !strings.Contains(w.Body.String(), text) {
		b.t.Errorf("%s %s %s: %d %s, want %d %s", method, path, body, w.Code, w.Body, status, text)
	}
}

// enter lets the browser in.
func (b *browser) enter() *browser {
	b.t.Helper()
	w := b.send("POST", "/enter", `{"token":"`+b.page.door.token()+`"}`, nil)
	var answer struct{ Key string }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 || len(w.Result().Cookies()) != 1 {
		b.t.Fatalf("%d %s", w.Code, w.Body)
	}
	b.cookie, b.key = w.Result().Cookies()[0].Value, answer.Key
	return b
}

func (b *browser) ask(command string) *approval.Request {
	b.t.Helper()
	r, _, err := b.page.feed.queue.Ask(approval.Request{
		Bound: approval.Bound{Host: "claude", Session: "claude-7bca2281", Command: command, Cwd: "/p", Workspace: "/p", Rules: []string{"git.push"}},
		Why:   []approval.Why{{ID: "git.push", Text: "Sends commits", Source: "rules/git.toml:13"}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// TestStrangers: what the page and its person's browser do not send is refused,
// wherever it is sent, and changes nothing.
func TestStrangers(t *testing.T) {
	b := newBrowser(t).enter()
	asked := b.ask("git push")
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	del := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(name) } }
	tests := map[string]struct {
		change func(*http.Request)
		get    int // status of GET /log
		post   int // status of POST /resolve
	}{
		"another name of this machine": {host("localhost:4321"), 403, 403},
		"a name that leads here":       {host("attacker.example:4321"), 403, 403},
		"another port":                 {host("127.0.0.1:80"), 403, 403},
		"no port":                      {host("127.0.0.1"), 403, 403},
		"no host":                      {host(""), 403, 403},
		"another address":              {host("127.0.0.2:4321"), 403, 403},
		"IPv6":                         {host("[::1]:4321"), 403, 403},
		"a longer name":                {host(pageHost + ".attacker.example"), 403, 403},
		"another origin":               {set("Origin", "http://attacker.example"), 403, 403},
		"another port's origin":        {set("Origin", "http://127.0.0.1:80"), 403, 403},
		"a safe origin":                {set("Origin", "https://"+pageHost), 403, 403},
		"an origin that is hidden":     {set("Origin", "null"), 403, 403},
		"no origin":                    {del("Origin"), 200, 403},
		"two origins":                  {func(r *http.Request) { r.Header["Origin"] = []string{"http://" + pageHost, "http://" + pageHost} }, 403, 403},
		"another site":                 {set("Sec-Fetch-Site", "cross-site"), 403, 403},
		"a site beside":                {set("Sec-Fetch-Site", "same-site"), 403, 403},
		"no site":                      {set("Sec-Fetch-Site", "none"), 403, 403},
		"a site of no kind":            {set("Sec-Fetch-Site", "SAME-ORIGIN"), 403, 403},
		"led here by another site": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Dest", "document")
		}, 403, 403},
		"no key":             {del("X-Bashgate-Key"), 401, 401},
		"a wrong key":        {set("X-Bashgate-Key", b.key[1:]+"A"), 401, 401},
		"a part of the key":  {set("X-Bashgate-Key", b.key[:20]), 401, 401},
		"no cookie":          {del("Cookie"), 401, 401},
		"a wrong cookie":     {set("Cookie", b.page.door.cookieName()+"="+b.key), 401, 401},
		"an empty cookie":    {set("Cookie", b.page.door.cookieName()+"="), 401, 401},
		"another's cookie":   {set("Cookie", "bashgate-80="+b.cookie), 401, 401},
		"a form":             {set("Content-Type", "application/x-www-form-urlencoded"), 200, 415},
		"a plain text":       {set("Content-Type", "text/plain"), 200, 415},
		"JSON and something": {set("Content-Type", "application/json; charset=utf-8"), 200, 415},
		"no type":            {del("Content-Type"), 200, 415},
	}
	for name, tt := range tests {
		if w := b.send("GET", "/log", "", tt.change); w.Code != tt.get {
			t.Errorf("%s: GET has %d %s, want %d", name, w.Code, w.Body, tt.get)
		}
		if w := b.send("POST", "/resolve", `{"code":"`+asked.Code+`","sum":"`+asked.Sum()+`","state":"approved"}`, tt.change); w.Code != tt.post {
			t.Errorf("%s: POST has %d %s, want %d", name, w.Code, w.Body, tt.post)
		}
		if now, err := b.page.feed.queue.Request(asked.Code); err != nil || now.State != approval.Pending {
			t.Fatalf("%s: it is %v, %v", name, now.State, err)
		}
	}
	// The document itself shows nothing, and may be led to.
	for _, path := range []string{"/", "/answer"} {
		if w := b.send("GET", path, "", tests["led here by another site"].change); w.Code != 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	b.want(200, `"state":"approved","agent":"claude"`, "POST", "/resolve", `{"code":"`+asked.Code+`","sum":"`+asked.Sum()+`","state":"approved"}`)
}

// TestOtherUsers: another user's program is not let in, where it is known to be one.
func TestOtherUsers(t *testing.T) {
	b := newBrowser(t).enter()
	for _, tt := range []struct {
		uid    int
		known  bool
		status int
	}{
		{os.Geteuid(), true, 200}, {os.Geteuid() + 1, true, 403}, {0, true, 200}, {65534, true, 403}, {0, false, 200},
	} {
		w := b.send("GET", "/ended", "", func(r *http.Request) {
			*r = *r.WithContext(context.WithValue(r.Context(), ownerKey{}, func() (int, bool) { return tt.uid, tt.known }))
		})
		if w.Code != tt.status {
			t.Errorf("%d, known %v: %d %s", tt.uid, tt.known, w.Code, w.Body)
		}
	}
}

// TestRoutes: each path takes its methods and no others, and tells nothing to who
// is not let in.
func TestRoutes(t *testing.T) {
	b := newBrowser(t)
	takes := map[string][]string{}
	for _, at := range routes() {
		takes[at.path] = append(takes[at.path], at.method)
	}
	for path, methods := range takes {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "QUERY"} {
			if strings.Contains(strings.Join(methods, " "), method) {
				continue
			}
			if w := b.send(method, path, "", nil); w.Code != 405 || w.Header().Get("Allow") != strings.Join(methods, ", ") {
				t.Errorf("%s %s: %d, allows %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
	}
	for _, at := range routes() {
		w := b.send(at.method, at.path, "{}", nil)
		if in := w.Code != 401; in != at.open {
			t.Errorf("%s %s: %d %s", at.method, at.path, w.Code, w.Body)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
			"X-Content-Type-Options":       "nosniff",
			"X-Frame-Options":              "DENY",
			"Referrer-Policy":              "no-referrer",
			"Cache-Control":                "no-store",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin":  "",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s %s: %s is %q", at.method, at.path, name, got)
			}
		}
	}
	for _, path := range []string{"/page/", "/page.html", "/../page.go", "/%2e%2e/etc/passwd", "//", "/feed/", "/FEED", "/page.css/"} {
		b.want(404, `{"error":"there is nothing here"}`, "GET", path, "")
	}
}

// TestLinks: a link lets one browser in, once, within a minute.
func TestLinks(t *testing.T) {
	b := newBrowser(t)
	now := time.Now()
	b.page.door.now = func() time.Time { return now }
	enter := func(token string) int {
		return b.send("POST", "/enter", `{"token":"`+token+`"}`, nil).Code
	}
	token := b.page.door.token()
	for name, wrong := range map[string]string{
		"empty": "", "cut": token[:len(token)-1], "longer": token + "A", "another": token[1:] + "A", "of another server": newBrowser(t).page.door.token(),
	} {
		if code := enter(wrong); code != 403 {
			t.Errorf("%s: %d", name, code)
		}
	}
	if code := enter(token); code != 200 {
		t.Errorf("the link: %d", code)
	}
	if code := enter(token); code != 403 {
		t.Errorf("a second time: %d", code)
	}
	late := b.page.door.token()
	now = now.Add(linkLife + 1)
	if code := enter(late); code != 403 {
		t.Errorf("late: %d", code)
	}
	for _, body := range []string{`{"token":1}`, `{`, ``, `[]`, `{"token":"","more":1}`, `{"token":"` + strings.Repeat("A", pageBody) + `"}`} {
		b.want(400, `{"error":`, "POST", "/enter", body)
	}

	// Of many at a time one is let in.
	token = b.page.door.token()
	var wait sync.WaitGroup
	codes := make(chan int, 50)
	for range cap(codes) {
		wait.Go(func() { codes <- enter(token) })
	}
	wait.Wait()
	close(codes)
	in := 0
	for code := range codes {
		if code == 200 {
			in++
		}
	}
	if in != 1 {
		t.Errorf("%d browsers are let in", in)
	}

	// The cookie is for no script, no other site and no other path's sake.
	w := b.send("POST", "/enter", `{"token":"`+b.page.door.token()+`"}`, nil)
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.Name != "bashgate-4321" || len(c.Value) != 43 {
		t.Errorf("the cookie is %v", c)
	}
	b.enter()
	b.want(200, `{"requests":[]}`, "GET", "/ended", "")
	now = now.Add(entryLife)
	b.want(401, "not let in", "GET", "/ended", "")
	b.enter()
	b.want(200, `{}`, "POST", "/leave", "{}")
	b.want(401, "not let in", "GET", "/ended", "")
}

// TestResolve: an answer is to the question that was shown, and is one.
func TestResolve(t *testing.T) {
	b := newBrowser(t).enter()
	asked := b.ask("git push")
	answer := func(more string) string {
		return `{"code":"` + asked.Code + `","sum":"` + asked.Sum() + `"` + more + `}`
	}
	sum := strings.Repeat("0", 64)
	for _, tt := range []struct {
		status     int
		text, body string
	}{
		{400, "approved or denied", answer("")},
		{400, "approved or denied", answer(`,"state":"used"`)},
		{400, "approved or denied", answer(`,"state":"expired"`)},
		{400, "approved or denied", answer(`,"state":"denied","trust":true`)},
		{400, "to what", `{"code":"` + asked.Code + `","state":"approved"}`},
		{400, "is no field", answer(`,"state":"approved","all":true`)},
		{400, "error", answer(`,"state":true`)},
		{400, "too long", answer(`,"state":"denied","reason":"` + strings.Repeat("a", maxReason+1) + `"`)},
		{400, "too long", answer(`,"state":"denied","reason":"` + strings.Repeat("a", pageBody) + `"`)},
		{404, "no request", `{"code":"BBBB","sum":"` + sum + `","state":"approved"}`},
		{404, "no request", `{"code":"../BBBB","sum":"` + sum + `","state":"approved"}`},
		{409, "another question", `{"code":"` + asked.Code + `","sum":"` + sum + `","state":"approved"}`},
		{422, "did not cause", answer(`,"state":"approved","trust":true`)},
		{200, `"state":"denied"`, answer(`,"state":"denied","reason":" \u001b[31mnot now\u202e "`)},
		{409, asked.Code + " is denied by a person at the page", answer(`,"state":"approved"`)},
	} {
		b.want(tt.status, tt.text, "POST", "/resolve", tt.body)
	}
	now, err := b.page.feed.queue.Request(asked.Code)
	if err != nil || now.State != approval.Denied || now.Channel != "page" || now.By != "a person at the page" {
		t.Errorf("%+v, %v", now, err)
	}
	// It is logged, and its text acts on nothing that shows it.
	w := b.send("GET", "/log?find="+asked.Code, "", nil)
	var log struct{ Lines []pageLine }
	if err := json.Unmarshal(w.Body.Bytes(), &log); err != nil || len(log.Lines) != 1 || log.Lines[0].Decision != "denied" || strings.ContainsAny(w.Body.String(), "\x1b\u202e") {
		t.Errorf("%s, %v", w.Body, err)
	}
	for path, want := range map[string]int{"/log?decision=allow": 0, "/log?decision=denied&find=git+push": 1, "/log?find=nothing": 0} {
		w := b.send("GET", path, "", nil)
		if err := json.Unmarshal(w.Body.Bytes(), &log); err != nil || len(log.Lines) != want {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	b.want(200, `"code":"`+asked.Code+`"`, "GET", "/ended", "")
	b.want(200, `"sessions":[]`, "GET", "/sessions", "")
}

// TestNotice: a token gives its answer without a session, and no other one.
func TestNotice(t *testing.T) {
	b := newBrowser(t)
	asked, other := b.ask("git push"), b.ask("git push --force")
	yes, err := b.page.feed.queue.Sign(asked, approval.Approved)
	if err != nil {
		t.Fatal(err)
	}
	no, err := b.page.feed.queue.Sign(other, approval.Denied)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"", yes[1:], yes[:len(yes)-1], yes[:20] + no[20:], no[:20] + yes[20:], strings.Repeat("A", len(yes))} {
		b.want(403, "no answer to a request", "POST", "/answer", `{"token":"`+wrong+`","confirm":true}`)
	}
	b.want(200, `{"to":"approved","request":{"v":1,"code":"`+asked.Code, "POST", "/answer", `{"token":"`+yes+`"}`)
	if now, err := b.page.feed.queue.Request(asked.Code); err != nil || now.State != approval.Pending {
		t.Errorf("looking answers: %v, %v", now.State, err)
	}
	for _, change := range []func(*http.Request){
		func(r *http.Request) { r.Header.Set("Origin", "http://attacker.example") },
		func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		func(r *http.Request) { r.Host = "attacker.example" },
	} {
		if w := b.send("POST", "/answer", `{"token":"`+yes+`","confirm":true}`, change); w.Code != 403 {
			t.Errorf("another site answers: %d %s", w.Code, w.Body)
		}
	}
	b.want(200, `"by":"a person by a notice"`, "POST", "/answer", `{"token":"`+yes+`","confirm":true}`)
	b.want(409, asked.Code+" is approved", "POST", "/answer", `{"token":"`+yes+`","confirm":true}`)
	b.want(200, `"state":"denied"`, "POST", "/answer", `{"token":"`+no+`","confirm":true}`)
	b.want(401, "not let in", "GET", "/ended", "")
}

// TestHostileRequests: what an agent writes reaches the page as visible text.
func TestHostileRequests(t *testing.T) {
	b := newBrowser(t).enter()
	for _, command := range []string{
		"echo <script>alert(1)</script>", "echo \u202egnp.txt", "printf '\x1b[2J\x1b]0;t\a'", "echo a\rrm -rf b", "echo \u2066x\u2069 \u200b\ufeff",
	} {
		asked := b.ask(command)
		w := b.send("GET", "/request?code="+asked.Code, "", nil)
		var v struct{ Command, Sum string }
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || v.Command == "" || v.Sum != asked.Sum() {
			t.Fatalf("%q: %s, %v", command, w.Body, err)
		}
		if i := strings.IndexFunc(v.Command, func(r rune) bool {
			return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x206f || r == 0xfeff
		}); i >= 0 {
			t.Errorf("%q is shown as %q", command, v.Command)
		}
	}
	long := b.ask("echo " + strings.Repeat("ä", 200_000))
	var part, whole struct {
		Command string
		Hidden  int
	}
	list, _, _ := b.page.feed.look()
	for _, s := range list {
		if s.code == long.Code {
			if err := json.Unmarshal([]byte(s.text), &part); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := json.Unmarshal(b.send("GET", "/request?code="+long.Code, "", nil).Body.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	if len(part.Command) > feedText || part.Hidden+utf8.RuneCountInString(part.Command) != utf8.RuneCountInString(long.Command) || whole.Hidden != 0 || whole.Command != long.Command || !strings.HasPrefix(whole.Command, part.Command) {
		t.Errorf("%d bytes and %d hidden of %d; all: %d and %d", len(part.Command), part.Hidden, len(long.Command), len(whole.Command), whole.Hidden)
	}
}

// TestPageAddress: only this machine gets to the page.
func TestPageAddress(t *testing.T) {
	for _, address := range []string{"", "80", ":80", "0.0.0.0:80", "[::]:80", "192.0.2.1:80", "localhost:80", "[::ffff:127.0.0.1]:80", "[::1%lo]:80", "127.0.0.1", "127.0.0.1:99999", "unix:/x"} {
		l, err := listenLocal(address)
		if err == nil {
			l.Close()
			t.Errorf("%q is listened on", address)
		} else if !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%q: %v", address, err)
		}
	}
	l, err := listenLocal("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// TestPageSize: the page loads at once, whatever the line.
func TestPageSize(t *testing.T) {
	total := 0
	err := fs.WalkDir(pageFiles, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(pageFiles, name)
		if total += len(text); strings.Contains(string(text), "innerHTML") || strings.Contains(string(text), "style=\"") {
			t.Errorf("%s has what the page may not have", name)
		}
		return err
	})
	if err != nil || total == 0 || total >= 200<<10 {
		t.Errorf("the page has %d bytes, %v", total, err)
	}
}

// run serves a page over a network, and returns how to end it.
func (b *browser) run() (address string, end func() error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.t.Fatal(err)
	}
	b.page.door.host = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.page.serve(ctx, l) }()
	return b.page.door.host, sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
}

// TestStreams: fifty pages hear of a request at once, and all end with the server.
func TestStreams(t *testing.T) {
	before := runtime.NumGoroutine()
	b := newBrowser(t)
	address, end := b.run()
	defer end()
	cookie, key, err := b.page.door.enter(b.page.door.token())
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	var heard, over sync.WaitGroup
	start := make(chan struct{}, 50)
	for range cap(start) {
		heard.Add(1)
		over.Go(func() {
			told := sync.OnceFunc(heard.Done)
			defer told()
			r, err := http.NewRequest("GET", "http://"+address+"/feed", nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("X-Bashgate-Key", key)
			r.AddCookie(&http.Cookie{Name: b.page.door.cookieName(), Value: cookie})
			response, err := transport.RoundTrip(r)
			if err != nil || response.StatusCode != 200 {
				t.Errorf("%v, %v", response, err)
				return
			}
			defer response.Body.Close()
			lines := bufio.NewScanner(response.Body)
			lines.Scan() // of nothing
			start <- struct{}{}
			lines.Scan()
			if !strings.Contains(lines.Text(), `"command":"git push"`) {
				t.Errorf("hears %q", lines.Text())
			}
			told()
			io.Copy(io.Discard, response.Body)
		})
	}
	for range cap(start) {
		select {
		case <-start:
		case <-time.After(20 * time.Second):
			t.Fatal("not all streams begin")
		}
	}
	b.ask("git push")
	heard.Wait()
	begin := time.Now()
	if err := end(); err != nil {
		t.Error(err)
	}
	over.Wait()
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("they end after %v", took)
	}
	transport.CloseIdleConnections()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, before: %d", runtime.NumGoroutine(), before)
}

// TestStreamOfTheSentOut: a browser that is sent out hears no more.
func TestStreamOfTheSentOut(t *testing.T) {
	b := newBrowser(t).enter()
	ended := make(chan string, 1)
	go func() { ended <- b.send("GET", "/feed", "", nil).Body.String() }()
	time.Sleep(2 * feedLook)
	b.want(200, `{}`, "POST", "/leave", "{}")
	select {
	case text := <-ended:
		b.ask("git push")
		if !strings.HasPrefix(text, `{"now":"`) || strings.Contains(text, "git push") {
			t.Errorf("it hears %s", text)
		}
	case <-time.After(10 * time.Second):
		t.Error("it hears on")
	}
}

// TestSlowClients: who sends slowly, or too much, is not waited for.
func TestSlowClients(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for 10 seconds")
	}
	t.Parallel()
	b := newBrowser(t)
	address, end := b.run()
	t.Cleanup(func() { end() }) // after those that run beside each other
	head := "POST /enter HTTP/1.1\r\nHost: " + address + "\r\nOrigin: http://" + address + "\r\nContent-Type: application/json\r\n"
	for name, tt := range map[string]struct{ text, want string }{
		"half a head":    {"GET / HTTP/1.1\r\nHost: ", ""},
		"half a body":    {head + "Content-Length: 100\r\n\r\n{\"token\":", `{"error":"the text is too long, or comes too slowly"}`},
		"nothing":        {"", ""},
		"a long head":    {"GET / HTTP/1.1\r\nHost: " + address + "\r\nX: " + strings.Repeat("a", 2*pageHeader) + "\r\n\r\n", "431 Request Header Fields Too Large"},
		"a long body":    {head + "Content-Length: 100000\r\n\r\n" + strings.Repeat(" ", 100_000), `{"error":"the text is too long, or comes too slowly"}`},
		"no HTTP at all": {"hello\r\n\r\n", "400 Bad Request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			go io.WriteString(c, tt.text)
			c.SetReadDeadline(time.Now().Add(pageRead + 5*time.Second))
			answer, err := io.ReadAll(c)
			if ne, ok := err.(net.Error); ok && ne.Timeout() {
				t.Error("it is waited for")
			}
			if !strings.Contains(string(answer), tt.want) || tt.want == "" && len(answer) > 0 && !strings.Contains(string(answer), "408") {
				t.Errorf("is answered %q", cmp.Or(string(answer), "nothing"))
			}
		})
	}
}
