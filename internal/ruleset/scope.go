package ruleset

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/toml"
	"github.com/bashgate/bashgate/policy"
)

// A broken file is asked about, but only where it could have changed an
// answer. What that is, is told by the table in which a mistake stands. The
// usual mistake is a misspelt word; but a header may be lost as well, and then
// the keys of its table stand in the one before. So keys that mean nothing
// where they stand also count for the tables in which they would mean
// something, and of a text that is no TOML every line that is left.

// owner is what a table of a file belongs to.
type owner struct {
	unit    *Table   // what is dropped if something is wrong with it: a rule, a program, a row
	program *Program // nil: it is about no program
	key     string   // the file's key: "programs", "paths"
	is      reflect.Type
}

// owners tells what each table of the file belongs to.
func (f *File) owners() map[*Table]owner {
	all := map[*Table]owner{}
	for i := range f.Programs {
		p := &f.Programs[i]
		own := func(t, unit *Table, is reflect.Type) { all[t] = owner{unit, p, "programs", is} }
		own(&p.Table, &p.Table, reflect.TypeFor[Program]())
		for k := range p.Options {
			own(&p.Options[k].Table, &p.Table, reflect.TypeFor[Options]())
		}
		if p.Runs != nil {
			own(&p.Runs.Table, &p.Table, reflect.TypeFor[Runs]())
		}
		for k := range p.Facts {
			own(&p.Facts[k].Table, &p.Table, reflect.TypeFor[Fact]())
		}
		for _, rules := range [...][]Rule{p.Allow, p.Ask, p.Block} {
			for k := range rules {
				own(&rules[k].Table, &rules[k].Table, reflect.TypeFor[Rule]())
			}
		}
	}
	row := func(key string, unit *Table, is reflect.Type, parts ...*PipeEnd) {
		all[unit] = owner{unit, nil, key, is}
		for _, part := range parts {
			if part != nil {
				all[&part.Table] = owner{unit, nil, key, reflect.TypeFor[PipeEnd]()}
			}
		}
	}
	for i := range f.Paths {
		row("paths", &f.Paths[i].Table, reflect.TypeFor[PathRow]())
	}
	for i := range f.Hosts {
		row("hosts", &f.Hosts[i].Table, reflect.TypeFor[HostRow]())
	}
	for i := range f.Env {
		row("env", &f.Env[i].Table, reflect.TypeFor[EnvRow]())
	}
	for i := range f.Pipes {
		row("pipes", &f.Pipes[i].Table, reflect.TypeFor[PipeRow](), f.Pipes[i].From, f.Pipes[i].To)
	}
	for i := range f.Tools {
		row("tools", &f.Tools[i].Table, reflect.TypeFor[ToolRow]())
	}
	for i := range f.Servers {
		row("servers", &f.Servers[i].Table, reflect.TypeFor[ServerRow]())
	}
	for i := range f.Sources {
		row("sources", &f.Sources[i].Table, reflect.TypeFor[SourceRow]())
	}
	for i := range f.Shells {
		row("shells", &f.Shells[i].Table, reflect.TypeFor[ShellRow]())
	}
	for i := range f.Code {
		row("code", &f.Code[i].Table, reflect.TypeFor[CodeRow]())
	}
	for i := range f.Override {
		row("override", &f.Override[i].Table, reflect.TypeFor[Override]())
	}
	for i := range f.Handlers {
		row("custom_handlers", &f.Handlers[i].Table, reflect.TypeFor[Handler]())
	}
	if f.Meta != nil {
		row("meta", &f.Meta.Table, reflect.TypeFor[Meta]())
	}
	if f.Profile != nil {
		row("profile", &f.Profile.Table, reflect.TypeFor[Profile]())
	}
	all[&f.document.Table] = owner{is: reflect.TypeFor[document]()}
	return all
}

// rowKind is a table that is about no single program.
type rowKind struct {
	key   string
	is    reflect.Type
	about policy.Subjects
}

