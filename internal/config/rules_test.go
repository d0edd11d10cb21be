package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
)

func nothingKnown() ruleset.Known {
	return ruleset.Known{Profiles: []string{"allowlist", "default", "denylist", "strict"}}
}

func TestRules(t *testing.T) {
	s, root := setup(t, nil)
	unused := func() ruleset.Known { t.Error("asked for what is known without a file"); return ruleset.Known{} }
	nothing := func(what string, r *Rules) {
		t.Helper()
		if r.Whole() != nil || r.Left() != nil || r.Faults() != nil {
			t.Errorf("%s: %+v", what, r)
		}
	}
	nothing("no directory", s.UserRules(unused))
	nothing("nobody's", (&Setup{Places: Places{Getenv: env()}}).UserRules(unused))
	nothing("no administrator", (&Setup{Places: Places{Getenv: env()}}).ManagedRules(unused))
	dir := root + "/home/.config/bashgate/rules"
	write(t, dir+"/sub.toml/x.toml", "")
	write(t, dir+"/note.txt", "no rules")
	nothing("no files", s.UserRules(unused))
	write(t, dir+"/b.toml", "[[programs]]\nname = \"shellcheck\"\nunknown_action = \"allow\"\n")
	r := s.UserRules(nothingKnown)
	if whole := r.Whole(); whole == nil || r.Faults() != nil || len(interp.Gates(whole)) != 1 || interp.Gates(whole)[0].Own[0].Name != "shellcheck" {
		t.Fatalf("one file: %+v", r)
	}
	// A broken file does not take the others with it.
	write(t, dir+"/a.toml", "[[programs]]\nname = \"prettier\"\nunknown = \"allow\"\n[[programs.block]]\nreason = \"No\"\n[[programs]]\nname = \"x\"\n[[programs.block]]\nreason = \"No\"\n")
	if err := os.Symlink("nowhere", filepath.Join(dir, "c.toml")); err != nil {
		t.Fatal(err)
	}
	r = s.UserRules(nothingKnown)
	if whole := r.Whole(); whole == nil || len(interp.Gates(whole)) != 1 {
		t.Errorf("a broken file: %v", whole)
	}
	if left := r.Left(); left == nil || interp.Program(left, "x") == nil || interp.Program(left, "prettier") != nil {
		t.Errorf("what is left of a broken file: %v", left)
	}
	var faults []string
	for _, fault := range r.Faults() {
		line, _, _ := strings.Cut(fault.Err.Error(), "\n")
		faults = append(faults, fmt.Sprintf("%s %v %v", strings.ReplaceAll(line, dir+"/", ""), fault.Scope.All, fault.Scope.Programs))
	}
	if diff := cmp.Diff([]string{
		"open c.toml: no such file or directory true []",
		`a.toml:3:1: unknown key "unknown" in [[programs]] false [prettier]`,
	}, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestProjects(t *testing.T) {
	root := realPath(t.TempDir())
	mkdir := func(names ...string) {
		for _, name := range names {
			if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	mkdir(".bashgate", "home/.bashgate", "home/free/.bashgate", "home/free/a/.bashgate",
		"home/w/.bashgate", "home/w/.git", "home/w/packages/web/.bashgate", "home/w/packages/api",
		"home/w/vendor/lib/.bashgate", "home/w/vendor/lib/src/.bashgate", "srv/x/.git", "srv/x/.bashgate", "srv/x/y")
	write(t, root+"/home/w/vendor/lib/.git", "gitdir: elsewhere\n")
	if err := os.Symlink(root+"/home/w/packages/web", root+"/home/link"); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ cwd, workspace, want string }{
		{"home/w", "home/w", "home/w"},
		{"home/w/packages/web", "home/w/packages/web", "home/w/packages/web home/w"},
		{"home/w/packages/api", "home/w/packages/api", "home/w"},
		{"home/w/packages/api/new", "home/w", "home/w"},
		{"home/w", "home/w/packages/web", "home/w home/w/packages/web"},
		{"home/w/packages/web", "home", "home/w/packages/web home/w home"}, // the workspace is further up
		{"home/w/vendor/lib/src", "home/w/vendor/lib/src", "home/w/vendor/lib/src home/w/vendor/lib"},
		{"home/w/vendor/lib/src", "home/w", "home/w/vendor/lib/src home/w/vendor/lib home/w"},
		{"home/free/a", "home/free/a", "home/free/a"}, // no repository
		{"home/free/a", "home/free", "home/free/a home/free"},
		{"home/free/a", "home/w", "home/free/a home/w"},
		{"home/link", "home/link", "home/link home/w/packages/web home/w"},
		{"srv/x/y", "srv/x/y", "srv/x"},
		{"home", "home", "home"},
		{"", "", ". "},
		{"srv", "", ". "},
	} {
		cwd, workspace := filepath.Join(root, row.cwd), filepath.Join(root, row.workspace)
		var got []string
		for _, dir := range Projects(cwd, workspace, root+"/home") {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rel)
		}
		if strings.Join(got, " ") != strings.TrimSpace(row.want) {
			t.Errorf("%s in %s: %v, want %s", row.cwd, row.workspace, got, row.want)
		}
	}
	if got := Projects("rel", "", ""); got != nil {
		t.Errorf("nowhere: %v", got)
	}
	// To go up from here would take a minute.
	if got := Projects(root+strings.Repeat("/a", 100_000), "", ""); got != nil {
		t.Errorf("deeper than systems go: %v", got)
	}
}

func TestTrust(t *testing.T) {
	const loose = "[[programs]]\nname = \"mylint\"\nunknown_action = \"allow\"\n"
	s, root := setup(t, map[string]string{"home/p/.bashgate/rules/a.toml": loose})
	dir := root + "/home/p"
	fresh := func() *Rules {
		t.Helper()
		s = Load(s.Places, Names{})
		p := s.Project([]string{dir}, nothingKnown)
		if len(p.Rules) != 1 {
			t.Fatalf("%+v", p)
		}
		return p.Rules[0]
	}
	expect := func(what string, want Trust) *Rules {
		t.Helper()
		r := fresh()
		if r.Trust != want || (r.Layer == ruleset.User) != (want == IsTrusted) || (len(r.Files[0].Inert) == 0) != (want == IsTrusted) {
			t.Errorf("%s: trust %d, layer %d, inert %v", what, r.Trust, r.Layer, r.Files[0].Inert)
		}
		return r
	}
	r := expect("at first", Untrusted)
	if err := s.Trusted().Add(r, "u", time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	expect("then", IsTrusted)
	if info, err := os.Stat(s.Trusted().Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	// A link to the project is the project; another project with the same files
	// is not.
	if err := os.Symlink(dir, root+"/link"); err != nil {
		t.Fatal(err)
	}
	if p := s.Project([]string{root + "/link"}, nothingKnown); p.Rules[0].Trust != IsTrusted {
		t.Error("by a link it is not trusted")
	}
	write(t, root+"/home/q/.bashgate/rules/a.toml", loose)
	if p := s.Project([]string{root + "/home/q"}, nothingKnown); p.Rules[0].Trust != Untrusted {
		t.Error("another project is trusted")
	}
	write(t, dir+"/.bashgate/rules/a.toml", loose+"\n")
	expect("one byte more", Changed)
	write(t, dir+"/.bashgate/rules/a.toml", loose)
	expect("as before", IsTrusted)
	write(t, dir+"/.bashgate/rules/b.toml", loose)
	expect("one file more", Changed)
	if err := os.Remove(dir + "/.bashgate/rules/b.toml"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+"/.bashgate/rules/a.toml", dir+"/.bashgate/rules/c.toml"); err != nil {
		t.Fatal(err)
	}
	expect("another name", Changed)
	write(t, dir+"/.bashgate/rules/a.toml", loose)
	if err := os.Remove(dir + "/.bashgate/rules/c.toml"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.Trusted().Path, 0o666); err != nil {
		t.Fatal(err)
	}
	expect("a list that others may write", Untrusted)
	if err := os.Chmod(s.Trusted().Path, 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.Trusted().Path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.Trusted().Path, "no JSON\n{\"dir\":7}\n"+string(text))
	if err := os.Chmod(s.Trusted().Path, 0o600); err != nil {
		t.Fatal(err)
	}
	expect("lines that are none of ours", IsTrusted)
	if was, err := s.Trusted().Revoke(dir); !was || err != nil {
		t.Errorf("revoking: %v, %v", was, err)
	}
	expect("revoked", Untrusted)
	if was, err := s.Trusted().Revoke(dir); was || err != nil {
		t.Errorf("revoking again: %v, %v", was, err)
	}
}

func TestProfiles(t *testing.T) {
	s, root := setup(t, map[string]string{
		"home/.config/bashgate/profiles/mine.toml":    "[profile]\nextends = \"allowlist\"\n[[programs]]\nname = \"make\"\n[[programs.allow]]\n",
		"home/.config/bashgate/profiles/more.toml":    "[profile]\nextends = \"mine\"\n",
		"home/.config/bashgate/profiles/lost.toml":    "[profile]\nextends = \"nosuch\"\n",
		"home/.config/bashgate/profiles/round.toml":   "[profile]\nextends = \"trip\"\n",
		"home/.config/bashgate/profiles/trip.toml":    "[profile]\nextends = \"round\"\n",
		"home/.config/bashgate/profiles/strict.toml":  "[profile]\nunlisted = \"allow\"\n",
		"home/.config/bashgate/profiles/empty.toml":   "",
		"home/.config/bashgate/profiles/company.toml": "[profile]\nunlisted = \"allow\"\n",
		"etc/profiles/company.toml":                   "[profile]\nunlisted = \"block\"\n",
	})
	r := s.Profiles(nothingKnown)
	var errs []string
	for _, fault := range r.Faults() {
		line, _, _ := strings.Cut(fault.Err.Error(), "\n")
		errs = append(errs, strings.ReplaceAll(line, root+"/home/.config/bashgate/profiles/", ""))
	}
	if diff := cmp.Diff([]string{
		"empty.toml: the file has no [profile]",
		`lost.toml:2:11: no profile is called "nosuch"`,
		"round.toml:2:11: the profile extends itself, by way of trip",
		`strict.toml:1:1: "strict" is a built-in profile`,
		"trip.toml:2:11: the profile extends itself, by way of round",
	}, errs); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	gates, faults := r.Chain("more")
	var names []string
	for _, g := range interp.Gates(gates) {
		names = append(names, g.Name+" "+g.Profile.Unlisted.String())
	}
	if diff := cmp.Diff([]string{"company block", "mine skip", "more skip"}, names); diff != "" || faults != nil {
		t.Errorf("profiles (-want +got):\n%s%v", diff, faults)
	}
	for name, broken := range map[string]int{"lost": 1, "round": 2, "mine": 0, "nosuch": 0} {
		if _, faults := r.Chain(name); len(faults) != broken {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

func TestWritableByAll(t *testing.T) {
	root := realPath(t.TempDir())
	mode := func(name string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(root+name, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(root+name, mode); err != nil {
			t.Fatal(err)
		}
	}
	mode("/own/bin", 0o755)
	mode("/open/bin", 0o755)
	mode("/open", 0o777)
	mode("/sticky/bin", 0o755)
	mode("/sticky", 0o777|os.ModeSticky)
	mode("/sticky2", 0o777|os.ModeSticky)
	for name, want := range map[string]bool{"/own/bin": false, "/own/none": false, "/open/bin": true, "/open": true, "/sticky/bin": false, "/sticky2": true} {
		if why := writableByAll(root + name); (why != "") != want {
			t.Errorf("%s: %q", name, why)
		}
	}
	if err := os.Symlink(root+"/own", root+"/link"); err != nil {
		t.Fatal(err)
	}
	dirs := []string{root + "/own/bin", root + "/open/bin", root + "/link/bin"}
	if got := Outside(dirs, root+"/own"); len(got) != 1 || got[0] != root+"/open/bin" {
		t.Errorf("outside of the workspace: %v", got)
	}
}
