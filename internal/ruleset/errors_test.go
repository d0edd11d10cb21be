package ruleset

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/bashgate/bashgate/internal/match"
)

var update = flag.Bool("u", false, "rewrite the expected errors")

// layers tells a test file's layer by its directory.
var layers = map[string]Layer{"rules": BuiltIn, "profiles": Profiles, "packs": Packs, "user": User, "project": Project}

// compileArchive compiles the rule files of an archive, layer by layer. The
// built-in ones lend their grammar to the others.
func compileArchive(files []txtar.File) error {
	var all Errors
	known := Known{}
	for _, layer := range []Layer{BuiltIn, Packs, Profiles, User, Project} {
		var list []*File
		for _, f := range files {
			if l, ok := layers[filepath.Base(filepath.Dir(f.Name))]; ok && l == layer {
				list = append(list, Load(f.Name, f.Data, layer))
			}
		}
		gates, err := Compile(list, known)
		if errs, ok := err.(Errors); ok {
			all = append(all, errs...)
		}
		if layer == BuiltIn {
			known.Program = func(name string) *match.Program {
				for _, g := range gates {
					for _, p := range g.Programs() {
						if p.Name == name {
							return p
						}
					}
				}
				return nil
			}
		}
	}
	return all.asError()
}

func TestErrors(t *testing.T) {
	archives, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no testdata/errors", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := "none\n"
			if err := compileArchive(a.Files); err != nil {
				got = err.Error() + "\n"
			}
			last := &a.Files[len(a.Files)-1]
			if last.Name != "errors" {
				t.Fatal("the last file of the archive is not errors")
			}
			if *update {
				last.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(last.Data), got); diff != "" {
				t.Errorf("errors differ (-want +got; go test -u rewrites them):\n%s", diff)
			}
		})
	}
}

// TestNearest: the words that are passed over for their length and their bytes, or
// half way, are not nearer.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, r.IntN(1+r.IntN(80)))
		for i := range b {
			b[i] = "abcdefg-.A\x01"[r.IntN(11)]
		}
		return string(b)
	}
	for range 3000 {
		got, words := word(), []string{word(), word(), word()}
		if len(got) > 2 { // and some that are near
			i := r.IntN(len(got) - 1)
			words = append(words, got[:i]+"x"+got[i:], got[:i]+got[i+1:], got[:i]+got[i+1:i+2]+got[i:i+1]+got[i+2:], got[2:])
		}
		r.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
		best, cost := "", len(got)/3+2
		for _, w := range words {
			if d := distance(got, w); d < cost {
				best, cost = w, d
			}
		}
		if near := nearest(got, words); near != best {
			t.Fatalf("of %q, %q is nearest to %q, not %q", words, best, got, near)
		}
	}
}
