package gates

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// perl reads a program for perl as one writes it behind -e: s///, tr, print, conditions,
// counters, and the functions that compute. Whatever reaches outside has a name, a sign
// or a place in a text that the reader does not take: functions that are not listed,
// `...`, <...>, &f, *f, references (the name of a variable may be one: $x->[0] is
// @ARGV's if $x is "ARGV"), code in patterns, in texts and in subscripts, here-documents,
// POD. What is left computes, prints, and reads the operands (perlop, perlre, perlvar).
//
// Where a sign may begin a pattern or divide, perl decides by what stands before it, and
// so does the reader; where a word before it leaves that open, it does not go on.
func perl(text policy.Word, c *match.Call) match.Reading {
	var p perlProgram
	program, ok := flatten(text)
	if !ok {
		p.out.unreadable("perl.unreadable", "Perl program is not all known")
		return p.out.Reading
	}
	p.code = program
	pieces := perlPieces(c)
	if program.text == "" || len(pieces) > 1 { // a piece may go on in the next
		p.failed = true
	}
	p.says = c == nil || pieces == "E"
	p.statements(false)
	if p.failed || p.at < len(p.text) {
		p.out.unreadable("perl.unreadable", "Perl program does more than the gate reads")
	}
	return p.out.Reading
}

// perlPieces are the letters, e or E, of a command's words that give a piece of a
// program.
func perlPieces(c *match.Call) string {
	if c == nil || c.Cmd == nil {
		return ""
	}
	var pieces []byte
	for _, w := range c.Cmd.Words[min(1, len(c.Cmd.Words)):] {
		s := w.Prefix()
		if len(s) < 2 || s[0] != '-' {
			continue
		}
		if letters := strings.TrimLeft(s[1:], "acfnpstuwWX0123456789l"); letters != "" && (letters[0] == 'e' || letters[0] == 'E') {
			pieces = append(pieces, letters[0])
		}
	}
	return string(pieces)
}

// perlProgram is a program on its way through the reader.
type perlProgram struct {
	code
	at     int // the next byte
	depth  int
	failed bool
	says   bool // say is a function, as behind -E
	out    report
}

// maxPerlDepth bounds how deep brackets stand in one another.
const maxPerlDepth = 100

func (p *perlProgram) fail() { p.failed = true }

// peek is the next byte; 0, which no program holds, at the end.
func (p *perlProgram) peek() byte { return p.ahead(0) }

func (p *perlProgram) ahead(n int) byte {
	if p.at+n < len(p.text) {
		return p.text[p.at+n]
	}
	return 0
}

// space skips blanks and comments, and reports whether it goes on behind them. A line
// that begins with "=" and a letter is documentation, up to one that begins with =cut.
// Behind #! perl finds options, or a program that it becomes (perlrun).
func (p *perlProgram) space() bool {
	for !p.failed && p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '#' && p.ahead(1) == '!':
			p.fail()
		case c == '#':
			if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.text)
			}
		case isSpace(c):
			p.at++
		case c == '=' && (p.at == 0 || p.text[p.at-1] == '\n'):
			p.fail()
		default:
			return true
		}
	}
	return false
}

// blanks skips blanks on a line.
func (p *perlProgram) blanks() {
	for isBlank(p.peek()) {
		p.at++
	}
}

