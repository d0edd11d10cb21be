package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/race"
)

// TestInitAtTerminal answers what init asks as a person at a terminal does, and as
// others try to.
func TestInitAtTerminal(t *testing.T) {
	race.Sequential(t)
	bin := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, bin+"/bashgate"); err != nil {
		t.Fatal(err)
	}
	const history = "acme lint src/a.go\nacme lint src/a.go\nacme lint src/a.go\nacme lint src/a.go\nrm -rf /\n"
	for _, row := range []struct {
		name                            string
		preset, agents, start, yes      string // the answers, in this order; with a | between them, one after the other
		keep, word                      string
		env, args                       []string
		status                          int
		shows                           []string
		commit, lint                    string // what is decided about git commit and acme lint afterwards
		wired, asksPreset, asksNoAgents bool
	}{
		{name: "all of it", preset: "trusting", agents: "claude", start: "yes", yes: "yes", keep: "y", word: "WORD",
			shows: []string{"How careful shall bashgate be?\n  careful ", "Agents found here: claude\n", "+preset = \"trusting\"", "1 rule would leave 0 of 4 prompts", "bashgate replay shows"}, commit: "allow", lint: "allow", wired: true, asksPreset: true},
		{name: "what is usual", yes: "yes", shows: []string{"+preset = \"usual\""}, commit: "ask", lint: "ask", asksPreset: true},
		{name: "all agents", agents: "all", yes: "yes", commit: "ask", lint: "ask", wired: true, asksPreset: true},
		{name: "rules that are skipped", start: "y", yes: "yes", keep: "n", shows: []string{"no rule is written\n", "bashgate replay shows"}, commit: "ask", lint: "ask", asksPreset: true},
		{name: "another word", start: "yes", yes: "yes", keep: "y", word: "yes", status: 1, commit: "ask", lint: "ask", asksPreset: true},
		{name: "what a flag says is not asked", preset: "not asked", agents: "not asked", start: "no", yes: "yes", args: []string{"--preset", "trusting", "--agents", "claude"}, commit: "allow", lint: "ask", wired: true, asksNoAgents: true},
		{name: "no", preset: "trusting", agents: "claude", start: "yes", yes: "no", status: 1, shows: []string{"nothing is written"}, commit: "ask", lint: "ask", asksPreset: true},
		{name: "another preset", preset: "lax", status: 2, shows: []string{"no preset is called lax: one of careful, trusting, usual\n", "error: no preset is called lax"}, commit: "ask", lint: "ask", asksPreset: true},
		{name: "another agent", agents: "nosuch", status: 2, shows: []string{`"nosuch" is no agent`}, commit: "ask", lint: "ask", asksPreset: true},
		{name: "one slip", preset: "trustng|trusting", agents: "clade|claude", start: "no", yes: "yes", shows: []string{"no preset is called trustng: did you mean \"trusting\"?\n", "\"clade\" is no agent"}, commit: "allow", lint: "ask", wired: true, asksPreset: true},
		{name: "an agent's terminal", preset: "trusting", yes: "yes", env: []string{"CLAUDECODE=1"}, status: 2, shows: []string{"an agent can't set bashgate up"}, commit: "ask", lint: "ask", asksNoAgents: true},
	} {
		p := newPerson(t)
		putFile(t, p.home+"/.claude/settings.json", "{}\n")
		putFile(t, p.home+"/.bash_history", history)
		asked := map[string]int{}
		status, shown := conversing(t, p.home, p.project, append(row.env, "PATH="+bin), func(question string) string {
			for _, q := range []struct{ begins, answer string }{
				{"Type one of them", row.preset}, {"Which of them shall ask", row.agents}, {"Each is shown, and you keep", row.start}, {"Write that? Type yes", row.yes}, {"Keep it?", row.keep},
			} {
				if strings.HasPrefix(question, q.begins) {
					answers := strings.Split(q.answer, "|")
					answer := answers[min(asked[q.begins], len(answers)-1)]
					asked[q.begins]++
					return answer + "\n"
				}
			}
			word, _, _ := strings.Cut(strings.TrimPrefix(question, "Type "), " ")
			return strings.ReplaceAll(row.word, "WORD", word) + "\n"
		}, append([]string{"init"}, row.args...)...)
		if status != row.status {
			t.Errorf("%s: status %d, shows\n%s", row.name, status, shown)
		}
		for _, part := range row.shows {
			if !strings.Contains(shown, part) {
				t.Errorf("%s: no %q in\n%s", row.name, part, shown)
			}
		}
		if (asked["Type one of them"] > 0) != row.asksPreset || row.asksNoAgents && asked["Which of them shall ask"] > 0 {
			t.Errorf("%s: asked %v", row.name, asked)
		}
		if commit, lint := p.decides("git commit -m x"), p.decides("acme lint src/a.go"); commit != row.commit || lint != row.lint {
			t.Errorf("%s: %s and %s after, want %s and %s", row.name, commit, lint, row.commit, row.lint)
		}
		if d := p.decides("rm -rf /"); d != "block" {
			t.Errorf("%s: rm -rf /: %s", row.name, d)
		}
		text, err := os.ReadFile(p.home + "/.claude/settings.json")
		if err != nil {
			t.Fatal(err)
		}
		if wired := strings.Contains(string(text), "bashgate hook claude"); wired != row.wired {
			t.Errorf("%s: the agent's settings are %s", row.name, text)
		}
		if _, err := os.Stat(p.home + "/.config/bashgate/config.toml"); (err == nil) != (row.yes == "yes" && row.env == nil) {
			t.Errorf("%s: config.toml: %v", row.name, err)
		}
	}
}
