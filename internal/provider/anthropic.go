package provider

import (
	"net/http"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// anthropic is the Messages protocol:
// https://docs.anthropic.com/en/api/messages
var anthropic = protocol{
	name:     "anthropic",
	endpoint: "https://api.anthropic.com",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		var b body
		b.open()
		b.text("model", c.Model)
		b.number("max_tokens", maxTokens)
		b.text("system", p.System)
		b.json("messages", `[{"role":"user","content":`+quote(p.User)+`}]`)
		if !c.Plain {
			b.json("output_config", `{"format":{"type":"json_schema","schema":`+schema(c)+`}}`)
		}
		return "/v1/messages", b.close()
	},
	key: func(h http.Header, key string) {
		h.Set("X-Api-Key", key)
		h.Set("Anthropic-Version", "2023-06-01")
	},
	answer: func(v wire.Value) (cop.Text, error) {
		var r read
		o := r.object(v)
		switch stop := r.text(o.Get("stop_reason")); {
		case r.err != nil:
			return cop.Text{}, r.err
		case stop == "refusal":
			return cop.Text{}, refused()
		case stop != "end_turn":
			return cop.Text{}, incomplete(stop)
		}
		var t cop.Text
		texts := 0
		for _, block := range r.values(o.Get("content")) {
			b := r.object(block)
			switch r.text(b.Get("type")) {
			case "text":
				t.Text = r.text(b.Get("text"))
				texts++
			case "thinking", "redacted_thinking":
			default:
				return cop.Text{}, failed("garbage", "the answer holds something that is no text")
			}
		}
		if !absent(o.Get("usage")) {
			usage := r.object(o.Get("usage"))
			t.InputTokens, t.OutputTokens = r.count(usage.Get("input_tokens")), r.count(usage.Get("output_tokens"))
		}
		return one(t, texts, r.err)
	},
}

// one returns the text of an answer that holds exactly one.
func one(t cop.Text, texts int, err error) (cop.Text, error) {
	if err != nil {
		return cop.Text{}, err
	}
	if texts != 1 {
		return cop.Text{}, failed("garbage", "the answer holds %d texts", texts)
	}
	return t, nil
}
