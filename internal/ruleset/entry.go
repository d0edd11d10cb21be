package ruleset

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// entry is one element of a kind's list, read:
//
//	"-X --request=GET|HEAD"   spellings -X, --request; takes a value; these values only
type entry struct {
	spellings []string
	arity     match.Arity
	values    []string // nil: any
	kind      match.Kind
	lang      string
	multi     []match.Operand
	at        Span
}

// entry reads one element of a kind's list. It reports false after an error.
func (c *compiler) entry(t Text, kind match.Kind, lang string, bare match.Arity) (entry, bool) {
	e := entry{kind: kind, lang: lang, arity: bare, at: t.At}
	text := t.Value
	if i := strings.IndexByte(text, '='); i > 0 && !strings.HasSuffix(text, "?=") {
		e.arity = match.Value
		if text[i+1:] != "" {
			e.values = globs(text[i+1:])
			if slices.Contains(e.values, "") {
				c.errorf(t.At, "write one | between two globs", "an empty glob in %q", t.Value)
				return e, false
			}
			if i := strings.Index(text[i+1:], " -"); i >= 0 {
				c.errorf(t.At, "the suffix stands behind the last spelling and holds for all", "a spelling behind the suffix in %q", t.Value)
				return e, false
			}
		}
		text = text[:i]
	} else if name, arity, ok := optional(text); ok {
		e.arity = arity
		text = name
		if arity > match.Optional && arity != match.Loose && arity != match.Next && !slices.ContainsFunc(strings.Fields(text), isShort) {
			c.errorf(t.At, "write ? alone: long options have an optional value behind = only", "no letter in %q", t.Value)
			return e, false
		}
		if strings.ContainsAny(text, "*?[") || strings.HasSuffix(text, "-") {
			c.errorf(t.At, `a ? at the end says that the value is optional; write the character as "[?]", any character as "[!-]"`, "a glob and the suffix ? in %q", t.Value)
			return e, false
		}
	}
	e.spellings = strings.Fields(text)
	if len(e.spellings) == 0 {
		c.errorf(t.At, "", "no spelling in %q", t.Value)
		return e, false
	}
	for i, s := range e.spellings {
		if s == "--" || s == "-" {
			c.errorf(t.At, "", "%q is no option", s)
			return e, false
		}
		if i < len(e.spellings)-1 && strings.HasSuffix(s, "?") {
			c.errorf(t.At, "the suffix stands behind the last spelling and holds for all", "a suffix behind %q", s)
			return e, false
		}
		if slices.Contains(e.spellings[:i], s) {
			c.errorf(t.At, "", "%q is spelt twice", s)
			return e, false
		}
	}
	return e, true
}

// optional splits an entry whose value may be missing from how it is written:
//
//	-i?...   the rest of the word
//	-A?=     behind a sign
//	-T?#     the digits behind the letter
//	-x?      one of these
//	-j??     likewise, or the next word
//	-p?>     the next word, if that is no option
func optional(text string) (name string, arity match.Arity, ok bool) {
	for _, w := range [...]struct {
		suffix string
		arity  match.Arity
	}{{"?...", match.Glued}, {"?=", match.Signed}, {"?#", match.Digits}, {"??", match.Loose}, {"?>", match.Next}, {"?", match.Optional}} {
		if name, ok := strings.CutSuffix(text, w.suffix); ok && name != "" {
			return name, w.arity, true
		}
	}
	return text, 0, false
}

// isShort reports whether a spelling is one letter, which may stand in a
// cluster.
func isShort(s string) bool { return len(s) == 2 && s[1] != '-' || len(s) == 1 }

// operand reads one place of an operand pattern: "read*", "data+=build|test",
// "read* or .".
func (c *compiler) operand(t Text) (match.Operand, bool) {
	form, absent, implied := strings.Cut(t.Value, " or ")
	text, values, has := strings.Cut(form, "=")
	o := match.Operand{Min: 1, Max: 1}
	if implied && !c.absent(&o, absent, t) {
		return o, false
	}
	if has {
		o.Values = globs(values)
		if slices.Contains(o.Values, "") {
			c.errorf(t.At, "write one | between two globs", "an empty glob in %q", t.Value)
			return o, false
		}
	}
	switch {
	case strings.HasSuffix(text, "?"):
		o.Min = 0
	case strings.HasSuffix(text, "*"):
		o.Min, o.Max = 0, -1
	case strings.HasSuffix(text, "+"):
		o.Max = -1
	}
	if o.Min == 0 || o.Max < 0 {
		text = text[:len(text)-1]
	}
	kind, lang, ok := c.kind(text, t)
	o.Kind, o.Lang = kind, lang
	if ok && implied && (o.Min > 0 || kind != match.Path && kind != match.Read && kind != match.Source) {
		c.errorf(t.At, `"path", "read" and "source" with ? or * behind them may`, "%q can't have a word that is meant where none stands there", form)
		return o, false
	}
	if ok && kind == match.Flag {
		c.errorf(t.At, `write "data"`, "an operand is no flag")
		return o, false
	}
	return o, ok
}

