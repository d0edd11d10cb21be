package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// deriver turns rules into Forms.
type deriver struct {
	trial
	forms   []Form
	dropped map[string]int // rules that have no Form, by why

	done map[string]int // the Form of paths that are alike, -1 for none
	like int

	// What the other rules of the tables look at.
	unless  [][]match.FlagTest // options that must be absent
	counted bool               // operands
	stops   bool               // options end where operands begin, somewhere
}

// Why a rule has no Form.
const (
	lostPath     = "a subcommand that is a pattern"
	lostOperands = "an operand that is judged by what it says"
	lostFlags    = "an option that must have a certain value"
	lostTrial    = "not allowed for all of its command lines"
)

// derive finds the Forms of the programs that are judged by certain tables.
func (d *deriver) derive(tables []*match.Program) {
	d.tables, d.unless, d.counted, d.stops, d.like = tables, nil, false, false, 0
	d.done = map[string]int{}
	for _, p := range tables {
		for i := range p.Rules {
			if r := &p.Rules[i]; r.Decision != policy.Allow {
				d.counted = d.counted || r.HasOperands
				if len(r.Unless) > 0 {
					d.unless = append(d.unless, r.Unless)
				}
			}
		}
		for i := range p.Levels {
			d.stops = d.stops || p.Levels[i].Traits&match.Stop != 0
		}
	}
	for _, p := range tables {
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Decision != policy.Allow {
				continue
			}
			paths := r.Paths
			if paths == nil {
				paths = []string{""}
			}
			for _, path := range paths {
				if match.IsGlob(path) || !plainWords(path) {
					d.dropped[lostPath]++
					continue
				}
				d.rule(p, r, path)
			}
		}
		if p.Unknown == policy.Allow {
			d.rule(p, &match.Rule{
				ID: p.Name + ".unknown", Origin: &match.Origin{Program: p.Name, File: p.File}, Conditions: &match.NoConditions,
				Line: p.Line, Decision: policy.Allow, Reach: p.Reach, Otherwise: true,
			}, "")
		}
	}
}

// plainWords reports whether a subcommand can be written without quotes.
func plainWords(path string) bool {
	for i := range len(path) {
		if b := path[i]; !isAlnum(b) && strings.IndexByte("-_.:+/@ ", b) < 0 {
			return false
		}
	}
	return true
}

func isAlnum(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9'
}

// rule finds the Form of an allow at one of its paths.
func (d *deriver) rule(p *match.Program, r *match.Rule, path string) {
	g := newGrammar(p, path)
	// Most subcommands of a rule are alike: the same options, the same other
	// rules, nothing below.
	key := ""
	if len(d.tables) == 1 {
		key = alike(g, r, path, p)
		if done, ok := d.done[key]; ok {
			if done < 0 {
				d.dropped[lostTrial]++
				return
			}
			f := d.forms[done]
			f.Path = strings.Fields(path)
			if d.holds(&f, d.line(&f, nil, f.Min)) {
				d.forms = append(d.forms, f)
			} else {
				d.dropped[lostTrial]++
			}
			return
		}
		d.done[key] = -1
	}
	f := Form{Path: strings.Fields(path), Rule: r}
	if p.ArgFiles {
		d.dropped[lostOperands]++ // any word may be the name of a file that holds others
		return
	}
	d.scripted(p, r, path)
	if lost := f.operands(p, r); lost != "" {
		d.dropped[lost]++
		return
	}
	f.Reads = f.Reads || p.Inherits // as the table may say whose grammar it is
	alternatives, ok := g.required(r)
	if !ok {
		d.dropped[lostFlags]++
		return
	}
	f.Required = append(alternatives, f.Required...)
	if len(f.Required) > 0 {
		if f.Required = d.holding(&f); f.Required == nil {
			d.dropped[lostTrial]++
			return
		}
	}
	switch {
	case d.holdsAny(&f):
		f.Any, f.Min, f.Max = true, 0, -1
	case !d.widest(&f, g, r):
		d.dropped[lostTrial]++
		return
	}
	f.like = d.like
	if key != "" {
		d.done[key] = len(d.forms)
	}
	d.like++
	d.forms = append(d.forms, f)
}

// alike is equal for two paths of a rule at which a program reads the same
// options, other rules have the same say, and no subcommand goes on. It is
// different for all others.
func alike(g *grammar, r *match.Rule, path string, p *match.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", r.Line)
	for _, l := range g.levels {
		fmt.Fprintf(&b, " %p%t", l.Table, l.PathOnly)
	}
	for i := range p.Levels {
		if l := &p.Levels[i]; match.IsGlob(l.Path) || strings.HasPrefix(l.Path, path) && (path == "" || strings.HasPrefix(l.Path[len(path):], " ")) && l.Path != path {
			return b.String() + " " + path
		}
	}
	for i := range p.Rules {
		q := &p.Rules[i]
		if q.Paths == nil || slices.ContainsFunc(q.Paths, func(other string) bool {
			return match.IsGlob(other) || path == other || strings.HasPrefix(path, other) && path[len(other)] == ' '
		}) {
			fmt.Fprintf(&b, ",%d", i)
		}
	}
	return b.String()
}

