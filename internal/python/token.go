package python

import (
	"strings"
)

// token is a piece of the text, or what its lines and margins mean.
type token struct {
	text string
	Position
	kind kind
}

// is says whether a token is a certain keyword or operator.
func (t *token) is(s string) bool { return t.kind == mark && t.text == s }

// isName says whether a token is a certain word that is a keyword in some
// places only.
func (t *token) isName(s string) bool { return t.kind == name && t.text == s }

type kind uint8

const (
	endOfText kind = iota
	newline        // the end of a logical line
	indent
	dedent
	name    // but no keyword
	number  // with its underscores
	literal // a string with its prefix and quotes
	opening // prefix and quotes of a string with fields
	middle  // what stands between them and its fields, and in a field behind ":"
	closing // its quotes
	mark    // a keyword or an operator
)

func (k kind) String() string {
	return [...]string{"the end of the text", "the end of the line", "an indented block", "the end of the block", "a name", "a number",
		"a string", "a string", "a string", "the end of the string", "an operator"}[k]
}

// tokens are those of a line, in pieces that stay where they are: a table may be one
// line of as many tokens as the text has.
type tokens struct {
	pieces []*[perPiece]token
	count  int
}

const perPiece = 32 // as most lines have

func (t *tokens) at(i int) *token { return &t.pieces[i/perPiece][i%perPiece] }

// add makes room for a token behind the last one.
func (t *tokens) add() *token {
	if t.count == len(t.pieces)*perPiece {
		t.pieces = append(t.pieces, new([perPiece]token))
	}
	t.count++
	return t.at(t.count - 1)
}

// lexer makes tokens of a text. Strings with fields are read as since Python
// 3.12, where fields are code like any other: what older versions can read of
// them they read alike.
type lexer struct {
	text      string
	at        int // what is not read yet
	line      int32
	lineStart int
	tokens    tokens
	brackets  []byte // those that are open
	margins   []margin
	formatted int // how many strings with fields are open
	comments  int // how many were read
}

// margin is the white space before a line: its width with tabs to every eighth
// column, and with tabs as wide as a space. Lines of a block agree in both.
type margin struct{ wide, narrow int }

const bom = "\uFEFF"

// scan begins a text.
func scan(text string) *lexer {
	l := &lexer{text: text, line: 1, margins: []margin{{}}}
	if strings.HasPrefix(text, bom) {
		l.at, l.lineStart = len(bom), len(bom)
	}
	return l
}

// next makes tokens of the next logical line, with what its margin means in
// front of them, or of the end of the text. They are there until it is called
// again.
func (l *lexer) next() *tokens {
	l.tokens.count = 0
	for l.at < len(l.text) {
		if l.margin() {
			l.logicalLine()
			return &l.tokens
		}
	}
	for range l.margins[1:] {
		l.emit(dedent, l.at, l.position())
	}
	l.margins = l.margins[:1]
	l.emit(endOfText, l.at, l.position())
	return &l.tokens
}

func (l *lexer) position() Position {
	return Position{int32(l.at), l.line, int32(l.at - l.lineStart + 1)}
}

func (l *lexer) emit(k kind, start int, at Position) {
	*l.tokens.add() = token{l.text[start:l.at], at, k}
}

func (l *lexer) fail(msg string) { panic(&SyntaxError{l.position(), msg}) }