func rowKinds() []rowKind {
	return []rowKind{
		{"paths", reflect.TypeFor[PathRow](), policy.Places},
		{"hosts", reflect.TypeFor[HostRow](), policy.Machines},
		{"env", reflect.TypeFor[EnvRow](), policy.Variables},
		{"pipes", reflect.TypeFor[PipeRow](), policy.Pipes},
		{"tools", reflect.TypeFor[ToolRow](), policy.Tools},
		{"servers", reflect.TypeFor[ServerRow](), policy.Tools},
		{"sources", reflect.TypeFor[SourceRow](), policy.Machines},
		{"shells", reflect.TypeFor[ShellRow](), policy.Tools},
	}
}

func about(key string) policy.Subjects {
	for _, r := range rowKinds() {
		if r.key == key {
			return r.about
		}
	}
	return 0
}

// scope is what a table may have been about, with the keys in it that have no
// meaning there.
func (f *File) scope(own owner, t *Table) policy.Scope {
	var s policy.Scope
	switch {
	case t.raw != nil && len(t.raw.Keys()) == 0:
		return s // an empty table says nothing
	case own.program != nil:
		s.Name(namesIn(own.program.raw)...)
		s.All = len(s.Programs) == 0
	case own.key == "":
		return f.rootScope(t)
	default:
		s.About = about(own.key)
	}
	s.Join(f.suspects(t.raw, t.unknown))
	return s
}

// suspects is what keys without meaning may have been about, where the header
// of their table is lost.
func (f *File) suspects(raw *toml.Value, odd []string) policy.Scope {
	s := policy.Scope{About: suspectRows(raw.Keys(), odd)}
	programs := false
	for _, key := range odd {
		if isName(key) {
			s.Name(words(raw.Get(key))...)
		}
		programs = programs || ofPrograms(key)
	}
	if programs {
		s.Name(namesIn(raw)...)
		s.Name(f.names()...)
		s.All = len(s.Programs) == 0
	}
	return s
}

// rootScope is the scope of mistakes that stand in no table.
func (f *File) rootScope(t *Table) policy.Scope {
	s := f.suspects(t.raw, t.unknown)
	nameless := false
	for _, key := range t.raw.Keys() {
		value, kind := t.raw.Get(key), topKey(key)
		table := value.Kind == toml.Table
		switch {
		case kind == key && (value.Tables || table && (key == "meta" || key == "profile")): // as it should be
		case !table && !value.Tables && (isName(key) || ofPrograms(key) || has(reflect.TypeFor[Meta](), key)):
		case kind == "meta" && table && !slices.ContainsFunc(value.Keys(), func(k string) bool { return !has(reflect.TypeFor[Meta](), k) }):
		case kind == "programs", strings.HasPrefix(key, "programs"):
			names := namesBelow(value)
			s.Name(names...)
			nameless = nameless || len(names) == 0
		case about(kind) != 0:
			s.About |= about(kind)
		case kind == "override": // it only loosens
		case strings.HasPrefix(key, "pipes"):
			s.About |= policy.Pipes
		default:
			s.All = true
		}
	}
	if nameless {
		// A header that leads below a program of the file.
		s.Name(f.names()...)
		s.All = s.All || len(s.Programs) == 0
	}
	return s
}

// names lists the programs of the file.
func (f *File) names() []string {
	var all []string
	for i := range f.Programs {
		all = append(all, namesIn(f.Programs[i].raw)...)
	}
	return all
}

// namesIn lists the names that a table of a program gives it, whatever else is
// wrong with them.
func namesIn(table *toml.Value) []string {
	var all []string
	for _, key := range table.Keys() {
		if isName(key) {
			all = append(all, words(table.Get(key))...)
		}
	}
	return all
}

// namesBelow is namesIn for a table, or a list of tables, and all tables in it.
func namesBelow(v *toml.Value) []string {
	all := namesIn(v)
	for _, key := range v.Keys() {
		all = append(all, namesBelow(v.Get(key))...)
	}
	for _, item := range v.Items {
		all = append(all, namesBelow(item)...)
	}
	return all
}

