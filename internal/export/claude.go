package export

import (
	"slices"
	"strings"
)

func claude() *Target {
	return &Target{
		Name: "claude", Title: "Claude Code", Tested: "2.1.329",
		Place:  "~/.claude/settings.json, or .claude/settings.json in a project",
		Remove: "delete the entries from Bash(: bashgate begins) to Bash(: bashgate ends)",
		Merges: true,
		Judged: true,
		write:  claudeSettings,
		check:  checkClaude,
	}
}

// claudeLimit is how large a settings file may be, in bytes. Claude Code does
// not start with a larger one.
const claudeLimit = 2 << 20

// claudeSettings writes permission rules. A deny wins over an ask, an ask over
// an allow. Claude Code tries rule by rule, and what agents mostly read with it
// runs by its own list: allowed are whole lines of the tools that build and
// test, which that list lacks.
//
// For each rule with a star it makes a regular expression, at each command:
// 4,000 cost 0.2 s. Rules without one cost nothing, nor do those that end in
// ":*", which says what " *" says: these words, alone or with more behind them.
func claudeSettings(r *Rules, w *writer) {
	bash := func(s string) string { return quoteJSON("Bash(" + s + ")") }
	var allow []string
	groups := r.sortedGroups()
	for i := range groups {
		g := &groups[i]
		lines := g.exact()
		switch {
		case g.Alone:
			w.lose("must not be joined with other commands", g)
		case !builds(g.Names[0]) || len(g.Names) > 4:
			w.lose("not a tool that builds or tests: the engine would be slow", g)
		case lines == nil:
			w.lose("words can't be limited", g)
		default:
			for _, line := range lines {
				allow = append(allow, bash(line))
				if g.Any {
					allow = append(allow, bash(line+" *"))
				}
			}
			if !g.Any && (g.Max != 0 || len(g.Options) > 0) {
				w.lose("only without words", g)
			}
			w.keep(g)
		}
	}
	ask, deny := globLists(r, stars{exact: true, open: true, dear: true}, func(glob string) string {
		if start, ok := strings.CutSuffix(glob, " *"); ok && !strings.Contains(start, "*") {
			glob = start + ":*"
		}
		return bash(glob)
	})
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

// builds lists programs that agents build and test with.
func builds(name string) bool {
	switch name {
	case "bun", "cargo", "cmake", "go", "gofmt", "golangci-lint", "gradle", "jest", "mvn", "nox", "npm", "npx", "pnpm", "tox", "uv", "vitest", "yarn":
		return true
	}
	return false
}

// globLists writes the restrictions as globs over commands, for engines that
// ask about what no rule matches: an ask is written only where the engine
// might allow by itself.
func globLists(r *Rules, engine stars, entry func(string) string) (ask, deny []string) {
	for _, glob := range secretGlobs(r.guards) {
		ask = append(ask, entry(glob))
	}
	for i := range r.Restrictions {
		x := &r.Restrictions[i]
		if !x.Block && !ownOpinion(x.Names) {
			continue
		}
		list := &ask
		if x.Block {
			list = &deny
		}
		for _, glob := range x.globs(engine) {
			*list = append(*list, entry(glob))
		}
	}
	return ask, deny
}

// ownOpinion reports whether engines allow some uses of a program without a
// rule.
func ownOpinion(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		switch name {
		case "alias", "arch", "awk", "base64", "basename", "bat", "cal", "cat", "cd", "cksum", "column", "comm", "cp", "cut", "date", "df", "diff", "dirname",
			"docker", "du", "echo", "egrep", "env", "expr", "fd", "fdfind", "fgrep", "file", "find", "fmt", "fold", "free", "gh", "git", "grep", "groups", "head", "help",
			"hexdump", "history", "hostname", "id", "info", "ipconfig", "jq", "less", "locale", "ls", "lsof", "man", "md5sum", "mkdir", "more", "mv", "netstat", "nl", "node", "nm", "nproc", "npm",
			"od", "paste", "pgrep", "pip", "printenv", "printf", "ps", "pwd", "pyright", "python", "python3", "readlink", "realpath", "rev", "rg", "rm", "rmdir", "sed", "seq", "sha1sum", "sha256sum",
			"sleep", "sort", "ss", "stat", "strings", "tac", "tail", "test", "touch", "tput", "tr", "tree", "true", "false", "tsort", "tty", "type", "uname", "uniq", "unexpand", "expand", "uptime",
			"wc", "whereis", "which", "who", "whoami", "xargs", "xxd", "yes":
			return true
		}
		return false
	})
}
