package python

import (
	"slices"
	"strings"
)

// text gathers the constants and fields of strings that stand side by side.
type text struct {
	at     Position
	values []Expr
	parts  []string // of the constant that is not among values yet
	unsure bool     // about that constant
}

func (t *text) add(s string, unknown bool) {
	t.parts = append(t.parts, s)
	t.unsure = t.unsure || unknown
}

// constant is what was added last.
func (p *parser) constant(t *text, k ConstantKind) *Constant {
	c := Constant{expression{t.at}, k, strings.Join(t.parts, ""), t.unsure}
	t.parts, t.unsure = t.parts[:0], false
	return p.newConstant.add(c)
}

// flush ends the constant; empty ones are none.
func (p *parser) flush(t *text) {
	if t.unsure || slices.ContainsFunc(t.parts, func(s string) bool { return s != "" }) {
		t.values = append(t.values, p.constant(t, Str))
	}
}

// strings reads strings that stand side by side.
func (p *parser) strings() Expr {
	t := text{at: p.token().Position}
	var plain, inBytes, fields, templates int
	for ; ; p.next++ {
		switch tok := p.token(); tok.kind {
		case literal:
			value, isBytes, unknown, wrong := unquote(tok)
			if wrong != "" {
				p.fail("%s", wrong)
			}
			t.add(value, unknown)
			if isBytes {
				inBytes++
			} else {
				plain++
			}
			continue
		case opening:
			template := hasPrefix(tok.text, 't')
			if template {
				templates++
			} else {
				fields++
			}
			p.formatted(&t, hasPrefix(tok.text, 'r'), template)
			continue
		}
		break
	}
	switch {
	case inBytes > 0 && plain+fields+templates > 0, templates > 0 && plain+fields > 0:
		p.failAt(t.at, "strings of several kinds side by side")
	case inBytes > 0:
		return p.constant(&t, Bytes)
	case templates+fields == 0:
		return p.constant(&t, Str)
	}
	p.flush(&t)
	if templates > 0 {
		s := &TemplateStr{Values: t.values}
		s.Position = t.at
		return s
	}
	s := &JoinedStr{Values: t.values}
	s.Position = t.at
	return s
}

// formatted reads a string with fields up to its closing quote.
func (p *parser) formatted(t *text, raw, template bool) {
	p.next++
	for !p.is(closing) {
		if p.is(middle) {
			p.middle(t, raw)
		} else {
			p.field(t, raw, template)
		}
	}
}

func (p *parser) middle(t *text, raw bool) {
	d := decoder{raw: raw, braces: true}
	value := d.decode(p.token().text)
	if d.wrong != "" {
		p.fail("%s", d.wrong)
	}
	t.add(value, d.unknown)
	p.next++
}

// field reads {value=!conversion:format}.
func (p *parser) field(t *text, raw, template bool) {
	p.enter()
	brace := p.token()
	p.expect("{")
	from := brace.Offset + 1
	value := p.yieldOrStars()
	source := strings.TrimRight(p.text[from:p.token().Offset], " \t\f\r\n")
	var conversion byte
	if p.take("=") {
		t.add(strings.ReplaceAll(p.text[from:p.token().Offset], "\r\n", "\n"), false)
		if !p.at("!") && !p.at(":") {
			conversion = 'r'
		}
	}
	p.flush(t)
	if exclamation := p.token(); p.take("!") {
		letter := p.read(name)
		if letter.Offset != exclamation.Offset+1 || len(letter.text) != 1 || !strings.Contains("sra", letter.text) {
			p.failAt(letter.Position, "expected s, r or a")
		}
		conversion = letter.text[0]
	}
	format := p.format(raw)
	p.expect("}")
	p.leave()
	if template {
		f := &Interpolation{Value: value, Str: source, Conversion: conversion, FormatSpec: format}
		f.Position = brace.Position
		t.values = append(t.values, f)
		return
	}
	f := &FormattedValue{Value: value, Conversion: conversion, FormatSpec: format}
	f.Position = brace.Position
	t.values = append(t.values, f)
}

// format reads the format of a field, if it has one.
func (p *parser) format(raw bool) *JoinedStr {
	t := text{at: p.token().Position}
	if !p.take(":") {
		return nil
	}
	for !p.at("}") {
		if p.is(middle) {
			p.middle(&t, raw)
		} else {
			p.field(&t, raw, false)
		}
	}
	p.flush(&t)
	s := &JoinedStr{Values: t.values}
	s.Position = t.at
	return s
}
