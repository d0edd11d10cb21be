package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// An engine that can't read a file goes on without it, mostly without a word.
// The checks say beforehand what it would drop.

func fault(file string, line int, hint, format string, args ...any) error {
	text := fmt.Sprintf("%s:%d:1: %s", file, line, fmt.Sprintf(format, args...))
	if hint != "" {
		text += "\nhint: " + hint
	}
	return fmt.Errorf("%s", text)
}

// checkGemini reads the TOML that an export writes: tables of rules with one
// line a key. Gemini drops a whole file for one priority out of range, and
// single rules for a pattern that it takes for a slow one.
func checkGemini(text []byte, file string) error {
	rules, last := 0, false
	var rule map[string]string
	end := func(line int) error {
		if rule == nil {
			return nil
		}
		for _, key := range [...]string{"toolName", "decision", "priority"} {
			if rule[key] == "" {
				return fault(file, line, "", "a rule has no %q", key)
			}
		}
		if p, err := strconv.Atoi(rule["priority"]); err != nil || p < 0 || p > 999 {
			return fault(file, line, "Gemini drops the whole file for it", "the priority %s is not from 0 to 999", rule["priority"])
		}
		switch rule["decision"] {
		case `"allow"`, `"ask_user"`, `"deny"`:
		default:
			return fault(file, line, "", "the decision %s is not one of allow, ask_user and deny", rule["decision"])
		}
		if rule["commandPrefix"] == `""` {
			return fault(file, line, "", "an empty prefix matches every command")
		}
		pattern := strings.Trim(rule["argsPattern"], "'")
		if len(pattern) > geminiPattern {
			return fault(file, line, "Gemini drops such rules", "a pattern of %d characters, and %d are the limit", len(pattern), geminiPattern)
		}
		if looksNested(pattern) {
			return fault(file, line, "Gemini drops such rules", "a repeated group with something repeated in it")
		}
		last = last || pattern == `"command":` && rule["priority"] == strconv.Itoa(priorityRest)
		rules++
		return nil
	}
	for i, line := range strings.Split(string(text), "\n") {
		switch key, value, ok := strings.Cut(line, " = "); {
		case line == "" || line[0] == '#':
		case line == "[[rule]]":
			if err := end(i); err != nil {
				return err
			}
			rule = map[string]string{}
		case !ok || rule == nil:
			return fault(file, i+1, "", "not what an export writes: %q", line)
		case strings.HasPrefix(value, "'") && (len(value) < 2 || strings.Count(value, "'") != 2 || !strings.HasSuffix(value, "'")):
			return fault(file, i+1, "", "a text does not end where it should")
		default:
			rule[key] = value
		}
	}
	if err := end(strings.Count(string(text), "\n")); err != nil {
		return err
	}
	switch {
	case rules == 0:
		return fault(file, 1, "a misspelled table is ignored without a word", "no rule")
	case !last:
		return fault(file, 1, "without it Gemini's own list of safe commands decides", "the rule for everything else is missing")
	}
	return nil
}

// looksNested is Gemini's test of patterns, /\([^)]*[*+?{].*\)[*+?{]/.
func looksNested(pattern string) bool {
	const repeat = "*+?{"
	end := -1 // the last closed group that is repeated
	for i := len(pattern) - 2; i >= 0 && end < 0; i-- {
		if pattern[i] == ')' && strings.IndexByte(repeat, pattern[i+1]) >= 0 {
			end = i
		}
	}
	open := false
	for i := 0; i < end; i++ {
		switch c := pattern[i]; {
		case c == '(':
			open = true
		case c == ')':
			open = false
		case open && strings.IndexByte(repeat, c) >= 0:
			return true
		}
	}
	return false
}

