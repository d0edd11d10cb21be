package rulegen

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

// printer writes values as Go composite literals that the linker lays out:
// structs, slices, strings and numbers only. A slice that occurs more than
// once becomes a variable of its own, which all occurrences share; a slice
// expression of an array would be computed at start, a variable is not.
type printer struct {
	seen   map[string]int    // literal text: how often it occurs
	shared map[string]string // literal text: its variable
	vars   []string          // declarations of the variables that the current file owns
	file   string            // prefix of their names
	next   map[string]int
}

func newPrinter() *printer {
	return &printer{seen: map[string]int{}, shared: map[string]string{}, next: map[string]int{}}
}

// worthSharing is the length of the shortest text that is shared.
const worthSharing = 24

// count notes the slices of a value. All values are counted before the first
// is printed.
func (p *printer) count(v reflect.Value) {
	p.render(v, true)
}

// value returns a value as a Go expression, without its type where elided is
// true.
func (p *printer) value(v reflect.Value) string {
	_, out := p.render(v, false)
	return out
}

// render returns a value's text with nothing shared, which identifies it, and
// the text to print.
func (p *printer) render(v reflect.Value, counting bool) (plain, out string) {
	switch v.Kind() {
	case reflect.Struct:
		var plains, outs []string
		for i := range v.NumField() {
			f := v.Field(i)
			if isEmpty(f) {
				continue
			}
			name := v.Type().Field(i).Name
			a, b := p.render(f, counting)
			plains = append(plains, name+": "+a)
			outs = append(outs, name+": "+b)
		}
		open, sep, end := typeName(v.Type())+"{", ", ", "}"
		if spread[v.Type()] {
			open, sep, end = open+"\n", ",\n", ",\n}"
		}
		return open + strings.Join(plains, sep) + end, open + strings.Join(outs, sep) + end
	case reflect.Slice:
		elem := v.Type().Elem()
		typ := "[]" + typeName(elem)
		var plains, outs []string
		for i := range v.Len() {
			a, b := p.render(v.Index(i), counting)
			if elem.Kind() == reflect.Struct {
				a, b = strings.TrimPrefix(a, typeName(elem)), strings.TrimPrefix(b, typeName(elem))
			} else if elem.Kind() == reflect.Slice {
				a, b = strings.TrimPrefix(a, typeName(elem)), strings.TrimPrefix(b, typeName(elem))
			}
			plains = append(plains, a)
			outs = append(outs, b)
		}
		sep, end := ", ", ""
		if elem.Kind() == reflect.Struct && v.Len() > 1 {
			sep, end = ",\n", ",\n"
		}
		open := typ + "{"
		if end != "" {
			open += "\n"
		}
		plain = open + strings.Join(plains, sep) + end + "}"
		out = open + strings.Join(outs, sep) + end + "}"
		if counting {
			p.seen[plain]++
			return plain, plain
		}
		if len(plain) < worthSharing || p.seen[plain] < 2 || p.shared == nil {
			return plain, out
		}
		name := p.shared[plain]
		if name == "" {
			name = p.variable(sharedName(elem), out)
			p.shared[plain] = name
		}
		return plain, name
	case reflect.String:
		s := strings.ReplaceAll(strconv.Quote(v.String()), `\n`, "\\n\" +\n\"")
		return s, s
	case reflect.Bool:
		return "true", "true"
	case reflect.Pointer:
		return p.pointer(v.Elem(), counting)
	}
	s := constant(v)
	return s, s
}

// spread are the types whose fields stand on lines of their own.
var spread = map[reflect.Type]bool{
	reflect.TypeFor[match.Program](): true, reflect.TypeFor[match.Rule](): true,
	reflect.TypeFor[match.Table](): true, reflect.TypeFor[match.PathRule](): true, reflect.TypeFor[match.HostRule](): true, reflect.TypeFor[match.EnvRule](): true,
	reflect.TypeFor[match.PipeRule](): true, reflect.TypeFor[match.ToolRule](): true, reflect.TypeFor[match.Profile](): true,
}

// isZero reports whether a struct has only zero values and empty slices.
func isZero(v reflect.Value) bool {
	for i := range v.NumField() {
		if !isEmpty(v.Field(i)) {
			return false
		}
	}
	return true
}

// pointer writes what a pointer leads to. Lists of options and
// conditions are variables, which all that have the same share.
func (p *printer) pointer(v reflect.Value, counting bool) (plain, out string) {
	if counting {
		// What is in a shared variable occurs once.
		plain, _ = (&printer{}).render(v, false)
		if p.seen["&"+plain]++; p.seen["&"+plain] > 1 {
			return plain, plain
		}
	}
	plain, out = p.render(v, counting)
	var kind string
	switch v.Interface().(type) {
	case match.Table:
		if kind = "Options"; v.IsZero() {
			return "&match.NoOptions", "&match.NoOptions"
		}
	case match.Conditions:
		if kind = "When"; isZero(v) {
			return "&match.NoConditions", "&match.NoConditions"
		}
	case match.Origin:
		kind = "Origin"
	default:
		return "&" + plain, "&" + out
	}
	if counting || p.shared == nil {
		return plain, plain
	}
	name := p.shared[plain]
	if name == "" {
		name = p.variable(kind, out)
		p.shared[plain] = name
	}
	return plain, "&" + name
}

// variable declares a variable of the current file.
func (p *printer) variable(kind, value string) string {
	prefix := p.file + kind
	p.next[prefix]++
	name := prefix + strconv.Itoa(p.next[prefix])
	p.vars = append(p.vars, "var "+name+" = "+value)
	return name
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

func sharedName(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[match.Option]():
		return "OptionList"
	case reflect.TypeFor[match.FlagTest]():
		return "Flags"
	case reflect.TypeFor[match.Operand]():
		return "Operands"
	case reflect.TypeFor[match.Level]():
		return "Levels"
	case reflect.TypeFor[string]():
		return "Words"
	}
	return "Table"
}

// constant writes a number as the name that it has in the source.
func constant(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case policy.Decision:
		return "policy." + exported(x.String())
	case policy.Shape:
		return "policy." + [...]string{policy.ShapeWord: "ShapeWord", policy.ShapeCount: "ShapeCount"}[x]
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
		return "match." + [...]string{"NoValue", "Value", "Optional", "Glued", "Signed", "Loose", "Digits"}[x]
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

// takeVars returns the declarations collected since the last call, sorted as
// they were found.
func (p *printer) takeVars() []string {
	vars := slices.Clone(p.vars)
	p.vars = nil
	return vars
}
