package settings

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

func TestMatches(t *testing.T) {
	rows := []struct {
		pattern, text string
		want          bool
	}{
		{"npm test", "npm test", true},
		{"npm test", "npm test --watch", false},
		{"npm run:*", "npm run", true},
		{"npm run:*", "npm run lint -- x", true},
		{"npm run:*", "npm runner", false},
		{"npm run *", "npm run", true},
		{"npm run *", "npm run lint", true},
		{"npm run *", "npm runner", false},
		{"npm run*", "npm runner", true},
		{"docker ps*", "docker psx", true},
		{"git * main", "git push origin main", true},
		{"git * main", "git push origin main2", false},
		{"npm run * --ci", "npm run x --ci --y", false},
		{"git *:*", "git log -1", true},
		{"ls [a-z]", "ls b", false},
		{"ls [a-z]", "ls [a-z]", true},
		{"ls ?", "ls b", false},
		{`echo a\b`, `echo a\b`, true},
		{"", "anything at all", true},
	}
	for _, r := range rows {
		rule := Rule{Pattern: r.pattern}
		if got := rule.matches(r.text); got != r.want {
			t.Errorf("%q matches %q = %v, want %v", r.pattern, r.text, got, r.want)
		}
	}
}

func TestParseEntry(t *testing.T) {
	rows := []struct {
		entry   string
		tool    Tool
		pattern string
		ok      bool
	}{
		{"Bash", Shell, "", true}, {"Bash(*)", Shell, "", true}, {"Bash(:*)", Shell, "", true}, {"Bash()", Shell, "", true},
		{"Bash(git log:*)", Shell, "git log:*", true}, {"Bash( ls )", Shell, "ls", true}, {"Bash(a (b))", Shell, "a (b)", true},
		{"Read", Read, "", true}, {"Read(./**)", Read, "./**", true}, {" Read(*) ", Read, "", true}, {"Edit(/src/**)", Edit, "/src/**", true},
		{"Write(x)", Write, "x", true}, {"Write", Write, "", false}, {"Write(*)", Write, "", false},
		{"WebFetch", Fetch, "", true}, {"WebFetch(domain:example.com)", Fetch, "domain:example.com", true},
		{"BashOutput", Shell, "", false}, {"Bash(ls", Shell, "", false}, {"Read(x", Shell, "", false}, {"Reader(x)", Shell, "", false},
		{"MultiEdit(x)", Shell, "", false}, {"mcp__x", Shell, "", false}, {"", Shell, "", false},
	}
	for _, r := range rows {
		tool, pattern, ok := parseEntry(r.entry)
		if ok != r.ok || ok && (tool != r.tool || pattern != r.pattern) {
			t.Errorf("parseEntry(%q) = %v, %q, %v", r.entry, tool, pattern, ok)
		}
	}
}

func load(t *testing.T, content map[string]string) *Settings {
	t.Helper()
	files := new(disk.Memory)
	files.Mkdir("/w")
	for name, text := range content {
		files.WriteFile(name, text)
	}
	return Load(files, "/home/u", "/w", "")
}

func TestLoad(t *testing.T) {
	s := load(t, map[string]string{
		"/home/u/.claude/settings.json": `// mine
{"permissions": {"allow": ["Bash(ls:*)", "Read(./**)",], "defaultMode": "plan", "additionalDirectories": ["~/docs", "../lib"]}}`,
		"/w/.claude/settings.local.json": `{"permissions": {"ask": ["Bash(git push:*)"]}}`,
		"/w/.claude/settings.json":       "{\n \"permissions\": {\n  \"deny\": [\"Bash(curl *)\"], \"allow\": [\"Bash(ls:*)\"], \"additionalDirectories\": [\"/\"], \"defaultMode\": \"acceptEdits\"}}",
	})
	if len(s.problems) > 0 {
		t.Fatalf("problems: %v", s.problems)
	}
	if got := strings.Join(s.AdditionalDirs, " "); got != "/home/u/docs /lib" {
		t.Errorf("AdditionalDirs = %q: a clone's own file must not add any", got)
	}
	if s.DefaultMode != "plan" {
		t.Errorf("DefaultMode = %q, want the user's", s.DefaultMode)
	}
	if r := Allowed(s, "ls -la"); r == nil || r.Scope != User {
		t.Errorf("Allowed(ls -la) = %v, want the user's rule", r)
	}
	r := Denied(s, "curl x")
	if r == nil || r.Decision != policy.Block || r.File != ".claude/settings.json" || r.Line != 3 {
		t.Errorf("Denied(curl x) = %+v, want line 3 of the project's file", r)
	}
	if r := Denied(s, "git status", "git push -f"); r == nil || r.Decision != policy.Ask {
		t.Errorf("Denied of two spellings = %v, want the ask", r)
	}
	if r := Denied(s, "ls"); r != nil {
		t.Errorf("Denied(ls) = %v", r)
	}
}

