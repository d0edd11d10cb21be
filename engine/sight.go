package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Sight is something that a session has seen once a command or a tool has run.
type Sight struct {
	Corruption int    // the level of untrusted content, 0 to 3
	Secret     int    // the level of secrets, 0 to 3
	What       string // "curl example.org", ".env", "gh issue view": a kind with a machine or a file, no command and no value
	Why        string // "A private key": a phrase without a full stop
	Runs       bool   // the command runs it: the corruption counts for the command itself
	Brought    bool   // it comes from where the command talks to: the secret counts for later commands alone
}

// Place is a file that a command reads or writes.
type Place struct {
	Path    string // absolute and clean; links followed where that can be known
	Pattern bool   // Path holds wildcards: "*" also stands for what is not known
}

// The levels of what no row gives one.
const (
	weak     = 1
	ordinary = 2
)

// fileSource notes a file that is read: the place, and what the rows say of it.
func (j *judge) fileSource(n *Node, t target, w policy.Word) {
	n.reads(t)
	if t.path == unknownDir {
		return
	}
	note := func(rule *match.PathRule) {
		if rule.Corruption != 0 || rule.Secret != 0 {
			n.sight(Sight{Corruption: rule.Corruption, Secret: rule.Secret, What: fileLabel(w), Why: rule.Reason})
		}
	}
	for _, a := range j.about(j.spelling(t), t.pattern) {
		note(a.rule)
	}
	if !t.known {
		if rule := j.unrooted(t); rule != nil {
			note(rule)
		}
	}
}

// networkSource notes what a machine on the network sends, unless it is trusted.
func (j *judge) networkSource(n *Node, w policy.Word, kind match.Kind) {
	text, ok := w.Const()
	if ok && j.trusts(text) && !n.asksStrangers(text) {
		n.trusted = true
		return
	}
	name := ""
	if kind != match.Sent { // a:b may be a machine, and rather is a value
		name = shownHost(w)
	}
	n.hosts = append(n.hosts, name)
}

// strangers are parts of addresses of repositories where anybody writes: their own
// content is trusted, and not what is said about them or offered to them. A commit of
// a fork shows among those of the repository (GitHub, GitLab, Gitea and Bitbucket).
const strangers = " issues pull pulls pull-requests discussions merge_requests merge-requests compare commit commits wiki forks "

// asksStrangers reports whether a command asks a trusted machine for what anybody
// offers: git fetch MACHINE pull/1/head.
func (n *Node) asksStrangers(machine string) bool {
	return n.command != nil && slices.ContainsFunc(n.command.Words, func(w policy.Word) bool {
		text, _ := w.Const()
		return text != machine && ofStrangers(text)
	})
}

// ofStrangers reports whether a text names something that anybody writes.
func ofStrangers(text string) bool {
	for part := range strings.SplitSeq(strings.ToLower(text), "/") {
		if part = strings.TrimPrefix(part, "+"); part != "" && part != text && strings.Contains(strangers, " "+part+" ") {
			return true
		}
	}
	return false
}

// trusts reports whether some row trusts a machine. A glob that holds a slash
// is about the machine with the path behind it.
func (j *judge) trusts(text string) bool {
	named := hostNames(text)
	name := named.hosts[0]
	if name == "" || len(named.hosts) > 1 || named.unclear {
		return false
	}
	full := name + "/" + strings.Trim(remotePathOf(text), "/")
	for g := range j.allGates() {
		for i := range g.Hosts {
			if g.Hosts[i].Trusted && namesHost(g.Hosts[i].Globs, name, full) {
				return true
			}
		}
	}
	for _, glob := range j.request.TrustedHosts {
		if namesHost([]string{glob}, name, full) && !(strings.Contains(glob, "/") && ofStrangers(full)) {
			return true
		}
	}
	return false
}

// namesHost reports whether globs mean a machine. One of nothing but numbers
// means addresses: 127.* is not 127.example.org.
func namesHost(globs []string, name, full string) bool {
	_, address := hostAddress(name)
	found := false
	for _, glob := range globs {
		text := name
		exclude := strings.HasPrefix(glob, "!")
		glob = strings.ToLower(strings.TrimPrefix(glob, "!"))
		if strings.Contains(glob, "/") {
			text = strings.TrimSuffix(full, ".git")
			if strings.Contains(text, "..") || strings.ContainsAny(text, "%?#\\") {
				continue // it may lead elsewhere
			}
		}
		if !match.Glob(glob, text) || numeric(glob) && !address {
			continue
		}
		if exclude {
			return false
		}
		found = true
	}
	return found
}

