// Package config loads what has been set up: settings and rules of the
// administrator, of the user, and of the project.
//
//	/etc/bashgate/                    the administrator's: they have the last word
//	$XDG_CONFIG_HOME/bashgate/        the user's
//	    config.toml                   settings
//	    rules/*.toml                  rules
//	    profiles/NAME.toml            ways of working
//	    trusted.jsonl                 the projects that the user trusts
//	    trusted/                      copies of what was trusted
//	.bashgate/config.toml             a project's settings, and
//	.bashgate/rules/*.toml            its rules, from the working directory and from
//	                                  the workspace up to the root of the repository
//
// Where XDG_CONFIG_HOME is not an absolute path, ~/.config stands for it. A
// file that is not there is not missed, and no TOML is parsed for it.
//
// What is broken never loosens an answer. A setting in doubt has its strictest
// value, or a Fault says about what nobody can be sure now; the others hold. Of
// a rule file what is whole and tightens stays in force.
//
// A project tightens only: what loosens in its files does nothing and is
// listed. Its rule files count as the user's while a person trusts them as they
// are, byte for byte.
package config

import (
	"path/filepath"

	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// DefaultHint is what stands behind a question that a rule could answer.
const DefaultHint = "bashgate allow"

// Config is the settings. The zero value is what holds without a file.
type Config struct {
	Profile        string            // "" = "default"
	Packs          []string          // rule packs that are on
	PacksDir       []string          // absolute; directories of packs that a team shares
	PackSettings   map[string]string // their settings: {"use_instead": "my_tool"}
	DeniedCommands []string          // what never runs: see match.Denied
	AllowedDirs    []string          // absolute; nil = the profile's own, empty = none
	ScratchDirs    []string          // absolute, or ./... below the workspace; harmless to write
	ProgramDirs    []string          // absolute; programs in them are known by their names
	DeferUnknown   bool              // the hook leaves unknown commands to the agent
	AskAuto        bool              // it asks in auto mode too, in place of the agent's classifier
	Hint           string            // what stands behind a question that a rule could answer; "" = DefaultHint
	NoHint         bool              // nothing does
	AskWhy         error             // because this is wrong with what the file says of that; nil: because it says so
	Cop            Cop               // who reviews what tainted sessions run
	Taint          Taint             // how it is remembered what sessions have seen
	Checkers       []Checker         // programs that may tighten a decision
	Audit          Audit             // the decision log
	Approvals      Approvals         // what becomes of questions where nobody can be asked
	Notify         Notify            // who is told of a question that waits for a person

	// Of the administrator's file alone.
	NoLifts     bool     // what users and their agents allow lifts no question
	NoOverrides bool     // no user puts a built-in block out of force
	Profiles    []string // those that may be chosen; nil = all
}

// Fault is something that is wrong with a file, and about what that file may
// have said something stricter.
type Fault struct {
	Err   error // of type ruleset.Errors, or of reading the file
	Scope policy.Scope
}

// Layer says whose a file is. Later ones have the last word.
type Layer uint8

// The layers.
const (
	Default Layer = iota // bashgate's own
	User
	Project
	Managed
)

// String returns the layer's name.
func (l Layer) String() string { return [...]string{"default", "user", "project", "managed"}[l] }

// Places is where files are looked for.
type Places struct {
	Getenv func(string) string
	System string // the administrator's directory; "" = none
}

// maxFile is how large a configuration or rule file may be, in bytes.
const maxFile = 1 << 20

// Dir returns the directory of the user's files; "" if neither
// XDG_CONFIG_HOME nor HOME names one.
func Dir(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "bashgate")
	}
	if dir := system.Config(getenv); dir != "" {
		return filepath.Join(dir, "bashgate")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "bashgate")
	}
	return ""
}

// dir is the directory of a layer's files, or "".
func (p *Places) dir(l Layer) string {
	if l == Managed {
		return p.System
	}
	return Dir(p.Getenv)
}

