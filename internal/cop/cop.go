package cop

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// Patience is how long a review may take, all in all. Agents give a hook half
// a minute where they give it least, and run the command when it is late.
const Patience = 8 * time.Second

// maxReply is how much the client may answer, in bytes.
const maxReply = 256 << 10

// Cop reviews lines by asking a model.
type Cop struct {
	Call       Call     // provider, endpoint, model and so on; the rest is filled in
	PerSession int      // reviews of one session
	PerDay     int      // reviews of a day
	Dir        string   // absolute; for the cache and the list of reviews
	Version    string   // of the rules: another one's answers don't hold
	Labels     []string // what the session has seen, in words
	Table      Table
	Moving     bool           // the line may run the project's code as it will be later
	Changed    []engine.Place // files of the workspace that sessions wrote which had seen untrusted content
	Files      policy.Files   // nil: scripts are not shown

	Unmetered bool // neither cache nor budgets: for measuring
	Silent    bool // nobody is asked, and nothing is written: an earlier answer counts, and where there is none the Outcome is that of no review

	// Judge is the gates.
	Judge func(engine.Request) engine.Verdict
	// Carry hands a call to the client and returns its reply.
	Carry func(call []byte, timeout time.Duration) ([]byte, error)
	Now   func() time.Time // nil: the clock

	// Seen, if it is there, is told what was sent and what came back.
	Seen func(*Call, *Reply)
}

// Client returns a Carry that runs the program of bashgate's own that speaks
// HTTP. It is given no environment: no variable can send it elsewhere.
func Client(path string) func([]byte, time.Duration) ([]byte, error) {
	return func(call []byte, timeout time.Duration) ([]byte, error) {
		return child.Run(child.Command{Path: path, Args: []string{"cop"}, Dir: "/", Input: call, Limit: maxReply, Timeout: timeout})
	}
}

func (c *Cop) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// Review asks the model about a line that the rules have decided.
func (c *Cop) Review(r *engine.Request, v *engine.Verdict) Outcome {
	start := c.now()
	o := c.review(r, v, start)
	o.Milliseconds = int(c.now().Sub(start) / time.Millisecond)
	return o
}

func (c *Cop) review(r *engine.Request, v *engine.Verdict, start time.Time) Outcome {
	step := c.Table.Next(r, v, true)
	q, err := c.question(r, v, step)
	if err != nil {
		return Failed.because("too-long", err.Error())
	}
	votes := votesFor(r, v, step)
	if c.Unmetered {
		return c.ask(r, q, step, votes, start)
	}
	key := c.key(r, q, step, votes)
	stored := cache{filepath.Join(c.Dir, "answers")}
	if o, ok := stored.load(key, start); ok {
		return o
	}
	cover := c.cover(r, v, q)
	if cover != nil {
		if o, ok := stored.load(cover, start); ok && o.Kind == Clear {
			return o
		}
	}
	if c.Silent {
		return Outcome{}
	}
	book, err := openLedger(c.Dir, r.Session, c.PerSession, c.PerDay, start)
	if err != nil {
		return Failed.because("state", "the list of reviews can't be kept")
	}
	if o := book.refuse(); o != nil {
		return *o
	}
	if err := book.add("asked", start); err != nil {
		return Failed.because("state", "the list of reviews can't be kept")
	}
	o := c.ask(r, q, step, votes, start)
	end := c.now()
	// Without this line the breaker counts one less; the budget has counted.
	book.add(o.Kind.String(), end)
	stored.store(key, o, end)
	if cover != nil && o.Kind == Clear {
		stored.store(cover, o, end)
	}
	return o
}

// votesFor is how many answers are needed: two where the stakes are high, and
// where nobody else has a look at what is cleared.
func votesFor(r *engine.Request, v *engine.Verdict, step Step) int {
	const grave = policy.Secret | policy.Persistence | policy.Privilege | policy.Network
	both := r.Taint.Corruption > 0 && r.Taint.Secret > 0
	if step == Ask && r.Taint.Secret == 0 && !stray(v.Tree) && len(v.Tree) > 0 && v.Effects&(grave&^policy.Network) == 0 {
		return 1 // nothing is known that could be sent away, and nobody unknown whom it could be sent to
	}
	if step == Lift || v.Reach != policy.ReachUnknown || v.Effects&grave != 0 || both {
		return 2
	}
	return 1
}

