package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/policy"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// setup is what lies in two directories: the user's home and the
// administrator's files.
func setup(t *testing.T, files map[string]string) (*Setup, string) {
	t.Helper()
	root := realPath(t.TempDir())
	for name, text := range files {
		write(t, filepath.Join(root, name), text)
	}
	home := filepath.Join(root, "home")
	return Load(Places{Getenv: env("HOME=" + home), System: filepath.Join(root, "etc")}, Names{Packs: []string{"guard-git", "guard-web"}, Profiles: []string{"allowlist", "default", "denylist", "strict"}}), root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// parse reads a text as the user's settings.
func parse(name string, text []byte, home string) (Config, error) {
	s := &Setup{Places: Places{Getenv: env("HOME=" + home), System: "/etc/bashgate"}}
	f := s.parse(name, text, User, "")
	s.Config.take(f)
	var errs []error
	for _, fault := range f.Faults {
		errs = append(errs, fault.Err)
	}
	return s.Config, errors.Join(errs...)
}

func TestDir(t *testing.T) {
	for _, row := range []struct {
		env  []string
		want string
	}{
		{nil, ""},
		{[]string{"HOME=/home/u"}, "/home/u/.config/bashgate"},
		{[]string{"HOME=u"}, ""},
		{[]string{"HOME=/home/u", "XDG_CONFIG_HOME=/x"}, "/x/bashgate"},
		{[]string{"HOME=/home/u", "XDG_CONFIG_HOME=x"}, "/home/u/.config/bashgate"},
	} {
		if got := Dir(env(row.env...)); got != row.want {
			t.Errorf("%q: %q, want %q", row.env, got, row.want)
		}
	}
}

func TestLoad(t *testing.T) {
	s, _ := setup(t, nil)
	if diff := cmp.Diff(Config{}, s.Config); diff != "" || s.Files != nil {
		t.Errorf("without a file (-want +got):\n%s", diff)
	}
	s, root := setup(t, map[string]string{"home/.config/bashgate/config.toml": `# all of it
profile = "denylist"
packs = ["guard-git"]
denied_commands = ["rsync", "git push"]
allowed_dirs = ["/srv/data/", "~/src"]
scratch_dirs = ["/tmp/scratch", "./build"]
program_dirs = ["~/go/bin"]

[hook]
unknown = "defer"
auto = "ask"

[pack.guard-git]
use_instead = "merge_queue"
`})
	if faults := s.Faults(); faults != nil {
		t.Fatal(faults)
	}
	home := root + "/home"
	want := Config{
		Profile: "denylist", Packs: []string{"guard-git"}, DeniedCommands: []string{"rsync", "git push"},
		PackSettings: map[string]string{"use_instead": "merge_queue"},
		AllowedDirs:  []string{"/srv/data", home + "/src"}, ScratchDirs: []string{"/tmp/scratch", "./build"},
		ProgramDirs: []string{home + "/go/bin"}, DeferUnknown: true, AskAuto: true,
	}
	if diff := cmp.Diff(want, s.Config); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	path := home + "/.config/bashgate/config.toml"
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	s = Load(s.Places, Names{})
	if faults := s.Faults(); len(faults) != 1 || !faults[0].Scope.All {
		t.Errorf("a directory was read as a file: %v", faults)
	}
}

// The administrator has the last word; what is stricter is joined.
func TestManaged(t *testing.T) {
	files := map[string]string{
		"home/.config/bashgate/config.toml": `
profile = "denylist"
packs = ["guard-web"]
denied_commands = ["docker"]
scratch_dirs = ["/tmp/mine"]
allowed_dirs = ["/srv"]
hook.unknown = "defer"
[cop]
provider = "ollama"
model = "m"
[audit]
log = "on"
`,
		"etc/config.toml": `
packs = ["guard-git"]
denied_commands = ["nc", "docker"]
scratch_dirs = ["/tmp/ours"]
[managed]
allow_lifts = false
profiles = ["strict", "allowlist"]
`,
	}
	s, _ := setup(t, files)
	if faults := s.Faults(); faults != nil {
		t.Fatal(faults)
	}
	want := Config{
		Profile: "denylist", Packs: []string{"guard-web", "guard-git"}, DeniedCommands: []string{"docker", "nc"},
		AllowedDirs: []string{"/srv"}, ScratchDirs: []string{"/tmp/ours"}, DeferUnknown: true,
		Cop:     Cop{Provider: "ollama", Model: "m", File: s.Files[0].Path},
		NoLifts: true, Profiles: []string{"strict", "allowlist"},
	}
	if diff := cmp.Diff(want, s.Config); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	for _, row := range []struct {
		asked, profile string
		other          bool
	}{{"", "strict", true}, {"allowlist", "allowlist", false}, {"default", "strict", true}} {
		if profile, other := s.Choose(row.asked); profile != row.profile || other != row.other {
			t.Errorf("%q: %s, %v", row.asked, profile, other)
		}
	}
	if s.Fixed("allowed_dirs") || !s.Fixed("scratch_dirs") {
		t.Error("what is fixed is not what the administrator has set")
	}
	files["etc/config.toml"] = "profile = \"strict\"\n"
	s, _ = setup(t, files)
	if profile, other := s.Choose("default"); profile != "strict" || !other {
		t.Errorf("a profile of the administrator's: %s", profile)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"profil = \"denylist\"\n", `config.toml:1:1: unknown key "profil" in the file
    profil = "denylist"
    ^^^^^^
hint: did you mean "profile"?`},
		{"profile = 7\n\n[hook]\nunknown = \"never\"\n", `config.toml:1:11: "profile" must be a string, not a number
    profile = 7
              ^
config.toml:4:11: "unknown" must be one of ask, defer, not never
    unknown = "never"
              ^^^^^^^
hint: did you mean "defer"?`},
		{"[taint]\nfrom = 2.0\n", `config.toml:2:8: "from" must be a whole number, not 2.0
    from = 2.0
           ^^^`},
		{"profile = strict\n", `config.toml:1:11: not TOML: unexpected character U+0073 's' at start of value
    profile = strict
              ^
hint: a text stands in quotes: "strict"`},
		{"packs = \"guard-git\"\n", `config.toml:1:9: "packs" must be a list of strings, not a string
    packs = "guard-git"
            ^^^^^^^^^^^`},
		{"scratch_dirs = [\"/ok\", \"tmp\"]\n", `config.toml:1:24: scratch_dirs needs absolute paths
    scratch_dirs = ["/ok", "tmp"]
                           ^^^^^
hint: begin it with "/", "~/", or "./" in the workspace`},
		{"scratch_dirs = [\"./build/../..\"]\n", `config.toml:1:17: scratch_dirs needs a directory below the workspace`},
		{"scratch_dirs = [\"./\"]\n", `config.toml:1:17: scratch_dirs needs a directory below the workspace`},
		{"scratch_dirs = [\"/tmp/*\"]\n", `config.toml:1:17: scratch_dirs are directories, and * stands for nothing in them`},
		{"allowed_dirs = [\"/srv/?\"]\n", `config.toml:1:17: allowed_dirs are directories, and ? stands for nothing in them`},
		{"allowed_dirs = [\"./x\"]\n", `config.toml:1:17: allowed_dirs needs absolute paths`},
		{"program_dirs = [\"/tmp\"]\n", `config.toml:1:17: anybody could put a program there: /tmp is writable by all`},
		{"denied_commands = [\"git push --force\"]\n", `config.toml:1:20: 'git push --force' never matches: options are passed over
    denied_commands = ["git push --force"]
                       ^^^^^^^^^^^^^^^^^^
hint: write a rule: [[programs.block]] with if_flags_any`},
		{"managed.allow_lifts = false\n", `config.toml:1:1: [managed] is the administrator's
    managed.allow_lifts = false
    ^^^^^^^^^^^^^^^^^^^
hint: it belongs in /etc/bashgate/config.toml`},
		{"profile = \"a\"\nprofile = \"b\"\n", `config.toml:2:1: not TOML: the key "profile" is defined already`},
		{"profile = \n", `config.toml:1:11: not TOML: unexpected character U+000A at start of value`},
		{"\xff", `config.toml: the file is not UTF-8 text`},
	} {
		_, err := parse("config.toml", []byte(row.text), "/home/u")
		if err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%q\n got %v\nwant %s", row.text, err, row.want)
		}
	}
}

