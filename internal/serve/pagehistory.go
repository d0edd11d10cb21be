package serve

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/audit"
	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/session"
	"github.com/bashgate/bashgate/policy"
)

// How much of what was is shown.
const (
	mostLines    = 200
	mostLooked   = 50_000 // lines of the log that are searched
	mostEnded    = 200
	mostSessions = 50
	mostLabels   = 100
	lineText     = 2000 // bytes of a command
)

// pageLine is a line of the decision log.
type pageLine struct {
	Time     time.Time `json:"time"`
	Decision string    `json:"decision"`
	Agent    string    `json:"agent"`
	Session  string    `json:"session"`
	What     string    `json:"what"`
	Reason   string    `json:"reason"`
	Rule     string    `json:"rule"`
	Code     string    `json:"code"`
	By       string    `json:"by"`
}

// log answers with the newest decisions: /log?decision=ask&find=git push.
func (p *page) log(w http.ResponseWriter, r *http.Request) {
	answer := struct {
		Off   bool       `json:"off"`
		More  bool       `json:"more"`
		Lines []pageLine `json:"lines"`
	}{Lines: []pageLine{}}
	where, on, err := p.process.DecisionLog()
	if err != nil || !on {
		answer.Off = true
		answerValue(w, answer)
		return
	}
	in, err := audit.Open(where.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		answerValue(w, answer)
		return
	case err != nil:
		decline(w, http.StatusInternalServerError, policy.Visible(err.Error()))
		return
	}
	defer in.Close()
	query := r.URL.Query()
	decision, words := query.Get("decision"), strings.Fields(strings.ToLower(query.Get("find")))
	looked := 0
	err = in.Last(func(rec *audit.Record) bool {
		looked++
		if line := lineOf(&rec.Line); line.fits(decision, words) {
			answer.Lines = append(answer.Lines, line)
		}
		answer.More = len(answer.Lines) == mostLines || looked == mostLooked
		return !answer.More && r.Context().Err() == nil
	})
	if err != nil {
		decline(w, http.StatusInternalServerError, policy.Visible(err.Error()))
		return
	}
	answerValue(w, answer)
}

func lineOf(l *audit.Line) pageLine {
	what := l.Command
	if what == "" {
		what = l.Tool
		for _, a := range l.Args {
			what += " " + a.Value
		}
	}
	if what == "" {
		what = l.Event
	}
	line := pageLine{
		Time: l.Time.UTC(), Decision: policy.Visible(l.Decision), Agent: policy.Visible(l.Host), Session: policy.Visible(l.Session),
		What: policy.Visible(cut(what, lineText)), Reason: policy.Visible(l.Reason), Code: policy.Visible(l.Code), By: policy.Visible(l.By),
	}
	if len(l.Rules) > 0 {
		line.Rule = policy.Visible(l.Rules[0])
	}
	return line
}

// fits reports whether a line is of a decision ("" = any) and has all words.
func (l *pageLine) fits(decision string, words []string) bool {
	if decision != "" && l.Decision != decision {
		return false
	}
	text := strings.ToLower(l.What + " " + l.Rule + " " + l.Reason + " " + l.Agent + " " + l.Session + " " + l.Code)
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// cut cuts a text to so many bytes and says so.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " ..."
}

// ended answers with the requests that wait no more, the newest first.
func (p *page) ended(w http.ResponseWriter, r *http.Request) {
	requests, err := p.feed.queue.Requests()
	if requests == nil && err != nil {
		decline(w, http.StatusInternalServerError, policy.Visible(err.Error()))
		return
	}
	text := []byte(`{"requests":[`)
	n := 0
	for _, request := range requests {
		if request.State == approval.Pending {
			continue
		}
		if n++; n > mostEnded {
			break
		}
		if n > 1 {
			text = append(text, ',')
		}
		v := cli.PendingOf(request)
		text = append(text, pendingJSON(&v, lineText)...)
	}
	answerJSON(w, http.StatusOK, append(text, "]}"...))
}

// pageSession is what a session has seen.
type pageSession struct {
	Name       string      `json:"name"`
	Corruption int         `json:"corruption"`
	Secret     int         `json:"secret"`
	Damage     string      `json:"damage"`
	Labels     []pageLabel `json:"labels"`
	More       int         `json:"more"` // labels that are left out
}

type pageLabel struct {
	Time       time.Time `json:"time"`
	Corruption int       `json:"corruption"`
	Secret     int       `json:"secret"`
	What       string    `json:"what"`
	Why        string    `json:"why"`
	Pending    bool      `json:"pending"`
	Trusted    string    `json:"trusted"` // who vouches for it: it does not count
}

// sessions answers with the newest sessions.
func (p *page) sessions(w http.ResponseWriter, r *http.Request) {
	store, err := session.Open(p.process.Getenv)
	if err != nil {
		decline(w, http.StatusInternalServerError, policy.Visible(err.Error()))
		return
	}
	names, err := store.Names()
	if err != nil {
		decline(w, http.StatusInternalServerError, policy.Visible(err.Error()))
		return
	}
	list := []pageSession{}
	for _, name := range names[:min(len(names), mostSessions)] {
		list = append(list, sessionOf(name, store.Read(name)))
	}
	answerValue(w, struct {
		Sessions []pageSession `json:"sessions"`
		More     int           `json:"more"` // that are left out
	}{list, len(names) - len(list)})
}

func sessionOf(name string, state session.State) pageSession {
	taint := state.Taint(1)
	s := pageSession{Name: policy.Visible(name), Corruption: taint.Corruption, Secret: taint.Secret, Damage: policy.Visible(state.Damage), Labels: []pageLabel{}}
	labels := state.Labels
	if s.More = len(labels) - mostLabels; s.More > 0 {
		labels = labels[s.More:] // the last ones
	} else {
		s.More = 0
	}
	for i := range labels {
		l, e := &labels[i], labels[i].Event()
		s.Labels = append(s.Labels, pageLabel{e.At.UTC(), l.Corruption, l.Secret, policy.Visible(l.What), policy.Visible(e.Why), l.Pending, policy.Visible(l.Trusted)})
	}
	return s
}
