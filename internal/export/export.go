package export

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Source is what is exported: the rules in force, and the judge of lines.
type Source struct {
	Gates   []*match.Gate // built-in ones first, then the user's, the project's, packs' and profiles'
	Judge   func(command string) policy.Decision
	ByName  bool   // what holds for one program need not hold for another with the same tables: a profile is in force
	BuiltIn bool   // Gates are the built-in ones, and Judge knows no others, no profile and no settings
	Version string // of bashgate

	asker *asker // for the restrictions
}

// Rules is what the targets write: what the rules allow, and what they don't.
type Rules struct {
	Forms        []Form
	Restrictions []Restriction
	Dropped      map[string]int // allows without a Form, by why
	guards       *guards
	mcp          []string // names of tools that a profile allows, as JSON
}

// Tightening is the rules without anything that is allowed.
func (r *Rules) Tightening() *Rules {
	rest := *r
	rest.Forms, rest.mcp = nil, nil
	return &rest
}

// Collect turns the rules into Forms. Strict leaves out what depends on where
// the agent stands.
func Collect(s *Source, strict bool) *Rules {
	families := familiesOf(s.Gates)
	keep(families, s)
	return s.collect(families, strict)
}

// collect turns the rules for some families into Forms.
func (s *Source) collect(families []*family, strict bool) *Rules {
	rules := &Rules{guards: newGuards(s.Gates), Dropped: map[string]int{}, mcp: s.tools()}
	// The judge is the slower part, and both cores are free.
	results := make([]deriver, len(families))
	within := slices.ContainsFunc(s.Gates, func(g *match.Gate) bool { return g.Profile != nil && g.Profile.OutsideRead > policy.Allow })
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		wg.Go(func() {
			d := deriver{trial: trial{within: within}}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(families) {
					return
				}
				results[i].forms, results[i].dropped = s.forms(&d, families[i], strict)
			}
		})
	}
	wg.Wait()
	for i := range results {
		rules.Forms = append(rules.Forms, results[i].forms...)
		for why, n := range results[i].dropped {
			rules.Dropped[why] += n
		}
	}
	s.asker = s.newAsker()
	begun, places := newStarts(rules.Forms), placesOf(s.Gates)
	for _, f := range families {
		s.asker.tape = &f.tapes.denied
		rules.Restrictions = append(rules.Restrictions, s.restrictions(f.tables, f.names, begun.begins, places)...)
		rules.Restrictions = append(rules.Restrictions, s.deletion(f.tables, f.names, places)...)
		rules.Restrictions = append(rules.Restrictions, s.overwriting(f.tables, f.names)...)
	}
	return rules
}

// forms are the Forms of a family, and how many allows have none, by why.
func (s *Source) forms(d *deriver, f *family, strict bool) (kept []Form, dropped map[string]int) {
	d.forms, d.dropped, d.tape = nil, map[string]int{}, nil
	if !d.within {
		d.tape = &f.tapes.tried
	}
	d.derive(f.tables)
	for k := range d.forms {
		d.forms[k].Alone = s.alone(f.tables, f.names, d.forms[k].Rule)
	}
	kept = d.forms[:0]
	var judged []bool // by like
	for _, form := range d.forms {
		for len(judged) <= form.like {
			judged = append(judged, false)
		}
		for _, name := range f.names {
			if readByShell(name) {
				continue
			}
			if s.ByName || !judged[form.like] {
				if !s.judged(&form, name, &f.tapes.judged) {
					continue
				}
				judged[form.like] = true
			}
			form.Names = append(form.Names, name)
		}
		switch {
		case form.Reads && strict:
			d.dropped[lostReads]++
		case form.Names == nil:
			d.dropped[lostTrial]++
		default:
			kept = append(kept, form)
		}
	}
	return kept, d.dropped
}

// alone reports whether an allow holds only where the program is not at one
// end of some pipe.
func (s *Source) alone(tables []*match.Program, names []string, r *match.Rule) bool {
	stdin := func(what string) bool {
		return slices.ContainsFunc(tables, func(p *match.Program) bool {
			return p.Runs.Stdin != "" && (what == "" || p.Runs.Stdin == what || strings.HasPrefix(p.Runs.Stdin, what+"."))
		})
	}
	if stdin("") || r.Effects&policy.Secret != 0 {
		return true
	}
	at := func(end *match.PipeEnd) bool {
		return (end.Programs == nil || slices.ContainsFunc(names, func(name string) bool { return match.AnyGlob(end.Programs, name) })) &&
			(end.Effects == 0 || r.Effects&end.Effects != 0) && (end.Stdin == "" || stdin(end.Stdin))
	}
	for _, g := range s.Gates {
		for i := range g.Pipes {
			if p := &g.Pipes[i]; p.Decision > policy.Allow {
				// Of two ends that both tell something, one is enough to be
				// kept away from; the one that takes in.
				end := &p.To
				if end.Programs == nil && end.Stdin == "" && (end.Effects == 0 || p.From.Programs != nil || p.From.Effects == policy.Secret) {
					end = &p.From
				}
				if at(end) {
					return true
				}
			}
		}
	}
	return false
}

