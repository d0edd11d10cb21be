package manual

import (
	"slices"
	"strings"
)

// Help is what a program says of itself when it is asked with --help.
type Help struct {
	Options  []Option // of which the text says how they are spelled, and what they take
	Unclear  []Option // of which it does not, by the spellings that can be read
	Commands []string // its subcommands
}

// most is how many options, and how many subcommands, are read.
const most = 1000

// ReadHelp reads the text of a program's --help, in the ways in which getopt,
// cobra, clap, argparse, click and Go's flag write it: lines that begin with an
// option, with two blanks or a line end before the description; and sections
// about commands, with a name at the beginning of each line.
func ReadHelp(text string) Help {
	text = plain(text)
	r := helpReader{column: -1}
	for line := range strings.SplitSeq(text, "\n") {
		r.line(line)
	}
	// What the usage gives a value, and the list does not, is not clear.
	valued := usageValues(text)
	clear := r.Options[:0]
	for _, o := range r.Options {
		if o.Value == None && slices.ContainsFunc(o.Spellings, func(s string) bool { return valued[s] }) {
			o.Value = Unsaid
			r.Unclear = append(r.Unclear, o)
		} else {
			clear = append(clear, o)
		}
	}
	r.Options = clear
	return r.Help
}

// usageValues lists the options that a usage line shows with a value: "[--name
// <name>]".
func usageValues(text string) map[string]bool {
	valued := map[string]bool{}
	for _, part := range strings.Split(text, "[-")[1:] {
		part, _, _ = strings.Cut(part, "]")
		name, value, has := strings.Cut("-"+part, " ")
		if has && strings.TrimSpace(value) != "" && strings.IndexByte("|,-/", strings.TrimSpace(value)[0]) < 0 {
			valued[name] = true
		}
	}
	return valued
}

type helpReader struct {
	Help
	column   int     // where the last option begins; -1: no option is being read
	last     *Option // the one whose description goes on; nil: none
	commands bool    // the section is about commands
	indent   int     // where their names begin; -1: not seen yet
}

func (r *helpReader) line(line string) {
	text := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " "))
	switch {
	case text == "":
		return
	case isOption(text) && (r.column < 0 || indent <= r.column+6):
		r.option(text, indent)
		return
	case r.last != nil && indent > r.column:
		r.last.Text = strings.TrimSpace(r.last.Text + " " + text)
		return
	}
	r.column, r.last = -1, nil
	if indent <= 2 && isSection(text) {
		lower := strings.ToLower(text)
		r.commands = strings.Contains(lower, "command") || strings.Contains(lower, "positional arg")
		r.indent = -1
		return
	}
	if r.commands && indent > 0 {
		r.command(text, indent)
	}
}

// isOption reports whether a line begins with an option.
func isOption(text string) bool {
	name := strings.TrimLeft(text, "-")
	return len(name) < len(text) && len(name) > 0 && len(text)-len(name) <= 2 && (isLetter(name[0]) || strings.HasPrefix(name, "[no-]"))
}

// isSection reports whether a line is the head of a section: "Options:",
// "COMMANDS".
func isSection(text string) bool {
	return strings.HasSuffix(text, ":") || text == strings.ToUpper(text) && strings.IndexByte("[<{", text[0]) < 0
}

// option reads the line that an option begins.
func (r *helpReader) option(text string, indent int) {
	if r.column < 0 || indent < r.column {
		r.column = indent
	}
	for i := strings.Index(text, ",  "); i > 0; i = strings.Index(text, ",  ") {
		next := strings.TrimLeft(text[i+1:], " ")
		if next[0] != '-' {
			break
		}
		text = text[:i+1] + " " + next // -V,  --version
	}
	head, rest := text, ""
	if cut := strings.Index(text, "  "); cut > 0 {
		head, rest = text[:cut], strings.TrimSpace(text[cut:])
	}
	r.last = nil
	// The other half of a switch is an option of its own: --color / --no-color.
	for half := range strings.SplitSeq(head, " / ") {
		half, negated := strings.ReplaceAll(half, "--[no-]", "--"), strings.Contains(half, "--[no-]")
		o, ok := helpHeading(half)
		if !ok {
			for _, s := range spellings(half) {
				r.Unclear = add(r.Unclear, Option{Spellings: []string{s}, Text: rest, Takes: half})
				r.last = &r.Unclear[len(r.Unclear)-1]
			}
			continue
		}
		o.Text, o.Takes = rest, half
		if negated {
			no := Option{Value: None, Text: rest}
			for _, s := range o.Spellings {
				if name, long := strings.CutPrefix(s, "--"); long {
					no.Spellings = append(no.Spellings, "--no-"+name)
				}
			}
			r.Options = add(r.Options, no)
		}
		r.Options = add(r.Options, o)
		r.last = &r.Options[len(r.Options)-1]
	}
}

