package provider

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// gemini is the protocol of Google's models:
// https://ai.google.dev/api/generate-content
var gemini = protocol{
	name:     "gemini",
	endpoint: "https://generativelanguage.googleapis.com/v1beta",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		t := thinks(c)
		var b, config body
		config.open()
		config.text("responseMimeType", "application/json")
		config.json("responseJsonSchema", schema(c))
		config.number("maxOutputTokens", t.limit())
		switch {
		case t.budget:
			config.json("thinkingConfig", `{"thinkingBudget":`+number(t.tokens)+`}`)
		case t.effort != "":
			config.json("thinkingConfig", `{"thinkingLevel":`+quote(strings.ToUpper(t.effort))+`}`)
		}
		b.open()
		b.json("systemInstruction", `{"parts":[{"text":`+quote(p.System)+`}]}`)
		b.json("contents", `[{"role":"user","parts":[{"text":`+quote(p.User)+`}]}]`)
		b.json("generationConfig", string(config.close()))
		return "/models/" + url.PathEscape(c.Model) + ":generateContent", b.close()
	},
	key: func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) },
	answer: func(v wire.Value) (cop.Text, error) {
		var r read
		o := r.object(v)
		if !absent(o.Get("promptFeedback")) {
			if feedback := r.object(o.Get("promptFeedback")); !absent(feedback.Get("blockReason")) {
				return cop.Text{}, refused()
			}
		}
		candidates := r.values(o.Get("candidates"))
		if r.err != nil {
			return cop.Text{}, r.err
		}
		if len(candidates) != 1 {
			return cop.Text{}, failed("garbage", "the answer holds %d candidates", len(candidates))
		}
		candidate := r.object(candidates[0])
		switch finish := r.text(candidate.Get("finishReason")); {
		case r.err != nil:
			return cop.Text{}, r.err
		case finish == "SAFETY", finish == "PROHIBITED_CONTENT", finish == "BLOCKLIST", finish == "SPII":
			return cop.Text{}, refused()
		case finish != "STOP":
			return cop.Text{}, incomplete(finish)
		}
		var t cop.Text
		texts := 0
		content := r.object(candidate.Get("content"))
		if foreign(content, "model") {
			return cop.Text{}, notItsOwn()
		}
		for _, part := range r.values(content.Get("parts")) {
			p := r.object(part)
			for _, m := range p {
				switch m.Key {
				case "text", "thought", "thoughtSignature", "partMetadata":
				default:
					return cop.Text{}, noText()
				}
			}
			if thought, err := p.Get("thought").Bool(); err == nil && thought {
				continue
			}
			t.Text = r.text(p.Get("text"))
			texts++
		}
		if !absent(o.Get("usageMetadata")) {
			usage := r.object(o.Get("usageMetadata"))
			t.InputTokens = r.count(usage.Get("promptTokenCount"))
			t.OutputTokens = r.count(usage.Get("candidatesTokenCount")) + r.count(usage.Get("thoughtsTokenCount"))
		}
		return one(t, texts, r.err)
	},
}
