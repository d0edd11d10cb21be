package engine

import (
	"slices"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// How opinions meet.
//
// A reason says what somebody thinks, and nothing changes it. A decision is the
// strictest of the reasons that count. What makes a reason not count is a lift,
// a record beside it that names who dropped it; this file is the only place
// that makes one, after all has been judged:
//
//   - Only questions are lifted, one by one: whatever else is asked stays.
//   - A block stands, whoever allows. An [[override]] makes it a question, and
//     nothing lifts that one; nobody overrides a block of the managed rules.
//   - Facts stay: effects, reach and what a session has seen are those of all
//     reasons, lifted or not.
//   - What can't be answered by a rule (Fixed in the Catalogue) is lifted by no
//     rule.
//
// These lift, in this order:
//
//   - that a text does not call the function it stands in: whoever calls it is
//     asked;
//   - whoever judged the texts that a task stands for: the question about it;
//   - a text of the project: questions about the project's own tools, and about
//     what tools make (engine/project.go);
//   - a profile that counts the built-in rules for their grammar only: their
//     opinions; and the ids that it names;
//   - a place that is harmless to write, permission mode acceptEdits, and an
//     Edit(...) that the agent's settings allow: questions about edits;
//   - a rule of the user, or of the managed files: the ids that it names, of the
//     command that it holds for;
//   - the agent's own settings: what is asked about the words of a command that
//     they allow, not about what others send it. A file that comes with a clone
//     lifts nothing grave, and nothing that the user asks;
//   - a reviewer who may clear what no rule knows, when all else has been said.

// grant is what the agent's settings allow of a command: its words, which the
// reasons from first on are about.
type grant struct {
	rule  *settings.Rule
	first int
}

// context is what lifts reasons of a node because of what stands around it.
type context struct {
	uncalled bool
	raised   bool   // a command around it acts with more rights
	grant    *grant // of a command whose words hold this one
	task     bool   // and this is text that its name stands for
}

// decide settles nodes that have been judged.
func (j *judge) decide(nodes []Node, c context) {
	for i := range nodes {
		j.decideNode(&nodes[i], c)
	}
}

func (j *judge) decideNode(n *Node, c context) {
	c.uncalled = c.uncalled || n.uncalled
	if c.grant != nil && c.grant.rule.Cloned() && n.Effects&graveEffects != 0 {
		c.grant = nil // what runs inside has its rights
	}
	own := n.granted
	if own != nil && (c.raised || own.rule.Cloned() && n.Effects&graveEffects != 0) {
		own = nil // its words don't say that more rights go with them
	}
	outside, raises := c.raised, n.raises()
	c.raised = c.raised || raises
	n.raised = c.raised
	for i := range n.Children {
		child, inner := &n.Children[i], c
		if !c.task {
			// A grant covers the commands that stand in the words, and what a
			// task's name stands for.
			inner.grant = nil
			if g := around(c.grant, own); g != nil && (child.place != "" || !child.scripted && child.command != nil && len(child.command.Redirects) == 0) {
				inner.grant, inner.task = &grant{rule: g.rule}, child.place != ""
			}
		}
		j.decideNode(child, inner)
		if raises && child.command != nil && child.place == "" && child.Effects&policy.Executes != 0 && child.Decision <= policy.Allow {
			n.reason("privilege.executes", policy.Ask, "Runs code that is not the system's with more rights", policy.Privilege|policy.Executes, policy.ReachUnset)
		}
	}
	granted := ""
	for i := range n.Reasons {
		r := &n.Reasons[i]
		if r.Lift = j.lifted(n, r, c.uncalled, outside); r.Lift == nil {
			r.Lift = j.bySetting(r, i, c.grant, own)
		}
		if r.Lift != nil && r.Lift.By == bySettings {
			granted = r.Lift.Text
		}
	}
	if granted != "" {
		n.reason(bySettings, policy.Allow, granted, 0, policy.ReachUnset)
	}
	j.spare(n)
	n.settle()
}

// Clear lifts all questions of a verdict, for a reviewer who may.
func (v *Verdict) Clear(by Lift) {
	for i := range v.Reasons {
		if r := &v.Reasons[i]; r.Counts() == policy.Ask {
			r.Lift = &by
		}
	}
	v.Decision, v.Reason = policy.Allow, ""
}

// lifted is what drops a reason, or nil. Outside says whether a command around the
// node acts with more rights.
func (j *judge) lifted(n *Node, r *Reason, uncalled, outside bool) *Lift {
	raised := n.raised
	if r.ID == "redirect.write" {
		raised = outside // the shell that starts sudo opens the file
	}
	switch {
	case r.Decision == policy.Block:
		return j.overridden(n, r)
	case r.Decision != policy.Ask:
		return nil
	case uncalled:
		return &Lift{By: "shell.uncalled", Text: "a function that nobody calls yet", To: policy.Allow}
	case r.known:
		return &Lift{By: "task.known", Text: "all that the task runs was judged", To: policy.Allow}
	}
	if l := j.liftedByWay(r); l != nil {
		return l
	}
	if l := j.ofTool(n, r); l != nil {
		return l
	}
	switch {
	case r.scratch:
		return &Lift{By: "scratch", Text: "a place that is harmless to write", To: policy.Allow}
	case r.AcceptEdits && j.request.Mode == ModeAcceptEdits && !raised: // edits are the user's own
		return &Lift{By: "mode.acceptEdits", Text: "the session accepts edits", To: policy.Allow}
	}
	if r.settings != "" && j.request.Mode != ModePlan && !j.engine.opts.NoLifts {
		return &Lift{By: bySettings, Text: "The agent's settings allow " + r.settings, To: policy.Allow}
	}
	for l := range n.liftsOf(r.about) {
		switch {
		case n.raised && (l.by.By == byProject.By || l.layer == ofProfile): // with more rights it is the system's
		case raised && l.edits && l.layer < ofManaged: // sudo install -m 4755 leaves more than an edit
		case l.edits && l.layer == ofProfile && (n.Effects&policy.Network != 0 || j.request.Workspace == j.request.Home): // what comes from elsewhere is no edit, and a home no project
		case l.layer == ofProfile && j.request.Mode == ModePlan: // nothing is to change
		case l.layer == ofProject, l.layer < ofManaged && j.engine.opts.NoLifts:
		case l.drops(r) && !catalogue.Fixed(r.ID):
			return &l.by
		}
	}
	return nil
}

// liftedByWay is what the profile drops.
func (j *judge) liftedByWay(r *Reason) *Lift {
	if r.layer != builtIn {
		return nil
	}
	for _, p := range j.ways {
		by := Lift{By: "profile." + p.Name, Text: "profile " + p.Name, File: p.File, Line: p.Line, To: policy.Allow}
		switch {
		case p.GrammarOnly && r.class == aboutUse:
			return &by
		case len(p.Lifts) > 0 && match.AnyGlob(p.Lifts, r.ID) && !catalogue.Fixed(r.ID):
			return &by
		}
	}
	return nil
}

// bySettings is the id of what the agent's settings allow.
const bySettings = "settings.allow"

// graveEffects are what no file that comes with a clone may allow.
const graveEffects = policy.Secret | policy.Persistence | policy.Privilege

// bySetting is what the agent's settings drop of a node's reason at index i:
// outer is the grant of a command whose words hold this one, own this one's.
func (j *judge) bySetting(r *Reason, i int, outer, own *grant) *Lift {
	g := outer
	if g == nil && own != nil && i >= own.first && r.class != aboutInput {
		g = own
	}
	switch {
	case g == nil, r.Decision != policy.Ask, r.class == aboutVariable, r.class == aboutSettings, r.layer == ofManaged, j.engine.opts.NoLifts:
		return nil
	case r.ID == "repository.planted": // it is about the directory, and no words of the command
		return nil
	case g.rule.Cloned() && (r.layer > ofProject || r.Irreversible || r.Effects&graveEffects != 0 || r.ID == "project.elsewhere"):
		return nil
	}
	return &Lift{By: bySettings, Text: settingText("allow", g.rule), To: policy.Allow}
}

// around is the grant that holds for what stands in a command's words.
func around(outer, own *grant) *grant {
	if outer != nil {
		return outer
	}
	return own
}

// raises reports whether a command itself acts with more rights.
func (n *Node) raises() bool {
	for i := range n.Reasons {
		if n.Reasons[i].Effects&policy.Privilege != 0 {
			return true
		}
	}
	return false
}

// spare drops what a rule that asks says in better words. Where that rule is
// lifted, what it stood for is asked.
func (j *judge) spare(n *Node) {
	implied, asks := false, false
	for i := range n.Reasons {
		r := &n.Reasons[i]
		implied = implied || r.implied
		asks = asks || r.class == aboutUse && !r.implied && r.Counts() == policy.Ask
	}
	if !implied || !asks {
		return
	}
	n.Reasons = slices.DeleteFunc(n.Reasons, func(r Reason) bool { return r.implied && r.Lift == nil })
}

// overridden is what a user makes of a block, or nil.
func (j *judge) overridden(n *Node, r *Reason) *Lift {
	if r.Decision != policy.Block || r.layer == ofManaged || r.fixed || catalogue.Fixed(r.ID) {
		return nil
	}
	for _, o := range j.engine.overrides() {
		if !match.AnyGlob(o.IDs, r.ID) || len(o.Programs) > 0 && !slices.Contains(o.Programs, j.programOf(n)) {
			continue
		}
		return &Lift{By: "override", Text: "an override of yours makes the block a question: " + o.Reason, File: o.File, Line: o.Line, To: policy.Ask}
	}
	return nil
}

// programOf is the name that the rules know a command's program by, or "".
func (j *judge) programOf(n *Node) string {
	if n.command == nil || len(n.command.Words) == 0 {
		return ""
	}
	name, _ := j.identify(n.command.Words[0], n.command.Where)
	return name
}

// overriding lists the overrides of users and of the managed files.
func (e *Engine) overriding() []*match.Override {
	var list []*match.Override
	for _, owner := range e.layers() {
		if owner.layer == ofProject || owner.layer == ofUser && e.opts.NoOverrides {
			continue
		}
		for _, rules := range owner.rules {
			for _, g := range interp.Gates(rules) {
				for i := range g.Overrides {
					list = append(list, &g.Overrides[i])
				}
			}
		}
	}
	return list
}
