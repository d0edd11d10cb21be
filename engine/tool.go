package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// Tool is one use of an agent's tool other than its shell.
type Tool struct {
	Name string
	Args []ToolArg // those that are texts
}

// ToolArg is one argument of a tool.
type ToolArg struct{ Name, Value string }

// Arg returns an argument's value, or "".
func (t *Tool) Arg(name string) string {
	for _, a := range t.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// EvaluateTool judges one use of a tool. The decision is Skip where no row of
// the tools tables has an opinion, which leaves it to the agent: what a tool
// reads and writes only counts for what the session has seen, in Tree. The
// request's Command is unused.
//
// In a session that has seen untrusted content and secrets, a tool that can
// send data away needs a person; in one that has seen untrusted content, one
// whose writes are dangerous is asked about.
func (e *Engine) EvaluateTool(r Request, t Tool) Verdict {
	if r.Cwd == "" {
		r.Cwd = r.Workspace
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	r.Command = t.Name
	e = e.in(&r)
	j := e.judges.Get().(*judge)
	defer func() {
		j.forget()
		e.judges.Put(j)
	}()
	j.request = &r
	notes := j.profile("", r.Packs)
	n := Node{source: t.Name, command: &policy.Command{Dirs: oneDir(r.Cwd)}, Reach: policy.ReachLocal}
	tool := toolFacts{}
	for g := range j.allGates() {
		for i := range g.Tools {
			if rule := &g.Tools[i]; match.Glob(rule.Name, t.Name) {
				j.tool(&n, &t, rule, &tool)
			}
		}
	}
	if server, ok := mcpServer(t.Name); ok {
		j.server(&n, server, &tool)
	}
	// Its paths and hosts say what is seen, and are decided about by nobody.
	seen := n
	n.Reasons, n.Decision = nil, policy.Skip
	for i := range seen.Reasons {
		if seen.Reasons[i].Effects&policy.Secret != 0 {
			n.sight(Sight{0, ordinary, toolText(&t), seen.Reasons[i].Text()})
		}
		if seen.Reasons[i].source == toolReason {
			n.Reasons = append(n.Reasons, seen.Reasons[i])
		}
	}
	for i := range n.Reasons {
		r := &n.Reasons[i]
		r.source, r.command = toolText(&t), nil
		n.Decision = max(n.Decision, r.Decision)
	}
	if len(n.Sights) > 0 || tool.sink || tool.dangerous {
		for i := range e.opts.Notes {
			notes = append(notes, findingNode(&e.opts.Notes[i]))
		}
	}
	v := Verdict{Decision: n.Decision, Reach: n.Reach, Effects: n.Effects, Tree: []Node{n}, Reasons: n.Reasons}
	for i := range notes {
		v.Tree, v.Reasons = append(v.Tree, notes[i]), append(v.Reasons, notes[i].Reasons...)
		v.Decision = max(v.Decision, notes[i].Decision)
	}
	j.sink(&v, &tool, toolText(&t))
	for i := range v.Reasons {
		if v.Reasons[i].Decision == v.Decision && v.Decision > policy.Allow {
			v.Reason = v.Reasons[i].Text()
			break
		}
	}
	j.mode(&v)
	return v
}

// toolReason marks the reasons that a row of the tools tables gives.
const toolReason = "(tool)"

// toolFacts is what rows say of a tool's way out.
type toolFacts struct{ sink, dangerous bool }

// tool applies one row to a tool's use.
func (j *judge) tool(n *Node, t *Tool, rule *match.ToolRule, facts *toolFacts) {
	facts.sink = facts.sink || rule.Sink
	facts.dangerous = facts.dangerous || rule.Dangerous
	trusted := false
	for i := range rule.Args {
		arg := &rule.Args[i]
		value := t.Arg(arg.Name)
		if value == "" {
			continue
		}
		u := match.Use{Kind: arg.Kind, Lang: arg.Lang, Word: policy.Const(value)}
		switch arg.Kind {
		case match.Read, match.Source:
			n.Effects |= policy.Reads
			j.read(n, &u)
		case match.Write, match.Target, match.Delete, match.Move:
			n.Effects |= policy.Writes
			j.write(n, &u, opWrite, &writing{scratch: true})
		case match.Host, match.URL:
			n.Effects |= policy.Network
			n.Reach = policy.ReachNetwork
			trusted = j.trusts(value)
		}
	}
	n.Effects |= rule.Effects
	n.Reach = max(n.Reach, rule.Reach)
	corruption := rule.Corruption
	if trusted {
		corruption = 0
	}
	if corruption > 0 || rule.Secret > 0 {
		n.sight(Sight{corruption, rule.Secret, toolText(t), rule.Reason})
	}
	if rule.Decision != policy.Skip {
		n.ruled(rule.ID, rule.Decision, match.Fill(rule.Reason, j.request.PackSettings), rule.File, rule.Line, rule.Effects, rule.Reach)
		n.last().source = toolReason
	}
}

// toolText names a tool's use in a message: "WebFetch https://example.org".
func toolText(t *Tool) string {
	for _, name := range [...]string{"url", "query", "file_path", "notebook_path", "path", "absolute_path", "filePath", "uri"} {
		if v := t.Arg(name); v != "" {
			return t.Name + " " + shorten(policy.Visible(v))
		}
	}
	return t.Name
}

// mcpServer is the server's name in mcp__NAME__tool.
func mcpServer(tool string) (string, bool) {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	if !ok {
		return "", false
	}
	name, _, _ := strings.Cut(rest, "__")
	return strings.ToLower(name), true
}

// server applies the rows about MCP servers: the user's first that names it,
// else the first built-in one, and what a project's and the packs' add to it.
func (j *judge) server(n *Node, name string, facts *toolFacts) {
	var holds match.ServerRule
	first := func(list []*match.Gate) bool {
		for _, g := range list {
			for i := range g.Servers {
				if r := &g.Servers[i]; match.Glob(strings.ToLower(r.Name), name) {
					holds.PublicSource = holds.PublicSource || r.PublicSource
					holds.SecretData = holds.SecretData || r.SecretData
					holds.PublicSink = holds.PublicSink || r.PublicSink
					holds.DangerousWrites = holds.DangerousWrites || r.DangerousWrites
					return true
				}
			}
		}
		return false
	}
	users := slices.ContainsFunc(j.engine.opts.User, func(r *interp.Rules) bool { return first(r.Gates) })
	if !users {
		first(gates.All[:])
	}
	for _, rules := range j.engine.opts.Project {
		first(rules.Gates)
	}
	first(j.packs)
	facts.sink = facts.sink || holds.PublicSink
	facts.dangerous = facts.dangerous || holds.DangerousWrites
	what := "MCP server " + name
	if holds.PublicSource {
		n.sight(Sight{ordinary, 0, what, "What an MCP server returns"})
	}
	if holds.SecretData {
		n.sight(Sight{0, ordinary, what, "Data of an MCP server that holds secrets"})
	}
	if holds.PublicSource || holds.PublicSink {
		n.Effects |= policy.Network
		n.Reach = policy.ReachNetwork
	}
}

// sink asks about a way out of a session that has something to hide and
// somebody to obey.
func (j *judge) sink(v *Verdict, facts *toolFacts, what string) {
	t := j.request.Taint
	corruption, secret := t.Corruption > 0 || t.Damaged, t.Secret > 0 || t.Damaged
	var r Reason
	switch {
	case facts.sink && corruption && secret:
		r = Reason{ID: "taint.sink", text: "The session has seen untrusted content and secrets, and this can send data away"}
	case facts.dangerous && corruption:
		r = Reason{ID: "taint.writes", text: "The session has seen untrusted content, and what this changes can't be undone or is seen by others"}
	default:
		return
	}
	r.Decision, r.source = policy.Ask, what
	v.Reasons = append([]Reason{r}, v.Reasons...)
	v.Decision = max(v.Decision, policy.Ask)
	v.Human = v.Decision == policy.Ask
}
