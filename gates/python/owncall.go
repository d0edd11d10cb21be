package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
)

// This file tells where what calls give comes from, and what functions are called with.

// call is what a call gives.
func (o *origins) call(c *python.Call) source {
	if o.isNumber(c, 0) {
		return given
	}
	parts := make([]source, 0, len(c.Args)+len(c.Keywords)+1)
	for _, a := range c.Args {
		parts = append(parts, o.from(a))
	}
	for _, k := range c.Keywords {
		parts = append(parts, o.from(k.Value))
	}
	if full, ok := o.s.dotted(c.Func); ok && !o.s.functions[full] {
		return o.imported(full, c, parts)
	}
	switch f := c.Func.(type) {
	case *python.Name:
		switch {
		case o.s.classes[f.ID]:
			return together(given, append(parts, given)...) | o.specials()
		case o.s.functions[f.ID]:
			return o.name(f.ID + "()")
		}
	case *python.Attribute:
		var out source
		if o.s.methods[f.Attr] {
			out = o.name(f.Attr + "()")
		}
		if o.s.in.readsMethod(f.Attr) {
			return out | outside
		}
		by := o.by(f.Attr, c)
		if isApart(c) || f.Attr == "format" && isPlainFields(f.Value) && !slices.ContainsFunc(c.Args, func(e python.Expr) bool { return !o.isNumber(e, 0) }) {
			by = given
		}
		if by == given && cutsLetters(f.Attr, c.Args) || by == given && (f.Attr == "encode" || f.Attr == "decode") && len(parts) > 0 && !isPlainCodec(c) || f.Attr == "format" && !isPlainFields(f.Value) {
			by = made
		}
		o.putting[c] = by == joined
		return out | together(by, append(parts, o.from(f.Value))...)
	}
	return together(made, append(parts, o.from(c.Func))...)
}

// cutsLetters reports whether a method cuts a text at signs that may stand in a name.
func cutsLetters(method string, args []python.Expr) bool {
	switch method {
	case "strip", "lstrip", "rstrip", "split", "rsplit", "partition", "rpartition":
	default:
		return false
	}
	if len(args) == 0 {
		return false
	}
	c, is := args[0].(*python.Constant)
	return !is || c.Text != "/" && len(code.Words(c.Text)) > 0 || strings.ContainsAny(c.Text, "._-~")
}

// isPlainCodec reports whether a call names nothing but an encoding in which the signs of
// names are themselves.
func isPlainCodec(c *python.Call) bool {
	if len(c.Args) != 1 || len(c.Keywords) > 0 { // what can't be decoded may be left out
		return false
	}
	name, is := c.Args[0].(*python.Constant)
	if !is || name.Kind != python.Str {
		return false
	}
	switch strings.ToLower(strings.ReplaceAll(name.Text, "_", "-")) {
	case "utf-8", "utf8", "ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "cp1252":
		return true
	}
	return false
}

// isPlainFields reports whether a format has no fields but {}, and {:03d} for numbers.
func isPlainFields(e python.Expr) bool {
	c, is := e.(*python.Constant)
	if !is || c.Kind != python.Str {
		return false
	}
	for _, field := range strings.Split(c.Text, "{")[1:] {
		field, _, _ = strings.Cut(field, "}")
		name, spec, _ := strings.Cut(field, ":")
		if strings.Trim(name, "0123456789") != "" || strings.Trim(spec, decimal) != "" {
			return false
		}
	}
	return true
}

// isMemory reports whether an expression names a database that lies in no file.
func isMemory(e python.Expr) bool {
	c, is := e.(*python.Constant)
	return is && c.Text == ":memory:"
}

// specials is what objects of the text's classes give where the language asks them.
func (o *origins) specials() (out source) {
	for _, name := range o.special {
		out |= o.name(name + "()")
	}
	return out
}