func numeric(glob string) bool {
	return strings.Trim(glob, "0123456789.*?") == "" && strings.ContainsAny(glob, "0123456789")
}

// remotePathOf is what stands behind the machine's name, in lower case: "a/b"
// of https://host/a/b and of git@host:a/b.
func remotePathOf(text string) string {
	_, rest, isURL := strings.Cut(text, "://")
	if !isURL {
		if host, path, ok := strings.Cut(text, ":"); ok && !strings.Contains(host, "/") {
			return strings.ToLower(path)
		}
		rest = text
	}
	_, path, _ := strings.Cut(rest, "/")
	return strings.ToLower(path)
}

// taints sums up what a session has seen once a command has run: what shows
// secrets by the reasons that were given, and what comes from the network.
func (j *judge) taints(n *Node) {
	if n.Effects&policy.Secret != 0 {
		if why := j.secret(n); why != "" {
			n.sight(Sight{Secret: ordinary, What: n.label(j.shownFiles(n.Reads)), Why: why})
		}
	}
	if n.Reach != policy.ReachNetwork || n.trusted && len(n.hosts) == 0 && !n.unknown() {
		return
	}
	level, said := 0, false
	for i := range n.Reasons {
		if by, ok := j.sourceLevel(n.Reasons[i].ID); ok && !n.Reasons[i].beneath {
			level, said = max(level, by), true
		}
	}
	switch {
	case said:
	case n.Effects&policy.Network != 0 || len(n.hosts) > 0:
		level = ordinary
	case n.Effects&policy.Executes != 0 && n.runsFiles():
		return // what files of this machine say is theirs: it is read
	case n.Effects&policy.Executes != 0:
		level = weak // code of the line that could ask the network, and rarely does
	case n.asks():
		level = ordinary // a use that no rule knows, of a program that can
	}
	if level <= n.told {
		n.back = said && level == 0
		return
	}
	n.sight(Sight{Corruption: level, What: n.label(n.hosts), Why: "Content from the network"})
}

// secret says why a command shows secrets; "" where they would stand in files, and
// none do.
func (j *judge) secret(n *Node) string {
	some := false
	for i := range n.Reasons {
		if r := &n.Reasons[i]; r.Effects&policy.Secret != 0 && !r.beneath {
			if !j.showsNothing(n, r.ID) {
				return r.Text()
			}
			some = true
		}
	}
	if some {
		return ""
	}
	return "Shows secrets"
}

// runsFiles reports whether all the code that a command runs lies in files,
// which are among those that it reads.
func (n *Node) runsFiles() bool {
	files, inline := len(n.Runs) > 0, false
	for i := range n.Reasons {
		files = files || n.Reasons[i].ID == "run.file"
		inline = inline || n.Reasons[i].ID == "code.any"
	}
	return files && !inline
}

// unknown reports whether no rule knows what some word of the command does: it
// may lead elsewhere than its machines say.
func (n *Node) unknown() bool {
	for i := range n.Reasons {
		if r := &n.Reasons[i]; r.ID == "unknown-use" && !r.beneath {
			return true
		}
	}
	return false
}

// asks reports whether a rule has more than an allow for the command itself.
func (n *Node) asks() bool {
	for i := range n.Reasons {
		if r := &n.Reasons[i]; r.Decision > policy.Allow && !r.beneath {
			return true
		}
	}
	return false
}

// sourceLevel is the level of what a rule's commands bring from the network, and
// whether a row gives it one.
func (j *judge) sourceLevel(id string) (int, bool) {
	j.touch(policy.Machines)
	for _, s := range j.engine.sources() {
		if match.AnyGlob(s.Rules, id) {
			return s.Corruption, true
		}
	}
	return 0, false
}

// sources are the rows that say what rules bring from the network: an
// administrator's go first, then the user's, then the built-in ones.
func (o *Options) sources() []*match.SourceRule {
	var rows []*match.SourceRule
	add := func(list []*match.Gate) {
		for _, g := range list {
			for i := range g.Sources {
				rows = append(rows, &g.Sources[i])
			}
		}
	}
	for _, rules := range o.Managed {
		add(interp.Gates(rules))
	}
	for _, rules := range o.User {
		add(interp.Gates(rules))
	}
	add(gates.All[:])
	return rows
}
