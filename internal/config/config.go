// Package config loads what a person has set up: settings and rules of their
// own, and a project's rules.
//
//	$XDG_CONFIG_HOME/bashgate/config.toml    settings
//	$XDG_CONFIG_HOME/bashgate/rules/*.toml   the user's rules
//	.bashgate/rules/*.toml                   the project's rules, in the workspace
//
// Where XDG_CONFIG_HOME is not an absolute path, ~/.config stands for it. A
// file that is not there is not missed, and no TOML is parsed for it.
//
// What is broken never loosens an answer: the parts that can only tighten
// stay in force, the others are dropped, and the error is for the caller to
// turn into a question.
package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/ruleset"
)

// Config is the settings. The zero value is what holds without a file.
type Config struct {
	Profile        string            // "" = "default"
	Packs          []string          // rule packs that are on
	PackSettings   map[string]string // their settings: {"use_instead": "my_tool"}
	DeniedCommands []string          // names that the denylist profile blocks too
	AllowedDirs    []string          // absolute; nil = the denylist profile's own
	ScratchDirs    []string          // absolute; harmless to write
	DeferUnknown   bool              // the hook leaves unknown commands to the agent
	AskAuto        bool              // it asks in auto mode too, in place of the agent's classifier
	Cop            Cop               // who reviews what tainted sessions run
	Taint          Taint             // how it is remembered what sessions have seen
	Checkers       []Checker         // programs that may tighten a decision
	Audit          Audit             // the decision log
}

// written is config.toml.
type written struct {
	ruleset.Table
	Profile        ruleset.Text   `toml:"profile" doc:"the way of working: default, allowlist, denylist"`
	Packs          []ruleset.Text `toml:"packs" doc:"rule packs to switch on"`
	DeniedCommands []ruleset.Text `toml:"denied_commands" doc:"programs that the denylist profile blocks too"`
	AllowedDirs    []ruleset.Text `toml:"allowed_dirs" doc:"directories that the denylist profile may touch"`
	ScratchDirs    []ruleset.Text `toml:"scratch_dirs" doc:"directories that are harmless to write"`
	Hook           *hook          `toml:"hook" doc:"how the hook answers"`
	Pack           *pack          `toml:"pack" doc:"settings of rule packs"`
	Cop            *cop           `toml:"cop" doc:"who reviews what tainted sessions run"`
	Taint          *taint         `toml:"taint" doc:"how it is remembered what sessions have seen"`
	Checkers       []checker      `toml:"checkers" doc:"programs that may tighten a decision"`
	Audit          *audit         `toml:"audit" doc:"the decision log"`
}

type hook struct {
	ruleset.Table
	Unknown ruleset.Text `toml:"unknown" doc:"what to do about commands that no rule knows: ask, or defer to the agent's own prompt"`
	Auto    ruleset.Text `toml:"auto" doc:"what to do about questions in the agent's auto mode: defer to its classifier, or ask"`
}

type pack struct {
	ruleset.Table
	GuardGit *useInstead `toml:"guard-git" doc:"settings of the pack guard-git"`
	GuardWeb *useInstead `toml:"guard-web" doc:"settings of the pack guard-web"`
}

// settings are what stands in the packs' reasons, by the placeholder.
func (w *pack) settings() map[string]string {
	all := map[string]string{}
	for key, table := range map[string]*useInstead{"use_instead": w.GuardGit, "browse_instead": w.GuardWeb} {
		if table != nil && table.UseInstead.Value != "" {
			all[key] = table.UseInstead.Value
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

type useInstead struct {
	ruleset.Table
	UseInstead ruleset.Text `toml:"use_instead" doc:"the tool that its reason names"`
}

// maxFile is how large a configuration or rule file may be, in bytes.
const maxFile = 1 << 20

// Dir returns the directory of the user's files; "" if neither
// XDG_CONFIG_HOME nor HOME names one.
func Dir(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "bashgate")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "bashgate")
	}
	return ""
}

// Load reads the user's settings. The error is of type ruleset.Errors, or of
// reading the file.
func Load(getenv func(string) string) (Config, error) {
	dir := Dir(getenv)
	if dir == "" {
		return Config{}, nil
	}
	path := filepath.Join(dir, "config.toml")
	text, err := disk.OS{}.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{AskAuto: true}, err
	}
	return parse(path, text, getenv("HOME"))
}

func parse(name string, text []byte, home string) (Config, error) {
	var w written
	var errs ruleset.Errors
	if err := ruleset.Decode(name, text, &w); err != nil {
		errs = err.(ruleset.Errors)
	}
	fail := func(value ruleset.Text, msg, hint string) {
		e := &ruleset.Error{File: name, At: value.At, Msg: msg, Hint: hint}
		if lines := strings.Split(string(text), "\n"); 0 < e.At.Line && e.At.Line <= len(lines) {
			e.Line = lines[e.At.Line-1]
		}
		errs = append(errs, e)
	}
	path := func(key string, t ruleset.Text) string {
		path := t.Value
		if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
			path = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(path) {
			fail(t, key+" needs absolute paths", `begin it with "/" or "~/"`)
			return ""
		}
		return filepath.Clean(path)
	}
	dirs := func(key string, list []ruleset.Text) []string {
		var out []string
		for _, dir := range list {
			if p := path(key, dir); p != "" {
				out = append(out, p)
			}
		}
		return out
	}
	c := Config{
		Profile:        w.Profile.Value,
		Packs:          values(w.Packs),
		DeniedCommands: values(w.DeniedCommands),
		AllowedDirs:    dirs("allowed_dirs", w.AllowedDirs),
		ScratchDirs:    dirs("scratch_dirs", w.ScratchDirs),
	}
	if w.Pack != nil {
		c.PackSettings = w.Pack.settings()
	}
	if w.Hook != nil {
		switch w.Hook.Unknown.Value {
		case "", "ask":
		case "defer":
			c.DeferUnknown = true
		default:
			fail(w.Hook.Unknown, "unknown takes \"ask\" or \"defer\"", "")
		}
		switch w.Hook.Auto.Value {
		case "", "defer":
		case "ask":
			c.AskAuto = true
		default:
			fail(w.Hook.Auto, "auto takes \"defer\" or \"ask\"", "")
		}
	}
	if w.Cop != nil {
		c.Cop = w.Cop.meaning(fail, path)
		c.Cop.File = name
	}
	r := reader{fail, path}
	if w.Taint != nil {
		c.Taint = w.Taint.meaning(r)
	}
	for i := range w.Checkers {
		c.Checkers = append(c.Checkers, w.Checkers[i].meaning(r))
	}
	if w.Audit != nil {
		c.Audit = w.Audit.meaning(r)
	}
	if len(errs) > 0 {
		sort.SliceStable(errs, func(i, k int) bool {
			a, b := errs[i].At, errs[k].At
			return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
		})
		// These could loosen, and nobody knows what was meant.
		c.AllowedDirs, c.ScratchDirs, c.DeferUnknown, c.AskAuto = nil, nil, false, true
		c.Cop = Cop{}
		c.Taint = Taint{From: min(c.Taint.From, DefaultFrom), ContainsSecrets: c.Taint.ContainsSecrets}
		return c, errs
	}
	return c, nil
}

func values(texts []ruleset.Text) []string {
	var out []string
	for _, t := range texts {
		out = append(out, t.Value)
	}
	return out
}
