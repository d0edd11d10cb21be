package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// Packages run what they are told in more ways than facts can say by a name alone: what
// matters is with which words they are called.

// tellsPackage asks about a call of code of the project, or of a package, that runs a text
// of the line or what a file of pickled objects says.
func (in *reader) tellsPackage(s *code.Shape, args arguments) {
	method := calledMethod(args.call)
	full := ""
	if args.call != nil {
		full, _ = in.sight.dotted(args.call.Func)
	}
	switch pack, given := first(s.Type), args.positional; {
	case pack == "torch" && method == "load" && !slices.ContainsFunc(args.named, func(n named) bool { return n.name == "weights_only" && isConst(n.value, "True") }):
		in.pickled()
	case pack == "numpy" && (args.open || len(given) > 2 && !isConst(given[2], "False")) && (method == "load" || full == "numpy.load"): // allow_pickle by its place
		in.pickled()
	case pack == "django" && (method == "call_command" || full == "django.core.management.call_command"):
		in.callsCommand(args)
	}
	if method != "query" {
		return
	}
	texts := args.positional
	for _, n := range args.named {
		if n.name == "expr" {
			texts = append(texts[:len(texts):len(texts)], n.value)
		}
	}
	if len(texts) > 1 {
		texts = texts[:1]
	}
	for _, v := range append(texts[:len(texts):len(texts)], args.more, args.others) {
		for _, one := range v {
			text, known := code.Value{one}.Const("str")
			if one.Kind == code.Object && (one.Type == "plain" || one.Type == "str" && (!known || runs(text))) {
				in.evaluated()
			}
		}
	}
}

func isConst(v code.Value, text string) bool {
	is, known := v.Const("bool")
	return known && is == text
}

// pickled asks about objects that are read, and run what their file says.
func (in *reader) pickled() {
	in.report.Question(code.Ask{ID: "code.asked", Reason: "Runs what a file of pickled objects says", Effects: policy.Executes, Reach: policy.ReachNetwork}, in.line)
}

// evaluated asks about a text that a package runs.
func (in *reader) evaluated() {
	in.report.Question(code.Ask{ID: "code.asked", Reason: "Has a package run a text that does more than compare", Effects: policy.Executes, Reach: policy.ReachNetwork}, in.line)
}

// calledMethod is the method's name that a call names; "" for another call.
func calledMethod(e *python.Call) string {
	if e == nil {
		return ""
	}
	a, is := e.Func.(*python.Attribute)
	for is && a.Attr == "__call__" {
		a, is = a.Value.(*python.Attribute)
	}
	if !is {
		return ""
	}
	return a.Attr
}

// allowsPickles asks about a call, of whatever, that tells somebody to read pickled objects,
// or to run code that comes with what it loads.
func (in *reader) allowsPickles(args arguments) {
	for _, n := range args.named {
		switch n.name {
		case "allow_pickle", "trust_remote_code", "allow_dangerous_deserialization", "allow_dangerous_code":
			if !isConst(n.value, "False") {
				in.pickled()
			}
		case "safe_mode":
			if !isConst(n.value, "True") {
				in.pickled()
			}
		case "typ":
			if text, known := n.value.Const("str"); !known || text == "unsafe" {
				in.pickled()
			}
		}
	}
}

// callsCommand notes a command of Django's as the command that it is. One that is an object
// is code of the text's or the project's. Of what stands behind the name, migrate alone
// minds a word that is not known.
func (in *reader) callsCommand(args arguments) {
	given := in.strictly(&args).positional
	if args.open {
		given = append(given, code.Of("str"))
	}
	words := []policy.Word{policy.Const("django.core.management")}
	for i, v := range given {
		if i == 0 && len(args.positional) > 0 && !slices.ContainsFunc(args.positional[0], func(s code.Shape) bool { return s.Kind == code.Object }) {
			return
		}
		w := policy.Unknown("call_command(...)")
		if text, known := v.Const("str"); known {
			w = policy.Const(text)
		} else if name, known := words[min(1, i)].Const(); i > 0 && known && name != "migrate" {
			continue
		}
		words = append(words, w)
	}
	in.emit(code.Effect{Use: match.Use{Kind: match.Command, Words: words}, Line: in.line})
}

// runsTold asks about a text that code of others is told, and that may be run or resolved
// there: it names what leads to all of Python, or a function with an effect.
func (s *sight) runsTold(text string, line int) {
	in := s.in
	reason := ""
	switch {
	case leadsOn(text), s.gets["sympy"] && (runs(text) || callsBuiltin(text)):
		reason = "Hands a package a text that may be run there"
	case in.resolves(text):
		reason = "Hands a package the name of a function that does more than look: " + text
	default:
		return
	}
	in.report.Question(code.Ask{ID: "code.asked", Reason: reason, Effects: policy.Executes, Reach: policy.ReachNetwork}, line)
}

