package export

import (
	"slices"
	"strings"
)

// Engines that know little more than a program's name.

func qwen() *Target {
	return &Target{
		Name: "qwen", Title: "Qwen Code", Tested: "0.24.4",
		Place:  "~/.qwen/settings.json, or .qwen/settings.json in a project",
		Remove: "delete the entries from Bash(: bashgate begins) to Bash(: bashgate ends)",
		Merges: true,
		write:  qwenSettings,
		check:  checkLists([]string{"permissions"}, "Bash(", ")"),
	}
}

// qwenSettings writes questions and denials. Allows are left out: Qwen strips
// assignments and expansions before it matches, so that no pattern can tell
// "git log" from "PATH=/tmp git log $x".
func qwenSettings(r *Rules, w *writer) {
	bash := func(s string) string { return quoteJSON("Bash(" + s + ")") }
	ask, deny := globLists(r, stars{open: true}, bash)
	for _, g := range merged(r.Forms) {
		w.lose("assignments and expansions are cut off before patterns are tried", &g)
	}
	w.rules = len(ask) + len(deny)
	list := func(key string, values []string) block {
		return block{path: []string{"permissions", key}, values: values, begin: bash(": bashgate begins"), end: bash(": bashgate ends")}
	}
	w.mark = "//"
	w.json = []block{list("ask", ask), list("deny", deny)}
}

func copilot() *Target {
	return &Target{
		Name: "copilot", Title: "Copilot CLI", Tested: "(read in its documentation, not run)",
		Place:  "anywhere: a script that starts copilot with the rules as flags",
		Remove: "delete the file",
		write:  copilotScript,
		check:  checkCopilot,
	}
}

// copilotScript writes flags. A denial wins over an approval.
func copilotScript(r *Rules, w *writer) {
	w.printf("#!/bin/sh\nexec copilot \\\n")
	flag := func(name, rule string) {
		w.printf("  %s 'shell(%s)' \\\n", name, rule)
		w.rules++
	}
	for _, start := range r.blocked() {
		flag("--deny-tool", start+":*")
	}
	for _, line := range r.nothing() {
		flag("--deny-tool", line)
	}
	groups := r.few(w, 4)
	for i := range groups {
		g := &groups[i]
		lines := g.exact(0)
		if lines == nil {
			w.lose("words can't be limited", g)
			continue
		}
		for _, line := range lines {
			flag("--allow-tool", line)
		}
		if g.Max != 0 || len(g.Options) > 0 {
			w.lose("only without words", g)
		}
		w.keep(g)
	}
	w.printf("  \"$@\"\n")
}

