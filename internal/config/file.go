package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// written is config.toml. Its tags are those of rule files (package ruleset), from
// which loading, the schema and the reference are made; besides:
//
//	takes    the words that it takes: "ask,defer", or those of Names: @packs
//	range    the smallest and the largest number: "1-3"
//	default  what holds where the key is absent, as it would be written
//	absent   what holds then, in words
//	empty    "yes": "" means something
//	more     what tells more, as docs/configuration.md links to it
type written struct {
	ruleset.Table
	Preset         ruleset.Text   `toml:"preset" takes:"@presets" doc:"how careful: it stands for settings, each of which counts where the file says nothing of it" more:"#presets"`
	Profile        ruleset.Text   `toml:"profile" takes:"@profiles" default:"\"default\"" doc:"the way of working, or one of your own" more:"#profiles"`
	Packs          []ruleset.Text `toml:"packs" takes:"@packs" doc:"rule packs that are on, or those of packs_dir; a project may switch some on" more:"#packs"`
	PacksDir       []ruleset.Text `toml:"packs_dir" doc:"directories of packs that a team shares: a file NAME.toml each" more:"#packs-of-a-team"`
	DeniedCommands []ruleset.Text `toml:"denied_commands" doc:"commands that never run: a program, git push, npm*, /usr/bin/nc, ./deploy.sh; a project may name some" more:"#commands-that-never-run"`
	AllowedDirs    []ruleset.Text `toml:"allowed_dirs" doc:"directories, absolute or ~/: a command that names a path outside of them asks" absent:"all"`
	ScratchDirs    []ruleset.Text `toml:"scratch_dirs" doc:"directories that are harmless to write: absolute, ~/, or ./build, which is one of each workspace"`
	ProgramDirs    []ruleset.Text `toml:"program_dirs" doc:"directories whose programs are known by their names, as those of /usr/bin are: ~/.local/bin, ~/go/bin"`
	Hook           *hook          `toml:"hook" doc:"how the hook answers"`
	Pack           *pack          `toml:"pack" doc:"settings of rule packs"`
	Cop            *cop           `toml:"cop" doc:"who reviews what tainted sessions run" more:"cop.md"`
	Taint          *taint         `toml:"taint" doc:"how it is remembered what sessions have seen" more:"sessions.md"`
	Checkers       []checker      `toml:"checkers" doc:"programs of your own that may tighten a decision" more:"sessions.md#checkers"`
	Audit          *audit         `toml:"audit" doc:"the decision log" more:"log.md"`
	Approvals      *approvals     `toml:"approvals" doc:"questions that wait for a person where nobody can be asked" more:"approvals.md"`
	Notify         *notify        `toml:"notify" doc:"how a person is told of a question that waits elsewhere" more:"notify/README.md"`
	Managed        *managed       `toml:"managed" doc:"what users may set up; only in the administrator's file" more:"#for-administrators"`
}

type hook struct {
	ruleset.Table
	Unknown ruleset.Text `toml:"unknown" takes:"ask,defer" default:"\"ask\"" doc:"what to do about commands that no rule knows: ask, or defer to the agent's own prompt"`
	Auto    ruleset.Text `toml:"auto" takes:"ask,defer" default:"\"defer\"" doc:"what to do about questions in the agent's auto mode: defer to its classifier, or ask" more:"hosts.md"`
	Hint    ruleset.Text `toml:"hint" empty:"yes" default:"\"bashgate allow\"" doc:"the last words of a question that a rule of yours could answer; empty: none" more:"answers.md"`
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

type managed struct {
	ruleset.Table
	AllowLifts     ruleset.Flag   `toml:"allow_lifts" default:"true" doc:"whether what users and their agents allow lifts questions"`
	AllowOverrides ruleset.Flag   `toml:"allow_overrides" default:"true" doc:"whether users may put built-in blocks out of force"`
	Profiles       []ruleset.Text `toml:"profiles" doc:"the profiles that may be chosen; whoever chooses another gets the first" absent:"all"`
}

// maxHint is how long hook.hint may be, in bytes: it stands behind each question.
const maxHint = 100

// File is one config.toml as it was read.
type File struct {
	Path   string
	Layer  Layer
	Faults []Fault
	Inert  []*ruleset.Error // keys that its layer may not set

	Preset string // its name, where the file is one; Path is then ""

	config Config
	preset *File // that the file chooses, or nil
	w      written
	doubt  map[string]bool // of the file's keys
}

// Packs lists the packs that the file switches on.
func (f *File) Packs() []string { return f.config.Packs }

// sets reports whether the file says anything about a key: "profile",
// "hook.auto", or a whole table.
func (f *File) sets(key string) bool {
	top, below, nested := strings.Cut(key, ".")
	if !nested || f.doubt[top] {
		return f.w.Has(top) || f.doubt[top]
	}
	return f.w.Value(top).Get(below) != nil
}

// read loads one file; nil if it is not there. The directory is the project's,
// for what a project's file names.
func (s *Setup) read(path string, layer Layer, dir string) *File {
	text, err := disk.OS{}.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		f := &File{Path: path, Layer: layer, Faults: []Fault{{err, policy.Scope{All: true}}}, doubt: map[string]bool{}}
		for _, key := range topKeys(nil) {
			f.doubt[key] = true
		}
		(&parser{File: f}).strictest()
		return f
	}
	return s.parse(path, text, layer, dir)
}

