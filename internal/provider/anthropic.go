package provider

import (
	"net/http"
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// anthropic is the Messages protocol:
// https://platform.claude.com/docs/en/api/messages
var anthropic = protocol{
	name:     "anthropic",
	endpoint: "https://api.anthropic.com",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		t := thinks(c)
		var b body
		b.open()
		b.text("model", c.Model)
		b.number("max_tokens", t.limit())
		b.text("system", p.System)
		b.json("messages", `[{"role":"user","content":`+quote(p.User)+`}]`)
		var output body
		output.open()
		switch {
		case t.effort == "":
		case t.effort == "none":
			b.json("thinking", `{"type":"`+thinkingOff(c.Model)+`"}`)
		case t.budget:
			b.json("thinking", `{"type":"enabled","budget_tokens":`+number(t.tokens)+`}`)
		default:
			b.json("thinking", `{"type":"adaptive"}`)
			output.text("effort", t.effort)
		}
		if !c.Plain {
			output.json("format", `{"type":"json_schema","schema":`+schema(c)+`}`)
		}
		if config := output.close(); len(config) > 2 {
			b.json("output_config", string(config))
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
		case foreign(o, "assistant"):
			return cop.Text{}, notItsOwn()
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
				return cop.Text{}, noText()
			}
		}
		if !absent(o.Get("usage")) {
			usage := r.object(o.Get("usage"))
			t.InputTokens = r.count(usage.Get("input_tokens")) + r.count(usage.Get("cache_creation_input_tokens")) + r.count(usage.Get("cache_read_input_tokens"))
			t.OutputTokens = r.count(usage.Get("output_tokens"))
		}
		return one(t, texts, r.err)
	},
}

// thinkingOff is the type of no thinking, which one family calls otherwise.
func thinkingOff(model string) string {
	if strings.HasPrefix(model, "claude-sonnet-5-5") {
		return "between_tools"
	}
	return "disabled"
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
