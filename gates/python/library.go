package python

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// This file holds functions of the standard library that do what a command does whose
// words are not the call's: facts can't say that.

// findSpec is importlib.util.find_spec. What stands before the last dot of a name is
// imported by it. Of several names that a loop gives it none may have a dot.
func (in *reader) findSpec(args arguments) code.Value {
	if len(args.positional) != 1 || len(args.named) > 0 || args.open {
		return in.unknown("find_spec() with such arguments")
	}
	for _, w := range in.strictly(&args).positional[0].Words("find_spec(...)") {
		name, ok := w.Const()
		if !ok || strings.HasPrefix(name, ".") {
			return in.unknown("find_spec() of a name that is not known")
		}
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			in.load(name[:i])
		}
	}
	return code.Value{{Type: "importlib.util.Spec"}, {Type: "none"}}
}

// reload is importlib.reload: code of the project runs once more, unless the text may have
// written it.
func (in *reader) reload(args arguments) code.Value {
	if len(args.positional) != 1 || len(args.named) > 0 || args.open {
		return in.unknown("reload() with such arguments")
	}
	if slices.ContainsFunc(args.positional[0], func(s code.Shape) bool { return s.Kind != code.Project }) {
		return in.unknown("reload() of a module of Python's own library")
	}
	if in.told.news > 0 {
		return in.unknown("reload() of what the text may have written")
	}
	in.loosen(project[0])
	return args.positional[0]
}

// getMembers is inspect.getmembers of code of the project, for its classes and functions.
// What it finds may be of anybody, by any name: it is looked at, and not called.
func (in *reader) getMembers(args arguments) code.Value {
	known := len(args.positional) == 2 && len(args.named) == 0 && !args.open
	if known {
		kind := args.positional[1]
		known = len(kind) == 1 && kind[0].Kind == code.Member && (kind[0].Type == "inspect.isclass" || kind[0].Type == "inspect.isfunction") &&
			!slices.ContainsFunc(args.positional[0], func(s code.Shape) bool { return s.Kind != code.Project })
	}
	if !known || in.strictly(&args).open {
		return in.unknown("inspect.getmembers() of what is not the project's, or of all that it has")
	}
	pair := in.container("tuple", site{args.at, 0, "pair"}, nil, []code.Value{code.Of("str"), code.Of("type")}, true)
	return in.list("list", args.at, pair)
}

// compiled are the functions that compile files, as the modules of their names do, and
// leave the outcome beside them.
func (in *reader) compiled(name string, args arguments) code.Value {
	if len(args.positional) != 1 || args.open {
		return in.unknown(name + "() with such arguments")
	}
	for _, n := range args.named {
		switch n.name {
		case "doraise", "quiet", "force", "maxlevels":
		default:
			return in.unknown(name + "() with such arguments")
		}
	}
	module, _, _ := strings.Cut(name, ".")
	for _, w := range in.strictly(&args).positional[0].Words(name + "(...)") {
		compiles := []policy.Word{policy.Const("python3"), policy.Const("-m"), policy.Const(module), policy.Const("--"), asGlob(w)}
		if dir, found := foundIn(&w); found {
			in.emit(code.Effect{Use: match.Use{Kind: match.Read, Word: w}, Line: in.line})
			compiles[2], compiles[4] = policy.Const("compileall"), policy.Const(dir)
		}
		in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: compiles}, Line: in.line})
		if w.Prefix() == "" && !w.IsConst() {
			in.emit(code.Effect{Use: match.Use{Kind: match.Write, Word: w}, Line: in.line}) // beside anything
		}
	}
	return code.Plain()
}

// temporary are the functions that make a file or directory with a name that nobody
// has chosen, and gettempdir, which makes one to see whether it can. What stands before and behind that name may not lead
// elsewhere.
func (in *reader) temporary(name string, args arguments) code.Value {
	mode := name == "tempfile.NamedTemporaryFile" // stands first
	if len(args.positional) > 1 || len(args.positional) == 1 && !mode || args.open {
		return in.unknown(name + "() with such arguments")
	}
	if in.sight.environ {
		return in.unknown(name + "() where the environment may be another one")
	}
	strict := in.strictly(&args)
	for _, n := range strict.named {
		switch n.name {
		case "prefix", "suffix":
			text, ok := n.value.Const("str")
			if plain, _ := path.Match("*", text); !ok || !plain {
				return in.unknown(name + "() with a name that may lead elsewhere")
			}
		case "mode", "encoding", "newline", "text", "delete", "ignore_cleanup_errors":
		default:
			return in.unknown(name + "() with such arguments")
		}
	}
	made := code.Concat(policy.Const("/tmp/"), policy.Unknown(name))
	in.use(match.Write, "", code.Value{{Type: "str", Word: &made}}, name, nil)
	switch name {
	case "tempfile.mkdtemp", "tempfile.gettempdir":
		return code.Of("str")
	case "tempfile.TemporaryDirectory":
		return code.Of("tempfile.Directory")
	case "tempfile.mkstemp":
		return in.container("tuple", args.at, nil, []code.Value{code.Of("int"), code.Of("str")}, true)
	}
	return code.Of("file")
}

