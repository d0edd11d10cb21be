package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/wire"
	"github.com/bashgate/bashgate/policy"
)

const configHelp = `config shows the settings and the rule files in force.

Usage:
  bashgate config show [--origin] [--json]
  bashgate config path
  bashgate config schema

show prints each setting as config.toml writes it, then the rule files, and what
is wrong with any of them or counts for nothing, then the projects that you
trust. With --origin each setting shows where it stands. path prints the files
and directories that are looked for, those of the last word last. schema prints
the JSON schema of config.toml, by which editors complete and check it.

The keys are in docs/configuration.md and bashgate-config(5).

Flags:
  --origin          where each setting comes from
  --json            one JSON object
  --cwd DIR         where a command would run (default: here)
  --workspace DIR   the project's directory (default: cwd)

Example:
  $ bashgate config show --origin
  profile = "default"           default
  hook.unknown = "ask"          default
  ...
`

func configCommand() command {
	return command{
		name:    "config",
		summary: "show the settings and rule files in force",
		help:    configHelp,
		verbs: []verb{
			{name: "show", summary: "each setting, and the rule files", own: "origin json cwd workspace"},
			{name: "path", summary: "the files and directories that are looked for", own: "cwd workspace"},
			{name: "schema", summary: "the JSON schema of config.toml, for editors"},
		},
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var s situation
			flags.StringVar(&s.cwd, "cwd", "", "DIR")
			flags.StringVar(&s.workspace, "workspace", "", "DIR")
			origin := flags.Bool("origin", false, "")
			json := flags.Bool("json", false, "")
			return func(p *Process, args []string) (int, error) {
				if len(args) > 1 {
					return 0, usagef("see bashgate config --help", "config %s takes no arguments, found %q", args[0], args[1])
				}
				if args[0] == "schema" {
					_, err := p.Stdout.Write(config.Schema(Names()))
					return exitOK, err
				}
				if err := s.complete(p); err != nil {
					return 0, err
				}
				if s.workspace == "" {
					s.workspace = s.cwd
				}
				c := inForce(p, &s)
				var out string
				switch {
				case args[0] == "path":
					out = c.paths(&s)
				case *json:
					out = c.json()
				default:
					out = c.text(*origin)
				}
				_, err := io.WriteString(p.Stdout, out)
				return exitOK, err
			}
		},
	}
}

// forces is all that is set up for a situation.
type forces struct {
	process  *Process
	setup    *config.Setup
	files    []*config.File // the settings, in the order of the layers
	settings []config.Setting
	profile  string // that holds, if it is not the one that the settings name
	rules    []*config.Rules
	inside   []*ruleset.Error // program directories that don't count here
}

func inForce(p *Process, s *situation) *forces {
	c := &forces{process: p, setup: p.setup()}
	project := c.setup.Project(config.Projects(s.cwd, s.workspace, p.Getenv("HOME")), catalogue.Known)
	for _, layer := range [...]config.Layer{config.User, config.Project, config.Managed} {
		for _, f := range append(c.setup.Files[:len(c.setup.Files):len(c.setup.Files)], project.Files...) {
			if f.Layer == layer {
				c.files = append(c.files, f)
			}
		}
	}
	c.settings = config.Settings(c.files)
	if profile, other := c.setup.Choose(""); other {
		c.profile = profile
	}
	c.rules = setRules(p, c.setup, s)
	c.inside = c.setup.Inside(s.workspace)
	return c
}

// note is something to know of a file.
type note struct {
	kind string // "error", "inert"
	text string // with its place, in one line
}

// notes lists what is wrong with the settings or counts for nothing.
func (c *forces) notes() []note {
	var list []note
	for _, f := range c.files {
		for _, fault := range f.Faults {
			list = append(list, c.faults(fault.Err)...)
		}
		for _, e := range f.Inert {
			list = append(list, note{"inert", c.process.line(e)})
		}
	}
	for _, e := range c.inside {
		list = append(list, note{"inert", c.process.line(e)})
	}
	return list
}

func (c *forces) faults(err error) []note {
	errs, ok := err.(ruleset.Errors)
	if !ok {
		return []note{{"error", err.Error()}}
	}
	var list []note
	for _, e := range errs {
		list = append(list, note{"error", c.process.line(e)})
	}
	return list
}

// ruleNotes lists what is wrong with one rule file or counts for nothing.
func (c *forces) ruleNotes(f *ruleset.Compiled) []note {
	var list []note
	for _, fault := range f.Faults {
		list = append(list, c.faults(fault.Errors)...)
	}
	for _, e := range f.Inert {
		list = append(list, note{"inert", c.process.line(e)})
	}
	return list
}

// line is an error in one line.
func (p *Process) line(e *ruleset.Error) string {
	one := *e
	one.File, one.Line, one.Hint = p.home(one.File), "", ""
	return policy.Visible(one.Error())
}

// standing says how a rule file counts.
func standing(r *config.Rules, f *ruleset.Compiled) string {
	switch {
	case f.Faults != nil && r.Layer == ruleset.OwnProfiles:
		return "broken: it can't be chosen"
	case f.Faults != nil:
		return "broken: only what is whole and tightens holds"
	case r.Trust == config.IsTrusted:
		return "trusted"
	case r.Trust == config.Changed:
		return "changed since it was trusted: only tightens"
	}
	return ""
}

