package export

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/race"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// denier tells whether a target's file denies a line: a model of the target's
// engine, for lines of plain words.
type denier func(line string) bool

// anyOf denies what one of some patterns matches.
func anyOf(t *testing.T, patterns []string) denier {
	t.Helper()
	var compiled []*regexp.Regexp
	for _, p := range patterns {
		// What no engine of this language but Amp's knows stands for the ends
		// of the text.
		p = strings.NewReplacer(`(?<![\s\S])`, `\A`, `(?![\s\S])`, `\z`).Replace(p)
		re, err := regexp.Compile(p)
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		compiled = append(compiled, re)
	}
	return func(line string) bool {
		return slices.ContainsFunc(compiled, func(re *regexp.Regexp) bool { return re.MatchString(line) })
	}
}

// globbed denies what one of some globs matches that know one star. A star
// behind a last blank may be nothing, with its blank.
func globbed(t *testing.T, globs []string, prefix bool) denier {
	t.Helper()
	byName := map[string][]string{}
	for _, g := range globs {
		name, _, _ := strings.Cut(g, " ")
		end := `\z`
		if rest, ok := strings.CutSuffix(g, " *"); ok {
			g, end = rest, `(?: [\s\S]*)?\z`
		} else if prefix && !strings.Contains(g, "*") {
			end = `(?:\s|\z)`
		}
		byName[name] = append(byName[name], `\A`+strings.ReplaceAll(regexp.QuoteMeta(g), `\*`, `[\s\S]*`)+end)
	}
	compiled := map[string]denier{}
	for name, patterns := range byName {
		compiled[name] = anyOf(t, patterns)
	}
	return func(line string) bool {
		name, _, _ := strings.Cut(line, " ")
		denies, ok := compiled[name]
		return ok && denies(line)
	}
}

// between lists what stands between two texts, wherever it does.
func between(text, begin, end string) []string {
	var all []string
	for _, part := range strings.Split(text, begin)[1:] {
		inner, _, _ := strings.Cut(part, end)
		all = append(all, inner)
	}
	return all
}

// prefixed denies lines whose first words are those of a list.
func prefixed(starts []string) denier {
	known := map[string]bool{}
	for _, s := range starts {
		known[s] = true
	}
	return func(line string) bool {
		words := strings.Fields(line)
		for n := range words {
			if known[strings.Join(words[:n+1], " ")] {
				return true
			}
		}
		return false
	}
}