func (s *Setup) parse(path string, text []byte, layer Layer, dir string) *File {
	f := &File{Path: path, Layer: layer, doubt: map[string]bool{}}
	p := parser{File: f, setup: s, home: s.Places.Getenv("HOME"), dir: dir, lines: strings.Split(string(text), "\n")}
	p.parse(text)
	return f
}

// parser finds out what a file says.
type parser struct {
	*File
	setup *Setup
	home  string
	dir   string // the project's directory
	lines []string
	errs  []mistake
	key   string // the file's key that is being read
}

// mistake is an error and what it makes doubtful.
type mistake struct {
	*ruleset.Error
	keys  []string // of the file
	scope policy.Scope
}

func (p *parser) parse(text []byte) {
	if err := ruleset.Decode(p.Path, text, &p.w); err != nil {
		for _, e := range err.(ruleset.Errors) {
			m := mistake{Error: e, keys: topKeys(e.Keys)}
			if p.ends(e.At) {
				m.keys = topKeys(nil)
			}
			for _, key := range m.keys {
				if p.Layer != Project || tightens(key) {
					m.scope.Join(doubtful(key))
				}
			}
			p.errs = append(p.errs, m)
		}
	}
	if p.Layer == Project {
		p.project()
	} else {
		p.settings()
	}
	sort.SliceStable(p.errs, func(i, k int) bool { return p.errs[i].At.Before(p.errs[k].At) })
	for _, m := range p.errs {
		for _, key := range m.keys {
			p.doubt[key] = true
		}
		if p.Layer == Project && m.scope.None() {
			p.Inert = append(p.Inert, m.Error) // a project can't set that anyway
			continue
		}
		same := func(f Fault) bool { return reflect.DeepEqual(f.Scope, m.scope) }
		if i := slices.IndexFunc(p.Faults, same); i >= 0 {
			p.Faults[i].Err = append(p.Faults[i].Err.(ruleset.Errors), m.Error)
			continue
		}
		p.Faults = append(p.Faults, Fault{ruleset.Errors{m.Error}, m.scope})
	}
	p.strictest()
}

