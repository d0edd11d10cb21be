package gates

import (
	"strings"
)

// sqlDialect is the SQL that a client speaks.
type sqlDialect uint8

const (
	sqlAny sqlDialect = iota // any other: only what all of them agree about
	sqlPostgres
	sqlMySQL
	sqlSQLite
	sqlDuckDB
)

// sqlKind is the kind of an SQL token.
type sqlKind uint8

const (
	sqlEnd    sqlKind = iota // of the text
	sqlSemi                  // the end of a statement
	sqlWord                  // a keyword or a name
	sqlQuoted                // a name in quotes; in MySQL also a string
	sqlString                // a string constant
	sqlNumber                // also one that is not known
	sqlPunct                 // one character of punctuation
)

// sqlToken is a piece of a statement.
type sqlToken struct {
	kind sqlKind
	text string // sqlWord: in lower case. sqlQuoted, sqlString: without quotes, "" if its escapes are not understood
	from int32  // in the text
	to   int32
	mate int32 // of a parenthesis: the index of its other half; 0 if there is none
}

func (t sqlToken) is(punct byte) bool { return t.kind == sqlPunct && t.text[0] == punct }

func (t sqlToken) word(words ...string) bool {
	if t.kind != sqlWord {
		return false
	}
	for _, w := range words {
		if t.text == w {
			return true
		}
	}
	return false
}

// sqlTokens is SQL on its way to tokens.
type sqlTokens struct {
	code
	dialect sqlDialect
	at      int
	tokens  []sqlToken
	client  []string // the client's own commands, from the backslash up to the end of the line
}

// tokenize splits a text into tokens, with an sqlEnd behind them. It reports
// false where servers, or their settings, read it differently.
func (s *sqlTokens) tokenize() bool {
	s.tokens = make([]sqlToken, 0, len(s.text)/4+8)
	for s.at < len(s.text) {
		c, next := s.text[s.at], byte(0)
		if s.at+1 < len(s.text) {
			next = s.text[s.at+1]
		}
		from, ok := s.at, true
		switch {
		case isSpace(c):
			s.at++
		case c == '-' && next == '-':
			ok = s.lineComment()
		case c == '#' && s.dialect == sqlMySQL:
			s.skipLine()
		case c == '/' && next == '*':
			ok = s.blockComment()
		case c == '\'':
			ok = s.quoted(sqlString, false)
		case c == '"' || c == '`' && (s.dialect == sqlMySQL || s.dialect == sqlSQLite):
			ok = s.quoted(sqlQuoted, false)
		case c == '`' && s.dialect == sqlAny: // an operator for some
			ok = s.plainName('`')
		case c == '[' && (s.dialect == sqlSQLite || s.dialect == sqlAny): // an index for some
			ok = s.plainName(']')
		case c == '$':
			ok = s.dollar()
		case c == ';':
			s.at++
			s.push(sqlSemi, from)
		case c == '\\':
			ok = s.backslash()
		case isLetter(c) || c >= 0x80 && s.dialect != sqlAny:
			ok = s.word()
		case isDigit(c) || c == '.' && next != 0 && isDigit(next):
			ok = s.number()
		default:
			ok = s.punct(c)
		}
		if !ok {
			return false
		}
	}
	s.push(sqlEnd, s.at)
	return s.pair()
}

func (s *sqlTokens) push(kind sqlKind, from int) {
	s.add(kind, from, s.text[from:s.at])
}

// add notes a token that ends here, with a text of its own.
func (s *sqlTokens) add(kind sqlKind, from int, text string) {
	s.tokens = append(s.tokens, sqlToken{kind: kind, text: text, from: int32(from), to: int32(s.at)})
}

func (s *sqlTokens) skipLine() {
	if n := strings.IndexByte(s.text[s.at:], '\n'); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
}

// lineComment skips a comment after two dashes. MySQL wants a blank behind
// them, else they are two signs.
func (s *sqlTokens) lineComment() bool {
	blank := s.at+2 == len(s.text) || isSpace(s.text[s.at+2])
	switch {
	case blank || s.dialect != sqlMySQL && s.dialect != sqlAny:
		s.skipLine()
		return true
	case s.dialect == sqlMySQL:
		s.at++
		s.push(sqlPunct, s.at-1)
		return true
	}
	return false
}

