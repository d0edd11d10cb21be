package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/schema"
	"github.com/pelletier/go-toml/v2"
)

var known = Names{
	Packs: []string{"guard-git", "protect-main", "no-publish"}, Profiles: []string{"default", "strict", "allowlist", "denylist"}, Presets: []string{"careful", "usual", "trusting"},
	Preset: func(name string) (string, string) {
		if name == "usual" {
			return "profile = \"strict\"\n", ""
		}
		return "", ""
	},
}

// faulty says what the loader finds wrong with a file; "" = nothing.
func faulty(t *testing.T, text string) string {
	t.Helper()
	s := Setup{Places: Places{Getenv: env("HOME=/home/u"), System: "/etc/bashgate"}, names: known}
	var wrong []string
	for _, fault := range s.parse("/etc/bashgate/config.toml", []byte(text), Managed, "").Faults {
		wrong = append(wrong, fault.Err.Error())
	}
	return strings.Join(wrong, "\n")
}

func accepts(t *testing.T, text string) error {
	t.Helper()
	var values map[string]any
	if err := toml.Unmarshal([]byte(text), &values); err != nil {
		return err
	}
	return schema.Check(Schema(known), values)
}

// What the loader takes of what is shown as a config.toml anywhere, the schema
// takes.
func TestSchemaAccepts(t *testing.T) {
	keys := map[string]bool{}
	for _, k := range keysOf(reflect.TypeFor[written]()) {
		keys[k.key] = true
	}
	var texts []string
	add := func(pattern, from, to string) {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range strings.Split(string(file), from)[1:] {
				text, _, _ = strings.Cut(text, to)
				texts = append(texts, text)
			}
		}
	}
	add("../../docs/*.md", "```toml\n", "```")
	add("../../README.md", "```toml\n", "```")
	add("../../cmd/bashgate/testdata/script/*.txtar", "config.toml --\n", "\n-- ")
	seen, said := 0, map[string]bool{}
	for _, text := range texts {
		var values map[string]any
		if toml.Unmarshal([]byte(text), &values) != nil {
			continue
		}
		settings := len(values) > 0
		for key := range values {
			settings = settings && keys[key]
		}
		if !settings {
			continue // a rule file
		}
		if wrong := faulty(t, text); wrong != "" {
			continue
		}
		seen++
		for key := range values {
			said[key] = true
		}
		if err := accepts(t, text); err != nil {
			t.Errorf("the schema does not accept\n%s\n%v", text, err)
		}
	}
	if seen < 10 || len(said) < len(keys)/2 {
		t.Errorf("only %d files with the keys %v", seen, said)
	}
}

// What the schema refuses, the loader finds wrong; and both do what is plainly so.
func TestSchemaRefuses(t *testing.T) {
	for _, text := range []string{
		`frob = 1`, `preset = "lax"`, `packs = "guard-git"`, `profile = 3`, `denied_commands = [7]`, "packs = [\"guard-git\", \"\"]",
		"[hook]\nunknown = \"allow\"", "[hook]\nhint = 1", "[hooks]\nunknown = \"ask\"", "[pack.guard-git]\nuse = \"x\"",
		"[cop]\nwhen = \"always\"", "[cop]\nprovider = \"skynet\"", "[cop]\nper_day = 0", "[cop]\nper_session = 5001", "[cop]\nkey = \"sk\"",
		"[taint]\nfrom = 4", "[taint]\nfrom = 0", "[taint]\nfiles = \"drop\"", "[[checkers]]\ntimeout = 2", "[[checkers]]\ncommand = [\"/bin/x\"]\ntimeout = 9",
		"[audit]\nlog = true", "[audit]\nkeep = 0", "[audit]\ncommands = \"all\"", "[approvals]\nrequests = \"maybe\"", "[managed]\nallow_lifts = \"no\"",
		"[managed]\nprofiles = \"strict\"", "checkers = 1", "audit = \"on\"",
	} {
		if accepts(t, text) == nil {
			t.Errorf("the schema accepts %q", text)
		}
		if faulty(t, text) == "" {
			t.Errorf("the loader takes %q", text)
		}
	}
}

