package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSalvage(t *testing.T) {
	for _, row := range []struct {
		name, data string
		want       []string
	}{
		{"nothing", "", nil},
		{"a document", `{"a":"x","command":"ls","b":{"command":"rm"},"c":["y"]}`, []string{"ls", "rm"}},
		{"below a key", `{"tool_input":{"command":"ls","n":7,"more":{"a":["b"]}},"z":"z"}`, []string{"ls", "b"}},
		{"a key in another case", `{"Command":"ls"}`, []string{"ls"}},
		{"an escaped key", `{"\u0063ommand":"ls"}`, []string{"ls"}},
		{"another key", `{"commands":"ls"}`, nil},
		{"twice", `{"command":"ls","command":"rm","command":"ls"}`, []string{"ls", "rm"}},
		{"escapes", `{"command":"a\n\t\"\\\/\u00e9\ud83d\ude00"}`, []string{"a\n\t\"\\/é😀"}},
		{"escapes that are none", `{"command":"\x\u12"}`, []string{"xu12"}},
		{"cut off in an escape", `{"command":"ls\`, []string{`ls\`}},
		{"half a pair", `{"command":"a\ud800b"}`, []string{"a\ufffdb", "ab"}},
		{"not UTF-8", "{\"command\":\"a\xffb\"}", []string{"a\ufffdb", "ab"}},
		{"a key that is not UTF-8", "{\"com\xffmand\":\"ls\"}", []string{"ls"}},
		{"cut off", `{"a":"x","command":"ls`, []string{"ls"}},
		{"cut off in another", `{"a":"x`, nil},
		{"cut off in a key", `{"a":"x","comm`, []string{"comm"}},
		{"no beginning", `and":"ls","a":"b"}`, []string{`and":"ls","a":"b"}`, "and", ":", "ls", ",", "a", "b", "}"}},
		{"a list", `{"command":["rm","-rf",["/"]]}`, []string{"rm", "-rf", "/", "rm -rf"}},
		{"an open list", `{"command":["rm","-rf","/"`, []string{"rm", "-rf", "/", "rm -rf /"}},
		{"other kinds", `{"command":[null,true,false,-1.5e3,{}]}`, nil},
		{"open quotes", `{"command":"echo "rm" -rf"}`, []string{"echo ", "rm", " -rf", `"echo "rm" -rf"`, `echo "rm" -rf`}},
		{"single quotes", `{'command':'ls'}`, []string{"ls"}},
		{"no quotes", `{command: rm -rf /, a: b}`, []string{"rm -rf /"}},
		{"no JSON", " rm -rf / \n", []string{"rm -rf / \n", "rm -rf /"}},
		{"a text", `"ls"`, []string{"ls"}},
		{"a second value", `{"a":"b"} {"command":"ls"}`, []string{"ls"}},
		{"too many ends", `]}{"command":"ls"}`, []string{`]}{"command":"ls"}`, "ls"}},
	} {
		if diff := cmp.Diff(row.want, Salvage([]byte(row.data), "tool_input", "command")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

// TestSalvageLimits bounds what is found, and how long it takes to find it.
func TestSalvageLimits(t *testing.T) {
	const large = 4 << 20
	deep := strings.Repeat("[", large) + `"x"`
	for name, data := range map[string]string{
		"long":      `{"command":"` + strings.Repeat("x", large),
		"many":      `{"command":[` + strings.Repeat(`"a",`, large/4),
		"different": `{"command":[` + many(large/10),
		"beside":    `{"command":` + strings.Repeat(`"a"`, large/3),
		"deep":      deep,
		"objects":   strings.Repeat(`{"command":`, large/11) + `"x"`,
		"colons":    strings.Repeat(`:`, large),
		"escapes":   `{"command":"` + strings.Repeat(`\u00e9`, large/6),
		"ends":      strings.Repeat(`]`, large),
	} {
		start := time.Now()
		found := Salvage([]byte(data), "command")
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		total := 0
		for _, text := range found {
			total += len(text)
			if len(text) > maxSalvagedText {
				t.Errorf("%s: a text of %d bytes", name, len(text))
			}
		}
		if len(found) > maxSalvaged || total > maxSalvagedBytes {
			t.Errorf("%s: %d texts, %d bytes", name, len(found), total)
		}
	}
	if found := Salvage([]byte(deep), "command"); !slices.Contains(found, "x") {
		t.Errorf("deep: %.100q", found)
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Quote(strconv.Itoa(i)+"x") + ",")
	}
	return b.String()
}

// FuzzSalvage puts a text into a document and then damages that: the text is
// found all the same, as long as it is there.
func FuzzSalvage(f *testing.F) {
	f.Add("rm -rf /", 40, []byte(`,"command":"ls"}}`))
	f.Add("echo \"a\" \\ \n", 1000, []byte("\xff\x00"))
	f.Add("é😀", 0, []byte(`{"a":[}`))
	f.Fuzz(func(t *testing.T, text string, cut int, more []byte) {
		if Salvage(more, "command"); strings.TrimSpace(text) == "" || len(text) > 1<<10 {
			return
		}
		text = strings.ToValidUTF8(text, "?")
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		before, after := `{"a":["x",{"b":null}],"tool_input":{"command":`, `,"description":"y"},"c":1}`
		whole := before + string(quoted) + after
		// Cut off behind the text, and followed by anything.
		end := len(before) + len(quoted) + max(0, min(cut, len(after)))
		for _, data := range []string{whole, whole[:end], whole[:end] + string(more), whole + string(more), "{" + whole} {
			if !slices.Contains(Salvage([]byte(data), "tool_input", "command"), text) {
				t.Fatalf("%q is not found in %q: %q", text, data, Salvage([]byte(data), "tool_input", "command"))
			}
		}
		// What Parse takes for the text is found.
		if v, err := Parse(more); err == nil {
			if o, err := v.Object(); err == nil {
				if text, err := o.Get("command").Text(); err == nil && text != "" && len(text) < maxSalvagedText && len(o) == 1 && !slices.Contains(Salvage(more, "command"), text) {
					t.Fatalf("%q is not found in %q", text, more)
				}
			}
		}
	})
}
