package mask

import "strings"

// piece is a word of a text, without the quotes around it.
type piece struct {
	text  string
	start int  // in the whole text, in bytes
	end   bool // nothing but the end of a command: ; | & and line ends
}

// maxLine is how much of one line is read as words, in bytes. More is a text of
// another kind.
const maxLine = 64 << 10

// lines reads a text as lines of a shell and marks what stands in it by its
// place. What is no shell command has few such places.
func (f *finder) lines() { f.commands(f.text, 0, 0) }

// deepest is how far texts in quotes are read that hold texts in quotes.
const deepest = 3

// commands reads a text that begins at offset as lines of a shell.
func (f *finder) commands(text string, offset, depth int) {
	pieces := split(text)
	var before []piece // the command that writes to the next one's pipe
	for len(pieces) > 0 {
		n := 0
		for n < len(pieces) && !pieces[n].end {
			n++
		}
		command := pieces[:min(n, maxWords)]
		words := make([]string, len(command))
		for i := range command {
			words[i] = command[i].text
			command[i].start += offset
			if depth < deepest && strings.ContainsAny(words[i], " \n") {
				f.commands(words[i], command[i].start, depth+1)
			}
		}
		for _, s := range operands(words) {
			f.mark(command[s.word].start+s.start, command[s.word].start+s.end)
		}
		if TakesSecret(words) {
			if len(before) > 0 && Prints(before[0].text) {
				for _, p := range before[1:] {
					f.printed(p)
				}
			}
			for i := range command {
				if i > 0 && command[i-1].text == "<<<" {
					f.printed(command[i])
				} else if rest, ok := strings.CutPrefix(command[i].text, "<<<"); ok && rest != "" {
					f.printed(piece{text: strings.Trim(rest, `'"`), start: command[i].start + strings.Index(command[i].text, strings.Trim(rest, `'"`))})
				}
			}
		}
		before = nil
		if n < len(pieces) {
			if pieces[n].text == "|" {
				before = command
			}
			n++
		}
		pieces = pieces[n:]
	}
}

// maxWords is how many words of a command are looked at.
const maxWords = 400

// printed marks a word that is printed for a program that takes a secret.
func (f *finder) printed(p piece) {
	if (Masker{}).Input(p.text) == Secret(len(p.text)) {
		f.mark(p.start, p.start+len(p.text))
	}
}

// Prints reports whether a program prints its operands.
func Prints(program string) bool { return listed("echo printf print", base(program)) }

// split reads words as a shell does, near enough: quotes hold blanks, and what
// parts commands is a word of its own.
func split(text string) []piece {
	var list []piece
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case b == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
		case b == ' ' || b == '\t' || b == '\r' || b == ',':
			i++
		case strings.IndexByte(";|&\n(){}[]", b) >= 0:
			end := b != '{' && b != '}' && b != '[' && b != ']'
			if b == '|' && i+1 < len(text) && text[i+1] == '|' {
				i++
				b = ';'
			}
			if end {
				list = append(list, piece{string(b), i, true})
			}
			i++
		default:
			p, end := next(text, i)
			if p.text != "" {
				list = append(list, p)
			}
			i = end
		}
	}
	return list
}

// next reads the word at i, and returns where it ends.
func next(text string, i int) (piece, int) {
	start := i
	var open byte
	for limit := min(len(text), i+maxLine); i < limit; i++ {
		b := text[i]
		switch {
		case open != 0:
			if b == '\\' && open == '"' && i+1 < limit {
				i++
			} else if b == open {
				open = 0
			}
		case b == '"' || b == '\'':
			open = b
		case b == '\\' && i+1 < limit && text[i+1] != '\n':
			i++
		case blank(b) || strings.IndexByte(";|&()", b) >= 0 || b == ',' && i+1 < limit && (text[i+1] == ' ' || quote(text[i+1])):
			return unquoted(text, start, i), i
		}
	}
	if open != 0 { // an apostrophe, and no quote
		for i = start + 1; i < len(text) && !blank(text[i]); {
			i++
		}
	}
	return unquoted(text, start, i), i
}

// unquoted is a word without the quotes around it.
func unquoted(text string, start, end int) piece {
	if end-start >= 2 && quote(text[start]) && text[end-1] == text[start] {
		start, end = start+1, end-1
	}
	return piece{text: text[start:end], start: start}
}
