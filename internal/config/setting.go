package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/bashgate/bashgate/internal/toml"
)

// Setting is one key that is in force.
type Setting struct {
	Key     string // "profile", "hook.auto"
	Value   string // as config.toml writes it
	Doubt   bool   // what was written can't be used: the strictest value holds instead
	Origins []Origin
}

// Origin is where a setting comes from.
type Origin struct {
	Layer Layer
	File  string // "" for the default and a preset
	Line  int
	// Preset is the name of the preset that it comes from; the layer is then
	// whose choice that is.
	Preset string
}

// Settings lists the settings in force, in the order of the documentation:
// those that are set, and those with a default.
func Settings(files []*File) []Setting {
	var list []Setting
	for _, k := range keysOf(reflect.TypeFor[written]()) {
		list = append(list, settings(k, "", files)...)
	}
	return list
}

// settings lists those of one key. What is stricter is joined over the layers;
// a table about one thing is that of the last layer that has it, and of other
// keys the last layer's value holds.
func settings(k keyOf, above string, files []*File) []Setting {
	name := above + k.key
	if k.table != nil && name != "checkers" {
		switch name {
		case "cop", "taint", "audit", "approvals", "notify":
			for i := range files {
				if last := files[len(files)-1-i]; last.Layer != Project && last.value(name) != nil {
					files = []*File{last}
					break
				}
			}
		case "managed":
			for _, f := range files {
				if f.Layer == Managed && f.value(name) != nil {
					return below(k, name, []*File{f})
				}
			}
			return nil
		}
		return below(k, name, files)
	}
	s := Setting{Key: name}
	var values []string
	for _, f := range files {
		v := f.value(name)
		if v == nil || f.Layer == Project && !tightens(name) {
			continue
		}
		if !joins(name) {
			values, s.Origins, s.Doubt = nil, nil, false
		}
		top, _, _ := strings.Cut(name, ".")
		s.Doubt = s.Doubt || f.doubt[top]
		values = append(values, items(v, joins(name))...)
		s.Origins = append(s.Origins, Origin{f.Layer, f.Path, v.Key.Line, f.Preset})
	}
	switch {
	case s.Origins == nil && k.byDefault == "":
		return nil
	case s.Origins == nil:
		s.Value, s.Origins = k.byDefault, []Origin{{Layer: Default}}
	case joins(name):
		s.Value = "[" + strings.Join(union(nil, values), ", ") + "]"
	default:
		s.Value = values[0]
	}
	return []Setting{s}
}

func below(k keyOf, name string, files []*File) []Setting {
	var list []Setting
	for _, sub := range keysOf(k.table) {
		list = append(list, settings(sub, name+".", files)...)
	}
	return list
}

// joins reports whether the lists of all layers count together.
func joins(key string) bool {
	return key == "packs" || key == "packs_dir" || key == "denied_commands" || key == "checkers"
}

// value is what the file has for a key; nil if nothing.
func (f *File) value(key string) *toml.Value {
	var v *toml.Value
	for i, part := range strings.Split(key, ".") {
		if i == 0 {
			v = f.w.Value(part)
		} else {
			v = v.Get(part)
		}
	}
	return v
}

// items writes a value, or each value of a list.
func items(v *toml.Value, each bool) []string {
	if !each || v.Kind != toml.List {
		return []string{literal(v)}
	}
	var list []string
	for _, item := range v.Items {
		list = append(list, literal(item))
	}
	return list
}

// literal writes a value as TOML does.
func literal(v *toml.Value) string {
	var b strings.Builder
	switch v.Kind {
	case toml.String:
		return quoted(v.Text)
	case toml.List:
		return "[" + strings.Join(items(v, true), ", ") + "]"
	case toml.Table:
		for i, key := range v.Keys() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(key + " = " + literal(v.Get(key)))
		}
		return "{" + b.String() + "}"
	}
	return v.Text
}

// quoted writes a string as TOML does.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
