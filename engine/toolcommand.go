package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// Many tools run commands beside an agent's own shell: those of MCP servers,
// and tools that a new version brings. What they are given under a name of the
// shells tables is judged as a line of the shell. Nobody knows for certain what
// becomes of it there, so that it is never allowed for that: what the shell
// would be asked about or denied is, and the rest is left to the agent.

// toolLine is a text that a tool may run.
type toolLine struct {
	text   string
	dirs   []string
	blocks bool // one of several ways to read it: only what is blocked counts
}

// commands judges what a tool may run, as the shell's. The agent holds its own
// rules against its own tools alone, so that what its settings deny its shell
// is held against these here; what they allow it is not.
func (j *judge) commands(n *Node, use *toolUse) []Node {
	other, typed := "", false
	for _, g := range gates.All {
		for i := range g.Shells {
			if r := &g.Shells[i]; match.AnyGlob(r.Names, use.tool.Name) {
				if r.Other != "" {
					other = r.Other
				}
				typed = typed || r.Typed
				use.given(r, use.tool, n.command.Dirs)
			}
		}
	}
	if typed {
		use.lines = slices.DeleteFunc(use.lines, func(l toolLine) bool { return answersPrompt(l.text) })
	}
	if len(use.lines) == 0 {
		return nil
	}
	use.reach = max(use.reach, policy.ReachLocal)
	vouched := j.vouched(use)
	if other != "" {
		use.reach = policy.ReachUnknown
		n.Effects |= policy.Executes
		if vouched == nil {
			n.reason("tool.language", policy.Ask, "Runs "+other+", which no rule understands", 0, policy.ReachUnknown)
		}
	}
	j.request.Settings = use.settings
	notes := settingsNotes(use.settings)
	children := len(n.Children)
	if other != "" {
		for _, line := range use.lines[:len(use.lines):len(use.lines)] {
			for _, text := range statements(line.text, strings.HasPrefix(other, "cmd"), 0) {
				use.lines = append(use.lines, toolLine{text: text, dirs: line.dirs, blocks: true})
			}
		}
	}
	for _, line := range use.lines {
		if !line.blocks {
			use.commands = append(use.commands, line.text)
		}
		in := shell.Input{Text: line.text, Dialect: shell.Any, Dirs: j.startsIn(line.dirs), Home: j.request.Home}
		nodes := append(j.text(in, frame{depth: 1}), j.changedLater()...)
		nodes = append(nodes, j.turnedLater()...)
		j.decide(nodes, context{})
		blocked := slices.ContainsFunc(nodes, func(n Node) bool { return n.Decision == policy.Block })
		if blocked || !line.blocks && other == "" {
			n.Children = append(n.Children, nodes...)
		}
	}
	for i := children; i < len(n.Children); i++ {
		n.Effects |= n.Children[i].Effects
		use.reach = max(use.reach, n.Children[i].Reach)
	}
	n.Reach = max(n.Reach, use.reach)
	if rule := vouched; rule != nil {
		by := Lift{By: rule.ID, Text: "a row of yours about the tool", File: rule.File, Line: rule.Line, To: policy.Allow}
		for i := children; i < len(n.Children); i++ {
			n.Children[i].vouch(&by, j.engine.owners()[rule.File])
		}
	}
	j.request.Settings, j.permissions = nil, permissions{}
	return notes
}

// answersPrompt reports whether what is typed is no more than an answer to a
// prompt: yes, no, q or a number, Enter, Ctrl-C or Ctrl-D. What stands in the
// terminal before it was asked about when it was typed. Other keys take lines
// back that were typed before. Copilot's word for Enter is {enter}.
func answersPrompt(text string) bool {
	text = strings.TrimRight(strings.TrimSuffix(text, "{enter}"), "\r\n")
	switch text {
	case "y", "Y", "n", "N", "yes", "no", "q":
		return true
	}
	return strings.Trim(text, "0123456789") == "" || strings.Trim(text, "\x03\x04") == ""
}

