package ruleset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// printed is the shape of the output that prints names.
func printed(name string) policy.Shape {
	switch name {
	case "word":
		return policy.ShapeWord
	case "name":
		return policy.ShapeName
	case "number":
		return policy.ShapeCount
	case "numbers":
		return policy.ShapeNumbers
	}
	return policy.ShapeAny
}

// into is what a rule's into names.
func into(name string) match.Into {
	switch name {
	case "files":
		return match.IntoFiles
	case "trees":
		return match.IntoTrees
	case "anything":
		return match.IntoAnything
	}
	return match.IntoNothing
}

// rule reads one allow, ask or block of a program.
func (c *compiler) rule(r *Rule, decision policy.Decision) match.Rule {
	defer c.within(&r.Table)()
	m := match.Rule{
		Decision: decision, Reason: r.Reason.Value, Line: r.At.Line, Origin: c.origin, Conditions: &match.Conditions{},
		AnyFlags: r.AnyFlags.Value != "", Acts: r.AnyFlags.Value != "" && !c.builtIn(), HasOnly: r.Has("only_flags"), HasOperands: r.Has("operands"),
		Otherwise: r.Otherwise, AcceptEdits: r.AcceptEdits,
		Irreversible: r.Irreversible || r.Forever, Unrecoverable: r.Forever,
		ByPlace: r.ByPlace, Named: r.Directories.Value == "known",
		Into: into(r.Into.Value), Prints: printed(r.Prints.Value), Effects: effects(r.Effects),
	}
	if m.SecretIf = values(r.SecretIf); m.SecretIf != nil && !c.mayLoosen(r.Key("secret_if"), "secret_if") {
		m.SecretIf = nil
	}
	m.Writes, m.Task = values(r.Writes), r.Task.Value
	if decision == policy.Ask {
		// A mode lifts such an ask, and with it that the files are written.
		m.AcceptEdits = m.AcceptEdits && c.mayLoosen(r.Key("accept_edits"), "accept_edits")
		if m.Task != "" && !c.mayLoosen(r.Key("task"), "task") {
			m.Task = ""
		}
	}
	if m.Reach, _ = policy.ParseReach(r.Reach.Value); m.Reach == policy.ReachUnset {
		m.Reach = c.program.Reach
	}
	m.Paths = c.rulePaths(r)
	c.path = m.Paths
	defer func() { c.path = nil }()
	m.Any = c.flagTests(r.Any, false)
	m.All = c.flagTests(r.All, false)
	m.Unless = c.flagTests(r.Unless, false)
	m.Only = c.flagTests(r.Only, true)
	m.Operands = c.operands(r.Operands)
	for i := range m.Operands {
		for _, test := range m.Operands[i].With {
			c.knownOption(test.Spelling, r.Operands[min(i, len(r.Operands)-1)])
		}
	}
	m.Args = c.args(r.Args)
	for _, t := range r.Args {
		if place, ok := strings.CutPrefix(t.Value, "@"); ok && !slices.Contains(c.places, place) {
			c.errorf(t.At, DidYouMean(place, c.places), "no row of paths has place = %q", place)
		}
	}
	b := match.Bounds{Lifts: values(r.Lifts), Workspace: c.workspaces(r.Workspace, false), Remote: values(r.Remote), Branch: values(r.Branch), Directory: c.workspaces(r.Directory, false), Unfed: r.Unfed, Fed: r.Fed}
	if r.Has("wrappers") {
		b.Wrappers = append([]string{}, values(r.Wrappers)...)
	}
	if len(b.Lifts)+len(b.Workspace)+len(b.Remote)+len(b.Branch) > 0 || b.Wrappers != nil || b.Directory != nil || b.Unfed || b.Fed {
		m.Bounds = &b
	}
	m.ID = c.ruleID(r, &m)
	c.ruleLayer(r, &m)
	c.contradictions(r, &m)
	c.kinds(r, &m)
	c.effective(r, &m)
	if len(m.Any)+len(m.All)+len(m.Unless)+len(m.Only)+len(m.Args)+len(m.Writes)+len(m.Task) == 0 && m.Bounds == nil {
		m.Conditions = &match.NoConditions
	}
	return m
}