// checkCodex reads rules of one line each. One that Codex can't read leaves it
// without any.
func checkCodex(text []byte, file string) error {
	rules := 0
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "" || line[0] == '#':
			continue
		case !strings.HasPrefix(line, "prefix_rule(pattern = [") && !strings.HasPrefix(line, "host_executable(name = ") || !strings.HasSuffix(line, ")"):
			return fault(file, i+1, "Codex drops all rules for it", "not what an export writes: %q", line)
		case strings.Contains(line, "pattern = []"):
			return fault(file, i+1, "", "an empty pattern")
		case strings.Contains(line, `justification = ""`):
			return fault(file, i+1, "", "an empty justification")
		case strings.HasPrefix(line, "prefix_rule") && !strings.Contains(line, "decision = "):
			return fault(file, i+1, "", "a rule without a decision allows")
		}
		rules++
	}
	if rules == 0 {
		return fault(file, 1, "", "no rule")
	}
	return nil
}

// document reads JSON with comments.
func document(text []byte, file string) (*hujson.Object, error) {
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "hujson: "))
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, fault(file, 1, "", "not an object")
	}
	return object, nil
}

// at returns the value at a path of keys, or nil.
func at(object *hujson.Object, path ...string) *hujson.Value {
	for i, key := range path {
		var found *hujson.Value
		for k := range object.Members {
			if packed(object.Members[k].Name) == quoteJSON(key) {
				found = &object.Members[k].Value
			}
		}
		if found == nil || i == len(path)-1 {
			return found
		}
		next, ok := found.Value.(*hujson.Object)
		if !ok {
			return nil
		}
		object = next
	}
	return nil
}

// checkClaude checks the lists, and the size.
func checkClaude(text []byte, file string) error {
	if len(text) > claudeLimit {
		return fault(file, 1, "Claude Code does not start with it", "%d bytes, and %d are the limit", len(text), claudeLimit)
	}
	return checkLists([]string{"permissions"}, "Bash(", ")")(text, file)
}

// checkLists checks a file whose rules are lists of texts below a path.
func checkLists(path []string, before, after string) func([]byte, string) error {
	return func(text []byte, file string) error {
		object, err := document(text, file)
		if err != nil {
			return err
		}
		if path != nil {
			v := at(object, path...)
			if v == nil {
				return fault(file, 1, "", "%q is missing", strings.Join(path, "."))
			}
			inner, ok := v.Value.(*hujson.Object)
			if !ok {
				return fault(file, 1, "", "%q is not an object", strings.Join(path, "."))
			}
			object = inner
		}
		count := 0
		for _, m := range object.Members {
			list, ok := m.Value.Value.(*hujson.Array)
			if !ok {
				continue
			}
			for _, v := range list.Elements {
				entry, ok := v.Value.(hujson.Literal)
				if !ok {
					return fault(file, 1, "", "%s holds something else than texts", packed(m.Name))
				}
				if s := entry.String(); s == "" || s == before+after || s == before+":*"+after {
					return fault(file, 1, "", "%s holds an empty rule, which means everything", packed(m.Name))
				}
				count++
			}
		}
		if count == 0 {
			return fault(file, 1, "", "no rule")
		}
		return nil
	}
}

// checkOpencode checks that all else is asked about. The last member that
// matches decides, so that allows before that have no effect.
func checkOpencode(text []byte, file string) error {
	object, err := document(text, file)
	if err != nil {
		return err
	}
	bash, ok := objectAt(object, "permission", "bash")
	if !ok {
		return fault(file, 1, "", `"permission.bash" is missing`)
	}
	asks := false
	for _, m := range bash.Members {
		switch value := packed(m.Value); {
		case value != `"allow"` && value != `"ask"` && value != `"deny"`:
			return fault(file, 1, "", "%s is %s", packed(m.Name), value)
		case packed(m.Name) == `"*"`:
			asks = value == `"ask"`
		}
	}
	if !asks {
		return fault(file, 1, "opencode allows what no rule matches", `"*": "ask"`+" is missing")
	}
	return nil
}

func objectAt(object *hujson.Object, path ...string) (*hujson.Object, bool) {
	v := at(object, path...)
	if v == nil {
		return nil, false
	}
	o, ok := v.Value.(*hujson.Object)
	return o, ok
}

func arrayAt(object *hujson.Object, path ...string) (*hujson.Array, bool) {
	v := at(object, path...)
	if v == nil {
		return nil, false
	}
	a, ok := v.Value.(*hujson.Array)
	return a, ok
}