// Only keys in doubt are asked about, and only where they could have been
// stricter than what holds in their place.
func TestDoubt(t *testing.T) {
	all, none := policy.Scope{All: true}, policy.Scope{}
	places := policy.Scope{About: policy.Places}
	for _, row := range []struct {
		text string
		want policy.Scope
	}{
		{`profil = "strict"`, all},
		{`profile = 7`, all},
		{`profile = "nosuch"`, all},
		{`packs = ["guard-gti"]`, all},
		{`profile = "strict`, all},
		{"[audit]\nlog = \"yes\"", none},
		{"[audit]\nlogs = \"on\"", none},
		{"[audit]\nkey = \"key\"\n", none}, // nobody knows where that is
		{"[notify]\ncommand = [\"send\"]\n", none},
		{"[notify]\ncommand = \"/bin/send\"\n", none},
		{"[audit]\nlog = \"on", none},
		{"[audti]\nlog = \"on\"", all},
		{"[audit]\nlog = \"on\"\nprofile = \"strict\"", all}, // in the wrong table
		{"[audit]\nlog = \"on\"\ncontains_secrets = [\"/x\"]", places},
		{"[cop]\nprovider = \"skynet\"", none},
		{"[cop]\nprovider = \"skynet", none},
		{"[cop]\nprovider = \"ollama\n[taint]\nfrom = 1", places},
		{"[hook]\nauto = \"never\"", none},
		{"[taint]\nfrom = 9", none},
		{"[taint]\ncontains_secrets = [\"x\"]", places},
		{"[taint]\nform = 1", places},
		{"[[checkers]]\ncommand = \"/bin/true\"", all},
		{`scratch_dirs = ["tmp"]`, none},
		{`program_dirs = ["bin"]`, none},
		{`packs_dir = ["packs"]`, none},
		{"packs_dir = [\"packs\"]\npacks = [\"team\"]", all},
		{`allowed_dirs = ["src"]`, places},
		{`denied_commands = ["git push --force"]`, policy.Scope{Programs: []string{"git"}}},
		{`denied_commands = ["docker;"]`, policy.Scope{Programs: []string{"docker*", "docker"}}},
		{`denied_commands = ["docker|podman"]`, policy.Scope{Programs: []string{"docker*podman", "docker", "podman"}}},
		{`denied_commands = ["npm["]`, policy.Scope{Programs: []string{"npm*", "npm"}}},
		{`denied_commands = ["&&"]`, all},
		{`denied_commands = "docker"`, all},
		{"[managed]\nallow_lifts = false", none},
	} {
		s := &Setup{Places: Places{Getenv: env("HOME=/home/u")}, names: Names{Packs: []string{"guard-git"}, Profiles: []string{"strict"}}}
		f := s.parse("config.toml", []byte(row.text+"\n"), User, "")
		if row.want.None() {
			row.want = policy.Scope{}
		}
		var got policy.Scope
		for _, fault := range f.Faults {
			got.Join(fault.Scope)
		}
		if len(f.Faults) == 0 {
			t.Errorf("%q: nothing is wrong", row.text)
		}
		s.Files = []*File{f}
		s.Inside("/w") // says nothing more of what is wrong
		if diff := cmp.Diff(row.want, got); diff != "" && !(row.want.All && got.All) {
			t.Errorf("%q (-want +got):\n%s", row.text, diff)
		}
	}
}

