package ruleset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzLoad feeds any text through both stages.
func FuzzLoad(f *testing.F) {
	archives, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".toml") {
				f.Add(file.Data, uint8(layers[filepath.Base(filepath.Dir(file.Name))]))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, layer uint8) {
		file := Load("rules/x.toml", text, Layer(layer%uint8(OwnProfiles+1)))
		gates, err := Compile([]*File{file}, Known{})
		if err == nil {
			if len(gates) != 1 {
				t.Fatalf("%d gates of a good file", len(gates))
			}
			return
		}
		if len(gates) != 0 {
			t.Fatal("a gate of a file with errors")
		}
		for _, e := range err.(Errors) {
			if e.At.Line < 0 || e.At.Line > len(file.lines)+1 || e.At.Line > 0 && (e.At.Col < 1 || e.At.Len < 1) {
				t.Errorf("a place outside the file: %+v", e)
			}
			if n := strings.Count(e.Error(), "\n"); n > 3 || strings.ContainsAny(e.Error(), "\x1b\r\x00") {
				t.Errorf("a message that garbles the terminal: %q", e.Error())
			}
		}
	})
}

func TestLoadDir(t *testing.T) {
	good := []byte("[[programs]]\nname = \"shellcheck\"\nunknown_action = \"allow\"\n")
	files, err := LoadDir(fstest.MapFS{
		"r/b.toml":     {Data: good},
		"r/a.toml":     {Data: []byte("[[programs]]\nname = \"shfmt\"\nunknown_action = \"allow\"\n")},
		"r/notes.txt":  {Data: []byte("not a rule file")},
		"r/sub/c.toml": {Data: good},
	}, "r", "~/rules", User)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "~/rules/a.toml ~/rules/b.toml" {
		t.Errorf("loaded %s", got)
	}
	gates, err := Compile(files, Known{})
	if err != nil || len(gates) != 2 || gates[1].Own[0].Name != "shellcheck" {
		t.Errorf("%v, %v", gates, err)
	}
	if files, err := LoadDir(fstest.MapFS{}, "none", "", User); files != nil || err != nil {
		t.Errorf("a directory that is not there: %v, %v", files, err)
	}
	if _, err := LoadDir(os.DirFS(t.TempDir()), "..", "", User); err == nil {
		t.Error("an invalid directory is no error")
	}
}
