package ruleset

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Schema returns the JSON schema (draft 7) of rule files, for editors that
// complete and check TOML by one. It is read off the written types and the
// word lists; what needs more than one key to be checked is left to the
// loader.
func Schema() []byte {
	return SchemaOf(reflect.TypeFor[document](), "bashgate rule file", "The rule language is documented in rules/README.md",
		func(list string) ([]Word, bool) { return wordList(list), false })
}

// SchemaOf returns the schema of a TOML file whose written type has tags as those
// of rule files. Besides:
//
//	takes     the words that it takes, which the decoder leaves to others: Words
//	          returns what they are, and whether other texts may stand in their place
//	empty     "yes": "" means something
//	default   what holds where the key is absent, as TOML and JSON write it
//	absent    what holds then, in words
//	range     the smallest and the largest number: "1-3"
func SchemaOf(t reflect.Type, title, description string, words func(list string) (known []Word, open bool)) []byte {
	root := schemaWriter{words}.table(t, "")
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = title
	root["description"] = description
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // maps, slices, strings and bools
	}
	return append(text, '\n')
}

type object = map[string]any

type schemaWriter struct {
	words func(list string) (known []Word, open bool)
}

func (w schemaWriter) table(t reflect.Type, rules string) object {
	properties := object{}
	var required []string
	d := decoder{rules: rules}
	for _, f := range fieldsOf(t) {
		if d.allowed(f) {
			properties[f.key] = w.field(f)
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

func (w schemaWriter) field(f field) object {
	word := object{"type": "string", "minLength": 1}
	if f.tag.Get("empty") != "" {
		word = object{"type": "string"}
	}
	doc := f.doc
	if words := cmp.Or(f.words, f.tag.Get("takes")); words != "" {
		list, open := w.words(words)
		if known := (object{"enum": names(list)}); open {
			word = object{"anyOf": []any{known, word}}
		} else {
			word = known
		}
		for _, w := range list {
			if w.Doc != "" {
				doc += "\n" + w.Name + ": " + w.Doc
			}
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
		if least, most, ok := Range(f.tag); ok {
			s["minimum"], s["maximum"] = least, most
		}
	case reflect.TypeFor[Flag]():
		s = object{"type": "boolean"}
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
			s = object{"type": "array", "items": w.table(f.goType.Elem(), rules)}
		} else {
			s = w.table(f.goType.Elem(), rules)
		}
	}
	if absent := f.tag.Get("absent"); absent != "" {
		doc += "; absent: " + absent
	}
	s["description"] = doc
	if d := f.tag.Get("default"); d != "" {
		s["default"] = json.RawMessage(d)
	}
	return s
}

// Range reads the tag of a number: "1-3". It reports false where there is none.
func Range(tag reflect.StructTag) (least, most int, ok bool) {
	from, to, ok := strings.Cut(tag.Get("range"), "-")
	least, _ = strconv.Atoi(from)
	most, _ = strconv.Atoi(to)
	return least, most, ok
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
