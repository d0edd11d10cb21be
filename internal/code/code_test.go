package code

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestTakes(t *testing.T) {
	text, number, none := Const("str", "r"), Of("int"), Of("none")
	for _, row := range []struct {
		signature string
		passed    []Value
		open      bool
		takes     bool
	}{
		{"(read, mode:data=r|rb?)", []Value{text, nil}, false, true},
		{"(read, mode:data=r|rb?)", []Value{text, text}, false, true},
		{"(read, mode:data=r|rb?)", []Value{text, Const("str", "w")}, false, false},
		{"(read, mode:data=r|rb?)", []Value{text, Of("str")}, false, false},
		{"(read, mode:data=r|rb?)", []Value{text, Join(text, Const("str", "w"))}, false, false},
		{"(read, mode:data=r|rb?)", []Value{text, Anything()}, false, false},
		{"(read, data)", []Value{text, nil}, false, false},
		{"(read, data)", []Value{text, nil}, true, true},
		{"(data=<int>)", []Value{number}, false, true},
		{"(data=<int>)", []Value{Join(number, Of("str"))}, false, false}, // each of them
		{"(data=None|<int>)", []Value{Join(number, none)}, false, true},
		{"(data=*)", []Value{none}, false, false},
	} {
		sig, err := ParseSignature(row.signature)
		if err != nil {
			t.Fatal(err)
		}
		if got := sig.Takes(row.passed, row.open); got != row.takes {
			t.Errorf("%s takes %v: %v", row.signature, row.passed, got)
		}
	}
}

func TestSignatureErrors(t *testing.T) {
	for _, bad := range []string{"", "read", "(read", "(read) str", "(frob)", "(read) -> list["} {
		if sig, err := ParseSignature(bad); err == nil {
			t.Errorf("%q is %+v", bad, sig)
		}
	}
}

// TestJoin: what joins forgets nothing, in any order, and ends.
func TestJoin(t *testing.T) {
	box := &Box{}
	values := []Value{
		nil, Plain(), Anything(), Const("str", "a"), Const("str", "b"), Of("str"), Of("int"), {{Type: "list", Box: box}}, {{Kind: Project, Type: "project"}},
	}
	for _, a := range values {
		for _, b := range values {
			ab, ba := Join(a, b), Join(b, a)
			if !Same(ab, ba) {
				t.Errorf("%v and %v: %v, %v", a, b, ab, ba)
			}
			if !Same(Join(ab, a), ab) || !Same(Join(ab, b), ab) {
				t.Errorf("%v and %v forget one: %v", a, b, ab)
			}
		}
	}
	var many Value
	for i := range 3 * maxShapes {
		many = Join(many, Number(i))
	}
	if !Same(many, Of("int")) {
		t.Errorf("of many numbers %v is left", many)
	}
}

// TestUnion: what is looked up among many shapes is what going through them finds, and
// what was told of a union before stays as it was.
func TestUnion(t *testing.T) {
	var list []Value
	for i := range 3 * manyShapes {
		box, text := &Box{}, Const("str", string(rune('a'+i)))
		list = append(list,
			Value{{Type: "list", Box: box}}, Value{{Type: "dict", Box: box}}, Value{{Kind: Defined, Own: box}},
			Value{{Kind: Member, Type: "list.append", Self: &Value{{Type: "list", Box: box}}}},
			Value{{Kind: Member, Type: "str.upper", Self: &text}},
			text, Number(i%maxShapes), Plain(), Anything())
	}
	var u Union
	for _, v := range append(list, list...) {
		told := u.Value()
		before := slices.Clone(told)
		same, news := 0, !slices.ContainsFunc(before, func(s Shape) bool { return s.covers(&v[0], new(int)) })
		for i := range before {
			before[i].covers(&v[0], &same)
		}
		u.Add(v)
		switch now := u.Value(); {
		case !Same(told, before):
			t.Fatalf("%v changes what was told before", v)
		case same == maxShapes && news:
			if !Same(now[len(now)-1:], Of(v[0].Type)) || len(now) != len(before)-maxShapes+1 {
				t.Fatalf("one more text makes %v of %v", now, before)
			}
		case news && !Same(now, append(before, v[0])), !news && !Same(now, before):
			t.Fatalf("%v makes %v of %v", v, now, before)
		}
	}
}

