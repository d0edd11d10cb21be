package engine

import (
	"errors"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/settings"
	"github.com/bashgate/bashgate/policy"
)

// Rules are rule files that were compiled, by LoadRules. They do not change,
// and any number of engines may have them.
type Rules = interp.Rules

// Settings are what a user told their agent: the permission rules of Claude
// Code's settings files.
type Settings = settings.Settings

// Layer says whose rules a file holds, which decides what they may do, and in
// which field of Options they belong.
type Layer uint8

// The layers.
const (
	UserLayer    Layer = iota // the user's own: may allow, and lift questions of built-in rules
	ProjectLayer              // a project's: what does not tighten does nothing
	ManagedLayer              // the administrator's: as the user's
	ProfileLayer              // files with a [profile] table each
)

var layersOfFiles = [...]ruleset.Layer{ruleset.User, ruleset.Project, ruleset.Managed, ruleset.OwnProfiles}

// RuleFile is the text of a rule file.
type RuleFile struct {
	Name string // for errors and reasons: "/home/u/.config/bashgate/rules/acme.toml"
	Text []byte
}

// RuleError is one mistake in a rule file.
type RuleError struct {
	File      string
	Line, Col int    // counted from 1, columns in bytes; 0 where the place is not known
	Msg       string // "unknown key \"unles_flags\" in [[programs.allow]]"
	Hint      string // what to write instead; may be ""
	text      string
}

// Error returns the place, the message, the line with carets, and the hint:
//
//	acme.toml:4:1: unknown key "unles_flags" in [[programs.allow]]
//	    unles_flags = ["-f"]
//	    ^^^^^^^^^^^
//	hint: did you mean "unless_flags"?
func (e *RuleError) Error() string { return e.text }

// LoadRules compiles the rule files of one layer, which are in the language of
// the command's own: docs/rules.md. They may refer to each other. With any
// mistake in them there are no rules: a file that is read by halves is a gate
// with a hole. The error holds all mistakes of all files, each a *RuleError,
// by file and place (errors.Join).
func LoadRules(layer Layer, files ...RuleFile) (*Rules, error) {
	if int(layer) >= len(layersOfFiles) {
		return nil, errors.New("no such layer of rules")
	}
	var loaded []*ruleset.File
	for _, f := range files {
		loaded = append(loaded, ruleset.Load(f.Name, f.Text, layersOfFiles[layer]))
	}
	compiled, err := ruleset.Compile(loaded, catalogue.Known())
	if err == nil {
		return interp.New(compiled), nil
	}
	wrong, ok := errors.AsType[ruleset.Errors](err)
	if !ok {
		return nil, err
	}
	var all []error
	for _, e := range wrong {
		all = append(all, &RuleError{File: e.File, Line: e.At.Line, Col: e.At.Col, Msg: e.Msg, Hint: e.Hint, text: e.Error()})
	}
	return nil, errors.Join(all...)
}

// LoadSettings reads the settings files of Claude Code that hold for a
// workspace. The directories are absolute; "" leaves its files out. A file that
// can't be read makes every request ask, as it might deny what is asked for.
func LoadSettings(files policy.Files, home, workspace string) *Settings {
	return settings.Load(files, home, workspace, "")
}

// OSFiles is the real disk. What is no regular file is not read.
func OSFiles() policy.Files { return disk.OS{} }
