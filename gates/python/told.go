package python

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/python"
	"github.com/bashgate/bashgate/policy"
)

// Code of the project is told more than what its calls pass: what an object holds, what a
// thread calls it with, what a function returns that it was handed, what it is compared
// with. No reader sees all of these ways. So where a text loads such code, every constant of
// it counts as told, and so does what is put together of them, unless the tree shows that it
// goes to functions alone that facts know, which keep nothing of it (alone.go). What it computes of
// them is in hands.go.

// madeText is a text that is put together, and where.
type madeText struct {
	at   python.Expr
	text string // as it is shown
}

// maxTold bounds what code of others may be told.
const maxTold = 20_000

// makes reports whether an expression gives a text that stands nowhere else.
func makes(e python.Expr) bool {
	switch e.(type) {
	case *python.BinOp, *python.JoinedStr, *python.Call, *python.Subscript:
		return true
	}
	return false
}

// made notes what is put together somewhere.
func (in *reader) made(e python.Expr, v code.Value) {
	for i := range v {
		s := &v[i]
		if s.Kind != code.Object || s.Word == nil || in.isHere(s) || s.Type != "bytes" && !in.names(s.Type) || s.Word.IsConst() != (s.Word.Prefix() != "") {
			continue
		}
		key := madeText{e, s.Word.String()}
		if _, known := in.texts[key]; !known && len(in.texts) <= maxTold {
			if in.texts == nil {
				in.texts = map[madeText]policy.Word{}
			}
			in.texts[key] = *s.Word
		}
	}
}

// isHere reports whether a text is the home directory, or the one at hand, which code of
// others knows by itself.
func (in *reader) isHere(s *code.Shape) bool {
	text, known := constOf(s)
	return known && (text == in.text.Home || text == in.text.Dir)
}

// told notes what code of the project may be told, where the text has loaded some.
func (s *sight) told() {
	in := s.in
	if len(in.report.Runs) == 0 {
		return
	}
	in.unfolds()
	alone := s.alone()
	if len(s.constants) > maxTold || len(in.texts) > maxTold {
		in.ask(0, "python.limit", "Python code of the project that may be told very much")
		return
	}
	tell := func(w policy.Word, line int) {
		in.emit(code.Effect{Use: match.Use{Kind: match.Arg, Word: w}, Line: line, Route: isRoute(code.Value{{Type: "str", Word: &w}})})
	}
	for _, c := range s.constants {
		if alone[c] {
			continue
		}
		line := int(c.Line)
		tell(policy.Const(c.Text), line)
		s.runsTold(c.Text, line)
		if strings.Contains(c.Text, "://") || (strings.HasPrefix(c.Text, "{") || strings.HasPrefix(c.Text, "[")) && json.Valid([]byte(c.Text)) {
			continue // a machine, or JSON, which is looked into elsewhere
		}
		for _, name := range code.Names(c.Text) {
			if name != c.Text && !strings.HasPrefix(c.Text, name+".") {
				tell(policy.Const(name), line)
			}
		}
	}
	s.handsOver(alone, tell)
	if in.toldAny { // which may be any name that was found
		read := func(w policy.Word, line int) {
			in.emit(code.Effect{Use: match.Use{Kind: match.Read, Word: w}, Line: line})
		}
		for _, w := range in.listings {
			read(w, 1)
		}
		for _, g := range s.globs {
			if !in.patterns[g.call] {
				read(g.Word, int(g.call.Line))
			}
		}
	}
	for _, m := range slices.SortedFunc(maps.Keys(in.texts), func(a, b madeText) int {
		return cmp.Or(cmp.Compare(a.at.Pos().Line, b.at.Pos().Line), strings.Compare(a.text, b.text))
	}) {
		if w := in.texts[m]; !alone[m.at] {
			tell(w, int(m.at.Pos().Line))
			if text, known := w.Const(); known {
				s.runsTold(text, int(m.at.Pos().Line))
			}
		}
	}
}

// remark notes what makes an object tell what it was opened as, and what is printed go
// elsewhere: an attribute, or a name that is imported.
func (s *sight) remark(name string, attribute bool) {
	switch name {
	case "name", "url", "geturl", "full_url", "request", "history", "filename", "args", "cmd":
		s.asksName = s.asksName || attribute
		s.asksNames = s.asksNames || attribute && name == "name" // of members of an enumeration
	case "__name__", "__qualname__":
		s.asksNames = s.asksNames || attribute
	case "__doc__":
		s.asksDocs = s.asksDocs || attribute
	case "getdoc", "help":
		s.asksDocs = true
	case "getattr", "attrgetter":
		s.asksName = true
	case "pattern":
		s.asksPattern = s.asksPattern || attribute
	case "exc_info", "format_exc", "format_exception", "format_exception_only", "print_exc", "print_exception", "excepthook", "gather", "TaskGroup":
		s.asksRaised = true
	case "exception", "exceptions", "__cause__", "__context__", "tb_frame":
		s.asksRaised = s.asksRaised || attribute
	case "redirect_stdout", "redirect_stderr":
		s.redirects = true
	case "StreamHandler", "addHandler", "showwarning", "catch_warnings":
		s.logs = true
	}
	if attribute && (name == "filename" || name == "filename2") {
		s.asksFiles = true
	}
}

// compared notes what is compared with something, which gives it to nobody unless the text
// says what comparing means.
func (s *sight) compared(list ...python.Expr) {
	for _, e := range list {
		s.compares = append(append(s.compares, e), elements(e)...)
		if set, is := e.(*python.Set); is {
			s.compares = append(s.compares, set.Elts...)
		}
	}
}

// between notes the sign between names, which is no place where texts are put together or
// cut.
func (s *sight) between(list ...python.Expr) {
	for _, e := range list {
		if c, is := e.(*python.Constant); is && c.Text == "/" {
			s.aside = append(s.aside, c)
		}
	}
}
