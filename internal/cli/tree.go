package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/policy"
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
	head := s.paint(dim, first) + word + "  " + s.paint(bold, shorten(policy.Visible(n.Command()), widest))
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
	sort.SliceStable(reasons, func(i, k int) bool { return reasons[i].Decision > reasons[k].Decision })
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
		own = max(own, n.Reasons[i].Decision)
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
	if text := policy.Visible(text); r.Decision != policy.Allow && text != "" {
		if r.Decision != of {
			text = s.decision(r.Decision, r.Decision.String()+":") + " " + text
		}
		t.line(indent + text)
	}
	place := ""
	if r.File != "" {
		place = fmt.Sprintf("%s:%d", tilde(t.request.Home, r.File), r.Line)
	}
	t.line(indent + s.paint(dim, strings.TrimRight(fmt.Sprintf("%-*s  %s", t.ids, r.ID, place), " ")))
	if r.Decision < of || r.Decision == policy.Allow {
		return advised
	}
	advice := t.advice(r)
	if advice != "" && advice != advised {
		t.line(indent + "→ " + policy.Visible(advice))
	}
	return advice
}

// advice says what would change a reason's answer.
func (t *tree) advice(r *engine.Reason) string {
	switch {
	case r.Hint != "":
		return r.Hint
	case strings.HasPrefix(r.ID, "mode."):
		return "where a person can be asked it is a question"
	case r.ID == "settings.deny" || r.ID == "settings.ask":
		return "the agent's own settings say so"
	case r.Decision == policy.Block && r.File != "":
		return "a block stands: nothing but an [[override]] of yours makes it a question"
	case r.Decision == policy.Block:
		return "a block stands: no rule, mode or setting lifts it"
	case r.AcceptEdits:
		return "in mode acceptEdits it is allowed"
	case strings.HasPrefix(r.ID, "config."):
		return "mend it: bashgate rules lint shows what is wrong"
	case r.File == "" && (strings.HasPrefix(r.ID, "shell.") || strings.HasPrefix(r.ID, "code.")):
		return "what can't be read for certain is asked about: write it more plainly"
	case r.ID == "unknown-use":
		return "a rule of yours can describe this use"
	case r.ID == "redirect.write" || r.ID == "path.write":
		return "directories that are harmless to write belong in scratch_dirs of config.toml"
	case isProgramRule(r):
		return fmt.Sprintf("a rule of yours can lift it: lifts = [%q]", r.ID)
	case strings.HasPrefix(r.File, "rules/"):
		return "a person decides about this each time"
	}
	return ""
}

// isProgramRule reports whether a reason is a built-in rule's opinion of a
// program's use, which is what a user's rule can lift.
func isProgramRule(r *engine.Reason) bool {
	for _, g := range gates.All {
		if g.File != r.File {
			continue
		}
		for _, p := range g.Programs {
			for i := range p.Rules {
				if p.Rules[i].ID == r.ID {
					return true
				}
			}
		}
	}
	return false
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