// key is everything that an answer depends on.
func (c *Cop) key(r *engine.Request, q *Question, step Step, votes int) []byte {
	var w writer
	w.open('{')
	c.asker(&w)
	w.number("step", int(step))
	w.number("votes", votes)
	w.raw("session", r.Session)
	w.raw("workspace", r.Workspace)
	w.raw("directory", r.Cwd)
	w.raw("command", r.Command)
	for _, p := range c.Changed { // also those that had no room in the question
		if info, err := c.lstat(p.Path); err == nil {
			w.raw(p.Path, strconv.FormatInt(info.ModTime().UnixNano(), 10)+" "+strconv.FormatInt(info.Size(), 10))
		}
	}
	w.key("question")
	w.out = append(w.out, q.JSON...)
	w.close('}')
	return w.out
}

// asker is who is asked, and how.
func (c *Cop) asker(w *writer) {
	w.raw("prompt", promptVersion)
	w.raw("rules", c.Version)
	w.raw("provider", c.Call.Provider)
	w.raw("endpoint", c.Call.Endpoint)
	w.raw("model", c.Call.Model)
	w.raw("effort", c.Call.Effort)
	w.raw("answers", c.Call.Answers)
	w.bool("plain", c.Call.Plain)
}

// ask sends the question and reads the answers.
func (c *Cop) ask(r *engine.Request, q *Question, step Step, votes int, start time.Time) Outcome {
	call := c.Call
	call.Command = mask.Text(r.Command)
	for i := range votes {
		nonce, err := nonce()
		if err != nil {
			return Failed.because("state", "no random numbers")
		}
		call.Prompts = append(call.Prompts, prompt(q, nonce, step, call.Plain, i))
	}
	left := Patience - c.now().Sub(start)
	call.Milliseconds = int((left - Patience/20) / time.Millisecond) // it shall be able to say that it was late
	data, err := c.Carry(call.Encode(), left)
	if err != nil {
		return carried(err)
	}
	reply, err := DecodeReply(data)
	if err != nil {
		return Failed.because("garbage", "its client's reply can't be read: "+err.Error())
	}
	if c.Seen != nil {
		c.Seen(&call, reply)
	}
	if reply.Code != "" || reply.Error != "" {
		return Failed.because(word(reply.Code), policy.Clip(policy.Visible(reply.Error), maxSaid))
	}
	if len(reply.Texts) != votes {
		return Failed.because("garbage", "it was asked "+strconv.Itoa(votes)+" times and answered "+strconv.Itoa(len(reply.Texts)))
	}
	outcomes := make([]Outcome, votes)
	for i, t := range reply.Texts {
		outcomes[i] = c.read(t.Text, call.Prompts[i].Nonce, r, q, step)
	}
	o := combine(outcomes)
	o.Votes = votes
	for _, t := range reply.Texts {
		o.InputTokens += t.InputTokens
		o.OutputTokens += t.OutputTokens
	}
	return o
}

// read makes an outcome of one text of the model's.
func (c *Cop) read(text, nonce string, r *engine.Request, q *Question, step Step) Outcome {
	if c.Call.Plain {
		return parsePlain(text, q)
	}
	a, err := ParseAnswer(text, nonce)
	if err != nil {
		return Failed.because("garbage", "its answer can't be used: "+policy.Clip(policy.Visible(err.Error()), maxSaid))
	}
	o := a.decide(q, r.Taint)
	if o.Kind == Clear {
		o = recheck(a, r, step, c.Judge)
	}
	o.Said = quoted(a.Reason)
	return o
}

// carried says why a client brought nothing back.
func carried(err error) Outcome {
	exit := new(child.ExitError)
	switch {
	case errors.Is(err, child.ErrTimeout):
		return Failed.because("timeout", "no answer in time")
	case errors.Is(err, child.ErrTooLarge):
		return Failed.because("oversized", "its answer is too large")
	case errors.Is(err, os.ErrNotExist):
		return Failed.because("client", "bashgated is not beside bashgate")
	case errors.As(err, &exit):
		return Failed.because("client", "bashgated ended with "+exit.State)
	}
	return Failed.because("client", "bashgated can't be run")
}

// word keeps a code a word.
func word(code string) string {
	for _, b := range []byte(code) {
		if (b < 'a' || b > 'z') && b != '-' {
			return "client"
		}
	}
	if code == "" || len(code) > 20 {
		return "client"
	}
	return code
}

// nonce is 128 random bits.
func nonce() (string, error) {
	var b [16]byte
	if err := system.Random(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// Preview is what would be sent about a line, with "NONCE" for the number.
func (c *Cop) Preview(r *engine.Request, v *engine.Verdict) ([]Prompt, error) {
	step := c.Table.Next(r, v, true)
	q, err := c.question(r, v, step)
	if err != nil {
		return nil, err
	}
	var prompts []Prompt
	for i := range votesFor(r, v, step) {
		prompts = append(prompts, prompt(q, "NONCE", step, c.Call.Plain, i))
	}
	return prompts, nil
}

// maxSaid is how much of what a reviewer said stands in a reason, in bytes.
const maxSaid = 200