// settings reads the user's or the administrator's file.
func (p *parser) settings() {
	c, w := &p.config, &p.w
	p.key = "preset"
	p.presets(w.Preset)
	p.key = "profile"
	c.Profile = p.profile(w.Profile)
	p.packsDirs()
	p.packs()
	p.denied()
	c.AllowedDirs = p.dirs("allowed_dirs", w.AllowedDirs)
	c.ScratchDirs = p.dirs("scratch_dirs", w.ScratchDirs)
	c.ProgramDirs = p.dirs("program_dirs", w.ProgramDirs)
	p.key = "pack"
	if w.Pack != nil {
		c.PackSettings = w.Pack.settings()
	}
	r := reader{p.fail, p.path}
	p.key = "hook"
	if w.Hook != nil {
		r.check(w.Hook)
		if c.Hint, c.NoHint = w.Hook.Hint.Value, w.Hook.Has("hint") && w.Hook.Hint.Value == ""; len(c.Hint) > maxHint || strings.ContainsFunc(c.Hint, unicode.IsControl) {
			p.fail(w.Hook.Hint, "hook.hint is no short line", "a few words: bashgate allow")
			c.Hint = ""
		}
		c.DeferUnknown, c.AskAuto = w.Hook.Unknown.Value == "defer", w.Hook.Auto.Value == "ask"
	}
	p.key = "cop"
	if w.Cop != nil {
		c.Cop = w.Cop.meaning(r)
		c.Cop.File = p.Path
	}
	p.key = "taint"
	if w.Taint != nil {
		c.Taint = w.Taint.meaning(r)
	}
	p.key = "checkers"
	for i := range w.Checkers {
		c.Checkers = append(c.Checkers, w.Checkers[i].meaning(r))
	}
	p.key = "audit"
	if w.Audit != nil {
		c.Audit = w.Audit.meaning(r)
	}
	p.key = "approvals"
	if w.Approvals != nil {
		c.Approvals = w.Approvals.meaning(r)
	}
	p.key = "notify"
	if w.Notify != nil {
		c.Notify = w.Notify.meaning(r)
	}
	p.key = "managed"
	switch {
	case w.Managed == nil:
	case p.Layer != Managed:
		p.errs = append(p.errs, mistake{Error: p.mistake(w.Managed.At, `it belongs in `+p.setup.Places.Below(Managed, "config.toml"), "[managed] is the administrator's")})
	default:
		c.NoLifts, c.NoOverrides = w.Managed.AllowLifts == ruleset.False, w.Managed.AllowOverrides == ruleset.False
		for _, t := range w.Managed.Profiles {
			if name := p.profile(t); name != "" {
				c.Profiles = append(c.Profiles, name)
			}
		}
		if c.Profile != "" && len(c.Profiles) > 0 && !slices.Contains(c.Profiles, c.Profile) {
			p.fail(w.Profile, policy.Quote(c.Profile)+" is none of the profiles that [managed] allows", "one of "+strings.Join(c.Profiles, ", "))
		}
	}
}

// project reads a project's file, which may say what tightens.
func (p *parser) project() {
	p.packs()
	p.denied()
	for _, key := range p.w.Keys() {
		if isKey(key) && !tightens(key) {
			p.Inert = append(p.Inert, p.mistake(p.w.Key(key), "say it in your own config.toml", "a project can't set %q", key))
		}
	}
}

// tightens reports whether a project may set a key of the file.
func tightens(key string) bool { return key == "packs" || key == "denied_commands" }

// presets reads the settings of the preset that the file chooses.
func (p *parser) presets(t ruleset.Text) {
	if t.Value == "" {
		return
	}
	text := ""
	if of := p.setup.names.Preset; of != nil {
		text, _ = of(t.Value)
	}
	if text == "" {
		p.fail(t, "no preset is called "+policy.Quote(t.Value), ruleset.DidYouMean(t.Value, p.setup.names.Presets))
		return
	}
	p.preset = p.setup.parse("", []byte(text), p.Layer, "")
	p.preset.Preset = t.Value
}

// profile returns the name of a profile that there is, or "".
func (p *parser) profile(t ruleset.Text) string {
	if what, hint := p.setup.NoProfile(t.Value); what != "" {
		p.fail(t, what, hint)
		return ""
	}
	return t.Value
}

// NoProfile says that there is no profile of a name, and which there are; "" where
// there is one, or none is named.
func (s *Setup) NoProfile(name string) (what, hint string) {
	builtIn := s.names.Profiles
	if name == "" || builtIn == nil || slices.Contains(builtIn, name) || s.profileFile(name) != "" {
		return "", ""
	}
	what = "no profile is called " + policy.Quote(name)
	if hint := ruleset.Alike(name, s.ProfileNames()); hint != "" {
		return what, hint
	}
	return what, "one of " + strings.Join(s.ProfileNames(), ", ") + ", or a file of your own: " + s.Places.Below(User, filepath.Join("profiles", "NAME.toml"))
}

