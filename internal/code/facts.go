package code

import (
	"slices"
	"strings"
	"sync"

	"github.com/bashgate/bashgate/policy"
)

// Facts is what rule files say of the modules, functions and types of
// languages: lines of a language, a full name and what it is, with tabs
// between them, sorted by language and name.
//
//	python  os.path.join  (data, *data) -> str
//	python  os.sep        : str
//
// Nothing of it is read before a text asks for it. The texts that stand first
// win. The zero value knows nothing.
type Facts struct {
	Texts []string // not changed any more once something was looked up

	indexed sync.Once
	index   *index

	mu    sync.Mutex       // guards what was looked up before, which is as many names as the texts have
	found map[named]*Entry // of what something is said about
	given map[named]bool   // of modules: what Names tells
}

// named is a name of a language.
type named struct{ language, name string }

// Entry is what is said of one name.
type Entry struct {
	Kind    EntryKind
	Name    string
	Calls   []Signature // Function: what calls mean; the first whose parameters fit
	Type    Type        // Value: its type; Class: the type above it
	Ask     Ask         // Asked
	Methods bool        // Function: it takes the object that it is called on
	Module  bool        // it is a module, which Asked does not tell
}

// EntryKind says what a name stands for.
type EntryKind uint8

// The kinds of entries.
const (
	Nothing  EntryKind = iota // nobody has said anything
	Module                    // a module
	Class                     // a type, beside what its constructor may be
	Function                  // a function or method
	Constant                  // a value of a known type
	Asked                     // a module or function that a person decides about
)

// Ask is why a person decides.
type Ask struct {
	ID      string // what kind of question: a reader's own, or that a row asks
	Reason  string
	Effects policy.Effects
	Reach   policy.Reach
}

// Find tells what is said of a name of a language; &None is nothing. Of a class whose
// constructor is described too, Calls are the constructor's.
// The entry is everybody's, and not changed.
func (f *Facts) Find(language, name string) *Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, known := f.found[named{language, name}]; known {
		return e
	}
	for _, text := range f.Texts {
		if found := find(text, language+"\t"+name+"\t"); found.Kind != Nothing {
			e := found
			if f.found == nil {
				f.found = make(map[named]*Entry)
			}
			e.Name = strings.Clone(name) // it may be a piece of a large text
			f.found[named{language, e.Name}] = &e
			return &e
		}
	}
	return &None
}

// None is the entry of what nobody has said anything about.
var None Entry

// Owners goes through the modules and types of which something is said under a name,
// until the function reports false.
func (f *Facts) Owners(language, name string, each func(owner string) bool) {
	f.indexed.Do(func() { f.index = newIndex(f.Texts) })
	f.index.owners(f.Texts, language, name, each)
}

// Names reports whether what is said of other modules names one of a module's types. The
// module is one of which something is said.
func (f *Facts) Names(language, module string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	given, known := f.given[named{language, module}]
	if !known {
		if f.given == nil {
			f.given = make(map[named]bool)
		}
		given = f.names(language, module)
		f.given[named{language, strings.Clone(module)}] = given
	}
	return given
}

func (f *Facts) names(language, module string) bool {
	for _, text := range f.Texts {
		for at, name := 0, module+"."; ; at += len(name) {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			at += i
			line := text[strings.LastIndexByte(text[:at], '\n')+1:]
			if !strings.HasPrefix(line, language+"\t"+name) {
				return true
			}
		}
	}
	return false
}

// find reads the lines that begin with a key.
func find(text, key string) (e Entry) {
	for line := range lines(text, key) {
		switch rest := line[len(key):]; {
		case rest == "module":
			if e.Module = true; e.Kind != Asked {
				e.Kind = Module
			}
		case strings.HasPrefix(rest, "type"):
			e.Kind = Class
			e.Type, _ = ParseType(strings.TrimSpace(rest[len("type"):]))
		case strings.HasPrefix(rest, ": "):
			e.Kind = Constant
			e.Type, _ = ParseType(rest[2:])
		case strings.HasPrefix(rest, "! "):
			e.Kind, e.Ask = Asked, parseAsk(rest[2:])
		default:
			if e.Kind == Nothing {
				e.Kind = Function
			}
			s, _ := ParseSignature(strings.TrimPrefix(rest, "."))
			e.Methods = strings.HasPrefix(rest, ".")
			e.Calls = append(e.Calls, s)
		}
	}
	return e
}

// lines are those that begin with a key, in their order.
func lines(text, key string) func(func(string) bool) {
	return func(yield func(string) bool) {
		lo, hi := 0, len(text)
		for lo < hi { // lo and hi are where lines begin
			mid := lo + (hi-lo)/2
			start := strings.LastIndexByte(text[:mid], '\n') + 1
			if start < lo {
				start = lo
			}
			if text[start:min(start+len(key), len(text))] < key {
				lo = nextLine(text, start)
			} else {
				hi = start
			}
		}
		for strings.HasPrefix(text[lo:], key) {
			end := nextLine(text, lo)
			if !yield(strings.TrimSuffix(text[lo:end], "\n")) {
				return
			}
			lo = end
		}
	}
}

func nextLine(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// String writes an ask as it stands in a line.
func (a Ask) String() string {
	return "! " + strings.Join(a.Effects.Names(), ",") + " " + a.Reach.String() + " " + a.Reason
}

func parseAsk(s string) (a Ask) {
	effects, rest, _ := strings.Cut(s, " ")
	reach, rest, _ := strings.Cut(rest, " ")
	a.ID, a.Reason = "code.asked", rest
	a.Reach, _ = policy.ParseReach(reach)
	for e := range strings.SplitSeq(effects, ",") {
		bit, _ := policy.ParseEffect(e)
		a.Effects |= bit
	}
	return a
}

// Sorted makes a text of lines: those of one name stay in their order.
func Sorted(lines []string) string {
	key := func(line string) string { return line[:strings.LastIndexByte(line, '\t')+1] }
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}
