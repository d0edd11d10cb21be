package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// profile puts the request's profile and packs in force. A name that is not
// known is a reason to ask: a stricter way of working was wanted.
func (j *judge) profile(name string, packs []string) []Node {
	var notes []Node
	for _, pack := range packs {
		if g := gates.Pack(pack); g != nil {
			j.packs = append(j.packs, g)
		} else {
			notes = append(notes, engineNode("profile.unknown", policy.Ask, "No rule pack is called "+policy.Quote(pack), pack))
		}
	}
	for name != "" && name != "default" {
		g := j.profileNamed(name)
		if g == nil || slices.Contains(j.profiles, g) {
			return append(notes, engineNode("profile.unknown", policy.Ask, "No profile is called "+policy.Quote(name), name))
		}
		j.profiles = append(j.profiles, g)
		j.ways = append(j.ways, g.Profile)
		name = g.Profile.Extends
	}
	return notes
}

// profileNamed returns the profile of a name, or nil.
func (j *judge) profileNamed(name string) *match.Gate {
	if g := gates.Profile(name); g != nil && g.Profile != nil {
		return g
	}
	for _, rules := range j.engine.opts.Profiles {
		for _, g := range interp.Gates(rules) {
			if g.Name == name && g.Profile != nil {
				return g
			}
		}
	}
	return nil
}

// way is the first setting that the profile or one it extends makes; Skip if
// none does.
func (j *judge) way(of func(*match.Profile) policy.Decision) policy.Decision {
	for _, p := range j.ways {
		if d := of(p); d != policy.Skip {
			return d
		}
	}
	return policy.Skip
}

func (j *judge) grammarOnly() bool {
	return slices.ContainsFunc(j.ways, func(p *match.Profile) bool { return p.GrammarOnly })
}

// builtInHolds reports whether the profile leaves the built-in rules' opinions
// as they are, and adds to them at most.
func (j *judge) builtInHolds() bool {
	return !j.grammarOnly() && j.way(func(p *match.Profile) policy.Decision { return p.Unlisted }) == policy.Skip
}

// ownGrammar reports whether the profile reads a program's words by a table of
// its own, in place of the built-in one.
func (j *judge) ownGrammar(name string) bool {
	for _, g := range j.profiles {
		if slices.ContainsFunc(g.Named(name), func(p *match.Program) bool { return !p.Inherits }) {
			return true
		}
	}
	return false
}

// blocks judges what words mean by the rules without the profile, and keeps
// what they block: a profile that reads a program's words its own way lifts
// no block by it.
func (j *judge) blocks(n *Node, c *match.Call, uses []match.Use, depth int) {
	ways, profiles := j.ways, j.profiles
	j.ways, j.profiles = nil, nil
	without := Node{command: n.command, Pos: n.Pos}
	w := writing{scratch: true}
	for i := range uses {
		j.use(&without, c, &uses[i], &w, depth)
	}
	j.ways, j.profiles = ways, profiles
	for i := range without.Reasons {
		if without.Reasons[i].Decision == policy.Block {
			n.Reasons = append(n.Reasons, without.Reasons[i])
		}
	}
	for i := range without.Children {
		if without.Children[i].Decision == policy.Block {
			n.Children = append(n.Children, without.Children[i])
		}
	}
}

// outside judges a path operand against the directories that the user or a
// profile keeps to.
func (j *judge) outside(n *Node, u *match.Use) {
	id, wants := "profile.outside", j.way(func(p *match.Profile) policy.Decision {
		if u.Kind == match.Write || u.Kind == match.Delete || u.Kind == match.Move || u.Kind == match.Target {
			return p.OutsideWrite
		}
		return p.OutsideRead
	})
	if j.request.AllowedDirs != nil && wants <= policy.Allow {
		id, wants = "config.outside", policy.Ask
	}
	if wants <= policy.Allow {
		return
	}
	o := opRead
	if u.Kind == match.Write || u.Kind == match.Target {
		o = opWrite
	}
	u, keeps := behind(n, u, o)
	if !keeps {
		return
	}
	if n.command.Where != policy.Here {
		n.reason(id, wants, "Names a path of another machine: "+u.Word.String(), 0, policy.ReachUnset)
		return
	}
	for _, t := range j.resolve(u.Word, j.useDirs(n, u)) {
		if !j.allowedDir(t) {
			n.reason(id, wants, "Names a path outside the allowed directories: "+u.Word.String(), 0, policy.ReachUnset)
			return
		}
	}
}