func newDenier(t *testing.T, target string, text []byte) denier {
	t.Helper()
	lists := func(path ...string) []string {
		var v any
		clean := regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAll(text, nil)
		if err := json.Unmarshal(clean, &v); err != nil {
			t.Fatalf("%s: %v", target, err)
		}
		for _, key := range path {
			v = v.(map[string]any)[key]
		}
		var all []string
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				switch e := e.(type) {
				case string:
					all = append(all, e)
				case map[string]any:
					if p, ok := e["pattern"].(string); ok {
						all = append(all, p)
					} else if m, ok := e["matches"].(map[string]any); ok && e["action"] == "reject" {
						all = append(all, strings.Trim(m["cmd"].(string), "/"))
					}
				}
			}
		case map[string]any:
			for key, e := range v {
				if m, ok := e.(map[string]any); ok && m["approve"] == false {
					all = append(all, strings.Trim(key, "/"))
				}
			}
		}
		return all
	}
	inside := func(list []string, before string) []string {
		var all []string
		for _, s := range list {
			if s = strings.TrimSuffix(strings.TrimPrefix(s, before+"("), ")"); !strings.HasPrefix(s, ": bashgate") {
				all = append(all, s)
			}
		}
		return all
	}
	switch target {
	case "gemini":
		var patterns []string
		for _, rule := range strings.Split(string(text), "[[rule]]") {
			if strings.Contains(rule, `decision = "deny"`) && strings.Contains(rule, "priority = 900") {
				patterns = append(patterns, between(rule, "argsPattern = '", "'\n")...)
			}
		}
		denies := anyOf(t, patterns)
		return func(line string) bool {
			quoted, _ := json.Marshal(line)
			return denies("{\x00\"command\":" + string(quoted) + "\x00}")
		}
	case "amp":
		return anyOf(t, lists("amp.permissions"))
	case "zed":
		return anyOf(t, lists("agent", "tool_permissions", "tools", "terminal", "always_deny"))
	case "vscode":
		return anyOf(t, lists("chat.tools.terminal.autoApprove"))
	case "claude":
		globs := inside(lists("permissions", "deny"), "Bash")
		for i, g := range globs {
			if start, ok := strings.CutSuffix(g, ":*"); ok {
				globs[i] = start + " *"
			}
		}
		return globbed(t, globs, false)
	case "qwen":
		return globbed(t, inside(lists("permissions", "deny"), "Bash"), true)
	case "opencode":
		var globs []string
		for _, m := range regexp.MustCompile(`(?m)^\s*("[^\n]*"): "deny"`).FindAllSubmatch(text, -1) {
			var g string
			if err := json.Unmarshal(m[1], &g); err != nil {
				t.Fatal(err)
			}
			globs = append(globs, g)
		}
		return globbed(t, globs, false)
	case "codex":
		var starts []string
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.Contains(line, `decision = "forbidden"`) {
				continue
			}
			var pattern []any
			if err := json.Unmarshal([]byte(between(line, "pattern = ", ", decision")[0]), &pattern); err != nil {
				t.Fatal(err)
			}
			starts = append(starts, spread(choices(pattern))...)
		}
		return prefixed(starts)
	case "droid":
		var starts []string
		for _, line := range strings.Split(string(text), "\n") {
			var rule struct {
				Decision string
				Match    struct{ Prefix []any }
			}
			if json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(line), ",")), &rule) == nil && rule.Decision == "block" {
				starts = append(starts, spread(choices(rule.Match.Prefix))...)
			}
		}
		return prefixed(starts)
	case "copilot":
		var starts []string
		exact := map[string]bool{}
		for _, entry := range between(string(text), "--deny-tool 'shell(", ")' ") {
			if start, ok := strings.CutSuffix(entry, ":*"); ok {
				starts = append(starts, start)
			} else {
				exact[entry] = true
			}
		}
		denies := prefixed(starts)
		return func(line string) bool { return exact[line] || denies(line) }
	case "cursor":
		return prefixed(inside(lists("permissions", "deny"), "Shell"))
	case "agy":
		return prefixed(inside(lists("permissions", "deny"), "command"))
	}
	t.Fatalf("%s has no model", target)
	return nil
}

// choices reads a pattern of words, each of which may be a list.
func choices(pattern []any) [][]string {
	var words [][]string
	for _, p := range pattern {
		switch p := p.(type) {
		case string:
			words = append(words, []string{p})
		case []any:
			var list []string
			for _, a := range p {
				list = append(list, a.(string))
			}
			words = append(words, list)
		}
	}
	return words
}

// exported are all targets' files of the built-in rules.
var exported = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{}
	for _, target := range Targets() {
		all[target.Name] = target.Export(useful(), Options{Version: "test"}).Text
	}
	return all
})

// ruleExamples lists the examples of the built-in rules: of blocks, and all.
func ruleExamples(t *testing.T) (blocks, all []string) {
	t.Helper()
	files, err := ruleset.LoadDir(os.DirFS("../.."), "rules", "rules/", ruleset.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for i := range f.Programs {
			p := &f.Programs[i]
			for d, rules := range [...][]ruleset.Rule{p.Allow, p.Ask, p.Block} {
				for k := range rules {
					for _, e := range rules[k].Examples {
						all = append(all, e.Value)
						if d == 2 {
							blocks = append(blocks, e.Value)
						}
					}
				}
			}
		}
	}
	return blocks, all
}

// blockedPlaces are lines that the tables of places block, which have no
// examples of their own.
var blockedPlaces = []string{
	"rm -rf /", "rm -r /usr", "rm -fr /etc", "rm -rf build /", "rm -rf /*", "rm -rf ~", "rm -rf /home", "rm --recursive --force /", "rmdir /opt", "shred -u /etc",
	"dd of=/dev/sda", "dd if=/dev/zero of=/dev/sda",
}