// What tightens stays; what loosens stays too, where it is not in doubt.
func TestParseKeepsWhatIsSure(t *testing.T) {
	text := `profile = "denylist"
packs = ["guard-git"]
denied_commands = ["rsync", "-x"]
allowed_dirs = ["/srv", "src"]
scratch_dirs = ["/tmp/a"]
hook.unknown = "defer"
hook.auto = "ask"
`
	got, err := parse("config.toml", []byte(text+"[audit]\nlog = \"yes\"\n"), "")
	if err == nil {
		t.Fatal("no error")
	}
	want := Config{Profile: "denylist", Packs: []string{"guard-git"}, DeniedCommands: []string{"rsync"}, AllowedDirs: []string{"/srv"},
		ScratchDirs: []string{"/tmp/a"}, DeferUnknown: true, AskAuto: true, Audit: Audit{Commands: "off"}}
	if got.Audit.Why == nil {
		t.Error("nobody says why no commands are logged")
	}
	got.Audit.Why = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("an error elsewhere (-want +got):\n%s", diff)
	}
	got, _ = parse("config.toml", []byte("nonsense = true\n"+text), "")
	want.ScratchDirs, want.DeferUnknown = nil, false
	want.Taint.From = 1
	want.Approvals.Off = true
	if got.AskWhy == nil {
		t.Error("nobody says why auto mode asks")
	}
	got.AskWhy = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("an error that may be about anything (-want +got):\n%s", diff)
	}
	if got, _ := parse("config.toml", []byte("allowed_dirs = [\"src\"]\n"), ""); got.AllowedDirs == nil {
		t.Error("no directory is left, and all are allowed")
	}
}

