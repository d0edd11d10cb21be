package python

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mutator makes texts that are nearly Python.
type mutator struct{ *rand.Rand }

// inserted are what a mutation adds: tokens, and characters that only look
// like white space, or turn the direction of what is shown.
var inserted = strings.Split("( ) [ ] { } , : ; . = == := != -> * ** / // @ & | ^ ~ < > <> ... ! $ ? ` \\ # + - += "+
	"if else elif for in while def class lambda return yield from import as with async await not and or is None True try except "+
	"finally raise del global nonlocal assert pass match case type _ print exec x f r b u rb br fr rf t "+
	"' \" ''' \"\"\" f' f\" {x} {{ }} {x!r} {x:>5} {x=} !r \\n \\N{BULLET} \\x41 \\u00e9 \\777 \\{ 0 1 1_0 0x1f 0o7 0b1 1e5 1.5 .5 1j 07 1__0 0_ 1_ é µ ﬁ ª \u0301", " ")

var spaces = []string{" ", "  ", "    ", "\t", "\n", "\r\n", "\r", "\f", "\v", "\x00", "\x1a", "\u00a0", "\u200b", "\u2028", "\u202e", "\ufeff", "\u3000", "\\\n", "\n\n", ";", "# c\n"}

func pick[T any](m mutator, list []T) T { return list[m.IntN(len(list))] }

// part returns some lines of a text, without the margin of their first.
func (m mutator) part(text string) string {
	lines := strings.SplitAfter(text, "\n")
	from := m.IntN(len(lines))
	lines = lines[from:min(len(lines), from+1+m.IntN(8))]
	margin := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	var b strings.Builder
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, margin)
		if i > 0 && !ok && strings.TrimSpace(line) != "" {
			break
		}
		b.WriteString(rest)
	}
	return b.String()
}

// mutate changes a text in one place to three.
func (m mutator) mutate(text string) string {
	for range 1 + m.IntN(3)*m.IntN(2) {
		text = m.once(text)
	}
	return text
}

func (m mutator) once(text string) string {
	starts := pieces(text)
	i := m.IntN(len(starts) - 1)
	from, to := starts[i], starts[i+1]
	piece := text[from:to]
	switch m.IntN(10) {
	case 0, 1:
		piece = ""
	case 2:
		piece += piece
	case 3:
		j := m.IntN(len(starts) - 1)
		piece = text[starts[j]:starts[j+1]]
	case 4, 5:
		piece = pick(m, inserted) + piece
	case 6:
		piece = pick(m, spaces) + piece
	case 7:
		piece = pick(m, inserted)
	case 8: // the margin of a line
		lines := strings.SplitAfter(text, "\n")
		j := m.IntN(len(lines))
		if m.IntN(2) == 0 {
			lines[j] = pick(m, []string{" ", "    ", "\t", "        ", "\f"}) + lines[j]
		} else if len(lines[j]) > 0 && strings.ContainsAny(lines[j][:1], " \t") {
			lines[j] = lines[j][1:]
		}
		return strings.Join(lines, "")
	case 9: // quotes
		old := pick(m, []string{"'", `"`, "f'", `f"`, "'''", `"""`})
		at := strings.Index(text[from:], old)
		if at < 0 {
			return text
		}
		return text[:from+at] + pick(m, []string{"'", `"`, "f'", `f"`, "rf'", "b'", "'''", `"""`, "t'", "R'"}) + text[from+at+len(old):]
	}
	return text[:from] + piece + text[to:]
}

// quotes are what strings with fields are made of.
var quotes = strings.Split("f' f\" f''' rf' F\" ' ' \" ''' { { } } {{ }} {a} {a {a: {a! a b 1 !r !s != = == := : : :> , . + - * ( ) [ ] lambda if else for in yield "+
	"\\ \\n \\' \\{ \\} \\N{BULLET} \\x41 \\\n \n \r\n # é b' t' r' u'", " ")

// soup makes a string with fields, or nearly one.
func (m mutator) soup() string {
	text := pick(m, quotes[:5])
	end := strings.TrimLeft(text, "rfF")
	for range 1 + m.IntN(8) {
		if text += pick(m, quotes); m.IntN(6) == 0 {
			text += " "
		}
	}
	return text + end + "\n"
}

// pieces are where words and other characters of a text begin, and its end.
func pieces(text string) []int {
	var starts []int
	inWord := false
	for i, r := range text {
		word := r < 0x80 && isNameByte(byte(r))
		if !word || !inWord {
			starts = append(starts, i)
		}
		inWord = word
	}
	if len(starts) == 0 {
		starts = []int{0}
	}
	return append(starts, len(text))
}

