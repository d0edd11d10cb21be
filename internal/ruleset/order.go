package ruleset

import "reflect"

// Order lists the keys of a table of a rule file in the order of the reference:
// Order("programs", "allow"), Order() for the file itself. A table that there
// is not has none. What holds a list of tables, or of options, is left out: what
// stands first there is read first.
func Order(path ...string) []string { return KeysOf(&document{}, path...) }

// KeysOf is Order for another document that Decode fills.
func KeysOf(document any, path ...string) []string {
	t := reflect.TypeOf(document).Elem()
	for _, key := range path {
		if t = tableOf(t, key); t == nil {
			return nil
		}
	}
	var keys []string
	for _, f := range fieldsOf(t) {
		if f.goType == reflect.TypeFor[[]Many]() || f.goType.Kind() == reflect.Slice && tableOf(t, f.key) != nil {
			continue
		}
		keys = append(keys, f.key)
	}
	return keys
}

// tableOf is what a key of a table holds, if that is a table or several.
func tableOf(t reflect.Type, key string) reflect.Type {
	for _, f := range fieldsOf(t) {
		if f.key != key || f.goType.Kind() != reflect.Pointer && f.goType.Kind() != reflect.Slice {
			continue
		}
		if below := f.goType.Elem(); below.Kind() == reflect.Struct && len(fieldsOf(below)) > 0 {
			return below
		}
	}
	return nil
}
