package draft

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

var update = flag.Bool("update", false, "write the drafts into testdata")

func TestStyles(t *testing.T) {
	const name = "testdata/styles.txtar"
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		style := strings.TrimSuffix(archive.Files[i].Name, ".help")
		got, err := Rules(style, string(archive.Files[i].Data), ruleset.Known{})
		if err != nil {
			t.Errorf("%s: %v", style, err)
		}
		check(t, style, got)
		if *update {
			archive.Files[i+1].Data = got
		} else if d := cmp.Diff(string(archive.Files[i+1].Data), string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", style, d)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A rule file can be begun from what every program says.
func TestPrograms(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/helps.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 20 {
		t.Fatalf("only %d programs", len(archive.Files))
	}
	for _, f := range archive.Files {
		text, err := Rules(f.Name, string(f.Data), ruleset.Known{})
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		check(t, f.Name, text)
	}
}

// check wants a draft that compiles, also with the options in that stand in a
// comment, and that allows nothing but help and version.
func check(t testing.TB, name string, text []byte) {
	t.Helper()
	var full strings.Builder
	inside := false
	for line := range strings.Lines(string(text)) {
		if inside = inside || line == "# acts = [\n"; inside {
			line = strings.TrimPrefix(line, "# ")
			inside = line != "]\n"
		}
		full.WriteString(line)
	}
	for _, text := range []string{string(text), full.String()} {
		gates, err := ruleset.Compile([]*ruleset.File{ruleset.Load(name+".toml", []byte(text), ruleset.User)}, ruleset.Known{})
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		for _, p := range gates[0].Own {
			if p.Unknown != policy.Ask || p.Open {
				t.Errorf("%s: what no rule is about is %s", name, p.Unknown)
			}
			for i := range p.Rules {
				r := &p.Rules[i]
				if r.Decision != policy.Ask && !strings.HasSuffix(r.ID, ".about") {
					t.Errorf("%s: %s is %s", name, r.ID, r.Decision)
				}
				for _, test := range r.Any {
					if !tells(test) {
						t.Errorf("%s: %s is allowed", name, test.Spelling)
					}
				}
			}
		}
	}
}

// tells reports whether an option can be one that only tells about a program.
func tells(t match.FlagTest) bool {
	s := strings.TrimLeft(t.Spelling, "-")
	return len(s) == 1 || s == "help" || s == "version" || s == "long-version" || s == "full-version"
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", "no such option\n", "- a\n-- b\n", "Commands:\n"} {
		if got, err := Rules("x", text, ruleset.Known{}); !errors.Is(err, ErrNothing) || got != nil {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
}

// Whatever a program says, what comes of it compiles, or there is nothing.
func FuzzRules(f *testing.F) {
	for _, name := range []string{"testdata/styles.txtar", "testdata/helps.txt"} {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(string(file.Data))
		}
	}
	f.Add("  -h, --help <x>\n  --help\n  -a=\n --a?\n -?, --b*\n Commands:\n  'x'  y\n  a.b  c\n")
	f.Fuzz(func(t *testing.T, help string) {
		text, err := Rules("acme", help, ruleset.Known{})
		switch {
		case errors.Is(err, ErrNothing) && text == nil:
		case err != nil:
			t.Fatal(err)
		default:
			check(t, "acme", text)
		}
	})
}
