//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/approval"
)

// dialogs are the ways in which an agent's dialog ends about a command that
// bashgate asks about, while a hook waits beside it for a person elsewhere.
var dialogs = [...]struct {
	name   string
	answer approval.State // of a person elsewhere; None = the dialog is answered
	keys   string         // that answer it; "" = the terminal is closed
	shows  string         // what is shown then; "" = nothing is waited for
	want   outcome        // of the command
	state  approval.State // of the request, in the end
}{
	{name: "elsewhere-yes", answer: approval.Approved, shows: done, want: runs, state: approval.Used},
	{name: "elsewhere-no", answer: approval.Denied, shows: done, want: denied, state: approval.Denied},
	{name: "dialog-yes", keys: "\r", shows: done, want: runs, state: approval.Expired},
	{name: "dialog-no", keys: "2", shows: "Interrupted", want: refused, state: approval.Expired},
	{name: "hung-up", want: refused, state: approval.Expired},
}

// said is what the person elsewhere says with it.
const said = "the release is today"

// talk starts an agent in a terminal, waits for its dialog and answers. The error
// is also about a request that comes to another state than it should.
func (o *options) talk(a *agent, number int) (result, error) {
	d := &dialogs[number]
	dir, err := os.MkdirTemp("", "bashgate-hosts-")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	begin := time.Now()
	r, err := newRun(a, o, dir, []use{shell(a.tool, cases[approved].command)})
	if err != nil {
		return result{}, err
	}
	defer r.close()
	argv, err := a.dialog(r)
	if err != nil {
		return result{}, err
	}
	if err := r.install(false); err != nil {
		return result{}, err
	}
	t, err := r.open(argv[0], argv[1:]...)
	if err != nil {
		return result{}, err
	}
	defer t.close()
	if err := t.shows("Do you want to proceed?"); err != nil {
		return result{}, err
	}
	var asked approval.Request
	if err := t.until("a request waits", func() bool {
		all, err := r.requests().Requests()
		if err == nil && len(all) == 1 {
			asked = *all[0]
		}
		return asked.State == approval.Pending
	}); err != nil {
		return result{}, err
	}
	switch {
	case d.answer != approval.None:
		_, err = r.requests().Answer(asked.Code, approval.Answer{State: d.answer, By: "a person", Channel: "terminal", Reason: said})
	case d.keys != "":
		_, err = t.screen.WriteString(d.keys)
	default:
		err = t.screen.Close()
	}
	if err != nil {
		return result{}, err
	}
	if err := t.shows(d.shows); err != nil {
		return result{}, err
	}
	if err := t.until("the request is "+d.state.String(), func() bool {
		now, err := r.requests().Request(asked.Code)
		if err == nil {
			asked = *now
		}
		return err == nil && now.State == d.state
	}); err != nil {
		return result{}, err
	}
	t.close()
	r.close()
	told := strings.Join(r.model.results, "\n")
	got := result{outcome: refused, seconds: time.Since(begin).Seconds(), tools: r.model.tools}
	switch {
	case r.traced():
		got.outcome = runs
	case strings.Contains(told, said):
		got.outcome = denied
	}
	got.detail = tail(fmt.Sprintf("%s %s by %s at %s: %s\n%s", asked.Code, asked.State, asked.By, asked.Channel, asked.Reason, told))
	return got, nil
}
