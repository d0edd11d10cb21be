package gates

import "strings"

// awkKind is the kind of an awk token.
type awkKind uint8

const (
	awkEnd     awkKind = iota // the end of the program
	awkName                   // also keywords
	awkNumber                 // also one that is not known
	awkString                 // with its quotes
	awkRegex                  // with its slashes
	awkOp                     // all else but newlines
	awkNewline                // one that may end a statement
)

// awkToken is a piece of an awk program.
type awkToken struct {
	kind awkKind
	from int32 // in the text
	to   int32
	text string
}

func (t awkToken) is(op string) bool { return t.kind == awkOp && t.text == op }

func (t awkToken) named(name string) bool { return t.kind == awkName && t.text == name }

// endsOperand reports whether the token can be the last one of an operand.
func (t awkToken) endsOperand() bool {
	switch t.kind {
	case awkName, awkNumber, awkString, awkRegex:
		return true
	case awkOp:
		return t.text == ")" || t.text == "]" || t.text == "++" || t.text == "--"
	}
	return false
}

// endsStatement reports whether the token is behind a simple statement.
func (t awkToken) endsStatement() bool {
	return t.kind == awkEnd || t.kind == awkNewline || t.is(";") || t.is("}")
}

// awkTokens is the text of an awk program on its way to tokens.
type awkTokens struct {
	code
	at     int
	tokens []awkToken
	// heads says of each open parenthesis whether it belongs to if, while or
	// for: what follows such a one is a statement, not an operator.
	heads    []bool
	headOver bool // the last ")" closed one of these
}

// tokenize splits a program into tokens, with an awkEnd behind them. It
// reports false where it can't be sure of a token, or where implementations
// of awk disagree about one.
//
// What a slash means depends on the token before it. After an operand it
// divides, else it starts a regex; after ++, getline and a few others the
// implementations disagree.
func (a *awkTokens) tokenize() bool {
	a.tokens = make([]awkToken, 0, len(a.text)/4+8)
	for a.at < len(a.text) {
		from, ok := a.at, true
		switch c := a.text[from]; {
		case isBlank(c):
			a.at++
			continue
		case c == '\\' && strings.HasPrefix(a.text[from:], "\\\n"):
			a.at += 2
			continue
		case c == '#':
			if n := strings.IndexByte(a.text[from:], '\n'); n >= 0 {
				a.at += n
			} else {
				a.at = len(a.text)
			}
			continue
		case c == '\n':
			a.at++
			a.push(awkNewline, from)
		case c == '"':
			ok = a.quoted('"')
			a.push(awkString, from)
		case c == '/' && a.regexMayStart():
			ok = a.quoted('/')
			a.push(awkRegex, from)
		case c == '/' && !a.last().endsOperand():
			ok = false
		case isLetter(c):
			a.skipWord()
			ok = !strings.Contains(a.text[from:a.at], string(rune(number)))
			a.push(awkName, from)
		case isDigit(c) || c == '.' && from+1 < len(a.text) && isDigit(a.text[from+1]):
			a.number()
			text := a.text[from:a.at]
			ok = text == string(rune(number)) || !strings.Contains(text, string(rune(number)))
			a.push(awkNumber, from)
		default:
			ok = a.operator()
		}
		if !ok {
			return false
		}
	}
	a.push(awkEnd, a.at)
	return len(a.heads) == 0
}

func (a *awkTokens) push(kind awkKind, from int) {
	a.tokens = append(a.tokens, awkToken{kind, int32(from), int32(a.at), a.text[from:a.at]})
}

func (a *awkTokens) last() awkToken {
	if len(a.tokens) == 0 {
		return awkToken{kind: awkNewline}
	}
	return a.tokens[len(a.tokens)-1]
}

func (a *awkTokens) skipWord() {
	for a.at < len(a.text) && (isLetter(a.text[a.at]) || isDigit(a.text[a.at])) {
		a.at++
	}
}

// number reads a number with all that could belong to it: 1.5e+3, 0x1F.
func (a *awkTokens) number() {
	for a.at < len(a.text) {
		c := a.text[a.at]
		sign := (c == '+' || c == '-') && (a.text[a.at-1]|0x20) == 'e' && a.at+1 < len(a.text) && isDigit(a.text[a.at+1])
		if !isDigit(c) && !isLetter(c) && c != '.' && !sign {
			return
		}
		a.at++
	}
}

// regexMayStart reports whether a slash here starts a regex in every awk.
func (a *awkTokens) regexMayStart() bool {
	switch t := a.last(); t.kind {
	case awkNewline:
		return true
	case awkName:
		switch t.text {
		case "print", "printf", "return", "case", "else", "do":
			return true
		}
	case awkOp:
		return !t.endsOperand() && t.text != "$"
	}
	return false
}

// quoted reads a string or a regex up to its closing quote.
func (a *awkTokens) quoted(quote byte) bool {
	for a.at++; a.at < len(a.text); {
		switch c := a.text[a.at]; {
		case c == quote:
			a.at++
			return true
		case c == '\n', c == '\\' && (a.at+1 == len(a.text) || a.text[a.at+1] == '\n'):
			return false
		case c == '\\':
			a.at += 2
		case c == '[' && quote == '/':
			if !a.bracket() {
				return false
			}
		default:
			a.at++
		}
	}
	return false
}

// bracket reads a bracket expression of a regex. A slash in it does not end
// the regex; for the implementations that think otherwise the regex is then
// broken, and they end before they run anything. That holds only where the
// bracket is open for those that take \] as an escape and for those that
// don't.
//
//	[^/]   [\]]   [a\]/]
func (a *awkTokens) bracket() bool {
	end, ok := bracket(a.text, a.at)
	closed := false // for those that don't
	for ok {
		if closed && strings.IndexByte(a.text[a.at:end], '/') >= 0 {
			return false
		}
		a.at = end
		escapes := 0
		for a.text[end-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return true
		}
		closed = true
		end, ok = bracketEnd(a.text, end)
	}
	return false
}

// operator reads an operator or a sign of punctuation.
func (a *awkTokens) operator() bool {
	from := a.at
	rest := a.text[from:]
	a.at++
	if len(rest) > 1 {
		switch rest[:2] {
		case "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "!=", "<=", ">=", ">>", "&&", "||", "|&", "!~":
			a.at++
			if strings.HasPrefix(rest, "**=") {
				a.at++
			}
		}
	}
	op := a.text[from:a.at]
	switch op {
	case "(":
		t := a.last()
		a.heads = append(a.heads, t.named("if") || t.named("while") || t.named("for") || t.named("switch"))
	case ")":
		if len(a.heads) == 0 {
			return false
		}
		a.headOver = a.heads[len(a.heads)-1]
		a.heads = a.heads[:len(a.heads)-1]
	case "/", "/=":
		switch t := a.last(); {
		case t.is(")"):
			if a.headOver {
				return false
			}
		case t.is("++"), t.is("--"), t.kind == awkRegex:
			return false
		case t.kind == awkName:
			switch t.text {
			case "getline", "in", "length", "exit", "delete", "next", "nextfile", "break", "continue", "if", "while", "for", "switch", "default", "function", "func":
				return false
			}
		}
	default:
		if len(op) == 1 && strings.IndexByte("{}[];,+-*%^!<>|?:~$=@&", op[0]) < 0 {
			return false
		}
	}
	a.push(awkOp, from)
	return true
}
