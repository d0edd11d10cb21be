// Reference writes what people read of the command and of its settings, from where
// it is said once:
//
//	man/bashgate.1             from the help texts of internal/cli
//	man/bashgate-config.5      from docs/configuration.md
//	man/bashgate-rules.7       from rules/README.md
//	docs/configuration.md      the reference in it, from the types of internal/config
//	docs/config.schema.json    likewise
//
// Man pages are the man macros that mandoc and groff both know, written as
// mandoc -T lint wants them. go generate runs it.
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/cli"
	"github.com/bashgate/bashgate/internal/config"
)

//go:generate go run github.com/bashgate/bashgate/internal/reference ../..

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference ROOT")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "reference: error:", err)
		os.Exit(1)
	}
}

// write brings the files below a root up to date, and leaves those alone that are.
func write(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

const (
	referenceStart = "<!-- reference, generated -->\n"
	referenceEnd   = "<!-- end of reference -->\n"
)

// generate returns the files by their paths below the root.
func generate(root string) (map[string][]byte, error) {
	settings, err := os.ReadFile(filepath.Join(root, "docs/configuration.md"))
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(settings), referenceStart)
	_, after, ok2 := strings.Cut(rest, referenceEnd)
	if !ok || !ok2 {
		return nil, fmt.Errorf("docs/configuration.md: no lines %q and %q", referenceStart, referenceEnd)
	}
	text := before + referenceStart + "\n" + config.Reference(cli.Names()) + "\n" + referenceEnd + after
	language, err := os.ReadFile(filepath.Join(root, "rules/README.md"))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"docs/configuration.md":   []byte(text),
		"docs/config.schema.json": config.Schema(cli.Names()),
		"man/bashgate.1":          commandPage(),
		"man/bashgate-config.5": documentPage(text, page{
			name: "bashgate-config", section: 5, from: "docs/configuration.md", about: "the settings of bashgate, config.toml",
			see: []string{"bashgate(1)", "bashgate-rules(7)"},
		}),
		"man/bashgate-rules.7": documentPage(string(language), page{
			name: "bashgate-rules", section: 7, from: "rules/README.md", about: "the language of the rules of bashgate",
			see: []string{"bashgate(1)", "bashgate-config(5)"},
		}),
	}, nil
}
