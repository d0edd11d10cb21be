package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

const keptRules = `[[programs]]
name = "acme"
[[programs.options]]
flag = ["-v --verbose"]
[[programs.allow]]
subcommand = ["list", "show"]
lifts = ["path.write"]
wrappers = []
[[programs.block]]
subcommand = "deploy"
reason = "No deploys"

[[programs]]
name = "./scripts/check.sh"
unknown_action = "allow"

[[paths]]
id = "mine.notes"
path = ["~/notes/**"]
read = "ask"
reason = "Notes"
`

// keeping is a setup that keeps what its rules come to, and their directory.
func keeping(t *testing.T) (s *Setup, root, rules string) {
	t.Helper()
	s, root = setup(t, nil)
	rules = root + "/home/.config/bashgate/rules"
	return s.Keeping(Kept{Dir: root + "/state/compiled", By: "test"}), root, rules
}

// keptNames lists what is kept.
func keptNames(t *testing.T, s *Setup) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(s.kept.Dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// inside lets programs be compared.
var inside = cmp.AllowUnexported(match.Program{}, match.Level{})

// gatesOf are the gates of rules as far as files say them, whether they were
// compiled or kept.
func gatesOf(r *Rules) (gates []match.Gate) {
	for i := range r.Files {
		g := *r.Files[i].Gate
		g.Own = append([]*match.Program(nil), g.Programs()...)
		g.Packed, g.Index = nil, nil
		gates = append(gates, g)
	}
	return gates
}

func wasKept(r *Rules) bool { return len(r.Files) > 0 && r.Files[0].Gate.Packed != nil }

// TestKept: the second time, files are not compiled, and say the same.
func TestKept(t *testing.T) {
	s, _, rules := keeping(t)
	write(t, rules+"/a.toml", keptRules)
	write(t, rules+"/b.toml", "")
	first := s.UserRules(nothingKnown)
	if wasKept(first) || len(keptNames(t, s)) != 1 {
		t.Fatalf("the first time: kept %v", keptNames(t, s))
	}
	again := s.UserRules(func() ruleset.Known { t.Error("what is known does not matter now"); return ruleset.Known{} })
	if !wasKept(again) || again.Faults() != nil || again.Left() != nil {
		t.Fatal("the second time: compiled")
	}
	if d := cmp.Diff(gatesOf(first), gatesOf(again), inside); d != "" {
		t.Errorf("-compiled +kept:\n%s", d)
	}
	if d := cmp.Diff(interp.Files(first.Whole()), interp.Files(again.Whole()), inside); d != "" {
		t.Errorf("-compiled +kept:\n%s", d)
	}
	for _, mode := range [][2]any{{s.kept.Dir, os.FileMode(0o700)}, {filepath.Join(s.kept.Dir, keptNames(t, s)[0]), os.FileMode(0o600)}} {
		if info, err := os.Lstat(mode[0].(string)); err != nil || info.Mode().Perm() != mode[1] {
			t.Errorf("%s: %v %v, want %v", mode[0], info.Mode(), err, mode[1])
		}
	}
	if wasKept((&Setup{Places: s.Places}).UserRules(nothingKnown)) {
		t.Error("a setup that keeps nothing reads what is kept")
	}
}

// TestKeptDepends: whatever the result depends on makes it another one.
func TestKeptDepends(t *testing.T) {
	s, _, rules := keeping(t)
	load := func(what string, s *Setup) {
		t.Helper()
		if wasKept(s.UserRules(nothingKnown)) {
			t.Errorf("%s: kept", what)
		}
		if !wasKept(s.UserRules(nothingKnown)) {
			t.Errorf("%s: not kept", what)
		}
	}
	write(t, rules+"/a.toml", keptRules)
	load("nothing kept", s)
	write(t, rules+"/a.toml", keptRules+" ")
	load("a byte more", s)
	write(t, rules+"/b.toml", "")
	load("an empty file", s)
	if err := os.Rename(rules+"/b.toml", rules+"/c.toml"); err != nil {
		t.Fatal(err)
	}
	load("another name", s)
	load("another compiler", s.Keeping(Kept{Dir: s.kept.Dir, By: "test2"}))
	texts, _ := readDir(rules)
	if s.kept.name(ruleset.User, texts) == s.kept.name(ruleset.Project, texts) {
		t.Error("another layer has the same name")
	}
	if a, b := s.kept.name(ruleset.User, []text{{"a", []byte("b")}}), s.kept.name(ruleset.User, []text{{"ab", nil}}); a == b {
		t.Error("two sets have one name")
	}
}

// TestKeptNot: what has faults is told each time, and the administrator's files are
// not for a user's directory to say.
func TestKeptNot(t *testing.T) {
	s, root, rules := keeping(t)
	not := func(what string, load func() *Rules) {
		t.Helper()
		for range 2 {
			if r := load(); wasKept(r) || len(keptNames(t, s)) > 0 || len(r.Files)+len(r.Unread()) == 0 {
				t.Errorf("%s: kept %q, %d files", what, keptNames(t, s), len(r.Files))
			}
		}
	}
	user := func() *Rules { return s.UserRules(nothingKnown) }
	write(t, rules+"/a.toml", keptRules)
	write(t, rules+"/b.toml", "[[programs]]\nname = \"x\"\nunknown = \"allow\"\n")
	not("an error in one file", user)
	write(t, rules+"/b.toml", "[[programs]\n")
	not("no TOML", user)
	write(t, rules+"/b.toml", strings.Repeat("#", maxFile+1))
	not("a file that can't be read", user)

	write(t, s.Places.System+"/rules/a.toml", keptRules)
	not("the administrator's", func() *Rules { return s.ManagedRules(nothingKnown) })
	const profile = "[profile]\nextends = \"strict\"\n"
	write(t, s.Places.System+"/profiles/a.toml", profile)
	write(t, root+"/home/.config/bashgate/profiles/b.toml", profile)
	not("profiles, one the administrator's", func() *Rules { return s.Profiles(nothingKnown) })
	packs := func(layer Layer) func() *Rules {
		return func() *Rules {
			s.packsDirs = []packsDir{{path: root + "/packs", layer: layer}}
			r, _ := s.SharedPacks([]string{"p"}, root+"/w", nothingKnown)
			return r
		}
	}
	write(t, root+"/packs/p.toml", keptRules)
	not("a pack that the administrator names", packs(Managed))

	if err := os.Remove(s.Places.System + "/profiles/a.toml"); err != nil {
		t.Fatal(err)
	}
	if s.Profiles(nothingKnown); !wasKept(s.Profiles(nothingKnown)) {
		t.Error("a profile of the user's is not kept")
	}
	if packs(User)(); !wasKept(packs(User)()) {
		t.Error("a pack is not kept")
	}
	write(t, root+"/p/.bashgate/rules/a.toml", keptRules)
	project := func() *Rules { return s.Project([]string{root + "/p"}, nothingKnown).Rules[0] }
	if project(); !wasKept(project()) || project().Files[0].Gate.Named("acme")[0].Rules[0].ID == "" {
		t.Error("a project's rules are not kept")
	}
}

// TestKeptSpoiled spoils each byte of what is kept, and cuts it off everywhere: it
// is compiled anew.
func TestKeptSpoiled(t *testing.T) {
	s, _, rules := keeping(t)
	write(t, rules+"/a.toml", "[[programs]]\nname = \"acme\"\n[[programs.block]]\nreason = \"No\"\n")
	want := gatesOf(s.UserRules(nothingKnown))
	names := keptNames(t, s)
	file := filepath.Join(s.kept.Dir, names[0])
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	spoil := func(what string, text []byte) {
		t.Helper()
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r := s.UserRules(nothingKnown)
		if wasKept(r) || !cmp.Equal(want, gatesOf(r), inside) {
			t.Fatalf("%s: kept: %t", what, wasKept(r))
		}
		if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, whole) {
			t.Fatalf("%s: it is not mended (%v)", what, err)
		}
	}
	for i := range whole {
		for _, with := range []byte{0x01, 0xff} {
			text := slices.Clone(whole)
			text[i] ^= with
			spoil(fmt.Sprintf("byte %d", i), text)
		}
		spoil(fmt.Sprintf("the first %d bytes", i), whole[:i])
	}
	spoil("a byte more", append(slices.Clone(whole), 0))

	// What is kept of another set is nothing for this one.
	write(t, rules+"/a.toml", "[[programs]]\nname = \"acme\"\nunknown_action = \"allow\"\n")
	s.UserRules(nothingKnown)
	other := slices.DeleteFunc(keptNames(t, s), func(n string) bool { return n == names[0] })
	data, err := os.ReadFile(filepath.Join(s.kept.Dir, other[0]))
	if err != nil {
		t.Fatal(err)
	}
	write(t, rules+"/a.toml", "[[programs]]\nname = \"acme\"\n[[programs.block]]\nreason = \"No\"\n")
	spoil("another set's", data)
}

