package provider

import (
	"bytes"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/mask"
	"github.com/bashgate/bashgate/internal/wire"
)

// recorded answers from a file, for tests and demonstrations without a key.
// Each line is the text that a model said about a command, or an error:
//
//	{"command": "make build", "text": "{\"nonce\":\"NONCE\",\"effect\":\"exec_local\", ...}"}
//	{"command": "make clean", "error": "timeout"}
//
// NONCE stands for the number of the question. A command that has no line is
// an error.
func recorded(c *cop.Call) *cop.Reply {
	data, err := disk.OS{}.ReadFile(c.Answers, 16<<20)
	if err != nil {
		return reply(failed("client", "the file of recorded answers can't be read"))
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		v, err := wire.Parse(line)
		if err != nil {
			return reply(failed("client", "the file of recorded answers, line %d: %v", n, err))
		}
		var r read
		o := r.object(v)
		command := r.text(o.Get("command"))
		if r.err == nil && mask.Text(command) != c.Command {
			continue
		}
		if code := o.Get("error"); r.err == nil && !absent(code) {
			return reply(failed(r.text(code), "recorded"))
		}
		text := r.text(o.Get("text"))
		if r.err != nil {
			return reply(failed("client", "the file of recorded answers, line %d: %v", n, r.err))
		}
		answer := new(cop.Reply)
		for _, p := range c.Prompts {
			said := bytes.ReplaceAll([]byte(text), []byte("NONCE"), []byte(p.Nonce))
			answer.Texts = append(answer.Texts, cop.Text{Text: string(said)})
		}
		return answer
	}
	return reply(failed("client", "no recorded answer about this command in %d lines", n))
}
