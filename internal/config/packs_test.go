package config

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/ruleset"
)

const teamPack = "[[programs]]\nname = \"acme\"\n[[programs.block]]\nreason = \"Not here\"\n"

// Packs of a team are found by their names, and what is wrong with them or with
// their directories asks about everything.
func TestSharedPacks(t *testing.T) {
	const user, managed = "home/.config/bashgate/config.toml", "etc/config.toml"
	for _, row := range []struct {
		name      string
		files     map[string]string
		workspace string
		packs     []string // those in force
		faults    []string // parts of them
	}{
		{name: "one that is on", packs: []string{"team"}, files: map[string]string{
			user: "packs = [\"team\"]\npacks_dir = [\"~/packs\"]\n", "home/packs/team.toml": teamPack, "home/packs/other.toml": "broken",
		}},
		{name: "none is on", files: map[string]string{
			user: "packs = [\"guard-git\"]\npacks_dir = [\"~/packs\", \"~/nosuch\"]\n", "home/packs/team.toml": "broken",
		}},
		{name: "a broken one", packs: []string{"team"}, faults: []string{`team.toml:5:1: unknown key "more"`}, files: map[string]string{
			user: "packs = [\"team\"]\npacks_dir = [\"~/packs\"]\n", "home/packs/team.toml": teamPack + "more = 1\n",
		}},
		{name: "a directory that is missing", faults: []string{"config.toml:1:10: no rule pack is called team, and open ", "no such file"}, files: map[string]string{
			user: "packs = [\"team\"]\npacks_dir = [\"~/packs\"]\n",
		}},
		{name: "a directory in the workspace", workspace: "home", faults: []string{"config.toml:2:14: ", "lies in the workspace"}, files: map[string]string{
			user: "packs = [\"team\"]\npacks_dir = [\"~/packs\"]\n", "home/packs/team.toml": teamPack,
		}},
		{name: "a directory that is relative", faults: []string{"config.toml:1:10: no rule pack is called team", "packs_dir needs absolute paths"}, files: map[string]string{
			user: "packs = [\"team\"]\npacks_dir = [\"packs\"]\n",
		}},
		{name: "two of one name", packs: []string{"team", "team"}, faults: []string{"b/team.toml:1:1: there are two packs team: the other is "}, files: map[string]string{
			user: "packs = [\"team\"]\npacks_dir = [\"~/a\", \"~/b\"]\n", "home/a/team.toml": teamPack, "home/b/team.toml": teamPack,
		}},
		{name: "a built-in one's name", faults: []string{"guard-git.toml:1:1: a built-in pack is called guard-git"}, files: map[string]string{
			user: "packs = [\"guard-git\"]\npacks_dir = [\"~/packs\"]\n", "home/packs/guard-git.toml": teamPack,
		}},
		{name: "the administrator's, chosen by the user", packs: []string{"team"}, files: map[string]string{
			user: "packs = [\"team\"]\n", managed: "packs_dir = [\"ROOT/packs\"]\n", "packs/team.toml": teamPack,
		}},
		{name: "the user's, chosen by the administrator", packs: []string{}, faults: []string{"etc/config.toml:1:10: no rule pack is called team"}, files: map[string]string{
			user: "packs_dir = [\"~/packs\"]\n", managed: "packs = [\"team\"]\n", "home/packs/team.toml": teamPack,
		}},
		{name: "the administrator's, and one of the user's before it", packs: []string{"team", "team"}, faults: []string{"home/packs/team.toml:1:1: there are two packs team"}, files: map[string]string{
			user: "packs_dir = [\"~/packs\"]\n", managed: "packs = [\"team\"]\npacks_dir = [\"ROOT/packs\"]\n", "home/packs/team.toml": "", "packs/team.toml": teamPack,
		}},
	} {
		s, root := setup(t, row.files)
		for name, text := range row.files { // once more, for those that name the root
			write(t, root+"/"+name, strings.ReplaceAll(text, "ROOT", root))
		}
		s = Load(s.Places, s.names)
		workspace := root + "/w"
		if row.workspace != "" {
			workspace = root + "/" + row.workspace
		}
		packs, left := s.SharedPacks(s.Packs, workspace, func() ruleset.Known { return ruleset.Known{} })
		var names []string
		for i := range packs.Files {
			names = append(names, packs.Files[i].Base())
		}
		if !slices.Equal(names, row.packs) {
			t.Errorf("%s: %q in force, want %q", row.name, names, row.packs)
		}
		for _, name := range left {
			if name != "guard-git" {
				t.Errorf("%s: %s is left", row.name, name)
			}
		}
		var wrong strings.Builder
		all := false
		for _, fault := range append(s.Faults(), packs.Faults()...) {
			wrong.WriteString(fault.Err.Error() + "\n")
			all = all || fault.Scope.All || fault.Scope.Programs != nil
		}
		for _, part := range row.faults {
			if !strings.Contains(wrong.String(), part) {
				t.Errorf("%s: no %q in\n%s", row.name, part, &wrong)
			}
		}
		if (len(row.faults) > 0) != (wrong.Len() > 0) || all != (wrong.Len() > 0) {
			t.Errorf("%s: wrong is\n%s", row.name, &wrong)
		}
	}
}

// Where all packs are built in, nothing is read, and a directory that anybody may
// write to does not count.
func TestPacksDirs(t *testing.T) {
	known := func() ruleset.Known { t.Error("rules are compiled"); return ruleset.Known{} }
	s, root := setup(t, map[string]string{"home/.config/bashgate/config.toml": "packs = [\"guard-git\"]\npacks_dir = [\"~/packs\"]\n", "home/packs/team.toml": teamPack})
	if packs, left := s.SharedPacks(s.Packs, "/w", known); len(packs.Files)+len(packs.Faults()) > 0 || !slices.Equal(left, []string{"guard-git"}) {
		t.Errorf("%v, %v, %q", packs.Files, packs.Faults(), left)
	}
	if names, missing := s.PackNames(); !slices.Equal(names, []string{"team"}) || missing != nil {
		t.Errorf("%q, %v", names, missing)
	}
	if err := os.Chmod(root+"/home/packs", 0o777); err != nil {
		t.Fatal(err)
	}
	s = Load(s.Places, s.names)
	if packs, left := s.SharedPacks([]string{"team"}, "/w", known); len(packs.Files) > 0 || len(left) != 1 {
		t.Errorf("a directory for everybody: %v, %q", packs.Files, left)
	}
	if faults := s.Faults(); len(faults) != 1 || !strings.Contains(faults[0].Err.Error(), "config.toml:2:14: anybody could put a pack there: ") {
		t.Errorf("a directory for everybody: %v", faults)
	}
	// A project names none.
	write(t, root+"/p/.bashgate/config.toml", "packs_dir = [\"/x\"]\n")
	if p := s.Project([]string{root + "/p"}, known); len(p.Files[0].Inert) != 1 || len(s.packsDirs) != 0 {
		t.Errorf("a project's: %v, %v", p.Files[0].Inert, s.packsDirs)
	}
}
