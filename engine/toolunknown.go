package engine

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Most tools are in no table, and those that are may be given arguments that
// their rows do not name. Arguments of the usual names are judged all the same,
// by rows with the mark unknown: they only tighten.

// unknownArguments judges the arguments of a tool that none of its rows names.
func (j *judge) unknownArguments(n *Node, use *toolUse) {
	for g := range j.allGates() {
		for i := range g.Tools {
			rule := &g.Tools[i]
			if rule.Unknown && rule.Is(use.tool.Name) == policy.Yes {
				j.unknownOf(n, use, use.tool, rule)
			}
		}
	}
}

// unknownOf applies one row to what a tool is given, and to the objects in that,
// but for uses of other tools.
func (j *judge) unknownOf(n *Node, use *toolUse, t *Tool, rule *match.ToolRule) {
	for _, a := range t.Args {
		arg := rule.UnnamedArg(a.Name)
		if arg == nil || a.Value == "" || use.names(a.Name) || len(a.Value) > maxPlace || strings.Contains(a.Value, "\n") {
			continue
		}
		machine := arg.Kind == match.Host || arg.Kind == match.URL
		if !machine && arg.Kind != match.Read && arg.Kind != match.Path && use.tool.elsewhere() {
			continue // what it writes lies there
		}
		if !machine && !use.place(a.Value) || machine && isPath(a.Value) {
			continue
		}
		for _, value := range placesOf(arg.Kind, a.Value) {
			u := match.Use{Kind: arg.Kind, Lang: arg.Lang, Word: policy.Const(value), Dirs: n.command.Dirs}
			if !slices.ContainsFunc(use.guessed, func(g match.Use) bool { return g.Kind == u.Kind && g.Word.Text == value }) {
				use.guessed = append(use.guessed, u)
				j.argument(n, use, u, 0)
			}
		}
		if machine && isPlace(a.Value) {
			continue // it stays on this machine
		}
		use.sink = use.sink || rule.Sink
		use.dangerous = use.dangerous || rule.Dangerous
		n.Effects |= rule.Effects
		n.Reach = max(n.Reach, rule.Reach)
		corruption := rule.Corruption
		if machine && j.trusts(a.Value) {
			corruption = 0
		}
		if corruption > 0 || rule.Secret > 0 {
			n.sight(Sight{Corruption: corruption, Secret: rule.Secret, What: strings.TrimSpace(t.Name + " " + machines(a.Value)), Why: rule.Reason})
		}
	}
	for i := range t.Inner {
		in := &t.Inner[i]
		if in.names() != "" && slices.ContainsFunc(in.Others, func(name string) bool { return slices.Contains(catalogue.ToolInput[:], name) }) {
			continue // judged as what it is
		}
		inner := Tool{Name: use.tool.Name, Args: in.Args, Others: in.Others, Inner: in.Inner}
		j.unknownOf(n, use, &inner, rule)
	}
}

// maxPlace is how long a text may be that names a place or a machine.
const maxPlace = 4096

// names reports whether a row of the tool says what an argument is.
func (u *toolUse) names(arg string) bool {
	return slices.ContainsFunc(u.rows, func(r *match.ToolRule) bool {
		return slices.ContainsFunc(r.Args, func(a match.ToolArg) bool { return a.Name == arg })
	})
}

// place reports whether a text may be a place of this machine: an address of
// another scheme than file is none, and of a service a path lies there unless it
// says where it begins.
func (u *toolUse) place(value string) bool {
	if scheme, _, is := strings.Cut(value, "://"); is && isScheme(scheme) {
		return isPlace(value)
	}
	return isPlace(value) || strings.HasPrefix(value, "//") || !u.tool.elsewhere()
}

// isPlace reports whether a text is a place of this machine for certain.
func isPlace(value string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(value)), ":")
	return isPath(value) || scheme == "file" || strings.HasPrefix(scheme, "vscode-")
}

// isPath reports whether a text is a path that says where it begins. What begins
// with two slashes is a machine where an address is meant.
func isPath(value string) bool {
	value = strings.TrimSpace(value)
	return strings.HasPrefix(value, "~") || strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//")
}
