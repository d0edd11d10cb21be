package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/ruleset"
)

func nothingKnown() ruleset.Known { return ruleset.Known{} }

func TestRules(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rules")
	unused := func() ruleset.Known { t.Error("asked for what is known without a file"); return ruleset.Known{} }
	if rules, err := Rules(dir, ruleset.User, unused); rules != nil || err != nil {
		t.Errorf("no directory: %v, %v", rules, err)
	}
	if rules, err := Rules("", ruleset.User, unused); rules != nil || err != nil {
		t.Errorf("no name: %v, %v", rules, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "sub.toml"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("note.txt", "no rules")
	if rules, err := Rules(dir, ruleset.User, unused); rules != nil || err != nil {
		t.Errorf("no files: %v, %v", rules, err)
	}
	write("b.toml", "[[programs]]\nname = \"shellcheck\"\nunknown_action = \"allow\"\n")
	rules, err := Rules(dir, ruleset.User, nothingKnown)
	if err != nil || rules == nil || len(rules.Gates) != 1 || rules.Gates[0].Programs[0].Name != "shellcheck" {
		t.Fatalf("one file: %v, %v", rules, err)
	}
	// A broken file does not take the others with it.
	write("a.toml", "[[programs]]\nname = \"prettier\"\nunknown = \"allow\"\n")
	if err := os.Symlink("nowhere", filepath.Join(dir, "c.toml")); err != nil {
		t.Fatal(err)
	}
	rules, err = Rules(dir, ruleset.User, nothingKnown)
	if rules == nil || len(rules.Gates) != 1 {
		t.Errorf("a broken file: %v", rules)
	}
	if err == nil || !strings.Contains(err.Error(), `a.toml:3:1: unknown key "unknown" in [[programs]]`) || !strings.Contains(err.Error(), "c.toml") {
		t.Errorf("a broken file: error %v", err)
	}
}

func TestDirectories(t *testing.T) {
	if got := UserRules(env("HOME=/home/u")); got != "/home/u/.config/bashgate/rules" {
		t.Errorf("user: %q", got)
	}
	if got := UserRules(env()); got != "" {
		t.Errorf("nobody: %q", got)
	}
	if got := ProjectRules("/w"); got != "/w/.bashgate/rules" {
		t.Errorf("project: %q", got)
	}
	if got := ProjectRules("w"); got != "" {
		t.Errorf("no project: %q", got)
	}
}