// processor notes the program that platform asks about the processor.
func (in *reader) processor() {
	in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("uname"), policy.Const("-p")}}, Line: in.line})
}

// database is sqlite3.connect. What begins with file: may be an address, which says more
// than where a file is.
func (in *reader) database(args arguments) (code.Value, bool) {
	for v := range args.all() {
		for _, w := range v.Words("sqlite3.connect(...)") {
			if strings.HasPrefix(w.Prefix(), "file:") {
				return in.unknown("sqlite3.connect() of an address"), true
			}
		}
	}
	return nil, false
}

// queried are the methods that run SQL, which is judged as what the command sqlite3 is
// given.
func (in *reader) queried(name string, args arguments) code.Value {
	if len(args.positional) == 0 || len(args.positional) > 2 || len(args.named) > 0 || args.open {
		return in.unknown(name + "() with such arguments")
	}
	looks := strings.HasSuffix(name, ".execute") && args.call != nil && len(args.call.Args) == len(args.positional) && onlyLooks(args.call.Args[0])
	for _, w := range in.strictly(&args).positional[0].Words(name + "(...)") {
		sql, known := w.Const()
		if looks && !known {
			continue
		}
		if !known || opensMore(sql) {
			return in.unknown("SQL that is not known, or opens other files")
		}
		if !in.sight.inMemory() {
			in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("sqlite3"), policy.Const(":memory:"), w}}, Line: in.line})
		}
	}
	in.escape(args.positional[len(args.positional)-1])
	return code.Of("sqlite3.Cursor")
}

// onlyLooks reports whether an expression is one statement of SQL that changes nothing,
// whatever is put into it: execute runs one alone, and functions that do more than look
// have to be loaded first.
func onlyLooks(e python.Expr) bool {
	for {
		switch n := e.(type) {
		case *python.BinOp:
			if n.Op != python.Add && n.Op != python.Mod {
				return false
			}
			e = n.Left
			continue
		case *python.Call: // 'select {}'.format(x)
			a, is := n.Func.(*python.Attribute)
			if !is || a.Attr != "format" {
				return false
			}
			e = a.Value
			continue
		case *python.JoinedStr:
			if len(n.Values) == 0 {
				return false
			}
			e = n.Values[0]
			continue
		case *python.Constant:
			sql := strings.ToLower(strings.TrimLeft(n.Text, " \n\t"))
			return n.Kind == python.Str && looksOnly(sql)
		}
		return false
	}
}

// looksOnly reports whether a text in small letters begins as statements of SQL do that
// only look.
func looksOnly(sql string) bool {
	for _, start := range [...]string{
		"select ", "select\n", "explain query plan select ",
		"pragma table_info(", "pragma table_xinfo(", "pragma index_list(", "pragma index_info(", "pragma foreign_key_list(",
	} {
		if strings.HasPrefix(sql, start) {
			return true
		}
	}
	return false
}

// inMemory reports whether all databases that the text opens are gone when it ends.
func (s *sight) inMemory() bool {
	return !s.foreign && !slices.Contains(s.texts, "connect") && !slices.ContainsFunc(s.calls, func(c *python.Call) bool {
		full, _ := s.dotted(c.Func)
		a, is := c.Func.(*python.Attribute)
		if full != "sqlite3.connect" && !(is && a.Attr == "connect") {
			return false
		}
		if full != "sqlite3.connect" || len(c.Args) == 0 {
			return true
		}
		file, is := c.Args[0].(*python.Constant)
		return !is || file.Text != ":memory:"
	})
}

// opensMore reports whether SQL has a word that opens other files than the database.
func opensMore(sql string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(sql), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }), func(word string) bool {
		return word == "attach" || word == "virtual" || word == "vacuum" || word == "load_extension"
	})
}
