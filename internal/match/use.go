package match

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// directories works out where options such as git -C lead. What the command
// runs stands in the last of them, which is seen from the one before it by git and
// from where the command stands by env; its other words may be meant relative to
// the first ones too, as tar's archive is.
func (c *Call) directories() {
	for i := range c.flags {
		f := &c.flags[i]
		if f.opt == nil || f.opt.Kind != Dir || f.neg || f.shadow || !f.has {
			continue
		}
		if !c.moved {
			c.moved, c.inside = true, Inside(c.Cmd.Dirs, f.value)
			continue
		}
		c.inside = either(Inside(c.inside, f.value), Inside(c.Cmd.Dirs, f.value))
	}
	if !c.moved {
		return
	}
	c.around = []string{}
	if len(c.inside) > 0 {
		c.around = either(c.inside, c.Cmd.Dirs)
	}
}

// either lists the directories of both, each once. If those of a are not known,
// none are.
func either(a, b []string) []string {
	if len(a) == 0 {
		return a
	}
	all := slices.Clone(a)
	for _, d := range b {
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// into lists the directories that w means, seen from dirs. An empty list is
// not known.
func Inside(dirs []string, w policy.Word) []string {
	text, ok := w.Const()
	if !ok {
		return []string{}
	}
	switch {
	case text == "", text == ".":
		return dirs[:len(dirs):len(dirs)]
	case text[0] == '/':
		return []string{text}
	}
	moved := make([]string, len(dirs))
	for i, d := range dirs {
		moved[i] = strings.TrimSuffix(d, "/") + "/" + text
	}
	return moved
}

// use adds a use, told apart by what its kind needs.
func (c *Call) use(u Use) {
	if c.moved && u.Dirs == nil {
		u.Dirs = c.around
		if u.Kind == Command || u.Kind == Script {
			u.Dirs = c.inside
		}
		if u.Dirs == nil {
			u.Dirs = []string{}
		}
	}
	switch u.Kind {
	case Command, Script, Run, Code:
		u.Runs = &c.p.Runs
	}
	if text, ok := u.Word.Const(); ok && u.Kind == Image && !strings.ContainsAny(text, ":@") {
		file := u
		file.Kind = Read // of this name there may be a directory
		c.Uses = append(c.Uses, file)
	}
	u.Locate()
	c.Uses = append(c.Uses, u)
}

// Locate tells files from machines: a source or target becomes a file that is
// read or written, or an address; an address that names a file is read, and
// what is read by an address is fetched.
func (u *Use) Locate() {
	switch u.Kind {
	case Source, Target:
		u.Kind, u.Word = located(u.Kind, u.Word)
		u.Remote = u.Kind == Host || u.Kind == URL
	case URL:
		u.Kind, u.Word = fetched(u.Word)
	case Image:
		u.Kind, u.Word = registered(u.Word)
	case Read, Path:
		u.Kind, u.Word = addressed(u.Kind, u.Word)
	}
}

// optionUses adds the values of all options that are present.
func (c *Call) optionUses() {
	if c.p.Inherits {
		return // the table whose grammar it is has added them
	}
	for i := range c.flags {
		f := &c.flags[i]
		o := f.opt
		if o == nil || f.neg {
			continue
		}
		if len(o.Multi()) > 0 {
			for k := range min(len(o.Multi()), len(f.words)+1) {
				w := f.value
				if k > 0 {
					w = f.words[k-1]
				}
				if f.has && o.Multi()[k].Kind.judged() {
					c.use(Use{Kind: o.Multi()[k].Kind, Lang: o.Multi()[k].Lang, Word: w, Option: f.name})
				}
			}
			continue
		}
		if o.Kind == Command && o.Arity != NoValue {
			if words, passes := c.vector(f.words, true, c.single(f)); len(words) > 0 {
				c.use(Use{Kind: Command, Words: words, Passes: passes, Option: f.name})
			}
			continue
		}
		if !f.has {
			continue
		}
		set := o.judge(f.value, true)
		for k := range min(len(o.Cases()), maxCases) + 1 {
			if kind, lang, ok := o.kind(set, k); ok && kind.judged() {
				w := f.value
				if kind == Script {
					w, _ = c.substitute(w, true)
				}
				c.use(Use{Kind: kind, Lang: lang, Word: w, Option: f.name, flag: i + 1})
			}
		}
	}
}

// ruleUses adds what the operands mean by the pattern of a rule that holds,
// the kinds that it gives to options, and what it writes unasked. place has
// been called for the rule last.
func (c *Call) ruleUses(r *Rule) {
	for i := range r.Only {
		t := &r.Only[i]
		if t.Kind == Flag {
			continue
		}
		for k := range c.flags {
			f := &c.flags[k]
			if f.means(t) && f.has && !f.neg && t.Kind.judged() && f.valued(t) > policy.No {
				if !c.p.Inherits { // what an allow says of it counts, where it surely holds
					c.Uses = slices.DeleteFunc(c.Uses, func(u Use) bool { return u.flag == k+1 })
				}
				c.use(Use{Kind: t.Kind, Lang: t.Lang, Word: f.value, Option: f.name, Rule: r})
			}
		}
	}
	if len(r.Operands) > 0 {
		c.operandUses(r.Operands, r)
		c.implied(r.Operands, r)
	}
	if r.Task != "" {
		c.use(Use{Kind: Task, Lang: r.Task, Rule: r, Call: c.invocation(r)})
	}
	for _, w := range r.Writes {
		c.use(Use{Kind: Write, Word: policy.Const(w), Rule: r})
	}
}

// operandUses adds what the operands mean by a pattern that place was called
// for last: a rule's, or with r nil the grammar's, which speaks of those that
// no rule has spoken of.
func (c *Call) operandUses(pattern []Operand, r *Rule) {
	var dirs []string // where a Dir operand leads
	starts := 0
	for i := range c.operands {
		o := &c.operands[i]
		if r == nil && o.told {
			continue
		}
		for k := range pattern {
			if c.placed[i]&(1<<k) == 0 {
				continue
			}
			p := &pattern[k]
			o.told = o.told || r != nil
			if !p.Kind.judged() || c.used(o, p) {
				continue
			}
			first := c.placed[i]&(1<<(16+k)) != 0
			u := Use{Kind: p.Kind, Lang: p.Lang, Word: o.word, Rule: r, Dirs: dirs}
			switch p.Kind {
			case Dir:
				dirs = Inside(c.Cmd.Dirs, o.word)
			case Command:
				if !first || starts == maxStarts {
					continue
				}
				if u.Words, u.Passes = c.vector(c.Cmd.Words[o.at:], false, false); len(u.Words) == 0 {
					continue
				}
				u.Word = policy.Word{}
			case Script:
				if !first || starts == maxStarts {
					continue
				}
				if p.Max < 0 {
					u.Word = joined(c.Cmd.Words[o.at:])
				} else {
					u.Args = c.Cmd.Words[o.at+1:]
				}
				u.Word, _ = c.substitute(u.Word, true)
			case Run:
				u.Args = c.Cmd.Words[o.at+1:]
			}
			if p.Kind == Command || p.Kind == Script {
				starts++
			}
			c.use(u)
		}
	}
}

// describedUses adds what the operands mean that no rule which holds speaks
// of: what a word is does not hang on what is thought of the command.
func (c *Call) describedUses() {
	if c.p.Inherits {
		return // the table whose grammar it is has said it
	}
	for i := range c.operands {
		if !c.operands[i].told {
			pattern := c.described()
			if pattern == nil {
				return
			}
			if c.place(pattern) == policy.No {
				c.placeAnywhere(len(pattern))
			}
			c.operandUses(pattern, nil)
			c.implied(pattern, nil)
			return
		}
	}
	c.describedImplied()
}

// described is what the grammar says of the operands at the subcommand, or at
// the nearest level above that says it; nil if none does.
func (c *Call) described() []Operand {
	for _, l := range c.tables[:c.here] {
		if l.Operands != nil {
			return l.Operands
		}
	}
	return c.p.Described(c.path[:max(0, len(c.path)-1)])
}

// Described is what the grammar says of the operands behind a subcommand, or
// behind the nearest one above it that says it; nil if none does.
func (p *Program) Described(path []string) []Operand {
	for n := len(path); n >= 0; n-- {
		for i := range p.Levels {
			if pathMatches(p.Levels[i].Path, path[:n], true) {
				if l := p.level(i); l.Operands != nil {
					return l.Operands
				}
			}
		}
	}
	return nil
}

// used reports whether an earlier rule's pattern made the same of an operand,
// and notes it.
func (c *Call) used(o *operand, p *Operand) bool {
	bit := uint32(1) << p.Kind
	if o.used&bit == 0 {
		o.used |= bit
		return false
	}
	if p.Kind != Code {
		return true
	}
	for i := c.fromUses; i < len(c.Uses); i++ {
		if u := &c.Uses[i]; u.Kind == Code && u.Lang == p.Lang && u.Option == "" {
			return true
		}
	}
	return false
}

// joined is the text that words make with blanks between them, as ssh joins
// them.
func joined(words []policy.Word) policy.Word {
	if len(words) == 1 {
		return words[0]
	}
	known := true
	for _, w := range words {
		known = known && w.Parts == nil
	}
	if known {
		texts := make([]string, len(words))
		for i, w := range words {
			texts[i] = w.Text
		}
		return policy.Word{Text: strings.Join(texts, " "), Pos: words[0].Pos}
	}
	var parts []policy.Part
	for i, w := range words {
		if i > 0 {
			parts = append(parts, policy.Part{Text: " "})
		}
		if w.Parts == nil {
			parts = append(parts, policy.Part{Text: w.Text})
		} else {
			parts = append(parts, w.Parts...)
		}
	}
	return policy.Word{Parts: parts, Pos: words[0].Pos}
}

// instead reports whether an option gives the program something to run in place of its
// input.
func (c *Call) instead() bool {
	for _, name := range c.p.Runs.Instead {
		t := FlagTest{Spelling: name}
		if slices.ContainsFunc(c.flags, func(f flag) bool { return (f.has || f.opt != nil && f.opt.Arity == NoValue) && !f.neg && f.means(&t) }) {
			return true
		}
	}
	return false
}

// stdinUse adds the command's input where it is what the program runs. What options run
// beside that, before it, takes no place of it: node -r, sqlite3 -init.
func (c *Call) stdinUse() {
	what := c.p.Runs.Stdin
	if what == "" || c.Cmd.Stdin.Kind == policy.InputHost {
		return
	}
	for i := c.fromUses; i < len(c.Uses); i++ {
		switch u := &c.Uses[i]; u.Kind {
		case Script, Code, Run, Command:
			if u.Option == "" {
				return
			}
		}
	}
	if c.instead() {
		return
	}
	u := Use{Kind: Script, FromStdin: true, Word: policy.Unknown("its input")}
	if lang, ok := strings.CutPrefix(what, "code."); ok {
		u.Kind, u.Lang = Code, lang
	}
	if c.Cmd.Stdin.Kind == policy.InputText {
		u.Word = c.Cmd.Stdin.Text
	}
	c.use(u)
}
