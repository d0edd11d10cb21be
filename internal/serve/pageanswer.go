package serve

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

// maxReason is how much a person may say with an answer, in bytes.
const maxReason = 1000

// resolve answers a request:
//
//	{"code":"KXRT", "sum":"3f7a...", "state":"approved", "reason":"", "trust":false}
//
// The sum is of the question that was shown. One code stands for no other question
// as long as its file is there; who has read another one has answered nothing.
func (p *page) resolve(w http.ResponseWriter, r *http.Request) {
	var code, sum, state, reason string
	var trust bool
	if err := readJSON(r, map[string]any{"code": &code, "sum": &sum, "state": &state, "reason": &reason, "trust": &trust}); err != nil {
		decline(w, http.StatusBadRequest, err.Error())
		return
	}
	a := approval.Answer{By: who(p.process) + " at the page", Channel: "page", Reason: strings.TrimSpace(reason), Sum: sum}
	switch state {
	case "approved":
		a.State = approval.Approved
	case "denied":
		a.State = approval.Denied
	}
	switch {
	case a.State == approval.None || a.State == approval.Denied && trust:
		decline(w, http.StatusBadRequest, "the answer is approved or denied")
		return
	case len(sum) != 64:
		decline(w, http.StatusBadRequest, "the answer does not say to what")
		return
	case len(a.Reason) > maxReason:
		decline(w, http.StatusBadRequest, "the reason is too long")
		return
	}
	request, err := p.process.Resolve(code, a, trust)
	if err != nil && request == nil {
		declineAnswer(w, err)
		return
	}
	v := cli.PendingOf(request)
	text := pendingJSON(&v, feedText)
	if err != nil { // it is answered, and something beside is not done
		decline(w, http.StatusInternalServerError, policy.Visible(err.Error()))
		return
	}
	answerJSON(w, http.StatusOK, []byte(text))
}

// declineAnswer says why a request was not answered.
func declineAnswer(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, approval.ErrToken):
		status = http.StatusForbidden
	case errors.Is(err, approval.ErrUnknown):
		status = http.StatusNotFound
	case errors.Is(err, approval.ErrEnded), errors.Is(err, approval.ErrOther):
		status = http.StatusConflict
	case errors.Is(err, cli.ErrNothingToTrust):
		status = http.StatusUnprocessableEntity
	}
	decline(w, status, policy.Visible(err.Error()))
}

// who is the person whose server this is.
func who(p *cli.Process) string { return cmp.Or(p.Getenv("USER"), "a person") }

// answer gives the answer of a notice's token, or tells what it would answer:
//
//	{"token":"AUtY...", "confirm":false}
//	{"to":"approved", "request":{...}}
//
// No browser has to be let in for that: whoever holds a token may give its answer,
// and has been shown the question.
func (p *page) answer(w http.ResponseWriter, r *http.Request) {
	var token string
	var confirm bool
	if err := readJSON(r, map[string]any{"token": &token, "confirm": &confirm}); err != nil {
		decline(w, http.StatusBadRequest, err.Error())
		return
	}
	queue := p.feed.queue
	code, to, err := queue.Check(strings.TrimSpace(token))
	if err != nil {
		declineAnswer(w, err)
		return
	}
	request, err := queue.Request(code)
	if err == nil && confirm {
		a := approval.Answer{State: to, By: who(p.process) + " by a notice", Channel: "notice", Sum: request.Sum()}
		request, err = p.process.Resolve(code, a, false)
	}
	if err != nil {
		declineAnswer(w, err)
		return
	}
	v := cli.PendingOf(request)
	text := wire.AppendText([]byte(`{"to":`), to.String())
	text = append(text, `,"request":`...)
	answerJSON(w, http.StatusOK, append(append(text, pendingJSON(&v, 0)...), '}'))
}