// TestBlocksDenied holds that each target denies what the rules block, but for
// the lines of testdata/not_denied.txt, which stand below their reasons.
func TestBlocksDenied(t *testing.T) {
	race.Sequential(t)
	s := builtIn()
	blocks, _ := ruleExamples(t)
	listed, err := os.ReadFile("testdata/not_denied.txt")
	if err != nil {
		t.Fatal(err)
	}
	excused := map[string]bool{}
	for _, line := range strings.Split(string(listed), "\n") {
		if targets, command, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			for _, target := range strings.Fields(targets) {
				excused[target+": "+command] = true
			}
		}
	}
	for _, target := range Targets() {
		denies := newDenier(t, target.Name, exported()[target.Name])
		for _, line := range append(blocks, blockedPlaces...) {
			key := target.Name + ": " + line
			switch denied := denies(line); {
			case s.Judge(line) != policy.Block:
				t.Errorf("%s is not blocked", line)
			case denied && excused[key]:
				t.Errorf("%s is denied now: delete it from testdata/not_denied.txt", key)
			case !denied && !excused[key]:
				t.Errorf("%s is not denied", key)
			}
			delete(excused, key)
		}
	}
	for key := range excused {
		t.Errorf("%s in testdata/not_denied.txt is no line that is blocked", key)
	}
}

// TestAskedIsNotAllowed holds that the judge allows no line that a denial takes for
// asked about by the program's table alone, and that a file which drops questions makes
// it ask the judge.
func TestAskedIsNotAllowed(t *testing.T) {
	s := builtIn()
	a, n := s.newAsker(), 0
	for _, g := range s.Gates {
		for _, p := range g.Programs() {
			if !slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.Decision == policy.Block }) {
				continue
			}
			lines := []string{p.Name, p.Name + " x", p.Name + " x y", p.Name + " --help", p.Name + " -Z x"}
			for i := range p.Levels {
				for k := range p.Levels[i].Options {
					for spelling := range strings.FieldsSeq(p.Levels[i].Options[k].Spellings) {
						start := strings.TrimSpace(p.Name + " " + p.Levels[i].Path)
						if plainOption(spelling) && plainWords(start) {
							lines = append(lines, start+" "+spelling, start+" "+spelling+" x y", start+" x "+spelling+" --help")
						}
					}
				}
			}
			for i, line := range lines {
				if i%3 > 0 && len(lines) > 300 || !a.asks(p, line) {
					continue
				}
				if n++; s.Judge(line) == policy.Allow {
					t.Errorf("%s is allowed", line)
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d lines", n)
	}
	for _, g := range []*match.Gate{
		{Overrides: []match.Override{{IDs: []string{"x"}}}}, {Paths: []match.PathRule{{Lifts: []string{"x"}}}}, {Hosts: []match.HostRule{{Lifts: []string{"x"}}}},
		{Env: []match.EnvRule{{Lifts: []string{"x"}}}}, {Own: []*match.Program{{Rules: []match.Rule{{Conditions: &match.Conditions{Bounds: &match.Bounds{Lifts: []string{"x"}}}}}}}},
	} {
		if (&Source{Gates: append(slices.Clone(s.Gates), g), Judge: s.Judge}).newAsker().plain {
			t.Errorf("%+v drops nothing", g)
		}
	}
	if !a.plain {
		t.Error("a built-in file drops something")
	}
}

// TestHarmlessNotDenied holds that no target denies what is allowed here: a
// denial can't be answered.
func TestHarmlessNotDenied(t *testing.T) {
	race.Sequential(t)
	s, rules := builtIn(), useful()
	_, lines := ruleExamples(t)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range rules.Forms {
		lines = append(lines, rules.Forms[i].Example(r))
	}
	lines = append(lines, "rmadison bash /etc", "rmadison -s stable /", "ncu -e 2", "ncdu -e /home")
	lines = slices.DeleteFunc(lines, func(line string) bool { return s.Judge(line) != policy.Allow })
	if len(lines) < 5000 {
		t.Errorf("only %d lines", len(lines))
	}
	for _, target := range Targets() {
		if target.Name == "vscode" {
			continue // it has no denials: what would be one is a question
		}
		denies := newDenier(t, target.Name, exported()[target.Name])
		wrong := 0
		for _, line := range lines {
			if denies(line) {
				if wrong++; wrong < 20 {
					t.Errorf("%s denies %s", target.Name, line)
				}
			}
		}
	}
}
