package task

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// This file reads the variables of makefiles.

// assign does an assignment and returns the name. r is nil, or the rule whose
// targets the variable belongs to.
func (p *makeParser) assign(text string, override bool, r *makeRule) string {
	i := assignment(text)
	end := i
	for text[end] != '=' {
		end++
	}
	op := text[i : end+1]
	name, known := p.expand(strings.TrimSpace(text[:i]), nil).Const()
	name = strings.TrimSpace(name)
	value := strings.TrimLeft(text[end+1:], " \t")
	if !known || name == "" || strings.ContainsAny(name, " \t") {
		p.trouble("Sets a variable whose name is not known")
		return ""
	}
	v := &makeVar{text: policy.Const(value), at: p.at}
	if p.secret {
		v.text, v.simple = anyText(name), true
	}
	old := p.vars[name]
	switch op {
	case ":=", "::=", ":::=":
		if !p.secret {
			v.text = p.expand(value, nil)
		}
		v.simple = true
	case "!=":
		v.text, v.simple = p.run(p.expand(value, nil)), true
	case "?=":
		if r == nil && old != nil && !old.builtin {
			return name
		}
		if set, ok := p.search.env(name); ok { // the environment's counts
			v.text, v.simple = argText(set, name), false
		}
	case "+=":
		if old != nil && !old.builtin {
			v.simple = old.simple
			if old.simple && !p.secret {
				v.text = p.expand(value, nil)
			}
			if r == nil {
				v.text = concat(old.text, policy.Const(" "), v.text)
			} else {
				v.text = p.expandText(concat(policy.Const("$("+name+") "), v.text), nil)
				v.simple = true
			}
		} else {
			v.text = concat(someWords(name), policy.Const(" "), v.text)
		}
	}
	switch name {
	case ".RECIPEPREFIX":
		p.trouble("Changes how recipes begin")
	case ".EXTRA_PREREQS":
		p.trouble("Makes targets that no rule names: %s", policy.Quote(value))
	case "MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS":
		for _, flag := range strings.Fields(value) {
			switch flag {
			case "--no-print-directory", "--silent", "-s", "-r", "-R", "-rR", "--no-builtin-rules", "--no-builtin-variables", "--warn-undefined-variables", "-k", "--keep-going", "-j", "--output-sync", "-O":
			default:
				if strings.Trim(strings.TrimPrefix(strings.TrimPrefix(flag, "-j"), "--jobs="), "0123456789") != "" {
					p.trouble("Sets make's own options: %s", policy.Quote(flag))
				}
			}
		}
	case "PATH":
		p.trouble("Changes PATH")
	}
	if r != nil {
		r.variable, r.name = v, name
		p.rules = append(p.rules, r)
		return name
	}
	if old != nil && old.fixed && !override {
		return name
	}
	if p.live() == policy.Maybe && (old == nil || !sameText(old.text, v.text)) {
		// One of both ways.
		v = &makeVar{text: eitherText(name, old, v), simple: true, at: p.at}
	}
	if value, ok := p.search.env(name); ok && p.set("-e") {
		v.text, v.simple = argText(value, name), false
	}
	p.vars[name] = v
	return name
}

// eitherText is the value of a variable that is one of two, or not set.
func eitherText(name string, a, b *makeVar) policy.Word {
	for _, v := range [...]*makeVar{a, b} {
		if v != nil && isOpen(opaque(v.text)) { // "$" is no word's either
			return anyText(name)
		}
	}
	return someWords(name)
}

// define reads a variable of several lines.
func (p *makeParser) define(text string) {
	_, head := firstWord(text)
	var lines []string
	depth := 1
	for p.next < len(p.lines) {
		line := p.lines[p.next]
		p.next++
		switch word, _ := firstWord(strings.TrimSpace(line)); word {
		case "define":
			depth++
		case "endef":
			depth--
		}
		if depth == 0 {
			break
		}
		lines = append(lines, line)
	}
	if depth > 0 {
		p.trouble("A define without its endef")
	}
	if p.live() == policy.No {
		return
	}
	if i := assignment(head); i >= 0 {
		if op := strings.TrimSpace(head[i:]); op != "=" {
			p.trouble("A define with %s", policy.Quote(op))
		}
		head = strings.TrimSpace(head[:i])
	}
	name, known := p.expand(head, nil).Const()
	name = strings.TrimSpace(name)
	if !known || name == "" {
		p.trouble("Sets a variable whose name is not known")
		return
	}
	v := &makeVar{text: policy.Const(strings.Join(lines, "\n")), at: p.at}
	if p.live() == policy.Maybe {
		v = &makeVar{text: eitherText(name, p.vars[name], v), simple: true, at: p.at}
	}
	if old := p.vars[name]; old == nil || !old.fixed {
		p.vars[name] = v
	}
}
