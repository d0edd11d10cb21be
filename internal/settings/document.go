package settings

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/bashgate/bashgate/internal/policy"
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
				if dir = d.absolute(dir); dir != "" && d.scope != Project {
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
		pattern, ok := shellPattern(entry)
		if !ok {
			return
		}
		d.into.Rules = append(d.into.Rules, Rule{decision, pattern, d.scope, d.file, d.line(v)})
	})
}

// shellPattern reads an entry that is about the shell: Bash, Bash(),
// Bash(PATTERN). Entries about other tools are not.
func shellPattern(entry string) (string, bool) {
	entry = strings.TrimSpace(entry)
	if entry == "Bash" {
		return "", true
	}
	rest, ok := strings.CutPrefix(entry, "Bash(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return "", false
	}
	rest = strings.TrimSpace(strings.TrimSuffix(rest, ")"))
	if rest == "*" || rest == ":*" {
		rest = ""
	}
	return rest, true
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
