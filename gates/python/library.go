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

// compiled are the functions that compile a file, and leave the outcome beside it.
func (in *reader) compiled(name string, args arguments) code.Value {
	if len(args.positional) != 1 || args.open {
		return in.unknown(name + "() with such arguments")
	}
	for _, n := range args.named {
		if n.name != "doraise" && n.name != "quiet" && n.name != "force" {
			return in.unknown(name + "() with such arguments")
		}
	}
	for _, w := range in.strictly(&args).positional[0].Words(name + "(...)") {
		file, ok := w.Const()
		if !ok {
			return in.unknown(name + "() of a place that is not known")
		}
		in.use(match.Read, "", code.Const("str", file), name, nil)
		in.use(match.Write, "", code.Const("str", path.Join(path.Dir(file), "__pycache__")), name, nil)
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
	for _, w := range in.strictly(&args).positional[0].Words(name + "(...)") {
		if sql, known := w.Const(); !known || opensMore(sql) {
			return in.unknown("SQL that is not known, or opens other files")
		}
		if !in.sight.inMemory() {
			in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: []policy.Word{policy.Const("sqlite3"), policy.Const(":memory:"), w}}, Line: in.line})
		}
	}
	in.escape(args.positional[len(args.positional)-1])
	return code.Of("sqlite3.Cursor")
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
