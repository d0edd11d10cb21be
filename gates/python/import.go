package python

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
)

// importModule is import name as alias.
func (in *reader) importModule(name, alias string) {
	v := in.load(name)
	if alias == "" {
		alias = first(name)
		if i := slices.IndexFunc(v, func(s code.Shape) bool { return s.Kind == code.Member }); i >= 0 {
			v = slices.Clone(v)
			v[i] = code.Shape{Kind: code.Member, Type: alias}
		}
	}
	in.assign(in.owner(alias), alias, v)
}

// load loads a module.
func (in *reader) load(name string) code.Value {
	in.met[name] = true
	if in.mayHaveWritten(name) {
		return in.unknown("import " + name + ", which the text may have written")
	}
	if !in.loaded[name] && (in.later || len(in.queue) > 0) {
		in.exposed[name] = in.line
	}
	if in.certain() {
		in.loaded[name] = true
	}
	switch in.origin(name) {
	case code.Local:
		in.report.Load(name, in.line)
		own := code.Value{{Kind: code.Project, Type: name}}
		if IsStandard(first(name)) {
			// Which of them it is depends on more than where it lies: what Python has
			// built in or has loaded before, a directory without __init__.py, -P.
			return code.Join(in.moduleValue(name), own)
		}
		return own
	case code.Strange:
		return in.unknown("import " + name + ", which may be anybody's")
	}
	return in.moduleValue(name)
}

// mayHaveWritten reports whether a module that is imported here first may be one that the
// text has written.
func (in *reader) mayHaveWritten(name string) bool {
	return !in.loaded[name] && in.wrote.mayBe(name, in.isLibrary)
}

// isLibrary reports whether a module is one of Python's own, and not a file of its name.
func (in *reader) isLibrary(name string) bool {
	return IsStandard(first(name)) && in.origin(first(name)) != code.Local
}

// overtaken asks about what is imported when another function may have run, at a time that
// nobody knows, and may have written it.
func (in *reader) overtaken() {
	order := func(a, b string) int { return cmp.Or(in.exposed[a]-in.exposed[b], strings.Compare(a, b)) }
	for _, module := range slices.SortedFunc(maps.Keys(in.exposed), order) {
		if in.laterWrote.mayBe(module, in.isLibrary) {
			in.line = in.exposed[module]
			in.unknown("import " + module + ", which the text may have written")
		}
	}
}

// certain reports whether the code at hand surely runs: what may fail, and what an
// exception or a return may leave out, does not.
func (in *reader) certain() bool {
	return in.maybe == 0 && !in.later && !slices.ContainsFunc(in.calls, func(c *call) bool { return len(c.exits.ways) > 0 })
}

// moduleValue is a module that stands not where the text looks first: facts know it,
// or it is installed for the project.
func (in *reader) moduleValue(name string) code.Value {
	for up := name; ; {
		switch e := in.find(up); {
		case e.Kind == code.Asked:
			return in.asked(e)
		case e.Kind == code.Module && up == name:
			return code.Value{{Kind: code.Member, Type: name}}
		case e.Kind == code.Module:
			return in.unknown("import " + name)
		}
		i := strings.LastIndexByte(up, '.')
		if i < 0 {
			break
		}
		up = up[:i]
	}
	if strings.HasPrefix(name, "_") || strings.HasSuffix(name, "__main__") || name == "builtins" || name == "__builtins__" {
		return in.unknown("import " + name)
	}
	if IsStandard(first(name)) && in.origin(first(name)) == code.Installed {
		return in.unknown("import " + name + " of Python's own library")
	}
	in.report.Load(name, in.line)
	return code.Value{{Kind: code.Project, Type: name}}
}

// origin tells whose a module is. Nothing changes on the disk while a text is read, but
// where it looks may.
func (in *reader) origin(name string) code.Origin {
	if in.text.Find == nil {
		return code.Installed
	}
	key := origin{name, len(in.paths)}
	found, known := in.origins[key]
	if !known {
		found = in.text.Find(name, in.paths)
		in.origins[key] = found
	}
	return found
}

// importFrom is from module import names.
func (in *reader) importFrom(s *python.ImportFrom) {
	if s.Level == 0 && s.Module == "__future__" {
		return
	}
	var module code.Value
	if s.Level > 0 {
		module = in.unknown("a relative import")
	} else {
		module = in.load(s.Module)
	}
	own := slices.ContainsFunc(module, func(s code.Shape) bool { return s.Kind == code.Project })
	for _, a := range s.Names {
		if own && (a.Name == "*" && in.wrote.news > 0 || in.mayHaveWritten(s.Module+"."+a.Name)) {
			in.unknown("from " + s.Module + " import " + a.Name + ", which the text may have written") // a module below it
		} else if own && in.origin(s.Module+"."+a.Name) == code.Strange {
			in.unknown("from " + s.Module + " import " + a.Name + ", which may be anybody's")
		}
		if a.Name == "*" {
			in.star(module, s.Module)
			continue
		}
		alias := a.AsName
		if alias == "" {
			alias = a.Name
		}
		in.assign(in.owner(alias), alias, in.imported(module, s.Module, a.Name))
	}
}

// imported is a name of a module.
func (in *reader) imported(module code.Value, name, member string) code.Value {
	if len(module) == 1 && module[0].Kind == code.Member {
		if e := in.find(name + "." + member); e.Kind == code.Module {
			return code.Value{{Kind: code.Member, Type: e.Name}}
		}
	}
	if member == "load" { // query may be any function
		in.handsOn(member, module)
	}
	return in.attribute(module, member)
}

// star is from module import *. Of a module of the project any name may come from
// it, whatever else is called so.
func (in *reader) star(module code.Value, name string) {
	if len(module) != 1 || module[0].Kind != code.Project || in.scope != in.module {
		in.unknown("from " + name + " import *")
		return
	}
	in.starred = true
}
