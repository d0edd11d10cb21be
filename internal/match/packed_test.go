package match

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/policy"
)

// filler gives every field of a value something that is not zero, another thing
// each time.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value, without ...string) {
	f.n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", f.n%7)) // some are the same
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(1 - f.n)) // negative numbers, too
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(uint64(1 + f.n%200))
	case reflect.Uint32:
		v.SetUint(1<<31 + uint64(f.n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Struct:
	fields:
		for i := range v.NumField() {
			for _, name := range without {
				if v.Type().Field(i).Name == name {
					continue fields
				}
			}
			if !v.Type().Field(i).IsExported() {
				continue // not packed
			}
			f.fill(v.Field(i))
		}
	default:
		panic("a field of type " + v.Type().String())
	}
}

// unpacked is a text as what reads it.
func unpacked(text string, programs int) *Packed {
	return &Packed{Text: &text, Unpacked: make([]atomic.Pointer[Program], programs)}
}

// TestPackedFields packs values of which every field is set, and finds every one
// again.
func TestPackedFields(t *testing.T) {
	var f filler
	var gates []*Gate
	for i := range 3 {
		g := &Gate{}
		f.fill(reflect.ValueOf(g).Elem(), "Packed", "Own", "Index")
		g.File = fmt.Sprintf("%d.toml", i)
		for k := range 3 {
			p := new(Program)
			f.fill(reflect.ValueOf(p).Elem())
			p.Name = fmt.Sprintf("p%d.%d", i, k)
			g.Own = append(g.Own, p)
		}
		gates = append(gates, g)
	}
	var w Packer
	w.Head("something before")
	w.Add(gates...)
	p := unpacked(w.String(), 9)
	for _, want := range gates {
		got := Gate{Packed: p}
		p.rows(want.File, &got)
		got.Own = got.Programs()
		got.Packed = nil
		if d := cmp.Diff(want, &got, cmp.AllowUnexported(Program{}, Level{})); d != "" {
			t.Errorf("%s (-packed +unpacked):\n%s", want.File, d)
		}
	}
}

// TestPackedNames looks names up among those of the files that they were packed
// with, an empty file and names of many programs among them.
func TestPackedNames(t *testing.T) {
	program := func(name string, aliases ...string) *Program {
		return &Program{Name: name, Aliases: aliases, Rules: []Rule{{ID: name, Origin: &Origin{Program: name}, Conditions: &NoConditions}}}
	}
	groups := [][]*Gate{
		{{File: "a", Own: []*Program{program("x", "z"), program("y")}}, {File: "b", Own: []*Program{program("z", "a", "x")}}},
		{{File: "none"}},
		{{File: "c", Own: []*Program{program("z")}}},
		{{File: "equal sums", Own: []*Program{program("liquid"), program("costarring", "liquid")}}},
		{{File: "none at the end"}},
	}
	var w Packer
	for _, g := range groups {
		w.Add(g...)
	}
	p := unpacked(w.String(), 6)
	for _, row := range []struct{ file, name, own, first string }{
		{"", "x", "x", "x"}, {"", "a", "", "z"}, {"", "b", "", ""}, {"", "", "", ""},
		{"a", "z", "x", "x"}, {"b", "z", "z", "x"}, {"b", "x", "z", "x"}, {"b", "y", "", "y"},
		{"none", "z", "", ""}, {"c", "z", "z", "z"}, {"c", "x", "", ""}, {"none at the end", "z", "", ""},
		{"equal sums", "liquid", "liquid costarring", "liquid"}, {"equal sums", "costarring", "costarring", "costarring"},
	} {
		var own []string
		for _, program := range p.of(row.file, row.name) {
			own = append(own, program.Name)
		}
		if got := strings.Join(own, " "); got != row.own {
			t.Errorf("%q of %q itself is %q, want %q", row.name, row.file, got, row.own)
		}
		first := ""
		if found := p.Find(row.file, row.name); found != nil {
			first = found.Name
		}
		if first != row.first {
			t.Errorf("%q as %q finds it is %q, want %q", row.name, row.file, first, row.first)
		}
	}
}

// TestPackedOnce unpacks a program for all who ask at the same time, once: rules
// are compared by their address.
func TestPackedOnce(t *testing.T) {
	var w Packer
	w.Add(&Gate{File: "a", Own: []*Program{{Name: "x"}}})
	p := unpacked(w.String(), 1)
	found := make([]*Program, 8)
	var all sync.WaitGroup
	for i := range found {
		all.Go(func() { found[i] = p.Find("", "x") })
	}
	all.Wait()
	for _, program := range found {
		if program != found[0] || program == nil {
			t.Fatal("two values for one program")
		}
	}
}

