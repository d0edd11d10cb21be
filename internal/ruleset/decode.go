package ruleset

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// decoder fills the written form from the TOML library's values, with the
// places that the index knows, and notes all that does not fit.
type decoder struct {
	file  *File
	rules string // the decision of the rules that are being read
}

func (d *decoder) errorf(at Span, hint, format string, args ...any) {
	d.file.errorf(at, hint, format, args...)
}

// field is one key of a table, read off a struct's tags.
type field struct {
	index  int
	key    string
	doc    string
	words  string
	on     string // decisions, or "" for all
	need   string
	goType reflect.Type
}

func fieldsOf(t reflect.Type) []field {
	var fs []field
	for i := range t.NumField() {
		f := t.Field(i)
		if key := f.Tag.Get("toml"); key != "" {
			fs = append(fs, field{i, key, f.Tag.Get("doc"), f.Tag.Get("words"), f.Tag.Get("on"), f.Tag.Get("need"), f.Type})
		}
	}
	return fs
}

// table fills the struct out from one TOML table. The name is for messages:
// "[[programs.allow]]".
func (d *decoder) table(values map[string]any, n *node, name string, out reflect.Value) {
	table := out.FieldByName("Table").Addr().Interface().(*Table)
	table.At = n.value
	if n.key.Line > 0 {
		table.At = n.key
	}
	table.keys = make(map[string]Span, len(values))
	fields := fieldsOf(out.Type())
	var keys []string
	for _, f := range fields {
		if d.allowed(f) {
			keys = append(keys, f.key)
		}
	}
	options, isOptions := out.Addr().Interface().(*Options)
	if isOptions {
		keys = append(keys, names(Kinds())...)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		at := n.child(key)
		table.keys[key] = at.key
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
		switch {
		case i >= 0 && !d.allowed(fields[i]):
			d.errorf(at.key, "it belongs in "+article(fields[i].on), "%q has no meaning in %s", key, name)
		case i >= 0:
			d.value(values[key], at, fields[i], name, out.Field(fields[i].index))
		case isOptions && d.entries(options, key, values[key], at):
		default:
			d.errorf(at.key, didYouMean(key, keys), "unknown key %q in %s", key, name)
		}
	}
	for _, f := range fields {
		if _, ok := values[f.key]; !ok && f.need == "yes" {
			d.errorf(table.At, f.key+": "+f.doc, "%s has no %q", name, f.key)
		}
	}
}

func (d *decoder) allowed(f field) bool {
	return f.on == "" || d.rules == "" || slices.Contains(strings.Fields(f.on), d.rules)
}

// article turns "allow ask" into "an allow or ask rule".
func article(on string) string {
	return "an " + strings.Join(strings.Fields(on), " or ") + " rule"
}

// value fills one field.
func (d *decoder) value(v any, n *node, f field, table string, out reflect.Value) {
	switch p := out.Addr().Interface().(type) {
	case *Text:
		*p = d.text(v, n, f)
	case *[]Text:
		*p = d.texts(v, n, f)
	case *Texts:
		if _, ok := v.(string); ok {
			*p = Texts{d.text(v, n, f)}
			return
		}
		*p = d.texts(v, n, f)
	case *bool:
		b, ok := v.(bool)
		if !ok {
			d.wrongType(v, n, f, "true or false")
		} else if !b {
			d.errorf(n.value, "leave it out", "%s = false says nothing", f.key)
		}
		*p = b
	case *int:
		i, ok := v.(int64)
		if !ok {
			d.wrongType(v, n, f, "a number")
		}
		*p = int(i)
	case *[]Many:
		d.many(v, n, f, p)
	case *[]Pair:
		d.pairs(v, n, f, p)
	default:
		d.tables(v, n, f, table, out)
	}
}

// tables fills a field that holds one table (a pointer) or several (a slice).
func (d *decoder) tables(v any, n *node, f field, parent string, out reflect.Value) {
	name := f.key
	if parent != "the file" {
		name = strings.Trim(parent, "[]") + "." + f.key
	}
	switch f.key {
	case "allow", "ask", "block":
		d.rules = f.key
		defer func() { d.rules = "" }()
	}
	if out.Kind() == reflect.Pointer {
		values, ok := v.(map[string]any)
		if !ok {
			d.wrongType(v, n, f, "a table")
			return
		}
		out.Set(reflect.New(out.Type().Elem()))
		d.table(values, n, "["+name+"]", out.Elem())
		return
	}
	var list []map[string]any
	switch v := v.(type) {
	case []map[string]any:
		list = v
	case []any: // inline tables
		for i, item := range v {
			values, ok := item.(map[string]any)
			if !ok {
				d.wrongType(item, n.item(i), f, "a table")
				return
			}
			list = append(list, values)
		}
	default:
		d.errorf(n.key, "write [["+name+"]]", "%q is a list of tables", f.key)
		return
	}
	out.Set(reflect.MakeSlice(out.Type(), len(list), len(list)))
	for i, values := range list {
		d.table(values, n.item(i), "[["+name+"]]", out.Index(i))
	}
}