// TestKeptPlace: what others could have written, or lies elsewhere, is not read, and
// where nothing can be written nothing is missed.
func TestKeptPlace(t *testing.T) {
	for what, change := range map[string]func(dir, file string) error{
		"others may write the file":      func(_, file string) error { return os.Chmod(file, 0o620) },
		"others may read the file":       func(_, file string) error { return os.Chmod(file, 0o604) },
		"others may write the directory": func(dir, _ string) error { return os.Chmod(dir, 0o770) },
		"the file is a link": func(dir, file string) error {
			if err := os.Rename(file, dir+"/../x"); err != nil {
				return err
			}
			return os.Symlink("../x", file)
		},
		"the directory is a link": func(dir, _ string) error {
			if err := os.Rename(dir, dir+"2"); err != nil {
				return err
			}
			return os.Symlink(dir+"2", dir)
		},
		"a directory in place of the file": func(_, file string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Mkdir(file, 0o700)
		},
		"a file in place of the directory": func(dir, _ string) error {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			return os.WriteFile(dir, nil, 0o600)
		},
	} {
		s, _, rules := keeping(t)
		write(t, rules+"/a.toml", keptRules)
		want := gatesOf(s.UserRules(nothingKnown))
		if err := change(s.kept.Dir, filepath.Join(s.kept.Dir, keptNames(t, s)[0])); err != nil {
			t.Fatal(err)
		}
		if r := s.UserRules(nothingKnown); wasKept(r) || !cmp.Equal(want, gatesOf(r), inside) {
			t.Errorf("%s: kept", what)
		}
	}
	for _, k := range []Kept{{}, {Dir: "compiled", By: "x"}, {Dir: "/", By: ""}, {Dir: "/proc/nowhere", By: "x"}} {
		s, _, rules := keeping(t)
		s = s.Keeping(k)
		write(t, rules+"/a.toml", keptRules)
		if s.UserRules(nothingKnown); wasKept(s.UserRules(nothingKnown)) {
			t.Errorf("%+v: kept", k)
		}
	}
}

