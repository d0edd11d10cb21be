package learn

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Rules about more than the words at hand. They keep the subcommand and the
// options as they are, and say only of operands that others may stand there.

// pushing are the rules about a push: the remote and the branch, or the branches
// that are called alike.
func (l *learner) pushing(a *ask, p *match.Program, ids []string, wide bool) (draft, bool) {
	if p == nil || p.Refs == match.NoRefs || a.lasting() {
		return draft{}, false
	}
	v := match.Called(p, a.command)
	if !v.Sure || !slices.Equal(v.Path, []string{"push"}) || len(v.Operands) != 2 {
		return draft{}, false
	}
	remote, ok := v.Operands[0].Const()
	branch, known := v.Operands[1].Const()
	if !ok || !known || !isName(remote) || !isName(strings.ReplaceAll(branch, "/", "")) {
		return draft{}, false
	}
	flags, _, ok := flagsOf(p, v, false)
	if !ok {
		return draft{}, false
	}
	operands := []string{"data=" + plain(remote), "data=" + plain(branch)}
	glob := plain(branch)
	summary := p.Name + " push to " + remote + ", the branch " + branch
	if wide {
		prefix, _, has := strings.Cut(branch, "/")
		if !has || prefix == "" || prefix == "refs" || prefix == "heads" || slices.Contains(watched[:], prefix) {
			return draft{}, false
		}
		glob = plain(prefix) + "/*"
		operands[1] = "data"
		summary = p.Name + " push to " + remote + ", branches " + prefix + "/*"
	}
	lines := "subcommand = \"push\"\nonly_flags = " + list(flags) + "\noperands = " + list(operands) + "\nremote = " + quoted(plain(remote)) + "\nbranch = " + quoted(glob) + "\n"
	return draft{
		text:    "[[programs]]\nname = " + quoted(p.Name) + "\n\n" + rule("", lines, ids, a),
		summary: summary, program: p.Name, name: p.Name + " push",
	}, true
}

// watched are beginnings of branches from which others build.
var watched = [...]string{"release", "releases", "prod", "production", "staging", "deploy", "env", "gh-pages"}