// imported is what a function gives that is imported, or a builtin.
func (o *origins) imported(full string, c *python.Call, parts []source) source {
	e := o.s.in.find(full)
	name := full[strings.LastIndexByte(full, '.')+1:]
	switch {
	case full == "sqlite3.connect" && len(c.Args) > 0 && isMemory(c.Args[0]):
		return given
	case o.builtin && len(parts) == 2 && (name == "getenv" || name == "get" || name == "getattr"):
		return parts[1] // where there is nothing else
	case e.Kind == code.Nothing && o.s.ofProject(full), e.Kind == code.Asked, reachesOut(full), o.s.in.reads(e):
		return outside
	case o.builtin && isForeign(full):
		return outside
	case name == "now", name == "today", name == "utcnow", name == "home", name == "cwd":
		return outside
	case len(parts) == 0, givesNumbers(e):
		return given // of nothing nothing comes, and of numbers no name
	}
	by := o.by(name, c)
	if isTime(onlyType(e)) || full == "json.dumps" {
		by = given // of which a name would have to be made
	}
	if o.telling && strings.Contains(onlyType(e), ".") {
		by = given // an object holds it: what is asked of that makes something of it
	}
	if (full == "json.loads" || full == "yaml.safe_load") && len(c.Args) == 1 {
		if text, is := c.Args[0].(*python.Constant); is && !strings.Contains(text.Text, "\\") {
			by = given // of which each text stands in that
		}
	}
	switch inPath := strings.HasSuffix(full, "path."+name); {
	case name == "join" && inPath, (name == "Path" || name == "PurePath") && len(parts) > 1:
		by = joined
	case (name == "split" || name == "encode" || name == "decode") && !inPath:
		by = made
	}
	o.putting[c] = by == joined
	return together(by, parts...)
}

// isForeign reports whether a function is a package's.
func isForeign(full string) bool {
	module, _, of := strings.Cut(full, ".")
	return of && !IsStandard(module)
}

// taken is where what a parameter stands for comes from.
func (o *origins) taken(p *taken) (out source) {
	if p.Expr != nil {
		out = o.from(p.Expr)
	}
	if p.self && p.at == 0 && !p.rest {
		return given // the object
	}
	function := p.function
	if p.lambda != nil {
		if c := o.handed[p.lambda]; c != nil {
			return out | o.handsOver(c, func(e python.Expr) bool { return e == p.lambda })
		}
		if c := o.standing[p.lambda]; c != nil {
			return out | o.passed(p, c, false)
		}
		if function = o.s.lambdas[p.lambda]; function == "" { // it stands in something
			if len(o.loose) == 0 {
				return out | outside
			}
			for _, c := range o.loose {
				out |= o.passed(p, c, false)
			}
			return out
		}
	}
	on, isAttribute := o.s.handlers[function]
	function = strings.TrimPrefix(function, ".")
	called := false
	callers := o.calls[function]
	for _, alias := range o.aliases[function] {
		callers = append(callers[:len(callers):len(callers)], o.calls[alias]...)
	}
	if function == "__init__" {
		callers = append(callers[:len(callers):len(callers)], o.makes...)
	}
	for _, c := range callers {
		called = true
		out |= o.passed(p, c, p.self)
	}
	if isAttribute && !called { // who calls it is what has it
		out |= together(made, o.from(on)&^mixed)
	}
	for _, c := range o.tells[function] {
		out |= o.handsOver(c, func(e python.Expr) bool { return functionName(e) == function })
	}
	return out
}

// passed is what a call passes for a parameter.
func (o *origins) passed(p *taken, c *python.Call, self bool) (out source) {
	at := p.at
	if self {
		at--
	}
	for i, a := range c.Args {
		if _, star := a.(*python.Starred); star || i == at || p.rest && i >= at {
			out |= o.from(a) &^ mixed
		}
	}
	for _, k := range c.Keywords {
		if k.Name == "" || k.Name == p.name || p.rest {
			out |= o.from(k.Value) &^ mixed
		}
	}
	return out
}

// handsOver is what a call may pass to a function that it is handed.
func (o *origins) handsOver(c *python.Call, isFunction func(python.Expr) bool) (out source) {
	if o.telling && o.s.given(c.Func, 0) {
		return outside // it was told all this before
	}
	for _, a := range c.Args {
		if !isFunction(a) {
			out |= o.from(a) &^ mixed
		}
	}
	for _, k := range c.Keywords {
		if !isFunction(k.Value) {
			out |= o.from(k.Value) &^ mixed
		}
	}
	full, ok := o.s.dotted(c.Func)
	if a, is := c.Func.(*python.Attribute); is && !ok {
		return out | o.from(a.Value)&^mixed
	}
	if module, _, of := strings.Cut(full, "."); ok && of && module != "threading" && module != "asyncio" && module != "concurrent" && full != "functools.partial" && out&own != 0 {
		out = out&^own | made // of what it is given it calls it with other things
	}
	return out
}

