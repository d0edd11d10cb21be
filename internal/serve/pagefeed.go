package serve

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

const (
	feedLook  = 250 * time.Millisecond // how often the queue is looked at, while somebody watches
	feedBeat  = 10 * time.Second       // how often a stream says that it lives
	feedEnded = 2 * time.Minute        // how long what has ended stays in it
	feedText  = 16 << 10               // bytes of a command; /request has the rest
	mostFeeds = 100                    // streams at a time
)

// feed is what waits, as the page shows it. All streams share one look at the
// queue.
type feed struct {
	queue approval.Queue
	now   func() time.Time

	mu      sync.Mutex
	looked  time.Time
	files   string    // names, times and sizes, as they were
	over    time.Time // when a request of these comes to another state by itself; zero: none does
	shown   []shown   // the oldest first
	trouble string    // of files that don't count
	version int
	streams int
}

// shown is a request as JSON.
type shown struct{ code, text string }

// look returns what is to be shown now. It reads the files again where they, or the
// time, have changed them.
func (f *feed) look() (list []shown, trouble string, version int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Sub(f.looked).Abs() < feedLook/2 {
		return f.shown, f.trouble, f.version
	}
	f.looked = now
	files := f.list()
	if f.version > 0 && files == f.files && (f.over.IsZero() || now.Before(f.over)) {
		return f.shown, f.trouble, f.version
	}
	f.files, f.over, f.shown, f.trouble = files, time.Time{}, nil, ""
	f.version++
	requests, err := f.queue.Requests()
	if err != nil {
		f.trouble = policy.Visible(err.Error())
	}
	for i := len(requests) - 1; i >= 0; i-- {
		v := cli.PendingOf(requests[i])
		until := v.Ends
		if v.State != approval.Pending {
			if until = requests[i].Changed.Add(feedEnded); !now.Before(until) {
				continue
			}
		}
		if f.over.IsZero() || until.Before(f.over) {
			f.over = until
		}
		f.shown = append(f.shown, shown{v.Code, pendingJSON(&v, feedText)})
	}
	return f.shown, f.trouble, f.version
}

// list names the queue's files with what changes when they do.
func (f *feed) list() string {
	entries, err := os.ReadDir(f.queue.Dir)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".jsonl") {
			b.WriteString(e.Name() + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10) + " " + strconv.FormatInt(info.Size(), 10) + "\n")
		}
	}
	return b.String()
}

// pendingJSON is a request with texts that a page can draw, and at most so many
// bytes of its command (0 = all): cli.Pending's JSON and
//
//	"hidden":0, "rows":1
//
// the characters of the command that are left out, and the lines that it has in all.
func pendingJSON(v *cli.Pending, most int) string {
	rows := v.Lines(0)
	whole := strings.Join(rows, "\n")
	part := whole
	if most > 0 && len(part) > most {
		for part = part[:most]; len(part) > 0 && part[len(part)-1]&0xc0 == 0x80; { // not within a letter
			part = part[:len(part)-1]
		}
		part = part[:max(len(part)-1, 0)]
	}
	seen := *v
	seen.Command = part
	for _, text := range []*string{&seen.Agent, &seen.Session, &seen.Tool, &seen.Cwd, &seen.Workspace, &seen.Mode, &seen.Shell, &seen.By, &seen.Channel, &seen.Reason} {
		*text = policy.Visible(*text)
	}
	seen.Why = nil
	for _, w := range v.Why {
		seen.Why = append(seen.Why, approval.Why{ID: policy.Visible(w.ID), Text: policy.Visible(w.Text), Source: policy.Visible(w.Source)})
	}
	for _, list := range []*[]string{&seen.Does, &seen.Runs, &seen.Seen} {
		old := *list
		*list = nil
		for _, text := range old {
			*list = append(*list, policy.Visible(text))
		}
	}
	text := seen.JSON(nil)
	text = append(text[:len(text)-1], `,"hidden":`...)
	text = strconv.AppendInt(text, int64(utf8.RuneCountInString(whole[len(part):])), 10)
	text = append(text, `,"rows":`...)
	text = strconv.AppendInt(text, int64(len(rows)), 10)
	return string(append(text, '}'))
}

// stream sends what waits, and what changes, as lines of JSON until the browser or
// the server ends:
//
//	{"now":"2026-11-02T10:00:00.5Z","trouble":"","requests":[...],"gone":["KXRT"]}
//
// A request is sent whole where it is new or has changed.
func (p *page) stream(w http.ResponseWriter, r *http.Request) {
	f := &p.feed
	f.mu.Lock()
	full := f.streams >= mostFeeds
	if !full {
		f.streams++
	}
	f.mu.Unlock()
	if full {
		decline(w, http.StatusServiceUnavailable, "too many pages are open")
		return
	}
	defer p.busy()()
	defer func() {
		f.mu.Lock()
		f.streams--
		f.mu.Unlock()
	}()
	out := http.NewResponseController(w)
	out.SetReadDeadline(time.Time{}) // it lasts as long as the page is open
	w.Header().Set("Content-Type", "application/x-ndjson")
	sent := map[string]string{}
	last, beat := -1, time.Time{}
	tick := time.NewTicker(feedLook)
	defer tick.Stop()
	for {
		list, trouble, version := f.look()
		if now := f.now(); version != last || now.Sub(beat) >= feedBeat {
			line := changes(sent, list, trouble, now)
			last, beat = version, now
			out.SetWriteDeadline(time.Now().Add(pageWrite))
			if _, err := w.Write(line); err != nil {
				return
			}
			if err := out.Flush(); err != nil {
				return
			}
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-p.done:
			return
		}
		if !p.door.in(r) { // it was sent out, or its time is over
			return
		}
	}
}

// changes is a line of the stream, of what is not sent yet; then it is.
func changes(sent map[string]string, list []shown, trouble string, now time.Time) []byte {
	line := wire.AppendText([]byte(`{"now":`), now.UTC().Format(time.RFC3339Nano))
	line = wire.AppendText(append(line, `,"trouble":`...), trouble)
	line = append(line, `,"requests":[`...)
	here := make(map[string]bool, len(list))
	comma := func() {
		if line[len(line)-1] != '[' {
			line = append(line, ',')
		}
	}
	for _, s := range list {
		here[s.code] = true
		if sent[s.code] == s.text {
			continue
		}
		comma()
		line = append(line, s.text...)
		sent[s.code] = s.text
	}
	line = append(line, `],"gone":[`...)
	for code := range sent {
		if !here[code] {
			comma()
			line = wire.AppendText(line, code)
			delete(sent, code)
		}
	}
	return append(line, "]}\n"...)
}

// whole answers with all of one request: /request?code=KXRT.
func (p *page) whole(w http.ResponseWriter, r *http.Request) {
	request, err := p.feed.queue.Request(r.URL.Query().Get("code"))
	if err != nil {
		declineAnswer(w, err)
		return
	}
	v := cli.PendingOf(request)
	answerJSON(w, http.StatusOK, []byte(pendingJSON(&v, 0)))
}