func TestManagedOnly(t *testing.T) {
	s := load(t, map[string]string{
		managedFiles[0]:                 `{"allowManagedPermissionRulesOnly": true, "permissions": {"allow": ["Bash(make:*)"]}}`,
		"/home/u/.claude/settings.json": `{"permissions": {"allow": ["Bash(rm:*)"]}}`,
	})
	if Allowed(s, "make x") == nil || Allowed(s, "rm x") != nil {
		t.Errorf("rules = %v, want the managed one alone", s.rules)
	}
}

// TestManagedDirectory: an administrator's rules may lie in several files.
func TestManagedDirectory(t *testing.T) {
	s := load(t, map[string]string{
		strings.TrimSuffix(managedFiles[0], ".json") + ".d/10-net.json": `{"permissions": {"deny": ["Bash(curl:*)"]}}`,
		strings.TrimSuffix(managedFiles[0], ".json") + ".d/readme":      `no settings`,
	})
	if r := Denied(s, "curl x"); r == nil || r.Scope != Managed || len(s.problems) > 0 {
		t.Errorf("Denied = %v, problems = %v, want the administrator's", r, s.problems)
	}
}

// TestMoved: what is denied where a variable leads to holds as well as the usual
// file, and what is allowed there may be anybody's.
func TestMoved(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/home/u/.claude/settings.json", `{"permissions": {"deny": ["Bash(curl:*)"]}}`)
	files.WriteFile("/x/settings.json", `{"permissions": {"deny": ["Bash(wget:*)"], "allow": ["Bash(ls:*)"], "additionalDirectories": ["/"]}}`)
	s := Load(files, "/home/u", "/w", "/x")
	if Denied(s, "curl x") == nil || Denied(s, "wget x") == nil {
		t.Errorf("rules = %v, want both denials", s.rules)
	}
	if r := Allowed(s, "ls"); r == nil || !r.Cloned() {
		t.Errorf("Allowed(ls) = %v, want one that may be a clone's", r)
	}
	if len(s.AdditionalDirs) > 0 {
		t.Errorf("AdditionalDirs = %v", s.AdditionalDirs)
	}
}

