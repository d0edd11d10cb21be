package python

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

const (
	// maxDepth is how deep blocks, brackets, and operators before an operand
	// may stand in one another. CPython allows 200 brackets and 100 blocks.
	maxDepth = 200
	// maxHeight is how many operators, calls and attributes may follow one
	// another, each of which has all before it as its operand. Together they
	// bound what walks the tree by recursion.
	maxHeight = 1000
)

// Parse reads a text. Its error is a *SyntaxError. The time is proportional to
// the text's length, and no path in the tree is longer than some thousand
// nodes.
func Parse(text string) (module *Module, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *SyntaxError:
			module, err = nil, e
		default:
			panic(e)
		}
	}()
	checkBytes(text)
	checkCoding(text)
	p := parser{text: text, lexer: scan(text)}
	p.tokens = p.lexer.next()
	module = new(Module)
	for !p.is(endOfText) {
		module.Body = p.statement(module.Body)
	}
	module.Calls = p.calls
	return module, nil
}

// checkBytes refuses what no text in UTF-8 holds, and the carriage returns
// that end a line alone: an editor does not show that a comment ends there.
func checkBytes(text string) {
	if len(text) > math.MaxInt32 {
		panic(&SyntaxError{Position{0, 1, 1}, "the text is too long"})
	}
	if !utf8.ValidString(text) {
		for i, r := range text {
			if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
				panic(&SyntaxError{positionIn(text, i), "not UTF-8"})
			}
		}
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		panic(&SyntaxError{positionIn(text, i), "a null byte"})
	}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\r')
		if i < 0 {
			return
		}
		at += i + 1
		if !strings.HasPrefix(text[at:], "\n") {
			panic(&SyntaxError{positionIn(text, at-1), "a carriage return that ends no line"})
		}
	}
}

func positionIn(text string, offset int) Position {
	before := text[:offset]
	return Position{int32(offset), int32(strings.Count(before, "\n") + 1), int32(offset - strings.LastIndexByte(before, '\n'))}
}

// parser goes forward through the lines; it looks ahead in one, but never back.
type parser struct {
	text   string
	lexer  *lexer
	tokens *tokens // of the line
	next   int     // the token that is not read yet
	depth  int     // what the next token stands in
	height int     // of what was read since rise
	calls  int32   // how many were met

	newName      slab[Name]
	newConstant  slab[Constant]
	newCall      slab[Call]
	newAttribute slab[Attribute]
}

// slab makes nodes of which a text has many, many at a time, and few at first.
type slab[T any] struct {
	rest []T
	made int // the last time
}

func (s *slab[T]) add(n T) *T {
	if len(s.rest) == 0 {
		s.made = min(max(8, 2*s.made), 64)
		s.rest = make([]T, s.made)
	}
	at := &s.rest[0]
	*at, s.rest = n, s.rest[1:]
	return at
}

func (p *parser) token() *token    { return p.tokens.at(p.next) }
func (p *parser) is(k kind) bool   { return p.tokens.at(p.next).kind == k }
func (p *parser) at(s string) bool { return p.tokens.at(p.next).is(s) }

// after looks at the token behind the next one, which is not the last.
func (p *parser) after() *token { return p.tokens.at(p.next + 1) }

// endLine reads the end of a line, which has to come next, and makes the
// tokens of another one.
func (p *parser) endLine() {
	p.read(newline)
	p.tokens, p.next = p.lexer.next(), 0
}

// take reads a keyword or an operator, if it comes next.
func (p *parser) take(s string) bool {
	if p.at(s) {
		p.next++
		return true
	}
	return false
}

func (p *parser) expect(s string) {
	if !p.take(s) {
		p.fail("expected %q", s)
	}
}

// read reads a token of a kind, which has to come next.
func (p *parser) read(k kind) *token {
	t := p.token()
	if t.kind != k {
		p.fail("expected %s", k)
	}
	p.next++
	return t
}

func (p *parser) fail(format string, args ...any) { p.failAt(p.token().Position, format, args...) }

func (p *parser) failAt(at Position, format string, args ...any) {
	panic(&SyntaxError{at, fmt.Sprintf(format, args...)})
}

// enter begins what may hold itself, and leave ends it.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deeply")
	}
}

func (p *parser) leave() { p.depth-- }

// rise begins a node that may become the operand of another one, which each
// time grows. settle ends it, given what rise returned.
func (p *parser) rise() (outer int) {
	outer, p.height = p.height, 0
	return outer
}

func (p *parser) grow() {
	if p.height++; p.height > maxHeight {
		p.fail("too many operators, calls and attributes in a row")
	}
}

func (p *parser) settle(outer int) { p.height = max(outer, p.height) }