// blocked are the beginnings of lines that are blocked whatever follows.
func (r *Rules) blocked() []string {
	var all []string
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			for _, words := range x.prefixes() {
				all = append(all, spread(words)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// nothing are the lines that are blocked where nothing follows.
func (r *Rules) nothing() []string {
	var all []string
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block && x.Behind != nil && x.Behind.nothing {
			all = append(all, x.starts()...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// spread writes every choice of the alternatives as a line.
func spread(words [][]string) []string {
	lines := []string{""}
	for _, alternatives := range words {
		var longer []string
		for _, line := range lines {
			for _, word := range alternatives {
				longer = append(longer, strings.TrimSpace(line+" "+word))
			}
		}
		lines = longer
	}
	return lines
}

// anyUse are the programs of which every use is allowed.
func (r *Rules) anyUse(w *writer) []string {
	var all []string
	for _, g := range merged(r.Forms) {
		if g.Any && !g.Alone && len(g.Required) == 0 && slices.Contains(g.paths, "") {
			all = append(all, g.Names...)
			w.keep(&g)
		} else {
			w.lose("only programs as a whole can be allowed", &g)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// programs keeps, of beginnings of lines, those that are a program alone.
func programs(starts []string) []string {
	return slices.DeleteFunc(starts, func(s string) bool { return strings.Contains(s, " ") })
}

func cursor() *Target {
	return &Target{
		Name: "cursor", Title: "Cursor CLI", Tested: "(read in its documentation, not run)",
		Place:  "~/.cursor/cli-config.json, or .cursor/cli.json in a project",
		Remove: "delete the entries from Shell(bashgate-begins) to Shell(bashgate-ends)",
		Merges: true,
		write: func(r *Rules, w *writer) {
			w.names(r, "Shell(", ")", "permissions", "allow", "deny", true)
		},
		check: checkLists([]string{"permissions"}, "Shell(", ")"),
	}
}

func agy() *Target {
	return &Target{
		Name: "agy", Title: "Antigravity CLI", Tested: "(described by others, not run)",
		Place:  "~/.gemini/antigravity-cli/settings.json",
		Remove: "delete the entries from command(bashgate-begins) to command(bashgate-ends)",
		Merges: true,
		write: func(r *Rules, w *writer) {
			w.names(r, "command(", ")", "permissions", "allow", "deny", true)
		},
		check: checkLists([]string{"permissions"}, "command(", ")"),
	}
}

// names writes lists of whole programs.
func (w *writer) names(r *Rules, before, after, parent, allow, deny string, allows bool) {
	entries := func(list []string) []string {
		for i, name := range list {
			list[i] = quoteJSON(before + name + after)
		}
		w.rules += len(list)
		return list
	}
	list := func(key string, values []string) block {
		path := []string{key}
		if parent != "" {
			path = []string{parent, key}
		}
		return block{path: path, values: entries(values), begin: quoteJSON(before + "bashgate-begins" + after), end: quoteJSON(before + "bashgate-ends" + after)}
	}
	w.json = []block{list(allow, r.anyUse(w)), list(deny, programs(r.blocked()))}
}

func droid() *Target {
	return &Target{
		Name: "droid", Title: "Factory droid", Tested: "(read in its documentation, not run)",
		Place:  "~/.factory/settings.json",
		Remove: `delete the entries from ": bashgate begins" to ": bashgate ends" of both lists`,
		Merges: true,
		write:  droidSettings,
		check:  checkLists(nil, "", ""),
	}
}

// droidSettings writes whole lines that may run, and beginnings of those that
// are always asked about.
func droidSettings(r *Rules, w *writer) {
	var allow, deny []string
	for _, g := range r.few(w, 4) {
		lines := g.exact(0)
		if lines == nil {
			w.lose("words can't be limited", &g)
			continue
		}
		for _, line := range lines {
			allow = append(allow, quoteJSON(line))
		}
		if g.Max != 0 || len(g.Options) > 0 {
			w.lose("only without words", &g)
		}
		w.keep(&g)
	}
	for _, start := range r.blocked() {
		deny = append(deny, quoteJSON(start))
	}
	w.rules = len(allow) + len(deny)
	begin, end := quoteJSON(": bashgate begins"), quoteJSON(": bashgate ends")
	w.mark = "//"
	w.json = []block{
		{path: []string{"commandAllowlist"}, values: allow, begin: begin, end: end},
		{path: []string{"commandDenylist"}, values: deny, begin: begin, end: end},
	}
}

func cline() *Target {
	return &Target{
		Name: "cline", Title: "Cline", Tested: "(read in its documentation, not run)",
		Place:  "anywhere: a script to be sourced before cline starts",
		Remove: "unset CLINE_COMMAND_PERMISSIONS",
		Allows: true,
		write:  clineScript,
		check:  checkCline,
	}
}

// clineScript writes a variable. With a list of allows nothing else may run,
// and nobody is asked: that is for unattended work, and only on request.
func clineScript(r *Rules, w *writer) {
	var allow, deny []string
	// One variable holds all of it, and a system's limit for one is 128 KiB.
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			for _, glob := range x.globs(stars{exact: true, few: true}) {
				deny = append(deny, quoteJSON(glob))
			}
		}
	}
	for _, g := range r.few(w, 4) {
		lines := g.exact(4)
		switch {
		case lines == nil:
			w.lose("words can't be limited", &g)
		case !w.options.Allow:
			w.lose("with an allow nothing else may run: only with --allow", &g)
		default:
			for _, line := range lines {
				allow = append(allow, quoteJSON(line))
			}
			if g.Max != 0 || len(g.Options) > 0 {
				w.lose("only without words, or with one option", &g)
			}
			w.keep(&g)
		}
	}
	w.rules = len(allow) + len(deny)
	value := `{"deny": [` + strings.Join(deny, ", ") + `], "allowRedirects": false}`
	if w.options.Allow {
		value = `{"allow": [` + strings.Join(allow, ", ") + `], ` + value[1:]
	}
	w.printf("export CLINE_COMMAND_PERMISSIONS='%s'\n", strings.ReplaceAll(value, "'", `'\''`))
}