// ProfileNames lists the built-in profiles, those of the user and those of the
// administrator.
func (s *Setup) ProfileNames() []string {
	names := slices.Clone(s.names.Profiles)
	for _, layer := range [...]Layer{User, Managed} {
		texts, _ := readDir(s.Places.Below(layer, "profiles"))
		for _, t := range texts {
			if name := strings.TrimSuffix(filepath.Base(t.path), ".toml"); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (p *parser) denied() {
	p.key = "denied_commands"
	for _, t := range p.w.DeniedCommands {
		entry := t.Value
		_, what, hint := match.ParseDenied(entry)
		if what != "" {
			p.fail(t, what, hint)
			// What it was meant for is asked about, if it names programs at all.
			if names := meantBy(entry); names != nil && !p.ends(t.At) {
				p.errs[len(p.errs)-1].scope = policy.Scope{Programs: names}
			}
			continue
		}
		if rest, ok := strings.CutPrefix(entry, "./"); ok && p.Layer == Project {
			entry = p.dir + "/" + rest
		}
		p.config.DeniedCommands = append(p.config.DeniedCommands, entry)
	}
}

// meantBy lists the programs, as globs, that an entry may mean which can't be
// used: its first word, or all that could be names where that is none. What
// stands in no name may stand for any letter.
func meantBy(entry string) []string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-*?/~", r)
	}
	var names []string
	add := func(word string) {
		for _, name := range [...]string{filepath.Base(word), strings.ReplaceAll(word, "/", "*")} {
			if strings.Trim(name, "-./~*?") != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	words := strings.Fields(entry)
	if len(words) > 1 && strings.Contains(entry, "\t") {
		add(words[0] + "*" + words[1])
	}
	for i, word := range words {
		glob := strings.Map(func(r rune) rune {
			if plain(r) {
				return r
			}
			return '*'
		}, word)
		if rest, ok := strings.CutPrefix(glob, "-"); ok {
			glob = "*" + rest
		}
		add(glob)
		if glob == word && i == 0 {
			break
		}
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return !plain(r) }) {
			if glob != word {
				add(part)
			}
		}
	}
	return names
}

// strictest gives each key in doubt the strictest value that it can have.
func (p *parser) strictest() {
	c, doubt := &p.config, p.doubt
	if len(p.doubt) == 0 {
		return
	}
	if doubt["allowed_dirs"] && p.w.Has("allowed_dirs") && c.AllowedDirs == nil {
		c.AllowedDirs = []string{}
	}
	if doubt["scratch_dirs"] {
		c.ScratchDirs = nil
	}
	if doubt["program_dirs"] {
		c.ProgramDirs = nil
	}
	if doubt["hook"] {
		c.DeferUnknown, c.AskAuto = false, true
		for _, m := range p.errs {
			if c.AskWhy == nil && slices.Contains(m.keys, "hook") {
				c.AskWhy = ruleset.Errors{m.Error}
			}
		}
	}
	if doubt["cop"] {
		c.Cop = Cop{}
	}
	if doubt["taint"] {
		from := 1
		if p.w.Taint != nil && p.w.Taint.Has("from") && c.Taint.From > 0 {
			from = min(c.Taint.From, DefaultFrom)
		}
		c.Taint = Taint{From: from, ContainsSecrets: c.Taint.ContainsSecrets}
	}
	if doubt["audit"] {
		// The log goes on, with nothing in it that it may have been told to leave out.
		c.Audit.Commands = "off"
		for _, m := range p.errs {
			if c.Audit.Why == nil && slices.Contains(m.keys, "audit") && m.scope.None() { // others are asked about
				c.Audit.Why = ruleset.Errors{m.Error}
			}
		}
	}
	if doubt["approvals"] {
		c.Approvals = Approvals{Off: true}
	}
	if doubt["notify"] {
		c.Notify = Notify{}
	}
	if doubt["managed"] && p.Layer == Managed {
		c.NoLifts, c.NoOverrides = true, true
	}
}

// fail notes that a value is wrong.
func (p *parser) fail(value ruleset.Text, msg, hint string) {
	m := mistake{p.mistake(value.At, hint, "%s", msg), []string{p.key}, doubtful(p.key)}
	if p.key == "taint" {
		m.scope = policy.Scope{} // the strictest value holds
	}
	if p.ends(value.At) {
		m.keys, m.scope = topKeys(nil), policy.Scope{All: true}
	}
	p.errs = append(p.errs, m)
}

// ends reports whether a place stands in the last table of a text that does not
// end with a line: more may have followed, if the disk was full.
func (p *parser) ends(at ruleset.Span) bool {
	if p.lines[len(p.lines)-1] == "" {
		return false
	}
	last := 0
	for i, line := range p.lines {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			last = i + 1
		}
	}
	return at.Line >= last
}

func (p *parser) mistake(at ruleset.Span, hint, format string, args ...any) *ruleset.Error {
	e := &ruleset.Error{File: p.Path, At: at, Msg: fmt.Sprintf(format, args...), Hint: hint}
	if 0 < at.Line && at.Line <= len(p.lines) {
		e.Line = p.lines[at.Line-1]
	}
	return e
}

