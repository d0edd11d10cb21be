package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/shell"
	"github.com/bashgate/bashgate/policy"
)

// The arguments of tools go to the judges that the operands of commands go to.
// Two things differ: an ordinary edit of the workspace is left to the agent,
// and where the agent keeps its own notes the built-in rows have no say.

// arguments judges what a row calls the arguments of a tool. It reports
// whether all that is fetched is fetched from machines that are trusted.
func (j *judge) arguments(n *Node, use *toolUse, rule *match.ToolRule) (trusted bool) {
	dirs := argumentDirs(n.command.Dirs, use.tool, rule)
	var roots []policy.Word // where names are looked for
	fetches := 0
	for i := range rule.Args {
		arg := &rule.Args[i]
		known := slices.ContainsFunc(use.judged, func(a match.ToolArg) bool { return a.Name == arg.Name && a.Kind == arg.Kind && a.Lang == arg.Lang })
		if !known {
			use.judged = append(use.judged, *arg)
		}
		if !known {
			use.tool.within(arg.Name, func(value string) {
				for _, value := range placesOf(arg.Kind, value) {
					j.argument(n, use, match.Use{Kind: arg.Kind, Lang: arg.Lang, Word: policy.Const(value), Dirs: dirs}, 0)
				}
			})
		}
		for _, a := range use.tool.Args {
			if a.Name != arg.Name || a.Value == "" {
				continue
			}
			switch arg.Kind {
			case match.Read, match.Path:
				for _, value := range placesOf(arg.Kind, a.Value) {
					roots = append(roots, policy.Const(value))
				}
			case match.Host, match.URL:
				trusted = j.trusts(a.Value) && (trusted || fetches == 0)
				fetches++
			}
			if !known {
				for _, value := range placesOf(arg.Kind, a.Value) {
					j.argument(n, use, match.Use{Kind: arg.Kind, Lang: arg.Lang, Word: policy.Const(value), Dirs: dirs}, 0)
				}
			}
		}
	}
	j.lookedFor(n, use.tool, rule, roots, dirs)
	return trusted
}

// within calls f for the texts of an argument that stand in the objects and
// lists that a tool is given: of edits = [{file_path = "a"}] it is "a".
func (t *Tool) within(name string, f func(value string)) {
	for i := range t.Inner {
		for _, a := range t.Inner[i].Args {
			if a.Name == name && a.Value != "" {
				f(a.Value)
			}
		}
		t.Inner[i].within(name, f)
	}
}

// argumentDirs is where the paths of a tool's arguments begin: an argument of
// kind dir says so.
func argumentDirs(cwd []string, t *Tool, rule *match.ToolRule) []string {
	for i := range rule.Args {
		if arg := &rule.Args[i]; arg.Kind == match.Dir && t.Arg(arg.Name) != "" {
			dir := t.Arg(arg.Name)
			if path.IsAbs(dir) || strings.HasPrefix(dir, "~") || len(cwd) == 0 {
				return []string{dir}
			}
			return []string{cwd[0] + "/" + dir}
		}
	}
	return cwd
}

// argument judges one value of an argument.
func (j *judge) argument(n *Node, use *toolUse, u match.Use, depth int) {
	u.Locate()
	switch u.Kind {
	case match.Name:
	case match.Write, match.Target:
		n.Effects |= policy.Writes
		j.edits(n, use, &u, opWrite)
	case match.Delete, match.Move:
		n.Effects |= policy.Deletes
		if u.Kind == match.Move {
			j.read(n, &u) // under another name nobody asks about it
		}
		j.edits(n, use, &u, opDelete)
	case match.Code:
		call := j.newCall(n.command, "")
		r := gates.ReadCode(u.Lang, u.Word, call)
		j.free(call)
		if r.Decision != policy.Skip {
			n.reason(r.ID, r.Decision, r.Reason, r.Effects, r.Reach)
		}
		n.Effects |= r.Effects
		n.Reach = max(n.Reach, r.Reach)
		for i := range r.Uses {
			inner := r.Uses[i]
			inner.Dirs = u.Dirs
			if depth > maxDepth {
				n.reason("shell.limit", policy.Ask, "Nests texts too deeply to follow", 0, policy.ReachUnknown)
				return
			}
			j.argument(n, use, inner, depth+1)
		}
	case match.Script:
		text, _ := u.Word.Const()
		in := shell.Input{Text: text, Dialect: shell.Any, Dirs: j.startsIn(u.Dirs), Home: j.request.Home}
		children := append(j.text(in, frame{depth: depth + 1, via: []string{use.tool.Name}}), j.changedLater()...)
		for i := range children {
			n.Effects |= children[i].Effects
			n.Reach = max(n.Reach, children[i].Reach)
			use.reach = max(use.reach, children[i].Reach)
		}
		n.Children = append(n.Children, children...)
		use.commands = append(use.commands, text)
	default:
		w := writing{scratch: true}
		call := j.newCall(n.command, "")
		defer j.free(call)
		j.use(n, call, &u, &w, depth)
	}
}

