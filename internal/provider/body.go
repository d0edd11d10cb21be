package provider

import (
	"strconv"

	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/wire"
)

// body writes a request's JSON object, member by member.
type body struct{ out []byte }

func (b *body) open() { b.out = append(b.out, '{') }

func (b *body) close() []byte { return append(b.out, '}') }

func (b *body) json(key, value string) {
	if len(b.out) > 1 {
		b.out = append(b.out, ',')
	}
	b.out = append(append(wire.AppendText(b.out, key), ':'), value...)
}

func (b *body) text(key, value string) { b.json(key, quote(value)) }

func (b *body) number(key string, n int) { b.json(key, number(n)) }

func number(n int) string { return strconv.Itoa(n) }

func quote(text string) string { return string(wire.AppendText(nil, text)) }

func schema(c *cop.Call) string {
	if c.Plain {
		return cop.PlainSchema
	}
	return cop.Schema
}
