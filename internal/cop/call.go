package cop

import (
	"errors"
	"strconv"

	"github.com/bashgate/bashgate/internal/wire"
)

// Call is what the hook hands to the program that speaks with the model. All
// that program does is to carry it: what is asked and what the answer means is
// decided on this side.
type Call struct {
	Provider     string // whose protocol: "anthropic", "openai", ...
	Endpoint     string // "" = the provider's own
	Model        string
	Effort       string // how much it may think: "none" to "high"; "" = as little as fits the model
	KeyFile      string // absolute; "" = no key
	Proxy        string // "" = none
	Answers      string // for the provider "recorded"
	Command      string // likewise, masked; never sent
	Milliseconds int    // how long all of it may take
	Plain        bool   // no schema: the server knows none
	Prompts      []Prompt
}

// Prompt is one question to the model. Those of a call are asked side by side.
type Prompt struct {
	Nonce  string // what the answer must repeat
	System string
	User   string
}

// Reply is what comes back: as many texts as there were prompts, or an error.
type Reply struct {
	Texts []Text
	Code  string // "timeout", "refused", ...: why there are none; "" = no error
	Error string // the same for a person

	// Detail is what the server said: text of a stranger, without the key. It
	// is shown to a person who tries the reviewer, and goes nowhere else.
	Detail string
}

// Text is what the model said, and what that cost.
type Text struct {
	Text                      string
	InputTokens, OutputTokens int
}

// callVersion changes with the form of calls and replies. Two programs of
// different versions don't talk.
const callVersion = 2

// Encode returns the call as JSON.
func (c *Call) Encode() []byte {
	var w writer
	w.open('{')
	w.number("version", callVersion)
	w.raw("provider", c.Provider)
	w.raw("endpoint", c.Endpoint)
	w.raw("model", c.Model)
	w.raw("effort", c.Effort)
	w.raw("key_file", c.KeyFile)
	w.raw("proxy", c.Proxy)
	w.raw("answers", c.Answers)
	w.raw("command", c.Command)
	w.number("milliseconds", c.Milliseconds)
	w.bool("plain", c.Plain)
	w.key("prompts")
	w.open('[')
	for _, p := range c.Prompts {
		w.comma()
		w.open('{')
		w.raw("nonce", p.Nonce)
		w.raw("system", p.System)
		w.raw("user", p.User)
		w.close('}')
	}
	w.close(']')
	w.close('}')
	return w.out
}

// raw writes a text as it is.
func (w *writer) raw(key, value string) {
	w.key(key)
	w.out = wire.AppendText(w.out, value)
}

// form reads an object that has certain keys and no others.
type form struct {
	object wire.Object
	read   int
	err    error
}

func newForm(v wire.Value) *form {
	object, err := v.Object()
	return &form{object: object, err: err}
}

func (f *form) get(key string) wire.Value {
	v := f.object.Get(key)
	if v.Kind() == "nothing" {
		f.fail(errors.New("no " + strconv.Quote(key)))
		return v
	}
	f.read++
	return v
}

func (f *form) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *form) text(key string) string {
	s, err := f.get(key).Text()
	f.fail(err)
	return s
}

func (f *form) count(key string) int {
	n, err := f.get(key).Count()
	f.fail(err)
	return n
}

func (f *form) bool(key string) bool {
	b, err := f.get(key).Bool()
	f.fail(err)
	return b
}

func (f *form) values(key string) []wire.Value {
	v, err := f.get(key).Values()
	f.fail(err)
	return v
}

// end returns the first error; a key that nobody asked for is one.
func (f *form) end() error {
	if f.err == nil && f.read != len(f.object) {
		return errors.New("a key that has no meaning here")
	}
	return f.err
}

func (f *form) version() {
	if n := f.count("version"); f.err == nil && n != callVersion {
		f.fail(errors.New("version " + strconv.Itoa(n) + ", want " + strconv.Itoa(callVersion) + ": bashgate and bashgated are not of one release"))
	}
}

// DecodeCall reads a call.
func DecodeCall(data []byte) (*Call, error) {
	document, err := wire.Parse(data)
	if err != nil {
		return nil, err
	}
	f := newForm(document)
	f.version()
	c := &Call{
		Provider: f.text("provider"), Endpoint: f.text("endpoint"), Model: f.text("model"), Effort: f.text("effort"), KeyFile: f.text("key_file"),
		Proxy: f.text("proxy"), Answers: f.text("answers"), Command: f.text("command"),
		Milliseconds: f.count("milliseconds"), Plain: f.bool("plain"),
	}
	for _, v := range f.values("prompts") {
		p := newForm(v)
		c.Prompts = append(c.Prompts, Prompt{p.text("nonce"), p.text("system"), p.text("user")})
		f.fail(p.end())
	}
	return c, f.end()
}

// Encode returns the reply as JSON.
func (r *Reply) Encode() []byte {
	var w writer
	w.open('{')
	w.number("version", callVersion)
	w.raw("code", r.Code)
	w.raw("error", r.Error)
	w.raw("detail", r.Detail)
	w.key("texts")
	w.open('[')
	for _, t := range r.Texts {
		w.comma()
		w.open('{')
		w.raw("text", t.Text)
		w.number("input_tokens", t.InputTokens)
		w.number("output_tokens", t.OutputTokens)
		w.close('}')
	}
	w.close(']')
	w.close('}')
	return w.out
}

// DecodeReply reads a reply.
func DecodeReply(data []byte) (*Reply, error) {
	document, err := wire.Parse(data)
	if err != nil {
		return nil, err
	}
	f := newForm(document)
	f.version()
	r := &Reply{Code: f.text("code"), Error: f.text("error"), Detail: f.text("detail")}
	for _, v := range f.values("texts") {
		t := newForm(v)
		r.Texts = append(r.Texts, Text{t.text("text"), t.count("input_tokens"), t.count("output_tokens")})
		f.fail(t.end())
	}
	if err := f.end(); err != nil {
		return nil, err
	}
	return r, nil
}
