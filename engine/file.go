package engine

import (
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// op is what happens to a file.
type op uint8

const (
	opRead op = iota
	opWrite
	opDelete
)

func (o op) verb() string { return [...]string{"Reads ", "Writes ", "Deletes "}[o] }

// writing sums up the files that one command changes.
type writing struct {
	any     bool
	beyond  bool  // one of them is unknown, sensitive, or outside the workspace
	scratch bool  // all of them so far are harmless to write
	turned  bool  // the same line may have made one of them lead elsewhere
	asked   []int // the reasons given for ordinary ones, as indexes

	redirect *policy.Redirect // the redirect that opens it, or nil
}

// redirects judges the files that the shell opens for a command.
func (j *judge) redirects(n *Node) {
	for i := range n.command.Redirects {
		r := &n.command.Redirects[i]
		u := match.Use{Word: r.Path}
		if host, ok := devNet(r.Path); ok {
			n.reason("redirect.network", policy.Ask, "Opens a network connection ("+host+")", policy.Network, policy.ReachNetwork)
			j.agentHost(n, r.Path, hostName(strings.TrimPrefix(strings.TrimPrefix(r.Path.Prefix(), "/dev/tcp/"), "/dev/udp/")))
			continue
		}
		if r.Op == policy.RedirectRead || r.Op == policy.RedirectReadWrite {
			n.Effects |= policy.Reads
			j.outside(n, &u)
			j.read(n, &u)
		}
		if r.Op != policy.RedirectRead {
			if passing(r.Path) {
				continue // the reader has put files in place of what is open
			}
			n.Effects |= policy.Writes
			u.Kind = match.Write
			j.outside(n, &u)
			w := writing{scratch: true, redirect: r}
			j.write(n, &u, opWrite, &w)
			j.ordinary(n, &w, "redirect.write", "Writes "+r.Path.String(), true)
		}
	}
}

// devNet reports whether a redirect is one of bash's network names.
func devNet(w policy.Word) (string, bool) {
	prefix := w.Prefix()
	for _, name := range [...]string{"/dev/tcp/", "/dev/udp/"} {
		if strings.HasPrefix(prefix, name) {
			return w.String(), true
		}
	}
	return "", false
}

// read judges a file that is read. An unknown one is allowed: what it holds
// goes to the agent, who could have asked for any.
func (j *judge) read(n *Node, u *match.Use) {
	if n.command.Where != policy.Here {
		return
	}
	u, keeps := behind(n, u, opRead)
	if !keeps {
		return
	}
	asked := false
	places := j.resolve(u.Word, j.useDirs(n, u))
	if w, ok := matched(u.Word); ok {
		places = j.resolve(w, j.useDirs(n, u))
	}
	for _, t := range places {
		j.fileSource(n, t, u.Word)
		j.mayShow(n, t, u.Word)
		j.agentPlace(n, t, opRead, u.Word)
		if rule := j.readRule(t); rule != nil && rule.Read > policy.Allow && !asked {
			j.pathReason(n, rule, rule.Read, opRead, u.Word)
			n.rows = append(n.rows, askingRow{rule, opRead, u.Word, places})
			j.grants(n, u.Word, places, opRead)
			asked = true
		}
	}
	if !asked {
		j.handedOn(n, u)
	}
}

// write judges a file that is changed or removed.
func (j *judge) write(n *Node, u *match.Use, o op, w *writing) {
	u, keeps := behind(n, u, o)
	if !keeps {
		return
	}
	w.any = true
	if w.redirect == nil {
		n.changed++
	}
	if n.command.Where != policy.Here {
		w.beyond, w.scratch = true, false
		return
	}
	u = onlyMatched(u)
	places := j.resolve(u.Word, j.useDirs(n, u))
	if o == opWrite {
		places = append(places, j.strays(places)...)
	}
	if by := j.grants(n, u.Word, places, o); by != nil && w.redirect == nil {
		n.changed--
		n.placed = by
	}
	if len(places) == 0 {
		w.beyond, w.scratch = true, false
	}
	ordinary := o == opWrite
	for _, t := range places {
		n.writes(t)
		j.agentPlace(n, t, o, u.Word)
		j.changes(n.command, w.redirect, t, n.Reach == policy.ReachNetwork)
		if !j.inWorkspace(t) {
			w.beyond, ordinary = true, false
		}
		if !j.harmless(t) {
			w.scratch = false
		} else if j.outOfOrder() || j.turned(n, t) {
			w.turned = true
		}
		rule := j.pathRule(t, o)
		if rule == nil {
			continue
		}
		if d := ruleDecision(rule, o); d > policy.Allow {
			j.pathReason(n, rule, d, o, u.Word)
			w.beyond, w.scratch, ordinary = true, false, false
			n.rows = append(n.rows, askingRow{rule, o, u.Word, places})
		}
	}
	if w.scratch {
		return
	}
	text := o.verb() + u.Word.String()
	if u.Word.HasHole() {
		text = o.verb() + "a file whose name is not known: " + u.Word.String()
	}
	w.asked = append(w.asked, len(n.Reasons))
	n.reason("path."+[...]string{"read", "write", "delete"}[o], policy.Ask, text, 0, policy.ReachUnset)
	if ordinary {
		n.last().settings = j.allowedEdit(places)
	}
	n.last().about = o.about(u.Word)
}

// harmless reports whether writing a file needs no question: it lies in a
// scratch directory, or in a directory that a profile keeps to.
func (j *judge) harmless(t target) bool {
	if !t.known {
		return false
	}
	kept := j.way(func(p *match.Profile) policy.Decision { return p.OutsideWrite })
	return j.inScratch(t) || kept > policy.Allow && j.allowedDir(t)
}

// inScratch reports whether a file lies in a directory that is harmless to
// write. One of the workspace counts only where it lies in there, links
// followed.
func (j *judge) inScratch(t target) bool {
	for _, dir := range j.request.ScratchDirs {
		below, ok := strings.CutPrefix(dir, "./")
		if !ok && j.inside(t, dir) {
			return true
		}
		if ok && j.inside(t, j.request.Workspace) && j.inside(t, j.request.Workspace+"/"+below) {
			return true
		}
	}
	return false
}

// writes ends the judging of the files that a program changes: an ordinary
// write needs no words of its own where a rule asks already, and what is about
// edits only may be dropped where a rule says so and nothing is beyond the
// workspace.
// The reasons about its words begin at index first.
func (j *judge) writes(n *Node, c *match.Call, w *writing, first int) {
	asks, edits := false, false
	for i := range c.Held {
		h := &c.Held[i]
		if layer(h.Layer) == ofProject {
			continue // which only tightens
		}
		asks = asks || h.Decision > policy.Allow
		// What a person's own question is about says nothing of what other
		// rules ask.
		edits = edits || h.Rule.AcceptEdits && (h.Decision == policy.Allow || layer(h.Layer) < ofProject)
	}
	for i := range c.Unknowns {
		// A table that has no opinion of this use asks about nothing.
		asks = asks || c.Unknowns[i].Decision != policy.Skip
	}
	for _, k := range w.asked {
		n.Reasons[k].implied, n.Reasons[k].AcceptEdits = asks, edits
	}
	w.edits(n, first)
}

// ordinary is writes for a redirect.
func (j *judge) ordinary(n *Node, w *writing, id, text string, edits bool) {
	for _, k := range w.asked {
		n.Reasons[k].ID, n.Reasons[k].text, n.Reasons[k].AcceptEdits = id, text, edits
	}
	if len(w.asked) > 0 {
		w.edits(n, w.asked[0])
	}
}

// edits notes at the reasons about edits, from reason first on, what may drop
// them.
func (w *writing) edits(n *Node, first int) {
	inside := w.any && !w.beyond
	for i := first; i < len(n.Reasons); i++ {
		r := &n.Reasons[i]
		if (r.AcceptEdits || r.byPlace) && r.Decision == policy.Ask {
			r.scratch = w.any && w.scratch && (r.AcceptEdits || !w.turned)
			r.AcceptEdits = r.AcceptEdits && inside
		}
	}
}

func ruleDecision(r *match.PathRule, o op) policy.Decision {
	switch o {
	case opWrite:
		return r.Write
	case opDelete:
		return r.Delete
	}
	return r.Read
}

func (j *judge) pathReason(n *Node, rule *match.PathRule, d policy.Decision, o op, w policy.Word) {
	effects := rule.Effects
	if o != opRead {
		effects &^= policy.Secret
	} else {
		effects &^= policy.Persistence
	}
	j.ruled(n, rule.ID, d, rule.Reason+": "+w.String(), rule.File, rule.Line, effects, policy.ReachUnset)
	n.last().about, n.last().fixed = o.about(w), rule.Fixed
}
