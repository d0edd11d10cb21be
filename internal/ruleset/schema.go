package ruleset

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Schema returns the JSON schema (draft 7) of rule files, for editors that
// complete and check TOML by one. It is read off the written types and the
// word lists; what needs more than one key to be checked is left to the
// loader.
func Schema() []byte {
	root := tableSchema(reflect.TypeFor[document](), "")
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = "bashgate rule file"
	root["description"] = "The rule language is documented in rules/README.md"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // maps, slices, strings and bools
	}
	return append(text, '\n')
}

type object = map[string]any

func tableSchema(t reflect.Type, rules string) object {
	properties := object{}
	var required []string
	d := decoder{rules: rules}
	for _, f := range fieldsOf(t) {
		if d.allowed(f) {
			properties[f.key] = fieldSchema(f)
			if f.need == "yes" {
				required = append(required, f.key)
			}
		}
	}
	if t == reflect.TypeFor[Options]() {
		for _, k := range kindWords {
			list := object{"type": "array", "items": object{"type": "string", "minLength": 1}, "description": k.doc}
			if k.name == "code" {
				list = object{"type": "object", "description": k.doc, "patternProperties": object{"^[a-z][a-z0-9]*$": list}, "additionalProperties": false}
			}
			properties[k.name] = list
		}
	}
	if t == reflect.TypeFor[Rule]() && rules != "allow" {
		required = append(required, "reason")
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		slices.Sort(required)
		s["required"] = required
	}
	return s
}

func fieldSchema(f field) object {
	word := object{"type": "string", "minLength": 1}
	doc := f.doc
	if f.words != "" {
		list := wordList(f.words)
		word = object{"enum": names(list)}
		for _, w := range list {
			doc += "\n" + w.Name + ": " + w.Doc
		}
	}
	list := object{"type": "array", "items": word, "uniqueItems": repeats(f.key)}
	var s object
	switch f.goType {
	case reflect.TypeFor[Text]():
		s = word
	case reflect.TypeFor[[]Text]():
		s = list
	case reflect.TypeFor[Texts]():
		s = object{"oneOf": []any{word, list}}
	case reflect.TypeFor[bool]():
		s = object{"const": true}
	case reflect.TypeFor[int]():
		s = object{"type": "integer"}
	case reflect.TypeFor[[]Many]():
		s = object{"type": "object", "additionalProperties": object{"type": "array", "items": word}}
	case reflect.TypeFor[[]Pair]():
		s = object{"type": "object", "additionalProperties": word}
	default:
		rules := ""
		if f.goType == reflect.TypeFor[[]Rule]() {
			rules = f.key
		}
		if f.goType.Kind() == reflect.Slice {
			s = object{"type": "array", "items": tableSchema(f.goType.Elem(), rules)}
		} else {
			s = tableSchema(f.goType.Elem(), rules)
		}
	}
	s["description"] = doc
	return s
}

// Reference returns the reference of the language in Markdown: every table
// with its keys, and the words they take.
func Reference() string {
	var b strings.Builder
	referenceTable(&b, "", reflect.TypeFor[document]())
	for _, l := range []struct {
		title string
		words []Word
	}{{"Kinds", Kinds()}, {"Styles", Styles()}, {"Traits", Traits()}, {"Effects", Effects()}, {"Reach", wordList("reach")}} {
		b.WriteString("\n### " + l.title + "\n\n| word | meaning |\n|---|---|\n")
		for _, w := range l.words {
			b.WriteString("| `" + w.Name + "` | " + cell(w.Doc) + " |\n")
		}
	}
	return b.String()
}

func referenceTable(b *strings.Builder, name string, t reflect.Type) {
	type sub struct {
		name string
		typ  reflect.Type
	}
	var subs []sub
	title := "The file"
	switch {
	case t == reflect.TypeFor[Rule]():
		title = "`[[programs.allow]]`, `[[programs.ask]]`, `[[programs.block]]`"
	case name != "":
		title = "`" + name + "`"
	}
	b.WriteString("\n### " + title + "\n\n| key | meaning |\n|---|---|\n")
	for _, f := range fieldsOf(t) {
		doc := cell(f.doc)
		if f.words != "" && f.words != "kind" && f.words != "effect" && f.words != "reach" && f.words != "trait" && f.words != "style" {
			doc += ": `" + strings.Join(names(wordList(f.words)), "`, `") + "`"
		}
		switch f.need {
		case "yes":
			doc += " (required)"
		case "built-in":
			doc += " (required in built-in files)"
		}
		if f.on != "" && len(strings.Fields(f.on)) < 3 {
			doc += " (" + strings.Join(strings.Fields(f.on), " and ") + " only)"
		}
		b.WriteString("| `" + f.key + "` | " + doc + " |\n")
		inner := f.goType
		if k := inner.Kind(); k == reflect.Slice || k == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && len(fieldsOf(inner)) > 0 && !slices.ContainsFunc(subs, func(s sub) bool { return s.typ == inner }) {
			child := strings.TrimPrefix(strings.Trim(name, "[]")+"."+f.key, ".")
			if f.goType.Kind() == reflect.Slice {
				child = "[[" + child + "]]"
			} else {
				child = "[" + child + "]"
			}
			subs = append(subs, sub{child, inner})
		}
	}
	if t == reflect.TypeFor[Options]() {
		b.WriteString("| *kind* | a list of options whose values are of this [kind](#kinds) |\n")
	}
	for _, s := range subs {
		referenceTable(b, s.name, s.typ)
	}
}

// cell escapes what would end a table's cell.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}
