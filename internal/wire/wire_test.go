package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1)
	for _, row := range []struct{ in, want string }{
		{"", "byte 0: nothing to read"},
		{" \n\t ", "byte 4: nothing to read"},
		{"\x00", "byte 0: not JSON: want a value"},
		{"\xef\xbb\xbf{}", "byte 0: not JSON: want a value"},
		{"nul", "byte 0: not JSON: want a value"},
		{"truest", "byte 4: a second value after the first"},
		{"{} {}", "byte 3: a second value after the first"},
		{"{}\x00", "byte 2: a second value after the first"},
		{"{", "byte 1: ends where a key should be"},
		{`{"a"`, "byte 4: ends where a colon should be"},
		{`{"a":`, "byte 5: ends where a value should be"},
		{`{"a":1`, "byte 6: ends where a comma or the end of the list should be"},
		{`{"a":1,}`, "byte 7: not JSON: want a key"},
		{`{a:1}`, "byte 1: not JSON: want a key"},
		{`{'a':1}`, "byte 1: not JSON: want a key"},
		{`[1,]`, "byte 3: not JSON: want a value"},
		{`[1 2]`, "byte 3: not JSON: want a comma or the end of the list"},
		{`[1}`, "byte 2: not JSON: want a comma or the end of the list"},
		{"// c\n1", "byte 0: not JSON: want a value"},
		{"01", "byte 1: a second value after the first"},
		{"-", "byte 1: ends where a digit should be"},
		{"1.", "byte 2: ends where a digit should be"},
		{"1e+", "byte 3: ends where a digit should be"},
		{"NaN", "byte 0: not JSON: want a value"},
		{`"a`, "byte 2: ends inside a string"},
		{`"a\`, "byte 2: ends inside a string"},
		{"\"a\nb\"", "byte 2: a control character inside a string"},
		{"\"a\x00b\"", "byte 2: a control character inside a string"},
		{`"\x41"`, "byte 1: not an escape"},
		{`"\u12g4"`, "byte 1: not an escape: want four hexadecimal digits"},
		{`"\u+123"`, "byte 1: not an escape: want four hexadecimal digits"},
		{`"\u12"`, "byte 1: not an escape: want four hexadecimal digits"},
		{`"\ud83d"`, "byte 1: half of a surrogate pair"},
		{`"\ude00"`, "byte 1: half of a surrogate pair"},
		{`"\ude00\ud83d"`, "byte 1: half of a surrogate pair"},
		{`"\ud83dx"`, "byte 1: half of a surrogate pair"},
		{`"\ud83d\n"`, "byte 1: half of a surrogate pair"},
		{"\"\xff\"", "byte 1: not UTF-8"},
		{"\"\xed\xa0\x80\"", "byte 1: not UTF-8"}, // a surrogate as three bytes
		{"\"\xc0\xaf\"", "byte 1: not UTF-8"},     // an overlong slash
		{"\"\xe2\x82\"", "byte 1: not UTF-8"},
		{deep, "byte 500: nested too deeply"},
	} {
		_, err := Parse([]byte(row.in))
		var at *Error
		if err == nil || err.Error() != row.want || !errors.As(err, &at) {
			t.Errorf("%.40q: error %v, want %s", row.in, err, row.want)
		}
	}
}

func TestParseAccepts(t *testing.T) {
	for in, kind := range map[string]string{
		`null`: "null", ` true `: "boolean", `false`: "boolean", "\t-0.5e-7\r\n": "number", `0`: "number",
		`"\ud83d\ude00 \u00e9 é \\ \" \/"`: "string", `[]`: "array", `[ ]`: "array", `{ }`: "object",
		strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth): "array",
	} {
		v, err := Parse([]byte(in))
		if err != nil || v.Kind() != kind {
			t.Errorf("%.40q: kind %s, error %v; want %s", in, v.Kind(), err, kind)
		}
	}
}

func parse(t *testing.T, in string) Value {
	t.Helper()
	v, err := Parse([]byte(in))
	if err != nil {
		t.Fatalf("%.80q: %v", in, err)
	}
	return v
}

func TestObject(t *testing.T) {
	o, err := parse(t, ` { "a" : "x\"\\" , "b":[ {"c" : "]}"}, 1 ] ,"d":{ },"":-1,"e":true} `).Object()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a": `"x\"\\"`, "b": `[ {"c" : "]}"}, 1 ]`, "d": "{ }", "": "-1", "e": "true", "none": "", "A": ""} {
		if got := string(o.Get(key).raw); got != want {
			t.Errorf("member %q is %s, want %s", key, got, want)
		}
	}
	if len(o) != 5 {
		t.Errorf("%d members, want 5", len(o))
	}
}

func TestObjectRefuses(t *testing.T) {
	many := "{" + strings.TrimSuffix(strings.Repeat(`"%":1,`, MaxMembers+1), ",") + "}"
	for i := range MaxMembers + 1 {
		many = strings.Replace(many, "%", strings.Repeat("k", i), 1)
	}
	for _, row := range []struct{ in, want string }{
		{`[]`, "byte 0: want an object, found an array"},
		{` null`, "byte 1: want an object, found null"},
		{`{"a":1,"b":2,"a":1}`, `byte 13: key "a" a second time`},
		{`{"a":1,"\u0061":1}`, `byte 7: key "a" a second time`},
		{`{"command":"ls","Command":"rm"}`, `byte 16: keys "command" and "Command" differ only in case`},
		{`{"k":1,"` + "\u212a" + `":1}`, "byte 7: keys \"k\" and \"\u212a\" differ only in case"}, // the Kelvin sign folds to k
		{many, "byte 20901: an object of more than 200 members"},
	} {
		_, err := parse(t, row.in).Object()
		if err == nil || err.Error() != row.want {
			t.Errorf("%.40q: error %v, want %s", row.in, err, row.want)
		}
	}
}

func TestValues(t *testing.T) {
	o, err := parse(t, `{"s":"é\n","t":true,"n":42,"neg":-1,"big":1000000000,"frac":1.5,"list":["a","b\u0000"],"mixed":["a",1],"none":[]}`).Object()
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got, want any, err error, wantErr string) {
		t.Helper()
		message := ""
		if err != nil {
			message = err.Error()
		}
		if !reflect.DeepEqual(got, want) || message != wantErr {
			t.Errorf("%s: %#v, error %q; want %#v, %q", what, got, message, want, wantErr)
		}
	}
	s, err := o.Get("s").Text()
	check("text", s, "é\n", err, "")
	_, err = o.Get("n").Text()
	check("text of a number", nil, nil, err, "byte 25: want a string, found a number")
	_, err = Object(nil).Get("none").Text()
	check("text of nothing", nil, nil, err, "byte 0: want a string, found nothing")
	b, err := o.Get("t").Bool()
	check("bool", b, true, err, "")
	_, err = o.Get("s").Bool()
	check("bool of a string", nil, nil, err, "byte 5: want a boolean, found a string")
	n, err := o.Get("n").Count()
	check("count", n, 42, err, "")
	for _, bad := range []string{"neg", "big", "frac"} {
		if _, err := o.Get(bad).Count(); err == nil {
			t.Errorf("count of %s: no error", bad)
		}
	}
	list, err := o.Get("list").Texts()
	check("texts", list, []string{"a", "b\x00"}, err, "")
	list, err = o.Get("none").Texts()
	check("no texts", list, []string{}, err, "")
	if _, err := o.Get("mixed").Texts(); err == nil || !strings.Contains(err.Error(), "want a string, found a number") {
		t.Errorf("texts of mixed values: %v", err)
	}
}

func TestAppendText(t *testing.T) {
	in := "a\"b\\c\n\r\t\x00\x1b\x7f é 😀 \u2028\u2029 \xff\xed\xa0\x80 </script>"
	want := `"a\"b\\c\n\r\t\u0000\u001b\u007f é 😀 \u2028\u2029 ` + "\ufffd\ufffd\ufffd\ufffd" + ` </script>"`
	if got := string(AppendText(nil, in)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Ten megabytes of each shape that could cost more than linear time.
func TestLargeInput(t *testing.T) {
	const size = 10 << 20
	for name, in := range map[string]string{
		"quotes":      `{"a":"` + strings.Repeat(`\"`, size/2) + `"}`,
		"backslashes": `{"a":"` + strings.Repeat(`\\`, size/2) + `"}`,
		"strings":     `{"a":[` + strings.Repeat(`"",`, size/3) + `""]}`,
		"plain":       `{"a":"` + strings.Repeat("x", size) + `"}`,
		"numbers":     `{"a":[` + strings.Repeat("1,", size/2) + `1]}`,
		"blanks":      `{` + strings.Repeat(" ", size) + `"a":1}`,
		"objects":     `{"a":[` + strings.Repeat(`{"k":[]},`, size/9) + `1]}`,
	} {
		data := []byte(in)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		v, err := Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if o, err := v.Object(); err != nil || len(o) != 1 {
			t.Fatalf("%s: %d members, %v", name, len(o), err)
		}
		// Fifty milliseconds are usual. The limit only guards against quadratic
		// time, which would be days.
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v", name, took)
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 64<<10 {
			t.Errorf("%s: %d bytes allocated", name, bytes)
		}
	}
}

// FuzzParse holds Parse against encoding/json, which accepts more.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{``, `{"tool_input":{"command":"ls"}}`, `[1,-2.5e3,"\ud83d\ude00\\\"",null,true,{"a":{"A":[]}}]`, "\"\xff\"", `"\ud800"`, `{"a":1,"a":2} x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			if json.Valid(data) && utf8.Valid(data) && !strings.Contains(strings.ToLower(string(data)), `\ud`) && len(data) < MaxDepth {
				t.Fatalf("refused valid input: %v", err)
			}
			return
		}
		if !json.Valid(data) || !utf8.Valid(data) {
			t.Fatal("accepted invalid input")
		}
		compare(t, v)
	})
}

