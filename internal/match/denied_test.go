package match

import (
	"strings"
	"testing"

	"github.com/bashgate/bashgate/policy"
)

func TestParseDenied(t *testing.T) {
	for _, entry := range []string{"docker", "git push", "npm*", "/usr/bin/nc", "./deploy.sh", "~/bin/x", "*/init.sh", "aws s3 rm*", "[", "git  push  origin"} {
		if _, what, _ := ParseDenied(entry); what != "" {
			t.Errorf("%q: %s", entry, what)
		}
	}
	for entry, want := range map[string]string{
		"": "denies nothing", "  ": "denies nothing", "git push; ls": "a program and words", "a|b": "a program and words", "$x": "a program and words",
		"'docker'": "a program and words", "-rf": "no program", "git push --force": "options are passed over", "FOO=1 ls": "sets a variable",
		"/usr/bin/": "a directory", "~": "a directory", "bin/deploy": "begins nowhere", "./../x": "without ..", "npm[": "without its ]", "!docker": "excludes nothing",
		"git !push": "excludes nothing", "for": "a word of the shell",
	} {
		if _, what, _ := ParseDenied(entry); !strings.Contains(what, want) {
			t.Errorf("%q: %q, want %q", entry, what, want)
		}
	}
}

// Without a table, whatever follows an option may be its value.
func TestDeniesWithoutTable(t *testing.T) {
	for _, row := range []struct {
		entry, line string
		want        policy.Tri
	}{
		{"acme", "acme", policy.Yes},
		{"acme destroy", "acme destroy", policy.Yes},
		{"acme destroy", "acme destroy x", policy.Yes},
		{"acme destroy", "acme -v destroy", policy.Yes},
		{"acme destroy", "acme -p x destroy", policy.Yes},
		{"acme destroy", "acme -p=x -q y destroy", policy.Yes},
		{"acme destroy", "acme x destroy", policy.No},
		{"acme destroy", "acme -p x y destroy", policy.No},
		{"acme destroy", "acme create destroy", policy.No},
		{"acme destroy", "acme", policy.No},
		{"acme db destroy", "acme -p x db -q y destroy", policy.Yes},
		{"acme db destroy", "acme -p db destroy", policy.Yes},
		{"acme db destroy", "acme db x destroy", policy.No},
		{"acme d*", "acme -- destroy", policy.Yes},
		{"acme destroy", "acme -- x destroy", policy.No},
		{"acme destroy", "acme HOLE", policy.Maybe},
		{"acme destroy", "acme HOLE destroy", policy.Maybe},
		{"acme destroy", "acme create HOLE", policy.No},
	} {
		c := &policy.Command{}
		for _, text := range strings.Fields(row.line) {
			w := policy.Const(text)
			if text == "HOLE" {
				w = policy.Word{Parts: []policy.Part{{Kind: policy.Hole, Text: "$x"}}}
			}
			c.Words = append(c.Words, w)
		}
		d, what, _ := ParseDenied(row.entry)
		if what != "" {
			t.Fatal(what)
		}
		call := Call{Cmd: c, Name: "acme"}
		if got := call.Denies(&d); got != row.want {
			t.Errorf("%q by %q: %v, want %v", row.line, row.entry, got, row.want)
		}
	}
}
