package ruleset

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bashgate/bashgate/internal/schema"
	"github.com/pelletier/go-toml/v2"
)

// TestSchema holds the schema against the loader: it accepts every rule file
// that there is, and refuses what the loader refuses.
func TestSchema(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../rules/*.toml", "../../rules/packs/*.toml", "../../rules/profiles/*.toml"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 10 {
		t.Fatalf("only %d rule files", len(files))
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{
		"[[program]]\nname = \"x\"",
		"[[programs]]\nname = 3",
		"[[programs]]\nname = \"x\"\nreach = \"far\"",
		"[[programs.allow]]\notherwise = true",
		"[[programs.ask]]\nid = \"x\"",
		"[[programs.ask]]\nreason = \"x\"\neffects = [\"write\"]",
		"[[programs.options]]\nflags = [\"-x\"]",
		"[[programs.options]]\ncode = [\"-x\"]",
		"[[programs.options]]\nstyle = \"posix\"",
		"[[paths]]\nid = \"x\"",
		"[profile]\nstill_asks = \"allow\"",
	} {
		if validate(text) == nil {
			t.Errorf("the schema accepts %q", text)
		}
	}
}

func validate(text string) error {
	var values map[string]any
	if err := toml.Unmarshal([]byte(text), &values); err != nil {
		return err
	}
	return schema.Check(Schema(), values)
}
