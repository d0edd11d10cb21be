package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/host"
)

// world is a home directory and a project in it.
type world struct {
	t *testing.T
	Place
	store Store
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	w := &world{t: t, Place: Place{Home: filepath.Join(dir, "home"), Workspace: filepath.Join(dir, "project")}}
	w.store.Dir = filepath.Join(dir, "state", "installs")
	for _, dir := range []string{w.Home, w.Workspace} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) write(path, text string) string {
	w.t.Helper()
	path = w.Expand(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) read(path string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.Expand(path))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// tree is what lies in the home directory and the project.
func (w *world) tree() map[string]string {
	files := map[string]string{}
	for _, root := range []string{w.Home, w.Workspace} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			files[path] = info.Mode().String()
			switch {
			case d.Type()&fs.ModeSymlink != 0:
				to, err := os.Readlink(path)
				files[path] += "\n" + to
				return err
			case !d.IsDir():
				files[path] += "\n" + w.read(path)
			}
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return files
}

var options = Options{Program: "/opt/my tools/bashgate", FailClosed: true}

func (w *world) install(a *Agent, s Scope, o Options) (changed bool) {
	w.t.Helper()
	changes, err := a.Plan(w.Place, s, o)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range changes {
		changed = changed || c.Changes()
		if err := c.Apply(w.store); err != nil {
			w.t.Fatal(err)
		}
	}
	return changed
}

func (w *world) uninstall(a *Agent, s Scope) {
	w.t.Helper()
	changes, err := a.Removal(w.Place, s, w.store)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range changes {
		if err := c.Undo(w.store); err != nil {
			w.t.Fatal(err)
		}
	}
	if records, _ := os.ReadDir(w.store.Dir); len(records) > 0 {
		w.t.Errorf("records are left: %v", records)
	}
}

func (w *world) entries(a *Agent, s Scope) []Entry {
	w.t.Helper()
	var all []Entry
	for _, path := range a.Places(w.Place, s) {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		entries, err := a.Entries(path, text, w.Show(path))
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, entries...)
	}
	return all
}

// each runs a test for each agent and each scope that it has.
func each(t *testing.T, f func(t *testing.T, a *Agent, s Scope)) {
	for _, a := range Agents() {
		for s, name := range []string{"user", "project"} {
			if a.Has(Scope(s)) {
				t.Run(a.Host+"/"+name, func(t *testing.T) { f(t, a, Scope(s)) })
			}
		}
	}
}

// From nothing and back again, with every file and directory, twice on the way.
func TestFromNothing(t *testing.T) {
	each(t, func(t *testing.T, a *Agent, s Scope) {
		w := newWorld(t)
		before := w.tree()
		if !w.install(a, s, options) {
			t.Fatal("nothing was written")
		}
		after := w.tree()
		if w.install(a, s, options) {
			t.Error("the second time changes something")
		}
		if d := cmp.Diff(after, w.tree()); d != "" {
			t.Error(d)
		}
		w.install(a, s, Options{Program: "/usr/bin/bashgate", FailClosed: true})
		for _, e := range w.entries(a, s) {
			if !strings.HasPrefix(e.Command, "/usr/bin/bashgate hook "+a.Host) {
				t.Errorf("an old hook is left: %+v", e)
			}
		}
		w.uninstall(a, s)
		if d := cmp.Diff(before, w.tree()); d != "" {
			t.Error(d)
		}
	})
}

