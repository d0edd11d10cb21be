package export

import (
	"fmt"
	"slices"
	"strings"
)

func codex() *Target {
	return &Target{
		Name: "codex", Title: "Codex", Tested: "0.169.0",
		Place:  "~/.codex/rules/bashgate.rules",
		Remove: "delete the file",
		Allows: true,
		write:  codexRules,
		check:  checkCodex,
	}
}

// codexRules writes prefix rules over words. The strictest of all that match
// decides, so that an ask may not stand above an allow. An allow leaves the
// sandbox; silence stays in it. So allows are written only on request, and
// only those of programs of which any use is allowed.
func codexRules(r *Rules, w *writer) {
	w.section("Blocked")
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			codexBlock(w, x)
		}
	}
	w.section("Asked about")
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; !x.Block {
			codexRule(w, x, "prompt")
		}
	}
	groups := r.sortedGroups()
	var hosts []string
	if w.options.Allow {
		w.section("Allowed, outside the sandbox")
	}
	for i := range groups {
		g := &groups[i]
		switch {
		case !g.Any:
			w.lose("words can't be limited", g)
		case !w.options.Allow:
			w.lose("an allow leaves the sandbox: only with --allow", g)
		default:
			hosts = append(hosts, g.Names...)
			for _, line := range g.lines(maxLines) {
				w.printf("prefix_rule(pattern = [%s], decision = \"allow\", match = [%q])\n", words(line), line)
				w.rules++
			}
			w.keep(g)
		}
	}
	if hosts != nil {
		w.section("Only the bare names: not ./name, and no other file that is called so")
		slices.Sort(hosts)
		for _, name := range slices.Compact(hosts) {
			w.printf("host_executable(name = %q, paths = [])\n", name)
			w.rules++
		}
	}
}

// codexBlock writes a denial: the words that a line begins with, in lists of
// alternatives.
func codexBlock(w *writer, x *Restriction) {
	lists := x.prefixes()
	if x.whole() {
		codexRule(w, x, "forbidden")
		lists = x.leads()
	}
	for _, list := range lists {
		var pattern, example []string
		for _, alternatives := range list {
			pattern = append(pattern, tokens(alternatives))
			example = append(example, alternatives[0])
		}
		w.prefix(strings.Join(pattern, ", "), "forbidden", x, strings.Join(example, " "))
	}
}

func codexRule(w *writer, x *Restriction, decision string) {
	byLength := map[int][][]string{}
	for _, path := range x.Paths {
		p := strings.Fields(path)
		byLength[len(p)] = append(byLength[len(p)], p)
	}
	for length := range 8 {
		list := byLength[length]
		if list == nil {
			continue
		}
		// Alternatives stand for one word each: paths of more words are
		// written one by one.
		first := tokens(x.Names)
		if length == 1 {
			var last []string
			for _, p := range list {
				last = append(last, p[0])
			}
			w.prefix(first+", "+tokens(last), decision, x, x.Names[0]+" "+last[0])
			continue
		}
		for _, p := range list {
			pattern := first
			for _, word := range p {
				pattern += ", " + fmt.Sprintf("%q", word)
			}
			w.prefix(pattern, decision, x, strings.Join(append([]string{x.Names[0]}, p...), " "))
		}
	}
}

func (w *writer) prefix(pattern, decision string, x *Restriction, example string) {
	w.printf("prefix_rule(pattern = [%s], decision = %q, justification = %s, match = [%q], not_match = [%q])\n",
		pattern, decision, tomlString(x.Rule.Reason), example, "bashgate-"+example)
	w.rules++
}

// tokens writes alternatives for one word.
func tokens(list []string) string {
	if len(list) == 1 {
		return fmt.Sprintf("%q", list[0])
	}
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func words(line string) string {
	fields := strings.Fields(line)
	for i, f := range fields {
		fields[i] = fmt.Sprintf("%q", f)
	}
	return strings.Join(fields, ", ")
}