// Below names a file or directory of a layer; "" where the layer has none.
func (p *Places) Below(l Layer, name string) string {
	dir := p.dir(l)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// Names are those that settings may choose from.
type Names struct {
	Packs    []string
	Profiles []string // the built-in ones
	Presets  []string
	Preset   func(name string) (settings, about string) // as config.toml writes them; "" where none is called so
	Instead  string                                     // a preset that counts before what the user has set up, to try it; "" = none
}

// Setup is what the user and the administrator have set up.
type Setup struct {
	Config  // of both
	Places  Places
	Files   []*File // their config.toml, in the order of the layers
	names   Names
	trusted *Trusted

	packsDirs []packsDir
	kept      *Kept // nil: nothing is kept
}

// Load reads the settings of the user and the administrator.
func Load(places Places, names Names) *Setup {
	s := &Setup{Places: places, names: names}
	// The administrator's is read first: what it names is not looked for in the
	// user's directories.
	managed := s.layer(Managed)
	for _, layer := range [...]Layer{User, Managed} {
		files := managed
		if layer == User {
			files = s.layer(User)
		}
		for _, f := range files {
			s.Files = append(s.Files, f)
			s.Config.take(f)
		}
		if layer == User && names.Instead != "" {
			text, _ := names.Preset(names.Instead)
			s.Config.take(s.parse("", []byte(text), User, ""))
		}
	}
	return s
}

// layer reads the config.toml of a layer, which may not be there, and puts its
// preset before it: what the file says itself counts.
func (s *Setup) layer(l Layer) []*File {
	path := s.Places.Below(l, "config.toml")
	if path == "" {
		return nil
	}
	f := s.read(path, l, "")
	switch {
	case f == nil:
		return nil
	case f.preset != nil:
		return []*File{f.preset, f}
	}
	return []*File{f}
}

// Faults lists what is wrong with the settings.
func (s *Setup) Faults() []Fault { return faults(s.Files) }

func faults(files []*File) []Fault {
	var list []Fault
	for _, f := range files {
		list = append(list, f.Faults...)
	}
	return list
}

// take puts the settings of a file above those so far: lists of what is
// stricter are joined, all else is the file's where it says it.
func (c *Config) take(f *File) {
	from, set := &f.config, f.sets
	c.Packs = union(c.Packs, from.Packs)
	c.PacksDir = union(c.PacksDir, from.PacksDir)
	c.DeniedCommands = union(c.DeniedCommands, from.DeniedCommands)
	if f.Layer == Project {
		return
	}
	c.Checkers = append(c.Checkers[:len(c.Checkers):len(c.Checkers)], from.Checkers...)
	if from.Profile != "" {
		c.Profile = from.Profile
	}
	for key, value := range from.PackSettings {
		if c.PackSettings == nil {
			c.PackSettings = map[string]string{}
		}
		c.PackSettings[key] = value
	}
	if f.w.Has("allowed_dirs") {
		c.AllowedDirs = from.AllowedDirs
	}
	if set("scratch_dirs") {
		c.ScratchDirs = from.ScratchDirs
	}
	if set("program_dirs") {
		c.ProgramDirs = from.ProgramDirs
	}
	if set("hook.unknown") {
		c.DeferUnknown = from.DeferUnknown
	}
	if set("hook.hint") {
		c.Hint, c.NoHint = from.Hint, from.NoHint
	}
	if set("hook.auto") || f.doubt["hook"] {
		c.AskAuto, c.AskWhy = from.AskAuto, from.AskWhy
	}
	if set("cop") {
		c.Cop = from.Cop
	}
	if set("taint") {
		c.Taint = from.Taint
	}
	if set("audit") {
		c.Audit = from.Audit
	}
	if set("approvals") {
		c.Approvals = from.Approvals
	}
	if set("notify") {
		c.Notify = from.Notify
	}
	if f.Layer == Managed {
		c.NoLifts, c.NoOverrides, c.Profiles = from.NoLifts, from.NoOverrides, from.Profiles
		if c.Profiles == nil && from.Profile != "" {
			c.Profiles = []string{from.Profile}
		}
	}
}

// union lists the texts of both, each once.
func union(a, b []string) []string {
	a = a[:len(a):len(a)]
	for _, text := range b {
		known := false
		for _, old := range a {
			known = known || old == text
		}
		if !known {
			a = append(a, text)
		}
	}
	return a
}

// Fixed reports whether the administrator has set a key.
func (s *Setup) Fixed(key string) bool {
	for _, f := range s.Files {
		if f.Layer == Managed && f.sets(key) {
			return true
		}
	}
	return false
}

// Choose returns the profile that holds where one is asked for ("" is none in
// particular), and whether that is another one, because the administrator
// allows only some.
func (c *Config) Choose(asked string) (profile string, other bool) {
	profile = asked
	if profile == "" {
		profile = c.Profile
	}
	if profile == "" {
		profile = "default"
	}
	if len(c.Profiles) == 0 {
		return profile, false
	}
	for _, allowed := range c.Profiles {
		if allowed == profile {
			return profile, false
		}
	}
	return c.Profiles[0], true
}
