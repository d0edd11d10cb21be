package settings

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"github.com/tailscale/hujson"
)

// document is one file being read.
type document struct {
	*loader
	text  []byte
	file  string
	scope Scope
}

func (d *document) wrong(v hujson.Value, text string) {
	d.problem(d.file, 1+bytes.Count(d.text[:min(v.StartOffset, len(d.text))], []byte("\n")), text)
}

func (d *document) line(v hujson.Value) int {
	return 1 + bytes.Count(d.text[:v.StartOffset], []byte("\n"))
}

// each calls f for the members of an object. A name that is there twice is a
// problem: programs differ in which of the two they take.
func (d *document) each(v hujson.Value, what string, f func(name string, v hujson.Value)) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		d.wrong(v, what+" must be an object")
		return
	}
	seen := make(map[string]bool, len(object.Members))
	for _, m := range object.Members {
		name := m.Name.Value.(hujson.Literal).String()
		if seen[name] {
			d.wrong(m.Name, "the name "+policy.Quote(name)+" is there twice")
			continue
		}
		seen[name] = true
		f(name, m.Value)
	}
}

func (d *document) root(v hujson.Value) {
	d.each(v, "the file", func(name string, v hujson.Value) {
		switch name {
		case "permissions":
			d.permissions(v)
		case "allowManagedPermissionRulesOnly":
			if d.scope == Managed && d.boolean(v, name) {
				d.managedOnly = true
			}
		}
	})
}

func (d *document) permissions(v hujson.Value) {
	d.each(v, "permissions", func(name string, v hujson.Value) {
		switch name {
		case "allow":
			d.rules(v, name, policy.Allow)
		case "ask":
			d.rules(v, name, policy.Ask)
		case "deny":
			d.rules(v, name, policy.Block)
		case "additionalDirectories":
			d.strings(v, name, func(dir string, _ hujson.Value) {
				// A clone must not widen the workspace by itself.
				if dir = d.absolute(dir); dir != "" && d.scope < Project && !(d.scope == Local && d.committed()) {
					d.into.AdditionalDirs = append(d.into.AdditionalDirs, dir)
				}
			})
		case "defaultMode":
			text, ok := stringOf(v)
			if !ok {
				d.wrong(v, "defaultMode must be a string")
			} else if d.into.DefaultMode == "" {
				d.into.DefaultMode = text
			}
		}
	})
}

func (d *document) rules(v hujson.Value, name string, decision policy.Decision) {
	d.strings(v, name, func(entry string, v hujson.Value) {
		tool, pattern, ok := parseEntry(entry)
		switch {
		case !ok:
		case tool != Shell && tooMuch(pattern):
			d.wrong(v, "the pattern of "+policy.Quote(entry[:20])+"... is too long or holds too many stars")
		default:
			r := Rule{Tool: tool, Decision: decision, Pattern: pattern, Scope: d.scope, File: d.file, Line: d.line(v)}
			if d.scope == Local {
				r.committed = d.committed
			}
			d.into.rules = append(d.into.rules, r)
		}
	})
}

// parseEntry reads an entry: Bash, Bash(), Read(PATTERN). Those about tools
// that do nothing a command could do are none. Write without a pattern is about
// that tool alone.
func parseEntry(entry string) (tool Tool, pattern string, ok bool) {
	entry = strings.TrimSpace(entry)
	name, rest, bracket := strings.Cut(entry, "(")
	for i := range toolNames {
		if name != toolNames[i] {
			continue
		}
		tool = Tool(i)
		if !bracket {
			return tool, "", tool != Write
		}
		if rest, ok = strings.CutSuffix(rest, ")"); !ok {
			return 0, "", false
		}
		pattern = strings.TrimSpace(rest)
		if pattern == "*" || pattern == ":*" {
			pattern = ""
		}
		return tool, pattern, pattern != "" || tool != Write
	}
	return 0, "", false
}

func (d *document) strings(v hujson.Value, name string, f func(string, hujson.Value)) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		d.wrong(v, name+" must be a list of strings")
		return
	}
	for _, element := range array.Elements {
		text, ok := stringOf(element)
		if !ok {
			d.wrong(element, name+" must hold strings only")
			continue
		}
		f(text, element)
	}
}

func (d *document) boolean(v hujson.Value, name string) bool {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || literal.Kind() != 't' && literal.Kind() != 'f' {
		d.wrong(v, name+" must be true or false")
		return true
	}
	return literal.Kind() == 't'
}

func stringOf(v hujson.Value) (string, bool) {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || literal.Kind() != '"' {
		return "", false
	}
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return "", false
	}
	return text, true
}