// words lists the strings of a value, as names of programs. What no name holds
// may stand for any letter.
func words(v *toml.Value) []string {
	switch {
	case v == nil, v.Kind == toml.String && strings.Trim(v.Text, "/ ") == "":
		return nil
	case v.Kind == toml.String:
		name := strings.Map(func(r rune) rune {
			if r <= ' ' || r == 0x7f || r == '/' {
				return '*'
			}
			return r
		}, v.Text)
		if strings.Contains(v.Text, "/") {
			return []string{name, path.Base(v.Text)}
		}
		return []string{name}
	}
	var all []string
	for _, item := range v.Items {
		all = append(all, words(item)...)
	}
	return all
}

// misspelt is how many letters of a key may be wrong for it still to be taken
// for the key that was meant.
const misspelt = 2

func isName(key string) bool {
	return distance(key, "name") <= misspelt || distance(key, "names") <= misspelt || distance(key, "aliases") <= misspelt
}

// topKey returns the file's key that is meant, or "".
func topKey(key string) string {
	best, cost := "", misspelt+1
	for _, f := range fieldsOf(reflect.TypeFor[document]()) {
		if d := distance(key, f.key); d < cost {
			best, cost = f.key, d
		}
	}
	return best
}

func has(is reflect.Type, key string) bool {
	return slices.ContainsFunc(fieldsOf(is), func(f field) bool { return f.key == key })
}

// ofPrograms reports whether a key has a meaning below [[programs]].
func ofPrograms(key string) bool {
	return has(reflect.TypeFor[Program](), key) || has(reflect.TypeFor[Rule](), key) ||
		has(reflect.TypeFor[Options](), key) || has(reflect.TypeFor[Runs](), key) || isKind(key)
}

func isKind(key string) bool {
	_, ok := findKind(key)
	return ok || key == "code"
}

// suspectRows lists what rows are about that may stand among the keys of a
// table: all that such a row needs is there, and one of its own keys is odd.
func suspectRows(keys, odd []string) policy.Subjects {
	var s policy.Subjects
	for _, r := range rowKinds() {
		needs, strange := true, false
		for _, f := range fieldsOf(r.is) {
			if f.need == "yes" && !slices.Contains(keys, f.key) {
				needs = false
			}
			switch f.key {
			case "id", "reason", "effects", "reach", "examples", "not": // many tables have them
			default:
				strange = strange || slices.Contains(odd, f.key)
			}
		}
		if needs && strange {
			s |= r.about
		}
	}
	return s
}

// tear reads what is left of a text that is no TOML, from the table on that
// could not be read to its end.
type tear struct {
	scope   policy.Scope
	headers []string // the file's keys that were seen
	names   int      // of programs that were seen
	strange bool     // something was seen that is about a program, nobody knows which

	is      reflect.Type // what the current table is; nil: not known
	keys    []string     // of the current table
	odd     []string     // those that have no meaning in it
	naming  bool         // the last key was a name
	program bool         // the current table is a program's, without a name so far
	begun   bool         // the header of a program was seen
	damaged bool         // the error stands in this line: a letter may be too many, or one may be missing
	next    string       // the line after that
}

// torn is what the rest of a text may be about that begins with a line, in a
// table of the file's key.
func (f *File) torn(own owner, first int) policy.Scope {
	t := tear{is: own.is, begun: own.program != nil}
	if own.program != nil {
		t.name(namesIn(own.program.raw))
	}
	t.scope.About |= about(own.key)
	for i := max(first, 1); i <= len(f.lines); i++ {
		if t.damaged = i == f.tear; t.damaged {
			t.next = f.line(i + 1)
		}
		t.line(f.lines[i-1])
	}
	t.end()
	t.scope.Name(f.names()...)
	if !t.strange {
		// The programs before are whole.
		t.scope.Programs = t.scope.Programs[:t.names]
	}
	t.scope.All = t.scope.All || t.scope.None() || t.strange && len(t.scope.Programs) == 0 || f.cut
	return t.scope
}

func (t *tear) name(names []string) {
	t.scope.Name(names...)
	t.names = len(t.scope.Programs)
	t.program = t.program && len(names) == 0
}

