package python

import "testing"

func TestParent(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b": "/a", "/a": "/", "/": "/", "a": ".", ".": ".", "": ".", "a/..": "a", "..": ".",
		"a/./b/": "a", "//a//b": "//a", "./a/b": "a", "a/b/c": "a/b",
	} {
		if got := parent(path); got != want {
			t.Errorf("parent(%q) = %q, not %q", path, got, want)
		}
	}
}
