package export

import (
	"fmt"
	"strings"
)

func codex() *Target {
	return &Target{
		Name: "codex", Title: "Codex", Tested: "0.169.0",
		Place:  "~/.codex/rules/bashgate.rules",
		Remove: "delete the file",
		Judged: true,
		write:  codexRules,
		check:  checkCodex,
	}
}

// codexRules writes prefix rules over words. The strictest of all that match
// decides. An allow leaves the sandbox, silence stays in it, and what is
// allowed whatever follows is next to nothing: there are none.
func codexRules(r *Rules, w *writer) {
	for _, block := range [...]bool{true, false} {
		title, decision := "Asked about", "prompt"
		if block {
			title, decision = "Blocked", "forbidden"
		}
		w.section(title)
		for i := range r.Restrictions {
			x := &r.Restrictions[i]
			if x.Block != block {
				continue
			}
			for _, words := range x.prefixes() {
				pattern := make([]string, len(words))
				for k, alternatives := range words {
					pattern[k] = tokens(alternatives)
				}
				example := first(words)
				w.printf("prefix_rule(pattern = [%s], decision = %q, justification = %s, match = [%q], not_match = [%q])\n",
					strings.Join(pattern, ", "), decision, tomlString(x.Rule.Reason), example, "bashgate-"+example)
				w.rules++
			}
		}
	}
	w.loseAll(r, "an allow leaves the sandbox")
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
