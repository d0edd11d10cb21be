package ruleset

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/internal/toml"
)

// decoder fills the written form from a TOML document, and notes all that does
// not fit.
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
	tag    reflect.StructTag
	goType reflect.Type
}

// knownFields holds what fieldsOf has read: reading tags is most of the work with a
// table, and with what is wrong in one.
var knownFields sync.Map // of reflect.Type to []field

// fieldsOf lists the keys of a table, which nobody may change.
func fieldsOf(t reflect.Type) []field {
	if known, ok := knownFields.Load(t); ok {
		return known.([]field)
	}
	var fs []field
	for i := range t.NumField() {
		f := t.Field(i)
		if key := f.Tag.Get("toml"); key != "" {
			fs = append(fs, field{i, key, f.Tag.Get("doc"), f.Tag.Get("words"), f.Tag.Get("on"), f.Tag.Get("need"), f.Tag, f.Type})
		}
	}
	knownFields.Store(t, fs)
	return fs
}

// table fills the struct out from one TOML table. The name is for messages:
// "[[programs.allow]]".
func (d *decoder) table(v *toml.Value, name string, out reflect.Value) {
	table := out.FieldByName("Table").Addr().Interface().(*Table)
	table.At, table.raw = v.Key, v
	defer d.file.within(table)()
	table.keys = make(map[string]Span, len(v.Keys()))
	fields := fieldsOf(out.Type())
	options, isOptions := out.Addr().Interface().(*Options)
	for _, key := range v.Keys() {
		value := v.Get(key)
		table.keys[key] = value.Key
		if name == theFile {
			d.file.keys = []string{key}
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
		switch {
		case i >= 0 && !d.allowed(fields[i]):
			table.unknown = append(table.unknown, key)
			d.errorf(value.Key, "it belongs in "+article(fields[i].on), "%q has no meaning in %s", key, name)
		case i >= 0:
			before := len(d.file.errs)
			if d.value(value, fields[i], name, out.Field(fields[i].index)); len(d.file.errs) > before {
				table.broken = append(table.broken, key)
			}
		case isOptions && d.entries(options, key, value):
		default:
			table.unknown = append(table.unknown, key)
			e := d.file.mistake(value.Key, DidYouMean(key, d.keys(fields, isOptions)), "unknown key %q in %s", key, name)
			e.Keys = append(slices.Clip(e.Keys), key)
			d.file.errs = append(d.file.errs, e)
		}
	}
	for _, f := range fields {
		if v.Get(f.key) == nil && f.need == "yes" {
			d.errorf(table.At, f.key+": "+f.doc, "%s has no %q", name, f.key)
		}
	}
}

// keys lists what may stand in a table.
func (d *decoder) keys(fields []field, isOptions bool) []string {
	var keys []string
	for _, f := range fields {
		if d.allowed(f) {
			keys = append(keys, f.key)
		}
	}
	if isOptions {
		keys = append(keys, names(Kinds())...)
	}
	return keys
}

func (d *decoder) allowed(f field) bool {
	return f.on == "" || d.rules == "" || slices.Contains(strings.Fields(f.on), d.rules)
}

// article turns "allow ask" into "an allow or ask rule".
func article(on string) string {
	return "an " + strings.Join(strings.Fields(on), " or ") + " rule"
}

// value fills one field.
func (d *decoder) value(v *toml.Value, f field, table string, out reflect.Value) {
	switch p := out.Addr().Interface().(type) {
	case *Text:
		*p = d.text(v, f)
	case *[]Text:
		*p = d.texts(v, f)
	case *Texts:
		if v.Kind == toml.String {
			*p = Texts{d.text(v, f)}
			return
		}
		*p = d.texts(v, f)
	case *bool:
		if v.Kind != toml.Bool {
			d.wrongType(v, f, "be true or false")
		} else if v.Text == "false" {
			d.errorf(v.At, "leave it out", "%s = false says nothing", f.key)
		}
		*p = v.Kind == toml.Bool && v.Text == "true"
	case *Flag:
		switch {
		case v.Kind != toml.Bool:
			d.wrongType(v, f, "be true or false")
		case v.Text == "true":
			*p = True
		default:
			*p = False
		}
	case *int:
		i, ok := v.Int()
		switch {
		case ok:
		case v.Kind == toml.Float:
			d.errorf(v.At, "", "%q must be a whole number, not %s", f.key, v.Text)
		case v.Kind == toml.Integer:
			d.errorf(v.At, "", "%q must be a smaller number", f.key)
		default:
			d.wrongType(v, f, "be a number")
		}
		*p = int(i)
	case *[]Many:
		d.many(v, f, p)
	case *[]Pair:
		d.pairs(v, f, p)
	default:
		d.tables(v, f, table, out)
	}
}

// tables fills a field that holds one table (a pointer) or several (a slice).
func (d *decoder) tables(v *toml.Value, f field, parent string, out reflect.Value) {
	name := f.key
	if parent != theFile {
		name = strings.Trim(parent, "[]") + "." + f.key
	}
	switch f.key {
	case "allow", "ask", "block":
		d.rules = f.key
		defer func() { d.rules = "" }()
	}
	if out.Kind() == reflect.Pointer {
		if v.Kind != toml.Table {
			d.wrongType(v, f, "be a table")
			return
		}
		out.Set(reflect.New(out.Type().Elem()))
		d.table(v, "["+name+"]", out.Elem())
		return
	}
	if v.Kind != toml.List {
		d.errorf(v.Key, "write [["+name+"]]", "%q must be a list of tables, not %s", f.key, v.Kind)
		return
	}
	for _, item := range v.Items {
		if item.Kind != toml.Table {
			d.wrongType(item, f, "hold tables")
			return
		}
	}
	out.Set(reflect.MakeSlice(out.Type(), len(v.Items), len(v.Items)))
	for i, item := range v.Items {
		d.table(item, "[["+name+"]]", out.Index(i))
	}
}

func (d *decoder) wrongType(v *toml.Value, f field, want string) {
	is := v.Kind.String()
	if v.Tables {
		is = "a list of tables"
	}
	d.errorf(v.At, "", "%q must %s, not %s", f.key, want, is)
}

func (d *decoder) text(v *toml.Value, f field) Text {
	if v.Kind != toml.String {
		d.wrongType(v, f, "be a string")
		return Text{At: v.At}
	}
	if strings.TrimSpace(v.Text) == "" && f.key != "hint" {
		d.errorf(v.At, "leave it out, or say something", "%q is empty", f.key)
	}
	if f.words != "" {
		if words := names(wordList(f.words)); !slices.Contains(words, v.Text) {
			d.errorf(v.At, DidYouMean(v.Text, words), "%q is no word for %q", v.Text, f.key)
			return Text{At: v.At}
		}
	}
	return Text{v.Text, v.At}
}

func (d *decoder) texts(v *toml.Value, f field) []Text {
	if v.Kind != toml.List {
		d.wrongType(v, f, "be a list of strings")
		return nil
	}
	texts := make([]Text, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind != toml.String {
			d.wrongType(item, f, "hold strings")
			continue
		}
		t := d.text(item, f)
		if slices.ContainsFunc(texts, func(o Text) bool { return o.Value == t.Value }) && t.Value != "" && repeats(f.key) {
			d.errorf(t.At, "", "%q is listed twice", t.Value)
		}
		texts = append(texts, t)
	}
	if len(v.Items) == 0 && f.key != "operands" && f.key != "only_flags" && f.key != "wrappers" {
		d.errorf(v.At, "leave it out", "%q is empty", f.key)
	}
	return texts
}

// repeats reports whether the same word twice in a list is a mistake.
func repeats(key string) bool { return key != "operands" && key != "multi" }

// entries takes a key of an options table that is a kind.
func (d *decoder) entries(o *Options, key string, v *toml.Value) bool {
	if key == "code" {
		if v.Kind != toml.Table {
			d.errorf(v.Key, "write code.sed, code.awk, code.perl, code.sql, code.jq or code.any", "the kind code needs a language")
			return true
		}
		for _, lang := range v.Keys() {
			list := v.Get(lang)
			o.keys["code."+lang] = list.Key
			o.Kinds = append(o.Kinds, Entries{"code." + lang, list.Key, d.texts(list, field{key: "code." + lang})})
		}
		return true
	}
	if _, ok := findKind(key); !ok {
		return false
	}
	o.Kinds = append(o.Kinds, Entries{key, v.Key, d.texts(v, field{key: key})})
	return true
}

func (d *decoder) many(v *toml.Value, f field, out *[]Many) {
	if v.Kind != toml.Table {
		d.wrongType(v, f, `be a table like {"--arg" = ["data", "data"]}`)
		return
	}
	for _, key := range v.Keys() {
		list := v.Get(key)
		*out = append(*out, Many{Text{key, list.Key}, d.texts(list, field{key: "multi"})})
	}
}

func (d *decoder) pairs(v *toml.Value, f field, out *[]Pair) {
	if v.Kind != toml.Table {
		d.wrongType(v, f, `be a table like {name = "word"}`)
		return
	}
	for _, key := range v.Keys() {
		word := v.Get(key)
		*out = append(*out, Pair{key, word.Key, d.text(word, f)})
	}
}

// theFile is the name of the table that is a whole file.
const theFile = "the file"

func (f *File) errorf(at Span, hint, format string, args ...any) {
	f.errs = append(f.errs, f.mistake(at, hint, format, args...))
}

// mistake makes an error of this file.
func (f *File) mistake(at Span, hint, format string, args ...any) *Error {
	return &Error{File: f.Name, At: at, Msg: fmt.Sprintf(format, args...), Hint: hint, Line: f.line(at.Line), Keys: f.keys, table: f.in}
}

// within notes that errors are now found in a table, until the function that
// it returns is called.
func (f *File) within(t *Table) func() {
	outer := f.in
	f.in = t
	return func() { f.in = outer }
}
