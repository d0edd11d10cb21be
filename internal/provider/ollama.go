package provider

import (
	"strings"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// ollama is the protocol of Ollama, whose models run on this machine:
// https://docs.ollama.com/api/chat
//
// By itself the server gives a model a window that a question may not fit, cuts
// what does not, and answers with status 200. So the window is asked for, with
// truncate and shift it is forbidden to cut, and what it says of the length of
// the question is compared, for older servers know neither of the two.
var ollama = protocol{
	name:     "ollama",
	endpoint: "http://127.0.0.1:11434",
	request: func(c *cop.Call, p cop.Prompt) (string, []byte) {
		t := thinks(c)
		var b body
		b.open()
		b.text("model", c.Model)
		b.json("messages", `[{"role":"system","content":`+quote(p.System)+`},{"role":"user","content":`+quote(p.User)+`}]`)
		b.json("format", schema(c))
		b.json("stream", "false")
		switch {
		case t.effort == "none":
			b.json("think", "false")
		case strings.HasPrefix(familyOf(c).prefix, "gpt-oss"):
			b.text("think", t.effort) // the one family that takes a word
		default:
			b.json("think", "true")
		}
		b.json("truncate", "false")
		b.json("shift", "false")
		b.json("options", `{"temperature":0,"num_ctx":`+number(window(p, t.limit()))+`,"num_predict":`+number(t.limit())+`}`)
		b.text("keep_alive", "10m")
		return "/api/chat", b.close()
	},
	key:    bearer,
	counts: true,
	answer: func(v wire.Value) (cop.Text, error) {
		var r read
		o := r.object(v)
		if !absent(o.Get("error")) {
			return cop.Text{}, failed("status", "the provider reports an error")
		}
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
		switch {
		case foreign(message, "assistant"):
			return cop.Text{}, notItsOwn()
		case holds(message, "tool_calls", "images"):
			return cop.Text{}, noText()
		}
		t := cop.Text{
			Text:        r.text(message.Get("content")),
			InputTokens: r.count(o.Get("prompt_eval_count")), OutputTokens: r.count(o.Get("eval_count")),
		}
		return one(t, 1, r.err)
	},
}