// peek returns a byte that is not read yet, or 0 behind the end.
func (l *lexer) peek(ahead int) byte {
	if i := l.at + ahead; i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// lineEnd is the length of the line end that comes next, if one does.
func (l *lexer) lineEnd() int {
	switch l.peek(0) {
	case '\n':
		return 1
	case '\r':
		return 2
	}
	return 0
}

// nextLine reads a line end.
func (l *lexer) nextLine() {
	l.at += l.lineEnd()
	l.line++
	l.lineStart = l.at
}

// margin reads the white space before a line and says whether anything but a
// comment follows; if not, the line is read.
func (l *lexer) margin() bool {
	var m margin
	for ; ; l.at++ {
		switch l.peek(0) {
		case ' ':
			m.wide++
			m.narrow++
			continue
		case '\t':
			m.wide = (m.wide/8 + 1) * 8
			m.narrow++
			continue
		case '\f':
			m = margin{}
			continue
		case '\\':
			// Versions differ in what the margin of the line is then.
			l.fail("a backslash in the margin of a line")
		}
		break
	}
	if l.peek(0) == '#' {
		l.comment()
	}
	if l.at == len(l.text) {
		return false
	}
	if l.lineEnd() > 0 {
		l.nextLine()
		return false
	}
	l.setMargin(m)
	return true
}

func (l *lexer) setMargin(m margin) {
	last := l.margins[len(l.margins)-1]
	switch {
	case m.wide > last.wide:
		if m.narrow <= last.narrow {
			l.fail("tabs and spaces are mixed")
		}
		if len(l.margins) == 100 {
			l.fail("too many levels of indentation")
		}
		l.margins = append(l.margins, m)
		l.emit(indent, l.at, l.position())
		return
	case m.wide < last.wide:
		for m.wide < l.margins[len(l.margins)-1].wide {
			l.margins = l.margins[:len(l.margins)-1]
			l.emit(dedent, l.at, l.position())
		}
		last = l.margins[len(l.margins)-1]
	}
	if m.wide != last.wide {
		l.fail("no line before has this indentation")
	}
	if m.narrow != last.narrow {
		l.fail("tabs and spaces are mixed")
	}
}

// logicalLine reads to the end of a line, and further where it is joined with
// the next one.
func (l *lexer) logicalLine() {
	for {
		l.space()
		if l.at == len(l.text) || l.lineEnd() > 0 {
			break
		}
		l.token()
	}
	if n := len(l.brackets); n > 0 {
		l.fail("a " + string(l.brackets[n-1]) + " is never closed")
	}
	l.emit(newline, l.at, l.position())
	if l.at < len(l.text) {
		l.nextLine()
	}
}

// space reads what separates tokens: inside brackets also line ends.
func (l *lexer) space() {
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case ' ', '\t', '\f':
			l.at++
		case '#':
			l.comment()
		case '\\':
			l.at++
			if l.lineEnd() == 0 {
				l.fail("a backslash that is not at the end of the line")
			}
			l.nextLine()
			if l.at == len(l.text) {
				l.fail("the text ends behind a backslash")
			}
		case '\n', '\r':
			if len(l.brackets) == 0 {
				return
			}
			l.nextLine()
		default:
			return
		}
	}
}

func (l *lexer) comment() {
	l.comments++
	if i := strings.IndexByte(l.text[l.at:], '\n'); i < 0 {
		l.at = len(l.text)
	} else if l.at += i; l.text[l.at-1] == '\r' {
		l.at--
	}
}

// token reads what is no space.
func (l *lexer) token() {
	start, at := l.at, l.position()
	switch c := l.text[l.at]; {
	case isNameByte(c) && !isDigit(c):
		l.word(start, at)
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		l.number()
		l.emit(number, start, at)
	case c == '"' || c == '\'':
		l.str(start, at)
	default:
		n := operatorLength(l.text[l.at:])
		if n == 0 {
			l.fail("an invalid character")
		}
		if n == 1 {
			l.bracket(c)
		}
		l.at += n
		l.emit(mark, start, at)
	}
}

// word reads a name or a keyword, or the string that it is the prefix of.
func (l *lexer) word(start int, at Position) {
	ascii := true
	for ; l.at < len(l.text) && isNameByte(l.text[l.at]); l.at++ {
		ascii = ascii && l.text[l.at] < 0x80
	}
	word := l.text[start:l.at]
	if c := l.peek(0); (c == '"' || c == '\'') && isPrefix(word) {
		l.str(start, at)
		return
	}
	if !ascii && !isStable(word) {
		panic(&SyntaxError{at, "an unusual character in a name"})
	}
	if isKeyword(word) {
		l.emit(mark, start, at)
	} else {
		l.emit(name, start, at)
	}
}

// bracket notes that a bracket opens or closes.
func (l *lexer) bracket(c byte) {
	switch c {
	case '(', '[', '{':
		if len(l.brackets) == maxDepth-1 {
			l.fail("too many nested brackets")
		}
		l.brackets = append(l.brackets, c)
	case ')', ']', '}':
		n := len(l.brackets) - 1
		if n < 0 || "([{"[strings.IndexByte(")]}", c)] != l.brackets[n] {
			l.fail("nothing that a " + string(c) + " could close")
		}
		l.brackets = l.brackets[:n]
	}
}

// operatorLength is the length of the operator that a text begins with, or 0.
func operatorLength(s string) int {
	at := func(i int) byte {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	switch c := at(0); c {
	case '(', ')', '[', ']', '{', '}', ',', ';', '~':
		return 1
	case '.':
		if strings.HasPrefix(s, "...") {
			return 3
		}
		return 1
	case '*', '/', '<', '>':
		n := 1
		if at(1) == c {
			n = 2
		}
		if at(n) == '=' {
			n++
		}
		return n
	case '-':
		if at(1) == '>' {
			return 2
		}
		fallthrough
	case '+', '%', '&', '|', '^', '@', ':', '=':
		if at(1) == '=' {
			return 2
		}
		return 1
	case '!':
		if at(1) == '=' {
			return 2
		}
	}
	return 0
}