// args reads the globs over operands. A project's places are its own: they add
// to none of the same name that other rules speak of.
func (c *compiler) args(list []Text) []string {
	args := values(list)
	if !c.onlyTightens() {
		return args
	}
	for _, t := range list {
		not := ""
		if strings.HasPrefix(t.Value, "!") {
			not = "!"
		}
		if place, ok := strings.CutPrefix(t.Value, not+"@"); ok && slices.Contains(c.own, place) {
			args = append(args, not+"@"+projectPlace(place))
		}
	}
	return args
}

func projectPlace(name string) string { return "project:" + name }

// rulePaths joins the fields that say for which subcommands it holds.
func (c *compiler) rulePaths(r *Rule) []string {
	paths := c.paths(r.Subcommand)
	if r.Has("subcommand") && r.Has("subcommand_prefix") {
		c.errorf(r.Key("subcommand_prefix"), `write "name*" in subcommand`, "both subcommand and subcommand_prefix")
	}
	for _, t := range r.Prefix {
		if words := strings.Fields(t.Value); len(words) > 0 {
			paths = append(paths, strings.Join(words, " ")+"*")
		}
	}
	if !r.Has("action_prefix") {
		return paths
	}
	if len(paths) == 0 {
		paths = []string{"*"}
	}
	var out []string
	for _, p := range paths {
		for _, t := range r.ActionPrefix {
			out = append(out, p+" "+t.Value+"*")
		}
	}
	return out
}

// ruleID returns the written id, or derives one from what the rule is about.
func (c *compiler) ruleID(r *Rule, m *match.Rule) string {
	if r.ID.Value != "" {
		c.checkID(r.ID)
		if at, ok := c.ids[r.ID.Value]; !ok || at != (place{c.Name, r.ID.At.Line}) {
			// Programs that share a table share its ids.
			c.take(c.ids, r.ID.Value, r.ID.At, "id")
		}
		return r.ID.Value
	}
	if m.Decision != policy.Allow && c.builtIn() {
		c.errorf(r.At, fmt.Sprintf("id = %q", m.Program+".what"), "[[programs.%s]] has no \"id\"", m.Decision)
	}
	id := idName(m.Program) + "." + m.Decision.String()
	if len(m.Paths) > 0 {
		words := strings.Map(func(r rune) rune {
			switch {
			case strings.ContainsRune("*?[]!", r):
				return -1
			case r == ' ':
				return '-'
			}
			return r
		}, m.Paths[0])
		if words = strings.Trim(words, "-"); words != "" {
			id += "." + words
		}
	}
	return c.freshID(id, r.At)
}

// freshID makes a derived id one of the file's layer, and one that nobody has.
func (c *compiler) freshID(id string, at Span) string {
	switch c.Layer {
	case Profiles, Packs, OwnProfiles, Shared:
		id = c.Base() + "." + id
	case User:
		id = "user." + id
	case Project:
		id = "project." + id
	case Managed:
		id = "managed." + id
	}
	base := id
	for n := 2; ; n++ {
		if _, ok := c.ids[id]; !ok {
			break
		}
		id = fmt.Sprintf("%s.%d", base, n)
	}
	c.ids[id] = place{c.Name, at.Line}
	return id
}

// idName writes a name, a path or a glob with the letters of an id:
// "./scripts/check.sh" is "scripts-check.sh".
func idName(name string) string {
	if !strings.ContainsAny(name, "/*?[") {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r) {
			return r
		}
		return '-'
	}, name)
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	if name = strings.Trim(name, ".-"); name == "" {
		return "any"
	}
	return name
}

func (c *compiler) checkID(t Text) {
	for _, r := range t.Value {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r)) {
			c.errorf(t.At, "letters, digits and . _ + -, like \"git.push-force\"", "%q is no id", t.Value)
			return
		}
	}
}

