package python

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// Packages run what they are told in more ways than facts can say by a name alone: what
// matters is with which words they are called.

// tellsPackage asks about a call of code of the project, or of a package, that runs a text
// of the line or what a file of pickled objects says.
func (in *reader) tellsPackage(s *code.Shape, args arguments) {
	method := calledMethod(args.call)
	if method == "load" && isTorch(*s) && !slices.ContainsFunc(args.named, func(n named) bool { return n.name == "weights_only" && isConst(n.value, "True") }) {
		in.pickled()
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

// allowsPickles asks about a call, of whatever, that tells somebody to read pickled objects.
func (in *reader) allowsPickles(args arguments) {
	if slices.ContainsFunc(args.named, func(n named) bool { return n.name == "allow_pickle" && !isConst(n.value, "False") }) {
		in.pickled()
	}
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
