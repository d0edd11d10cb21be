package rulegen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/toml"
	"github.com/bashgate/bashgate/policy"
)

// preset is a file of rules/presets: settings as config.toml writes them. The
// comment that it begins with says to people what they stand for.
type preset struct{ name, about, text string }

// loadPresets reads the presets in the order of their names. What their keys
// mean is for internal/config to say.
func loadPresets(fsys fs.FS) ([]preset, ruleset.Errors, error) {
	const dir = "rules/presets"
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading presets: %w", err)
	}
	var list []preset
	var errs ruleset.Errors
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".toml")
		if !ok || e.IsDir() {
			continue
		}
		text, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, nil, fmt.Errorf("reading presets: %w", err)
		}
		p := preset{name: name}
		p.about, p.text = comment(string(text))
		switch _, err := toml.Parse([]byte(p.text)); {
		case err != nil:
			errs = append(errs, &ruleset.Error{File: path.Join(dir, e.Name()), Msg: err.Error()})
		case p.about == "":
			errs = append(errs, &ruleset.Error{File: path.Join(dir, e.Name()), Msg: "it does not say what it is for", Hint: "begin it with a comment"})
		}
		list = append(list, p)
	}
	return list, errs, nil
}

// comment cuts the comment off that a text begins with, and writes it as one
// line.
func comment(text string) (about, rest string) {
	var words []string
	for strings.HasPrefix(text, "#") {
		line, below, _ := strings.Cut(text, "\n")
		words = append(words, strings.Fields(strings.TrimLeft(line, "#"))...)
		text = below
	}
	return strings.Join(words, " "), text
}

// writePacks writes what packs say of themselves.
func writePacks(b *bytes.Buffer, files []*gateFile) {
	b.WriteString("\n// PackAbout returns what a pack is for, and lines that it asks about or blocks;\n// \"\" where none is called so.\nfunc PackAbout(name string) (about string, examples []string) {\nswitch name {\n")
	for _, f := range files {
		if f.dir != "packs" {
			continue
		}
		var lines []string
		for _, e := range ruleset.Examples(f.file, f.Gate) {
			if e.Decision() > policy.Allow {
				lines = append(lines, fmt.Sprintf("%q", e.Command))
			}
		}
		for _, e := range ruleset.Examples(f.file, f.Gate) {
			if lists := len(lines) < 8 && e.Rules == nil; lists { // what it does not list
				lines = append(lines, fmt.Sprintf("%q", e.Command))
			}
		}
		fmt.Fprintf(b, "case %q:\nreturn %q, []string{%s}\n", f.Name, strings.ReplaceAll(f.file.Description(), "\n", " "), strings.Join(lines[:min(len(lines), 12)], ", "))
	}
	b.WriteString("}\nreturn \"\", nil\n}\n")
}

// writePresets writes what is looked up by a preset's name.
func writePresets(b *bytes.Buffer, list []preset) {
	b.WriteString("\n// Preset returns the settings that a preset stands for, as config.toml writes\n// them, and what they are for; \"\" where none is called so.\nfunc Preset(name string) (settings, about string) {\nswitch name {\n")
	var names []string
	for _, p := range list {
		fmt.Fprintf(b, "case %q:\nreturn %q, %q\n", p.name, p.text, p.about)
		names = append(names, fmt.Sprintf("%q", p.name))
	}
	fmt.Fprintf(b, "}\nreturn \"\", \"\"\n}\n\n// Presets lists their names.\nvar Presets = [...]string{%s}\n", strings.Join(names, ", "))
}
