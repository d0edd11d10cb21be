package engine

import (
	"cmp"
	"slices"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// Tool is one use of an agent's tool other than its shell.
type Tool struct {
	Name   string    // that of an MCP server's is mcp__SERVER__TOOL
	Called string    // the agent's own name of it, where that is another one; rules may use either
	Args   []ToolArg // those that are texts, and the elements of lists of texts
	Others []string  // the names of those that are neither
	Inner  []Tool    // the objects and lists that are in those, without a name
	Unread bool      // what it is given can't be understood at all
}

// ToolArg is one argument of a tool. One that is a list of texts is there once
// for each of them.
type ToolArg struct{ Name, Value string }

// Arg returns an argument's value, the first one of a list, or "".
func (t *Tool) Arg(name string) string {
	for _, a := range t.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// EvaluateTool judges one use of a tool. What rows of the tools tables call a
// place or a machine is judged as the operand of a command is. The decision is
// Skip where no row asks, blocks or allows, which leaves it to the agent: an
// ordinary edit of the workspace is the agent's own business, and so are its
// permission rules. The request's Command is unused.
//
// In a session that has seen untrusted content and secrets, a tool that can
// send data away needs a person; in one that has seen untrusted content, one
// whose writes are dangerous is asked about, unless it only reads.
func (e *Engine) EvaluateTool(r Request, t Tool) Verdict {
	if r.Cwd == "" {
		r.Cwd = r.Workspace
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	use := toolUse{tool: &t, settings: settings.Strict(r.Settings)}
	if s := r.Settings; s != nil {
		// The agent holds its own rules against its own tools.
		r.AdditionalDirs = append(r.AdditionalDirs[:len(r.AdditionalDirs):len(r.AdditionalDirs)], s.AdditionalDirs...)
		r.Settings = nil
	}
	r.Command = t.Name
	e = e.in(&r)
	j := e.judge()
	j.request = &r
	notes := j.profile(r.Profile, r.Packs)
	n := Node{command: &policy.Command{Dirs: oneDir(r.Cwd)}, Reach: policy.ReachLocal}
	j.rows(&n, &use)
	if server, ok := match.MCPServer(t.Name); ok {
		j.server(&n, server, &use)
	}
	j.decide(n.Children, context{})
	notes = append(notes, j.commands(&n, &use)...)
	j.ownArguments(&n, &use)
	held := j.uses(&use, n.command.Dirs)
	n.Children = slices.Concat(n.Children, held, j.unfollowed())
	j.effects(&n)
	for i := range held {
		n.Effects |= held[i].Effects
		n.Reach = max(n.Reach, held[i].Reach)
	}
	j.concludeTool(&n, &t)
	j.touch(policy.Tools)
	notes = append(notes, j.notes()...)
	v := Verdict{Reach: n.Reach, Effects: n.Effects, Tree: append([]Node{n}, notes...), Incomplete: len(notes) > 0, Commands: use.commands, CommandReach: use.reach}
	for i := range v.Tree {
		v.Decision = max(v.Decision, v.Tree[i].Decision)
		for _, r := range appendReasons(nil, &v.Tree[i]) {
			v.Reasons = append(v.Reasons, *r)
		}
	}
	j.sink(&v, &use, toolText(&t))
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int { return Graver(&a, &b) })
	if v.Decision > policy.Allow && len(v.Reasons) > 0 {
		v.Reason = v.Reasons[0].Text()
	}
	j.mode(&v)
	j.profileAnswer(&v)
	e.rest(j)
	return v
}

// concludeTool draws the decision about a tool's use from the reasons and from
// what it may run.
func (j *judge) concludeTool(n *Node, t *Tool) {
	for i := range n.Reasons {
		reason := &n.Reasons[i]
		reason.source, reason.command = toolText(t), nil
		reason.Lift = j.overridden(n, reason)
		n.Decision = max(n.Decision, reason.Counts())
		if reason.Effects&policy.Secret != 0 {
			n.sight(Sight{Secret: ordinary, What: toolLabel(t), Why: reason.Text()})
		}
	}
	for i := range n.Children {
		if d := n.Children[i].Decision; d > policy.Allow {
			n.Decision = max(n.Decision, d)
		}
	}
}

// toolUse is what the rows say of one use of a tool.
type toolUse struct {
	tool      *Tool
	rows      []*match.ToolRule  // those that are about it
	own       []string           // globs over the places that the agent keeps for its own notes
	judged    []match.ToolArg    // the arguments that were judged
	guessed   []match.Use        // what was judged of those that no row names
	sink      bool               // it can send data away
	dangerous bool               // its writes are
	lines     []toolLine         // what it may run
	commands  []string           // the texts of these
	reach     policy.Reach       // how far they reach
	settings  *settings.Settings // what of the agent's settings holds for these
}

// rows applies the rows of the tools tables that are about a tool.
func (j *judge) rows(n *Node, use *toolUse) {
	for g := range j.allGates() {
		use.find(g)
	}
	allowed := false
	for _, rule := range use.rows {
		j.tool(n, use, rule)
		allowed = allowed || rule.Decision == policy.Allow
	}
	j.unknownArguments(n, use)
	if what := use.unclear(); allowed && what != "" {
		n.reason("tool.argument", policy.Ask, "A rule allows it, but what it is given can't be judged: "+what, 0, policy.ReachUnset)
	}
}

// find adds the rows of a gate that are about the tool. Of an allow it must be
// sure which server it is about.
func (u *toolUse) find(g *match.Gate) {
	for i := range g.Tools {
		rule := &g.Tools[i]
		if rule.Unknown {
			continue
		}
		is := rule.Is(u.tool.Name)
		if is == policy.No && u.tool.Called != "" {
			is = rule.Is(u.tool.Called)
		}
		if is == policy.No || is == policy.Maybe && rule.Decision == policy.Allow {
			continue
		}
		u.rows = append(u.rows, rule)
		u.own = append(u.own, rule.Own...)
	}
}

// tool applies one row to a tool's use.
func (j *judge) tool(n *Node, use *toolUse, rule *match.ToolRule) {
	use.sink = use.sink || rule.Sink
	use.dangerous = use.dangerous || rule.Dangerous
	trusted := j.arguments(n, use, rule)
	j.toolWalks(n, use.tool, rule)
	n.Effects |= rule.Effects
	n.Reach = max(n.Reach, rule.Reach)
	corruption := rule.Corruption
	if trusted {
		corruption = 0
	}
	if corruption > 0 || rule.Secret > 0 {
		n.sight(Sight{Corruption: corruption, Secret: rule.Secret, What: toolLabel(use.tool), Why: rule.Reason})
	}
	if rule.Decision != policy.Skip {
		j.ruled(n, rule.ID, rule.Decision, match.Fill(rule.Reason, j.request.PackSettings), rule.File, rule.Line, rule.Effects, rule.Reach)
	}
}

// toolText names a tool's use in a message: "WebFetch https://example.org".
func toolText(t *Tool) string {
	for _, name := range [...]string{"url", "query", "file_path", "notebook_path", "path", "absolute_path", "filePath", "uri", "source", "paths", "include"} {
		v := t.Arg(name)
		t.within(name, func(inner string) { v = cmp.Or(v, inner) })
		if v != "" {
			return t.Name + " " + policy.Clip(policy.Visible(v), maxShown)
		}
	}
	return t.Name
}

// sink asks about a way out of a session that has something to hide and
// somebody to obey.
func (j *judge) sink(v *Verdict, use *toolUse, what string) {
	t := j.request.Taint
	corruption, secret := t.Corruption > 0 || t.Damaged, t.Secret > 0 || t.Damaged
	var r Reason
	switch {
	case use.sink && corruption && secret:
		r = Reason{ID: "taint.sink", text: "The session has seen untrusted content and secrets, and this can send data away"}
	case use.dangerous && corruption:
		r = Reason{ID: "taint.writes", text: "The session has seen untrusted content, and what this changes can't be undone or is seen by others"}
	default:
		return
	}
	r.Decision, r.source = policy.Ask, what
	v.Reasons = append([]Reason{r}, v.Reasons...)
	v.Decision = max(v.Decision, policy.Ask)
	v.Human = v.Decision == policy.Ask
}
