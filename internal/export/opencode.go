package export

import (
	"sort"
	"strings"
)

func opencode() *Target {
	return &Target{
		Name: "opencode", Title: "opencode", Tested: "1.18.33",
		Place:  "opencode.json in a project, or ~/.config/opencode/opencode.json",
		Remove: `delete the members from ": bashgate begins" to ": bashgate ends" of permission.bash`,
		Merges: true,
		Allows: true,
		write:  opencodeSettings,
		check:  checkOpencode,
	}
}

// opencodeOptions is with how many of its options a line is written, one at a
// time.
const opencodeOptions = 3

// opencodeSettings writes globs of which the last that matches decides. Each
// command of a line is matched with its redirects, as raw text.
//
// What has no command in it is not matched at all: "PATH=/tmp; git log" is
// allowed if "git log" is. So allows are written only on request.
//
// First of all everything is asked about. Then come lines that may have any
// operands, then the question about words that begin with a dash, then lines
// with one option, and last the guards and blocks.
func opencodeSettings(r *Rules, w *writer) {
	var members []string
	member := func(glob, decision string) {
		members = append(members, quoteJSON(glob)+": "+quoteJSON(decision))
		w.rules++
	}
	member("*", "ask")
	groups := r.few(w, 4)
	if !w.options.Allow {
		for i := range groups {
			w.lose("an allow lets variables be set in the same line: only with --allow", &groups[i])
		}
		groups = nil
	}
	type start struct {
		line string
		g    *group
	}
	var open []start
	for i := range groups {
		g := &groups[i]
		lines := g.open()
		if g.Any {
			continue
		}
		if lines == nil {
			w.lose("only without words, or with one option", g)
			continue
		}
		for _, line := range lines {
			open = append(open, start{line, g})
		}
		w.lose("with one option, or with words", g)
	}
	// A shorter line first: what is said of it must not undo the longer ones.
	sort.SliceStable(open, func(i, k int) bool { return strings.Count(open[i].line, " ") < strings.Count(open[k].line, " ") })
	for _, s := range open {
		member(s.line+" *", "allow")
		if s.g.Max == 1 {
			member(s.line+" * *", "ask")
		}
		for _, glob := range s.g.Except {
			member(s.line+" *"+strings.NewReplacer("[!est]", "?", "[", "", "]", "").Replace(glob), "ask")
		}
		if s.g.Min == 1 {
			member(s.line, "ask")
		}
	}
	member("* -*", "ask")
	member("* +*", "ask")
	for i := range groups {
		g := &groups[i]
		for _, line := range g.exact(opencodeOptions) {
			member(line, "allow")
			if g.Any {
				member(line+" *", "allow")
			}
		}
		if g.Min == 0 {
			w.keep(g)
		}
	}
	for _, guard := range [...]string{"*>*", "*<*", "*$*", "*`*", "*\"*", "*'*", "*\\*", "*{*", "*[*", "*~*", "*#*", "*!*", "*=*", "*&*", "*|*", "*;*", "*(*", "*)*", "*^*", "*\n*", "*\t*", "*\r*", "*\v*", "*\f*", "*\u00a0*", "*\u2003*", "*\u3000*"} {
		member(guard, "ask")
	}
	for _, glob := range secretGlobs(r.guards) {
		member(glob, "ask")
	}
	for i := range r.Restrictions {
		x := &r.Restrictions[i]
		if !x.Block {
			continue // asked about already
		}
		for _, glob := range x.globs(stars{exact: true, open: true}) {
			member(glob, "deny")
		}
	}
	w.mark = "//"
	w.json = []block{
		set(`"https://opencode.ai/config.json"`, "$schema"),
		{path: []string{"permission", "bash"}, object: true, values: unique(members), begin: `": bashgate begins": "ask"`, end: `": bashgate ends": "ask"`},
	}
}

// unique keeps the last member of each name: it is the one that decides.
func unique(members []string) []string {
	last := make(map[string]int, len(members))
	for i, m := range members {
		last[memberName(m)] = i
	}
	kept := members[:0]
	for i, m := range members {
		if last[memberName(m)] == i {
			kept = append(kept, m)
		}
	}
	return kept
}