// blockComment skips a comment. It does not take comments with code (MySQL's
// /*! and hints) and those in others, which nest for some servers only.
func (s *sqlTokens) blockComment() bool {
	body, _, ok := strings.Cut(s.text[s.at+2:], "*/")
	if !ok || strings.Contains(body, "/*") || strings.HasSuffix(body, "/") {
		return false
	}
	if s.dialect == sqlMySQL || s.dialect == sqlAny {
		if strings.HasPrefix(body, "!") || strings.HasPrefix(body, "+") || strings.HasPrefix(body, "M!") {
			return false
		}
	}
	s.at += len(body) + 4
	return true
}

// quoted reads a string or a quoted name; its quote is doubled inside. A
// backslash before a quote is an escape or a character, depending on server
// and settings, unless the string says so itself (E'...').
func (s *sqlTokens) quoted(kind sqlKind, escapes bool) bool {
	from := s.at
	quote := s.text[from]
	if s.dialect == sqlAny && strings.HasPrefix(s.text[from:], strings.Repeat(string(rune(quote)), 3)) {
		return false // BigQuery's """
	}
	clean := true
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\' && s.dialect != sqlSQLite:
			clean = false
			if s.at+1 < len(s.text) && s.text[s.at+1] == quote && !escapes && s.dialect != sqlDuckDB {
				return false
			}
			if s.dialect != sqlDuckDB || escapes {
				s.at++
			}
		case c == number:
			clean = false
		case c != quote:
		case s.at+1 < len(s.text) && s.text[s.at+1] == quote:
			s.at++
		default:
			s.at++
			q := string(rune(quote))
			text := ""
			if clean {
				text = strings.ReplaceAll(s.text[from+1:s.at-1], q+q, q)
			}
			s.add(kind, from, text)
			return true
		}
	}
	return false
}

// plainName reads a quoted name up to its closing quote. It takes only what
// is harmless for those to whom that is no quote.
func (s *sqlTokens) plainName(closing byte) bool {
	from := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == closing:
			s.at++
			s.add(sqlQuoted, from, s.text[from+1:s.at-1])
			return true
		case !isLetter(c) && !isDigit(c) && strings.IndexByte(" .-", c) < 0 || c == number:
			return false
		}
	}
	return false
}

// dollar reads $1 and, for the servers that know it, $tag$string$tag$.
func (s *sqlTokens) dollar() bool {
	from := s.at
	s.at++
	for s.at < len(s.text) && (isLetter(s.text[s.at]) || isDigit(s.text[s.at])) {
		s.at++
	}
	tag := s.text[from:s.at]
	if s.dialect != sqlPostgres && s.dialect != sqlDuckDB || strings.IndexByte(tag, number) >= 0 {
		return false
	}
	switch {
	case len(tag) > 1 && isDigit(tag[1]):
		s.push(sqlNumber, from)
		return s.at == len(s.text) || s.text[s.at] != '$'
	case s.at == len(s.text) || s.text[s.at] != '$':
		return false
	}
	tag += "$"
	body, _, ok := strings.Cut(s.text[s.at+1:], tag)
	if !ok {
		return false
	}
	s.at += 1 + len(body) + len(tag)
	s.add(sqlString, from, body)
	return true
}

// backslash reads a command of psql or mysql itself.
func (s *sqlTokens) backslash() bool {
	from := s.at
	rest := s.text[from:]
	switch {
	case s.dialect == sqlMySQL && len(rest) > 1 && (rest[1] == 'g' || rest[1] == 'G'):
		s.at += 2
		s.push(sqlSemi, from)
		return true
	case s.dialect == sqlPostgres:
		line, _, _ := strings.Cut(rest, "\n")
		if n := strings.IndexByte(line[1:], '\\'); n >= 0 {
			line = line[:n+1]
		}
		s.at += len(line)
		s.client = append(s.client, line)
		return true
	}
	return false
}

