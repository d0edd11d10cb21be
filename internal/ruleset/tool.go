package ruleset

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

func (c *compiler) toolRow(r *ToolRow) match.ToolRule {
	m := match.ToolRule{
		ID: r.ID.Value, Names: values(r.Name), Servers: lower(r.Server), Tools: lower(r.Tool), Own: values(r.Own),
		Decision: c.answer(r.Decision), Effects: effects(r.Effects),
		Corruption: c.weight(&r.Table, "corruption", r.Corruption, 1), Secret: c.weight(&r.Table, "secret", r.Secret, 1),
		Sink: r.Sink, Dangerous: r.Dangerous, Unknown: r.Unknown,
		Reason: r.Reason.Value, File: c.Name, Line: r.At.Line,
	}
	m.Reach, _ = policy.ParseReach(r.Reach.Value)
	m.Walks, m.WalksWith = walks(r.Walks), values(r.WalksWith)
	for _, t := range r.WalksWith {
		if !strings.Contains(t.Value, "=") {
			c.errorf(t.At, `walks_with = "output_mode=content"`, "%q has no value", t.Value)
		}
	}
	for _, a := range r.Args {
		if arg, ok := c.toolArg(a); ok {
			m.Args = append(m.Args, arg)
		}
	}
	if r.Unknown {
		m.Unnamed()
	}
	c.toolNames(r)
	for _, t := range r.Own {
		c.placeGlob(t)
	}
	if len(m.Own) > 0 && !c.mayLoosen(r.Key("own"), "own") {
		m.Own = nil
	}
	if !r.Has("decision") && !r.Has("args") && !r.Has("own") && !r.Has("walks") && !r.Has("corruption") && !r.Has("secret") && !r.Has("reach") && !r.Sink && !r.Dangerous {
		c.errorf(r.At, "", "the row says nothing: it has neither decision, args, own, corruption, secret, reach, public_sink nor dangerous_writes")
	}
	if r.Unknown && (!r.Has("name") || !r.Has("args") || r.Has("decision") || r.Has("own") || r.Has("walks")) {
		c.errorf(r.Key("unknown"), `name = "*" with args`, "a row about unknown arguments has name and args, and neither decision, own nor walks")
		m.Decision, m.Own, m.Walks = policy.Skip, nil, 0
	}
	c.seen(&r.Table, "tools", r.Reason)
	c.row(&r.Table, "tools", r.ID, r.Reason, m.Decision)
	return m
}

// toolNames checks that a row says which tools it is about.
func (c *compiler) toolNames(r *ToolRow) {
	switch {
	case !r.Has("name") && !r.Has("server"):
		c.errorf(r.At, `name = "Write", or server = "github" with tool = ["*", "!delete_*"]`, "[[tools]] has neither \"name\" nor \"server\"")
	case r.Has("name") && r.Has("server"):
		c.errorf(r.Key("server"), "write a second row", "a row names its tools or a server, not both")
	case r.Has("tool") && !r.Has("server"):
		c.errorf(r.Key("tool"), `server = "*" for those of all MCP servers; tools of the agent itself are named by name`, "\"tool\" without a server")
	}
	for _, t := range r.Server {
		c.serverName(t)
	}
	for _, t := range r.Tool {
		if strings.HasPrefix(strings.TrimPrefix(t.Value, "!"), "mcp__") {
			c.errorf(t.At, "the tool's name as its server knows it", "%q begins with the server's name", t.Value)
		}
	}
}

// serverName checks that a name can be a server's.
func (c *compiler) serverName(t Text) {
	name := strings.TrimPrefix(t.Value, "!")
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		c.errorf(t.At, "the middle of mcp__NAME__tool: "+strings.TrimSuffix(t.Value, name)+server, "%q is no server's name", t.Value)
	}
}

// toolArg reads the kind of one argument: "read", "write?".
func (c *compiler) toolArg(a Pair) (match.ToolArg, bool) {
	word, optional := strings.CutSuffix(a.Word.Value, "?")
	kind, lang, ok := c.kind(word, a.Word)
	if !ok {
		return match.ToolArg{}, false
	}
	switch kind {
	case match.Flag, match.Acts, match.Env, match.Command:
		c.errorf(a.Word.At, "one of data, path, read, write, delete, move, source, target, dir, name, host, url, script, run, code.LANG", "an argument of a tool is no %s", word)
		return match.ToolArg{}, false
	}
	return match.ToolArg{Name: a.Key, Kind: kind, Lang: lang, Optional: optional}, true
}

func (c *compiler) serverRow(r *ServerRow) match.ServerRule {
	for _, t := range r.Name {
		c.serverName(t)
	}
	return match.ServerRule{
		Names: lower(r.Name), PublicSource: r.PublicSource, SecretData: r.SecretData, PublicSink: r.PublicSink, DangerousWrites: r.DangerousWrites,
		File: c.Name, Line: r.At.Line,
	}
}

func (c *compiler) shellRow(r *ShellRow) match.ShellRule {
	if !c.builtIn() {
		c.errorf(r.At, `say it of the tool: [[tools]] with args = {command = "script"}`, "[[shells]] in a file that is not built in")
	}
	if len(r.Command) == 0 && (len(r.Code) == 0 || r.Agent.Value != "") {
		c.errorf(r.At, "command: the arguments that hold the command", "[[shells]] has no \"command\"")
	}
	m := match.ShellRule{Agent: r.Agent.Value, Other: r.Other.Value, Typed: r.Typed, File: c.Name, Line: r.At.Line}
	for _, list := range [...]struct {
		to   *[]string
		from []Text
	}{{&m.Names, r.Name}, {&m.Commands, r.Command}, {&m.Lines, r.Lines}, {&m.Code, r.Code}, {&m.Words, r.Words}, {&m.Dirs, r.Dir}} {
		*list.to = values(list.from)
	}
	return m
}

// lower are the texts' values in lower case.
func lower(list []Text) []string {
	all := values(list)
	for i := range all {
		all[i] = strings.ToLower(all[i])
	}
	return all
}
