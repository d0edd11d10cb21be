package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
)

// special is what calls of a few functions mean that look at the text itself.
func (in *reader) special(name string, args arguments) (code.Value, bool) {
	switch name {
	case "getattr", "hasattr":
		if len(args.positional) < 2 || args.open {
			return nil, false
		}
		attr, ok := in.sureText(&args, 1)
		if !ok || len(attr) > 1 && attr[:2] == "__" && !harmlessDunder(attr) {
			return nil, false
		}
		if name == "hasattr" && !mayRun(args.positional[0]) {
			return code.Of("bool"), true
		}
		in.handsOn(attr, args.positional[0])
		v := in.attribute(args.positional[0], attr)
		if len(args.positional) > 2 {
			v = code.Join(v, args.positional[2])
		}
		return v, true
	case "setattr":
		if len(args.positional) == 3 && !args.open {
			if attr, ok := in.sureText(&args, 1); ok {
				in.setAttribute(args.positional[0], attr, args.positional[2])
				return code.Of("none"), true
			}
		}
	case "importlib.import_module":
		if name, ok := in.sureText(&args, 0); ok && len(args.positional) == 1 && len(args.named) == 0 && !strings.HasPrefix(name, ".") {
			// What has effects is called by its own name alone, or nobody takes it.
			if args.call != nil && in.sight.dropped[args.call.Index] || in.find(first(name)).Kind == code.Nothing {
				return in.load(name), true
			}
		}
		return in.unknown("import_module() of a name that is not known"), true
	case "unittest.mock.patch":
		return in.patch(args), true
	case "inspect.getmembers":
		return in.getMembers(args), true
	case "compile":
		if args.call == nil || !in.sight.dropped[args.call.Index] {
			return in.unknown("compiled code that somebody has"), true
		}
	case "importlib.reload":
		return in.reload(args), true
	case "platform.platform", "platform.processor", "platform.uname":
		in.processor()
	case "importlib.util.find_spec":
		return in.findSpec(args), true
	case "py_compile.compile", "compileall.compile_file", "compileall.compile_dir":
		return in.compiled(name, args), true
	case "tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory", "tempfile.gettempdir":
		return in.temporary(name, args), true
	case "os.chdir":
		if len(args.positional) == 1 && !args.open {
			in.goes(args.positional[0], args.call)
			return code.Of("none"), true
		}
		return in.unknown("os.chdir()"), true
	case "os.getcwd", "pathlib.Path.cwd":
		if in.text.Dir != "" && len(in.moved) == 0 {
			return code.Const(kindOf(name), in.text.Dir), true
		}
	case "pathlib.Path.home":
		if in.text.Home != "" {
			return code.Const("pathlib.Path", in.text.Home), true
		}
	case "sys._Path.insert", "sys._Path.append", "sys._Path.extend":
		if args.open || len(args.named) > 0 {
			return in.unknown(name + "() of what is not known"), true
		}
	case "collections.namedtuple":
		return in.namedTuple(args)
	case "sqlite3.connect":
		return in.database(args)
	case "sqlite3.Connection.execute", "sqlite3.Connection.executemany", "sqlite3.Connection.executescript",
		"sqlite3.Cursor.execute", "sqlite3.Cursor.executemany", "sqlite3.Cursor.executescript":
		return in.queried(name, args), true
	case "super":
		if len(args.positional) == 0 && len(args.named) == 0 && !args.open {
			return in.super(), true
		}
		return in.unknown("super() with arguments"), true
	case "exit", "quit", "sys.exit", "os._exit", "os.abort":
		for a := range args.all() {
			in.escape(a)
		}
		in.dead = true
		return nil, true
	case "type":
		if len(args.positional) == 1 && len(args.named) == 0 && !args.open {
			return in.typeOf(args.positional[0]), true
		}
	}
	return nil, false
}

// sureText is an argument by position that is one text, whatever runs when.
func (in *reader) sureText(args *arguments, i int) (string, bool) {
	if i >= len(args.positional) || args.open {
		return "", false
	}
	strict := in.strictly(args)
	return strict.positional[i].Const("str")
}

