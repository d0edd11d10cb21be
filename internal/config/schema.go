package config

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// Schema returns the JSON schema (draft 7) of config.toml, for editors that
// complete and check TOML by one. It is read off the written types; what needs
// more than one key, or a look at the disk, is left to the loader.
func Schema(names Names) []byte {
	return ruleset.SchemaOf(reflect.TypeFor[written](), "bashgate config.toml", "The settings are documented in docs/configuration.md",
		func(list string) (known []ruleset.Word, open bool) {
			words, open := names.words(list)
			for _, word := range words {
				known = append(known, ruleset.Word{Name: word})
			}
			return known, open
		})
}

// words are those of a tag, and whether there may be others.
func (n *Names) words(list string) (words []string, open bool) {
	switch list {
	case "":
		return nil, true
	case "@presets":
		return n.Presets, false
	case "@profiles":
		return n.Profiles, true
	case "@packs":
		return n.Packs, true
	}
	return strings.Split(list, ","), false
}

// Reference returns the reference of config.toml in Markdown: every key with its
// type, its default and what it means.
func Reference(names Names) string {
	var b strings.Builder
	names.reference(&b, "", reflect.TypeFor[written]())
	return strings.TrimPrefix(b.String(), "\n")
}

func (n *Names) reference(b *strings.Builder, above string, table reflect.Type) {
	var tables []reflect.StructField
	rows := 0
	for i := range table.NumField() {
		f := table.Field(i)
		key := f.Tag.Get("toml")
		switch {
		case key == "":
		case tableOf(f.Type) != nil:
			tables = append(tables, f)
		default:
			if rows++; rows == 1 {
				b.WriteString("\n| key | takes | default | meaning |\n|---|---|---|---|\n")
			}
			meaning := f.Tag.Get("doc")
			if f.Tag.Get("need") == "yes" {
				meaning += "; required"
			}
			byDefault := cmp.Or(f.Tag.Get("absent"), "none")
			if d := f.Tag.Get("default"); d != "" {
				byDefault = "`" + d + "`"
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", key, n.takes(f), byDefault, linked(meaning, f))
		}
	}
	for _, f := range tables {
		name := strings.TrimPrefix(above+"."+f.Tag.Get("toml"), ".")
		head := "[" + name + "]"
		if f.Type.Kind() == reflect.Slice {
			head = "[[" + name + "]]"
		}
		doc := f.Tag.Get("doc")
		fmt.Fprintf(b, "\n### `%s`\n\n%s.\n", head, linked(strings.ToUpper(doc[:1])+doc[1:], f))
		n.reference(b, name, tableOf(f.Type))
	}
}

// linked is a text with a link to what tells more.
func linked(text string, f reflect.StructField) string {
	text = strings.ReplaceAll(text, "|", `\|`)
	if more := f.Tag.Get("more"); more != "" {
		text += " ([more](" + more + "))"
	}
	return text
}

// takes says what a key takes.
func (n *Names) takes(f reflect.StructField) string {
	words, open := n.words(f.Tag.Get("takes"))
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = "`" + word + "`"
	}
	one := cmp.Or(strings.Join(quoted, ", "), "a text")
	switch {
	case f.Type == reflect.TypeFor[[]ruleset.Text]() && len(words) > 0:
		return "a list: " + one
	case f.Type == reflect.TypeFor[[]ruleset.Text]():
		return "a list of texts"
	case f.Type == reflect.TypeFor[ruleset.Flag]():
		return "`true`, `false`"
	case f.Type == reflect.TypeFor[int]():
		if least, most, ok := ruleset.Range(f.Tag); ok {
			return fmt.Sprintf("a number from %d to %d", least, most)
		}
		return "a number"
	case open && len(words) > 0:
		return one + ", a name"
	}
	return one
}

// tableOf is the type of the table, or of the tables, that a field is; nil: it is
// a value.
func tableOf(t reflect.Type) reflect.Type {
	switch {
	case t.Kind() == reflect.Pointer:
		return t.Elem()
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && t != reflect.TypeFor[[]ruleset.Text]():
		return t.Elem()
	}
	return nil
}
