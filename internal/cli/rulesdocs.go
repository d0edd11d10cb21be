package cli

import (
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/ruleset"
)

// rulesSchema prints the JSON schema of rule files.
func rulesSchema(p *Process, args []string) (int, error) {
	if len(args) > 0 {
		return 0, usagef("bashgate rules schema >schema.json", "rules schema takes no arguments, found %q", args[0])
	}
	_, err := p.Stdout.Write(ruleset.Schema())
	return exitOK, err
}

// rulesDocs prints rule files as Markdown.
func rulesDocs(p *Process, s *situation, args []string) (int, error) {
	if len(args) == 1 && args[0] == "reasons" {
		_, err := io.WriteString(p.Stdout, reasonsPage())
		return exitOK, err
	}
	layers, err := readRules(p, s, args)
	if err != nil {
		return 0, err
	}
	var pages []string
	for _, rules := range layers {
		for _, fault := range rules.Unread() {
			return 0, fault.Err
		}
		for i := range rules.Files {
			f := &rules.Files[i]
			if err := f.Err(); err != nil {
				return 0, err
			}
			pages = append(pages, ruleset.Page(f.File, f.Gate))
		}
	}
	_, err = io.WriteString(p.Stdout, strings.Join(pages, "\n"))
	return exitOK, err
}
