package rulegen

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// TestFresh fails where a generated file is not what the rule files say.
func TestFresh(t *testing.T) {
	files, err := Files(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	stale, err := Stale(root, files)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("not up to date: %s\nrun: go generate ./...", strings.Join(stale, " "))
	}
	s, err := load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.files(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if string(files[name]) != string(again[name]) {
			t.Errorf("%s differs when it is generated a second time", name)
		}
	}
}
