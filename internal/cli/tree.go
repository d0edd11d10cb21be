package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/policy"
)

// widest is how many characters of a command a line shows.
const widest = 100

// tree draws the commands of a verdict below each other, each with its
// reasons. Nothing that others wrote reaches the terminal unescaped.
type tree struct {
	strings.Builder
	style   style
	request *engine.Request
	ids     int // the width of the longest id
}

func (t *tree) line(text string) {
	t.WriteString(strings.TrimRight(text, " "))
	t.WriteByte('\n')
}

// measure finds the width of the column of ids.
func (t *tree) measure(nodes []engine.Node) {
	for i := range nodes {
		for k := range nodes[i].Reasons {
			t.ids = max(t.ids, len(nodes[i].Reasons[k].ID))
		}
		t.measure(nodes[i].Children)
	}
}

// nodes draws commands that stand side by side.
func (t *tree) nodes(indent string, nodes []engine.Node) {
	for i := range nodes {
		branch, below := "├─ ", "│  "
		if i == len(nodes)-1 {
			branch, below = "└─ ", "   "
		}
		if i > 0 && (spacious(&nodes[i-1]) || spacious(&nodes[i])) {
			t.line(t.style.paint(dim, indent+"│"))
		}
		t.node(indent+branch, indent+below, &nodes[i])
	}
}

// spacious reports whether a node is drawn with blank lines around it: it
// takes more than two.
func spacious(n *engine.Node) bool {
	return len(n.Children) > 0 || n.Decision != policy.Allow
}

func (t *tree) node(first, below string, n *engine.Node) {
	s := t.style
	own := ownDecision(n)
	word := s.decision(own, fmt.Sprintf("%-5s", own))
	if own < n.Decision {
		word = s.paint(dim, "runs ")
	}
	what := n.Command()
	if what == "" { // the use of a tool
		what = t.request.Command
	}
	head := s.paint(dim, first) + word + "  " + s.paint(bold, shorten(policy.Visible(what), widest))
	if dir := t.dir(n); dir != "" {
		head += s.paint(dim, "  in "+policy.Visible(dir))
	}
	if file := n.Place(); file != "" {
		head += s.paint(dim, "  "+policy.Visible(file))
	}
	t.line(head)
	// The last line of a node with children leads down to them.
	text := below + "       "
	if len(n.Children) > 0 {
		text = below + "│      "
	}
	reasons := slices.Clone(n.Reasons)
	slices.SortStableFunc(reasons, func(a, b engine.Reason) int { return engine.Graver(&a, &b) })
	advised := ""
	for i := range reasons {
		if !repeated(reasons[:i], &reasons[i]) {
			advised = t.reason(text, own, n.Via(), &reasons[i], advised)
		}
	}
	if own > policy.Allow {
		for _, r := range n.Near {
			t.line(s.paint(dim, text) + policy.Visible(fmt.Sprintf("your rule %s (%s:%d) nearly held: %s", r.ID, tilde(t.request.Home, r.File), r.Line, r.Why)))
		}
	}
	if len(n.Children) > 0 {
		t.nodes(below, n.Children)
	}
}

// ownDecision is what is thought of the command itself, whatever it runs.
func ownDecision(n *engine.Node) policy.Decision {
	own := policy.Allow
	for i := range n.Reasons {
		own = max(own, n.Reasons[i].Counts())
	}
	if len(n.Children) == 0 {
		own = max(own, n.Decision)
	}
	return own
}

// repeated reports whether a reason says what an earlier one said.
func repeated(earlier []engine.Reason, r *engine.Reason) bool {
	return slices.ContainsFunc(earlier, func(e engine.Reason) bool {
		return e.ID == r.ID && e.Line == r.Line && e.Text() == r.Text()
	})
}

// reason draws one reason: what it says, its rule's id and place, and what
// would change it. Its decision is shown where it is not the command's, and
// the wrappers, which stand above it, are left out. Advice that was given for
// the reason before is not given again; the reason's advice is returned.
func (t *tree) reason(indent string, of policy.Decision, via []string, r *engine.Reason, advised string) string {
	s := t.style
	indent = s.paint(dim, indent)
	text := r.Text()
	for _, wrapper := range via {
		text = strings.TrimPrefix(text, wrapper+": ")
	}
	d := r.Counts()
	if text := policy.Visible(text); d != policy.Allow && text != "" {
		if d != of {
			text = s.decision(d, d.String()+":") + " " + text
		}
		t.line(indent + text)
	}
	place := ""
	if r.File != "" {
		place = fmt.Sprintf("%s:%d", tilde(t.request.Home, r.File), r.Line)
	}
	t.line(indent + s.paint(dim, strings.TrimRight(fmt.Sprintf("%-*s  %s", t.ids, r.ID, place), " ")))
	if r.Lift != nil {
		t.line(indent + s.paint(dim, "lifted: "+policy.Visible(t.lifter(r.Lift))))
	}
	if d < of || d == policy.Allow {
		return advised
	}
	advice := t.advice(r)
	if advice != "" && advice != advised {
		t.line(indent + "→ " + policy.Visible(advice))
	}
	return advice
}

// lifter names who dropped a question.
func (t *tree) lifter(l *engine.Lift) string {
	if l.File == "" {
		return l.Text
	}
	return fmt.Sprintf("%s, %s %s:%d", l.Text, l.By, tilde(t.request.Home, l.File), l.Line)
}

// advice says what would change a reason's answer.
func (t *tree) advice(r *engine.Reason) string {
	o := catalogue.Described(r.ID)
	switch {
	case r.Hint != "":
		return r.Hint
	case o != nil && o.Fixed:
		return o.Answer
	case r.Counts() == policy.Block && r.File != "":
		return "a block stands: nothing but an [[override]] of yours makes it a question"
	case r.Counts() == policy.Block:
		return "a block stands: no rule, mode or setting lifts it"
	case r.AcceptEdits:
		return "in mode acceptEdits it is allowed"
	case r.File != "" || o == nil || o.Answer == "":
		return fmt.Sprintf("a rule of yours can lift it: lifts = [%q]", r.ID)
	case strings.HasSuffix(o.Answer, "lifts it"):
		return fmt.Sprintf("%s: lifts = [%q]", o.Answer, r.ID)
	}
	return o.Answer
}

// dir is where a command runs, if that is not where the line begins.
func (t *tree) dir(n *engine.Node) string {
	dir := n.Dir()
	if dir == "" || dir == t.request.Cwd {
		return ""
	}
	if rel, err := filepath.Rel(t.request.Cwd, dir); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return dir
}