// word reads a keyword, a name, or the letters before a string.
func (s *sqlTokens) word() bool {
	from := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		if !isLetter(c) && !isDigit(c) && (c < 0x80 || s.dialect == sqlAny) && c != '$' {
			break
		}
		s.at++
	}
	word := s.text[from:s.at]
	if strings.IndexByte(word, number) >= 0 || strings.IndexByte(word, '$') >= 0 {
		return false
	}
	if s.at < len(s.text) && s.text[s.at] == '\'' && (word == "e" || word == "E") {
		return s.quoted(sqlString, s.dialect != sqlAny)
	}
	kind := sqlWord
	if (s.dialect == sqlAny || s.dialect == sqlSQLite) && strings.EqualFold(word, "go") && s.alone(from) {
		kind = sqlSemi
	}
	s.add(kind, from, strings.ToLower(word))
	return true
}

// alone reports whether what was read since from has its line for itself.
func (s *sqlTokens) alone(from int) bool {
	before := strings.TrimRight(s.text[:from], " \t")
	after := strings.TrimLeft(s.text[s.at:], " \t")
	return (before == "" || before[len(before)-1] == '\n') && (after == "" || after[0] == '\n')
}

// number reads 12, 1.5e-3, 0x1F, or one that is not known. A letter behind it
// begins a word for some servers.
func (s *sqlTokens) number() bool {
	from := s.at
	digits := func(set string) {
		for s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
			s.at++
		}
	}
	switch {
	case s.text[s.at] == number:
		s.at++
	case strings.HasPrefix(s.text[s.at:], "0x"):
		s.at += 2
		digits("0123456789abcdefABCDEF")
	default:
		digits("0123456789.")
		if rest := s.text[s.at:]; len(rest) > 1 && rest[0]|0x20 == 'e' && (isDigit(rest[1]) || len(rest) > 2 && (rest[1] == '-' || rest[1] == '+') && isDigit(rest[2])) {
			s.at += 2
			digits("0123456789")
		}
	}
	s.push(sqlNumber, from)
	if s.at == len(s.text) {
		return true
	}
	next := s.text[s.at]
	return !isLetter(next) && !isDigit(next) && next < 0x80 && next != '$'
}

// punct reads one character of punctuation. What begins a line with some of
// them is a command of some clients.
func (s *sqlTokens) punct(c byte) bool {
	if s.dialect == sqlAny {
		line := strings.TrimRight(s.text[:s.at], " \t")
		if strings.IndexByte("!@:", c) >= 0 && (line == "" || strings.HasSuffix(line, "\n")) {
			return false
		}
	}
	known := "()*,.+-/%<>=!|&^~?@:"
	switch s.dialect {
	case sqlPostgres:
		known += "[]#"
		// psql puts the value of a variable in place of :name and :'name'.
		if next := s.at + 1; c == ':' && next < len(s.text) && (s.at == 0 || s.text[s.at-1] != ':') &&
			(isLetter(s.text[next]) || strings.IndexByte(`'"{`, s.text[next]) >= 0) {
			return false
		}
	case sqlDuckDB:
		known += "[]{}#"
	case sqlSQLite:
		known = strings.Trim(known, "@:") // begin parameters with a syntax of their own
	}
	if strings.IndexByte(known, c) < 0 {
		return false
	}
	s.at++
	s.push(sqlPunct, s.at-1)
	return c != '/' || s.dialect != sqlAny && s.dialect != sqlSQLite || !s.alone(s.at-1) // ends a statement for some
}

// pair finds the mates of all parentheses. It reports false if one has none
// in its statement.
func (s *sqlTokens) pair() bool {
	var open []int32
	for i := range s.tokens {
		switch t := &s.tokens[i]; {
		case t.is('('):
			open = append(open, int32(i))
		case t.is(')'):
			if len(open) == 0 {
				return false
			}
			t.mate = open[len(open)-1]
			s.tokens[t.mate].mate = int32(i)
			open = open[:len(open)-1]
		case (t.kind == sqlSemi || t.kind == sqlEnd) && len(open) > 0:
			return false
		}
	}
	return true
}
