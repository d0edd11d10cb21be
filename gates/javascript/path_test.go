package javascript

import (
	"path"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/policy"
)

// TestPathJoin: what is put together of known texts, and of places that were resolved
// before, is the file that the whole texts lead to.
func TestPathJoin(t *testing.T) {
	const cwd = "/w/d"
	type piece struct {
		text  string
		shape code.Shape
	}
	shape := func(kind, text string) code.Shape {
		w := policy.Const(text)
		return code.Shape{Type: kind, Word: &w}
	}
	pieces := []piece{{cwd, code.Shape{Type: "Cwd"}}}
	for _, text := range []string{"", ".", "..", "../..", "a", "./a/..", "/x", "a/../../b"} {
		pieces = append(pieces, piece{text, shape("str", text)})
	}
	for _, text := range []string{".", "..", "src", "/y"} {
		pieces = append(pieces, piece{resolved(cwd, text), shape("Location", text)})
	}
	in := &reader{budget: 1 << 30}
	known := 0
	for n := range len(pieces) * len(pieces) * len(pieces) {
		var args arguments
		var texts []string
		for i := n; len(texts) < 3; i /= len(pieces) {
			p := pieces[i%len(pieces)]
			args.positional, texts = append(args.positional, code.Value{p.shape}), append(texts, p.text)
		}
		for _, resolve := range []bool{false, true} {
			want := resolved(cwd, path.Join(texts...))
			if resolve {
				want = cwd
				for _, text := range texts {
					want = resolved(want, text)
				}
			}
			v, ok := in.pathJoin(args, resolve)
			if !ok || len(v) != 1 {
				t.Fatalf("%q: %v", texts, v)
			}
			got := cwd
			if v[0].Type != "Cwd" {
				if v[0].Word == nil {
					continue
				}
				text, whole := v[0].Word.Const()
				if !whole {
					if prefix := v[0].Word.Prefix(); strings.HasPrefix(prefix, "/") && !climbsBehind(v[0].Word) && !strings.HasPrefix(want, path.Clean(prefix)) {
						t.Errorf("%q, resolve %v: %s..., want %s", texts, resolve, prefix, want)
					}
					continue
				}
				got = resolved(cwd, text)
			}
			if known++; got != want {
				t.Errorf("%q, resolve %v: %s, want %s", texts, resolve, got, want)
			}
		}
	}
	if known < 3000 {
		t.Errorf("only %d are known", known)
	}
}

// resolved is the whole path that a text names in a directory.
func resolved(dir, text string) string {
	if path.IsAbs(text) {
		return path.Clean(text)
	}
	return path.Join(dir, text)
}
