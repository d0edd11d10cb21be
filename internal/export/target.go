package export

import (
	"fmt"
	"slices"
	"strings"
)

// Target is an agent's engine that policy files are written for.
type Target struct {
	Name   string // as the command line takes it
	Title  string
	Tested string // the version that judged the files, or how the target is known
	Place  string // where the file belongs
	Remove string // how its rules are got rid of again
	Merges bool   // the file may hold settings of others too
	Judged bool   // e2e holds the engine's answers, or its patterns', against ours: without that a file allows nothing

	write func(*Rules, *writer)
	check func(text []byte, file string) error
}

// Targets lists all of them in the order of the help.
func Targets() []*Target {
	return []*Target{
		gemini(), codex(), claude(), opencode(), qwen(), amp(), zed(), vscode(),
		copilot(), cursor(), droid(), agy(),
		// Crush, Goose, Kimi and Cline know no rules about a command's words.
	}
}

// Find returns the target of a name, or nil.
func Find(name string) *Target {
	for _, t := range Targets() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Options are what the user wants.
type Options struct {
	Strict  bool   // only what holds wherever the agent stands
	Sandbox bool   // Claude: the complete settings of a sandboxed session
	Version string // of bashgate
}

// Result is a policy file and what became of the rules.
type Result struct {
	Text  []byte
	Stats Stats
}

// Stats says how much of the rules a file holds.
type Stats struct {
	Rules   int            // in the file
	Forms   int            // sets of command lines that are allowed as a whole
	Kept    int            // of them, those that the file allows all or part of
	Dropped map[string]int // allows that are no such set, by why
	Lost    map[string]int // Forms that the file lacks, or has a part of, by why

	Families map[string]Family // by rule file
}

// Family is how much of one rule file's allows a target holds.
type Family struct{ Forms, Kept int }

// Export writes a target's file.
func (t *Target) Export(r *Rules, o Options) *Result {
	w := t.body(r, o)
	text := w.text(t.header(w, o))
	return &Result{Text: text, Stats: w.stats(r)}
}

// Merge puts a target's rules into a file that holds other settings. What an
// earlier export put there is replaced; all else stays as it is.
func (t *Target) Merge(r *Rules, o Options, existing []byte) (*Result, error) {
	w := t.body(r, o)
	text, err := w.merge(existing, t.header(w, o))
	if err != nil {
		return nil, err
	}
	return &Result{Text: text, Stats: w.stats(r)}, nil
}

// Check reports what the target's loader would say of a file.
func (t *Target) Check(text []byte, file string) error { return t.check(text, file) }

func (t *Target) body(r *Rules, o Options) *writer {
	w := &writer{options: o, lost: map[string]int{}}
	if !t.Judged {
		w.loseAll(r, "no engine has judged the file")
		r = r.Tightening() // a writer without Forms has nothing to allow
	}
	t.write(r, w)
	return w
}

// header is what stands in every file, as lines.
func (t *Target) header(w *writer, o Options) []string {
	mode := "useful"
	if o.Strict {
		mode = "strict"
	}
	if o.Sandbox {
		mode += " --sandbox"
	}
	judged := "Judged by"
	if !t.Judged {
		judged = "Without allows, for"
	}
	return []string{
		fmt.Sprintf("bashgate %s: export %s --mode %s", o.Version, t.Name, mode),
		fmt.Sprintf("%s %s %s. %d rules.", judged, t.Title, t.Tested, w.rules),
		"Place: " + t.Place,
		"Remove: " + t.Remove,
	}
}

// writer collects a file.
type writer struct {
	options Options
	rules   int
	lost    map[string]int
	count   int
	files   []string // of the rules that are kept, one for each Form

	plain strings.Builder // text formats
	mark  string          // how a comment begins there
	json  []block         // JSON
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.plain, format, args...) }

// section begins a part of a text file.
func (w *writer) section(title string) { w.printf("\n%s %s\n", w.comment(), title) }

func (w *writer) comment() string {
	if w.mark == "" {
		return "#"
	}
	return w.mark
}

// keep notes that a group's Forms are in the file, lose that they are not or
// not wholly.
func (w *writer) keep(g *group) {
	w.count += g.forms
	w.files = append(w.files, g.files...)
}

func (w *writer) lose(why string, g *group) { w.lost[why] += g.forms }

// loseAll notes that the file allows nothing, and why.
func (w *writer) loseAll(r *Rules, why string) {
	if len(r.Forms) > 0 {
		w.lost[why] += len(r.Forms)
	}
}

func (w *writer) stats(r *Rules) Stats {
	families := map[string]Family{}
	for i := range r.Forms {
		f := families[r.Forms[i].Rule.File]
		f.Forms++
		families[r.Forms[i].Rule.File] = f
	}
	for _, file := range w.files {
		f := families[file]
		f.Kept++
		families[file] = f
	}
	return Stats{Rules: w.rules, Forms: len(r.Forms), Kept: w.count, Dropped: r.Dropped, Lost: w.lost, Families: families}
}

func (w *writer) text(header []string) []byte {
	if w.json != nil {
		text, _ := w.merge(nil, header) // an empty file can always be added to
		return text
	}
	var b strings.Builder
	body := w.plain.String()
	if first, rest, ok := strings.Cut(body, "\n"); ok && strings.HasPrefix(first, "#!") {
		b.WriteString(first + "\n")
		body = rest
	}
	for _, line := range header {
		b.WriteString(w.comment() + " " + line + "\n")
	}
	return []byte(b.String() + body)
}

// lines are the starts of a group's command lines, one for each name and path
// and each choice of what is required, where there are no more than most.
func (g *group) lines(most int) []string {
	var all []string
	for _, name := range g.Names {
		for _, path := range g.paths {
			starts := []string{strings.TrimSpace(name + " " + path)}
			for _, words := range g.Required {
				var longer []string
				for _, s := range starts {
					for _, word := range words {
						longer = append(longer, s+" "+word)
					}
				}
				starts = longer
			}
			all = append(all, starts...)
		}
	}
	if len(all) > most {
		return all[:most]
	}
	return all
}

// starts are the beginnings of what a restriction is about.
func (x *Restriction) starts() []string {
	var all []string
	for _, name := range x.Names {
		for _, path := range x.Paths {
			all = append(all, strings.TrimSpace(name+" "+path))
		}
	}
	return all
}

// sortedGroups puts Forms together, sorted.
func (r *Rules) sortedGroups() []group {
	groups := merged(r.Forms)
	slices.SortStableFunc(groups, func(a, b group) int {
		return strings.Compare(a.Names[0]+" "+a.paths[0], b.Names[0]+" "+b.paths[0])
	})
	return groups
}