// TestKeptFew: the oldest ones go, and what was left behind.
func TestKeptFew(t *testing.T) {
	s, _, rules := keeping(t)
	old := time.Now().Add(-time.Hour)
	write(t, s.kept.Dir+"/new123", "")
	if err := os.Chmod(s.kept.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(s.kept.Dir+"/new123", old, old); err != nil {
		t.Fatal(err)
	}
	for i := range mostKept + 5 {
		write(t, rules+"/a.toml", fmt.Sprint(keptRules, "# ", i))
		s.UserRules(nothingKnown)
		for _, name := range keptNames(t, s) {
			at := old.Add(time.Duration(i) * time.Second)
			if info, err := os.Stat(s.kept.Dir + "/" + name); err == nil && time.Since(info.ModTime()) < time.Minute {
				if err := os.Chtimes(s.kept.Dir+"/"+name, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	names := keptNames(t, s)
	if len(names) != mostKept || slices.Contains(names, "new123") {
		t.Errorf("%d are kept: %q", len(names), names)
	}
	for i := 5; i < mostKept+5; i++ {
		write(t, rules+"/a.toml", fmt.Sprint(keptRules, "# ", i))
		if !wasKept(s.UserRules(nothingKnown)) {
			t.Errorf("the last but %d is gone", mostKept+4-i)
		}
	}
}
