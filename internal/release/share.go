package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// completions are the shells' scripts and where each shell looks for them.
var completions = []struct{ shell, name string }{
	{"bash", "share/bash-completion/completions/bashgate"},
	{"zsh", "share/zsh/site-functions/_bashgate"},
	{"fish", "share/fish/vendor_completions.d/bashgate.fish"},
}

// share writes into dir/share what is installed beside the programs. It starts
// bashgate on this machine, whatever machine the programs are for.
func share(dir string) error {
	if err := os.RemoveAll(filepath.Join(dir, "share")); err != nil {
		return err
	}
	put := func(name string, content []byte) error {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, content, 0o644)
	}
	for _, c := range completions {
		script, err := exec.Command("go", "run", "./cmd/bashgate", "completion", c.shell).Output()
		if err != nil {
			return fmt.Errorf("completion for %s: %w", c.shell, err)
		}
		if err := put(c.name, script); err != nil {
			return err
		}
	}
	copies := map[string]string{"LICENSE": "share/doc/bashgate/LICENSE", "README.md": "share/doc/bashgate/README.md"}
	pages, err := filepath.Glob("man/*.[1-9]")
	if err != nil {
		return err
	}
	for _, page := range pages {
		copies[page] = "share/man/man" + filepath.Ext(page)[1:] + "/" + filepath.Base(page)
	}
	for from, to := range copies {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := put(to, content); err != nil {
			return err
		}
	}
	return nil
}
