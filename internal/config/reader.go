package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// reader checks the values of tables.
type reader struct {
	fail func(at ruleset.Text, msg, hint string)
	path func(key string, t ruleset.Text) string
}

// check checks the texts and numbers of a table, a pointer to a struct, by their
// tags. What does not fit is made "" or 0, which is the default.
func (r reader) check(table any) {
	v := reflect.ValueOf(table).Elem()
	at := v.FieldByName("Table").Addr().Interface().(*ruleset.Table)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := f.Tag.Get("toml")
		switch value := v.Field(i).Addr().Interface().(type) {
		case *ruleset.Text:
			if words := f.Tag.Get("takes"); words != "" && value.Value != "" && !r.oneOf(key, *value, strings.Split(words, ",")) {
				value.Value = ""
			}
		case *int:
			if least, most, ok := ruleset.Range(f.Tag); ok && at.Fits(key) && (*value < least || *value > most) {
				r.fail(ruleset.Text{At: at.Key(key)}, fmt.Sprintf("%q must be a number from %d to %d, not %d", key, least, most, *value), "")
				*value = 0
			}
		}
	}
}

// oneOf reports whether a text is one of some words, and tells it if not.
func (r reader) oneOf(key string, t ruleset.Text, words []string) bool {
	if slices.Contains(words, t.Value) {
		return true
	}
	r.fail(t, fmt.Sprintf("%q must be one of %s, not %s", key, strings.Join(words, ", "), policy.Quote(t.Value)), ruleset.Alike(t.Value, words))
	return false
}