// TestPackedElsewhere: of the rules about other subcommands none is about the one that
// was read, and a rule about one subcommand is not unpacked for another.
func TestPackedElsewhere(t *testing.T) {
	rules := []struct {
		paths []string
		word  string // that all paths begin with
	}{
		{nil, ""}, {[]string{"a b"}, "a"}, {[]string{"a", "a c"}, "a"}, {[]string{"b", "a"}, ""},
		{[]string{"*"}, ""}, {[]string{""}, ""}, {[]string{}, ""}, {[]string{"b"}, "b"}, {[]string{"a* c"}, ""}, {[]string{"a b c"}, "a"},
	}
	program := &Program{Name: "x"}
	for _, r := range rules {
		program.Rules = append(program.Rules, Rule{Origin: &Origin{Program: "x"}, Conditions: &NoConditions, Paths: r.paths})
	}
	program.Prepare()
	var w Packer
	w.Add(&Gate{File: "f", Own: []*Program{program}})
	p := unpacked(w.String(), 1).program(0)
	for _, path := range [][]string{nil, {"a"}, {"ab"}, {"b"}, {"c"}, {"a", "b"}, {"a", "c"}, {"b", "c"}, {"a", "b", "c"}} {
		first, mark := "", uint32(0)
		if len(path) > 0 {
			first, mark = path[0], markOf(path[0])
		}
		for i, r := range rules {
			got, want := p.packed.elsewhere(i, mark), r.word != "" && r.word != first
			if got != want {
				t.Errorf("rule %d about %q is elsewhere for %q: %t, want %t", i, r.paths, path, got, want)
			}
			for _, pattern := range r.paths {
				if got && (pathMatches(pattern, path, false) || pathMatches(pattern, path, true)) {
					t.Errorf("rule %d about %q is elsewhere for %q, of which it is", i, r.paths, path)
				}
			}
		}
	}
	c := &Call{Cmd: &policy.Command{Words: []policy.Word{policy.Const("x"), policy.Const("b")}}, Name: "x"}
	c.Judge(p)
	if !slices.Equal(c.path, []string{"b"}) {
		t.Fatalf("the subcommand is %q, want b", c.path)
	}
	for i, r := range rules {
		if got, want := p.packed.ready[i].Load(), r.word != "a"; got != want {
			t.Errorf("rule %d about %q is unpacked for b: %t, want %t", i, r.paths, got, want)
		}
	}
}

// TestPackedSpoiled reads spoiled texts, which must end, and may say nothing or
// panic.
func TestPackedSpoiled(t *testing.T) {
	var f filler
	p := new(Program)
	f.fill(reflect.ValueOf(p).Elem())
	var w Packer
	w.Add(&Gate{File: "a", Own: []*Program{p}})
	whole := w.String()
	end := int(binary.LittleEndian.Uint32([]byte(whole[len(whole)-4:])))
	r := rand.New(rand.NewPCG(1, 2))
	told := 0
	for range 20000 {
		spoiled := []byte(whole)
		for range 1 + r.IntN(3) {
			spoiled[r.IntN(end)] = byte(r.Uint32())
		}
		func() {
			defer func() {
				if recover() != nil {
					told++
				}
			}()
			unpacked(string(spoiled), 1).whole(0)
		}()
	}
	if told == 0 {
		t.Error("no spoiled text was told")
	}
}

// TestUnpack packs gates alone, an empty one and empty lists among them, and finds
// all that they say.
func TestUnpack(t *testing.T) {
	var f filler
	full := &Gate{}
	f.fill(reflect.ValueOf(full).Elem(), "Packed", "Own", "Index")
	for _, name := range []string{"a", "b", "c/d"} {
		p := new(Program)
		f.fill(reflect.ValueOf(p).Elem())
		p.Name, p.Aliases = name, []string{name + "2"}
		full.Own = append(full.Own, p)
	}
	empty := &Conditions{Args: []string{}, Bounds: &Bounds{Wrappers: []string{}}}
	for _, want := range []*Gate{
		full, {}, {Name: "rows", File: "x/rows.toml", Tools: []ToolRule{{Names: []string{}}}, Servers: []ServerRule{}},
		{File: "x", Own: []*Program{{Name: "./x"}, {Name: "x", Rules: []Rule{{Origin: &Origin{Program: "x"}, Conditions: empty, Operands: []Operand{{Values: []string{}}}}}}}},
	} {
		got := Unpack(want.Pack())
		if got == nil {
			t.Fatalf("%q can't be unpacked", want.File)
		}
		var names, files []string
		for _, p := range got.Files() {
			files = append(files, p.Name)
		}
		for _, p := range want.Files() {
			names = append(names, p.Name)
		}
		if d := cmp.Diff(names, files); d != "" {
			t.Errorf("named by a path (-packed +unpacked):\n%s", d)
		}
		for _, p := range want.Own {
			if found := got.Find(p.Name); found == nil != strings.Contains(p.Name, "/") {
				t.Errorf("%s is found: %t", p.Name, found != nil)
			}
			if list := got.Named(p.Name); len(list) != 1 || list[0] != got.Named(p.Name)[0] {
				t.Errorf("%d programs are called %s", len(list), p.Name)
			}
		}
		if got.Own = got.Programs(); len(got.Own) == 0 {
			got.Own = nil
		}
		got.Packed = nil
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Program{}, Level{})); d != "" {
			t.Errorf("%q (-packed +unpacked):\n%s", want.File, d)
		}
	}
}

// TestUnpackSpoiled: of a text that is not whole there is no gate, or one whose rows
// and directory can be read; its programs may panic.
func TestUnpackSpoiled(t *testing.T) {
	var f filler
	g := &Gate{}
	f.fill(reflect.ValueOf(g).Elem(), "Packed", "Own", "Index")
	for _, name := range []string{"a", "b/c"} {
		p := new(Program)
		f.fill(reflect.ValueOf(p).Elem())
		p.Name = name
		g.Own = append(g.Own, p)
	}
	whole := g.Pack()
	try := func(text string) bool {
		g := Unpack(text)
		if g != nil {
			for _, name := range []string{"a", "b/c", "z", ""} {
				g.Packed.named(g.File, name)
			}
		}
		return g != nil
	}
	for n := range len(whole) {
		if try(whole[:n]) {
			t.Errorf("%d of %d bytes can be unpacked", n, len(whole))
		}
	}
	told := 0
	for i := range len(whole) {
		for _, with := range []byte{0x01, 0x80, 0xff} {
			spoiled := []byte(whole)
			spoiled[i] ^= with
			if !try(string(spoiled)) {
				told++
			}
		}
	}
	if told == 0 {
		t.Error("no spoiled text was told")
	}
}
