package cli

import (
	"fmt"
	"io"
	"strings"
)

// rulesList prints one line a file: what it is about and how much it holds.
func rulesList(p *Process, s *situation, args []string) (int, error) {
	if len(args) > 0 {
		return 0, usagef("bashgate rules show "+args[0], "rules list takes no arguments, found %q", args[0])
	}
	files, err := ruleFiles(p, s)
	if err != nil {
		p.complain(err.Error(), "bashgate rules lint tells more")
	}
	width, names, rules := 0, 0, 0
	for _, f := range files {
		width = max(width, len(p.home(f.File)))
	}
	paint := styleFor(p, p.Stdout)
	var b strings.Builder
	layer := ""
	for _, f := range files {
		if f.layer != layer {
			if layer != "" {
				b.WriteString("\n")
			}
			layer = f.layer
			b.WriteString(paint.paint(bold, layer) + "\n")
		}
		var programs []string
		count := 0
		for _, program := range f.Programs {
			programs = append(programs, program.Name)
			names += 1 + len(program.Aliases)
			count += len(program.Rules)
		}
		tables := len(f.Paths) + len(f.Hosts) + len(f.Env) + len(f.Pipes) + len(f.Tools)
		rules += count + tables
		fmt.Fprintf(&b, "  %-*s  %4d  %s\n", width, p.home(f.File), count+tables, paint.paint(dim, someOf(programs, 60)))
	}
	fmt.Fprintf(&b, "\n%s for %s in %s\n", plural(rules, "rule"), plural(names, "program name"), plural(len(files), "file"))
	status := exitOK
	if err != nil {
		status = exitError
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return status, err
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