// remotePath judges a file of another machine, which lies outside every
// directory of this one. A page of the web is none: hosts are judged as such.
func (j *judge) remotePath(n *Node, u *match.Use) {
	if text := u.Word.Prefix(); u.Remote && !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		away := *u
		away.Kind, away.Word = match.Write, policy.Const("/")
		j.outside(n, &away)
	}
}

// allowedDir reports whether a path lies in the directories that the profile
// keeps to: the request's, else the workspace and the temporary directory.
func (j *judge) allowedDir(t target) bool {
	if dirs := j.request.AllowedDirs; dirs != nil {
		return t.known && j.insideAny(t, dirs)
	}
	return j.inWorkspace(t) || t.known && j.insideAny(t, []string{"/tmp", "/private/tmp"})
}

// pathWords judges the words of a program that no rule knows: those that look
// like paths outside may be some.
func (j *judge) pathWords(n *Node) {
	for i := 1; i < len(n.command.Words); i++ {
		w := n.command.Words[i]
		prefix := w.Prefix()
		if _, value, ok := strings.Cut(prefix, "="); ok && strings.HasPrefix(prefix, "-") {
			w = policy.Const(value)
			prefix = value
		}
		if strings.HasPrefix(prefix, "/") || strings.HasPrefix(prefix, "~") || strings.Contains(prefix, "..") {
			j.outside(n, &match.Use{Kind: match.Write, Word: w})
		}
	}
}

// effects judges a command by what the profile thinks of its effects, and of
// the questions that the built-in rules ask about it.
func (j *judge) effects(n *Node) {
	for _, p := range j.ways {
		for _, e := range p.Effects {
			if n.Effects&e.Effect != 0 {
				j.ruled(n, "profile."+e.Effect.Names()[0], e.Decision, "This profile's rule for what "+effectText(e.Effect), p.File, p.Line, 0, policy.ReachUnset)
				n.last().layer = ofProfile
			}
		}
		for i := range n.Reasons {
			if r := &n.Reasons[i]; r.layer == builtIn && forbids(p, r) {
				text := r.text
				if r.Decision == policy.Allow {
					text = "Uses a tool of this kind"
				}
				j.ruled(n, "profile.forbids", policy.Block, text+", which this profile forbids", p.File, p.Line, 0, policy.ReachUnset)
				n.last().layer = ofProfile
				break
			}
		}
	}
}

// forbids reports whether a profile blocks what a built-in rule speaks of.
func forbids(p *match.Profile, r *Reason) bool {
	if len(p.Families) > 0 && r.class == aboutUse && r.File != "" && slices.Contains(p.Families, strings.TrimSuffix(path.Base(r.File), ".toml")) {
		return true
	}
	return r.Decision == policy.Ask && len(p.Blocks) > 0 && (match.AnyGlob(p.Blocks, r.ID) || slices.Contains(p.Blocks, r.File))
}

func effectText(e policy.Effects) string {
	switch e {
	case policy.Reads:
		return "reads files"
	case policy.Writes:
		return "writes files"
	case policy.Deletes:
		return "deletes files"
	case policy.Executes:
		return "runs code of the project"
	case policy.Network:
		return "uses the network"
	case policy.Secret:
		return "shows secrets"
	case policy.Persistence:
		return "plants something that runs later"
	case policy.Endless:
		return "does not end by itself"
	}
	return "needs more rights"
}

// profileAnswer turns what would be asked into what the profile wants.
func (j *judge) profileAnswer(v *Verdict) {
	v.Silent = j.way(func(p *match.Profile) policy.Decision { return p.StillAsks }) == policy.Block
	if v.Silent && v.Decision == policy.Ask {
		v.Decision = policy.Block
		v.Reasons = append([]Reason{NewReason("profile.asks", policy.Block, silence, j.request.Command)}, v.Reasons...)
		v.Reason += "; " + silence
	}
}