func (d *decoder) wrongType(v any, n *node, f field, want string) {
	at := n.value
	if at.Line == 0 {
		at = n.key
	}
	d.errorf(at, "", "%q is %s, not %s", f.key, want, typeName(v))
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	}
	return "a date"
}

func (d *decoder) text(v any, n *node, f field) Text {
	s, ok := v.(string)
	if !ok {
		want := "a string"
		if f.goType == reflect.TypeFor[[]Text]() || f.goType == reflect.TypeFor[Texts]() {
			want = "a list of strings"
		}
		d.wrongType(v, n, f, want)
		return Text{At: n.value}
	}
	if strings.TrimSpace(s) == "" {
		d.errorf(n.value, "leave it out, or say something", "%q is empty", f.key)
	}
	if f.words != "" {
		if words := names(wordList(f.words)); !slices.Contains(words, s) {
			d.errorf(n.value, didYouMean(s, words), "%q is no word for %q", s, f.key)
			return Text{At: n.value}
		}
	}
	return Text{s, n.value}
}

func (d *decoder) texts(v any, n *node, f field) []Text {
	list, ok := v.([]any)
	if !ok {
		d.wrongType(v, n, f, "a list of strings")
		return nil
	}
	texts := make([]Text, 0, len(list))
	for i, item := range list {
		t := d.text(item, n.item(i), f)
		if _, ok := item.(string); !ok {
			continue
		}
		if slices.ContainsFunc(texts, func(o Text) bool { return o.Value == t.Value }) && t.Value != "" && repeats(f.key) {
			d.errorf(t.At, "", "%q is listed twice", t.Value)
		}
		texts = append(texts, t)
	}
	if len(list) == 0 && f.key != "operands" && f.key != "only_flags" {
		d.errorf(n.value, "leave it out", "%q is empty", f.key)
	}
	return texts
}

// repeats reports whether the same word twice in a list is a mistake.
func repeats(key string) bool { return key != "operands" && key != "multi" }

// entries takes a key of an options table that is a kind.
func (d *decoder) entries(o *Options, key string, v any, n *node) bool {
	if key == "code" {
		langs, ok := v.(map[string]any)
		if !ok {
			d.errorf(n.key, "write code.sed, code.awk, code.sql, code.jq or code.any", "the kind code needs a language")
			return true
		}
		for _, lang := range slices.Sorted(maps.Keys(langs)) {
			at := n.child(lang)
			o.keys["code."+lang] = at.key
			o.Kinds = append(o.Kinds, Entries{"code." + lang, at.key, d.texts(langs[lang], at, field{key: "code." + lang})})
		}
		return true
	}
	if _, ok := findKind(key); !ok {
		return false
	}
	o.Kinds = append(o.Kinds, Entries{key, n.key, d.texts(v, n, field{key: key})})
	return true
}

func (d *decoder) many(v any, n *node, f field, out *[]Many) {
	values, ok := v.(map[string]any)
	if !ok {
		d.wrongType(v, n, f, `a table like {"--arg" = ["data", "data"]}`)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		at := n.child(key)
		*out = append(*out, Many{Text{key, at.key}, d.texts(values[key], at, field{key: "multi"})})
	}
}

func (d *decoder) pairs(v any, n *node, f field, out *[]Pair) {
	values, ok := v.(map[string]any)
	if !ok {
		d.wrongType(v, n, f, `a table like {name = "word"}`)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		at := n.child(key)
		*out = append(*out, Pair{key, at.key, d.text(values[key], at, f)})
	}
}

// decode fills the written form of a whole file.
func (d *decoder) decode(values map[string]any, root *node) {
	d.table(values, root, "the file", reflect.ValueOf(&d.file.document).Elem())
}

func (f *File) errorf(at Span, hint, format string, args ...any) {
	f.errs = append(f.errs, &Error{File: f.Name, At: at, Msg: fmt.Sprintf(format, args...), Hint: hint, Line: f.line(at.Line)})
}