// end ends a table.
func (t *tear) end() {
	t.scope.About |= suspectRows(t.keys, t.odd)
	t.scope.All = t.scope.All || t.program
	t.keys, t.odd, t.program = nil, nil, false
}

func (t *tear) line(line string) {
	line = strings.TrimSpace(line)
	if head := strings.TrimLeft(line, "[ \t"); head != line && bareKey(head) != "" {
		name := head[:len(head)-len(strings.TrimLeft(head, bareLetters+". "))]
		t.header(strings.Fields(strings.ReplaceAll(name, ".", " ")))
		line = strings.TrimLeft(head[len(name):], "] \t") // what follows in the same line
	}
	key := bareKey(line)
	switch {
	case line == "" || line[0] == '#':
		return
	case key == "":
		if t.naming {
			t.words(line)
		}
		return
	}
	t.naming = isName(key)
	rest := line[len(key):]
	if t.naming {
		t.words(rest)
	}
	if t.is == nil || slices.Contains(t.keys, key) || !has(t.is, key) && !(t.is == reflect.TypeFor[Options]() && isKind(key)) {
		t.odd = append(t.odd, key)
		t.strange = t.strange || ofPrograms(key) && !t.ofProgram()
	}
	if t.is == reflect.TypeFor[document]() && topKey(key) != "" {
		t.scope.All = true // tables within a line
	}
	t.keys = append(t.keys, key)
}

// words takes what may be names in the rest of a line. Where the error stands,
// a letter may have been mistyped: what ends a name may stand within one, and
// the other way round.
func (t *tear) words(text string) {
	names := plainWords(text)
	t.name(names)
	if !t.damaged {
		return
	}
	names = append(names, plainWords(t.next)...)
	t.name(names)
	for i, name := range names {
		if i > 0 {
			t.name([]string{names[i-1] + "*" + name})
		}
		t.name([]string{"?" + name, name + "?"})
		if len(name) > 1 {
			t.name([]string{name[1:], name[:len(name)-1]})
		}
	}
}

// ofProgram reports whether the current table is a program's or below one.
func (t *tear) ofProgram() bool {
	switch t.is {
	case reflect.TypeFor[Program](), reflect.TypeFor[Rule](), reflect.TypeFor[Options](), reflect.TypeFor[Runs]():
		return true
	}
	return false
}

// header begins a table.
func (t *tear) header(path []string) {
	top := topKey(path[0])
	below := ""
	if len(path) > 1 {
		below = path[1]
	}
	if top != "programs" || below == "" {
		t.end()
	} else {
		t.scope.About |= suspectRows(t.keys, t.odd)
		t.keys, t.odd = nil, nil
	}
	t.headers = append(t.headers, top)
	t.scope.About |= about(top)
	t.is = nil
	switch {
	case top == "":
		t.scope.All = true
	case top == "programs" && below == "":
		t.is, t.program, t.begun = reflect.TypeFor[Program](), true, true
	case top == "programs":
		t.strange = t.strange || !t.begun
		switch below {
		case "options":
			t.is = reflect.TypeFor[Options]()
		case "runs":
			t.is = reflect.TypeFor[Runs]()
		default:
			t.is = reflect.TypeFor[Rule]()
		}
	case top == "meta":
		t.is = reflect.TypeFor[Meta]()
	case top == "override":
		t.is = reflect.TypeFor[Override]()
	case top == "profile":
		t.is = reflect.TypeFor[Profile]()
	case top == "pipes" && below != "":
		t.is = reflect.TypeFor[PipeEnd]()
	default:
		for _, r := range rowKinds() {
			if r.key == top {
				t.is = r.is
			}
		}
	}
}

const bareLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// bareKey is the key that a line begins with, or "".
func bareKey(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, bareLetters))]
}

// plainWords lists what may be a name in the rest of a line.
func plainWords(text string) []string {
	list := strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune("=\"', []{}#\\", r) })
	for i := range list {
		list[i] = path.Base(list[i])
	}
	return list
}