// What is written is found again, for every event and with a time limit that is
// longer than the hook takes.
func TestEntries(t *testing.T) {
	each(t, func(t *testing.T, a *Agent, s Scope) {
		w := newWorld(t)
		w.install(a, s, options)
		entries := w.entries(a, s)
		closes := false
		for i := range a.Files {
			closes = closes || a.Files[i].shape.closed != "" || a.Files[i].shape.shell
		}
		if len(a.Events) == 0 {
			if len(entries) != 1 || !entries[0].FailClosed {
				t.Fatalf("entries of a plugin: %+v", entries)
			}
		}
		for _, e := range a.Events {
			i := slices.IndexFunc(entries, func(n Entry) bool { return strings.EqualFold(n.Event, e.Name) })
			if i < 0 {
				t.Errorf("no entry for %s in %+v", e.Name, entries)
				continue
			}
			n := entries[i]
			if want := closes && e.Kind == Decides; n.FailClosed != want {
				t.Errorf("%s: fails closed is %v", e.Name, n.FailClosed)
			}
			if e.Kind == Other && n.Matcher != "" {
				t.Errorf("%s has a matcher", e.Name)
			}
		}
		for _, n := range entries {
			if n.Program() != options.Program {
				t.Errorf("program %q in %+v", n.Program(), n)
			}
			limit := Limit
			if strings.Contains(n.Command, "--wait 290s") { // where the agent's own dialog is open meanwhile
				limit = 5 * time.Minute
			}
			if n.Timeout != 0 && n.Timeout != limit {
				t.Errorf("time limit %v in %+v", n.Timeout, n)
			}
			if line, _, ok := strings.Cut(n.At[strings.LastIndexByte(n.At, '/')+1:], ":"); !ok || line == "" {
				t.Errorf("no place: %+v", n)
			}
		}
	})
}

// A file with settings of its owner keeps them, byte for byte, whether it is
// edited in between or not.
func TestOwnersSettings(t *testing.T) {
	const json = "// mine\n{\n\t\"model\": \"x\", // a comment\n\t\"list\": [1,2,],\n}"
	const toml = "# mine\nmodel = 'x'\n\n[providers.a]\nkey = \"k\" # a comment\n"
	each(t, func(t *testing.T, a *Agent, s Scope) {
		w := newWorld(t)
		var paths []string
		for _, path := range a.Places(w.Place, s) {
			switch filepath.Ext(path) {
			case ".json":
				if !strings.Contains(path, "plugin.json") {
					paths = append(paths, w.write(path, json))
				}
			case ".toml":
				paths = append(paths, w.write(path, toml))
			}
		}
		before := w.tree()
		w.install(a, s, options)
		for _, path := range paths {
			for _, want := range []string{"mine", "a comment"} {
				if !strings.Contains(w.read(path), want) {
					t.Errorf("%s lost %q:\n%s", path, want, w.read(path))
				}
			}
		}
		w.uninstall(a, s)
		if d := cmp.Diff(before, w.tree()); d != "" {
			t.Error(d)
		}

		w.install(a, s, options)
		for _, path := range paths {
			w.write(path, strings.Replace(w.read(path), "x", "edited", 1))
		}
		w.uninstall(a, s)
		for _, path := range paths {
			want := strings.Replace(before[path][strings.IndexByte(before[path], '\n')+1:], "x", "edited", 1)
			if d := cmp.Diff(want, w.read(path)); d != "" {
				t.Errorf("%s after an edit:\n%s", path, d)
			}
		}

		// Without a record too.
		for _, path := range paths {
			w.write(path, json)
			if filepath.Ext(path) == ".toml" {
				w.write(path, toml)
			}
		}
		w.install(a, s, options)
		if err := os.RemoveAll(w.store.Dir); err != nil {
			t.Fatal(err)
		}
		w.uninstall(a, s)
		for _, path := range paths {
			if d := cmp.Diff(before[path][strings.IndexByte(before[path], '\n')+1:], w.read(path)); d != "" {
				t.Errorf("%s without a record:\n%s", path, d)
			}
		}
		for path, text := range w.tree() {
			if _, was := before[path]; !was && text[0] != 'd' {
				t.Errorf("%s is left without a record", path)
			}
		}
	})
}

