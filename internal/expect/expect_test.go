package expect

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// Both forms of a table hold the same tests.
func TestForms(t *testing.T) {
	tables, err := Load("a.toml", []byte(`
[defaults]
mode = "plan"
unattended = true
decision = "ask"

[[test]]
command = "a\nb"

[[test]]
command = "c"
decision = "block"
mode = "auto"
unattended = false
shell = "zsh"
cwd = "x"
workspace = "/y"
profile = "strict"
id = "c.d"
note = "why"
`))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Load("a.jsonl", []byte("\ufeff"+`{"command":"a\nb","mode":"plan","unattended":true,"decision":"ask"}
{"command":"c","decision":"block","mode":"auto","shell":"zsh","cwd":"x","workspace":"/y","profile":"strict","id":"c.d","note":"why"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) != 2 || len(lines) != 2 {
		t.Fatalf("%d and %d tests, want 2", len(tables), len(lines))
	}
	for i := range tables {
		a, b := tables[i], lines[i]
		a.File, a.At, b.File, b.At = "", ruleset.Span{}, "", ruleset.Span{}
		if a != b {
			t.Errorf("test %d: %+v as a table, %+v as a line", i, a, b)
		}
	}
	if tables[0].At.Line != 7 || tables[1].Decision != policy.Block || !tables[0].Unattended {
		t.Errorf("%+v", tables)
	}
}

var results = []Result{
	{File: "a.toml", Command: "ls # \\ x"},
	{File: "a.toml", Command: "rm <\"&'>\x1b[1m\xff\ufffe\x00\r\n\ttab \u2028 é 😀", Wrong: []string{"expected  ask\x7f", "got  ]]> allow"}},
	{File: "b\x01.toml", Command: "x", Wrong: []string{"y"}},
}

// A report is XML whatever the commands hold, and says what they are.
func TestJUnitIsXML(t *testing.T) {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var report struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name     string `xml:"name,attr"`
			Failures int    `xml:"failures,attr"`
			Cases    []struct {
				Name    string   `xml:"name,attr"`
				Failure *failure `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(JUnit(results)), &report); err != nil {
		t.Fatalf("%v\n%s", err, JUnit(results))
	}
	if report.Tests != 3 || report.Failures != 2 || len(report.Suites) != 2 || report.Suites[0].Failures != 1 {
		t.Errorf("%+v", report)
	}
	got := report.Suites[0].Cases[1]
	if want := "0: rm <\"&'>" + `\x1b[1m\xff\ufffe\x00` + "\r\n\ttab \u2028 é 😀"; got.Name != want {
		t.Errorf("the command is %q, want %q", got.Name, want)
	}
	if want := "expected  ask\\x7f\ngot  ]]> allow"; got.Failure == nil || got.Failure.Text != want {
		t.Errorf("the failure is %+v, want %q", got.Failure, want)
	}
	if report.Suites[0].Cases[0].Failure != nil {
		t.Error("a test that is right has failed")
	}
}

func TestTAP(t *testing.T) {
	const want = "TAP version 14\n1..3\n" +
		"ok 1 - a.toml:0 ls \\# \\\\ x\n" +
		"not ok 2 - "
	got := TAP(results)
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := strings.Count(got, "\n"); n != 3+8+6 {
		t.Errorf("%d lines:\n%s", n, got)
	}
	if strings.ContainsAny(strings.ReplaceAll(got, "\n", ""), "\x00\x01\x1b\r\t\x7f") {
		t.Errorf("control characters in %q", got)
	}
}

// A table of any bytes has tests that make sense, or errors with a place in it.
func FuzzLoad(f *testing.F) {
	f.Add("[[test]]\ncommand='x'\ndecision='ask'\n", true)
	f.Add(`{"command":"ls","decision":"allow"}`+"\n\n", false)
	f.Add("[defaults]\ncwd='~'\n[[test]]\n", true)
	f.Fuzz(func(t *testing.T, text string, toml bool) {
		name := "x.jsonl"
		if toml {
			name = "x.toml"
		}
		tests, err := Load(name, []byte(text))
		if err == nil && len(tests) == 0 || err != nil && tests != nil {
			t.Fatalf("%d tests and %v", len(tests), err)
		}
		for _, test := range tests {
			if strings.TrimSpace(test.Command) == "" || test.Decision == policy.Skip {
				t.Fatalf("%+v", test)
			}
		}
		if errs, ok := errors.AsType[ruleset.Errors](err); err != nil && (!ok || len(errs) == 0) {
			t.Fatalf("%T: %v", err, err)
		}
		d := xml.NewDecoder(strings.NewReader(JUnit([]Result{{File: text, Command: text, Wrong: []string{text}}})))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}