// ruleLayer checks what the file's layer demands of a rule.
func (c *compiler) ruleLayer(r *Rule, m *match.Rule) {
	kind := "[[programs." + m.Decision.String() + "]]"
	if m.Decision != policy.Allow && r.Reason.Value == "" && !r.Has("reason") {
		c.errorf(r.At, `reason = "what it does, for the person who is asked"`, "%s has no \"reason\"", kind)
	}
	if strings.HasSuffix(r.Reason.Value, ".") || len(r.Reason.Value) > 250 {
		c.errorf(r.Reason.At, "a phrase of at most 250 characters without a full stop", "the reason is a sentence")
	}
	if r.Has("wrappers") && c.builtIn() {
		c.errorf(r.Key("wrappers"), "", "wrappers is for the files of users")
	}
	if len(r.Lifts) > 0 && (c.Layer == BuiltIn || c.Layer == Packs) {
		c.errorf(r.Key("lifts"), "change the rule itself", "lifts in a built-in file")
	}
	if !c.builtIn() {
		return
	}
	if len(r.Examples) == 0 && !r.Has("examples") {
		c.errorf(r.At, `examples = ["a command for which it holds"]`, "%s has no \"examples\"", kind)
	}
	if c.program.Open && m.Decision == policy.Allow && !m.AnyFlags {
		c.errorf(r.At, `declare its options in [[programs.options]], or say any_flags = "why they do no harm"`, "an open allow: %q has no option tables", m.Program)
	}
	if !c.program.Open && m.AnyFlags && m.HasOnly {
		c.errorf(r.Key("any_flags"), "", "both only_flags and any_flags")
	}
}

// kinds demands that somebody says what the operands of a question are, so
// that they are judged too: the rule, or the grammar.
func (c *compiler) kinds(r *Rule, m *match.Rule) {
	if c.Layer != BuiltIn || m.Decision == policy.Allow || m.HasOperands {
		return
	}
	paths := m.Paths
	if paths == nil {
		paths = []string{""}
	}
	for _, p := range paths {
		if c.program.Described(strings.Fields(p)) == nil {
			c.errorf(r.At, `operands = ["data*"] in [[programs.options]], or what they are`, "nothing says what the operands of %q are", strings.TrimSpace(m.Program+" "+p))
			return
		}
	}
}

// contradictions finds rules that can't hold, and fields that can't matter.
func (c *compiler) contradictions(r *Rule, m *match.Rule) {
	has := func(tests []match.FlagTest, spelling string) bool {
		for _, t := range tests {
			if t.Values == nil && c.sameOption(t.Spelling, spelling) {
				return true
			}
		}
		return false
	}
	excluded := func(t match.FlagTest) bool {
		return has(m.Unless, t.Spelling) || m.HasOnly && !slices.ContainsFunc(m.Only, func(o match.FlagTest) bool { return c.sameOption(o.Spelling, t.Spelling) })
	}
	for i, t := range m.All {
		if excluded(t) {
			c.errorf(r.All[min(i, len(r.All)-1)].At, "", "the rule can never hold: %q is both wanted and excluded", t.Spelling)
		}
	}
	if len(m.Any) > 0 && !slices.ContainsFunc(m.Any, func(t match.FlagTest) bool { return !excluded(t) }) {
		c.errorf(r.Key("if_flags_any"), "", "the rule can never hold: all of its options are excluded")
	}
	if r.Irreversible && r.Forever {
		c.errorf(r.Key("irreversible"), "", "irreversible says nothing beside unrecoverable")
	}
	if m.HasOperands && len(r.Operands) == 0 && len(m.Args) > 0 {
		c.errorf(r.Key("if_args_contain"), "", "the rule can never hold: it has no operands")
	}
	if !m.HasOperands && m.Decision == policy.Allow && len(m.Args) > 0 {
		c.errorf(r.Key("if_args_contain"), `add operands = ["data*"] or what they are`, "the rule can never hold: an allow without operands has none")
	}
}

// sameOption reports whether two spellings name one option somewhere.
func (c *compiler) sameOption(a, b string) bool {
	if a == b {
		return true
	}
	for _, l := range c.program.Levels {
		for _, o := range l.Options {
			if o.Same(a, b) {
				return true
			}
		}
	}
	return false
}

func effects(texts []Text) policy.Effects {
	var all policy.Effects
	for _, t := range texts {
		e, _ := policy.ParseEffect(t.Value)
		all |= e
	}
	return all
}
