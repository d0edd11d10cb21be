package javascript

import (
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

func (in *reader) importStmt(s *javascript.Import) {
	in.at(s.At)
	v := in.load(s.Module)
	if s.Default != "" {
		in.more(in.scope.declare(s.Default), v)
	}
	if s.All != "" {
		in.more(in.scope.declare(s.All), v)
	}
	for _, a := range s.Names {
		in.more(in.scope.declare(a.Local), in.getMember(v, code.Const("str", a.Name), false))
	}
}

// loadValue loads a module that a value names.
func (in *reader) loadValue(v code.Value) (out code.Value) {
	for i := range v {
		name, ok := code.Value{v[i]}.Const("str")
		if !ok {
			in.escape(code.Value{v[i]})
			out = code.Join(out, in.unknown("a module whose name is not known"))
			continue
		}
		out = code.Join(out, in.load(name))
	}
	return out
}

// onlyPrefixed reports whether a module of Node's is only there as node:name.
func onlyPrefixed(name string) bool {
	switch name {
	case "test", "test/reporters", "sqlite", "sea", "quic", "ffi", "vfs", "dtls":
		return true
	}
	return false
}

// load loads a module.
func (in *reader) load(name string) code.Value {
	bare, prefixed := strings.CutPrefix(name, "node:")
	if bare == "process" || bare == "console" {
		return member(bare) // what is there without it
	}
	if (prefixed || !onlyPrefixed(bare)) && !strings.Contains(bare, ".") {
		switch e := in.find("node:" + bare); e.Kind {
		case code.Asked:
			return in.asked(e)
		case code.Module:
			return member("node:" + bare)
		}
	}
	if prefixed || strings.ContainsAny(name, ":\\%#?\x00") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "#") || name == "" {
		return in.unknown("the module " + name)
	}
	if strings.HasSuffix(name, ".node") {
		return in.unknown("the library " + name)
	}
	origin := code.Strange
	if in.text.Find != nil {
		origin = in.text.Find(name, nil)
	}
	fetched := in.runtime != language && origin == code.Installed && name[0] != '.' && name[0] != '/' // Bun and Deno install what is not there
	if origin == code.Strange || fetched {
		return in.unknown("the module " + name + ", which may be anybody's")
	}
	if strings.HasSuffix(name, ".json") && (name[0] == '.' || name[0] == '/') {
		in.report.Use(code.Effect{Use: match.Use{Kind: match.Read, Word: policy.Const(name)}, Line: in.line})
		return code.Plain()
	}
	if strings.HasSuffix(name, ".json") {
		return code.Plain()
	}
	in.report.Load(name, in.line)
	return code.Value{{Kind: code.Project, Type: name}}
}

// variable notes that a variable of the environment is read.
func (in *reader) variable(key code.Value) {
	in.dotEnv()
	for _, s := range key {
		if name, ok := (code.Value{s}).Const("str"); ok {
			in.report.Use(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("printenv"), policy.Const(name)}}, Line: in.line})
			continue
		}
		in.environment()
	}
}

// environment notes that the whole environment is read.
func (in *reader) environment() {
	in.dotEnv()
	in.report.Use(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("printenv")}}, Line: in.line})
}