func kindOf(name string) string {
	if strings.HasPrefix(name, "pathlib.") {
		return "pathlib.Path"
	}
	return "str"
}

// emit notes an effect, in each directory in which it may happen.
func (in *reader) emit(e code.Effect) {
	creates := e.Kind != match.Read && e.Kind != match.Path && e.Kind != match.Arg && e.Kind != match.Delete
	e.Word = in.whereFound(e.Word, creates)
	e.Words = slices.Clone(e.Words)
	for i, w := range e.Words {
		e.Words[i] = in.whereFound(w, creates)
	}
	c := in.changes(&e)
	in.wrote.add(c)
	if in.told.add(c) {
		in.grown++ // what is imported in the next turn of a loop may be that
	}
	if in.later {
		in.laterWrote.add(c)
	}
	for _, e := range in.wherever(e) {
		in.report.Use(e)
	}
}

// home is a path whose first element stands for the home directory of whoever runs
// the text.
func (in *reader) home(path string) string {
	if in.text.Home != "" && (path == "~" || strings.HasPrefix(path, "~/")) {
		return in.text.Home + path[1:]
	}
	return path
}

// mayRun reports whether looking for an attribute may run code.
func mayRun(v code.Value) bool {
	for _, s := range v {
		if s.Kind == code.Defined || s.Kind == code.Unknown {
			return true
		}
	}
	return false
}

// typeOf is type(v).
func (in *reader) typeOf(v code.Value) (out code.Value) {
	for i := range v {
		if own, is := v[i].Own.(*instance); is {
			out = code.Join(out, code.Value{{Kind: code.Defined, Own: own.class}})
		} else if v[i].Kind == code.Project || v[i].Kind == code.Unknown {
			out = code.Join(out, code.Value{v[i]})
		} else {
			out = code.Join(out, code.Of("type"))
		}
	}
	return out
}

// enter is what with gives for a context.
func (in *reader) enter(v code.Value) code.Value {
	var out code.Union
	for i := range v {
		s := &v[i]
		switch {
		case s.Kind == code.Project, s.Kind == code.Unknown:
			out.Add(code.Value{*s})
		case s.Kind == code.Defined:
			out.Add(in.callDunder(s, "__enter__"))
		case s.Kind == code.Member:
			out.Add(in.unknown("with " + s.Type))
		case s.Type == "none":
		case s.Box != nil && in.typeEntry(s.Type, "__enter__").Kind == code.Nothing:
			out.Add(s.Box.Any) // of a generator that contextlib made a context
		default:
			if e := in.typeEntry(s.Type, "__enter__"); e.Kind == code.Constant || e.Kind == code.Function {
				out.Add(in.dunder(s, "__enter__", nil))
			} else if s.Type == "plain" {
				out.Add(in.looseDunder("__enter__", nil))
			} else {
				out.Add(in.unknown("with " + s.Type))
			}
		}
	}
	return out.Value()
}

// raised follows raise: a class is called.
func (in *reader) raised(v code.Value) {
	for i := range v {
		if v[i].Kind == code.Defined {
			in.escape(code.Value{v[i]})
		}
		if s := &v[i]; s.Kind == code.Member || s.Kind == code.Defined {
			if _, is := s.Own.(*instance); !is {
				in.callShape(s, arguments{at: s.Type})
			}
		}
	}
}

// caught is what a handler of some class of exceptions finds.
func (in *reader) caught(v code.Value) (out code.Value) {
	if in.depth++; in.depth > 20*maxDepth {
		in.depth--
		return in.unknown("what is caught")
	}
	defer func() { in.depth-- }()
	for i := range v {
		switch s := &v[i]; s.Kind {
		case code.Member:
			out = code.Join(out, code.Of(s.Type))
		case code.Defined:
			if c, is := s.Own.(*class); is {
				out = code.Join(out, in.anyOf(c))
			}
		case code.Object:
			out = code.Join(out, in.caught(in.items(code.Value{*s})))
		default:
			out = code.Join(out, code.Value{*s})
		}
	}
	return out
}
