package match

import "github.com/bashgate/bashgate/policy"

// Invocation is how a task runner was called, read by its table: what a Use of
// kind Task brings.
type Invocation struct {
	Program  string
	Words    []policy.Word // all of them, the program first
	Path     []string      // the subcommand
	Operands []policy.Word // the words after it that are no options
	Options  []Given       // in the order of the line
	Dirs     []string      // where it works, after options such as -C; empty: not known

	// Sure says that nothing in the words is beyond the table: no option that
	// is undeclared or acts unasked, none that a hole may turn out to be. An
	// ask that depends on the task stays where it is false.
	Sure bool
}

// Given is one option that is present.
type Given struct {
	Spellings string // all of them, separated by blanks
	Value     policy.Word
	Has       bool // it has a value
	Off       bool // --no-x
}

// Is reports whether the option has the spelling.
func (g *Given) Is(spelling string) bool { return spells(g.Spellings, spelling) }

// invocation sums up what was read, for a rule that holds.
func (c *Call) invocation(r *Rule) *Invocation {
	v := &Invocation{
		Program: c.Name,
		Words:   c.Cmd.Words,
		Path:    append([]string(nil), c.path...),
		Dirs:    c.Cmd.Dirs,
		Sure:    c.firstHole == 0 && c.defeat.stage == nearNone && !c.anyPath && c.refused(r) == nil,
	}
	if c.moved {
		v.Dirs = c.inside
	}
	for i := range c.operands {
		o := &c.operands[i]
		v.Operands = append(v.Operands, o.word)
	}
	for i := range c.flags {
		f := &c.flags[i]
		if f.shadow {
			continue
		}
		if f.opt == nil {
			v.Sure = false
			continue
		}
		v.Options = append(v.Options, Given{Spellings: f.line, Value: f.value, Has: f.has, Off: f.neg})
	}
	return v
}

// Called tells how a command is called by a program's table, whatever its rules
// think of it.
func Called(p *Program, cmd *policy.Command) *Invocation {
	c := Call{Cmd: cmd, Name: p.Name}
	c.read(p)
	return c.invocation(&Rule{Conditions: &Conditions{}})
}

// Kind is what the option's value means, Flag for one that takes none, and Acts
// where it is not declared or does what no kind describes.
func (p *Program) Kind(path []string, spelling string) Kind {
	for n := len(path); n >= 0; n-- {
		for i := range p.Levels {
			if pathMatches(p.Levels[i].Path, path[:n], true) {
				l := p.level(i)
				for k := range l.Options {
					if o := &l.Options[k]; o.Same(spelling, spelling) {
						return o.Kind
					}
				}
			}
		}
	}
	return Acts
}