// checkAmp checks that nothing is left to Amp's own list.
func checkAmp(text []byte, file string) error {
	object, err := document(text, file)
	if err != nil {
		return err
	}
	list, ok := arrayAt(object, "amp.permissions")
	if !ok || len(list.Elements) == 0 {
		return fault(file, 1, "", `"amp.permissions" is missing`)
	}
	for _, v := range list.Elements {
		o, ok := v.Value.(*hujson.Object)
		if !ok {
			return fault(file, 1, "", "an entry is not an object")
		}
		if at(o, "matches") == nil && at(o, "action") != nil && packed(*at(o, "action")) == `"ask"` {
			return nil
		}
	}
	return fault(file, 1, "Amp's own list behind it allows much", "no entry asks about everything else")
}

// checkZed checks the default and that there are patterns.
func checkZed(text []byte, file string) error {
	object, err := document(text, file)
	if err != nil {
		return err
	}
	terminal, ok := objectAt(object, "agent", "tool_permissions", "tools", "terminal")
	if !ok {
		return fault(file, 1, "", "the terminal has no permissions")
	}
	if v := at(terminal, "default"); v == nil || packed(*v) != `"confirm"` {
		return fault(file, 1, "", "the default is not to confirm")
	}
	for _, key := range [...]string{"always_deny", "always_confirm"} {
		list, ok := arrayAt(terminal, key)
		if !ok || len(list.Elements) == 0 {
			return fault(file, 1, "", "%s is missing", key)
		}
	}
	return nil
}

// checkVSCode checks that patterns are about whole lines.
func checkVSCode(text []byte, file string) error {
	object, err := document(text, file)
	if err != nil {
		return err
	}
	rules, ok := objectAt(object, "chat.tools.terminal.autoApprove")
	if !ok || len(rules.Members) == 0 {
		return fault(file, 1, "", "no rule")
	}
	if v := at(object, "chat.tools.terminal.ignoreDefaultAutoApproveRules"); v == nil || packed(*v) != "true" {
		return fault(file, 1, "", "VS Code's own rules are in force too")
	}
	if v := at(object, "chat.tools.terminal.autoApproveWorkspaceNpmScripts"); v == nil || packed(*v) != "false" {
		return fault(file, 1, "", "VS Code runs the project's npm scripts unasked")
	}
	for _, m := range rules.Members {
		name := packed(m.Name)
		if strings.Contains(packed(m.Value), `"approve": true`) && (!strings.HasPrefix(name, `"/^`) || !strings.HasSuffix(name, `$/"`)) {
			return fault(file, 1, "", "an approval of something else than a whole line: %s", name)
		}
	}
	return nil
}

// checkCopilot checks a script of flags.
func checkCopilot(text []byte, file string) error {
	rules := 0
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "", line[0] == '#', line == `exec copilot \`, line == `  "$@"`:
		case strings.HasPrefix(line, "  --deny-tool 'shell(") && strings.HasSuffix(line, `)' \`) && strings.Count(line, "'") == 2:
			rules++
		default:
			return fault(file, i+1, "", "not what an export writes: %q", line)
		}
	}
	if rules == 0 {
		return fault(file, 1, "", "no rule")
	}
	return nil
}

// checkDroid checks what drops all of droid's rules.
func checkDroid(text []byte, file string) error {
	object, err := document(text, file)
	if err != nil {
		return err
	}
	if v := at(object, "permissionRules", "version"); v == nil || packed(*v) != "1" {
		return fault(file, 1, "droid drops all rules for it", "the version of permissionRules is not 1")
	}
	rules, ok := arrayAt(object, "permissionRules", "rules")
	if !ok || len(rules.Elements) == 0 {
		return fault(file, 1, "", "no rule")
	}
	seen := map[string]bool{}
	for _, v := range rules.Elements {
		rule, ok := v.Value.(*hujson.Object)
		if !ok || at(rule, "id") == nil {
			return fault(file, 1, "", "a rule without an id: %s", packed(v))
		}
		id := packed(*at(rule, "id"))
		if seen[id] {
			return fault(file, 1, "droid drops all rules for it", "two rules are called %s", id)
		}
		seen[id] = true
	}
	return nil
}