// TestFind: the first text that speaks of a name counts.
func TestFind(t *testing.T) {
	own := Sorted([]string{"python\tos.remove\t(data)"})
	rest := Sorted([]string{"python\tos.remove\t(delete)", "python\tos.rename\t(move, write)", "python\tos\tmodule", "python\tos.fork\t! executes unknown Starts another one"})
	f := Facts{Texts: []string{own, rest}}
	if e := f.Find("python", "os.remove"); e.Kind != Function || len(e.Calls) != 1 || e.Calls[0].Params[0].Kinds[0].Kind.String() != "data" {
		t.Errorf("os.remove is %+v", e)
	}
	if e := f.Find("python", "os"); e.Kind != Module {
		t.Errorf("os is %+v", e)
	}
	if e := f.Find("python", "os.fork"); e.Kind != Asked || e.Ask.Reason != "Starts another one" || e.Ask.Effects != policy.Executes {
		t.Errorf("os.fork is %+v", e)
	}
	for _, name := range []string{"os.re", "os.removed", "", "zz", "a"} {
		if e := f.Find("python", name); e.Kind != Nothing {
			t.Errorf("%q is %+v", name, e)
		}
	}
	if e := f.Find("javascript", "os"); e.Kind != Nothing {
		t.Errorf("another language's os is %+v", e)
	}
}

// TestOwners: what stands before a name is told in the order of the texts and of
// their lines, as often as it stands there, for this language only.
func TestOwners(t *testing.T) {
	own := Sorted([]string{"python\tmine.join\t() -> str"})
	rest := Sorted([]string{
		"python\tos.path.join\t(data) -> str", "python\tstr.join\t(data) -> str", "python\tstr.join\t(data, data) -> str",
		"python\tstr.joined\t: str", "python\tjoin\tmodule", "python\tos.sep\t: str.join", "javascript\tArray.join\t() -> str",
	})
	f := Facts{Texts: []string{own, rest}}
	for _, row := range []struct {
		language, name string
		most           int
		want           []string
	}{
		{"python", "join", 9, []string{"mine", "os.path", "str", "str"}},
		{"python", "join", 2, []string{"mine", "os.path"}},
		{"python", "path.join", 9, []string{"os"}},
		{"javascript", "join", 9, []string{"Array"}},
		{"python", "oin", 9, nil},
		{"python", "", 9, nil},
		{"java", "join", 9, nil},
	} {
		var got []string
		f.Owners(row.language, row.name, func(owner string) bool {
			got = append(got, owner)
			return len(got) < row.most
		})
		if !slices.Equal(got, row.want) {
			t.Errorf("%s %q: %q, want %q", row.language, row.name, got, row.want)
		}
	}
	(&Facts{}).Owners("python", "join", func(owner string) bool {
		t.Errorf("the zero value knows %q", owner)
		return true
	})
}

// TestConcat: words one behind the other are what putting one behind another makes.
func TestConcat(t *testing.T) {
	text, hole := policy.Const("ab"), policy.Unknown("...")
	lit := policy.Word{Parts: []policy.Part{{Text: "a"}, {Text: "b"}}}
	long, many := policy.Const(strings.Repeat("x", MaxText/2)), policy.Word{Parts: slices.Repeat(hole.Parts, maxParts/2)}
	all := []policy.Word{text, hole, lit, long, many, policy.Const("")}
	for n := range len(all) * len(all) * len(all) * len(all) {
		var words []policy.Word
		for i := n; len(words) < 4; i /= len(all) {
			words = append(words, all[i%len(all)])
		}
		want := words[0]
		for _, w := range words[1:] {
			want = behind(want, w)
		}
		if got := Concat(words...); !reflect.DeepEqual(got, want) {
			t.Errorf("%.40q: %.60v, want %.60v", words, got, want)
		}
	}
}
