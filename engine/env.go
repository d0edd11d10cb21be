package engine

import (
	"iter"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// assigns judges the variables that a command is given. c is nil for a command
// without a program, and for a program that no rule knows.
func (j *judge) assigns(n *Node, c *match.Call) {
	if len(n.command.Words) == 0 {
		for _, a := range n.command.Assigns {
			j.dangerous(n, a)
		}
		return
	}
	j.setEnv(n, n.command.Assigns, c)
	for _, a := range n.command.Env {
		// What is dangerous for everybody was judged where it was set. What
		// steers only some programs was not, where it was set for a wrapper
		// that is none of them.
		rule := j.envRule(a, c)
		switch {
		case rule == nil && c != nil && !c.Unsteered && !j.ownVariable(n, c, a):
			j.steering(n, a)
		case rule != nil && rule.Set > policy.Allow && len(rule.Steers) > 0 && !(c != nil && j.ownPath(n, a)):
			j.envReason(n, a, rule)
		}
	}
}

// setEnv judges variables set for one program, or, with c nil, for whatever
// comes.
func (j *judge) setEnv(n *Node, vars []policy.Assign, c *match.Call) {
	for _, a := range vars {
		rule := j.envRule(a, c)
		switch {
		case rule == nil:
			if a.Name == "" {
				n.reason("env", policy.Ask, "Sets a variable whose name is not known", 0, policy.ReachUnset)
			} else if c != nil && !c.Unsteered && !j.ownVariable(n, c, a) {
				j.steering(n, a)
			}
		case changing(rule, a) <= policy.Allow, c != nil && j.ownPath(n, a):
		default:
			j.envReason(n, a, rule)
		}
	}
}

// changing is what a rule answers to an assignment, or to what takes a variable
// away.
func changing(rule *match.EnvRule, a policy.Assign) policy.Decision {
	if a.Taken {
		return rule.Unset
	}
	return rule.Set
}

// ignores reports whether a program does not read the variables of a rule.
func ignores(c *match.Call, rule *match.EnvRule) bool {
	return c != nil && c.Unsteered && len(rule.Steers) > 0 && !slices.Contains(rule.Steers, c.Name)
}

// dangerous judges a bare assignment: it changes what the line's programs see
// only where the variable is exported already, as the dangerous ones often are.
func (j *judge) dangerous(n *Node, a policy.Assign) {
	if rule := j.envRule(a, nil); rule != nil && changing(rule, a) > policy.Allow {
		j.envReason(n, a, rule)
	} else if a.Name == "" {
		n.reason("env", policy.Ask, "Sets a variable whose name is not known", 0, policy.ReachUnset)
	}
}

func (j *judge) steering(n *Node, a policy.Assign) {
	n.reason("env."+a.Name, policy.Ask, "Sets "+a.Name+", which this program may obey", 0, policy.ReachUnset)
	n.last().class = aboutVariable
	n.last().Hint = "if " + a.Name + " is harmless, say so in an [[env]] table of a rule file of your own"
	j.grantsEnv(n, a)
}

func (j *judge) envReason(n *Node, a policy.Assign, rule *match.EnvRule) {
	text := rule.Reason
	if !strings.Contains(text, a.Name) {
		text += " (" + a.Name + ")"
	}
	j.ruled(n, "env."+a.Name, changing(rule, a), text, rule.File, rule.Line, rule.Effects, policy.ReachUnset)
	n.last().class = aboutVariable
	j.grantsEnv(n, a)
}

// grantsEnv notes the rows that allow an assignment, about which the last
// reason is.
func (j *judge) grantsEnv(n *Node, a policy.Assign) {
	if len(j.engine.lenient().env) == 0 || a.Name == "" {
		return
	}
	what := "set " + a.Name + "=" + a.Value.String()
	if a.Taken {
		what = "unset " + a.Name
	}
	n.last().about = what
	for _, own := range j.engine.lenient().env {
		rule := own.row
		switch {
		case rule.Set != policy.Allow:
		case !j.surelySets(n, rule, a):
			var values []string
			for _, name := range rule.Names {
				if match.Glob(name.Glob, a.Name) {
					values = append(values, name.Values...)
				}
			}
			if values != nil {
				n.Near = append(n.Near, Near{"env." + a.Name, rule.File, rule.Line, "the value " + a.Value.String() + " is not for certain " + strings.Join(values, " or ")})
			}
		default:
			n.lifts = append(n.lifts, own.lift("env."+a.Name, []string{"env." + a.Name}, rule.File, rule.Line, what))
		}
	}
}

// surelySets reports whether a rule is about the variable and the value that
// it is surely given: one of its values, or paths that all lie in its places.
func (j *judge) surelySets(n *Node, rule *match.EnvRule, a policy.Assign) bool {
	value, known := a.Value.Const()
	for _, name := range rule.Names {
		switch {
		case !match.Glob(name.Glob, a.Name):
		case name.Values == nil:
			return true
		case !known:
		case name.Places && j.allInside(n, value, reaching(name.Values)), !name.Places && match.AnyGlob(name.Values, value):
			return true
		}
	}
	return false
}

// allInside reports whether all paths of a list, parted by colons, surely lie
// where globs say. An empty one is the directory that the command runs in.
func (j *judge) allInside(n *Node, list string, globs []string) bool {
	if n.command.Where != policy.Here || len(n.command.Dirs) == 0 || strings.ContainsAny(list, " \t\n$`|&;<>(){}*?[]!\"'\\") {
		return false // options, or what a shell expands
	}
	for element := range strings.SplitSeq(list, ":") {
		if element == "" {
			element = "."
		}
		if element[0] == '-' {
			return false
		}
		for _, t := range j.resolve(policy.Const(element), n.command.Dirs) {
			if !j.lies(n, t, globs) {
				return false
			}
		}
	}
	return true
}

// setting is an assignment that was looked up: a script may repeat it often.
type setting struct {
	name, value string
	known       bool
	taken       bool
	profiles    int    // of those in force
	reader      string // a program that only reads the variables that rules say it does, or ""
}

// envRule is the strictest rule about an assignment that is made for a
// program, or nil; c is nil for whatever comes. A value that is not known meets
// every rule about values.
func (j *judge) envRule(a policy.Assign, c *match.Call) *match.EnvRule {
	j.touch(policy.Variables)
	value, known := a.Value.Const()
	key := setting{a.Name, value, known, a.Taken, len(j.profiles), ""}
	if c != nil && c.Unsteered {
		key.reader = c.Name
	}
	found, judged := j.settings[key]
	if judged {
		return found
	}
	defer func() {
		if j.settings == nil {
			j.settings = make(map[setting]*match.EnvRule)
		}
		j.settings[key] = found
	}()
	for rule := range j.envRules(a.Name, value, known) {
		if changing(rule, a) == policy.Skip || rule.Project || ignores(c, rule) {
			continue
		}
		if found == nil || changing(rule, a) > changing(found, a) {
			found = rule
		}
	}
	return found
}

// environmentShown judges the variables whose values stand in a command's words: the
// agent, or whoever the command talks to, sees them.
func (j *judge) environmentShown(n *Node, c *match.Call) {
	for _, w := range n.command.Words {
		for _, p := range w.Parts {
			if p.Kind != policy.Hole && p.Kind != policy.Split {
				continue
			}
			name := variable(p.Text)
			if name == "" {
				continue
			}
			j.touch(policy.Variables)
			for rule := range j.envRules(name, "", false) {
				if rule.Read > policy.Allow && !slices.Contains(rule.Untold, c.Name) {
					j.ruled(n, "env.read", rule.Read, rule.Reason+": $"+name, rule.File, rule.Line, rule.Effects, policy.ReachUnset)
					j.grantsRead(n, name)
				}
			}
		}
	}
}

// grantsRead notes the rows that allow a variable's value in the words of a
// command, about which the last reason is.
func (j *judge) grantsRead(n *Node, name string) {
	n.last().about = "read $" + name
	for _, own := range j.engine.lenient().env {
		rule := own.row
		means := func(n envName) bool { return n.means("", false) }
		if rule.Read == policy.Allow && slices.ContainsFunc(appendEnvNames(nil, []match.EnvRule{*rule}, "", name), means) {
			n.lifts = append(n.lifts, own.lift("env.read", []string{"env.read"}, rule.File, rule.Line, n.last().about))
		}
	}
}

// variable is the name in $NAME, ${NAME} and ${NAME...}, but not in ${#NAME}
// and ${NAME+x}, which don't hold the value; "" for any other text.
func variable(source string) string {
	rest, ok := strings.CutPrefix(source, "$")
	if !ok {
		return ""
	}
	rest, braced := strings.CutPrefix(rest, "{")
	rest = strings.TrimPrefix(rest, "!")
	end := 0
	for end < len(rest) && (rest[end] == '_' || rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z' || end > 0 && rest[end] >= '0' && rest[end] <= '9') {
		end++
	}
	if braced && (strings.HasPrefix(rest[end:], "+") || strings.HasPrefix(rest[end:], ":+")) {
		return ""
	}
	return rest[:end]
}

// envName is one of the names that a rule is about.
type envName struct {
	rule *match.EnvRule
	name *match.EnvName
}

// maxVariables bounds the variables whose names are kept for further requests.
const maxVariables = 1 << 10

// envNames lists the names that match a variable's, in the order of the gates, but for
// those of packs and profiles. There are hundreds, of which one or two match, and
// scripts set the same variables over and over.
func (j *judge) envNames(variable string) []envName {
	found, known := j.variables[variable]
	if known {
		return found
	}
	for g := range j.engine.gates() {
		found = appendEnvNames(found, g.Env, gates.Initials(g), variable)
	}
	if len(j.variables) >= maxVariables {
		clear(j.variables)
	}
	j.variables[variable] = found
	return found
}

// appendEnvNames appends the names in some rules that match a variable's. Their first
// bytes, if they are given, spare a look at most of them.
func appendEnvNames(found []envName, rules []match.EnvRule, initials, variable string) []envName {
	var first byte
	if variable != "" {
		first = variable[0]
	}
	for i := range rules {
		names := rules[i].Names
		for k := range names {
			var c byte
			if initials != "" {
				c, initials = initials[0], initials[1:]
			} else {
				c = names[k].Glob[0]
			}
			if (c == first || c == '*' || c == '?' || c == '[') && match.Glob(names[k].Glob, variable) {
				found = append(found, envName{&rules[i], &names[k]})
			}
		}
	}
	return found
}

// envRules goes through the rules about a variable and its value, each once.
func (j *judge) envRules(variable, value string, known bool) iter.Seq[*match.EnvRule] {
	return func(yield func(*match.EnvRule) bool) {
		names := j.envNames(variable)
		names = names[:len(names):len(names)]
		for _, g := range j.packs {
			names = appendEnvNames(names, g.Env, "", variable)
		}
		for _, g := range j.profiles {
			names = appendEnvNames(names, g.Env, "", variable)
		}
		var told *match.EnvRule
		for _, n := range names {
			if n.rule != told && n.means(value, known) {
				if told = n.rule; !yield(told) {
					return
				}
			}
		}
	}
}

// means reports whether a rule is about a variable of the name with a value. An allow for
// certain values needs the value known; others hold for any value that may be meant.
func (n *envName) means(value string, known bool) bool {
	switch {
	case n.name.Values == nil:
		return true
	case n.name.Places:
		return false // what it allows it lifts
	case !known:
		return n.rule.Set > policy.Allow
	}
	return match.AnyGlob(n.name.Values, value)
}

// passedEnv lists the variables of NAME=VALUE words that a wrapper passes on.
func passedEnv(uses []match.Use, one *match.Use) []policy.Assign {
	if one != nil {
		uses = []match.Use{*one}
	}
	var vars []policy.Assign
	for i := range uses {
		if uses[i].Kind != match.Env {
			continue
		}
		if a, ok := splitAssign(uses[i].Word); ok {
			vars = append(vars, a)
		}
	}
	return vars
}

// splitAssign reads NAME=VALUE. A constant word without "=" sets nothing.
func splitAssign(w policy.Word) (policy.Assign, bool) {
	if text, ok := w.Const(); ok {
		name, value, found := strings.Cut(text, "=")
		return policy.Assign{Name: name, Value: policy.Const(value), Exported: true, Pos: w.Pos}, found
	}
	if name, rest, found := strings.Cut(w.Prefix(), "="); found {
		value := policy.Word{Parts: []policy.Part{{Text: rest}, {Kind: policy.Hole, Text: w.String()}}, Pos: w.Pos}
		return policy.Assign{Name: name, Value: value, Exported: true, Pos: w.Pos}, true
	}
	return policy.Assign{Value: w, Exported: true, Pos: w.Pos}, true
}
