package provider

import (
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// ollama is the protocol of Ollama, whose models run on this machine:
// https://github.com/ollama/ollama/blob/main/docs/api.md
var ollama = protocol{
	name:     "ollama",
	endpoint: "http://127.0.0.1:11434",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		var b body
		b.open()
		b.text("model", c.Model)
		b.json("messages", `[{"role":"system","content":`+quote(p.System)+`},{"role":"user","content":`+quote(p.User)+`}]`)
		b.json("format", schema(c))
		b.json("stream", "false")
		b.json("options", `{"temperature":0,"num_predict":`+number(maxTokens)+`}`)
		b.text("keep_alive", "10m")
		return "/api/chat", b.close()
	},
	key: bearer,
	answer: func(v wire.Value) (cop.Text, error) {
		var r read
		o := r.object(v)
		done, err := o.Get("done").Bool()
		r.keep(err)
		reason := r.text(o.Get("done_reason"))
		switch {
		case r.err != nil:
			return cop.Text{}, r.err
		case !done || reason != "stop":
			return cop.Text{}, incomplete(reason)
		}
		message := r.object(o.Get("message"))
		t := cop.Text{
			Text:        r.text(message.Get("content")),
			InputTokens: r.count(o.Get("prompt_eval_count")), OutputTokens: r.count(o.Get("eval_count")),
		}
		return one(t, 1, r.err)
	},
}
