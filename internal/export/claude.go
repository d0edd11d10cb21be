package export

import "strings"

func claude() *Target {
	return &Target{
		Name: "claude", Title: "Claude Code", Tested: "2.1.329",
		Place:  "~/.claude/settings.json, or .claude/settings.json in a project",
		Remove: "delete the entries from Bash(: bashgate begins) to Bash(: bashgate ends)",
		Merges: true,
		write:  claudeSettings,
		check:  checkLists([]string{"permissions"}, "Bash(", ")"),
	}
}

// claudeSettings writes permission rules. A deny wins over an ask, an ask over
// an allow. Only whole lines are allowed: a star at the end would take in
// options that nobody declared.
func claudeSettings(r *Rules, w *writer) {
	bash := func(s string) string { return quoteJSON("Bash(" + s + ")") }
	allow, ask, deny := globLists(r, w, bash)
	for _, glob := range secretGlobs(r.guards) {
		ask = append(ask, bash(glob))
	}
	list := func(key string, values []string) {
		w.rules += len(values)
		w.json = append(w.json, block{
			path: []string{"permissions", key}, values: values,
			begin: bash(": bashgate begins"), end: bash(": bashgate ends"),
		})
	}
	if w.options.Sandbox {
		w.json = append(w.json,
			set("true", "sandbox", "enabled"),
			set("true", "sandbox", "autoAllowBashIfSandboxed"),
			set("false", "sandbox", "allowUnsandboxedCommands"),
			set(`"acceptEdits"`, "permissions", "defaultMode"))
		allow = append([]string{`"Read(./**)"`, `"Write(./**)"`, `"Edit(./**)"`, `"Glob(./**)"`, `"Grep(./**)"`, `"Bash(*)"`}, r.mcp...)
	}
	list("allow", allow)
	list("ask", ask)
	list("deny", deny)
}

// globLists writes the Forms and restrictions as globs over commands, where
// strictest wins.
func globLists(r *Rules, w *writer, entry func(string) string) (allow, ask, deny []string) {
	for _, g := range r.sortedGroups() {
		switch lines := g.exact(4); {
		case g.Alone:
			w.lose("must not be joined with other commands", &g)
		case g.Any:
			for _, line := range g.lines(maxLines) {
				allow = append(allow, entry(line))
			}
			w.lose("words can't be limited", &g)
			w.keep(&g)
		case lines == nil:
			w.lose("words can't be limited", &g)
		default:
			for _, line := range lines {
				allow = append(allow, entry(line))
			}
			if g.Max != 0 || len(g.Options) > 0 {
				w.lose("only without words, or with one option", &g)
			}
			w.keep(&g)
		}
	}
	for i := range r.Restrictions {
		x := &r.Restrictions[i]
		for _, start := range x.starts() {
			switch {
			case x.Words != nil:
				for _, word := range x.Words {
					if start != "" && !strings.Contains(word, "[") {
						deny = append(deny, entry(start+" *"+strings.TrimLeft(word, "*")))
					}
				}
			case x.Flags != nil:
				for _, flag := range x.Flags {
					deny = append(deny, entry(start+" *"+flag+"*"))
				}
			case x.Block:
				deny = append(deny, entry(start), entry(start+" *"))
			default:
				ask = append(ask, entry(start), entry(start+" *"))
			}
		}
	}
	return allow, ask, deny
}
