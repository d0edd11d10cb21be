package javascript

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Limit is the length in bytes up to which a text is read.
const Limit = 1 << 20

// arrowLimit bounds the length of a text times its arrows: for each arrow
// without parentheses the parser goes through all names before it.
const arrowLimit = 1 << 26

// Error is why a text has no tree.
type Error struct {
	Line, Column int // from 1, the column in bytes
	Text         string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

// Parse reads a text. An error is an [*Error].
func Parse(text string) (program *Program, err error) {
	r := &reader{source: append(make([]byte, 0, len(text)+1), text...)}
	r.program = &Program{Mentions: map[string]int{}, lines: lineStarts(text)}
	// The parser takes apart what it has read in the hope that it is whole.
	// What it did not expect is an error, and never the end of the program.
	defer func() {
		switch e := recover().(type) {
		case nil:
		case failure:
			program, err = nil, r.errorAt(e.at, e.text)
		default:
			program, err = nil, r.errorAt(r.at, "not understood")
		}
	}()
	r.check(text)
	tree, err := js.Parse(parse.NewInputBytes(r.source), js.Options{})
	if e := (*parse.Error)(nil); errors.As(err, &e) {
		return nil, &Error{e.Line, e.Column, strings.ToLower(e.Message)}
	} else if err != nil {
		return nil, r.errorAt(0, err.Error())
	}
	r.program.Body = r.stmts(tree.List)
	return r.program, nil
}

// Line returns the line, from 1, in which an offset is.
func (p *Program) Line(at int) int {
	line, found := slices.BinarySearch(p.lines, at)
	if found {
		line++
	}
	return line
}

func lineStarts(text string) []int {
	lines := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// reader makes the tree of the parser's. It goes through it in the order of
// the text.
type reader struct {
	source  []byte
	program *Program
	at      int  // where it is
	calls   int  // functions around
	open    bool // a < was read that may stand before a type
}

// failure is what ends reading.
type failure struct {
	at   int
	text string
}

func (r *reader) fail(text string) { panic(failure{r.at, text}) }

func (r *reader) errorAt(at int, text string) *Error {
	line := r.program.Line(at)
	return &Error{line, at - r.program.lines[line-1] + 1, text}
}

// check refuses what can be seen without reading.
func (r *reader) check(text string) {
	switch {
	case len(text) > Limit, len(text)*strings.Count(text, "=>") > arrowLimit:
		r.fail("too long to be read")
	case !utf8.ValidString(text):
		r.fail("not UTF-8")
	}
	// Comments in scripts, operators in modules.
	for _, s := range [...]string{"\x00", "<!--", "-->"} {
		if i := strings.Index(text, s); i >= 0 {
			r.at = i
			r.fail(fmt.Sprintf("%q is read in more than one way", s))
		}
	}
}

// nearby is how far from where the reader is a part is searched.
const nearby = 4 << 10

// move goes to a part of the source. Of a name that occurs twice the parser
// keeps the first mention, so that any mention will do; what is not near stays
// where the reader is.
func (r *reader) move(part []byte) int {
	if len(part) == 0 {
		return r.at
	}
	text := r.source[r.at:min(len(r.source), r.at+nearby+len(part))]
	for from := 0; ; {
		i := bytes.Index(text[from:], part)
		if i < 0 {
			return r.at
		}
		i += from
		from = i + len(part)
		whole := (i == 0 || !js.IsIdentifierEnd(text[:i])) && (from == len(text) || !js.IsIdentifierContinue(text[from:]))
		if whole || !js.IsIdentifierStart(part) {
			r.at += i
			return r.at
		}
	}
}

// name is an identifier that is bound or mentioned. The words that are names in
// some contexts and keywords in others are none here, nor those that begin a type:
// with types f<keyof and b>(c) on the next line are one call.
func (r *reader) name(data []byte) string {
	s := r.word(data)
	switch s {
	case "await", "yield", "let", "static", "async", "using", "enum",
		"implements", "interface", "package", "private", "protected", "public",
		"keyof", "readonly", "infer", "unique", "abstract", "asserts":
		r.fail(s + " as a name")
	}
	return s
}

// word is a name behind a dot as well.
func (r *reader) word(data []byte) string {
	if bytes.IndexByte(data, '\\') >= 0 {
		r.move(data)
		r.fail("a name with an escape")
	}
	s := string(data)
	if strings.Contains(s, "_") {
		r.says(s)
	}
	return s
}

// says notes a text of the program's.
func (r *reader) says(text string) {
	if text != "" {
		r.program.Texts = append(r.program.Texts, text)
	}
}

func (r *reader) variable(v *js.Var) *Name {
	at := r.move(v.Name())
	name := r.name(v.Name())
	r.program.Mentions[name]++
	return &Name{at, name}
}

// called reads what belongs to a function's body.
func (r *reader) called(read func()) {
	r.calls++
	read()
	r.calls--
}

func (r *reader) param(e js.BindingElement) Param {
	p := Param{Target: r.binding(e.Binding)}
	if e.Default != nil {
		p.Default = r.expr(e.Default)
	}
	return p
}

// binding is nil for what is left out.
func (r *reader) binding(b js.IBinding) Pattern {
	switch b := b.(type) {
	case nil:
		return nil
	case *js.Var:
		if b == nil {
			return nil
		}
		return r.variable(b)
	case *js.BindingArray:
		a := &ArrayPattern{}
		for _, e := range b.List {
			a.Items = append(a.Items, r.param(e))
		}
		if b.Rest != nil {
			a.Items = append(a.Items, Param{Target: r.binding(b.Rest), Rest: true})
		}
		return a
	case *js.BindingObject:
		o := &ObjectPattern{}
		for _, item := range b.List {
			p := PatternProperty{}
			if item.Key != nil {
				p.Key, p.Computed = r.key(*item.Key)
			} else if v, ok := item.Value.Binding.(*js.Var); ok {
				p.Key = r.word(v.Name())
				r.says(p.Key)
			}
			p.Param = r.param(item.Value)
			o.Props = append(o.Props, p)
		}
		if b.Rest != nil {
			o.Props = append(o.Props, PatternProperty{Param: Param{Target: r.variable(b.Rest), Rest: true}})
		}
		return o
	}
	r.fail("a pattern that is not understood")
	return nil
}

// target is an expression that is assigned to.
func (r *reader) target(e js.IExpr) Pattern {
	switch e := e.(type) {
	case *js.GroupExpr:
		return r.target(e.X)
	case *js.Var, *js.DotExpr, *js.IndexExpr:
		if p, ok := r.expr(e).(Pattern); ok {
			if m, ok := p.(*Member); ok {
				if optional(m) {
					r.fail("assigned to what may be missing")
				}
				r.says(m.Name)
			}
			return p
		}
	case *js.ArrayExpr:
		a := &ArrayPattern{}
		for _, item := range e.List {
			p := Param{}
			if item.Value != nil {
				p = r.targetParam(item.Value)
			}
			p.Rest = item.Spread
			a.Items = append(a.Items, p)
		}
		return a
	case *js.ObjectExpr:
		o := &ObjectPattern{}
		for _, item := range e.List {
			p := PatternProperty{}
			switch {
			case item.Spread:
				p.Param = Param{Target: r.target(item.Value), Rest: true}
			case item.Name == nil:
				r.fail("a method in a pattern")
			default:
				p.Key, p.Computed = r.key(*item.Name)
				p.Param = r.targetParam(item.Value)
				if item.Init != nil {
					p.Default = r.expr(item.Init)
				}
			}
			o.Props = append(o.Props, p)
		}
		return o
	}
	r.fail("assigned to what is no variable")
	return nil
}

func (r *reader) targetParam(e js.IExpr) Param {
	if b, ok := e.(*js.BinaryExpr); ok && b.Op == js.EqToken {
		return Param{Target: r.target(b.X), Default: r.expr(b.Y)}
	}
	return Param{Target: r.target(e)}
}

// optional reports whether a member is one of a chain with ?.
func optional(e Expr) bool {
	switch e := e.(type) {
	case *Member:
		return e.Optional || optional(e.X)
	case *Call:
		return e.Optional || optional(e.F)
	}
	return false
}

func (r *reader) params(p js.Params) []Param {
	var list []Param
	for _, e := range p.List {
		list = append(list, r.param(e))
	}
	if p.Rest != nil {
		list = append(list, Param{Target: r.binding(p.Rest), Rest: true})
	}
	return list
}

// key is a property's name, or the expression that gives it.
func (r *reader) key(p js.PropertyName) (string, Expr) {
	if p.Computed != nil {
		return "", r.expr(p.Computed)
	}
	data := p.Literal.Data
	r.move(data)
	switch p.Literal.TokenType {
	case js.StringToken:
		name := r.property(r.unquote(data[1 : len(data)-1]))
		r.says(name)
		return name, nil
	case js.DecimalToken, js.BinaryToken, js.OctalToken, js.HexadecimalToken, js.IntegerToken:
		number, ok := r.number(data).(*Number)
		if !ok {
			r.fail("a big integer as a property's name")
		}
		// The parser takes the quotes of '1.0' away, which is not 1 then.
		name := r.numberName(number.Value)
		if name != string(data) && (p.Literal.TokenType == js.DecimalToken || p.Literal.TokenType == js.IntegerToken) {
			r.fail("a number as a name that is written in another way")
		}
		r.says(name)
		return name, nil
	}
	name := r.property(r.word(data))
	r.says(name)
	return name, nil
}

// property is a property's name. That which is the prototype is none.
func (r *reader) property(name string) string {
	if name == "__proto__" {
		r.fail("__proto__")
	}
	return name
}