// A project's settings tighten only, and say so.
func TestProjectSettings(t *testing.T) {
	s, root := setup(t, map[string]string{"p/.bashgate/config.toml": `
profile = "denylist"
packs = ["guard-git"]
denied_commands = ["docker", "./deploy.sh"]
scratch_dirs = ["/"]
[audit]
log = "of"
[notify]
command = ["/p/send"]
`})
	p := s.Project([]string{root + "/p"}, nothingKnown)
	c := s.Config.With(p)
	want := Config{Packs: []string{"guard-git"}, DeniedCommands: []string{"docker", root + "/p/deploy.sh"}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	if faults := p.Faults(); faults != nil {
		t.Errorf("faults: %v", faults)
	}
	var notes []string
	for _, e := range p.Files[0].Inert {
		notes = append(notes, strings.TrimPrefix(strings.SplitN(e.Error(), "\n", 2)[0], root+"/p/.bashgate/"))
	}
	slices.Sort(notes)
	if diff := cmp.Diff([]string{
		`config.toml:2:1: a project can't set "profile"`,
		`config.toml:5:1: a project can't set "scratch_dirs"`,
		`config.toml:6:1: a project can't set "audit"`,
		`config.toml:8:1: a project can't set "notify"`,
	}, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	write(t, root+"/p/.bashgate/config.toml", "denied_comands = [\"docker\"]\n")
	if faults := s.Project([]string{root + "/p"}, nothingKnown).Faults(); len(faults) != 1 || !faults[0].Scope.All {
		t.Errorf("a misspelt key: %v", faults)
	}
}

func TestSettings(t *testing.T) {
	s, root := setup(t, map[string]string{
		"home/.config/bashgate/config.toml": "packs = [\"guard-web\"]\nscratch_dirs = [\"~/x\"]\n\n[hook]\nunknown = \"defer\"\nauto = \"sometimes\"\n",
		"etc/config.toml":                   "packs = [\"guard-git\"]\n[managed]\nprofiles = [\"strict\"]\n",
		"p/.bashgate/config.toml":           "denied_commands = [\"docker\"]\nscratch_dirs = [\"/\"]\n",
	})
	project := s.Project([]string{root + "/p"}, nothingKnown)
	var got []string
	for _, set := range Settings(append([]*File{s.Files[0]}, append(project.Files, s.Files[1])...)) {
		var origins []string
		for _, o := range set.Origins {
			origins = append(origins, o.Layer.String())
			if o.Line > 0 {
				origins[len(origins)-1] += ":" + string(rune('0'+o.Line))
			}
		}
		doubt := ""
		if set.Doubt {
			doubt = " in doubt"
		}
		if set.Key == "profile" || set.Key == "packs" || strings.HasSuffix(set.Key, "_dirs") || set.Key == "denied_commands" || strings.HasPrefix(set.Key, "hook") || strings.HasPrefix(set.Key, "managed") {
			got = append(got, set.Key+" = "+set.Value+" ("+strings.Join(origins, " ")+doubt+")")
		}
	}
	want := []string{
		`profile = "default" (default)`,
		`packs = ["guard-web", "guard-git"] (user:1 managed:1)`,
		`denied_commands = ["docker"] (project:1)`,
		`scratch_dirs = ["~/x"] (user:2)`,
		`hook.unknown = "defer" (user:5 in doubt)`,
		`hook.auto = "sometimes" (user:6 in doubt)`,
		`hook.hint = "bashgate allow" (default)`,
		`managed.allow_lifts = true (default)`,
		`managed.allow_overrides = true (default)`,
		`managed.profiles = ["strict"] (managed:3)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

// The defaults that are shown are those that hold.
func TestDefaults(t *testing.T) {
	var text strings.Builder
	for _, set := range Settings(nil) {
		text.WriteString(set.Key + " = " + set.Value + "\n")
	}
	c, err := parse("config.toml", []byte(text.String()), "")
	if err != nil {
		t.Fatalf("%v in\n%s", err, &text)
	}
	want := Config{
		Profile: "default", Hint: DefaultHint, Cop: Cop{When: "tainted", PerSession: DefaultPerSession, PerDay: DefaultPerDay, File: "config.toml"},
		Taint: Taint{From: DefaultFrom}, Audit: Audit{Commands: "full", MaxBytes: DefaultAuditBytes, Keep: DefaultAuditKeep}, Approvals: Approvals{Life: 5 * time.Minute},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzParse checks that whatever the text, there is no panic, and that a key in
// doubt sets nothing that could loosen.
func FuzzParse(f *testing.F) {
	f.Add("profile = \"denylist\"\n[hook]\nunknown = \"defer\"\n")
	f.Add("scratch_dirs = [\"~/x\", 1]\n[[hook]]\n")
	f.Add("[cop]\nwhen = \"x\"\n[taint]\ntrack = \"off\"\n[managed]\nallow_lifts = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, layer := range []Layer{User, Project, Managed} {
			s := &Setup{Places: Places{Getenv: env("HOME=/home/u"), System: "/etc/bashgate"}}
			file := s.parse("config.toml", []byte(text), layer, "/p")
			s.Config.take(file)
			c, doubt := &s.Config, file.doubt
			if doubt["scratch_dirs"] && c.ScratchDirs != nil || doubt["program_dirs"] && c.ProgramDirs != nil || layer != Project && doubt["hook"] && (c.DeferUnknown || !c.AskAuto) ||
				doubt["cop"] && c.Cop != (Cop{}) || doubt["taint"] && (c.Taint.Off || c.Taint.Trusted != nil) || layer == Managed && doubt["managed"] && !c.NoLifts {
				t.Fatalf("%+v in spite of %v", c, file.Faults)
			}
			if layer == Project && (c.ScratchDirs != nil || c.AllowedDirs != nil || c.Profile != "" || c.DeferUnknown || c.NoLifts) {
				t.Fatalf("a project sets %+v", c)
			}
		}
	})
}