func (c *forces) text(origin bool) string {
	s := styleFor(c.process, c.process.Stdout)
	var b strings.Builder
	width := 0
	for _, set := range c.settings {
		width = max(width, min(len(set.Key)+len(set.Value)+3, 60))
	}
	for _, set := range c.settings {
		line := set.Key + " = " + set.Value
		var notes []string
		if origin {
			for _, o := range set.Origins {
				where := o.Layer.String()
				switch {
				case o.Preset != "":
					where = "preset " + o.Preset
				case o.File != "":
					where += fmt.Sprintf("  %s:%d", policy.Visible(c.process.home(o.File)), o.Line)
				}
				notes = append(notes, where)
			}
		}
		if set.Doubt {
			notes = append(notes, "not all of it can be used")
		}
		if set.Key == "profile" && c.profile != "" {
			notes = append(notes, "the administrator allows only others: "+c.profile+" holds")
		}
		if notes == nil {
			b.WriteString(line + "\n")
			continue
		}
		fmt.Fprintf(&b, "%-*s  %s\n", width, line, s.paint(dim, strings.Join(notes, ", ")))
	}
	for _, n := range c.notes() {
		fmt.Fprintf(&b, "%s: %s\n", n.kind, n.text)
	}
	for _, r := range c.rules {
		for _, fault := range r.Unread() {
			fmt.Fprintf(&b, "\n%s\n  error: %s\n", s.paint(bold, layerName(r)), policy.Visible(fault.Err.Error()))
		}
		for i := range r.Files {
			f := &r.Files[i]
			head := layerName(r)
			if how := standing(r, f); how != "" {
				head += " (" + how + ")"
			}
			fmt.Fprintf(&b, "\n%s  %s\n", s.paint(bold, policy.Visible(c.process.home(f.Name))), head)
			if f.Gate != nil && f.Faults == nil {
				fmt.Fprintf(&b, "  %s\n", s.paint(dim, about(f.Gate)))
			}
			for _, n := range c.ruleNotes(f) {
				fmt.Fprintf(&b, "  %s: %s\n", n.kind, n.text)
			}
		}
	}
	if list := c.setup.Trusted().Lines; len(list) > 0 {
		fmt.Fprintf(&b, "\n%s\n", s.paint(bold, "trusted projects"))
		for i := range list {
			fmt.Fprintf(&b, "  %s  %s%s\n", policy.Visible(c.process.home(list[i].Dir)), policy.Visible(strings.Join(list[i].Files, ", ")), trustNote(c.setup.Trusts(list[i].Dir)))
		}
	}
	return b.String()
}

func (c *forces) json() string {
	b := []byte(`{"settings":[`)
	text := func(before, s string) { b = wire.AppendText(append(b, before...), s) }
	notes := func(list []note) {
		b = append(b, `"notes":[`...)
		for i, n := range list {
			if i > 0 {
				b = append(b, ',')
			}
			text(`{"kind":`, n.kind)
			text(`,"text":`, n.text)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	for i, set := range c.settings {
		if i > 0 {
			b = append(b, ',')
		}
		text(`{"key":`, set.Key)
		text(`,"value":`, set.Value)
		b = fmt.Appendf(b, `,"doubt":%v,"origins":[`, set.Doubt)
		for k, o := range set.Origins {
			if k > 0 {
				b = append(b, ',')
			}
			text(`{"layer":`, o.Layer.String())
			text(`,"file":`, o.File)
			b = fmt.Appendf(b, `,"line":%d`, o.Line)
			if o.Preset != "" {
				text(`,"preset":`, o.Preset)
			}
			b = append(b, '}')
		}
		b = append(b, `]}`...)
	}
	profile, _ := c.setup.Choose("")
	text(`],"profile":`, profile)
	b = append(b, `,"rules":[`...)
	first := true
	for _, r := range c.rules {
		for i := range r.Files {
			f := &r.Files[i]
			if !first {
				b = append(b, ',')
			}
			first = false
			text(`{"file":`, f.Name)
			text(`,"layer":`, layerName(r))
			text(`,"state":`, standing(r, f))
			b = append(b, ',')
			notes(c.ruleNotes(f))
			b = append(b, '}')
		}
	}
	b = append(b, `],"trusted":[`...)
	for i, line := range c.setup.Trusted().Lines {
		if i > 0 {
			b = append(b, ',')
		}
		text(`{"dir":`, line.Dir)
		text(`,"at":`, line.At)
		text(`,"by":`, line.By)
		text(`,"state":`, [...]string{"gone", "changed", "trusted"}[c.setup.Trusts(line.Dir)])
		b = append(b, '}')
	}
	b = append(b, `],`...)
	all := c.notes()
	for _, r := range c.rules {
		for _, fault := range r.Unread() {
			all = append(all, c.faults(fault.Err)...)
		}
	}
	notes(all)
	return string(append(b, "}\n"...))
}

// paths lists the files and directories that are looked for.
func (c *forces) paths(s *situation) string {
	var b strings.Builder
	add := func(layer, path string) {
		if path != "" {
			fmt.Fprintf(&b, "%-8s %s\n", layer, policy.Visible(path))
		}
	}
	for _, name := range [...]string{"config.toml", "rules", "profiles", "trusted.jsonl"} {
		add("user", c.setup.Places.Below(config.User, name))
	}
	for _, dir := range config.Projects(s.cwd, s.workspace, c.process.Getenv("HOME")) {
		add("project", dir+"/.bashgate/config.toml")
		add("project", dir+"/.bashgate/rules")
	}
	for _, name := range [...]string{"config.toml", "rules", "profiles"} {
		add("managed", c.setup.Places.Below(config.Managed, name))
	}
	return b.String()
}
