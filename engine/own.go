package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// What the gate itself obeys or remembers is written and removed by no agent.
// In the places tables such rows have the mark own. They hold for a directory
// above, where that is removed, and for a pattern that may name them.

// ownRow is the strictest row about what the gate obeys among those that a
// pattern of the line may name when it is written or removed: as it matches
// the disk, or where that can't be told, as it is written.
func (j *judge) ownRow(t target, o op) *match.PathRule {
	if o == opRead || !t.pattern {
		return nil
	}
	if !t.known || t.inside {
		// In a directory that is the gate's, whatever the name is.
		forms := slices.Clone(j.ownForms(t, o))
		for i, form := range forms {
			forms[i] = match.FixedDir(form) + "/?"
		}
		return j.amongOwn(forms, o, false)
	}
	var found *match.PathRule
	wrote := j.wrote
	j.wrote = writes{} // what the line makes is none of these: that is blocked
	files, all := j.listed(t)
	j.wrote = wrote
	for _, file := range files {
		found = stricter(found, j.amongOwn(j.ownForms(file, o), o, false), o)
	}
	if !all {
		found = stricter(found, j.amongOwn(j.ownForms(t, o), o, true), o)
	}
	return found
}

func stricter(a, b *match.PathRule, o op) *match.PathRule {
	if b == nil || a != nil && ruleDecision(a, o) >= ruleDecision(b, o) {
		return a
	}
	return b
}

func (j *judge) ownForms(t target, o op) []string {
	forms := j.spellings(t)
	if o == opDelete {
		forms = j.aboveAliases(forms)
	}
	return forms
}

// amongOwn is the strictest own row about one of the spellings of a path.
func (j *judge) amongOwn(forms []string, o op, pattern bool) *match.PathRule {
	if !pattern {
		return j.places().own(forms, o)
	}
	var found *match.PathRule
	for _, r := range j.engine.own() {
		if ruleDecision(r, o) > policy.Allow && (found == nil || ruleDecision(r, o) > ruleDecision(found, o)) &&
			slices.ContainsFunc(forms, func(form string) bool { return mayName(r, form, o) }) {
			found = r
		}
	}
	return found
}

// ownRows are the rows about what the gate itself obeys or remembers.
func ownRows() (rows []*match.PathRule) {
	for _, g := range gates.All {
		for i := range g.Paths {
			if g.Paths[i].Own {
				rows = append(rows, &g.Paths[i])
			}
		}
	}
	return rows
}

// mayName reports whether a pattern may name what a row is about: of a glob
// that says where that is, for who removes it, also a directory above; of one
// that holds anywhere, where the first of its names is written in full.
func mayName(r *match.PathRule, form string, o op) bool {
	return slices.ContainsFunc(r.Globs, func(glob string) bool {
		if rest, ok := strings.CutPrefix(glob, "**/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			for below := form; ; {
				if name, _, _ := strings.Cut(below, "/"); name == first && meet(below, rest) {
					return true
				}
				next, ok := "", false
				if _, next, ok = strings.Cut(below, "/"); !ok {
					return false
				}
				below = next
			}
		}
		if glob[0] == '!' {
			return false
		}
		if meet(form, glob) {
			return true
		}
		if o != opDelete {
			return false
		}
		n := strings.Count(form, "/") + 1
		above, deeper := firstNames(glob, n)
		return n > 1 && deeper && meet(form, above)
	})
}

// firstNames are the first n names of a path, and whether there are more.
func firstNames(p string, n int) (first string, more bool) {
	for i := range len(p) {
		if p[i] == '/' {
			if n--; n == 0 {
				return p[:i], true
			}
		}
	}
	return p, false
}

// aboveAliases adds the directories that are removed with one of the forms of a
// path, as the rules know them.
func (j *judge) aboveAliases(forms []string) []string {
	for _, a := range j.request.aliases() {
		if slices.ContainsFunc(forms, func(p string) bool { return p != a.Dir && within(a.Dir, p) }) {
			forms = append(forms, a.As)
		}
	}
	return forms
}

// ownArguments judges a tool that is given no argument which one of its rows
// calls a place: a text that it is given may be one all the same, and so may what
// it calls a member of an object. One that changes things by its
// name is blocked from what is the gate's for certain; where a relative path
// begins is for the tool to say, and what another one does to it for nobody.
func (j *judge) ownArguments(n *Node, use *toolUse) {
	if slices.ContainsFunc(use.judged, func(a match.ToolArg) bool { return a.Kind != match.URL && a.Judged() && use.tool.given(a.Name) }) {
		return
	}
	name := strings.ToLower(use.tool.Name)
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i:]
	}
	changes := holdsAny(name, "write", "edit", "create", "delete", "remove", "replace", "patch", "append", "save", "update", "move", "rename", "insert", "copy", "chmod", "trunc")
	if !changes && holdsAny(name, "read", "get", "list", "search", "find", "view", "show", "grep", "glob", "stat", "tree", "open") {
		return
	}
	use.tool.each(func(value string) {
		if len(value) > 1024 || !strings.ContainsAny(value, "/.~") || strings.ContainsAny(value, " \t\n\"'<>{}") {
			return
		}
		readings := placesOf(match.Write, value)
		value = readings[len(readings)-1] // file:///a is /a
		d := policy.Ask
		if changes && (value[0] == '/' || value[0] == '~') {
			d = policy.Block
		}
		for _, t := range j.resolve(policy.Const(value), n.command.Dirs) {
			for _, o := range [...]op{opWrite, opDelete} {
				if rule := j.amongOwn(j.ownForms(t, o), o, false); rule != nil && (o == opWrite || holdsAny(name, "delete", "remove", "move", "rename")) {
					j.pathReason(n, rule, d, o, policy.Const(value))
					return
				}
			}
		}
	})
}

func holdsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// given reports whether a tool is given an argument that is a text, or an object
// in what it is given has it.
func (t *Tool) given(name string) bool {
	return t.Arg(name) != "" || slices.ContainsFunc(t.Inner, func(in Tool) bool { return in.given(name) })
}

// each calls f for all texts that a tool is given, and for what it and the
// objects in that call them.
func (t *Tool) each(f func(value string)) {
	for _, a := range t.Args {
		f(a.Name)
		f(a.Value)
	}
	for _, name := range t.Others {
		f(name)
	}
	for i := range t.Inner {
		t.Inner[i].each(f)
	}
}
