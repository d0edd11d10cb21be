package export

func opencode() *Target {
	return &Target{
		Name: "opencode", Title: "opencode", Tested: "1.18.33",
		Place:  "opencode.json in a project, or ~/.config/opencode/opencode.json",
		Remove: `delete the members from ": bashgate begins" to ": bashgate ends" of permission.bash`,
		Merges: true,
		Judged: true,
		write:  opencodeSettings,
		check:  checkOpencode,
	}
}

// opencodeSettings writes globs of which the last that matches decides. Each
// command of a line is matched with its redirects, as raw text.
//
// What has no command in it is not matched at all: "PATH=/tmp; git log" would
// be allowed if "git log" were. So everything is asked about, and then come the
// denials.
func opencodeSettings(r *Rules, w *writer) {
	members := []string{`"*": "ask"`}
	w.loseAll(r, "an allow lets variables be set in the same line")
	for i := range r.Restrictions {
		x := &r.Restrictions[i]
		if !x.Block {
			continue // asked about already
		}
		for _, glob := range x.globs(stars{exact: true, open: true}) {
			members = append(members, quoteJSON(glob)+`: "deny"`)
		}
	}
	members = unique(members)
	w.rules = len(members)
	w.mark = "//"
	w.json = []block{
		set(`"https://opencode.ai/config.json"`, "$schema"),
		{path: []string{"permission", "bash"}, object: true, values: members, begin: `": bashgate begins": "ask"`, end: `": bashgate ends": "ask"`},
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