// take skips a text if it is the next.
func (p *perlProgram) take(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

// word is the name that is next, "" if there is none.
func (p *perlProgram) word() string {
	from := p.at
	for p.at < len(p.text) && (isLetter(p.text[p.at]) || p.at > from && '0' <= p.text[p.at] && p.text[p.at] <= '9') {
		p.at++
	}
	if p.at > from && (p.peek() == number || p.peek() >= 0x80 || p.peek() == ':' && p.ahead(1) == ':' || p.peek() == '\'' && (isLetter(p.ahead(1)) || p.ahead(1) >= 0x80)) {
		p.fail() // a name that goes on: main::x, main'x
	}
	return p.text[from:p.at]
}

// next is the name that is next, which stays.
func (p *perlProgram) next() string {
	at := p.at
	defer func() { p.at = at }()
	return p.word()
}

// statements reads what stands in a block, or up to the end.
func (p *perlProgram) statements(block bool) {
	if p.depth++; p.depth > maxPerlDepth {
		p.fail()
	}
	for p.space() {
		switch c := p.peek(); {
		case c == ';':
			p.at++
		case c == '}':
			if !block && p.take("}") {
				p.endsLoop()
				continue
			}
			p.depth--
			return
		case c == '{':
			p.bareBlock()
		default:
			p.statement()
		}
	}
	p.depth--
	if block {
		p.fail()
	}
}

func (p *perlProgram) block() {
	p.space()
	if !p.take("{") {
		p.fail()
		return
	}
	p.statements(true)
	if !p.take("}") {
		p.fail()
	}
}

// endsLoop reads the rest of }{, which ends the loop that -n makes, and begins a block.
func (p *perlProgram) endsLoop() {
	if p.space(); p.peek() != '{' {
		p.fail()
		return
	}
	p.noTable()
	p.at++
}

// bareBlock reads a block that is a statement.
func (p *perlProgram) bareBlock() {
	p.noTable()
	p.block()
}

// noTable finds a block that is empty, or begins with a text and a comma: perl takes it
// for a table, behind which a sign divides (toke.c).
func (p *perlProgram) noTable() {
	at := p.at
	p.at++
	p.space()
	switch c := p.peek(); c {
	case '}', '"', '\'', ',', '=':
		p.fail()
	case 'q':
		p.fail() // q(a), 1
	default:
		for isLetter(p.peek()) || isDigit(p.peek()) {
			p.at++
		}
		for isSpace(p.peek()) {
			p.at++
		}
		if p.peek() == ',' || p.peek() == '=' && p.ahead(1) == '>' {
			p.fail()
		}
	}
	p.at = at
}

func (p *perlProgram) statement() {
	switch word := p.next(); word {
	case "BEGIN", "END":
		p.word()
		p.block()
	case "use":
		p.word()
		p.space()
		module := p.word()
		if p.space(); module != "strict" && module != "warnings" || p.peek() != ';' {
			p.fail()
		}
	case "if", "unless", "while", "until":
		p.word()
		p.condition()
		for p.space() {
			if word := p.next(); word == "elsif" {
				p.word()
				p.condition()
				continue
			} else if word == "else" {
				p.word()
				p.block()
			}
			return
		}
	case "for", "foreach":
		p.word()
		p.space()
		if word := p.next(); word == "my" || word == "our" {
			p.word()
			p.space()
		}
		if p.peek() == '$' {
			p.variable()
		}
		p.condition()
	default:
		p.expression()
		if p.space() && p.peek() != ';' && p.peek() != '}' {
			p.fail()
		}
	}
}

// condition reads (...) {...}.
func (p *perlProgram) condition() {
	p.space()
	if p.peek() != '(' {
		p.fail()
		return
	}
	p.group()
	p.block()
}

// group reads (...).
func (p *perlProgram) group() {
	p.at++
	p.inside()
}

// inside reads the rest of (...).
func (p *perlProgram) inside() {
	if p.depth++; p.depth > maxPerlDepth {
		p.fail()
	}
	for p.space() && p.peek() != ')' {
		if p.peek() == ';' || p.peek() == ',' { // for (;;)
			p.at++
			continue
		}
		p.expression()
		if p.space() && p.peek() != ';' && p.peek() != ')' {
			p.fail()
		}
	}
	p.depth--
	if !p.take(")") {
		p.fail()
	}
}

// perlWords are operators that are words. Behind them stands a term.
var perlWords = []string{"and", "cmp", "eq", "for", "foreach", "ge", "gt", "if", "le", "lt", "ne", "or", "unless", "until", "while", "x", "xor"}

// perlEnds are those that may follow a word without a term.
var perlEnds = []string{"and", "for", "foreach", "if", "or", "unless", "until", "while", "xor"}

// perlSigns are those that are signs, the longest first.
var perlSigns = []string{
	"<=>", "**=", "||=", "&&=", "//=", "...", "<<=", ">>=",
	"=>", "==", "!=", "=~", "!~", "<=", ">=", "&&", "||", "//", "..", "**", "+=", "-=", "*=", "/=", ".=", "%=", "x=", "|=", "&=", "^=", "<<", ">>",
	"+", "-", "*", "/", "%", ".", "<", ">", "=", "?", ":", ",", "|", "&", "^",
}

// expression reads terms with operators between them, up to what is neither.
func (p *perlProgram) expression() {
	for !p.failed {
		if !p.term() {
			return
		}
		if !p.operator() {
			return
		}
	}
}

// operator reads the operator behind a term, and reports whether a term may follow.
func (p *perlProgram) operator() bool {
	for p.space() {
		if p.take("++") || p.take("--") {
			continue
		}
		if isLetter(p.peek()) {
			if p.peek() == 'x' && isDigit(p.ahead(1)) {
				p.at++
				return true
			}
			if p.take("x=") {
				return true
			}
			if !slices.Contains(perlWords, p.next()) {
				p.fail()
			}
			p.word()
			return true
		}
		for _, sign := range perlSigns {
			if !p.take(sign) {
				continue
			}
			if sign == "-" && p.peek() == '>' {
				p.fail() // a reference
			}
			return true
		}
		return false
	}
	return false
}

// term reads what stands between operators, and reports whether an operator may follow.
// Behind a comma or a function there may be none.
func (p *perlProgram) term() bool {
	for p.space() {
		c := p.peek()
		switch {
		case c == '!' || c == '~' || c == '+' && p.ahead(1) != '+' || c == '-' && p.ahead(1) != '-' && !isLetter(p.ahead(1)):
			p.at++
			continue
		case p.take("++") || p.take("--"):
			continue
		case isDigit(c) || c == '.' && isDigit(p.ahead(1)):
			p.number()
			return true
		case c == '$' || c == '@' || c == '%':
			p.variable()
			return true
		case c == '(':
			p.group()
			p.space()
			if p.peek() == '[' { // an item of a list
				p.subscript()
			}
			return true
		case c == '"':
			p.quoted(true)
			return true
		case c == '\'':
			p.quoted(false)
			return true
		case c == '/':
			p.pattern()
			p.flags("gimsxnodualpc")
			return true
		case p.take("<STDIN>") || p.take("<>"):
			return true
		case isLetter(c):
			again, operand := p.named()
			if again {
				continue
			}
			return operand
		case c == ';' || c == '}' || c == ')':
			return false
		}
		p.fail()
	}
	return false
}

func (p *perlProgram) number() {
	digits := func(more string) {
		for isDigit(p.peek()) || p.peek() != 0 && strings.IndexByte(more, p.peek()) >= 0 || p.peek() == '.' && isDigit(p.ahead(1)) {
			p.at++
		}
	}
	if p.take("0x") || p.take("0b") {
		digits("_abcdefABCDEF")
	} else if digits("_"); p.peek() == 'e' && (isDigit(p.ahead(1)) || p.ahead(1) == '-' && isDigit(p.ahead(2))) {
		p.at += 2
		digits("")
	}
	if isLetter(p.peek()) || p.peek() == '.' && p.ahead(1) != '.' { // 1. is a number
		p.fail()
	}
}

// perlSpecial are the variables that are signs and may be read and set: what was
// matched, where the input is, and what stands between what is printed.
const perlSpecial = "_&.,/\\|\"!@"

// variable reads $x, @x, %x, $#x, $x[...], $x{...} and @x[...], where x is no name
// that means something outside.
func (p *perlProgram) variable() {
	sigil := p.peek()
	p.at++
	switch c := p.peek(); {
	case sigil == '$' && c == '#':
		p.at++
		if !isLetter(p.peek()) {
			p.fail()
		}
		p.name()
		return
	case isLetter(c):
		p.name()
	case sigil == '$' && '1' <= c && c <= '9':
		for '0' <= p.peek() && p.peek() <= '9' {
			p.at++
		}
	case sigil == '$' && strings.IndexByte(perlSpecial, c) >= 0 && c != 0:
		p.at++
	case (sigil == '$' || sigil == '%') && c == '+' && p.ahead(1) == '{':
		p.at++
	default:
		p.fail()
		return
	}
	if c := p.peek(); c == '[' || c == '{' {
		p.subscript()
	} else if sigil == '$' && isSpace(c) {
		p.handle()
	}
	if strings.HasPrefix(p.text[p.at:], "->") || p.peek() == '[' || p.peek() == '{' || p.peek() == '(' {
		p.fail() // through a reference
	}
}

// handle finds what makes a variable a stream that is printed to, and what follows
// a text: print $x /a/. Perl decides by the blanks around the sign (toke.c).
func (p *perlProgram) handle() {
	at := p.at
	p.space()
	c, next, third := p.peek(), p.ahead(1), p.ahead(2)
	p.at = at
	switch {
	case (c == '-' || c == '+') && next == c && third != 0 && strings.IndexByte(";)}]", third) < 0:
		p.fail() // print $x ++$y
	case c == '/' && !isSpace(next) && next != '=' && next != '/', (c == '?' || c == '-' || c == '+') && !isSpace(next) && next != '=' && next != c,
		c == '<' && next == '<', (c == '&' || c == '*' || c == '<' || c == '%') && isLetter(next), (c == '.' || c == 'x') && isDigit(next):
		p.fail()
	}
}

// perlOutside are names of variables that say what is read, run and loaded.
var perlOutside = []string{"ARGV", "ARGVOUT", "ENV", "INC", "SIG", "STDERR", "STDIN", "STDOUT", "ISA", "EXPORT", "DATA", "OVERLOAD", "AUTOLOAD", "DESTROY"}

// name reads the name of a variable.
func (p *perlProgram) name() {
	if name := p.word(); slices.Contains(perlOutside, name) {
		p.fail()
	}
}

// subscript reads [...] or {...} behind a variable. A word in braces is a text, if there
// is no end of a line between them.
func (p *perlProgram) subscript() {
	if p.depth++; p.depth > maxPerlDepth {
		p.fail()
		return
	}
	closing := byte(']')
	if p.peek() == '{' {
		closing = '}'
	}
	p.at++
	p.blanks()
	if from := p.at; closing == '}' && isLetter(p.peek()) {
		p.word()
		if p.blanks(); p.peek() != '}' {
			p.at = from
		}
	}
	if p.space(); p.peek() != closing {
		p.expression()
	}
	if p.depth--; p.peek() != closing {
		p.fail()
		return
	}
	p.at++
}

// perlComputes are functions that compute, print or end the program. All take what
// stands behind them: a sign there begins a term.
var perlComputes = []string{
	"abs", "atan2", "chomp", "chop", "chr", "cos", "defined", "delete", "die", "each", "exists", "exit", "exp", "gmtime", "hex", "index", "int", "join", "keys", "lc", "lcfirst",
	"length", "localtime", "log", "not", "oct", "ord", "pack", "print", "printf", "push", "quotemeta", "rand", "reverse", "rindex", "say", "scalar", "sin", "sleep", "splice", "split", "sprintf", "sqrt", "srand",
	"substr", "uc", "ucfirst", "unpack", "unshift", "values", "warn",
}

// perlOfLists are those of them that take a list or a table itself.
var perlOfLists = []string{"each", "keys", "push", "splice", "unshift", "values"}

// named reads a term that begins with a name. again says that a term follows, operand
// that this was one.
func (p *perlProgram) named() (again, operand bool) {
	from := p.at
	word := p.word()
	switch word {
	case "s", "m", "q", "qq", "qw", "tr", "y":
		p.quoteLike(word)
		return false, true
	case "my", "our", "local":
		p.space()
		if c := p.peek(); c != '$' && c != '@' && c != '%' && c != '(' {
			p.fail()
		}
		return true, false
	case "sort", "map", "grep":
		parens := p.space() && p.take("(")
		if p.space(); p.peek() == '{' {
			p.block()
		}
		if parens {
			p.inside()
		}
		return !parens, parens
	case "next", "last", "redo", "shift", "pop", "pos", "eof", "wantarray", "time", "undef":
		return false, p.bare(word)
	}
	if p.space() && strings.HasPrefix(p.text[p.at:], "=>") {
		return false, true // a text
	}
	if !slices.Contains(perlComputes, word) || word == "say" && !p.says {
		p.at = from
		p.fail()
		return false, false
	}
	if word == "print" || word == "printf" || word == "say" {
		if stream := p.next(); stream == "STDOUT" || stream == "STDERR" {
			p.word()
			p.space()
		}
	}
	switch c := p.peek(); {
	case c == '?', c == '&', c == '*', c == '{', c == '=' && p.ahead(1) != '=':
		p.fail()
	case slices.Contains(perlOfLists, word):
		if rest := strings.TrimLeft(p.text[p.at:], "( "); rest == "" || rest[0] != '@' && rest[0] != '%' {
			p.fail() // what a reference means
		}
	}
	return !p.ends(), true
}

// ends reports whether nothing follows that a function without parentheses may take.
func (p *perlProgram) ends() bool {
	switch c := p.peek(); c {
	case 0, ';', '}', ')', ']', ',', '>', ':':
		return true
	case '=', '.':
		return c == '=' && p.ahead(1) == '=' || c == '.' && !isDigit(p.ahead(1))
	default:
		return isLetter(c) && slices.Contains(perlEnds, p.next())
	}
}

// bare reads what may follow a word that stands alone or takes one variable.
func (p *perlProgram) bare(word string) bool {
	p.space()
	switch c := p.peek(); {
	case p.ends(), c == '=' && p.ahead(1) != '~':
		return true
	case c == '(' && (word == "shift" || word == "pop" || word == "eof" || word == "time" || word == "undef"):
		p.group()
		return true
	case c == '@' && (word == "shift" || word == "pop"), (c == '@' || c == '$' || c == '%') && word == "undef":
		p.variable()
		return true
	}
	p.fail()
	return false
}
