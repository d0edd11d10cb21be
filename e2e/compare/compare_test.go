package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain is a gate, too, when a test starts this program as one.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "gate" {
		os.Exit(fakeGate(os.Args[2]))
	}
	os.Exit(m.Run())
}

// fakeGate reads an event as a hook does, keeps the names of those it was told in
// a file, and says or does what the command is.
func fakeGate(told string) int {
	var e struct {
		Name    string `json:"hook_event_name"`
		Session string `json:"session_id"`
		Cwd     string
		Tool    string                   `json:"tool_name"`
		Given   struct{ Command string } `json:"tool_input"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&e); err != nil || e.Session == "" || !filepath.IsAbs(e.Cwd) {
		return 3
	}
	f, err := os.OpenFile(told, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 3
	}
	defer f.Close()
	fmt.Fprintln(f, e.Name, e.Tool)
	switch word := e.Given.Command; word {
	case "allow", "ask", "deny":
		fmt.Printf(`{"hookSpecificOutput":{"hookEventName":%q,"permissionDecision":%q}}`, e.Name, word)
	case "no":
		fmt.Fprintln(os.Stderr, "no")
		return 2
	case "crash":
		return 1
	}
	return 0
}

// What a gate's process leaves becomes what an agent makes of it.
func TestAsk(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	told := filepath.Join(dir, "told")
	b := &bed{dir: dir, node: filepath.Join(dir, "node")}
	s := &site{gate: gate{name: "fake", event: beforeUse, begins: true}, home: dir, project: dir, hook: []string{self, "gate", told}}
	answers, err := b.askAll(s, []string{"allow", "ask", "deny", "no", "", "crash"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []outcome{allowed, asked, blocked, blocked, silent, failed}; !slices.Equal(answers, want) {
		t.Errorf("got %v, and it should be %v", answers, want)
	}
	data, err := os.ReadFile(told)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat("SessionStart \nPreToolUse Bash\n", 6); string(data) != want {
		t.Errorf("the gate was told\n%s", data)
	}
}

func TestMeaning(t *testing.T) {
	hook, dialog, slow := gate{event: beforeUse}, gate{event: onDialog}, gate{event: onDialog, waits: true}
	for _, test := range [...]struct {
		gate   *gate
		status int
		text   string
		want   outcome
	}{
		{&hook, 0, "", silent},
		{&hook, 0, "{}", silent},
		{&hook, 0, "looks fine", silent},
		{&hook, 0, `{"decision":"approve"}`, allowed},
		{&hook, 0, `{"decision":"block"}`, blocked},
		{&hook, 0, `{"hookSpecificOutput":{"permissionDecision":"defer"}}`, silent},
		{&hook, 2, `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, blocked}, // the status counts
		{&hook, 1, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, failed},
		{&dialog, 0, "", asked},
		{&dialog, 0, `{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}`, allowed},
		{&dialog, 0, `{"hookSpecificOutput":{"decision":{"behavior":"deny"}}}`, blocked},
		{&slow, 0, `{"hookSpecificOutput":{"decision":{"behavior":"deny"}}}`, asked},
	} {
		if got := test.gate.meaning(test.status, test.text); got != test.want {
			t.Errorf("%s, %d, %q: got %v, and it should be %v", test.gate.event, test.status, test.text, got, test.want)
		}
	}
}

func TestLists(t *testing.T) {
	t.Chdir("../..")
	lists, err := readLists(nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(lists) != 3 {
		t.Fatalf("%d lists", len(lists))
	}
	for i, want := range []kind{harmful, harmless, recorded} {
		l := lists[i]
		if l.kind != want || len(l.rows) != 10 || l.total <= 10 || l.title == "" || l.source == "" {
			t.Errorf("%q: kind %v, %d of %d rows, source %q", l.title, l.kind, len(l.rows), l.total, l.source)
		}
	}
	if got := spread([]string{"a", "b", "c", "d", "e"}, 2); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("two of five are %q", got)
	}
}

// Each gate is pinned, and the page has what is said here of each.
func TestPage(t *testing.T) {
	b := &bed{packages: "packages"}
	for _, g := range gates {
		if version, err := b.version(g.pack); err != nil || version == "" {
			t.Errorf("%s: version %q, %v", g.name, version, err)
		}
	}
	page, err := os.ReadFile("../../docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	r := &report{date: "2026-01-02", lists: []list{{title: "Some", kind: harmful, total: 300, rows: []string{"a", "b"}, source: "From nowhere."}}}
	for i := range gates {
		r.gates = append(r.gates, &site{gate: gates[i], version: "1"})
		r.lists[0].answers = append(r.lists[0].answers, []outcome{blocked, failed})
		r.shown = append(r.shown, make([]outcome, len(shown)))
	}
	text, err := between(string(page), r.text())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**Some**, 2 of 300 lines", "| bashgate | 0 % | 50 % (1 failed) | 0 % | 50 % |", "Run on 2026-01-02"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not once in\n%s", want, text)
		}
	}
	if again, err := between(text, r.text()); err != nil || again != text {
		t.Errorf("written twice, the page changes: %v", err)
	}
	if _, err := between("nothing", ""); err == nil {
		t.Error("a page without a place for it has been written")
	}
	for _, g := range gates {
		if !strings.Contains(text, "| "+g.name+" |") || !strings.Contains(string(page), "["+g.name+"]") {
			t.Errorf("%s is not on the page, or has no link", g.name)
		}
	}
}
