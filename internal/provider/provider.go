// Package provider speaks with language models over HTTP, for the reviewer. A
// protocol is one file and one row: how a prompt is written, and where the
// text of the answer stands. Nothing here understands a question or an answer.
//
// What comes from outside decides nothing: the endpoint and the key are those
// of the call, a redirect is an error, no variable of the environment names a
// proxy or another address, and an answer that is late, large, cut off,
// refused or anything but a plain complete one is an error. No error holds
// text of the server.
package provider

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
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
}

// protocols lists them in the order of the documentation.
var protocols = [...]protocol{
	anthropic,
	openAI,
	openAIResponses,
	gemini,
	ollama,
}

// The limits of one answer.
const (
	maxBody    = 64 << 10 // bytes
	maxTokens  = 1500     // of the answer: some models think first, and the time ends it anyway
	maxHeaders = 16 << 10 // bytes
)

// failure is an error with the word that stands for it in a reply.
type failure struct{ code, text string }

func (f *failure) Error() string { return f.text }

func failed(code, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

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

func reply(err error) *cop.Reply {
	f := new(failure)
	if errors.As(err, &f) {
		return &cop.Reply{Code: f.code, Error: f.text}
	}
	return &cop.Reply{Code: "client", Error: err.Error()}
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
		return cop.Text{}, unreachable(ctx, err)
	}
	defer response.Body.Close()
	switch code := response.StatusCode; {
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable, code == 529:
		return cop.Text{}, failed("busy", "the provider is busy (HTTP status %d)", code)
	case code >= 300 && code < 400:
		return cop.Text{}, failed("redirect", "the provider sends elsewhere (HTTP status %d), which is not followed", code)
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return cop.Text{}, failed("key", "the provider does not take the key (HTTP status %d)", code)
	case code != http.StatusOK:
		return cop.Text{}, failed("status", "the provider answers with HTTP status %d", code)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return cop.Text{}, unreachable(ctx, err)
	}
	if len(data) > maxBody {
		return cop.Text{}, failed("oversized", "the answer is larger than %d bytes", maxBody)
	}
	v, err := wire.Parse(data)
	if err != nil {
		return cop.Text{}, failed("garbage", "the answer is no JSON")
	}
	text, err := p.answer(v)
	f := new(failure)
	if err != nil && !errors.As(err, &f) {
		return cop.Text{}, failed("garbage", "the answer has not the form of %s", p.name)
	}
	return text, err
}

func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return failed("timeout", "no answer in time")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return failed("cut-off", "the answer ends in the middle")
	}
	if certificate := new(tls.CertificateVerificationError); errors.As(err, &certificate) {
		return failed("certificate", "the provider's certificate is not valid")
	}
	return failed("unreachable", "the provider can't be reached")
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

// absent reports whether a key is not there or null.
func absent(v wire.Value) bool { return v.Kind() == "nothing" || v.Kind() == "null" }

// incomplete is the error of an answer that did not end by itself. The reason
// is the server's word, shown only if it looks like one.
func incomplete(reason string) error {
	for _, b := range []byte(reason) {
		if (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && b != '_' {
			reason = ""
		}
	}
	if reason == "" || len(reason) > 40 {
		return failed("incomplete", "the answer did not end by itself")
	}
	return failed("incomplete", "the answer did not end by itself (%s)", reason)
}

func refused() error { return failed("refused", "the model refused to answer") }
