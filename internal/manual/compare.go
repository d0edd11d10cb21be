package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Compare says what is wrong with a program's table, as far as the options of
// one subcommand are described: the worst first, each option once.
func Compare(p *match.Program, d Described) []Finding {
	levels := inForce(p, d.Path)
	if p.Open || len(levels) == 0 || levels[0].Style == match.Plain {
		return nil
	}
	var out []Finding
	for _, o := range d.Options {
		var found *match.Option
		known := ""
		for _, s := range o.Spellings {
			if found = find(levels, s); found != nil {
				known = s
				break
			}
		}
		if found == nil {
			if d.Path == "" || slices.ContainsFunc(p.Levels, func(l match.Level) bool { return l.Path == d.Path && !l.PathOnly }) {
				out = append(out, Finding{Unknown, d.Path, o.Spellings[0],
					fmt.Sprintf("the table does not know %s (%s)", strings.Join(o.Spellings, " "), d.Source), "declare it under the kind of its value"})
			}
			continue
		}
		if why := differs(found, o.Value); why != "" {
			out = append(out, Finding{Arity, d.Path, known, fmt.Sprintf("%s %s (%s)", known, why, d.Source), "look it up, and give it the suffix and the kind of its value"})
		} else if word := harmful(o.Text); word != "" && harmless(found) {
			out = append(out, Finding{Harm, d.Path, known, fmt.Sprintf("%s counts as %s, and its description says %q (%s): %s", known, kindOf(found), word, d.Source, policy.Clip(o.Text, 120)),
				"acts, or the kind of what it names, where it does harm"})
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return rank(a.Kind) - rank(b.Kind) })
	return out
}

func rank(k Kind) int { return slices.Index(Kinds(), string(k)) }

// Confirms lists the spellings of which a description says what the table says:
// who says otherwise is less sure than a manual page.
func Confirms(p *match.Program, d Described) []string {
	levels := inForce(p, d.Path)
	var list []string
	for _, o := range d.Options {
		for _, s := range o.Spellings {
			if known := find(levels, s); known != nil && o.Value != Unsaid && differs(known, o.Value) == "" {
				list = append(list, s)
			}
		}
	}
	return list
}

// inForce lists the levels whose options are read behind a subcommand.
func inForce(p *match.Program, path string) []*match.Level {
	var list []*match.Level
	for i := range p.Levels {
		l := &p.Levels[i]
		switch {
		case l.Path == path:
			list = slices.Insert(list, 0, l)
		case l.Traits&match.Anywhere != 0 && (l.Path == "" || strings.HasPrefix(path, l.Path+" ")):
			list = append(list, l)
		}
	}
	if len(list) == 0 || list[0].Path != path {
		return nil
	}
	return list
}

// find returns the option that a table has for a spelling, or nil.
func find(levels []*match.Level, spelling string) *match.Option {
	for _, l := range levels {
		for i := range l.Options {
			for line := range strings.SplitSeq(l.Options[i].Spellings, "\n") {
				for s := range strings.SplitSeq(line, " ") {
					if s == spelling || match.IsGlob(s) && match.Glob(s, spelling) {
						return &l.Options[i]
					}
				}
			}
		}
	}
	return nil
}

// differs says how a table's number of values is another than the manual's, or
// "". What only asks is no difference: acts defeats the allows with any number.
func differs(o *match.Option, v Value) string {
	switch {
	case v == Unsaid, o.Multi() != nil, o.Kind == match.Acts && o.Arity == match.NoValue:
		return ""
	case v == Required && o.Arity == match.NoValue:
		return "takes a value, and the table reads that as an operand"
	case v == Required && o.Arity == match.Optional:
		return "takes the next word, and the table reads that as an operand"
	case v == None && o.Arity == match.Value:
		return "takes no value, and the table hides the next word"
	case v == Optional && o.Arity == match.Value:
		return "takes a value only in its own word, and the table hides the next one"
	}
	return ""
}

// harmless reports whether no value of an option is judged.
func harmless(o *match.Option) bool {
	if o.Kind != match.Flag && o.Kind != match.Data {
		return false
	}
	return !slices.ContainsFunc(o.Cases(), func(v match.ValueKind) bool { return v.Kind != match.Flag && v.Kind != match.Data })
}

func kindOf(o *match.Option) string {
	if o.Kind == match.Flag {
		return "flag"
	}
	return "data"
}

// harmful returns the first word of the first sentence of a description that
// tells of harm, or "".
func harmful(text string) string {
	if end := strings.Index(text, ". "); end > 0 {
		text = text[:end]
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "write", "writes", "overwrite", "overwrites", "delete", "deletes", "remove", "removes", "erase", "execute", "executes", "exec", "run", "runs", "command", "commands",
			"script", "upload", "uploads", "send", "sends", "install", "installs", "load", "loads", "plugin", "library", "save", "saves", "edit", "modify", "modifies", "create", "creates", "password", "token":
			return word
		}
	}
	return ""
}