// by is as what a function or a method of some name gives what it is given.
func (o *origins) by(name string, c *python.Call) source {
	switch {
	case name == "joinpath", name == "format":
		return joined
	case !keeps(name):
		return made
	case takesApart(name) && slices.ContainsFunc(c.Args, func(e python.Expr) bool { return !o.isList(e, 0) && !o.isSigns(e) }):
		return made // of a text the signs of it
	}
	return given
}

// isSigns notes the signs of a text that stands there, of which names may be put together.
func (o *origins) isSigns(e python.Expr) bool {
	c, is := e.(*python.Constant)
	if is && c.Kind == python.Str {
		o.item(c)
	}
	return is
}

// takesApart reports whether what a function gives are the items of what it is given.
func takesApart(name string) bool {
	switch name {
	case "list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "next", "enumerate", "zip", "min", "max", "filter", "choice", "choices", "sample", "chain", "islice", "cycle", "deque", "sum", "Counter", "product", "permutations", "combinations", "zip_longest", "pairwise":
		return true
	}
	return false
}

// keeps reports whether what a function or a method of some name gives is what it was given,
// or parts of that which are cut at signs that stand in no name: the text's constants tell
// of it what it may be.
func keeps(name string) bool {
	switch name {
	case "str", "list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "iter", "next", "enumerate", "zip", "min", "max", "filter",
		"product", "permutations", "combinations", "zip_longest", "pairwise", "copy", "deepcopy", "SimpleNamespace", "choice", "choices", "sample", "chain", "islice", "cycle", "deque", "sum", "OrderedDict", "Counter", "reader", "DictReader", "StringIO", "BytesIO",
		"fspath", "Path", "PurePath", "PosixPath", "PurePosixPath", "normpath", "abspath", "realpath", "expanduser", "basename", "dirname", "splitext",
		"as_posix", "resolve", "absolute", "with_suffix", "dedent",
		"most_common", "lower", "upper", "title", "capitalize", "casefold", "strip", "lstrip", "rstrip", "split", "rsplit", "splitlines", "partition", "rpartition", "encode", "decode",
		"items", "keys", "values", "get", "pop", "popleft", "popitem", "setdefault", "getvalue", "read", "readline", "readlines", "parse_args", "parse_known_args":
		return true
	}
	return false
}

// reads reports whether a function looks at more than what it is given.
func (in *reader) reads(e *code.Entry) bool {
	return slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
		return slices.ContainsFunc(sig.Params, func(p code.Param) bool {
			return slices.ContainsFunc(p.Kinds, func(k code.Kind) bool {
				return k.Own == code.Variable || k.Own == code.NotOwn && k.Kind != match.Data && k.Kind != match.Flag
			})
		})
	})
}

// readsMethod reports whether a method of some name looks at more than that, of whatever.
func (in *reader) readsMethod(name string) (reads bool) {
	if slices.ContainsFunc(plainTypes[:], func(t string) bool { return in.find(t+"."+name).Kind != code.Nothing }) {
		return false
	}
	in.text.Facts.Owners(language, name, func(owner string) bool {
		e := in.find(owner + "." + name)
		reads = e.Methods && slices.ContainsFunc(e.Calls, func(sig code.Signature) bool {
			return slices.ContainsFunc(sig.Params, func(p code.Param) bool {
				return p.Name == "self" && slices.ContainsFunc(p.Kinds, func(k code.Kind) bool {
					return k.Own == code.NotOwn && k.Kind != match.Data
				})
			})
		})
		return !reads
	})
	return reads
}

// reachesOut reports whether what a module's functions give, or its constants are, depends on
// more than what they are given.
func reachesOut(full string) bool {
	module, _, _ := strings.Cut(full, ".")
	switch module {
	case "os":
		return full != "os.fspath" && full != "os.fsencode" && full != "os.fsdecode" && !strings.HasPrefix(full, "os.path.")
	case "asyncio", "concurrent", "contextlib", "gc", "getpass", "glob", "grp", "importlib", "inspect", "locale", "logging", "multiprocessing", "pkgutil", "platform", "pwd",
		"requests", "resource", "secrets", "shutil", "signal", "site", "socket", "sqlite3", "subprocess", "sys", "sysconfig", "tempfile", "threading", "time", "traceback",
		"tracemalloc", "unittest", "urllib", "uuid", "warnings", "weakref", "zoneinfo":
		return !strings.HasPrefix(full, "urllib.parse.")
	case "input", "open", "id", "hash", "dir":
		return true
	}
	return false
}
