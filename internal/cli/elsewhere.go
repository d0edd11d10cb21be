package cli

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/policy"
)

// What a person answers elsewhere, where nobody can be asked here: the question
// waits as a request, and the same thing once more passes when it was approved. It
// is looked for only where something would be asked, and nothing of it makes a
// block of the rules anything else.

// elsewhere looks whether a person has answered this very question, and puts it to
// one if nobody has.
func (g *gate) elsewhere(r *engine.Request, v *engine.Verdict) {
	if g.look != nil || v.Silent || g.judge.setup.NoLifts || g.judge.config.Approvals.Off || !g.unreached(r, v) {
		return
	}
	queue, err := g.process.Requests()
	if err != nil {
		g.unasking = err
		return
	}
	b, err := g.bound(r, v)
	if err != nil {
		g.unasking = err
		return
	}
	for range 2 { // one may be approved in between
		used, err := queue.Use(&b)
		if err != nil {
			g.process.complain("a request: "+policy.Visible(err.Error()), "")
		}
		if used == nil && g.review.Kind != cop.Flag { // who approved a flag, too, approved more than this
			flagged := b
			flagged.Rules = slices.Sorted(slices.Values(append(b.Rules[:len(b.Rules):len(b.Rules)], flaggedMark)))
			used, _ = queue.Use(&flagged)
		}
		if used != nil {
			g.request = used
			pass(r, v, "answer.approved", "approved by "+policy.Visible(policy.Clip(used.By, 100)))
			return
		}
		denied, err := queue.Denied(&b)
		if err != nil {
			g.process.complain("a request: "+policy.Visible(err.Error()), "")
		}
		if denied != nil {
			g.request = denied
			v.Tighten(r, "answer.denied", policy.Block, deniedBy(denied))
			return
		}
		asked, fresh, err := queue.Ask(approval.Request{
			Bound: b, ID: r.Session, Mode: r.Mode, Shell: r.Shell, Why: whys(v), Life: g.judge.config.Approvals.Life,
		})
		if err != nil {
			g.unasking = err
			return
		}
		g.request, g.joined = asked, !fresh
		if fresh {
			g.process.announce(&g.judge.config.Notify, asked)
		}
		if asked.State == approval.Pending {
			return
		}
	}
}

// unreached reports whether a verdict is a question, or stands in the place of one,
// that reaches nobody. A mode in which the agent's user wants no questions is an
// answer of its own.
func (g *gate) unreached(r *engine.Request, v *engine.Verdict) bool {
	mode := r.Mode
	if mode == "" && r.Settings != nil {
		mode = r.Settings.DefaultMode
	}
	if !r.Unattended && !g.headless || mode == engine.ModePlan || mode == engine.ModeDontAsk {
		return false
	}
	return v.Decision == policy.Ask && !g.leaves(r.Mode, v) ||
		v.Decision == policy.Block && !slices.ContainsFunc(v.Reasons, func(r engine.Reason) bool {
			return r.Counts() == policy.Block && !reachesNobody(r.ID)
		})
}

// way tells whom nobody can ask here how a person can answer elsewhere.
func (g *gate) way() string {
	switch {
	case errors.Is(g.unasking, approval.ErrFull):
		return "; nobody is asked elsewhere: too many questions wait already"
	case g.unasking != nil:
		return "; nobody can be asked elsewhere: " + policy.Visible(policy.Clip(g.unasking.Error(), 200))
	case g.request == nil || g.request.State != approval.Pending:
		return ""
	case g.joined:
		return "; it still waits for a person: bashgate approve " + g.request.Code + ", then run the same command again"
	}
	return "; a person can: bashgate approve " + g.request.Code + ", then run the same command again"
}

// word is what a person has said, where that is what was decided.
func (g *gate) word(v *engine.Verdict) string {
	switch {
	case g.request == nil:
	case g.request.State == approval.Denied:
		return deniedBy(g.request)
	case g.request.State == approval.Used && v.Decision == policy.Allow:
		return "bashgate: approved by " + policy.Visible(policy.Clip(g.request.By, 100))
	}
	return ""
}

// maxWhy is how many reasons, and how many effects, a request tells.
const maxWhy = 40

// whys are the reasons to ask.
func whys(v *engine.Verdict) (list []approval.Why) {
	for i := range v.Reasons {
		r := &v.Reasons[i]
		if r.Counts() <= policy.Allow || r.ID == "mode.unattended" || len(list) == maxWhy {
			continue
		}
		source := r.File
		if source != "" && r.Line > 0 {
			source += ":" + strconv.Itoa(r.Line)
		}
		list = append(list, approval.Why{ID: r.ID, Text: r.Text(), Source: source})
	}
	return list
}

// does lists what would change, and what else comes of it: "writes /etc/hosts",
// "sends or receives data".
func does(v *engine.Verdict) (list []string) {
	for _, effect := range [...]struct {
		is   policy.Effects
		text string
	}{
		{policy.Deletes, "removes files"}, {policy.Executes, "runs code of the project or of a file"},
		{policy.Network, "sends or receives data"}, {policy.Secret, "shows credentials"},
		{policy.Persistence, "plants something that runs later"}, {policy.Privilege, "acts with more rights"},
	} {
		if v.Effects&effect.is != 0 {
			list = append(list, effect.text)
		}
	}
	return append(list, written(nil, v.Tree)...)
}

func written(list []string, nodes []engine.Node) []string {
	for i := range nodes {
		for _, p := range nodes[i].Writes {
			list = append(list, "writes "+p.Path)
		}
		list = written(list, nodes[i].Children)
	}
	return list
}

// told is what a person is told of what would change, and all of it is what the
// answer holds for: of what there is no room for, a hash stands there.
func (g *gate) told(v *engine.Verdict) []string {
	list := does(v)
	for _, option := range g.question.Options {
		list = append(list, "with "+option)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if more := len(list) - maxWhy; more > 0 {
		rest := hashed([]byte(strings.Join(list[maxWhy:], "\n")))
		list = append(list[:maxWhy:maxWhy], "and "+strconv.Itoa(more)+" more ("+rest+")")
	}
	return list
}

// given is what the question is about, byte for byte.
func (g *gate) given(r *engine.Request) (string, error) {
	switch {
	case g.question.Shell:
		return r.Command, nil
	case g.question.Tool.Unread || g.question.Input == nil:
		return "", errors.New("what the tool is given is not known")
	}
	return cmp.Or(string(g.question.Input), "{}"), nil
}
