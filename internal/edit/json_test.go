package edit

import (
	"strings"
	"testing"
)

const entry = `{"matcher": "*", "hooks": [{"command": "bashgate"}]}`

func parse(t *testing.T, text string) *JSON {
	t.Helper()
	d, err := ParseJSON([]byte(text), "f.json")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ours(i Item) Verdict {
	if i.Name == "" && i.Get("command").Text() == "bashgate" {
		return Drop
	}
	return Look
}

// What is added looks as if the file's owner had written it, and once it is
// removed the file is as it was.
func TestAppendRemove(t *testing.T) {
	for name, row := range map[string]struct{ before, after string }{
		"empty": {"", `{
  "hooks": {
    "Pre": [
      {
        "matcher": "*",
        "hooks": [
          {
            "command": "bashgate"
          }
        ]
      }
    ]
  }
}
`},
		"tabs, comments and a comma at the end": {"// mine\n{\n\t\"a\": 1, // one\n\t\"hooks\": {\n\t\t\"Pre\": [\n\t\t\t{\"hooks\": [{\"command\": \"other\"}]}, // other\n\t\t],\n\t},\n}\n",
			"// mine\n{\n\t\"a\": 1, // one\n\t\"hooks\": {\n\t\t\"Pre\": [\n\t\t\t{\"hooks\": [{\"command\": \"other\"}]}, // other\n\t\t\t{\n\t\t\t\t\"matcher\": \"*\",\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"command\": \"bashgate\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t},\n\t\t],\n\t},\n}\n"},
		"a comment at the end without a comma": {"{\n    \"x\": [] // last\n}\n",
			"{\n    \"x\": [], // last\n    \"hooks\": {\n        \"Pre\": [\n            {\n                \"matcher\": \"*\",\n                \"hooks\": [\n                    {\n                        \"command\": \"bashgate\"\n                    }\n                ]\n            }\n        ]\n    }\n}\n"},
		"one line": {`{"a":[1,2],"hooks":{"Pre":[]}}`,
			`{"a":[1,2],"hooks":{"Pre":[{"matcher": "*","hooks": [{"command": "bashgate"}]}]}}`},
		"other line ends and a mark in front": {"\ufeff{\r\n  \"a\": 1\r\n}\r\n",
			"\ufeff{\r\n  \"a\": 1,\r\n  \"hooks\": {\r\n    \"Pre\": [\r\n      {\r\n        \"matcher\": \"*\",\r\n        \"hooks\": [\r\n          {\r\n            \"command\": \"bashgate\"\r\n          }\r\n        ]\r\n      }\r\n    ]\r\n  }\r\n}\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, row.before)
			if err := d.Append(entry, "hooks", "Pre"); err != nil {
				t.Fatal(err)
			}
			if got := string(d.Bytes()); got != row.after {
				t.Errorf("added:\n%s\nwant\n%s", got, row.after)
			}
			d = parse(t, string(d.Bytes()))
			if !d.Remove(ours, parse(t, row.before)) {
				t.Error("nothing was removed")
			}
			want := row.before
			if want == "" {
				want = "{}\n"
			}
			if got := string(d.Bytes()); got != want {
				t.Errorf("removed:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	for name, row := range map[string]struct{ before, after string }{
		"first of two":              {`{"l": [{"command": "bashgate"}, 2]}`, `{"l": [2]}`},
		"last of two":               {`{"l": [1, {"command": "bashgate"}]}`, `{"l": [1]}`},
		"with somebody else's hook": {`{"l": [{"m": 1, "hooks": [{"command": "bashgate"}, {"command": "x"}]}]}`, `{"l": [{"m": 1, "hooks": [{"command": "x"}]}]}`},
		"what held it":              {`{"a": 1, "hooks": {"Pre": [{"m": "*", "hooks": [{"command": "bashgate"}]}]}}`, `{"a": 1}`},
		"a comment before it stays": {"{\"l\": [1, // one\n // mine\n {\"command\": \"bashgate\"}]}", "{\"l\": [1 // one\n // mine\n]}"},
		"nothing of ours":           {`{"hooks": {"Pre": []}}`, `{"hooks": {"Pre": []}}`},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, row.before)
			d.Remove(ours, nil)
			got := string(d.Bytes())
			if got != row.after {
				t.Errorf("got  %s\nwant %s", got, row.after)
			}
			parse(t, got)
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": }":               "f.json:2:8: ",
		"[1]":                         "f.json:1:1: this is no object",
		"{\"hooks\": [1]}":            `f.json:1:11: "hooks" is no object`,
		"{\"hooks\":\n {\"Pre\": 1}}": `f.json:2:10: "hooks.Pre" is no list`,
		`{"hooks": 1, "hooks": 2}`:    `f.json:1:14: "hooks" is here twice`,
	} {
		d, err := ParseJSON([]byte(text), "f.json")
		if err == nil {
			err = d.Append(entry, "hooks", "Pre")
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// Whatever the document is: what was added can be removed again, and the
// document is as it was before.
func FuzzAppendRemove(f *testing.F) {
	for _, text := range []string{`{}`, `{"hooks":{"Pre":[]}}`, "{\"a\":1,}", "{//x\n}", `{"hooks":{"Pre":[1,/*x*/2]}}`, "{ \"a\" : [ ] }", "{\"hooks\": {\"Pre\": [ // x\n]}}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := ParseJSON([]byte(text), "f")
		if err != nil || strings.Contains(text, "command") {
			return
		}
		d, _ := ParseJSON([]byte(text), "f")
		if d.Append(entry, "hooks", "Pre") != nil {
			return
		}
		added := string(d.Bytes())
		if d, err = ParseJSON([]byte(added), "f"); err != nil {
			t.Fatalf("%q became %q, which can't be read: %v", text, added, err)
		}
		if !d.Remove(ours, before) {
			t.Fatalf("nothing was removed from %q", added)
		}
		got := string(d.Bytes())
		if _, err := ParseJSON([]byte(got), "f"); err != nil {
			t.Fatalf("%q became %q, which can't be read: %v", added, got, err)
		}
		// Blanks inside of empty brackets may go, and before a comment's end.
		squeeze := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "")
		want := string(before.Bytes())
		if squeeze.Replace(got) != squeeze.Replace(want) {
			t.Fatalf("%q became %q and then %q", text, added, got)
		}
	})
}
