package rulegen

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// value writes a value as a Go composite literal that the linker lays out: structs,
// slices, strings and numbers only.
func value(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if f := v.Field(i); !isEmpty(f) {
				fields = append(fields, v.Type().Field(i).Name+": "+value(f))
			}
		}
		open, sep, end := typeName(v.Type())+"{", ", ", "}"
		if spread[v.Type()] {
			open, sep, end = open+"\n", ",\n", ",\n}"
		}
		return open + strings.Join(fields, sep) + end
	case reflect.Slice:
		elem := v.Type().Elem()
		var values []string
		for i := range v.Len() {
			s := value(v.Index(i))
			if elem.Kind() == reflect.Struct || elem.Kind() == reflect.Slice {
				s = strings.TrimPrefix(s, typeName(elem))
			}
			values = append(values, s)
		}
		open, sep, end := "[]"+typeName(elem)+"{", ", ", "}"
		if elem.Kind() == reflect.Struct && v.Len() > 1 {
			open, sep, end = open+"\n", ",\n", ",\n}"
		}
		return open + strings.Join(values, sep) + end
	case reflect.String:
		return strings.ReplaceAll(strconv.Quote(v.String()), `\n`, "\\n\" +\n\"")
	case reflect.Bool:
		return "true"
	}
	return constant(v)
}

// spread are the types whose fields stand on lines of their own.
var spread = map[reflect.Type]bool{
	reflect.TypeFor[match.PathRule](): true, reflect.TypeFor[match.HostRule](): true, reflect.TypeFor[match.EnvRule](): true,
	reflect.TypeFor[match.PipeRule](): true, reflect.TypeFor[match.ToolRule](): true, reflect.TypeFor[match.Profile](): true,
}

func isEmpty(v reflect.Value) bool {
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Slice {
		return "[]" + typeName(t.Elem())
	}
	return t.String()
}

// constant writes a number as the name that it has in the source.
func constant(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case policy.Decision:
		return "policy." + exported(x.String())
	case policy.Shape:
		return "policy." + [...]string{policy.ShapeWord: "ShapeWord", policy.ShapeCount: "ShapeCount", policy.ShapeName: "ShapeName", policy.ShapeNumbers: "ShapeNumbers"}[x]
	case match.Into:
		return "match." + [...]string{match.IntoFiles: "IntoFiles", match.IntoTrees: "IntoTrees", match.IntoAnything: "IntoAnything"}[x]
	case policy.Reach:
		return "policy.Reach" + exported(x.String())
	case policy.Effects:
		names := x.Names()
		for i := range names {
			names[i] = "policy." + exported(names[i])
		}
		return strings.Join(names, "|")
	case policy.Where:
		return "policy." + [...]string{"Here", "Remote", "Container"}[x]
	case match.Kind:
		return "match." + kindName(x)
	case match.Refs:
		return "match." + [...]string{"NoRefs", "GitRefs"}[x]
	case match.Style:
		return "match." + [...]string{"GNU", "Long", "Keys", "Plain"}[x]
	case match.Arity:
		return "match." + [...]string{"NoValue", "Value", "Optional", "Glued", "Signed", "Loose", "Digits", "Next"}[x]
	case match.Dashes:
		return "match." + [...]string{"DashesUnsaid", "DashesEnd", "DashesSkip", "DashesUnknown"}[x]
	case match.Traits:
		var names []string
		for i, name := range traitNames {
			if x&(1<<i) != 0 {
				names = append(names, "match."+name)
			}
		}
		return strings.Join(names, "|")
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	}
	panic(fmt.Sprintf("rulegen: can't print a %s", v.Type()))
}

// traitNames are in the order of the bits.
var traitNames = [...]string{"Stop", "Exact", "Anywhere", "Negate", "Number", "Plus", "Bundle", "BSD", "Apart"}

func kindName(k match.Kind) string {
	if k == match.URL {
		return "URL"
	}
	return exported(k.String())
}

func exported(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