// path makes an absolute path of a text.
func (p *parser) path(key string, t ruleset.Text) string {
	path := t.Value
	if rest, ok := strings.CutPrefix(path, "~/"); ok && p.home != "" {
		path = filepath.Join(p.home, rest)
	}
	if !filepath.IsAbs(path) {
		hint := `begin it with "/" or "~/"`
		if key == "scratch_dirs" {
			hint = `begin it with "/", "~/", or "./" in the workspace`
		}
		p.fail(t, key+" needs absolute paths", hint)
		if key == "contains_secrets" {
			p.errs[len(p.errs)-1].scope = doubtful(p.key)
		}
		return ""
	}
	return filepath.Clean(path)
}

// dirs reads a list of directories.
func (p *parser) dirs(key string, list []ruleset.Text) []string {
	p.key = key
	var out []string
	for _, t := range list {
		if i := strings.IndexAny(t.Value, "*?["); i >= 0 {
			p.fail(t, key+" are directories, and "+t.Value[i:i+1]+" stands for nothing in them", "name each directory; all below it count too")
			continue
		}
		if key == "scratch_dirs" && (t.Value == "." || strings.HasPrefix(t.Value, "./")) {
			dir := filepath.Clean(t.Value)
			if dir == "." || dir == ".." || strings.HasPrefix(dir, "../") {
				p.fail(t, "scratch_dirs needs a directory below the workspace", `write it like "./build"; mode acceptEdits is for all of a workspace`)
				continue
			}
			out = append(out, "./"+dir)
			continue
		}
		dir := p.path(key, t)
		if what := inDir(key); dir != "" && what != "" {
			if why := writableByAll(dir); why != "" {
				p.fail(t, "anybody could put "+what+" there: "+why, "")
				continue
			}
		}
		if dir != "" {
			out = append(out, dir)
		}
	}
	return out
}

// inDir is what lies in the directories of a key that has to trust them; "" = it
// does not.
func inDir(key string) string {
	switch key {
	case "program_dirs":
		return "a program"
	case "packs_dir":
		return "a pack"
	}
	return ""
}

// doubtful is what a key of the file may have been stricter about than what
// holds in its place.
func doubtful(key string) policy.Scope {
	switch key {
	case "allowed_dirs", "taint":
		return policy.Scope{About: policy.Places}
	case "packs_dir", "scratch_dirs", "program_dirs", "hook", "pack", "cop", "audit", "approvals", "notify":
		return policy.Scope{}
	}
	return policy.Scope{All: true}
}

// topKeys lists the file's keys that some keys belong to: those of the file
// itself, and of its tables. A key that nobody knows may be any of them.
func topKeys(keys []string) []string {
	var tops []string
	add := func(key string) {
		if !slices.Contains(tops, key) {
			tops = append(tops, key)
		}
	}
	for _, key := range keys {
		for _, f := range keysOf(reflect.TypeFor[written]()) {
			table := f.table != nil && slices.ContainsFunc(keysOf(f.table), func(k keyOf) bool { return k.key == key })
			if f.key == key || table {
				add(f.key)
			}
		}
	}
	if tops == nil {
		for _, f := range keysOf(reflect.TypeFor[written]()) {
			add(f.key)
		}
	}
	return tops
}

func isKey(key string) bool {
	return slices.ContainsFunc(keysOf(reflect.TypeFor[written]()), func(k keyOf) bool { return k.key == key })
}

// keyOf is one key of a table, read off a struct's tags.
type keyOf struct {
	key, byDefault, doc string
	table               reflect.Type // of the table that is its value; nil: it is a value
}

func keysOf(table reflect.Type) []keyOf {
	var keys []keyOf
	for i := range table.NumField() {
		f := table.Field(i)
		k := keyOf{key: f.Tag.Get("toml"), byDefault: f.Tag.Get("default"), doc: f.Tag.Get("doc")}
		if k.key == "" {
			continue
		}
		k.table = tableOf(f.Type)
		keys = append(keys, k)
	}
	return keys
}

func values(texts []ruleset.Text) []string {
	var out []string
	for _, t := range texts {
		if t.Value != "" {
			out = append(out, t.Value)
		}
	}
	return out
}
