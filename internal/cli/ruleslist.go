package cli

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
)

// rulesList prints one line a file: what it is about and how much it holds.
func rulesList(p *Process, s *situation, args []string) (int, error) {
	if len(args) > 0 {
		return 0, usagef("bashgate rules show "+args[0], "rules list takes no arguments, found %q", args[0])
	}
	files, err := ruleFiles(p, s)
	if err != nil {
		p.complain(p.firstLine(err), "bashgate rules lint tells more")
	}
	total := len(files)
	paint := styleFor(p, p.Stdout)
	var b strings.Builder
	names, rules := 0, 0
	for len(files) > 0 {
		layer := files[0].layer
		end := 1
		for end < len(files) && files[end].layer == layer {
			end++
		}
		group := files[:end]
		files = files[end:]
		sort.SliceStable(group, func(i, k int) bool { return group[i].File < group[k].File })
		width := 0
		for _, f := range group {
			width = max(width, len(p.home(f.File)))
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(paint.paint(bold, layer) + "\n")
		for _, f := range group {
			count := len(f.Paths) + len(f.Hosts) + len(f.Env) + len(f.Pipes) + len(f.Tools) + len(f.Servers) + len(f.Sources) + len(f.Shells)
			for _, program := range f.Programs() {
				names += 1 + len(program.Aliases)
				count += len(program.Rules)
			}
			rules += count
			fmt.Fprintf(&b, "  %-*s  %4d  %s\n", width, p.home(f.File), count, paint.paint(dim, about(f.Gate)))
		}
	}
	fmt.Fprintf(&b, "\n%s for %s in %s\n", plural(rules, "rule"), plural(names, "program name"), plural(total, "file"))
	status := exitOK
	if err != nil {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return status, err
}

// about says what a file is about: its programs, or what else it judges.
func about(g *match.Gate) string {
	var names []string
	for _, program := range g.Programs() {
		names = append(names, program.Name)
	}
	profiles := 0
	if g.Profile != nil {
		profiles = 1
	}
	for _, table := range []struct {
		rows int
		what string
	}{
		{len(g.Paths), "paths"}, {len(g.Hosts), "hosts"}, {len(g.Env), "environment variables"},
		{len(g.Pipes), "pipes"}, {len(g.Tools), "tools other than the shell"}, {len(g.Servers), "MCP servers"}, {profiles, "a way of working"},
	} {
		if table.rows > 0 {
			names = append(names, "("+table.what+")")
		}
	}
	return someOf(names, 60)
}

// someOf lists names as far as width allows.
func someOf(names []string, width int) string {
	line := ""
	for i, name := range names {
		if i > 0 {
			name = ", " + name
		}
		if len(line)+len(name) > width {
			return fmt.Sprintf("%s and %d more", line, len(names)-i)
		}
		line += name
	}
	return line
}
