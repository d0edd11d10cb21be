package engine

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// goesOut reports whether a tool of a server may talk to others, or run code that
// does, by its own name or by an address that it is given.
func goesOut(t *Tool) bool {
	name := strings.ToLower(t.Name[strings.LastIndex(t.Name, "__")+2:])
	for _, verb := range [...]string{"push", "fetch", "clone", "publish", "upload", "download", "send", "exec", "eval", "request", "remote", "pull"} {
		if strings.Contains(name, verb) {
			return true
		}
	}
	return slices.ContainsFunc(t.Args, func(a ToolArg) bool {
		scheme, _, is := strings.Cut(a.Value, "://")
		return is && scheme != "file" && len(scheme) < 12 && !strings.ContainsAny(scheme, " \n")
	})
}

// server applies the rows about MCP servers: the user's first that names it,
// else the first built-in one, and what a project's and the packs' add to it.
func (j *judge) server(n *Node, name string, use *toolUse) {
	var holds match.ServerRule
	first := func(list []*match.Gate) bool {
		r := serverRow(list, name)
		if r != nil {
			holds.PublicSource = holds.PublicSource || r.PublicSource
			holds.SecretData = holds.SecretData || r.SecretData
			holds.PublicSink = holds.PublicSink || r.PublicSink
			holds.DangerousWrites = holds.DangerousWrites || r.DangerousWrites
		}
		return r != nil
	}
	users := slices.ContainsFunc(j.engine.opts.User, func(r *interp.Rules) bool { return first(interp.Gates(r)) })
	if !users {
		first(gates.All[:])
		if goesOut(use.tool) { // whatever servers called so are for
			holds.PublicSource, holds.PublicSink = true, true
		}
	}
	for _, rules := range j.engine.opts.Project {
		first(interp.Gates(rules))
	}
	for _, rules := range j.engine.opts.Managed {
		first(interp.Gates(rules))
	}
	first(j.packs)
	use.sink = use.sink || holds.PublicSink
	if holds.DangerousWrites {
		reads := j.onlyReads(n, use.tool)
		use.dangerous, use.sink = use.dangerous || !reads, use.sink || reads
	}
	what := "MCP server " + name
	if holds.PublicSource {
		n.sight(Sight{Corruption: ordinary, What: what, Why: "What an MCP server returns"})
	}
	if holds.SecretData {
		n.sight(Sight{Secret: ordinary, What: what, Why: "Data of an MCP server that holds secrets"})
	}
	if holds.PublicSource || holds.PublicSink {
		n.Effects |= policy.Network
		n.Reach = policy.ReachNetwork
	}
}

// serverRow is the first row of a layer that names a server, or nil.
func serverRow(list []*match.Gate, name string) *match.ServerRule {
	for _, g := range list {
		for i := range g.Servers {
			if match.AnyGlob(g.Servers[i].Names, name) {
				return &g.Servers[i]
			}
		}
	}
	return nil
}

// elsewhere reports whether a tool is one of a service that the rules name: what
// it calls a path lies there.
func (t *Tool) elsewhere() bool {
	name, ok := match.MCPServer(t.Name)
	if !ok {
		return false
	}
	r := serverRow(gates.All[:], name)
	return r != nil && (r.PublicSink || r.SecretData) && !slices.Contains(r.Names, "*")
}

// onlyReads reports whether a tool of a server changes nothing there, by its
// own name: get_issue, slack_list_channels, searchCode. What queries a database
// must hold SQL that only reads.
func (j *judge) onlyReads(n *Node, t *Tool) bool {
	server, _ := match.MCPServer(t.Name)
	words := match.NameWords(match.OwnName(t.Name))
	if len(words) > 1 && (words[0] == "api" || strings.Contains(server, words[0])) {
		words = words[1:] // slack's slack_list_channels
	}
	if t.Unread || len(words) == 0 || !among(readingVerbs, words[0]) {
		return false
	}
	if slices.ContainsFunc(words, func(w string) bool { return among(changingVerbs, w) }) {
		return false
	}
	queries := 0
	for _, a := range t.Args {
		switch strings.ToLower(a.Name) {
		case "sql", "statement":
		case "query":
			if words[0] != "query" && !startsStatement(a.Value) {
				continue // what is looked for
			}
		default:
			continue
		}
		queries++
		call := j.newCall(n.command, "")
		r := gates.ReadCode("sql", policy.Const(a.Value), call)
		j.free(call)
		if r.Decision > policy.Allow {
			return false
		}
	}
	return queries > 0 || words[0] != "query"
}

// readingVerbs are words of a tool's name that only reads, changingVerbs those
// of one that does more beside it: get_or_create, search_and_replace. Each has
// blanks around it: texts cost a start of the hook nothing.
const (
	readingVerbs  = " get list search read fetch describe find view show count lookup query "
	changingVerbs = " create update delete remove add set put write edit send post reply replace insert upsert move " +
		"rename merge close open mark run execute exec call invoke apply or and then upload push publish sync " +
		"import share invite approve assign archive transfer copy fork cancel submit save store clear reset " +
		"purge drop pop trigger start stop restart enable disable "
	// databaseVerbs begin what a database runs.
	databaseVerbs = " insert update delete drop alter create truncate grant revoke merge replace call do copy exec " +
		"execute set with begin select explain vacuum attach load lock rename upsert pragma "
)

func among(words, word string) bool { return strings.Contains(words, " "+word+" ") }

// startsStatement reports whether a text begins as a statement that a database
// takes does.
func startsStatement(text string) bool {
	word := strings.ToLower(strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = word[:end]
	}
	return among(databaseVerbs, word)
}