// Wrong words are told with those that fit, and with the one that was meant.
func TestWrongWords(t *testing.T) {
	for text, want := range map[string]string{
		`profile = "sctrict"`:            "config.toml:1:11: no profile is called sctrict|hint: did you mean \"strict\"?",
		`profile = "frob"`:               "config.toml:1:11: no profile is called frob|hint: one of default, strict, allowlist, denylist, or a file of your own: ",
		`preset = "carful"`:              "config.toml:1:10: no preset is called carful|hint: did you mean \"careful\"?",
		`packs = ["gard-git"]`:           "config.toml:1:10: no rule pack is called gard-git|hint: did you mean \"guard-git\"?",
		`preset = "lax"`:                 "config.toml:1:10: no preset is called lax|hint: one of careful, usual, trusting",
		`packs = ["no-publish", "gard"]`: "config.toml:1:24: no rule pack is called gard|hint: one of guard-git, protect-main, no-publish",
		"[hook]\nauto = \"deffer\"":      "config.toml:2:8: \"auto\" must be one of ask, defer, not deffer|hint: did you mean \"defer\"?",
		"[cop]\neffort = \"max\"":        "config.toml:2:10: \"effort\" must be one of none, minimal, low, medium, high, not max",
		"[managed]\nprofiles = [\"x\"]":  "config.toml:2:13: no profile is called x|hint: one of default, strict",
	} {
		got := faulty(t, text)
		for part := range strings.SplitSeq(want, "|") {
			if !strings.Contains(got, part) {
				t.Errorf("%q: %q does not say %q", text, got, part)
			}
		}
	}
}

// One mistake is one error, whatever it is made in: nothing is said of a value that
// nobody could read.
func TestOneMistakeOneError(t *testing.T) {
	texts := []string{
		"[cop]\nprovider = \"skynet\"", "[cop]\nprovider = \"recorded\"\nanswers = 3", "[cop]\nprovider = \"recorded\"\nanswers = \"here\"",
		"[cop]\nprovider = \"ollama\"\nmodel = 3\nendpoint = \"http://127.0.0.1:1\"", "[cop]\nprovider = \"ollama\"\nendpoint = 3", "[cop]\nprovider = \"recorded\"",
	}
	for _, k := range keysOf(reflect.TypeFor[written]()) {
		texts = append(texts, k.key+" = 1979-05-27")
		if k.table == nil {
			continue
		}
		for _, inner := range keysOf(k.table) {
			header, more := "["+k.key+"]", ""
			if k.key == "checkers" {
				if header = "[[checkers]]"; inner.key != "command" {
					more = "command = [\"/bin/x\"]"
				}
			}
			texts = append(texts, header+"\n"+inner.key+" = 1979-05-27\n"+more)
		}
	}
	if len(texts) < 45 {
		t.Errorf("only %d texts", len(texts))
	}
	for _, text := range texts {
		if got := faulty(t, text); strings.Count(got, "config.toml:") != 1 {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// Every key is told what it means.
func TestReference(t *testing.T) {
	text := Reference(known)
	for _, want := range []string{
		"| `preset` | `careful`, `usual`, `trusting` | none | how careful",
		"| `profile` | `default`, `strict`, `allowlist`, `denylist`, a name | `\"default\"` | ",
		"\n### `[pack.guard-git]`\n", "\n### `[[checkers]]`\n",
		"| `command` | a list of texts | none | the program's absolute path and its arguments; required |",
		"| `from` | a number from 1 to 3 | `2` | ", "| `allow_lifts` | `true`, `false` | `true` | ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the reference has no %q:\n%s", want, text)
		}
	}
}
