package export

import "strings"

// dialect is a language of regular expressions over raw command lines.
type dialect struct {
	begin, end string // of the text
	any        string // one byte, whatever it is
}

var (
	javascript = dialect{begin: "^", end: "$", any: `[\s\S]`}
	// Amp lets ^ and $ match at line breaks.
	multiline = dialect{begin: `(?<![\s\S])`, end: `(?![\s\S])`, any: `[\s\S]`}
)

// A word is plain, or quoted as a whole. It begins with nothing that makes it
// an option, a variable, or a home directory.
const (
	plainPattern  = `[` + plainFirst + `][` + plainSet + `]*`
	quotedPattern = `'[!#-&(*,.\/0-9:-<>-\[\]-}][` + singleSet + `]*'|"[#%&'(*,.\/0-9:-<>-\[\]^_a-}][` + doubleSet + `]*"`
	operand       = `(?:` + plainPattern + `|` + quotedPattern + `)`
	glued         = `(?:[` + plainSet + `]+|` + quotedPattern + `)`
)

// form writes a group of Forms as one pattern over the whole line.
func (d *dialect) form(g *group, guard string) string {
	var b strings.Builder
	b.WriteString(d.begin)
	if g.Reads {
		b.WriteString(guard)
	}
	for _, glob := range g.Except {
		b.WriteString(`(?!` + d.any + `*` + globPattern(glob, d.any+`*`, `[ '"=]`, `(?:[ '"]|`+d.end+`)`) + `)`)
	}
	b.WriteString(names(g.Names) + paths(g.paths) + required(g.Required))
	if g.Script != nil {
		b.WriteString(" " + g.Script.pattern)
	}
	if g.Any {
		b.WriteString(`(?: (?:[` + plainSet + `]+|'[` + singleSet + `]*'|"[` + doubleSet + `]*"))*` + d.end)
		return b.String()
	}
	options := g.optionPattern()
	switch {
	case g.Max < 0 && g.Min == 0:
		if options != "" {
			options += "|"
		}
		b.WriteString(`(?: (?:` + options + operand + `))*`)
	default:
		free := ""
		if options != "" {
			free = `(?: (?:` + options + `))*`
		}
		b.WriteString(free)
		for range g.Min {
			b.WriteString(" " + operand + free)
		}
		if g.Max < 0 {
			if options != "" {
				options += "|"
			}
			b.WriteString(`(?: (?:` + options + operand + `))*`)
		}
		for range g.Max - g.Min {
			b.WriteString(`(?: ` + operand + free + `)?`)
		}
	}
	b.WriteString(d.end)
	return b.String()
}

// optionPattern matches one of a Form's options, with its value.
func (f *Form) optionPattern() string {
	var bare, open, apart []string
	for i := range f.Options {
		o := &f.Options[i]
		if o.Bare && (len(o.Spelling) > 2 || !strings.Contains(f.Letters, o.Spelling[1:])) {
			bare = append(bare, o.Spelling)
		}
		if o.Glued {
			open = append(open, o.Spelling+o.sign())
		}
		if o.Apart {
			apart = append(apart, o.Spelling)
		}
	}
	var ways []string
	if bare != nil {
		ways = append(ways, oneOf(bare, escape))
	}
	if f.Letters != "" {
		ways = append(ways, `-[`+f.Letters+`]+`)
	}
	if f.Number {
		ways = append(ways, `-[0-9]+`)
	}
	if apart != nil {
		ways = append(ways, oneOf(apart, escape)+" "+operand)
	}
	var short, long []string
	for _, s := range open {
		if strings.HasSuffix(s, "=") {
			long = append(long, s)
		} else {
			short = append(short, s)
		}
	}
	if long != nil {
		ways = append(ways, oneOf(long, escape)+glued)
	}
	if short != nil {
		ways = append(ways, oneOf(short, escape)+`[`+plainSet+`]+`)
	}
	return strings.Join(ways, "|")
}

// guard is a look-ahead that fails for words which may lead to a file that may
// not be read.
func (d *dialect) guard(g *guards) string {
	return `(?!` + d.any + `*(?:` + strings.Join(d.unclear(g), "|") + `))`
}

// unclear are patterns of words that may lead anywhere.
func (d *dialect) unclear(g *guards) []string {
	return []string{
		`\.\.`, `\/\/`, `\/\.`, `~`,
		`[^A-Za-z0-9_.-](?:\/|` + above(g, `[^\/ "']+`) + `\/?)(?:[^A-Za-z0-9_.\/-]|` + d.end + `)`,
	}
}

// secrets are patterns of words that name what may not be read, a few of them
// in each.
func (d *dialect) secrets(g *guards) []string {
	var all, some []string
	for i := range g.secrets {
		some = append(some, g.secrets[i].raw(d))
		if len(some) == 16 || i == len(g.secrets)-1 {
			all = append(all, strings.Join(some, "|"))
			some = nil
		}
	}
	return all
}

// raw writes a piece as a pattern over the raw line.
func (p *piece) raw(d *dialect) string {
	var b strings.Builder
	if p.begin {
		b.WriteString(`(?:` + d.begin + `|[^A-Za-z0-9_.-])`)
	}
	for i, part := range p.parts {
		if i > 0 {
			b.WriteString(d.any + `*`)
		}
		b.WriteString(fold(part))
	}
	if p.end {
		b.WriteString(`(?:[^A-Za-z0-9_.-]|` + d.end + `)`)
	}
	return b.String()
}

// restriction writes an ask or a block as a pattern over the line's
// beginning.
func (d *dialect) restriction(x *Restriction) string {
	var b strings.Builder
	end := `(?:[='"\s]|` + d.end + `)`
	b.WriteString(d.begin + x.beginning())
	if x.Flags != nil {
		b.WriteString(`(?: ` + d.any + `*|) ` + x.flagPattern(``))
		if x.Words == nil {
			b.WriteString(end)
		}
	}
	switch {
	case x.Behind != nil:
		b.WriteString(x.Behind.pattern(end, d.end))
	case x.Words != nil:
		ways := make([]string, len(x.Words))
		for i, glob := range x.Words {
			ways[i] = wordPattern(glob)
		}
		if x.First {
			b.WriteString(` (?:` + strings.Join(ways, "|") + `)` + d.end)
			break
		}
		if x.Flags != nil {
			b.WriteString(`[='"\s]`)
			b.WriteString(`(?:` + d.any + `*[ '"]|)`)
		} else {
			b.WriteString(` (?:` + d.any + `*[ '"]|['"]?)`)
		}
		b.WriteString(`(?:` + strings.Join(ways, "|") + `)\/?\*?(?:['"\s]|` + d.end + `)`)
	case x.Flags == nil:
		b.WriteString(end)
	}
	return b.String()
}
