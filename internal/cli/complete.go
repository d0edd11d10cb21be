package cli

import (
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/manual"
	"github.com/bashgate/bashgate/policy"
)

// completing is the subcommand that the scripts of completion call, with the
// words behind the program's name as arguments. The last one is being written,
// "" where it has not been begun.
//
//	$ bashgate __complete check --mo
//	--mode	the agent's permission mode
//
// Each line is a word that may stand in its place, and what it is about. anyFile
// and anyDir are for the shell to look up.
const completing = "__complete"

func complete(p *Process, words []string) (int, error) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	quiet := *p // nobody wants to read complaints in the middle of a line
	quiet.Stderr = io.Discard
	c := completer{process: &quiet, word: words[last]}
	c.line(words[:last])
	var b strings.Builder
	for _, found := range c.found {
		b.WriteString(policy.Visible(found.word))
		if about, _, _ := strings.Cut(found.about, "\n"); about != "" {
			b.WriteString("\t" + policy.Visible(about))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(p.Stdout, b.String())
	return exitOK, err
}

// completer finds the words that may stand at the end of a line.
type completer struct {
	process *Process
	word    string // that is being written
	found   []candidate
}

// add adds what the word may become.
func (c *completer) add(list ...candidate) {
	for _, found := range list {
		if strings.HasPrefix(found.word, c.word) || found.word == anyFile || found.word == anyDir {
			c.found = append(c.found, found)
		}
	}
}

// line completes the word behind those that are there.
func (c *completer) line(before []string) {
	if len(before) == 0 {
		c.commands()
	}
	if len(before) == 0 || strings.HasPrefix(before[0], "-") {
		hook := command{name: "bashgate", help: usage, setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			(&hookFlags{}).declareAll(flags, new(bool))
			return nil
		}}
		c.command(&hook, before)
		return
	}
	if before[0] == "help" {
		switch named := find(at(before, 1)); {
		case len(before) == 1:
			c.commands()
		case len(before) == 2 && named != nil:
			c.verbs(named)
		}
		return
	}
	if named := find(before[0]); named != nil {
		c.command(named, before[1:])
	}
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

func (c *completer) commands() {
	for _, known := range commands() {
		c.add(candidate{known.name, known.summary})
	}
	c.add(candidate{"help", "tell more about a command"})
}

func (c *completer) verbs(of *command) {
	for _, v := range of.verbs {
		if v.name != "" {
			c.add(candidate{v.name, v.summary})
		}
	}
}

// command completes a word behind a subcommand's name and what was written since.
func (c *completer) command(of *command, before []string) {
	flags := newFlags(of.name)
	of.setup(flags)
	var operands []string
	var open *flag.Flag // whose value comes next
	for i, word := range before {
		name, _, valued := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case open != nil:
			open = nil
		case word == "--":
			if len(operands) > 0 {
				c.operand(of, append(operands, before[i+1:]...))
			}
			return // a command of the shell's own
		case len(word) < 2 || word[0] != '-':
			operands = append(operands, word)
		case !valued:
			if f := flags.Lookup(strings.ReplaceAll(name, "_", "-")); f != nil && !takesNone(f) {
				open = f
			}
		}
	}
	name, _, valued := strings.Cut(c.word, "=")
	switch {
	case open != nil:
		c.value(open, "")
	case valued && strings.HasPrefix(name, "--"):
		if f := flags.Lookup(strings.ReplaceAll(name[2:], "_", "-")); f != nil {
			c.value(f, name+"=")
		}
	case strings.HasPrefix(c.word, "-"):
		c.flags(of, of.verb(operands), flags)
	default:
		c.operand(of, operands)
	}
}

// flags completes the name of a flag, by what the help says of it.
func (c *completer) flags(of *command, v *verb, flags *flag.FlagSet) {
	about := map[string]string{}
	help := manual.ReadHelp(of.help)
	for _, o := range append(help.Options, help.Unclear...) {
		for _, name := range o.Spellings {
			about[name] = o.Text
		}
	}
	flags.VisitAll(func(f *flag.Flag) {
		name := spelt(f.Name)
		text := about[name]
		if _, ok := of.takes(v, f.Name); !ok && v != nil {
			return
		}
		if f.DefValue == "true" { // there is nothing else to say with it
			name += "=false"
		}
		c.add(candidate{name, text})
	})
	c.add(candidate{"--help", "tell about the command"})
}

// value completes a flag's value, of which the part that stands before the word's
// own is of no account: "--mode=".
func (c *completer) value(f *flag.Flag, before string) {
	var list []candidate
	switch v := f.Value.(type) {
	case interface{ choices() []string }:
		list = plainly(v.choices())
	default:
		if list = c.process.valuesOf(f.Usage); f.DefValue == "true" || f.DefValue == "false" && f.Usage == "" {
			list = plainly([]string{"true", "false"})
		}
	}
	if several(f) { // what stands before the last comma stays
		if i := strings.LastIndexByte(c.word, ','); i >= len(before) {
			given := strings.Split(c.word[len(before):i], ",")
			list = slices.DeleteFunc(list, func(one candidate) bool { return slices.Contains(given, one.word) })
			before = c.word[:i+1]
		}
	}
	for _, one := range list {
		if one.word != anyFile && one.word != anyDir {
			one.word = before + one.word
		}
		c.add(one)
	}
}

// several reports whether a flag takes names with commas between them.
func several(f *flag.Flag) bool {
	switch f.Value.(type) {
	case *list, *choices:
		return true
	}
	return false
}

// operand completes what is no flag.
func (c *completer) operand(of *command, operands []string) {
	v := of.verb(operands)
	if len(of.verbs) > 0 && len(operands) == 0 {
		c.verbs(of)
	}
	kind := of.operands
	if v != nil && v.name != "" {
		kind = v.operands
	}
	c.add(c.process.valuesOf(kind)...)
}
