package provider

import (
	"net/http"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// openAI is the protocol of chat completions, which many servers speak:
// https://platform.openai.com/docs/api-reference/chat
var openAI = protocol{
	name:     "openai",
	endpoint: "https://api.openai.com/v1",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		t := thinks(c)
		var b body
		b.open()
		b.text("model", c.Model)
		b.json("messages", `[{"role":"system","content":`+quote(p.System)+`},{"role":"user","content":`+quote(p.User)+`}]`)
		if c.Plain {
			b.number("max_tokens", t.limit()) // the older name, for older servers
		} else {
			b.number("max_completion_tokens", t.limit())
			b.json("response_format", `{"type":"json_schema","json_schema":{"name":"review","strict":true,"schema":`+schema(c)+`}}`)
		}
		if t.effort != "" {
			b.text("reasoning_effort", t.effort)
		}
		return "/chat/completions", b.close()
	},
	key: bearer,
	answer: func(v wire.Value) (cop.Text, error) {
		var r read
		o := r.object(v)
		choices := r.values(o.Get("choices"))
		if r.err != nil {
			return cop.Text{}, r.err
		}
		if len(choices) != 1 {
			return cop.Text{}, failed("garbage", "the answer holds %d choices", len(choices))
		}
		choice := r.object(choices[0])
		finish := r.text(choice.Get("finish_reason"))
		message := r.object(choice.Get("message"))
		switch {
		case r.err != nil:
			return cop.Text{}, r.err
		case said(message.Get("refusal")), finish == "content_filter":
			return cop.Text{}, refused()
		case foreign(message, "assistant"):
			return cop.Text{}, notItsOwn()
		case holds(message, "tool_calls", "function_call", "audio"):
			return cop.Text{}, noText()
		case finish != "stop":
			return cop.Text{}, incomplete(finish)
		}
		t := cop.Text{Text: r.text(message.Get("content"))}
		if !absent(o.Get("usage")) {
			usage := r.object(o.Get("usage"))
			t.InputTokens, t.OutputTokens = r.count(usage.Get("prompt_tokens")), r.count(usage.Get("completion_tokens"))
		}
		return one(t, 1, r.err)
	},
}

func bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// openAIResponses is the protocol of responses:
// https://platform.openai.com/docs/api-reference/responses
var openAIResponses = protocol{
	name:     "openai-responses",
	endpoint: "https://api.openai.com/v1",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		t := thinks(c)
		var b body
		b.open()
		b.text("model", c.Model)
		b.text("instructions", p.System)
		b.text("input", p.User)
		b.number("max_output_tokens", t.limit())
		b.json("store", "false")
		b.text("truncation", "disabled")
		if t.effort != "" {
			b.json("reasoning", `{"effort":`+quote(t.effort)+`}`)
		}
		if !c.Plain {
			b.json("text", `{"format":{"type":"json_schema","name":"review","strict":true,"schema":`+schema(c)+`}}`)
		}
		return "/responses", b.close()
	},
	key: bearer,
	answer: func(v wire.Value) (cop.Text, error) {
		var r read
		o := r.object(v)
		status := r.text(o.Get("status"))
		switch {
		case r.err != nil:
			return cop.Text{}, r.err
		case status != "completed", !absent(o.Get("incomplete_details")):
			return cop.Text{}, incomplete(status)
		case !absent(o.Get("error")):
			return cop.Text{}, failed("status", "the provider reports an error")
		}
		var t cop.Text
		texts := 0
		for _, item := range r.values(o.Get("output")) {
			i := r.object(item)
			switch r.text(i.Get("type")) {
			case "reasoning":
				continue
			case "message":
			default:
				return cop.Text{}, failed("garbage", "the answer holds something that is no message")
			}
			if foreign(i, "assistant") {
				return cop.Text{}, notItsOwn()
			}
			if part := i.Get("status"); !absent(part) && r.text(part) != "completed" {
				return cop.Text{}, incomplete(r.text(part))
			}
			for _, part := range r.values(i.Get("content")) {
				p := r.object(part)
				switch r.text(p.Get("type")) {
				case "output_text":
					t.Text = r.text(p.Get("text"))
					texts++
				case "refusal":
					return cop.Text{}, refused()
				default:
					return cop.Text{}, noText()
				}
			}
		}
		if !absent(o.Get("usage")) {
			usage := r.object(o.Get("usage"))
			t.InputTokens, t.OutputTokens = r.count(usage.Get("input_tokens")), r.count(usage.Get("output_tokens"))
		}
		return one(t, texts, r.err)
	},
}
