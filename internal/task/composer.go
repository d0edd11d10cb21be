package task

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// composer finds scripts of composer.json.
//
//	composer run lint -- ARGS    composer lint ARGS
//
//	"lint": ["phpcs", "@php check.php", "@other", "@putenv CI=1", "Vendor\\Class::method"]
//
// Each command is given the arguments. A class of PHP asks.
// Source: getcomposer.org, the page on scripts.
func composer(s *search) {
	operands := s.Call.Operands
	name := ""
	switch {
	case len(s.Call.Path) == 0, s.Call.Path[0] == "run", s.Call.Path[0] == "run-script":
		text, ok := s.name(0)
		if !ok {
			return
		}
		name, operands = text, operands[1:]
	default:
		name = s.Call.Path[len(s.Call.Path)-1]
	}
	if len(operands) > 0 && operands[0].Parts == nil && operands[0].Text == "--" {
		operands = operands[1:]
	}
	file := s.nearest(s.Dir, "composer.json")
	if file == "" {
		return
	}
	s.File = file
	root, ok := s.tree(file, parseJSON)
	if !ok {
		return
	}
	scripts := root.get("scripts")
	if scripts.get(name) == nil {
		s.missing(file, "No script is called %s", policy.Quote(name))
		return
	}
	c := composerSearch{search: s, scripts: scripts}
	c.run(name, operands)
}

type composerSearch struct {
	*search
	scripts *node
	env     []policy.Assign
}

// run adds the commands of a script.
func (c *composerSearch) run(name string, args []policy.Word) {
	script := c.scripts.get(name)
	texts, ok := script.texts()
	if !ok {
		c.problem(c.File, script.where(), "The script %s can't be read", policy.Quote(name))
	}
	c.once(name, c.File, script.where(), func() {
		for _, text := range texts {
			c.command(name, text, script.where(), args)
		}
	})
}

// command adds one entry of a script.
func (c *composerSearch) command(name, text string, line int, args []policy.Word) {
	if strings.Contains(text, "@no_additional_args") {
		text, args = strings.ReplaceAll(text, "@no_additional_args", ""), nil
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "@putenv":
		variable, value, ok := strings.Cut(rest, "=")
		if !ok || !isName(variable) {
			c.problem(c.File, line, "Sets a variable that can't be read: %s", policy.Quote(text))
			return
		}
		c.env = append(c.env, constant(variable, value))
	case word == "@composer", word == "@php":
		c.text(name, word[1:]+" "+rest, line, args)
	case strings.HasPrefix(word, "@") && len(word) > 1:
		if c.scripts.get(word[1:]) == nil {
			c.problem(c.File, line, "No script is called %s", policy.Quote(word[1:]))
			return
		}
		words, ok := fields(rest, false)
		if i := slices.IndexFunc(words, func(w policy.Word) bool { return w.Text == additional }); i >= 0 {
			words, args = slices.Replace(words, i, i+1, args...), nil
		} else if strings.Contains(rest, additional) {
			ok = false
		}
		if !ok {
			c.problem(c.File, line, "Arguments that can't be read: %s", policy.Quote(text))
			return
		}
		c.run(word[1:], append(words, args...))
	case strings.Contains(text, "::") && !strings.ContainsAny(text, " \t"), strings.Contains(text, `\`) && !strings.ContainsAny(text, " \t"):
		c.problem(c.File, line, "Runs code of PHP: %s", policy.Quote(text))
	default:
		c.text(name, text, line, args)
	}
}

// additional is what the arguments are put in the place of.
const additional = "@additional_args"

func (c *composerSearch) text(name, text string, line int, args []policy.Word) {
	filled := policy.Const(text)
	if strings.Contains(text, additional) {
		given := quotedArgs(args, text)
		filled = fill(text, []mark{{open: additional}}, func(string) (policy.Word, bool) { return given, true })
		args = nil
	}
	c.made(Step{Name: name, File: c.File, Line: line, Tail: args, Dir: path.Dir(c.File), Env: c.env}, filled)
}