// TestCommitted: local settings that git keeps came with the clone.
func TestCommitted(t *testing.T) {
	index := func(version byte, names ...string) string {
		text := "DIRC\x00\x00\x00" + string(version) + "\x00\x00\x00\x02"
		for _, name := range names {
			text += strings.Repeat("\x01", 62) + name + "\x00\x00"
		}
		return text + strings.Repeat("\x02", 20)
	}
	const local = ".claude/settings.local.json"
	for name, row := range map[string]struct {
		files map[string]string
		want  bool
	}{
		"no repository":         {nil, false},
		"nothing kept yet":      {map[string]string{"/w/.git/HEAD": "ref: refs/heads/main\n"}, false},
		"kept":                  {map[string]string{"/w/.git/index": index(2, "a", local)}, true},
		"not kept":              {map[string]string{"/w/.git/index": index(2, "a", ".claude/settings.json")}, false},
		"below the top":         {map[string]string{"/.git/index": index(3, "w/"+local)}, true},
		"short names":           {map[string]string{"/w/.git/index": index(4, ".claude/settings.json", "local.json")}, true},
		"no index":              {map[string]string{"/w/.git/index": "x"}, true},
		"a working tree":        {map[string]string{"/w/.git": "gitdir: ../r/.git/worktrees/w\n", "/r/.git/worktrees/w/index": index(2, local)}, true},
		"another working tree":  {map[string]string{"/w/.git": "gitdir: /r/.git/worktrees/w\n", "/r/.git/worktrees/w/index": index(2, "a")}, false},
		"a tree without record": {map[string]string{"/w/.git": "gitdir: /gone\n"}, true},
		"a module":              {map[string]string{"/w/.git/index": index(2, ".claude"), "/w/.claude/.git": "gitdir: ../.git/modules/c\n", "/w/.git/modules/c/index": index(2, "settings.local.json")}, true},
	} {
		files := new(disk.Memory)
		files.WriteFile("/w/"+local, `{"permissions": {"allow": ["Bash(ls:*)", "Edit"], "additionalDirectories": ["/d"]}}`)
		for name, text := range row.files {
			files.WriteFile(name, text)
		}
		s := Load(files, "/home/u", "/w", "")
		if r := Allowed(s, "ls"); r == nil || r.Cloned() != row.want || (len(s.AdditionalDirs) == 0) != row.want {
			t.Errorf("%s: the rule %v is a clone's: %v, directories %v", name, r, !row.want, s.AdditionalDirs)
		}
	}
}

// TestCommittedLink: settings that a link leads to may lie in a repository within this one.
func TestCommittedLink(t *testing.T) {
	files := new(disk.Memory)
	files.WriteFile("/w/.git/HEAD", "ref: refs/heads/main\n")
	files.WriteFile("/w/sub/cfg/settings.local.json", `{"permissions": {"allow": ["Bash(ls:*)"]}}`)
	files.Symlink("sub/cfg", "/w/.claude")
	if r := Allowed(Load(files, "/home/u", "/w", ""), "ls"); r == nil || !r.Cloned() {
		t.Errorf("Allowed(ls) = %v, want one that may be a clone's", r)
	}
}

func TestProblems(t *testing.T) {
	rows := []struct{ text, want string }{
		{"{", "unexpected EOF"},
		{"[]", "the file must be an object"},
		{`{"permissions": 1}`, "permissions must be an object"},
		{`{"permissions": {"allow": "Bash"}}`, "allow must be a list of strings"},
		{"{\"permissions\": {\"allow\": [\n1]}}", ":2: allow must hold strings only"},
		{`{"permissions": {"deny": ["Read(` + strings.Repeat("a", 2000) + `)"]}}`, "too long"},
		{`{"permissions": {"deny": ["Read(**/**/a/**/b/**/c/**/d/**)"]}}`, "too many stars"},
		{`{"permissions": {"allow": [], "allow": ["Bash"]}}`, "is there twice"},
		{`{"permissions": {"defaultMode": []}}`, "defaultMode must be a string"},
		{"\xff", "invalid"},
	}
	for _, r := range rows {
		s := load(t, map[string]string{"/w/.claude/settings.json": r.text})
		if len(s.problems) == 0 || !strings.Contains(s.problems[0].String(), r.want) {
			t.Errorf("%q: problems = %v, want one with %q", r.text, s.problems, r.want)
		}
	}
	if s := load(t, map[string]string{"/w/.claude/settings.json": " \n"}); len(s.problems) > 0 {
		t.Errorf("an empty file is nothing special: %v", s.problems)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(`{"permissions": {"allow": ["Bash(ls:*)"], "deny": ["Bash"]}}`)
	f.Add(`/* c */ {"permissions": {"ask": ["Bash(a*b)",],},}`)
	f.Fuzz(func(t *testing.T, text string) {
		files := new(disk.Memory)
		files.WriteFile("/w/.claude/settings.json", text)
		s := Load(files, "/home/u", "/w", "")
		if len(s.AdditionalDirs) > 0 {
			t.Errorf("%q adds directories", text)
		}
		for i := range s.rules {
			s.rules[i].matches("git log --oneline")
		}
	})
}