// operands reads the operand pattern of an allow.
func (f *Form) operands(p *match.Program, r *match.Rule) (lost string) {
	if !r.HasOperands {
		if p.Open {
			f.Max = -1
		}
		return ""
	}
	for i := range r.Operands {
		o := &r.Operands[i]
		if i == 0 && o.Values != nil && o.Min == 1 && harmless(o.Kind) {
			if slices.ContainsFunc(o.Values, func(v string) bool {
				return match.IsGlob(v) || strings.HasPrefix(v, "!") || !plainWords(v) || strings.Contains(v, " ")
			}) {
				return lostOperands
			}
			f.Required = append(f.Required, o.Values)
			if o.Max != 1 {
				break
			}
			continue
		}
		// What a file from elsewhere is to a program that runs code of the project
		// is code from elsewhere.
		if o.Values != nil || !harmless(o.Kind) || (o.Kind == match.Read || o.Kind == match.Path) && r.Effects&policy.Executes != 0 {
			for k := i; k < len(r.Operands); k++ {
				if r.Operands[k].Min > 0 {
					return lostOperands
				}
			}
			return ""
		}
		f.Min += o.Min
		f.Reads = f.Reads || o.Kind == match.Read
		if o.Max < 0 {
			f.Max = -1
		} else if f.Max >= 0 {
			f.Max += o.Max
		}
	}
	return ""
}

// harmless reports whether a word of the kind needs no judging but for the
// files that may not be read.
func harmless(k match.Kind) bool {
	return k == match.Flag || k == match.Data || k == match.Name || k == match.Path || k == match.Read
}

// holding keeps, of the words that may be required, those with which the
// command line is allowed. It returns nil if none is left of some group.
func (d *deriver) holding(f *Form) [][]string {
	var kept [][]string
	for i, group := range f.Required {
		var good []string
		for _, word := range group {
			t := d.begin(f)
			for k, other := range f.Required {
				if k == i {
					t = append(t, policy.Const(word))
				} else {
					t = append(t, policy.Const(other[0]))
				}
			}
			if d.holds(f, d.holes(t, f.Min)) {
				good = append(good, word)
			}
		}
		if good == nil {
			return nil
		}
		kept = append(kept, good)
	}
	return kept
}

// widest finds options and operands that the Form may hold. It reports false
// if not even its shortest line is allowed.
func (d *deriver) widest(f *Form, g *grammar, r *match.Rule) bool {
	if !d.holds(f, d.line(f, nil, f.Min)) {
		return false
	}
	// The last of two spellings of one option counts: what is required may not
	// be said again.
	candidates := slices.DeleteFunc(g.options(r), func(o Option) bool {
		return slices.ContainsFunc(f.Required, func(group []string) bool {
			return slices.ContainsFunc(group, func(word string) bool {
				name, _, _ := strings.Cut(word, "=")
				return slices.Contains(strings.Fields(o.line), name)
			})
		})
	})
	f.Options = candidates
	if !d.allHold(f) {
		tried := f.Max
		f.Options = nil
		if f.Max != f.Min && !d.allHold(f) {
			// A word may be the next of a subcommand, or a rule wants to see it.
			f.Max = f.Min
		}
		if f.Options = d.holdingOptions(f, candidates, f.Max == tried); !d.allHold(f) {
			f.Options = nil
		}
	}
	if g.number {
		f.Number = d.holds(f, append(d.line(f, nil, f.Min), policy.Const("-20")))
	}
	if g.clusters {
		f.Letters = f.letters(g)
		if len(f.Letters) > 1 && !d.holds(f, append(d.line(f, nil, f.Min), policy.Const("-"+f.Letters))) {
			f.Letters = ""
		}
	}
	for i := range f.Options {
		f.Reads = f.Reads || f.Options[i].Reads
	}
	return true
}

// holdingOptions keeps, of some options, those with which the Form's lines are
// allowed. Most are, so that halves are tried before single ones. failed says that
// with all of them they are not.
func (d *deriver) holdingOptions(f *Form, options []Option, failed bool) []Option {
	if len(options) == 0 {
		return nil
	}
	if f.Options = options[:len(options):len(options)]; !failed && d.allHold(f) {
		return options
	}
	if len(options) == 1 {
		return nil
	}
	half := len(options) / 2
	return append(slices.Clone(d.holdingOptions(f, options[:half], false)), d.holdingOptions(f, options[half:], false)...)
}

// allHold reports whether the Form's lines are allowed with all of its
// options and with those that leave an ask's "unless" unmet, with few and
// with many operands, before and behind the options.
//
// An allow that holds for the fewest and for the most operands holds for all
// numbers between, for its pattern says how many only. An ask need not.
func (d *deriver) allHold(f *Form) bool {
	most := f.Max
	if most < 0 {
		most = f.Min + 3
	}
	sets := [][]Option{f.Options}
	for i := range d.unless {
		rest := slices.DeleteFunc(slices.Clone(f.Options), func(o Option) bool { return test(d.unless[i], o.line) != nil })
		if len(rest) < len(f.Options) {
			sets = append(sets, rest)
		}
	}
	if d.counted && len(f.Options) > 0 {
		sets = append(sets, nil)
	}
	for i, set := range sets {
		for n := f.Min; n <= most; n++ {
			if n > f.Min && n < most && !d.counted || n == f.Min && n < most && i == 0 && !d.counted {
				continue
			}
			if !d.holds(f, d.line(f, set, n)) {
				return false
			}
		}
	}
	return most == 0 || !d.stops || d.holds(f, d.optionWords(d.holes(d.opening(f), most), f.Options))
}

// letters lists the options of one letter that have no value.
func (f *Form) letters(g *grammar) string {
	var letters []byte
	for i := range f.Options {
		if s := f.Options[i].Spelling; len(s) == 2 && isAlnum(s[1]) && g.switches[s] {
			letters = append(letters, s[1])
		}
	}
	slices.Sort(letters)
	return string(slices.Compact(letters))
}
