package gates

import "strings"

// javascript scans the little of JavaScript that scripts for mongosh need:
// names, constants, calls. Its methods report whether they could take what
// they met.
type javascript struct {
	text  string
	at    int
	depth int // of what is nested
}

// deeper notes that something nests, and reports false where it is too much.
func (j *javascript) deeper() bool {
	j.depth++
	return j.depth <= 100
}

func (j *javascript) shallower() { j.depth-- }

func (j *javascript) skipSpace() {
	for j.at < len(j.text) && isSpace(j.text[j.at]) {
		j.at++
	}
}

// peek returns the next character that is not blank; 0 at the end.
func (j *javascript) peek() byte {
	j.skipSpace()
	if j.at == len(j.text) {
		return 0
	}
	return j.text[j.at]
}

// take goes behind a character and reports whether it was there.
func (j *javascript) take(c byte) bool {
	if j.peek() != c {
		return false
	}
	j.at++
	return true
}

// name reads an identifier; "" if there is none.
func (j *javascript) name() string {
	j.skipSpace()
	from := j.at
	for j.at < len(j.text) && (isLetter(j.text[j.at]) || j.text[j.at] == '$' || j.at > from && isDigit(j.text[j.at])) {
		j.at++
	}
	return j.text[from:j.at]
}

// statements reads statements up to the end, with semicolons or newlines
// between them.
func (j *javascript) statements(statement func() bool) bool {
	for {
		for j.take(';') {
		}
		if j.peek() == 0 {
			return true
		}
		if !statement() {
			return false
		}
		end := j.at
		if c := j.peek(); c != 0 && c != ';' && !strings.Contains(j.text[end:j.at], "\n") {
			return false
		}
	}
}

// list reads a pair of brackets and the items with commas between them.
func (j *javascript) list(opening, closing byte, item func() bool) bool {
	if !j.take(opening) {
		return false
	}
	for !j.take(closing) {
		if j.at >= len(j.text) || !item() {
			return false
		}
		if !j.take(',') {
			return j.take(closing)
		}
	}
	return true
}

// simple reads a string, a number, true, false, null or undefined.
func (j *javascript) simple() bool {
	switch c := j.peek(); {
	case c == '"' || c == '\'':
		_, ok := j.quoted()
		return ok
	case isDigit(c) || c == '-':
		for j.at++; j.at < len(j.text) && (isDigit(j.text[j.at]) || j.text[j.at] == '.'); j.at++ {
		}
		return true
	}
	start := j.at
	switch j.name() {
	case "true", "false", "null", "undefined":
		return true
	}
	j.at = start
	return false
}

// quoted reads a string without escapes.
func (j *javascript) quoted() (string, bool) {
	quote := j.peek()
	if quote != '"' && quote != '\'' {
		return "", false
	}
	from := j.at + 1
	for j.at = from; j.at < len(j.text); j.at++ {
		switch j.text[j.at] {
		case quote:
			j.at++
			return j.text[from : j.at-1], true
		case '\\', '\n':
			return "", false
		}
	}
	return "", false
}
