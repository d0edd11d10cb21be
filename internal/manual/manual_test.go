package manual_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/manual"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/google/go-cmp/cmp"
)

const page = `PACK(1)                  User Commands                 PACK(1)

NAME
       pack - put files into a box

OPTIONS
       -o, --output=FILE
              Write the box to FILE.

       -v, --verbose
              Say more.

       --color[=WHEN]
              Use colour.

       -x, --proxy [PROTOCOL]
              Go through a proxy.

       -q     Say less.  Not even this.
       -F, --filter COMMAND
              Run COMMAND over
              each file.

       -----
       -k or --keep
              Keep what is there.

       -s --small --tiny=N
              Reduce it.

EXAMPLES
       - not an option
       -o goes first, as all do
`

func TestParse(t *testing.T) {
	want := []manual.Option{
		{[]string{"-o", "--output"}, manual.Required, "Write the box to FILE.", ""},
		{[]string{"-v", "--verbose"}, manual.None, "Say more.", ""},
		{[]string{"--color"}, manual.Optional, "Use colour.", ""},
		{[]string{"-x", "--proxy"}, manual.Unsaid, "Go through a proxy.", ""},
		{[]string{"-q"}, manual.None, "Say less.  Not even this.", ""},
		{[]string{"-F", "--filter"}, manual.Required, "Run COMMAND over each file.", ""},
		{[]string{"-k", "--keep"}, manual.None, "Keep what is there.", ""},
		{[]string{"-s", "--small", "--tiny"}, manual.Required, "Reduce it.", ""},
	}
	if diff := cmp.Diff(want, manual.Parse(page)); diff != "" {
		t.Errorf("options differ (-want +got):\n%s", diff)
	}
}

const table = `[meta]
name = "test"

[[programs]]
name = "pack"
[[programs.options]]
flag = ["-v --verbose", "-F --filter"]
data = ["-o --output", "-q", "--color"]
acts = ["-k --keep"]
[[programs.options]]
subcommand = "list"
data = ["--sort"]
[[programs.allow]]
operands = ["read*"]
examples = ["pack a"]
`

func program(t *testing.T) *match.Program {
	t.Helper()
	gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load("rules/x.toml", []byte(table), ruleset.BuiltIn)}, ruleset.Known{})
	if err != nil {
		t.Fatal(err)
	}
	return gates[0].Own[0]
}

func TestCompare(t *testing.T) {
	p := program(t)
	text, err := os.ReadFile("testdata/facts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	facts, err := manual.ReadFacts("facts.jsonl", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range append([]manual.Described{{Options: manual.Parse(page), Source: "man pack"}}, facts["pack"]...) {
		for _, f := range manual.Compare(p, d) {
			got = append(got, string(f.Kind)+": "+f.Text)
		}
	}
	want := []string{
		"arity: --color takes a value only in its own word, and the table hides the next one (man pack)",
		"arity: -q takes no value, and the table hides the next word (man pack)",
		"arity: -F takes a value, and the table reads that as an operand (man pack)",
		`harm: -o counts as data, and its description says "write" (man pack): Write the box to FILE.`,
		"unknown: the table does not know -x --proxy (man pack)",
		"unknown: the table does not know -s --small --tiny (man pack)",
		"unknown: the table does not know --dry-run (facts.jsonl:1)",
		"arity: --sort takes no value, and the table hides the next word (facts.jsonl:2)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"-o", "--output", "-v", "--verbose", "-k", "--keep"}, manual.Confirms(p, manual.Described{Options: manual.Parse(page)})); diff != "" {
		t.Errorf("what is confirmed differs (-want +got):\n%s", diff)
	}
}

func TestReadFactsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n":                         "f:1: no \"path\"",
		"\n{\"path\":[\"a\"],\n":       "f:2: ",
		`{"path":["a"],"options":1}`:   "f:1: ",
		`{"path":["a"],"options":[1]}`: "f:1: ",
	} {
		if _, err := manual.ReadFacts("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