// What somebody has edited between two installs is what uninstall keeps.
func TestEditedBetween(t *testing.T) {
	w := newWorld(t)
	a := Find("claude")
	path := w.write("~/.claude/settings.json", "{\n  \"model\": \"x\"\n}\n")
	w.install(a, User, options)
	w.write(path, strings.Replace(w.read(path), `"x"`, `"y"`, 1))
	w.install(a, User, Options{Program: "/usr/bin/bashgate"})
	w.uninstall(a, User)
	if got, want := w.read(path), "{\n  \"model\": \"y\"\n}\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A file may change while a person is asked.
func TestChangedMeanwhile(t *testing.T) {
	w := newWorld(t)
	path := w.write("~/.claude/settings.json", "{}")
	changes, err := Find("claude").Plan(w.Place, User, options)
	if err != nil {
		t.Fatal(err)
	}
	w.write(path, `{"model": "x"}`)
	if err := changes[0].Apply(w.store); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Errorf("error %v", err)
	}
	if w.read(path) != `{"model": "x"}` {
		t.Errorf("the file was written: %s", w.read(path))
	}
}

// Links lead to the file that is written; its mode stays.
func TestLinkAndMode(t *testing.T) {
	w := newWorld(t)
	real := w.write("~/dotfiles/claude.json", "{}\n")
	link := w.Expand("~/.claude/settings.json")
	if err := os.Mkdir(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dotfiles/claude.json", link); err != nil {
		t.Fatal(err)
	}
	before := w.tree()
	w.install(Find("claude"), User, options)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is none any more: %v", err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(w.store.name(real)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the record: %v, %v", info, err)
	}
	w.uninstall(Find("claude"), User)
	if d := cmp.Diff(before, w.tree()); d != "" {
		t.Error(d)
	}
}

// Kimi writes its file anew, and keeps no comments.
func TestTablesWithoutMarks(t *testing.T) {
	w := newWorld(t)
	a := Find("kimi")
	const before = "model = \"x\"\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"mine\"\n\n[providers.a]\nkey = \"k\"\n"
	path := w.write("~/.kimi-code/config.toml", before)
	w.install(a, User, options)
	var anew strings.Builder
	for line := range strings.Lines(w.read(path)) {
		if !strings.HasPrefix(line, "#") {
			anew.WriteString(line)
		}
	}
	w.write(path, anew.String()+"\n# about b\n[providers.b]\nkey = \"l\"\n")
	w.install(a, User, options)
	if n := len(w.entries(a, User)); n != len(a.Events) {
		t.Errorf("%d entries for %d events:\n%s", n, len(a.Events), w.read(path))
	}
	w.uninstall(a, User)
	if d := cmp.Diff(before+"\n# about b\n[providers.b]\nkey = \"l\"\n", w.read(path)); d != "" {
		t.Error(d)
	}
}