// edits judges a file that a tool changes or removes.
func (j *judge) edits(n *Node, use *toolUse, u *match.Use, o op) {
	first := len(n.Reasons)
	w := writing{scratch: true}
	if j.keeps(use.own, u) {
		j.unruled = true
		j.write(n, u, o, &w)
		j.unruled = false
		w.beyond = len(w.asked) > 0 && w.asked[0] > first
	} else {
		j.outside(n, u)
		first = len(n.Reasons)
		j.write(n, u, o, &w)
	}
	if len(w.asked) == 0 {
		return
	}
	// An ordinary edit of the workspace is the agent's own business, and where
	// a row asks that is said already.
	if ordinary := w.asked[0]; !w.beyond || ordinary > first {
		n.Reasons = slices.Delete(n.Reasons, ordinary, ordinary+1)
	}
}

// keeps reports whether all that a word may mean lies where the agent keeps
// its own notes.
func (j *judge) keeps(own []string, u *match.Use) bool {
	if len(own) == 0 {
		return false
	}
	places := j.resolve(u.Word, u.Dirs)
	for _, t := range places {
		if !t.known || t.pattern || !j.among(t.path, own) || !j.among(t.real, own) {
			return false
		}
	}
	return len(places) > 0
}

// among reports whether globs name a path. The home directory that they speak
// of is the user's own, by its name or where that leads.
func (j *judge) among(p string, globs []string) bool {
	forms := []string{p}
	for _, dir := range [...]struct{ is, as string }{{j.request.Home, "~"}, {j.request.Workspace, "."}} {
		if dir.is == "" || dir.is == "/" {
			continue
		}
		for _, is := range [...]string{dir.is, j.follow(dir.is)} {
			if within(p, is) {
				forms = append(forms, dir.as+p[len(is):])
			}
		}
	}
	for _, a := range j.request.aliases() {
		if within(p, a.Dir) {
			forms = append(forms, a.As+p[len(a.Dir):])
		}
	}
	in := false
	for _, glob := range globs {
		rest, exclude := strings.CutPrefix(glob, "!")
		if slices.ContainsFunc(forms, func(form string) bool { return match.PathGlob(rest, form) }) {
			if exclude {
				return false
			}
			in = true
		}
	}
	return in
}

// addedRow is the strictest row about one of the spellings of a path among
// those that are not built in, and those about what the gate itself obeys.
func (j *judge) addedRow(forms []string, o op) *match.PathRule {
	found := tryAll(func(yield func(*match.Gate) bool) {
		j.allGates()(func(g *match.Gate) bool {
			return slices.Contains(gates.All[:], g) || yield(g)
		})
	}, forms, o)
	return stricter(found, j.amongOwn(forms, o, false), o)
}

// lookedFor judges the files that a tool reads because it looks for their
// names: those of a row's arguments of kind name, below its paths.
func (j *judge) lookedFor(n *Node, t *Tool, rule *match.ToolRule, roots []policy.Word, dirs []string) {
	if roots == nil && len(dirs) > 0 {
		roots = []policy.Word{policy.Const(dirs[0])}
	}
	for i := range rule.Args {
		arg := &rule.Args[i]
		if arg.Kind != match.Name {
			continue
		}
		for _, a := range t.Args {
			if a.Name != arg.Name || a.Value == "" {
				continue
			}
			globs, whole := match.Braces(a.Value)
			if !whole {
				n.reason("shell.limit", policy.Ask, "Looks for more names than can be followed", policy.Reads, policy.ReachUnset)
			}
			for _, name := range globs {
				if strings.HasPrefix(name, "!") {
					continue // all others: those of the paths
				}
				if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") {
					j.readFound(n, []policy.Word{globbed("", name)})
				} else {
					j.readFound(n, below(roots, []string{name}))
				}
			}
		}
	}
}

// unclear names what can't be judged of what a tool is given: "" if all of it
// can. An argument without the mark "may be missing" must be there for an
// allow; of those of other rows one must.
func (u *toolUse) unclear() string {
	if u.tool.Unread {
		return "all of it"
	}
	for _, rule := range u.rows {
		missing, there, required := "", 0, 0
		for i := range rule.Args {
			arg := &rule.Args[i]
			if !arg.Judged() {
				continue
			}
			if slices.Contains(u.tool.Others, arg.Name) {
				return arg.Name
			}
			switch {
			case arg.Optional:
			case u.tool.Arg(arg.Name) == "":
				required++
				if missing == "" {
					missing = arg.Name
				}
			default:
				required++
				there++
			}
		}
		if missing != "" && (there == 0 || rule.Decision == policy.Allow && there < required) {
			return missing + " is missing"
		}
	}
	return ""
}
