package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/host"
)

// questions are lines for check --json that between them use all that it
// reads, and are answered with all that it writes.
var questions = []string{
	`{"command":"git push --force","cwd":"/srv/p","workspace":"/srv/p","mode":"default","shell":"bash","attended":true}`,
	`{"command":"rm -rf /","profile":"strict","packs":["guard-git"],"denied_commands":["nc"],"allowed_dirs":["/srv"]}`,
	`{"command":"ls","taint":{"corruption":2,"secret":1,"damaged":false},"cop":"clear"}`,
	`{}`,
}

// promises lists what programs may rely on, a line each: docs/stability.md.
func promises(t *testing.T) []string {
	t.Helper()
	lines := map[string]bool{}
	run := func(stdin string, args ...string) (string, int) {
		c := exec.Command("bashgate", args...)
		home := t.TempDir()
		c.Dir, c.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		c.Stdin = strings.NewReader(stdin)
		out, _ := c.Output()
		return string(out), c.ProcessState.ExitCode()
	}

	out, _ := run("", "rules", "ids")
	for id := range strings.FieldsSeq(out) {
		// A number counts the rules of a table that have no name.
		if _, err := strconv.Atoi(id[strings.LastIndex(id, ".")+1:]); err != nil {
			lines["rule "+id] = true
		}
	}
	for _, h := range host.All() {
		lines["hook "+h.Name] = true
	}

	for _, command := range []string{"git status", "git push", "rm -rf /"} {
		out, status := run("", "check", command)
		lines["status check "+strings.Fields(out)[0]+" "+strconv.Itoa(status)] = true
	}
	_, status := run("", "check", "--no-such-flag")
	lines["status usage "+strconv.Itoa(status)] = true

	for _, question := range questions {
		keysIn(t, question, "check --json reads ", lines)
		out, _ := run(question+"\n", "check", "--json")
		if strings.Contains(out, `"error"`) != (question == "{}") {
			t.Errorf("%s is answered %s", question, out)
		}
		keysIn(t, out, "check --json writes ", lines)
	}
	out, _ = run("", "version", "--json")
	keysIn(t, out, "version --json writes ", lines)

	var schema any
	text, err := os.ReadFile("../../docs/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	settingsIn(schema, "config", lines)

	exported, _ := surface(t)
	for _, line := range exported {
		lines["go "+line] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// keysIn adds the keys of a JSON text, those of objects in it behind a dot.
func keysIn(t *testing.T, text, above string, lines map[string]bool) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var walk func(any, string)
	walk = func(value any, above string) {
		switch v := value.(type) {
		case map[string]any:
			for key, value := range v {
				lines[above+key] = true
				walk(value, above+key+".")
			}
		case []any:
			for _, value := range v {
				walk(value, above)
			}
		}
	}
	walk(value, above)
}

// settingsIn adds the keys that a schema knows.
func settingsIn(schema any, above string, lines map[string]bool) {
	object, _ := schema.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	for key, value := range properties {
		name := above + map[bool]string{true: " ", false: "."}[above == "config"] + key
		lines[name] = true
		settingsIn(value, name, lines)
	}
	if items, ok := object["items"]; ok {
		settingsIn(items, above, lines)
	}
}

// broken are the promises of an earlier list that a later one lacks.
func broken(earlier, later []string) []string {
	return slices.DeleteFunc(slices.Clone(earlier), func(line string) bool { return slices.Contains(later, line) })
}

// TestStable holds that docs/stable.txt is what is so today, and that nothing
// is missing there of what an earlier release of the same major version has
// promised; go test ./cmd/bashgate -run Stable -update writes it.
func TestStable(t *testing.T) {
	const page = "../../docs/stable.txt"
	today := promises(t)
	text := strings.Join(today, "\n") + "\n"
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != text {
		t.Errorf("%s is not what is so: run the test with -update, and read what it takes away (%v)", page, err)
	}

	lists, err := filepath.Glob("../../internal/release/testdata/stable_v*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		earlier, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range broken(strings.Split(strings.TrimSpace(string(earlier)), "\n"), today) {
			t.Errorf("%s: %q is gone\nhint: keep it beside the new one, or release a new major version and delete the lists of the old one", filepath.Base(list), line)
		}
	}
	if len(lists) == 0 {
		t.Log("NOT COMPARED: nothing is released yet, so that nothing is promised")
	}
	if got := broken([]string{"rule a.b", "rule c.d"}, []string{"rule a.b", "rule a.c"}); !slices.Equal(got, []string{"rule c.d"}) {
		t.Errorf("a renamed rule breaks %q", got)
	}
}
