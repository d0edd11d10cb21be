package handbook

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// anything stands for any text of a line, and alone for any lines.
const anything = "…"

// varying is what changes from run to run. What is written in a page may be
// another one than is printed.
type varying struct {
	token string // its form
	where string // the text around it, with @ in its place

	// A name means the same wherever it stands: commands that follow get what was
	// printed in its place.
	name bool
	// A place is where something stands in the project's own files. A page is
	// brought up to date where it has moved.
	place bool

	form *regexp.Regexp // of where, with the token as its group
}

const (
	code = `[A-Z]{4}`
	hex  = `[0-9a-f]`
)

var varieties = compiled([]varying{
	{token: `\d+`, where: `rules/[a-z_/-]+\.toml:@`, place: true},
	{token: `\d+`, where: `"file":"rules/[^"]+","line":@`, place: true},
	{token: `\d{4}-\d\d-\d\d`, where: `@`},
	{token: `\d\d:\d\d(?::\d\d(?:\.\d+)?)?`, where: `(?:^|[^\d.:])@`},
	{token: `(?:\d+m)?\d+s`, where: `\b@ (?:ago|more)`},
	{token: `\d+`, where: `after @ ms`},
	{token: `\d+`, where: `127\.0\.0\.1:@`},
	{token: `[\w-]{43}`, where: `/#@`},
	{token: hex + `{16}`, where: `\b@:\d`},
	{token: hex + `{64}`, where: `"sum":"@`},
	{token: `\b[\w-]{60,}`, where: `@`, name: true},
	{token: `once-` + hex + `{8}`, where: `@`, name: true},
	{token: code, where: `(?:^|approve |"code":")@(?:  | is |"|, then)`, name: true},
	{token: code, where: ` @(?:$| approved| denied)`, name: true},
	{token: `[a-z]+`, where: `Type @ to `, name: true},
	{token: `[a-z]+`, where: `number and @ to `, name: true},
	{token: `[a-z]+`, where: `such as \d+ @:`, name: true},
	{token: anything, where: `@`},
})

func compiled(list []varying) []varying {
	for i, v := range list {
		list[i].form = regexp.MustCompile(strings.Replace(v.where, "@", "("+v.token+")", 1))
	}
	return list
}

// names are what was printed for what a page shows.
type names map[string]string

// here puts what was printed into a text of the page; a name may be written small.
// What is printed for one name may be another name of the page.
func (n names) here(text string) string {
	var pairs []string
	for name, now := range n {
		pairs = append(pairs, name, now, strings.ToLower(name), strings.ToLower(now))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// back puts the page's names into what was printed.
func (n names) back(text string) string {
	var pairs []string
	for name, now := range n {
		pairs = append(pairs, now, name, strings.ToLower(now), strings.ToLower(name))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// pattern is a line of a page as what may be printed in its place.
type pattern struct {
	line  string
	parts []part
}

// part is what varies in a line.
type part struct {
	kind       *varying
	begin, end int
}

func patternOf(line string) pattern {
	p := pattern{line: line}
	for i := range varieties {
		for _, m := range varieties[i].form.FindAllStringSubmatchIndex(line, -1) {
			begin, end := m[2], m[3]
			if !slices.ContainsFunc(p.parts, func(p part) bool { return begin < p.end && p.begin < end }) {
				p.parts = append(p.parts, part{&varieties[i], begin, end})
			}
		}
	}
	slices.SortFunc(p.parts, func(a, b part) int { return a.begin - b.begin })
	return p
}

// form is what may be printed, as far as the names are known.
func (p pattern) form(names names) *regexp.Regexp {
	form, at := "^", 0
	for _, part := range p.parts {
		token := part.kind.token
		if token == anything {
			token = ".*"
		}
		form += regexp.QuoteMeta(names.here(p.line[at:part.begin])) + "(" + token + ")"
		at = part.end
	}
	return regexp.MustCompile(form + regexp.QuoteMeta(names.here(p.line[at:])) + "$")
}

// match compares a line with what was printed. It returns the line as it
// should stand in the page now, and tells of the names that it finds.
func (p pattern) match(printed string, names names) (fresh string, ok bool) {
	m := p.form(names).FindStringSubmatch(printed)
	if m == nil {
		return "", false
	}
	at := 0
	for i, part := range p.parts {
		token, now := p.line[part.begin:part.end], m[i+1]
		fresh += p.line[at:part.begin]
		if part.kind.name {
			if known, ok := names[token]; ok && known != now {
				return "", false
			}
			names[token] = now
		}
		if part.kind.place {
			token = now
		}
		fresh += token
		at = part.end
	}
	return fresh + p.line[at:], true
}

// compare tells whether what was printed is what a page shows, and how the page
// should show it now. Names that it finds are added to names.
func compare(shown, printed string, names names) (fresh string, same bool) {
	want, got := lines(shown), lines(printed)
	if fresh, ok := align(want, got, names); ok {
		return join(fresh), true
	}
	// As much as can be is kept: the marks, and what varies.
	var out []string
	for n, line := range got {
		if len(want) > 1 && want[0] == anything {
			ends := patternOf(want[1])
			skipped := slices.IndexFunc(got[n:], func(line string) bool { _, ok := ends.match(line, names); return ok })
			if skipped > 0 {
				continue
			}
			if skipped == 0 {
				out = append(out, anything)
			}
			want = want[1:]
		}
		for i := range want {
			if fresh, ok := patternOf(want[i]).match(line, names); ok && want[i] != anything {
				line, want = fresh, want[i+1:]
				break
			}
		}
		out = append(out, names.back(line))
	}
	if len(want) == 1 && want[0] == anything {
		out = append(out, anything)
	}
	return join(out), false
}

// align matches lines one by one, and any number of them where a mark says so.
func align(want, got []string, names names) (fresh []string, ok bool) {
	for i, line := range want {
		if line == anything {
			for skipped := 0; skipped <= len(got)-i; skipped++ {
				found := maps.Clone(names)
				if rest, ok := align(want[i+1:], got[i+skipped:], found); ok {
					maps.Copy(names, found)
					return append(append(fresh, line), rest...), true
				}
			}
			return nil, false
		}
		if i == len(got) {
			return nil, false
		}
		now, ok := patternOf(line).match(got[i], names)
		if !ok {
			return nil, false
		}
		fresh = append(fresh, now)
	}
	return fresh, len(want) == len(got)
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func join(lines []string) string {
	if lines == nil {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
