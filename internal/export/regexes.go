package export

// Engines of regular expressions over whole lines: Amp, Zed, VS Code.

func amp() *Target {
	return &Target{
		Name: "amp", Title: "Amp", Tested: "0.0.1790142911",
		Place:  "~/.config/amp/settings.json",
		Remove: "delete the entries from \": bashgate begins\" to \": bashgate ends\" of amp.permissions",
		Merges: true,
		Judged: true,
		write:  ampSettings,
		check:  checkAmp,
	}
}

// ampSettings writes a list of which the first entry that matches decides. The
// last one asks: the list of its own that Amp has behind it is a lax one.
func ampSettings(r *Rules, w *writer) {
	var values []string
	entry := func(pattern, action string) {
		values = append(values, `{"tool": "Bash", "matches": {"cmd": `+quoteJSON("/"+pattern+"/")+`}, "action": `+quoteJSON(action)+`}`)
		w.rules++
	}
	d := &multiline
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			entry(d.restriction(x), "reject")
		}
	}
	for _, pattern := range d.secrets(r.guards) {
		entry(pattern, "ask")
	}
	guard := d.guard(r.guards)
	groups := r.sortedGroups()
	for i := range groups {
		entry(d.form(&groups[i], guard), "allow")
		w.keep(&groups[i])
	}
	values = append(values, `{"tool": "Bash", "action": "ask"}`)
	w.rules++
	mark := func(s string) string {
		return `{"tool": "Bash", "matches": {"cmd": ` + quoteJSON(": bashgate "+s) + `}, "action": "ask"}`
	}
	w.mark = "//"
	w.json = []block{{path: []string{"amp.permissions"}, front: true, values: values, begin: mark("begins"), end: mark("ends")}}
}

func zed() *Target {
	return &Target{
		Name: "zed", Title: "Zed", Tested: "(its patterns and its parser as its source has them)",
		Place:  "~/.config/zed/settings.json",
		Remove: `delete the entries from "^: bashgate begins$" to "^: bashgate ends$"`,
		Merges: true,
		Judged: true,
		write:  zedSettings,
		check:  checkZed,
	}
}

// zedSettings writes denials, and questions about names of secrets, which hold
// against allows of the user's own. There is no allow: a pattern sees a line's
// commands without "x=(...)" and ">&file", so that none can tell "git log"
// from "git log >&file".
func zedSettings(r *Rules, w *writer) {
	var confirm, deny []string
	entry := func(pattern string) string {
		w.rules++
		return `{"pattern": ` + quoteJSON(pattern) + `, "case_sensitive": true}`
	}
	d := &javascript
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			deny = append(deny, entry(d.restriction(x)))
		}
	}
	for _, pattern := range d.secrets(r.guards) {
		confirm = append(confirm, entry(pattern))
	}
	w.loseAll(r, "redirects of the form >&file are left out before patterns are tried")
	terminal := []string{"agent", "tool_permissions", "tools", "terminal"}
	list := func(key string, values []string) block {
		mark := func(s string) string {
			return `{"pattern": ` + quoteJSON("^: bashgate "+s+"$") + `, "case_sensitive": true}`
		}
		return block{path: append(terminal[:len(terminal):len(terminal)], key), values: values, begin: mark("begins"), end: mark("ends")}
	}
	w.mark = "//"
	w.json = []block{
		set(`"confirm"`, append(terminal[:len(terminal):len(terminal)], "default")...),
		list("always_deny", deny), list("always_confirm", confirm),
	}
}

func vscode() *Target {
	return &Target{
		Name: "vscode", Title: "VS Code", Tested: "(its patterns as its source has them)",
		Place:  "settings.json of the user or the workspace",
		Remove: `delete the members from ": bashgate begins" to ": bashgate ends" of chat.tools.terminal.autoApprove`,
		Merges: true,
		Judged: true,
		write:  vscodeSettings,
		check:  checkVSCode,
	}
}

// vscodeSettings writes patterns over whole lines. A line that one entry does
// not approve is asked about; there is no denial.
func vscodeSettings(r *Rules, w *writer) {
	var members []string
	member := func(pattern, value string) {
		members = append(members, quoteJSON("/"+pattern+"/")+": "+value)
		w.rules++
	}
	const approve, ask = `{"approve": true, "matchCommandLine": true}`, `{"approve": false, "matchCommandLine": true}`
	d := &javascript
	for i := range r.Restrictions {
		if x := &r.Restrictions[i]; x.Block {
			member(d.restriction(x), ask)
		}
	}
	for _, pattern := range d.secrets(r.guards) {
		member(pattern, ask)
	}
	guard := d.guard(r.guards)
	groups := r.sortedGroups()
	for i := range groups {
		member(d.form(&groups[i], guard), approve)
		w.keep(&groups[i])
	}
	w.mark = "//"
	w.json = []block{
		set("true", "chat.tools.terminal.ignoreDefaultAutoApproveRules"),
		set("false", "chat.tools.terminal.autoApproveWorkspaceNpmScripts"),
		set(`"all"`, "chat.tools.terminal.blockDetectedFileWrites"),
		{path: []string{"chat.tools.terminal.autoApprove"}, object: true, values: unique(members), begin: `": bashgate begins": null`, end: `": bashgate ends": null`},
	}
}