// The directory of an agent may be a link, and its settings not there yet.
func TestLinkedDirectory(t *testing.T) {
	w := newWorld(t)
	if err := os.Symlink("dotfiles", w.Expand("~/.claude")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(w.Expand("~/dotfiles"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := w.tree()
	w.install(Find("claude"), User, options)
	if text := w.read("~/dotfiles/settings.json"); !strings.Contains(text, "hook claude") {
		t.Error(text)
	}
	w.uninstall(Find("claude"), User)
	if d := cmp.Diff(before, w.tree()); d != "" {
		t.Error(d)
	}
}

func TestSomebodyElses(t *testing.T) {
	for path, text := range map[string]string{
		"~/.cline/hooks/PreToolUse":             "#!/bin/sh\nexit 0\n",
		"~/.config/opencode/plugin/bashgate.js": "export const x = 1\n",
		"~/.kimi/config.toml":                   "hooks = []\n",
		"~/.claude/settings.json":               "{\"hooks\": []}",
		"~/.qwen/settings.json":                 "{",
	} {
		w := newWorld(t)
		w.write(path, text)
		var err error
		for _, a := range Agents() {
			if slices.Contains(a.Places(w.Place, User), w.Expand(path)) {
				_, err = a.Plan(w.Place, User, options)
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), path+":") {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

func TestOurs(t *testing.T) {
	for command, want := range map[string]bool{
		"bashgate":                                                     true,
		"/usr/local/bin/bashgate":                                      true,
		"bashgate --host gemini":                                       true,
		"bashgate --host=gemini --unattended":                          true,
		"'/opt/my tools/bashgate' hook claude":                         true,
		`"/opt/my tools/bashgate" hook claude`:                         true,
		`/opt/my\ tools/bashgate hook copilot preToolUse --unattended`: true,
		`FOO=1 B=2 bashgate hook claude`:                               true,
		`FOO=/x/bashgate`:                                              false,
		`bashgate hook claude || exit 2`:                               true,
		`bashgate hook claude || true`:                                 false,
		"bashgate hook codex --prompts":                                true,
		"bashgate check ls":                                            false,
		"bashgate hook":                                                false,
		"bashgate hook claude a b":                                     false,
		"bashgate && other":                                            false,
		"bashgate | tee log":                                           false,
		"mybashgate":                                                   false,
		"other bashgate":                                               false,
		"'bashgate":                                                    false,
		"":                                                             false,
	} {
		if got := Ours(command); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
	for _, word := range []string{"", "a", "it's", "a b", "$x", `\`, "-n"} {
		if got := split(quote(word)); !slices.Equal(got, []string{word}) {
			t.Errorf("%q became %q", word, got)
		}
	}
}

// Every agent that the hook speaks with can be wired, for all events that it
// understands and no others.
func TestHosts(t *testing.T) {
	for _, h := range host.All() {
		a := Find(h.Name)
		if a == nil {
			t.Errorf("%s can't be wired", h.Name)
			continue
		}
		if a.Title != h.Title {
			t.Errorf("%s is called %q and %q", h.Name, a.Title, h.Title)
		}
		if len(a.Events) == 0 {
			continue // a plugin
		}
		for _, e := range a.Events {
			if h.EventNamed(e.Name) == host.None {
				t.Errorf("%s: the hook does not know the event %s", h.Name, e.Name)
			}
		}
		for _, n := range h.Events {
			if !slices.ContainsFunc(a.Events, func(e Event) bool { return strings.EqualFold(e.Name, n.Name) }) && !unwired[h.Name+" "+n.Name] {
				t.Errorf("%s: the event %s is not wired", h.Name, n.Name)
			}
		}
	}
	for _, a := range Agents() {
		if _, err := host.Named(a.Host); err != nil {
			t.Error(err)
		}
	}
}

// unwired are events that the hook understands and that are not wired.
var unwired = map[string]bool{
	"copilot UserPromptSubmit": true, // userPromptSubmitted is the same
	"cursor beforeTabFileRead": true, // no agent's doing
	// What Cline's program for the command line calls its events; the files are
	// called as the editors' are.
	"cline tool_call": true, "cline tool_result": true, "cline prompt_submit": true, "cline agent_start": true,
	"cline agent_resume": true, "cline agent_end": true, "cline agent_abort": true, "cline session_shutdown": true,
	"cline pre_compact": true,
}

func TestExpand(t *testing.T) {
	p := Place{Home: "/home/u", Workspace: "/srv/p", Getenv: func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": "/x/claude", "XDG_CONFIG_HOME": "/x/config", "CODEX_HOME": "relative", "GEMINI_CLI_HOME": "/x/g"}[name]
	}}
	for path, want := range map[string]string{
		"~/.claude/settings.json":     "/x/claude/settings.json",
		"~/.claude":                   "/x/claude",
		"~/.claudette":                "/home/u/.claudette",
		"~/.codex/hooks.json":         "/home/u/.codex/hooks.json",
		"~/.gemini/settings.json":     "/x/g/.gemini/settings.json",
		"~/.config/amp/settings.json": "/x/config/amp/settings.json",
		"~/.config/Code":              "/home/u/.config/Code",
		"./.claude/settings.json":     "/srv/p/.claude/settings.json",
	} {
		if got := p.Expand(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
