package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bashgate/bashgate/internal/handbook"
)

// TestEmbedding builds the program of docs/embedding.md in a module of its own,
// which has this one as it is here, and holds it to what the page says that it
// prints. Nothing is fetched.
func TestEmbedding(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT RUN: the page's commands are a shell's")
	}
	const name = "docs/embedding.md"
	page, err := handbook.Read("../..", name)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const this = "github.com/bashgate/bashgate"
	write("go.mod", strings.Replace(read("go.mod"), "module "+this, "module example.org/judge\n\nrequire "+this+" v0.0.0\n\nreplace "+this+" => "+root, 1))
	write("go.sum", read("go.sum"))

	shown := 0
	for i := range page.Blocks {
		b := &page.Blocks[i]
		switch b.Language {
		case "go":
			write("main.go", b.Text)
			build := exec.Command("go", "build", "-o", "judge", ".")
			build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%s:%d: does not build: %v\n%s", name, b.Line, err, out)
			}
		case "toml":
			write("acme.toml", b.Text)
		case "console":
			got := ""
			for line := range strings.Lines(b.Text) {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					run := exec.Command("sh", "-c", command)
					run.Dir = dir
					out, _ := run.CombinedOutput()
					got += line + string(out)
					shown++
				}
			}
			if diff := cmp.Diff(b.Text, got); diff != "" {
				t.Errorf("%s:%d: (-page +printed)\n%s", name, b.Line, diff)
			}
		}
	}
	if shown == 0 {
		t.Error("the page runs nothing")
	}
}
