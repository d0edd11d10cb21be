package python

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// dumper writes a tree as testdata/tree.py writes that of Python: a line for
// each node and each other field, the fields of a node below it in the order
// of their names, without those that are empty.
type dumper struct {
	strings.Builder
	minor int // the version of Python, which does not know all positions
}

// dump writes a tree as Python 3.minor would.
func dump(m *Module, minor int) string {
	d := dumper{minor: minor}
	d.node(reflect.ValueOf(m), "", 0, minor >= 9)
	return d.String()
}

var (
	operators = [...]string{"Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr", "BitXor", "BitAnd",
		"FloorDiv", "And", "Or", "Invert", "Not", "UAdd", "USub", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"}
	constantKinds  = [...]string{"None", "True", "False", "Ellipsis", "Str", "Bytes", "Int", "Float", "Complex"}
	typeParamKinds = [...]string{"TypeVar", "TypeVarTuple", "ParamSpec"}
)

// unplaced are parts that have no position in CPython's tree, or only in newer
// versions.
func (d *dumper) placed(v reflect.Value) bool {
	switch v.Interface().(type) {
	case Alias:
		return d.minor >= 10
	}
	return v.FieldByName("Position").IsValid()
}

func (d *dumper) node(v reflect.Value, field string, depth int, placed bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	d.WriteString(strings.Repeat(" ", depth))
	if field != "" {
		d.WriteString(field + "=")
	}
	d.WriteString(v.Type().Name())
	if t, ok := v.Interface().(TypeParam); ok {
		d.WriteString(" " + typeParamKinds[t.Kind])
	}
	if placed && d.placed(v) {
		at := v.Addr().Interface().(Node).Pos()
		fmt.Fprintf(d, " %d:%d", at.Line, at.Col)
	}
	switch n := v.Addr().Interface().(type) {
	case *Constant:
		d.WriteString(" " + value(n) + "\n")
		return
	case *MatchSingleton:
		d.WriteString(" " + constantKinds[n.Value] + "\n")
		return
	case *JoinedStr:
		d.WriteString("\n")
		d.values(n.Values, depth+1, placed)
		return
	case *TemplateStr:
		d.WriteString("\n")
		d.values(n.Values, depth+1, placed)
		return
	}
	d.WriteString("\n")
	type named struct {
		name  string
		value reflect.Value
	}
	var fields []named
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.Anonymous && f.Type.Kind() != reflect.Int32 { // those count calls, and Python does not
			fields = append(fields, named{strings.ToLower(f.Name), v.Field(i)})
		}
	}
	slices.SortFunc(fields, func(a, b named) int { return strings.Compare(a.name, b.name) })
	for _, f := range fields {
		d.field(f.value, f.name, depth+1, placed)
	}
}

func (d *dumper) values(list []Expr, depth int, placed bool) {
	for _, e := range list {
		if c, ok := e.(*Constant); ok {
			fmt.Fprintf(d, "%svalues=Constant %s\n", strings.Repeat(" ", depth), value(c))
		} else {
			d.node(reflect.ValueOf(e), "values", depth, placed && d.minor >= 12)
		}
	}
}

func (d *dumper) field(v reflect.Value, name string, depth int, placed bool) {
	space := strings.Repeat(" ", depth)
	switch x := v.Interface().(type) {
	case Operator:
		fmt.Fprintf(d, "%s%s=%s\n", space, name, operators[x])
		return
	case TypeParamKind:
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			if e := v.Index(i); e.Kind() == reflect.Interface && e.IsNil() {
				fmt.Fprintf(d, "%s%s=nil\n", space, name)
			} else {
				d.field(e, name, depth, placed)
			}
		}
	case reflect.String:
		if s := v.String(); s != "" {
			fmt.Fprintf(d, "%s%s=%s\n", space, name, quoted(s))
		}
	case reflect.Bool:
		if v.Bool() {
			fmt.Fprintf(d, "%s%s=1\n", space, name)
		}
	case reflect.Int:
		if v.Int() != 0 {
			fmt.Fprintf(d, "%s%s=%d\n", space, name, v.Int())
		}
	case reflect.Uint8: // a conversion
		if c := byte(v.Uint()); c != 0 {
			fmt.Fprintf(d, "%s%s=%s\n", space, name, quoted(string(c)))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			d.node(v, name, depth, placed)
		}
	default:
		d.node(v, name, depth, placed)
	}
}

// value writes a constant. One with names of characters in it is unknown.
func value(c *Constant) string {
	kind := constantKinds[c.Kind]
	switch c.Kind {
	case Str, Bytes:
		if c.Unknown {
			return kind + " ?"
		}
		return kind + " " + quoted(c.Text)
	case Int:
		n, ok := new(big.Int).SetString(c.Text, 0)
		if !ok {
			return kind + " not a number: " + c.Text
		}
		return fmt.Sprintf("%s %x", kind, n)
	case Float, Complex:
		f, err := strconv.ParseFloat(c.Text, 64)
		if err != nil && !math.IsInf(f, 0) {
			return kind + " not a number: " + c.Text
		}
		return fmt.Sprintf("%s %016x", kind, math.Float64bits(f))
	}
	return kind
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if ' ' <= c && c < 0x7F && c != '"' && c != '\\' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// sameTree compares lines, where one of ours may be unknown.
func sameTree(ours, theirs string) bool {
	if ours == theirs {
		return true
	}
	if !strings.Contains(ours, " ?\n") {
		return false
	}
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	return slices.EqualFunc(a, b, func(a, b string) bool {
		start, unknown := strings.CutSuffix(a, "?")
		return a == b || unknown && strings.HasPrefix(b, start)
	})
}
