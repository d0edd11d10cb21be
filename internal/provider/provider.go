// Package provider speaks with language models over HTTP, for the reviewer. A
// protocol is one file and one row: how a prompt is written, and where the
// text of the answer stands. Nothing here understands a question or an answer.
//
// What comes from outside decides nothing: the endpoint and the key are those
// of the call, a redirect is an error, no variable of the environment names a
// proxy or another address, and an answer that is late, large, cut off,
// refused, of a question that was cut or anything but a plain complete one is
// an error. No error holds text of the server: that is kept apart, for a person
// who tries the reviewer.
package provider

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// protocol is one provider's way to ask and to answer.
type protocol struct {
	name     string
	endpoint string // its own place
	// request writes the path and the body of a question.
	request func(c *cop.Call, p cop.Prompt) (path string, body []byte)
	// key is put into the header.
	key func(h http.Header, key string)
	// answer reads the body of an answer with status 200.
	answer func(v wire.Value) (cop.Text, error)
	counts bool // an answer says how long the question was, or is none
}

// protocols lists them in the order of the documentation.
var protocols = [...]protocol{
	anthropic,
	openAI,
	openAIResponses,
	gemini,
	ollama,
}

// The limits of one answer, in bytes. How many tokens it may have is said where
// thinking is.
const (
	maxBody    = 64 << 10
	maxHeaders = 16 << 10
)

// Answer carries a call out. It returns within the call's time; what went
// wrong is in the reply.
func Answer(ctx context.Context, c *cop.Call) *cop.Reply {
	if len(c.Prompts) == 0 {
		return reply(failed("usage", "a call without a prompt"))
	}
	if c.Provider == "recorded" {
		return recorded(c)
	}
	p := find(c.Provider)
	if p == nil {
		return reply(failed("usage", "no provider is called %q", c.Provider))
	}
	key, err := readKey(c.KeyFile)
	if err != nil {
		return reply(err)
	}
	client, err := newClient(c)
	if err != nil {
		return reply(err)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Milliseconds)*time.Millisecond)
	defer cancel()
	type result struct {
		text cop.Text
		err  error
	}
	results := make([]chan result, len(c.Prompts))
	for i := range c.Prompts {
		results[i] = make(chan result, 1)
		go func() {
			text, err := ask(ctx, client, p, c, c.Prompts[i], key)
			results[i] <- result{text, err}
		}()
	}
	r := new(cop.Reply)
	for _, ch := range results {
		one := <-ch
		if one.err != nil {
			return reply(one.err)
		}
		r.Texts = append(r.Texts, one.text)
	}
	return r
}

func find(name string) *protocol {
	for i := range protocols {
		if protocols[i].name == name {
			return &protocols[i]
		}
	}
	return nil
}

// newClient makes a client that goes where it is told and nowhere else.
func newClient(c *cop.Call) (*http.Client, error) {
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    3 * time.Second,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true, // a small body that grows large
		ForceAttemptHTTP2:      true,
	}
	if c.Proxy != "" {
		proxy, err := url.Parse(c.Proxy)
		if err != nil {
			return nil, failed("usage", "the proxy's address can't be read")
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// ask puts one prompt to the model, and once more if it was too busy.
func ask(ctx context.Context, client *http.Client, p *protocol, c *cop.Call, prompt cop.Prompt, key string) (cop.Text, error) {
	text, err := try(ctx, client, p, c, prompt, key)
	f := new(failure)
	if errors.As(err, &f) && (f.code == "busy" || f.code == "unreachable") {
		select {
		case <-time.After(300 * time.Millisecond):
			return try(ctx, client, p, c, prompt, key)
		case <-ctx.Done():
		}
	}
	return text, err
}

func try(ctx context.Context, client *http.Client, p *protocol, c *cop.Call, prompt cop.Prompt, key string) (cop.Text, error) {
	endpoint := c.Endpoint
	if endpoint == "" {
		endpoint = p.endpoint
	}
	path, body := p.request(c, prompt)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(endpoint, "/")+path, bytes.NewReader(body))
	if err != nil {
		return cop.Text{}, failed("usage", "the endpoint's address can't be read")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "bashgate")
	if key != "" {
		p.key(request.Header, key)
	}
	response, err := client.Do(request)
	if err != nil {
		return cop.Text{}, unreachable(ctx, err).with(err.Error(), key)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if response.StatusCode != http.StatusOK {
		return cop.Text{}, status(response.StatusCode).with(message(data), key)
	}
	if err != nil {
		return cop.Text{}, unreachable(ctx, err).with(err.Error(), key)
	}
	if len(data) > maxBody {
		return cop.Text{}, failed("oversized", "the answer is larger than %d bytes", maxBody)
	}
	text, err := p.decode(data)
	if err == nil {
		err = p.whole(prompt, text)
	}
	if f := new(failure); errors.As(err, &f) {
		return cop.Text{}, f.with(message(data), key)
	}
	return text, err
}

// decode reads the text out of an answer.
func (p *protocol) decode(data []byte) (cop.Text, error) {
	v, err := wire.Parse(data)
	if err != nil {
		return cop.Text{}, failed("garbage", "the answer is no JSON")
	}
	text, err := p.answer(v)
	if f := new(failure); err != nil && !errors.As(err, &f) {
		return cop.Text{}, failed("garbage", "the answer has not the form of %s", p.name)
	}
	return text, err
}

// read looks into an answer. The first thing that is not as it should be is
// kept, so that a codec reads like the form it expects.
type read struct{ err error }

func (r *read) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *read) object(v wire.Value) wire.Object {
	o, err := v.Object()
	r.keep(err)
	return o
}

func (r *read) values(v wire.Value) []wire.Value {
	list, err := v.Values()
	r.keep(err)
	return list
}

func (r *read) text(v wire.Value) string {
	s, err := v.Text()
	r.keep(err)
	return s
}

// count reads a number of tokens; servers that don't count leave it out.
func (r *read) count(v wire.Value) int {
	n, err := v.Count()
	if err != nil {
		return 0
	}
	return n
}

// foreign reports whether an answer says that it is somebody else's.
func foreign(o wire.Object, role string) bool {
	v := o.Get("role")
	text, err := v.Text()
	return !absent(v) && (err != nil || text != role)
}

// holds reports whether one of some keys has a value that is not empty.
func holds(o wire.Object, keys ...string) bool {
	for _, key := range keys {
		v := o.Get(key)
		if list, err := v.Values(); !absent(v) && (err != nil || len(list) > 0) {
			return true
		}
	}
	return false
}

// said reports whether there is something, be it no text.
func said(v wire.Value) bool {
	text, err := v.Text()
	return !absent(v) && (err != nil || text != "")
}

// absent reports whether a key is not there or null.
func absent(v wire.Value) bool { return v.Kind() == "nothing" || v.Kind() == "null" }