// globs splits a list of globs at each "|" that no backslash makes plain.
func globs(list string) []string {
	var out []string
	from := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case '|':
			out = append(out, list[from:i])
			from = i + 1
		}
	}
	return append(out, list[from:])
}

// absent reads what a place means where no operand stands there: ".", "input or
// .", ". with -r|-R".
func (c *compiler) absent(o *match.Operand, text string, t Text) bool {
	text, o.Input = strings.CutPrefix(text, "input or ")
	word, options, with := strings.Cut(text, " with ")
	if o.Default = word; word == "" || strings.ContainsAny(word, " *?[") {
		c.errorf(t.At, `write "read* or .", or "read* or input or ." for a program that reads its input if it is given one`, "%q is no word that could be meant where none stands there", text)
		return false
	}
	if with {
		for spelling := range strings.SplitSeq(options, "|") {
			test := match.FlagTest{Spelling: spelling}
			if name, value, has := strings.Cut(spelling, "="); has {
				test.Spelling, test.Values = name, []string{value}
			}
			o.With = append(o.With, test)
		}
	}
	return true
}

// kind reads a kind's word, "read" or "code.sed".
func (c *compiler) kind(word string, t Text) (match.Kind, string, bool) {
	if lang, ok := strings.CutPrefix(word, "code."); ok && isIdent(lang) {
		return match.Code, lang, true
	}
	k, ok := findKind(word)
	if !ok {
		c.errorf(t.At, DidYouMean(word, names(Kinds())), "%q is no kind", word)
		return 0, "", false
	}
	return k.kind, "", true
}

// operands reads a pattern. At most one place may repeat, so that matching
// needs no search.
func (c *compiler) operands(list []Text) []match.Operand {
	out := make([]match.Operand, 0, len(list))
	groups := 0
	for i, t := range list {
		o, ok := c.operand(t)
		if !ok {
			continue
		}
		if o.Max < 0 {
			if groups++; groups > 1 {
				c.errorf(t.At, "write a second rule for the other form", "a second * or + in one pattern")
			}
		}
		if o.Kind == match.Command && (i < len(list)-1 || o.Max < 0) {
			c.errorf(t.At, `write "command", or "command?" where it may be missing, as the last element`, "a command is all the rest of the words")
		}
		out = append(out, o)
	}
	return out
}

// flagTests reads a list of options that a rule names.
func (c *compiler) flagTests(list []Text, only bool) []match.FlagTest {
	var tests []match.FlagTest
	for _, t := range list {
		if set, ok := strings.CutPrefix(t.Value, "@"); ok {
			entries, ok := c.sets[set]
			if !ok {
				c.errorf(t.At, DidYouMean(set, sortedKeys(c.sets)), "no option table has set = %q", set)
				continue
			}
			c.usedSets[set] = true
			for _, e := range entries {
				if e.values == nil {
					tests = append(tests, match.FlagTest{Spelling: e.spellings[0]})
				}
			}
			continue
		}
		test := match.FlagTest{Spelling: t.Value}
		if i := strings.IndexByte(t.Value, '='); i > 0 {
			test.Spelling = t.Value[:i]
			value := t.Value[i+1:]
			if word, ok := strings.CutPrefix(value, "<"); ok && strings.HasSuffix(word, ">") {
				kind, lang, ok := c.kind(strings.TrimSuffix(word, ">"), t)
				if !ok {
					continue
				}
				if !only {
					c.errorf(t.At, "name it in only_flags", "%q gives a kind where only conditions are", t.Value)
				}
				test.Kind, test.Lang = kind, lang
			} else if test.Values = globs(value); slices.Contains(test.Values, "") {
				c.errorf(t.At, "write one | between two globs, and nothing behind the name for any value", "an empty glob in %q", t.Value)
				continue
			}
		}
		if strings.ContainsAny(test.Spelling, " \t") {
			c.errorf(t.At, "one spelling means all of the option's", "several spellings in %q", t.Value)
			continue
		}
		c.knownOption(test.Spelling, t)
		tests = append(tests, test)
	}
	return tests
}

// paths reads subcommand paths; one blank between their words.
func (c *compiler) paths(list []Text) []string {
	var paths []string
	for _, t := range list {
		words := strings.Fields(t.Value)
		if len(words) == 0 {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Trim(w, "*?") != "" }) {
			c.errorf(t.At, "leave subcommand out; for an ask, write otherwise = true", "the path %q takes every subcommand", t.Value)
			continue
		}
		if w := words[0]; strings.HasPrefix(w, "-") {
			c.errorf(t.At, "name options in if_flags_any", "the subcommand %q is an option", w)
			continue
		}
		path := strings.Join(words, " ")
		if slices.Contains(paths, path) {
			c.errorf(t.At, "", "%q is listed twice", t.Value)
			continue
		}
		paths = append(paths, path)
	}
	return paths
}

func isIdent(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}
