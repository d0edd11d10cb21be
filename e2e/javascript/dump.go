package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/bashgate/bashgate/internal/javascript"
)

// dump writes a tree as acorn.js does.
func dump(p *javascript.Program) string { return stmts(p.Body) }

func text(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == '\'' || c == '\\' {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func node(kind string, parts ...string) string {
	return "(" + strings.Join(append([]string{kind}, parts...), " ") + ")"
}

func list[T any](items []T, f func(T) string) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = f(item)
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func mark(on bool, name string) string {
	if on {
		return name
	}
	return "-"
}

func or(s string) string {
	if s == "" {
		return "-"
	}
	return text(s)
}

func stmts(body []javascript.Stmt) string { return list(body, stmt) }

func stmt(s javascript.Stmt) string {
	switch s := s.(type) {
	case nil:
		return "-"
	case *javascript.Var:
		return node("var", s.Kind, list(s.List, func(d javascript.Declarator) string { return node("d", pattern(d.Target), expr(d.Init)) }))
	case *javascript.ExprStmt:
		return node("expr", expr(s.X))
	case *javascript.Block:
		return node("block", stmts(s.Body))
	case *javascript.If:
		return node("if", expr(s.Test), stmt(s.Then), stmt(s.Else))
	case *javascript.For:
		return node("for", stmt(s.Init), expr(s.Test), expr(s.Step), stmts(s.Body))
	case *javascript.ForEach:
		kind := "-"
		if s.Kind != "" {
			kind = s.Kind
		}
		return node("each", kind, pattern(s.Left), mark(s.Of, "of"), mark(s.Await, "await"), expr(s.X), stmts(s.Body))
	case *javascript.While:
		if s.Do {
			return node("do", expr(s.Test), stmt(s.Body))
		}
		return node("while", expr(s.Test), stmt(s.Body))
	case *javascript.Switch:
		return node("switch", expr(s.X), list(s.Cases, func(c javascript.Case) string { return node("case", expr(c.Test), stmts(c.Body)) }))
	case *javascript.Return:
		return node("return", expr(s.X))
	case *javascript.Jump:
		if s.Continue {
			return node("continue", or(s.Label))
		}
		return node("break", or(s.Label))
	case *javascript.Throw:
		return node("throw", expr(s.X))
	case *javascript.Try:
		param, catch, finally := "-", "-", "-"
		if s.Param != nil {
			param = pattern(s.Param)
		}
		if s.Catch != nil {
			catch = stmts(s.Catch.Body)
		}
		if s.Finally != nil {
			finally = stmts(s.Finally.Body)
		}
		return node("try", stmts(s.Body), param, catch, finally)
	case *javascript.Label:
		return node("label", text(s.Name), stmt(s.Body))
	case *javascript.FunctionStmt:
		return node("function", function(s.F))
	case *javascript.ClassStmt:
		return node("class", class(s.C))
	case *javascript.Debugger:
		return node("debugger")
	case *javascript.Import:
		return node("import", text(s.Module), or(s.Default), or(s.All), list(s.Names, as))
	case *javascript.Export:
		module := "-"
		if s.From {
			module = text(s.Module)
		}
		return node("export", stmt(s.Decl), expr(s.Default), list(s.Names, as), module)
	}
	return fmt.Sprintf("?%T", s)
}

func as(a javascript.Alias) string { return node("as", text(a.Name), text(a.Local)) }

func param(p javascript.Param) string {
	target := "-"
	if p.Target != nil {
		target = pattern(p.Target)
	}
	return node("p", target, expr(p.Default), mark(p.Rest, "rest"))
}

func pattern(p javascript.Pattern) string {
	switch p := p.(type) {
	case *javascript.ArrayPattern:
		items := p.Items
		for len(items) > 0 && items[len(items)-1].Target == nil {
			items = items[:len(items)-1] // commas at the end bind nothing
		}
		return node("array", list(items, param))
	case *javascript.ObjectPattern:
		return node("object", list(p.Props, func(p javascript.PatternProperty) string {
			return node("prop", text(p.Key), expr(p.Computed), param(p.Param))
		}))
	case javascript.Expr:
		return expr(p)
	}
	return fmt.Sprintf("?%T", p)
}

func function(f *javascript.Function) string {
	return node("f", or(f.Name), list(f.Params, param), stmts(f.Body), mark(f.Arrow, "arrow"), mark(f.Async, "async"), mark(f.Generator, "generator"))
}

func class(c *javascript.Class) string {
	return node("c", or(c.Name), expr(c.Extends), list(c.Members, func(m javascript.ClassMember) string {
		if m.Kind == "block" {
			return node("block", stmts(m.Body))
		}
		value := expr(m.Value)
		if f, ok := m.Value.(*javascript.Function); ok && m.Kind != "field" {
			value = function(f)
		}
		return node(m.Kind, mark(m.Static, "static"), text(m.Key), expr(m.Computed), value)
	}))
}

func exprs(l []javascript.Expr) string { return list(l, expr) }

func expr(e javascript.Expr) string {
	switch e := e.(type) {
	case nil:
		return "-"
	case *javascript.Name:
		return text(e.Name)
	case *javascript.String:
		return node("string", text(e.Value))
	case *javascript.Number:
		return node("number", fmt.Sprintf("%016x", math.Float64bits(e.Value)))
	case *javascript.BigInt:
		return node("bigint", e.Digits)
	case *javascript.Bool:
		return fmt.Sprint(e.Value)
	case *javascript.Null:
		return "null"
	case *javascript.Regexp:
		return node("regexp", text(e.Pattern), text(e.Flags))
	case *javascript.Template:
		return node("template", expr(e.Tag), list(e.Texts, text), list(e.Raw, text), exprs(e.List))
	case *javascript.Array:
		return node("array", exprs(e.Items))
	case *javascript.Object:
		return node("object", list(e.Props, func(p javascript.Property) string {
			kind := p.Kind
			if kind == "" {
				kind = "init"
			}
			value := expr(p.Value)
			if f, ok := p.Value.(*javascript.Function); ok && kind != "init" && kind != "spread" {
				value = function(f)
			}
			return node(kind, text(p.Key), expr(p.Computed), value)
		}))
	case *javascript.Function:
		return function(e)
	case *javascript.Class:
		return class(e)
	case *javascript.Unary:
		return node("unary", e.Op, expr(e.X))
	case *javascript.Update:
		return node("update", e.Op, pattern(e.Target), mark(e.Prefix, "prefix"))
	case *javascript.Binary:
		return node("binary", e.Op, expr(e.X), expr(e.Y))
	case *javascript.Assign:
		return node("assign", e.Op, pattern(e.Target), expr(e.Y))
	case *javascript.Cond:
		return node("cond", expr(e.Test), expr(e.Then), expr(e.Else))
	case *javascript.Call:
		return node("call", expr(e.F), exprs(e.Args), mark(e.Optional, "optional"))
	case *javascript.New:
		return node("new", expr(e.F), exprs(e.Args))
	case *javascript.Member:
		return node("member", expr(e.X), text(e.Name), expr(e.Index), mark(e.Optional, "optional"))
	case *javascript.Spread:
		return node("...", expr(e.X))
	case *javascript.Sequence:
		return node("sequence", exprs(e.List))
	case *javascript.Await:
		return node("await", expr(e.X))
	case *javascript.Yield:
		return node("yield", expr(e.X), mark(e.Each, "each"))
	case *javascript.ImportCall:
		return node("import", exprs(e.Args))
	case *javascript.This:
		return "this"
	case *javascript.Super:
		return "super"
	case *javascript.NewTarget:
		return "new.target"
	case *javascript.ImportMeta:
		return "import.meta"
	}
	return fmt.Sprintf("?%T", e)
}