// leadsOn reports whether a text holds one of the special names that lead from any object
// to all of Python: __class__, __globals__, __import__.
func leadsOn(text string) bool {
	for _, escaped := range [...]string{`\x5f`, `\137`, `\u005f`} {
		if strings.Contains(text, escaped) {
			return true
		}
	}
	isPart := func(b byte) bool {
		return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "__")
		if i < 0 {
			return false
		}
		start := at + i
		end := start
		for end < len(text) && isPart(text[end]) {
			end++
		}
		at = end
		name := text[start:end]
		if start > 0 && isPart(text[start-1]) {
			continue
		}
		switch name {
		case "__import__", "__builtins__", "__builtin__", "__globals__", "__class__", "__bases__", "__base__", "__mro__", "__subclasses__", "__getattribute__", "__getattr__", "__dict__", "__code__", "__closure__",
			"__self__", "__func__", "__loader__", "__spec__", "__reduce__", "__reduce_ex__", "__new__", "__wrapped__", "__call__", "__traceback__", "__subclasshook__", "__init_subclass__", "__setattr__", "__defaults__":
			return true
		case "__init__":
			if strings.HasPrefix(text[end:], ".") && !strings.HasPrefix(text[end:], ".py") {
				return true
			}
		}
	}
}

// callsBuiltin reports whether a text calls a function of Python's own that does more than
// compute.
func callsBuiltin(text string) bool {
	for _, name := range [...]string{"open", "eval", "exec", "compile", "input", "breakpoint", "getattr", "setattr", "delattr", "globals", "locals", "vars", "exit", "quit", "help"} {
		for rest := text; ; {
			before, behind, found := strings.Cut(rest, name)
			if !found {
				break
			}
			if rest = behind; strings.HasPrefix(strings.TrimLeft(behind, " \t\r\n"), "(") && !strings.ContainsAny(before[max(0, len(before)-1):], "abcdefghijklmnopqrstuvwxyz_") {
				return true
			}
		}
	}
	return false
}

// resolves reports whether a text is the name of a function of Python's library that does
// more than look, as packages resolve it: os:system, os.remove.
func (in *reader) resolves(text string) bool {
	full := strings.Replace(text, ":", ".", 1)
	_, last, dotted := cutLast(full)
	if !dotted || !isDottedName(full) || !IsStandard(first(full)) {
		return false
	}
	e := in.find(full)
	switch {
	case e.Kind == code.Nothing: // a module that facts do not look into, or nothing
		e = in.find(first(full))
		return e.Kind == code.Asked && (text != full || len(last) > 4 && !isEnding(last))
	case e.Kind == code.Module:
		return false
	}
	return in.effects(full)
}

func cutLast(full string) (before, last string, found bool) {
	i := strings.LastIndexByte(full, '.')
	if i < 0 {
		return full, "", false
	}
	return full[:i], full[i+1:], true
}

// isEnding reports whether a word of more than four letters is how names of files end.
func isEnding(word string) bool {
	switch word {
	case "json", "jsonl", "yaml", "html", "toml", "ipynb", "parquet", "pickle", "feather", "arrow", "sqlite":
		return true
	}
	return false
}

// isDottedName reports whether a text is names with dots between them.
func isDottedName(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
			return false
		}
	}
	return true
}

// handsOn asks about a method of the project's, or of a package's, that is told what it
// runs, where it is a value: nobody sees what it is called with.
func (in *reader) handsOn(method string, v code.Value) {
	switch {
	case method == "query" && slices.ContainsFunc(v, isProject):
		in.evaluated()
	case method == "load" && slices.ContainsFunc(v, isTorch):
		in.pickled()
	}
}

func isProject(s code.Shape) bool { return s.Kind == code.Project }
func isTorch(s code.Shape) bool   { return isProject(s) && first(s.Type) == "torch" }

// isValue reports whether an attribute is neither called nor the start of a longer one.
func (s *sight) isValue(e *python.Attribute) bool { return slices.Contains(s.values, python.Expr(e)) }

// runs reports whether an expression of pandas may do more than compare columns: it names
// variables of Python, or calls a method.
func runs(text string) bool {
	if strings.Contains(text, "@") || strings.Contains(text, "__") {
		return true
	}
	for rest := text; ; {
		_, behind, found := strings.Cut(rest, ".")
		if !found {
			return false
		}
		rest = behind
		name := strings.TrimLeft(behind, " \t\r\n\\")
		end := strings.TrimLeftFunc(name, func(r rune) bool {
			return r == '_' || r > 0x7f || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		})
		if len(end) < len(name) && strings.HasPrefix(strings.TrimLeft(end, ") \t\r\n\\"), "(") {
			return true
		}
	}
}