// texts are short texts to change: those of testdata, and the Python in the
// command lines of BASHGATE_CORPORA.
func texts(t *testing.T) []string {
	t.Helper()
	list := goldenTexts(t)
	for _, file := range strings.Fields(os.Getenv("BASHGATE_CORPORA")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var row struct{ Cmd string }
			if err := json.Unmarshal([]byte(line), &row); err == nil {
				list = append(list, inCommand(row.Cmd)...)
			}
		}
	}
	return list
}

// libraryTexts are the tests of a Python's syntax that come with it.
func libraryTexts(p *cpython) []string {
	var list []string
	for _, name := range strings.Fields("argparse asyncio/base_events dataclasses enum inspect typing subprocess tokenize " +
		"test/test_grammar test/test_fstring test/test_patma test/test_with test/test_unpack_ex test/test_named_expressions test/test_type_params " +
		"test/test_positional_only_arg test/test_generators test/test_decorators test/test_except_star test/test_string_literals test/test_coroutines") {
		if text, err := os.ReadFile(filepath.Join(p.standard(), name+".py")); err == nil {
			list = append(list, string(text))
		}
	}
	return list
}

// inCommand finds Python in a command line: what stands quoted behind
// python -c, and here-documents. Not all that it finds is Python.
func inCommand(command string) []string {
	var list []string
	for rest := command; ; {
		_, after, ok := strings.Cut(rest, "<<")
		if !ok {
			break
		}
		rest = after
		head, body, ok := strings.Cut(after, "\n")
		if !ok {
			break
		}
		word := strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" '\"-|>&;", r) })
		if len(word) == 0 {
			continue
		}
		if text, _, ok := strings.Cut(body, "\n"+word[0]); ok && (strings.Contains(command, "python") || strings.Contains(command, ".py")) {
			list = append(list, text+"\n")
		}
	}
	if _, after, ok := strings.Cut(command, "python"); ok {
		for _, quote := range []string{"'", `"`} {
			if _, text, ok := strings.Cut(after, "-c "+quote); ok {
				if end := strings.LastIndex(text, quote); end > 0 {
					text = text[:end]
				}
				if quote == `"` {
					text = strings.NewReplacer(`\"`, `"`, `\$`, `$`, `\\`, `\`).Replace(text)
				}
				list = append(list, text)
			}
		}
	}
	return list
}

// TestMutations changes texts at random. What Parse reads some version of
// Python reads, and whichever does makes the same tree of it.
func TestMutations(t *testing.T) {
	count := 300
	if n, err := strconv.Atoi(os.Getenv("BASHGATE_MUTATIONS")); err == nil {
		count = n
	}
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("BASHGATE_SEED"), 10, 64); err == nil {
		seed = n
	}
	var all []*cpython
	for _, name := range pythons() {
		if p := startPython(t, name); p != nil {
			all = append(all, p)
		} else {
			t.Logf("NOT COMPARED: there is no %s", name)
		}
	}
	if len(all) == 0 {
		t.Skip("NOT COMPARED: there is no Python")
	}
	list := texts(t)
	m := mutator{rand.New(rand.NewPCG(seed, 0))}
	figures := make([]agreement, len(all))
	newest := 0
	for _, p := range all {
		newest = max(newest, p.minor)
	}
	compareAll := func(name, text string) {
		read := false
		for i, p := range all {
			before := figures[i]
			figures[i].compare(t, p, name, text)
			read = read || figures[i].newer == before.newer
		}
		if m, err := Parse(text); err == nil && !read && !onlyNewer(m, newest) {
			t.Errorf("%s: no Python reads it: %q", name, text)
		}
	}
	for i, text := range list {
		compareAll("text "+strconv.Itoa(i), text)
	}
	for i, p := range all {
		t.Logf("%s: %d texts: %s", filepath.Base(p.name), len(list), &figures[i])
		figures[i] = agreement{}
	}
	for _, p := range all {
		list = append(list, libraryTexts(p)...)
	}
	for i := range count {
		if i%3 == 0 {
			compareAll("soup "+strconv.Itoa(i), m.soup())
		} else {
			compareAll("mutation "+strconv.Itoa(i), m.mutate(m.part(pick(m, list))))
		}
	}
	for i, p := range all {
		t.Logf("%s: %d mutations and soups: %s", filepath.Base(p.name), count, &figures[i])
	}
}

// onlyNewer says whether a text is in the syntax of a newer Python than those
// compared with, or has a character of a name that none may have.
func onlyNewer(m *Module, newest int) bool {
	d := dump(m, newest)
	if strings.Contains(d, " ?\n") {
		return true
	}
	return newest < 13 || newest < 14 && (strings.Contains(d, "TemplateStr") || strings.Contains(d, "type=Tuple"))
}