// isName reports whether a word is letters, digits and a few signs between them.
func isName(s string) bool {
	return s != "" && s[0] != '-' && s[0] != '.' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

// flagsOf names the options of a call, with their values unless data may stand
// there or their kind is judged by itself. It reports false where one acts or is
// not declared.
// The free texts are those in whose place others may stand.
func flagsOf(p *match.Program, v *match.Invocation, anyText bool) (flags, free []string, ok bool) {
	flags = []string{}
	for _, o := range v.Options {
		name, _, _ := strings.Cut(o.Spellings, " ")
		kind := p.Kind(v.Path, name)
		if o.Off || kind == match.Acts || kind == match.Command || kind == match.Script || kind == match.Code || kind == match.Run {
			return nil, nil, false
		}
		text, known := o.Value.Const()
		switch {
		case !o.Has:
		case anyText && kind == match.Data && saying(o.Spellings):
			free = append(free, text) // "" where it is not known
		case !known || text == "" || len(text) > longest:
			return nil, nil, false
		default:
			name += "=" + plain(text)
		}
		if !slices.Contains(flags, name) {
			flags = append(flags, name)
		}
	}
	return flags, free, true
}

// saying reports whether an option takes what people write to each other, and not
// where something goes or how much of it.
func saying(spellings string) bool {
	for name := range strings.FieldsSeq(spellings) {
		switch name {
		case "--message", "--title", "--body", "--description", "--notes", "--subject":
			return true
		}
	}
	return false
}

// wideKnown is the rule about a use of a program whose grammar is known: the same
// subcommand and options with other messages, or with other files that it reads, in
// the same directories. What says where something goes, or how much, stays.
func (l *learner) wideKnown(a *ask, p *match.Program, ids []string) (draft, bool) {
	const grave = policy.Persistence | policy.Privilege | policy.Secret | policy.Deletes
	effects := a.effects() | a.node.Effects
	if a.lasting() || effects&grave != 0 || slices.Contains(ids, "unknown-use") {
		return draft{}, false
	}
	for _, r := range a.reasons {
		if r.About() != "" && !r.OfPlace() {
			return draft{}, false
		}
	}
	v := match.Called(p, a.command)
	if !v.Sure || len(v.Path) == 0 || p.Refs != match.NoRefs && changesRefs(v.Path) {
		return draft{}, false
	}
	flags, free, ok := flagsOf(p, v, true)
	if !ok {
		return draft{}, false
	}
	c := match.Call{Cmd: a.command, Name: p.Name}
	gates.Judge(&c)
	var operands, meant []string
	others := len(free) > 0 // something may be another
	for _, w := range v.Operands {
		kind := match.Data
		for _, u := range c.Uses {
			if u.Option == "" && u.Word.Pos == w.Pos {
				kind = max(kind, u.Kind)
			}
		}
		text, known := w.Const()
		switch {
		case (kind == match.Read || kind == match.Path) && effects&(policy.Executes|policy.Network) == 0:
			others = true
			operands, meant = append(operands, "read"), append(meant, "a file")
		case !known || len(text) > longest:
			return draft{}, false
		default:
			operands, meant = append(operands, "data="+plain(text)), append(meant, shown(policy.Quote(text)))
		}
	}
	if !others {
		return draft{}, false
	}
	sub := strings.Join(v.Path, " ")
	where, in, limited := l.limit(a)
	if !limited {
		return draft{}, false
	}
	lines := where + "subcommand = " + quoted(sub) + "\nonly_flags = " + list(flags) + "\noperands = " + list(operands) + "\n"
	summary := strings.Join(slices.Concat([]string{p.Name, sub}, flags), " ")
	if len(free) > 0 {
		summary += " with any text"
	}
	if len(meant) > 0 {
		summary += " with " + strings.Join(meant, ", ")
	}
	return draft{
		text:    "[[programs]]\nname = " + quoted(p.Name) + "\n\n" + rule("", lines, ids, a),
		summary: summary + in, program: p.Name, name: p.Name + " " + sub, limited: limited, free: free,
	}, true
}

// changesRefs reports whether a subcommand of git is about branches of others, moves
// those here, or throws changes away: there each word counts.
func changesRefs(path []string) bool {
	switch path[0] {
	case "push", "fetch", "pull", "remote", "checkout", "restore", "switch", "branch", "tag", "stash", "reset", "rebase", "update-ref", "filter-branch", "reflog", "gc", "clean":
		return true
	}
	return false
}

// wideUnknown is the rule about a program that no rule knows: the same words, and
// behind them other files of the workspace that are called alike.
func (l *learner) wideUnknown(a *ask, name string, file bool, ids []string) (draft, bool) {
	words := a.command.Words[1:]
	var operands []string
	first := len(words)
	for first > 0 {
		text, known := words[first-1].Const()
		if !known || !isFile(text) {
			break
		}
		first--
	}
	if first == len(words) {
		return draft{}, false
	}
	for _, w := range words[:first] {
		text, known := w.Const()
		if !known || len(text) > longest || !printable(text) || isFile(text) {
			return draft{}, false
		}
		operands = append(operands, "data="+plain(text))
	}
	last := words[first].Text
	dir, ext := path.Dir(last), path.Ext(last)
	for _, w := range words[first:] {
		if path.Ext(w.Text) != ext {
			return draft{}, false
		}
		if path.Dir(w.Text) != dir {
			dir = "."
		}
	}
	glob := "*" + plain(ext)
	if dir != "." {
		glob = plain(dir) + "/" + glob
	}
	operands = append(operands, "arg+="+glob+"|!-*|!@*|!*:*|!*=*")
	where, summary, ok := l.limit(a)
	if !ok {
		return draft{}, false
	}
	lines := "operands = " + list(operands) + "\n"
	fixed := name
	for _, w := range words[:first] {
		fixed += " " + policy.Quote(w.Text)
	}
	return draft{
		text:    "[[programs]]\nname = " + quoted(name) + "\n\n[[programs.options]]\nstyle = \"none\"\n\n" + rule(where, lines, ids, a),
		summary: shown(fixed) + " with files " + glob + behind(a) + summary, program: name, name: path.Base(name), limited: true,
	}, true
}

// isFile reports whether a word looks like a file of the workspace.
func isFile(s string) bool {
	ext := path.Ext(s)
	return len(ext) > 1 && len(s) > len(ext) && !strings.Contains(s, "..") && s[0] != '/' && s[0] != '.' &&
		strings.IndexByte("0123456789", ext[1]) < 0 && isName(strings.ReplaceAll(s, "/", ""))
}
