package provider

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/wire"
)

// failure is an error with the word that stands for it in a reply.
type failure struct {
	code, text string
	detail     string // what the server said: text of a stranger, for a person alone
}

func (f *failure) Error() string { return f.text }

func failed(code, format string, args ...any) error {
	return &failure{code: code, text: fmt.Sprintf(format, args...)}
}

// maxDetail is how much of a server's message is kept, in bytes.
const maxDetail = 1 << 10

// with adds what the server said. Servers repeat the key that they refuse.
func (f *failure) with(said, key string) error {
	if key != "" {
		said = strings.ReplaceAll(said, key, "[key]")
	}
	said = mask.Text(said)
	if len(said) > maxDetail {
		said = strings.ToValidUTF8(said[:maxDetail], "") + "..."
	}
	return &failure{f.code, f.text, said}
}

// reply is that of an error.
func reply(err error) *cop.Reply {
	f := new(failure)
	if errors.As(err, &f) {
		return &cop.Reply{Code: f.code, Error: f.text, Detail: f.detail}
	}
	return &cop.Reply{Code: "client", Error: err.Error()}
}

// status is the failure that an HTTP status stands for, other than 200.
func status(code int) *failure {
	f := func(word, format string) *failure { return &failure{code: word, text: fmt.Sprintf(format, code)} }
	switch {
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable, code == 529:
		return f("busy", "the provider is busy (HTTP status %d)")
	case code >= 300 && code < 400:
		return f("redirect", "the provider sends elsewhere (HTTP status %d), which is not followed")
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return f("key", "the provider does not take the key (HTTP status %d)")
	}
	return f("status", "the provider answers with HTTP status %d")
}

// unreachable is the failure of a connection.
func unreachable(ctx context.Context, err error) *failure {
	certificate := new(tls.CertificateVerificationError)
	switch {
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return &failure{code: "timeout", text: "no answer in time"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &failure{code: "cut-off", text: "the answer ends in the middle"}
	case errors.As(err, &certificate):
		return &failure{code: "certificate", text: "the provider's certificate is not valid"}
	}
	return &failure{code: "unreachable", text: "the provider can't be reached"}
}

// message finds what a server's body says about an error. Each provider wraps
// it in its own way; what is wrapped in none is said as it is.
//
//	{"error": {"message": "..."}}                               OpenAI, Anthropic, Gemini
//	{"error": "..."}                                            Ollama
//	{"message": "..."}, {"detail": "..."}                       servers that speak OpenAI's protocol
//	{"detail": [{"msg": "..."}]}                                likewise
//	{"stop_details": {"explanation": "..."}}                    Anthropic, of a refusal
//	{"choices": [{"message": {"refusal": "..."}}]}              OpenAI, likewise
//	{"candidates": [{"finishMessage": "..."}]}                  Gemini, likewise
func message(body []byte) string {
	v, err := wire.Parse(body)
	if err != nil {
		return strings.TrimSpace(string(body))
	}
	for _, path := range [...][]string{
		{"error", "message"}, {"error"}, {"message"}, {"detail"}, {"detail", "msg"}, {"stop_details", "explanation"},
		{"choices", "message", "refusal"}, {"promptFeedback", "blockReasonMessage"}, {"promptFeedback", "blockReason"}, {"candidates", "finishMessage"},
	} {
		if text, err := at(v, path).Text(); err == nil && text != "" {
			return text
		}
	}
	return strings.TrimSpace(string(body))
}

// at follows keys into a value, and into the first element of an array.
func at(v wire.Value, path []string) wire.Value {
	for _, key := range path {
		if list, err := v.Values(); err == nil && len(list) > 0 {
			v = list[0]
		}
		o, err := v.Object()
		if err != nil {
			return wire.Value{}
		}
		v = o.Get(key)
	}
	return v
}

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

func notItsOwn() error { return failed("garbage", "the answer is not the model's") }

func noText() error { return failed("garbage", "the answer holds something that is no text") }
