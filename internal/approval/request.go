package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/wire"
)

// Bound is what an answer holds for, and nothing else: where any of it differs,
// it is another question. The lists are sorted.
type Bound struct {
	Host      string // the agent: "claude"
	Session   string // the name of its files; "" = the agent names none
	Tool      string // "" = the shell
	Command   string // byte for byte; of another tool what it is given, as JSON
	Cwd       string
	Workspace string
	Env       []string // "PATH=3f7a...": variables that change what the command does, and hashes of their values
	Files     []string // "/p/x.sh=3f7a...": files whose text runs, and hashes of it; "</p/list=?4-17...": that are read
	Does      []string // what would change, a line each, as it is shown: "writes /etc/hosts"
	Labels    []string // what the session has seen, in words
	Rules     []string // ids of the reasons to ask

	Asker string // who asks, where sessions are named as whoever asks likes; "" = the session. It is not part of the Sum
}

// Sum is the hash of all of it, 64 hexadecimal digits.
func (b *Bound) Sum() string {
	h := sha256.New()
	put := func(text string) { h.Write([]byte(strconv.Itoa(len(text)) + ":" + text)) }
	for _, text := range [...]string{b.Host, b.Session, b.Tool, b.Command, b.Cwd, b.Workspace} {
		put(text)
	}
	for _, list := range [...][]string{b.Env, b.Files, b.Does, b.Labels, b.Rules} {
		put(strconv.Itoa(len(list)))
		for _, text := range list {
			put(text)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// asker names who asks, for the number of questions that one may have open.
func (b *Bound) asker() string {
	who := Bound{Host: b.Host, Session: b.Session, Workspace: b.Workspace}
	if b.Asker != "" {
		who = Bound{Host: b.Host, Session: b.Asker}
	}
	return who.Sum()[:8]
}

// Why is one reason to ask.
type Why struct {
	ID     string // of the rule: "git.push"
	Text   string
	Source string // "rules/git.toml:13"
}

// Request is a question that waits for a person, or has waited.
type Request struct {
	Bound
	Code  string // what a person types: "KXRT"
	ID    string // the agent's own id of the session
	Mode  string // the agent's permission mode
	Shell string // what the command is for: "bash"; "" = not known
	Why   []Why
	Life  time.Duration // how long it waits
	Made  time.Time

	State   State
	By      string    // who answered: "u at a terminal"
	Channel string    // where: "terminal", "page", "notice"; "" = nobody has
	Reason  string    // what they said
	Changed time.Time // when it came to its state

	made    moment
	changed moment
	file    string // its name
}

// State is what has become of a request.
type State uint8

// The states. The zero value is none that a request has.
const (
	None     State = iota
	Pending        // nobody has answered
	Approved       // it may run, once and soon
	Denied         // it may not
	Expired        // nobody has answered, or used the answer, in time; or it was answered elsewhere
	Used           // it has run, or is about to
)

var stateNames = [...]string{"", "pending", "approved", "denied", "expired", "used"}

// String returns the state's name: "pending".
func (s State) String() string { return stateNames[s] }

func stateNamed(name string) State {
	for s, known := range stateNames {
		if name == known {
			return State(s)
		}
	}
	return None
}

// Answer is what becomes of a request, on whose word.
type Answer struct {
	State   State
	By      string
	Channel string
	Reason  string
	Sum     string // of the question that was read; "" = whichever has the code
}

// The errors of an answer, for errors.Is.
var (
	ErrUnknown = errors.New("no request has this code")
	ErrEnded   = errors.New("it is answered already, or its time is over") // in *EndedError
	ErrOther   = errors.New("it is another question than the one that was shown")
	ErrFull    = errors.New("too many requests wait")
)

// EndedError says of a request that can't be answered what has become of it.
type EndedError struct {
	Code  string
	State State
	By    string
}

func (e *EndedError) Error() string {
	by := ""
	if e.By != "" {
		by = " by " + e.By
	}
	return fmt.Sprintf("%s is %s%s", e.Code, e.State, by)
}

// Is makes it an ErrEnded.
func (e *EndedError) Is(target error) bool { return target == ErrEnded }

// may reports whether a request can go from one state to another.
func may(from, to State) bool {
	switch from {
	case Pending:
		return to == Approved || to == Denied || to == Expired
	case Approved: // a person may think again
		return to == Used || to == Denied || to == Expired
	}
	return false
}

// May reports whether an answer can give the request that state.
func (r *Request) May(to State) bool { return to != Used && may(r.State, to) }

// append appends the request as its first line: what it was when it was made.
func (r *Request) append(dst []byte) []byte {
	dst = append(dst, `{"v":1,"code":`...)
	dst = wire.AppendText(dst, r.Code)
	text := func(key, value string) {
		dst = wire.AppendText(append(dst, `,"`+key+`":`...), value)
	}
	list := func(key string, texts []string) {
		dst = wire.AppendTexts(append(dst, `,"`+key+`":`...), texts)
	}
	text("host", r.Host)
	text("session", r.Session)
	text("id", r.ID)
	text("tool", r.Tool)
	text("command", r.Command)
	text("cwd", r.Cwd)
	text("workspace", r.Workspace)
	text("mode", r.Mode)
	text("shell", r.Shell)
	list("env", r.Env)
	list("files", r.Files)
	list("labels", r.Labels)
	list("rules", r.Rules)
	list("does", r.Does)
	var why []string
	for _, w := range r.Why {
		why = append(why, w.ID, w.Text, w.Source)
	}
	list("why", why) // three texts each
	text("life", r.Life.String())
	dst = r.made.append(dst)
	return append(dst, "}\n"...)
}

func (m moment) append(dst []byte) []byte {
	dst = wire.AppendText(append(dst, `,"at":`...), m.at.UTC().Format(time.RFC3339Nano))
	dst = wire.AppendText(append(dst, `,"boot":`...), m.boot)
	return wire.AppendText(append(dst, `,"up":`...), m.up.String())
}

// append appends the answer as a further line.
func (a *Answer) append(dst []byte, at moment) []byte {
	dst = wire.AppendText(append(dst, `{"state":`...), a.State.String())
	dst = wire.AppendText(append(dst, `,"by":`...), a.By)
	dst = wire.AppendText(append(dst, `,"channel":`...), a.Channel)
	dst = wire.AppendText(append(dst, `,"reason":`...), a.Reason)
	return append(at.append(dst), "}\n"...)
}

// parseRequest reads a request's file: what append has written, and an answer for
// each state that it came to. What is not whole is an error.
func parseRequest(text []byte) (*Request, error) {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return nil, errors.New("it is cut off")
	}
	r := &Request{State: Pending}
	first := true
	for line := range strings.Lines(string(text)) {
		o, err := object(line)
		if err != nil {
			return nil, err
		}
		if !first {
			if err := r.turn(o); err != nil {
				return nil, err
			}
			continue
		}
		if err := r.read(o); err != nil {
			return nil, err
		}
		first = false
	}
	return r, nil
}

func object(line string) (wire.Object, error) {
	v, err := wire.Parse([]byte(line))
	if err != nil {
		return nil, err
	}
	return v.Object()
}

// read reads the first line.
func (r *Request) read(o wire.Object) error {
	if version, err := o.Get("v").Count(); err != nil || version != 1 {
		return errors.New("it is of another version")
	}
	life := ""
	if err := texts(o, []field{{"code", &r.Code}, {"host", &r.Host}, {"session", &r.Session}, {"id", &r.ID}, {"tool", &r.Tool},
		{"command", &r.Command}, {"cwd", &r.Cwd}, {"workspace", &r.Workspace}, {"mode", &r.Mode}, {"shell", &r.Shell}, {"life", &life}}); err != nil {
		return err
	}
	var why []string
	for _, f := range [...]struct {
		key string
		to  *[]string
	}{{"env", &r.Env}, {"files", &r.Files}, {"labels", &r.Labels}, {"rules", &r.Rules}, {"does", &r.Does}, {"why", &why}} {
		list, err := o.Get(f.key).Texts()
		if err != nil {
			return err
		}
		*f.to = list
	}
	if len(why)%3 != 0 {
		return errors.New("a reason is an id, a text and a source")
	}
	for ; len(why) > 0; why = why[3:] {
		r.Why = append(r.Why, Why{why[0], why[1], why[2]})
	}
	var err error
	if r.Life, err = time.ParseDuration(life); err != nil {
		return err
	}
	r.made, err = parseMoment(o)
	r.Made, r.changed, r.Changed = r.made.at, r.made, r.made.at
	return err
}

// turn reads a further line.
func (r *Request) turn(o wire.Object) error {
	state := ""
	var a Answer
	if err := texts(o, []field{{"state", &state}, {"by", &a.By}, {"channel", &a.Channel}, {"reason", &a.Reason}}); err != nil {
		return err
	}
	to := stateNamed(state)
	if !may(r.State, to) {
		return fmt.Errorf("it can't be %q after %s", state, r.State)
	}
	at, err := parseMoment(o)
	if err != nil {
		return err
	}
	r.State, r.changed, r.Changed = to, at, at.at
	if to != Used { // who answered stays who answered
		r.By, r.Channel, r.Reason = a.By, a.Channel, a.Reason
	}
	return nil
}

type field struct {
	key string
	to  *string
}

func texts(o wire.Object, fields []field) (err error) {
	for _, f := range fields {
		if *f.to, err = o.Get(f.key).Text(); err != nil {
			return fmt.Errorf("%s: %w", f.key, err)
		}
	}
	return nil
}

func parseMoment(o wire.Object) (m moment, err error) {
	var at, up string
	if err = texts(o, []field{{"at", &at}, {"boot", &m.boot}, {"up", &up}}); err != nil {
		return m, err
	}
	if m.at, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return m, err
	}
	m.up, err = time.ParseDuration(up)
	return m, err
}
