package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A command that talks to this machine alone does not reach the network, if a
// fact says that it talks to nobody whom its words don't name, and nothing else
// is to be said of it. What it does, and what is thought of it, stays as it is.
//
//	curl http://localhost:3000/api
//	psql -h 127.0.0.1 -c 'select 1'

// stays takes the network out of the reach of a command that stays on this
// machine.
func (j *judge) stays(n *Node, c *match.Call) {
	if n.Reach != policy.ReachNetwork || len(n.talks) == 0 || len(n.Children) > 0 || n.command.Where != policy.Here || len(c.Unknowns) > 0 {
		return
	}
	if !slices.ContainsFunc(c.Facts, j.talksToNamed) || j.steered(n) {
		return
	}
	if slices.ContainsFunc(n.command.Redirects, func(r policy.Redirect) bool { _, is := devNet(r.Path); return is }) {
		return
	}
	for g := range j.allGates() {
		for i := range g.Hosts {
			if row := &g.Hosts[i]; row.Local && isHere(n, addressed(n, c), row) {
				n.Reach, n.stayed = policy.ReachLocal, true
				return
			}
		}
	}
}

// talksToNamed reports whether a fact says that a command talks to the machines
// alone that its words name, and no file says otherwise.
func (j *judge) talksToNamed(r *match.Rule) bool {
	return r.Fact != nil && r.Fact.Named && !slices.ContainsFunc(r.Fact.Files, func(name string) bool {
		name = j.expandHome(name)
		return j.engine.opts.Files != nil && j.exists(name) || j.rewritten(name) != nil
	})
}

// steered reports whether the line gives a command variables that may lead it
// elsewhere: all but those that say who somebody is.
func (j *judge) steered(n *Node) bool {
	for _, list := range [...][]policy.Assign{n.command.Assigns, n.command.Env} {
		for _, a := range list {
			if !a.Taken && !strings.HasSuffix(a.Name, "PASSWORD") && !strings.HasSuffix(a.Name, "_PWD") && !strings.HasSuffix(a.Name, "TOKEN") && a.Name != "NO_COLOR" {
				return true
			}
		}
	}
	return false
}

// addressed lists what a command talks to. Where an option names the machine, a
// plain name among its operands is a database's: psql -h localhost app.
func addressed(n *Node, c *match.Call) []policy.Word {
	if !slices.ContainsFunc(c.Uses, func(u match.Use) bool { return u.Kind == match.Host && u.Option != "" }) {
		return n.talks
	}
	return slices.DeleteFunc(slices.Clone(n.talks), func(w policy.Word) bool {
		text, known := w.Const()
		return known && text != "" && strings.Trim(text, letters+"_-") == "" && slices.ContainsFunc(c.Uses, func(u match.Use) bool {
			same, ok := u.Word.Const()
			return u.Kind == match.URL && ok && same == text
		}) && !slices.ContainsFunc(c.Uses, func(u match.Use) bool {
			same, ok := u.Word.Const()
			return u.Kind == match.Host && ok && same == text
		})
	})
}

// isHere reports whether all that a command talks to is surely this machine,
// and none of the ports that a row leaves out.
func isHere(n *Node, addresses []policy.Word, row *match.HostRule) bool {
	for _, w := range n.command.Words[1:] {
		text, known := w.Const()
		if !known {
			continue
		}
		if port := strings.TrimLeft(text, "-pP"); slices.Contains(row.NotPorts, port) || slices.Contains(row.NotPorts, text[strings.LastIndexAny(text, "=:")+1:]) {
			return false
		}
	}
	talks := make([]policy.Word, len(addresses))
	for i, w := range addresses {
		text, known := w.Const()
		if !known {
			return false
		}
		talks[i] = policy.Const(bare(text))
	}
	return talksTo(talks, row.Globs) && onPorts(talks, row.NotPorts)
}

// bare writes an address as one of HTTP, or without a scheme, that names the
// same machine and port, where that is certain: postgres://u:p@localhost:5432/a
// is localhost:5432. Others stay as they are.
func bare(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	}
	switch scheme {
	case "", "http", "https":
	case "ws", "wss":
		scheme = "http"
	case "postgres", "postgresql", "mysql", "mariadb", "redis", "rediss", "mongodb", "amqp", "amqps", "nats", "clickhouse":
		if strings.ContainsAny(rest, "?#,\\%") {
			return text // a parameter may name another machine
		}
		if user, host, ok := strings.Cut(rest, "@"); ok {
			if strings.ContainsAny(user, "/[]") || strings.Contains(host, "@") {
				return text
			}
			rest = host
		}
		rest, _, _ = strings.Cut(rest, "/")
		scheme = ""
	default:
		return text
	}
	if after, ok := strings.CutPrefix(rest, "[::1]"); ok && (after == "" || after[0] == ':' || after[0] == '/') {
		rest = "localhost" + after
	} else if rest == "::1" {
		rest = "localhost"
	}
	if scheme != "" {
		return scheme + "://" + rest
	}
	return rest
}