// given collects what a row calls commands of what a tool is given, and of the
// objects in that.
func (u *toolUse) given(r *match.ShellRule, t *Tool, dirs []string) {
	for _, name := range r.Dirs {
		if given := t.values(name); len(given) > 0 && given[0] != "" {
			dir := given[0]
			if !path.IsAbs(dir) && !strings.HasPrefix(dir, "~") && len(dirs) > 0 {
				dir = dirs[0] + "/" + dir
			}
			dirs = []string{dir}
			break
		}
	}
	var words []string
	for _, name := range r.Words {
		words = append(words, t.values(name)...)
	}
	for _, name := range r.Commands {
		u.command(t.values(name), words, dirs)
	}
	for _, name := range r.Lines {
		list := t.values(name)
		if len(list) > 1 {
			u.add(strings.Join(list, "\n"), dirs, false)
			u.add(strings.Join(list, " "), dirs, true)
		}
		for _, text := range list {
			u.add(text, dirs, false)
		}
	}
	for _, name := range r.Code {
		for _, text := range t.values(name) {
			u.add(text, dirs, true)
		}
	}
	for i := range t.Inner {
		u.given(r, &t.Inner[i], dirs)
	}
}

// command collects what one argument with a command may run: a text, or the
// words of a program, and further words.
func (u *toolUse) command(list, words, dirs []string) {
	var ways []string // the first is what it most likely is
	switch all := append(list, words...); {
	case len(list) == 0:
		return
	case len(all) == 1:
		ways = list
	case len(list) > 1:
		ways = append([]string{quoted(all), strings.Join(all, " ")}, all...)
	case len(words) == 1: // mostly a text of several
		ways = []string{strings.Join(all, " "), list[0] + " " + quoted(words), list[0]}
	default:
		ways = []string{list[0] + " " + quoted(words), strings.Join(all, " "), list[0]}
	}
	for i, text := range ways {
		u.add(text, dirs, i > 0)
	}
}

// add collects a text, once for each directory.
func (u *toolUse) add(text string, dirs []string, blocks bool) {
	if text == "" {
		return
	}
	for i := range u.lines {
		if l := &u.lines[i]; l.text == text && slices.Equal(l.dirs, dirs) {
			l.blocks = l.blocks && blocks
			return
		}
	}
	u.lines = append(u.lines, toolLine{text, dirs, blocks})
}

func quoted(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(policy.Quote(w))
	}
	return b.String()
}

// values lists the texts of one argument, however its name is written.
func (t *Tool) values(name string) []string {
	var list []string
	for _, a := range t.Args {
		if strings.EqualFold(a.Name, name) {
			list = append(list, a.Value)
		}
	}
	return list
}

// vouched is a row of the user's, or of the administrator's, that allows the
// tool and knows what it allows: it names the tool itself, or says that the
// arguments with the commands are none.
func (j *judge) vouched(u *toolUse) *match.ToolRule {
	for _, rule := range u.rows {
		owner := j.engine.owners()[rule.File]
		if rule.Decision != policy.Allow || owner < ofUser || owner == ofUser && j.engine.opts.NoLifts {
			continue
		}
		kinds := 0
		script := slices.ContainsFunc(rule.Args, func(a match.ToolArg) bool { return a.Kind == match.Script && u.tool.Arg(a.Name) != "" })
		for _, a := range rule.Args {
			if a.Kind == match.Data && u.runs(a.Name) {
				kinds++
			}
		}
		if !script && (kinds > 0 || namesTool(rule, u.tool)) {
			return rule
		}
	}
	return nil
}

// runs reports whether an argument is one that commands were found in.
func (u *toolUse) runs(name string) bool {
	return slices.ContainsFunc(u.lines, func(l toolLine) bool { return slices.Contains(u.tool.values(name), l.text) })
}

// namesTool reports whether a row names a tool without wildcards.
func namesTool(rule *match.ToolRule, t *Tool) bool {
	tool := t.Name
	for _, name := range [...]string{tool, t.Called} {
		if slices.Contains(rule.Names, name) && !match.IsGlob(name) {
			return true
		}
	}
	for _, server := range rule.Servers {
		for _, of := range rule.Tools {
			if !match.IsGlob(server) && !match.IsGlob(of) && strings.EqualFold(tool, "mcp__"+server+"__"+of) {
				return true
			}
		}
	}
	return false
}

// vouch drops what is asked of commands, for somebody who knows that a tool
// runs them: not what the agent's settings or those above that layer ask.
func (n *Node) vouch(by *Lift, of layer) {
	for i := range n.Reasons {
		r := &n.Reasons[i]
		if r.Decision == policy.Ask && r.Lift == nil && r.class != aboutSettings && r.layer <= of && !catalogue.Fixed(r.ID) {
			r.Lift = by
		}
	}
	for i := range n.Children {
		n.Children[i].vouch(by, of)
	}
	n.settle()
}
