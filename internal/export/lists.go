package export

import (
	"slices"
	"strconv"
	"strings"
)

// Engines that know little more than a program's name.

func qwen() *Target {
	return &Target{
		Name: "qwen", Title: "Qwen Code", Tested: "0.24.4",
		Place:  "~/.qwen/settings.json, or .qwen/settings.json in a project",
		Remove: "delete the entries from Bash(: bashgate begins) to Bash(: bashgate ends)",
		Merges: true,
		Judged: true,
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
	w.loseAll(r, "assignments and expansions are cut off before patterns are tried")
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

// copilotScript writes flags. Copilot takes "shell(tee)" for the program with
// any words behind it, so that an approval could not be told to end.
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

func cursor() *Target {
	return &Target{
		Name: "cursor", Title: "Cursor CLI", Tested: "(read in its documentation, not run)",
		Place:  "~/.cursor/cli-config.json, or .cursor/cli.json in a project",
		Remove: "delete the entries from Shell(bashgate-begins) to Shell(bashgate-ends)",
		Merges: true,
		write:  func(r *Rules, w *writer) { w.programs(r, "Shell(") },
		check:  checkLists([]string{"permissions"}, "Shell(", ")"),
	}
}

func agy() *Target {
	return &Target{
		Name: "agy", Title: "Antigravity CLI", Tested: "(described by others, not run)",
		Place:  "~/.gemini/antigravity-cli/settings.json",
		Remove: "delete the entries from command(bashgate-begins) to command(bashgate-ends)",
		Merges: true,
		write:  func(r *Rules, w *writer) { w.programs(r, "command(") },
		check:  checkLists([]string{"permissions"}, "command(", ")"),
	}
}

// programs writes a list of whole programs: those that are blocked whatever
// follows.
func (w *writer) programs(r *Rules, before string) {
	entry := func(name string) string { return quoteJSON(before + name + ")") }
	var deny []string
	for _, start := range r.blocked() {
		if !strings.Contains(start, " ") {
			deny = append(deny, entry(start))
		}
	}
	w.rules = len(deny)
	w.json = []block{{path: []string{"permissions", "deny"}, values: deny, begin: entry("bashgate-begins"), end: entry("bashgate-ends")}}
}

func droid() *Target {
	return &Target{
		Name: "droid", Title: "Factory droid", Tested: "0.225.2 (read in the program, not run)",
		Place:  "~/.factory/settings.json",
		Remove: `delete the entries from "bashgate-begins" to "bashgate-ends" of permissionRules.rules`,
		Merges: true,
		write:  droidSettings,
		check:  checkDroid,
	}
}

// droidSettings writes prefix rules over words, as Codex has them: for each
// command that droid finds in a line, however deep. A rule without an example
// that matches and one that does not, or with one that is wrong, is dropped;
// two of one name, or a field that droid does not know, drop all.
func droidSettings(r *Rules, w *writer) {
	rule := func(id, decision, reason, enabled string, words [][]string) string {
		prefix := make([]string, len(words))
		for i, alternatives := range words {
			prefix[i] = quotedList(alternatives)
			if len(alternatives) == 1 {
				prefix[i] = quoteJSON(alternatives[0])
			}
		}
		example := first(words)
		return `{"id": ` + quoteJSON(id) + `, "decision": "` + decision + `", ` + reason + enabled +
			`"match": {"prefix": [` + strings.Join(prefix, ", ") + `]}, "tests": {"match": ` + quotedList([]string{example}) +
			`, "noMatch": ` + quotedList([]string{"bashgate-" + example}) + `}}`
	}
	mark := func(name string) string {
		return rule("bashgate-"+name, "ask", "", `"enabled": false, `, [][]string{{"bashgate-" + name}})
	}
	var values []string
	for i := range r.Restrictions {
		x := &r.Restrictions[i]
		decision := "ask"
		if x.Block {
			decision = "block"
		}
		for _, words := range x.prefixes() {
			values = append(values, rule("bashgate-"+strconv.Itoa(len(values)+1), decision, `"reason": `+quoteJSON(x.Rule.Reason)+`, `, "", words))
		}
	}
	w.rules = len(values)
	w.mark = "//"
	w.json = []block{
		set("1", "permissionRules", "version"),
		{path: []string{"permissionRules", "rules"}, values: values, begin: mark("begins"), end: mark("ends")},
	}
}

func quotedList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = quoteJSON(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
