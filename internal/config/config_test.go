package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	dir := t.TempDir()
	getenv := env("HOME=/home/u", "XDG_CONFIG_HOME="+dir)
	if c, err := Load(getenv); err != nil || !cmp.Equal(c, Config{}) {
		t.Errorf("without a file: %+v, %v", c, err)
	}
	path := filepath.Join(dir, "bashgate", "config.toml")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`# all of it
profile = "denylist"
packs = ["guard-git"]
denied_commands = ["rsync", "socat"]
allowed_dirs = ["/srv/data/", "~/src"]
scratch_dirs = ["/tmp/scratch"]

[hook]
unknown = "defer"
auto = "ask"

[pack.guard-git]
use_instead = "merge_queue"
`), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Load(getenv)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Profile: "denylist", Packs: []string{"guard-git"}, DeniedCommands: []string{"rsync", "socat"},
		PackSettings: map[string]string{"use_instead": "merge_queue"},
		AllowedDirs:  []string{"/srv/data", "/home/u/src"}, ScratchDirs: []string{"/tmp/scratch"}, DeferUnknown: true, AskAuto: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(getenv); err == nil {
		t.Error("a directory was read as a file")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"profil = \"denylist\"\n", `config.toml:1:1: unknown key "profil" in the file
    profil = "denylist"
    ^^^^^^
hint: did you mean "profile"?`},
		{"profile = 7\n\n[hook]\nunknown = \"never\"\n", `config.toml:1:11: "profile" is a string, not a number
    profile = 7
              ^
config.toml:4:11: unknown takes "ask" or "defer"
    unknown = "never"
              ^^^^^^^`},
		{"packs = \"guard-git\"\n", `config.toml:1:9: "packs" is a list of strings, not a string
    packs = "guard-git"
            ^^^^^^^^^^^`},
		{"scratch_dirs = [\"/ok\", \"tmp\"]\n", `config.toml:1:24: scratch_dirs needs absolute paths
    scratch_dirs = ["/ok", "tmp"]
                           ^^^^^
hint: begin it with "/" or "~/"`},
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

// What tightens stays, what loosens goes.
func TestParseKeepsWhatTightens(t *testing.T) {
	got, err := parse("config.toml", []byte(`profile = "denylist"
packs = ["guard-git"]
denied_commands = ["rsync"]
allowed_dirs = ["/"]
scratch_dirs = ["/"]
nonsense = true
hook.unknown = "defer"
hook.auto = "defer"
`), "")
	if err == nil {
		t.Fatal("no error")
	}
	want := Config{Profile: "denylist", Packs: []string{"guard-git"}, DeniedCommands: []string{"rsync"}, AskAuto: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

// FuzzParse checks that whatever the text, there is no panic, and that a
// text with errors sets nothing that could loosen.
func FuzzParse(f *testing.F) {
	f.Add("profile = \"denylist\"\n[hook]\nunknown = \"defer\"\n")
	f.Add("scratch_dirs = [\"~/x\", 1]\n[[hook]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parse("config.toml", []byte(text), "/home/u")
		if err != nil && (c.AllowedDirs != nil || c.ScratchDirs != nil || c.DeferUnknown || !c.AskAuto) {
			t.Fatalf("%+v in spite of %v", c, err)
		}
	})
}
