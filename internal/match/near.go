package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// near is why an allow did not hold. Of several the one that failed last, and
// so came closest, is told.
type near struct {
	stage stage
	at    int    // index in Cmd.Words
	name  string // an option's
	rule  *Rule
}

// stage orders the reasons by how close they are.
type stage uint8

const (
	nearNone stage = iota
	nearWorkspace
	nearDirectory
	nearWrapper
	nearInput
	nearNoInput
	nearFlags
	nearArgs
	nearUnless
	nearOperands
	nearActs
	nearPush
	nearReading
	nearUnknown
	nearValue
	nearHidden
	nearHole
	nearPath
	nearFile
)

// defeated notes a word that no closed allow may pass.
func (c *Call) defeated(s stage, at int, name string) {
	if c.defeat.stage == nearNone || c.defeat.stage == nearHidden || c.defeat.stage == nearHole && s == nearPath {
		c.defeat = near{stage: s, at: at, name: name}
	}
}

func (c *Call) missed(r *Rule, s stage, at int, name string) holding {
	if r.Decision == policy.Allow {
		c.nearer(near{s, at, name, r})
	}
	return holding{}
}

// nearly notes an allow that failed only because of a word that may not pass.
// What its operands mean is judged where no rule holds: a wrapper's unknown
// option hides nothing of the command behind it.
func (c *Call) nearly(r *Rule) {
	if c.missing == nil {
		c.missing = r
	}
}

func (c *Call) nearer(n near) {
	if n.stage > c.near.stage {
		c.near, c.close = n, n.rule
	}
}

// spoilt notes an allow that held but for a word that no closed allow may pass.
func (c *Call) spoilt(r *Rule) {
	n := c.defeat
	n.rule = r
	c.nearer(n)
}

// objection puts into words why no allow holds.
func (c *Call) objection() string {
	n := c.near
	if n.stage == nearNone || c.anyPath || c.unsure.any && c.defeat.stage != nearNone {
		n = c.defeat
	}
	if n.stage <= nearFlags {
		switch {
		case c.unsure.any && c.firstHole > 0:
			n = near{stage: nearHole, at: c.firstHole}
		case len(c.operands) > 0 && c.deeper():
			return "unknown subcommand " + c.operands[0].word.String()
		}
	}
	return c.say(n)
}

// open is what no closed allow would pass: a word of which it is not known
// what it is.
func (c *Call) open() near {
	if c.defeat.stage == nearNone && c.firstHole > 0 {
		return near{stage: nearHole, at: c.firstHole}
	}
	return c.defeat
}

// say puts a reason into words.
func (c *Call) say(n near) string {
	switch n.stage {
	case nearWorkspace:
		return "it is about the workspaces " + strings.Join(n.rule.Bounds.Workspace, ", ")
	case nearDirectory:
		return "it is about the directories " + strings.Join(n.rule.Bounds.Directory, ", ")
	case nearInput:
		return "it is not about what is given an input"
	case nearNoInput:
		return "it is only about what the line gives an input"
	case nearWrapper:
		return "it is not about what " + n.name + " runs"
	case nearFlags:
		if n.name != "" {
			return "allowed only with " + n.name
		}
		var names []string
		for i := range n.rule.Any {
			names = append(names, n.rule.Any[i].Spelling)
		}
		return "allowed only with " + strings.Join(names, " or ")
	case nearArgs:
		return "its operands are not those of the rule that allows it"
	case nearUnless:
		return "not allowed with " + n.name
	case nearOperands:
		return c.operandObjection(n.rule)
	case nearActs:
		return "option " + n.name + " is not harmless"
	case nearPush:
		return n.name
	case nearReading:
		return c.Cmd.Words[n.at].String() + " may take " + c.Cmd.Words[n.at+1].String() + " as its value"
	case nearUnknown:
		return "unknown option " + policy.Quote(n.name)
	case nearValue:
		return "option " + n.name + " takes no value"
	case nearHidden:
		return "the value " + policy.Quote(n.name) + " may be an option"
	case nearHole:
		return c.Cmd.Words[n.at].String() + " may be an option"
	case nearPath:
		return "the subcommand is not known: " + c.Cmd.Words[n.at].String()
	case nearFile:
		return "its words may stand in a file: " + c.Cmd.Words[n.at].String()
	}
	return ""
}

func (c *Call) operandObjection(r *Rule) string {
	least, most := 0, 0
	for i := range r.Operands {
		least += r.Operands[i].Min
		if most += 1; r.Operands[i].absorbs() {
			most = 1 << 30
		}
	}
	n := len(c.operands)
	switch {
	case n > most && most == 0:
		return "operands are not expected: " + c.operands[0].word.String()
	case n > most:
		return "more operands than expected: " + c.operands[most].word.String()
	case n < least:
		return "fewer operands than expected"
	}
	c.place(r.Operands)
	for i := range c.operands {
		for k := range r.Operands {
			if c.placed[i]&(1<<k) != 0 && r.Operands[k].suits(c.operands[i].word) != policy.Yes {
				if r.Operands[k].Values == nil {
					return "operand " + c.operands[i].word.String() + " is not NAME=VALUE"
				}
				return "operand " + c.operands[i].word.String() + " is not one of " + strings.Join(r.Operands[k].Values, ", ")
			}
		}
	}
	for i := range c.operands {
		if c.operands[i].wild {
			return c.operands[i].word.String() + " may be any number of operands"
		}
	}
	return "its operands are not the expected ones"
}
