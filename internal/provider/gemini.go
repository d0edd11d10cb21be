package provider

import (
	"net/http"
	"net/url"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// gemini is the protocol of Google's models:
// https://ai.google.dev/api/generate-content
var gemini = protocol{
	name:     "gemini",
	endpoint: "https://generativelanguage.googleapis.com/v1beta",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		var b body
		b.open()
		b.json("systemInstruction", `{"parts":[{"text":`+quote(p.System)+`}]}`)
		b.json("contents", `[{"role":"user","parts":[{"text":`+quote(p.User)+`}]}]`)
		b.json("generationConfig", `{"responseMimeType":"application/json","responseJsonSchema":`+schema(c)+`}`)
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
		for _, part := range r.values(content.Get("parts")) {
			p := r.object(part)
			if thought, err := p.Get("thought").Bool(); err == nil && thought {
				continue
			}
			t.Text = r.text(p.Get("text"))
			texts++
		}
		if !absent(o.Get("usageMetadata")) {
			usage := r.object(o.Get("usageMetadata"))
			t.InputTokens, t.OutputTokens = r.count(usage.Get("promptTokenCount")), r.count(usage.Get("candidatesTokenCount"))
		}
		return one(t, texts, r.err)
	},
}
