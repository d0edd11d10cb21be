package layout_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/layout"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

func TestFormat(t *testing.T) {
	long := `"` + strings.Repeat("x", 50) + `"`
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a comment alone", "# a \n\n\n# b", "# a\n\n# b\n"},
		{"tables are parted, with the comments above them",
			"\n\n# of the file\n\n[meta]\n\n\nname=\"x\"\n# of the table\n# both lines\n[[programs]]\nname = 'y'\n\n\n# apart\n\n[[programs.allow]] # why\n",
			"# of the file\n\n[meta]\nname = \"x\"\n\n# of the table\n# both lines\n[[programs]]\nname = 'y'\n\n# apart\n\n[[programs.allow]] # why\n"},
		{"keys are in order, each with its comment",
			"[[programs.ask]]\nreason = \"r\"   # to be read\n# not these\nunless_flags = [\"-n\"]\nid = \"a.b\"\nmine = 1\n",
			"[[programs.ask]]\nid = \"a.b\"\nreason = \"r\"   # to be read\n# not these\nunless_flags = [\"-n\"]\nmine = 1\n"},
		{"a blank line is a border",
			"[[programs.ask]]\nreason = \"r\"\n\nid = \"a.b\"\n# at the end\n",
			"[[programs.ask]]\nreason = \"r\"\n\nid = \"a.b\"\n# at the end\n"},
		{"options stay in the order in which they are read",
			"[[programs.options]]\nread = [\"-f=a\"]\nmulti = {\"-m\" = [\"data\"]}\ncode . sed=['-e']\ndata = [\"-f=\"]\nsubcommand = \"x\"\n",
			"[[programs.options]]\nsubcommand = \"x\"\nread = [\"-f=a\"]\nmulti = {\"-m\" = [\"data\"]}\ncode.sed = ['-e']\ndata = [\"-f=\"]\n"},
		{"a short list is one line", "about = [\n  \"-h\"\n  ,'b',\n]\nx = [ ]", "about = [\"-h\", 'b']\nx = []\n"},
		{"a long one is several, with the breaks that it has",
			"path = [" + long + ", " + long + ", \"a\",\n  \"b\",\n\n  \"c\"]",
			"path = [\n  " + long + ", " + long + ", \"a\",\n  \"b\",\n\n  \"c\",\n]\n"},
		{"unless its lines are too long, too",
			"path = [" + long + ", " + long + ", " + long + ",\n  \"b\", # c\n  \"c\",\n  \"d\",\n\n  \"e\"]",
			"path = [\n  " + long + ", " + long + ",\n  " + long + ", \"b\", # c\n  \"c\", \"d\",\n\n  \"e\",\n]\n"},
		{"and with new ones", "path = [" + long + "," + long + "," + long + ",\n1]",
			"path = [\n  " + long + ", " + long + ",\n  " + long + ", 1,\n]\n"},
		{"comments in a list",
			"x = [ # all\n# first\n1, # one\n2\n, 3 # three\n\n# last\n]",
			"x = [ # all\n  # first\n  1, # one\n  2,\n  3, # three\n\n  # last\n]\n"},
		{"what is within stays", "x = [[1,2 ], {a=[1,\n2]}]\ny = {a=1,b = \"#\"} # z\nz = \"\"\"\n a # \"\"\"\"\n",
			"x = [[1,2 ], {a=[1,\n2]}]\ny = {a=1,b = \"#\"} # z\nz = \"\"\"\n a # \"\"\"\"\n"},
		{"line ends", "\ufeffa = 1\r\n# b\r\n\r\n[ c . \"d.e\" ]\r\nf = ['''\r\n''']\r\n", "a = 1\n# b\n\n[c.\"d.e\"]\nf = [\n  '''\r\n''',\n]\n"},
		{"dates and strings", "a = 1979-05-27 07:32:00 # x\nb = '\\'\nc = \"\\\"#\"\n'd#' = 1e5", "a = 1979-05-27 07:32:00 # x\nb = '\\'\nc = \"\\\"#\"\n'd#' = 1e5\n"},
	} {
		got, err := layout.Format([]byte(row.text), ruleset.Order)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if d := cmp.Diff(row.want, string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, d)
		}
		if again, err := layout.Format(got, ruleset.Order); err != nil || string(again) != string(got) {
			t.Errorf("%s, again: %v\n%s", row.name, err, cmp.Diff(string(got), string(again)))
		}
	}
}

func TestNoTOML(t *testing.T) {
	_, err := layout.Format([]byte("[a]\nb = [1\n"), ruleset.Order)
	if err == nil || !strings.HasPrefix(err.Error(), "3:1: ") && !strings.HasPrefix(err.Error(), "2:") {
		t.Errorf("%v", err)
	}
}

type ruleFile struct {
	name  string
	text  []byte
	layer ruleset.Layer
}