// compare checks that v means what encoding/json says it means.
func compare(t *testing.T, v Value) {
	var want any
	d := json.NewDecoder(bytes.NewReader(v.raw))
	d.UseNumber() // a float64 does not hold 1E700
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	switch want := want.(type) {
	case string:
		got, err := v.Text()
		if err != nil || got != want {
			t.Fatalf("text %q, %v; want %q", got, err, want)
		}
	case bool:
		if got, err := v.Bool(); err != nil || got != want {
			t.Fatalf("bool %v, %v; want %v", got, err, want)
		}
	case json.Number:
		if got, err := v.Count(); err == nil && strconv.Itoa(got) != want.String() {
			t.Fatalf("count %v, want %v", got, want)
		}
	case map[string]any:
		o, err := v.Object()
		if err != nil {
			return
		}
		if len(o) != len(want) {
			t.Fatalf("%d members, want %d", len(o), len(want))
		}
		for _, m := range o {
			if _, ok := want[m.Key]; !ok {
				t.Fatalf("key %q is not there", m.Key)
			}
			compare(t, m.Value)
		}
	case []any:
		got, err := v.Texts()
		if err == nil && len(got) != len(want) {
			t.Fatalf("%d values, want %d", len(got), len(want))
		}
	}
}

// FuzzAppendText checks that what is written is read back.
func FuzzAppendText(f *testing.F) {
	f.Add("a\"b\\\n\x00é\u2028\xff")
	f.Fuzz(func(t *testing.T, s string) {
		out := AppendText(nil, s)
		got := ""
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && got != want {
			t.Fatalf("%q became %q", s, got)
		}
		v, err := Parse(out)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := v.Text(); err != nil || text != got {
			t.Fatalf("%q, %v; want %q", text, err, got)
		}
	})
}
