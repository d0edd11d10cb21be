package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Loops that zsh has and the parser does not: for x (a b) cmd, and repeat 3; do
// (zshmisc(1), Alternate Forms for Complex Commands). Where the parser gives up at
// one it is given a text of the same length in which it reads one of its own, so
// that every other place stays where it is; what it could not see is put in the
// tree. Where anything else than what was looked for comes of that, the text stays
// one that can't be read.

// shortLoop is the head of for x (a b), by places of the text.
type shortLoop struct {
	at    int         // the keyword
	name  *syntax.Lit // the variable
	words [2]int      // between the parentheses
	body  int         // of a loop over one command: where that begins; 0: of one with do or braces
}

// zshLoop rewrites the loop at which the parser gave up.
func zshLoop(text string, at syntax.Pos) (plain string, loop *shortLoop, ok bool) {
	i := int(at.Offset())
	switch rest := text[min(i, len(text)):]; {
	case strings.HasPrefix(rest, "for "):
		return headOf(text, at)
	case strings.HasPrefix(rest, "done"):
		// repeat 3 do ls; done
		from := strings.LastIndex(text[:i], "repeat ")
		if from < 0 {
			return text, nil, false
		}
		number, more, _ := strings.Cut(text[from+len("repeat "):i], " ")
		if !isDigits(number) || !strings.HasPrefix(strings.TrimLeft(more, " "), "do") {
			return text, nil, false
		}
		return over(text, from, from+len("repeat ")+len(number), "while :;"), nil, true
	case strings.HasPrefix(rest, "do"):
		// repeat 3; do ls; done
		head := strings.TrimRight(text[:i], " \t\n")
		head = strings.TrimRight(strings.TrimSuffix(head, ";"), " ")
		from := strings.LastIndex(head, "repeat ")
		if from < 0 || !isDigits(head[from+len("repeat "):]) {
			return text, nil, false
		}
		return over(text, from, len(head), "while :"), nil, true
	}
	return text, nil, false
}

// over writes something over a part of a text that is as long or longer.
func over(text string, from, to int, with string) string {
	return text[:from] + with + strings.Repeat(" ", to-from-len(with)) + text[to:]
}

// headOf reads for x (a b) and what follows it. The words are such that nothing in
// them can hold the parenthesis.
func headOf(text string, at syntax.Pos) (plain string, loop *shortLoop, ok bool) {
	i := int(at.Offset())
	name, rest, _ := strings.Cut(text[i+len("for "):], "(")
	words, after, closed := strings.Cut(rest, ")")
	open := len(text) - len(rest) - 1
	end := open + 1 + len(words)
	variable := strings.TrimSpace(name)
	if !closed || !isName(variable) || strings.Contains(name, "\n") || strings.ContainsAny(words, "\n(;&|<>'\"\\`#^{}") || strings.Contains(words, "$(") {
		return text, nil, false
	}
	start := i + len("for ") + strings.Index(name, variable)
	from, to := moved(at, start-i), moved(at, start-i+len(variable))
	loop = &shortLoop{at: i, name: &syntax.Lit{ValuePos: from, ValueEnd: to, Value: variable}, words: [2]int{open + 1, end}}
	body := strings.TrimLeft(after, " \t")
	ended := strings.TrimLeft(body, "; \t\n")
	switch {
	case strings.HasPrefix(body, "{ ") || strings.HasPrefix(body, "{\n") || strings.HasPrefix(body, "do ") || strings.HasPrefix(body, "do\n"):
		return over(text, open, end+1, strings.Repeat(" ", end-open)+";"), loop, true
	case strings.HasPrefix(ended, "do ") || strings.HasPrefix(ended, "do\n"):
		return over(text, open, end+1, ""), loop, true
	case ended != body || body == "":
		return text, nil, false
	}
	loop.body = len(text) - len(body)
	return over(text, i, end+1, ""), loop, true
}

// moved is a place further on in the same line.
func moved(p syntax.Pos, n int) syntax.Pos {
	return syntax.NewPos(p.Offset()+uint(n), p.Line(), p.Col()+uint(n))
}

// restore puts the words of a loop in the tree, which was made without them. It
// reports false where the loop is not there, or is part of a longer list, which zsh
// takes for its body.
func (l *shortLoop) restore(rd *Reader, file *syntax.File, text string) bool {
	items, ok := l.items(rd, text)
	iter := &syntax.WordIter{Name: l.name, InPos: l.name.End(), Items: items}
	inner := make(map[*syntax.Stmt]bool) // statements of a longer one
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			inner[n.X], inner[n.Y] = true, true
		case *syntax.TimeClause:
			inner[n.Stmt] = true
		case *syntax.CoprocClause:
			inner[n.Stmt] = true
		case *syntax.FuncDecl:
			inner[n.Body] = true
		case *syntax.ForClause:
			if l.body == 0 && int(n.ForPos.Offset()) == l.at {
				n.Loop, found = iter, true
			}
		case *syntax.Stmt:
			if l.body != 0 && int(n.Pos().Offset()) == l.body && !found && !inner[n] && !n.Background {
				body, end := *n, n.End()
				loop := &syntax.ForClause{ForPos: n.Pos(), DoPos: n.Pos(), DonePos: syntax.NewPos(end.Offset()-4, end.Line(), end.Col()), Loop: iter, Do: []*syntax.Stmt{&body}}
				*n, found = syntax.Stmt{Cmd: loop, Position: n.Position, Semicolon: n.Semicolon}, true
			}
		}
		return !found
	})
	return ok && found
}

// items are the words of a loop, at their places.
func (l *shortLoop) items(rd *Reader, text string) ([]*syntax.Word, bool) {
	before := []byte(text[:l.words[0]])
	for i, c := range before {
		if c != '\n' {
			before[i] = ' '
		}
	}
	before[l.at] = ':'
	file, err := rd.parse(rd.plain, string(before)+text[l.words[0]:l.words[1]])
	if err != nil || len(file.Stmts) != 1 || len(file.Stmts[0].Redirs) > 0 {
		return nil, false
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) < 2 {
		return nil, false
	}
	return call.Args[1:], true
}