// ruleFiles are all that there are here, built-in ones and those of users.
func ruleFiles(t testing.TB) []ruleFile {
	var files []ruleFile
	for _, dir := range []struct {
		pattern string
		layer   ruleset.Layer
	}{
		{"../../rules/*.toml", ruleset.BuiltIn},
		{"../../rules/profiles/*.toml", ruleset.Profiles},
		{"../../rules/packs/*.toml", ruleset.Packs},
		{"../export/testdata/*.toml", ruleset.User},
		{"../ruleset/testdata/*.toml", ruleset.User},
	} {
		names, err := filepath.Glob(dir.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, ruleFile{name, text, dir.layer})
		}
	}
	if len(files) < 70 {
		t.Fatalf("only %d rule files", len(files))
	}
	return files
}

// meaning is what a file says, with all places left out.
func meaning(f ruleFile, text []byte, known ruleset.Known) ruleset.Compiled {
	compiled := ruleset.CompileEach([]*ruleset.File{ruleset.Load("x.toml", text, f.layer)}, known)[0]
	unplaced(reflect.ValueOf(compiled.Gate), map[uintptr]bool{})
	return compiled
}

// unplaced sets all that is called Line to 0.
func unplaced(v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			unplaced(v.Elem(), seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			unplaced(v.Index(i), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); v.Type().Field(i).Name == "Line" && f.CanSet() && f.CanInt() {
				f.SetInt(0)
			} else if v.Type().Field(i).IsExported() {
				unplaced(f, seen)
			}
		}
	}
}

// notes lists the comments of a text, by a reader of its own: line by line,
// outside of strings.
func notes(text string) []string {
	var list []string
	quote := ""
	for line := range strings.Lines(text) {
		for i := 0; i < len(line); i++ {
			rest := line[i:]
			switch {
			case quote != "" && quote[0] == '"' && rest[0] == '\\':
				i++
			case quote != "" && strings.HasPrefix(rest, quote):
				i += len(quote) - 1
				for len(quote) == 3 && i+1 < len(line) && line[i+1] == quote[0] {
					i++
				}
				quote = ""
			case quote != "":
			case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, `'''`):
				quote = rest[:3]
				i += 2
			case rest[0] == '"', rest[0] == '\'':
				quote = rest[:1]
			case rest[0] == '#':
				list = append(list, strings.TrimSpace(rest))
				i = len(line)
			}
		}
	}
	slices.Sort(list)
	return list
}

// laws holds one text against what is promised of its form.
func laws(f ruleFile, text []byte, known ruleset.Known) error {
	got, err := layout.Format(text, ruleset.Order)
	if err != nil {
		return err
	}
	again, err := layout.Format(got, ruleset.Order)
	if err != nil {
		return fmt.Errorf("again: %w", err)
	}
	if string(again) != string(got) {
		return fmt.Errorf("the form has another form:\n%s", cmp.Diff(string(got), string(again)))
	}
	if d := cmp.Diff(notes(string(text)), notes(string(got))); d != "" {
		return fmt.Errorf("comments (-before +after):\n%s", d)
	}
	before, after := meaning(f, text, known), meaning(f, got, known)
	if len(before.Faults) != len(after.Faults) {
		return fmt.Errorf("%d faults before, %d after", len(before.Faults), len(after.Faults))
	}
	if !reflect.DeepEqual(before.Gate, after.Gate) {
		return errors.New("it means something else")
	}
	return nil
}

func knownFrom(t testing.TB, files []ruleFile) ruleset.Known {
	var list []*ruleset.File
	for _, f := range files {
		if f.layer == ruleset.BuiltIn {
			list = append(list, ruleset.Load("rules/"+filepath.Base(f.name), f.text, f.layer))
		}
	}
	gates, err := ruleset.Compile(list, ruleset.Known{})
	if err != nil {
		t.Fatal(err)
	}
	known := ruleset.KnownFrom(gates)
	known.Gates = func() []*match.Gate { return gates }
	return known
}

// The rule files that come with bashgate have one form.
func TestRuleFilesHaveOneForm(t *testing.T) {
	for _, f := range ruleFiles(t) {
		if f.layer == ruleset.User {
			continue // of other packages' tests
		}
		got, err := layout.Format(f.text, ruleset.Order)
		if err != nil || string(got) != string(f.text) {
			t.Errorf("%s: run bashgate rules fmt over it (%v)", f.name, err)
		}
	}
}

func TestLaws(t *testing.T) {
	files := ruleFiles(t)
	known := knownFrom(t, files)
	for _, f := range files {
		if err := laws(f, f.text, known); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if c := meaning(f, f.text, known); f.layer != ruleset.User && (c.Gate == nil || c.Faults != nil) {
			t.Errorf("%s: the law says nothing about it: %v", f.name, c.Err())
		}
	}
}
