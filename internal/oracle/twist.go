//go:build linux

package main

import (
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// twist makes a harder line of a line: damaged, put into another construct,
// joined with another line, or with words quoted anew.
func (g *grammar) twist(line string) string {
	switch g.IntN(4) {
	case 0:
		return g.damage(line)
	case 1:
		return wrap(nests[g.IntN(len(nests))], line)
	case 2:
		return line + []string{"; ", "\n", " && ", " | ", " & ", " || ", "\n\n", ";"}[g.IntN(8)] + g.structured()
	}
	return g.requote(line)
}

// nests put a line into a construct. %q is the line as a quoted word.
var nests = []string{
	"eval %q", "bash -c %q", "sh -c %q", "f() { %s\n}; f", "( %s\n)", "{ %s\n}", "$(%s\n)", "echo $(%s\n)", "x=$(%s\n); ls $x", "cat <(%s\n)", "bash <<'E9'\n%s\nE9", "cat <<E9\n$(%s\n)\nE9", "trap %q EXIT", "(trap %q EXIT; cd src)", "while read l; do %s\ndone < list", "for i in 1 2; do %s\ndone", "if %s\nthen ls; fi",
	"case a in a) %s\n;; esac", "{ %s\n} | cat", "cat a.txt | { %s\n}", "{ %s\n} &", "eval eval %q", "alias q=%q; eval q", "x=%q; eval \"$x\"", "source /dev/stdin <<< %q", "env bash -c %q", "echo %q | bash", "find . -maxdepth 0 -exec bash -c %q \\;", "coproc { %s\n}", "until %s\ndo break; done", "[[ -n $(%s\n) ]]", "ls \"${x:-$(%s\n)}\"", "`%s`", "! { %s\n}", "time { %s\n}", "{ %s\n} < list", "f() ( %s\n); f a b",
}

// wrap puts a line into a form.
func wrap(form, line string) string {
	return strings.NewReplacer("%s", line, "%q", policy.Quote(line)).Replace(form)
}

// requote spells some letters of a line in other ways. Where they stand in
// quotes or in a name, that makes another line.
func (g *grammar) requote(line string) string {
	var out strings.Builder
	for i := range len(line) {
		c := line[i]
		letter := c >= 'a' && c <= 'z' || c == '-' || c == '/' || c == '.'
		if !letter || !g.chance(0.08) {
			out.WriteByte(c)
			continue
		}
		switch g.IntN(6) {
		case 0:
			out.WriteString(`""` + string(c))
		case 1:
			out.WriteString("\\" + string(c))
		case 2:
			out.WriteString("'" + string(c) + "'")
		case 3:
			out.WriteString("\\\n" + string(c))
		case 4:
			fmt.Fprintf(&out, `$'\x%02x'`, c)
		default:
			out.WriteString(`"` + string(c) + `"`)
		}
	}
	return out.String()
}