// add appends an option, up to a limit.
func add(list []Option, o Option) []Option {
	if len(list) >= most {
		return list
	}
	return append(list, o)
}

// helpHeading reads what names an option. It reports false where it is not
// certain what that takes, or whether it is one option.
func helpHeading(head string) (Option, bool) {
	if flag, repeated := strings.CutSuffix(head, "..."); repeated && !strings.ContainsAny(flag, "<[={") {
		head = flag // it may be given several times: -v, --verbose...
	}
	if strings.Contains(head, "...") {
		return Option{}, false
	}
	for i := 1; i < len(head)-1; i++ {
		if head[i] == ' ' && head[i+1] == '-' && strings.IndexByte(",|;", head[i-1]) < 0 && !strings.HasSuffix(head[:i], " or") &&
			!(i == 2 && strings.HasPrefix(head[i+1:], "--") && strings.Count(head, " -") == 1) { // -h --help
			return Option{}, false // a row of options
		}
		if head[i] == '=' && head[i+1] >= 'a' && head[i+1] <= 'z' {
			return Option{}, false // -p, --indicator-style=slash: what the short one stands for
		}
	}
	o, ok := heading(head)
	return o, ok && o.Value != Unsaid && !slices.ContainsFunc(o.Spellings, func(s string) bool { return !plainName(s) })
}

// spellings are the words of a text that can be options.
func spellings(text string) []string {
	var list []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ,|/[]=<>(){}", r) }) {
		if plainName(word) && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

// plainName reports whether an option is spelled with letters, digits and
// - _ + . : alone.
func plainName(s string) bool {
	name := strings.TrimLeft(s, "-")
	dashes := len(s) - len(name)
	if dashes == 0 || dashes > 2 || name == "" || dashes == 2 && len(name) == 1 {
		return false
	}
	// -NUM and -b20 stand for letters with a value.
	return isWord(name) && (dashes == 2 || len(name) == 1 || name != strings.ToUpper(name) && strings.Trim(name[1:], "0123456789") != "")
}

func isWord(name string) bool {
	for i := range len(name) {
		if !isLetter(name[i]) && (i == 0 || strings.IndexByte("-_+.:", name[i]) < 0) {
			return false
		}
	}
	last := name[len(name)-1]
	return last != '-' && last != '.' && last != ':'
}

func isLetter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// command reads a line about subcommands: "build, b   Compiles it", or
// "{build,test}".
func (r *helpReader) command(text string, indent int) {
	if list, ok := strings.CutPrefix(text, "{"); ok {
		list, _, _ = strings.Cut(list, "}")
		for name := range strings.SplitSeq(list, ",") {
			r.add(name)
		}
		r.indent = indent + 2 // what follows describes them
		return
	}
	if r.indent < 0 {
		r.indent = indent
	}
	if indent != r.indent {
		return
	}
	head, _, described := strings.Cut(text, "  ")
	if !described {
		head, _, _ = strings.Cut(text, " - ")
	}
	// Behind the name, and other names, there may be what it takes.
	for head != "" {
		name, rest, _ := strings.Cut(head, " ")
		if rest = strings.TrimSpace(rest); rest != "" && !strings.HasSuffix(name, ",") && (isLower(rest[0]) || rest[0] == '(') {
			return // a sentence
		}
		r.add(strings.TrimRight(name, ",:*"))
		if !strings.HasSuffix(name, ",") {
			return
		}
		head = rest
	}
}

func isLower(b byte) bool { return b >= 'a' && b <= 'z' }

// add takes a subcommand, if it can be one.
func (r *helpReader) add(name string) {
	if name != "" && isWord(name) && (name[0] < 'A' || name[0] > 'Z') && len(r.Commands) < most && !slices.Contains(r.Commands, name) {
		r.Commands = append(r.Commands, name)
	}
}

// plain takes out of a text what is there for terminals: colours, and letters
// that are struck twice to be bold. Tabs are blanks.
func plain(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0x1b && i+1 < len(text) && text[i+1] == '[':
			for i += 2; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
		case i+1 < len(text) && text[i+1] == '\b':
			i++
		case c == '\t':
			b.WriteString("        ")
		case c == '\r' || c == 0x1b || c == '\b':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Harmful returns the word of an option's description that tells of harm, or "".
func Harmful(o Option) string { return harmful(o.Text) }