// tools lists the tools of MCP servers that are allowed whatever they are
// given, by names that Claude knows to read: those of rows without exclusions
// that no other row may have a say in.
func (s *Source) tools() []string {
	var all []string
	for _, g := range s.Gates {
		for i := range g.Tools {
			t := &g.Tools[i]
			if t.Decision != policy.Allow || t.Args != nil {
				continue
			}
			for _, name := range mcpNames(t) {
				if strings.HasPrefix(name, "mcp__") && !match.IsGlob(strings.TrimSuffix(name, "*")) && !s.contested(name) {
					all = append(all, quoteJSON(name))
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mcpNames are the names that a row gives to tools; nil if it excludes some.
func mcpNames(t *match.ToolRule) []string {
	for _, list := range [...][]string{t.Names, t.Servers, t.Tools} {
		if slices.ContainsFunc(list, func(glob string) bool { return strings.HasPrefix(glob, "!") }) {
			return nil
		}
	}
	names := t.Names
	for _, server := range t.Servers {
		if t.Tools == nil {
			names = append(names[:len(names):len(names)], "mcp__"+server+"__*")
		}
		for _, tool := range t.Tools {
			names = append(names[:len(names):len(names)], "mcp__"+server+"__"+tool)
		}
	}
	return names
}

// contested reports whether a row asks about a tool that the name may mean, or
// judges what it is given.
func (s *Source) contested(name string) bool {
	prefix, many := strings.CutSuffix(name, "*")
	for _, g := range s.Gates {
		for i := range g.Tools {
			t := &g.Tools[i]
			if t.Decision <= policy.Allow && t.Args == nil {
				continue
			}
			if !many && t.Is(name) > policy.No || many && slices.ContainsFunc(mcpHeads(t), func(head string) bool {
				return strings.HasPrefix(head, prefix) || strings.HasPrefix(prefix, head)
			}) {
				return true
			}
		}
	}
	return false
}

// mcpHeads are the texts that the names begin with which a row may be about.
func mcpHeads(t *match.ToolRule) []string {
	var heads []string
	for _, list := range [...][]string{t.Names, t.Servers} {
		for _, glob := range list {
			head := glob[:strings.IndexAny(glob+"*", "*?[\\")]
			if strings.HasPrefix(glob, "!") {
				head = ""
			}
			if t.Names == nil {
				head = "mcp__" + head
			}
			heads = append(heads, head)
		}
	}
	return heads
}

// readByShell reports whether the shell makes something of a program's words
// that the rules' tables don't speak of: variables, arithmetic, other commands.
func readByShell(name string) bool {
	switch name {
	case ".", "[", "alias", "bind", "break", "builtin", "caller", "command", "compgen", "complete", "compopt", "continue",
		"declare", "dirs", "disown", "enable", "eval", "exec", "exit", "export", "fc", "float", "functions", "getopts", "hash",
		"history", "integer", "let", "local", "logout", "mapfile", "nocorrect", "noglob", "popd", "print", "printf", "pushd", "read", "readarray", "readonly",
		"return", "set", "setopt", "shift", "shopt", "source", "suspend", "test", "time", "trap", "typeset", "ulimit", "umask",
		"unalias", "unfunction", "unhash", "unset", "unsetopt", "vared", "wait", "where", "whence", "zmodload", "coproc", "function", "select",
		"if", "then", "elif", "else", "fi", "case", "esac", "for", "while", "until", "do", "done", "in", "foreach", "end", "repeat", "always":
		return true
	}
	return false
}

const lostReads = "reads files, which mode strict leaves out"

// probes are words that a judge might not take for what they are.
var probes = [...]string{
	"a", "README.md", "src/main.go", "/opt/data/file", "x=y", "PATH=/opt", "LD_PRELOAD=x", "a:b", "1", "user@host:p", "http://host/x",
	"%1", "@f", ",", ":", "a,b", "HEAD^", "'a b;c|d&e>f<g$(h)`i`*'", `"(x) 'y' [z] {w} #v ~u"`,
}

// judged reports whether examples of the Form are allowed for a program, as
// the whole line that a shell would read.
func (s *Source) judged(f *Form, name string, known *tape) bool {
	if answer, ok := known.next(); ok {
		return answer == yes
	}
	allowed := s.allowed(f, name)
	known.note(reply(allowed))
	return allowed
}

// allowed is judged, without what is known.
func (s *Source) allowed(f *Form, name string) bool {
	line := []string{f.start(name)}
	for _, group := range f.Required {
		line = append(line, group[0])
	}
	if f.Script != nil {
		for _, text := range f.Script.examples {
			if s.Judge(strings.Join(append(slices.Clone(line), text), " ")) != policy.Allow {
				return false
			}
		}
		line = append(line, f.Script.examples[0])
	}
	short := slices.Clone(line)
	for range f.Min {
		short = append(short, "a")
	}
	switch {
	case f.Max < 0:
		line = append(line, probes[:]...)
	default:
		for i := range f.Max {
			line = append(line, probes[i%len(probes)])
		}
	}
	for _, words := range [...][]string{short, line} {
		if s.Judge(strings.Join(words, " ")) != policy.Allow {
			return false
		}
		if f.Max == 0 {
			break // they are the same
		}
	}
	return true
}
