package ruleset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Page returns what a rule file says as Markdown for people: for each program
// what is allowed, asked and blocked, with commands and reasons.
func Page(f *File, g *match.Gate) string {
	p := page{file: f, rules: map[int]*match.Rule{}}
	programs := map[int]*match.Program{}
	for _, program := range g.Programs() {
		programs[program.Line] = program
		for i := range program.Rules {
			p.rules[program.Rules[i].Line] = &program.Rules[i]
		}
	}
	fmt.Fprintf(&p, "# %s\n", f.Title())
	if d := f.Description(); d != "" {
		p.WriteString("\n" + d + "\n")
	}
	fmt.Fprintf(&p, "\nFrom `%s`. %s.\n", f.Name, Count(g))
	for i := range f.Programs {
		if program := programs[f.Programs[i].At.Line]; program != nil {
			p.program(&f.Programs[i], program)
		}
	}
	p.tables()
	return p.String()
}

// Count says how much a gate holds: "3 programs, 12 rules".
func Count(g *match.Gate) string {
	names, rules := 0, 0
	for _, p := range g.Programs() {
		names += 1 + len(p.Aliases)
		rules += len(p.Rules)
	}
	var parts []string
	for _, n := range []struct {
		n    int
		what string
	}{
		{names, "program name"}, {rules, "rule"}, {len(g.Paths), "place"}, {len(g.Hosts), "host row"},
		{len(g.Env), "variable row"}, {len(g.Pipes), "pipe row"}, {len(g.Tools), "tool row"},
		{len(g.Servers), "server row"}, {len(g.Sources), "source row"}, {len(g.Shells), "shell row"}, {strings.Count(g.Code, "\n"), "fact"},
	} {
		if n.n == 1 {
			parts = append(parts, "1 "+n.what)
		} else if n.n > 1 {
			parts = append(parts, fmt.Sprintf("%d %ss", n.n, n.what))
		}
	}
	if g.Profile != nil {
		parts = append(parts, "a profile")
	}
	return strings.Join(parts, ", ")
}

type page struct {
	strings.Builder
	file  *File
	rules map[int]*match.Rule // by line
}

func code(s string) string {
	s = cell(policy.Visible(s))
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

func codes(list []string, most int) string {
	var out []string
	for i, s := range list {
		if i == most {
			out = append(out, "...")
			break
		}
		out = append(out, code(s))
	}
	return strings.Join(out, "<br>")
}

// program writes one [[programs]] table.
func (p *page) program(w *Program, m *match.Program) {
	names := values(append(slices.Clone(w.Names), w.Aliases...))
	if w.Name.Value != "" {
		names = append([]string{w.Name.Value}, names...)
	}
	title := strings.Join(names, ", ")
	if len(names) > 6 {
		title = strings.Join(names[:6], ", ") + " ..."
	}
	fmt.Fprintf(p, "\n## %s\n", title)
	if len(names) > 6 {
		fmt.Fprintf(p, "\n%s\n", strings.Join(names, ", "))
	}
	if len(m.Rules) > 0 {
		p.WriteString("\n| answer | commands | why | rule |\n|---|---|---|---|\n")
		for _, kind := range [...][]Rule{w.Allow, w.Ask, w.Block} {
			for i := range kind {
				p.rule(&kind[i])
			}
		}
	}
	if len(w.About) > 0 {
		fmt.Fprintf(p, "\nHelp and version are allowed: %s\n", strings.ReplaceAll(codes(values(w.About), 12), "<br>", ", "))
	}
	p.facts(w, m)
	switch {
	case slices.ContainsFunc(m.Rules, func(r match.Rule) bool { return r.Otherwise && unconditional(&r) }):
	case m.Unknown == policy.Skip:
		p.WriteString("\nAnything else: as the other files say.\n")
	default:
		fmt.Fprintf(p, "\nAnything else: %s.\n", m.Unknown)
	}
}

// facts writes what uses of a program do, whatever is thought of them.
func (p *page) facts(w *Program, m *match.Program) {
	if m.Project {
		p.WriteString("\nEvery use runs code of the directory that it stands in, help and version included.\n")
	}
	if len(m.Daemon) > 0 {
		p.WriteString("\nIt asks a service of this machine, unless one of these leads elsewhere: " + codes(m.Daemon, 9) + ".\n")
	}
	for i := range w.Facts {
		f := &w.Facts[i]
		what := f.Ends.Value
		if what != "" {
			what = "ends its " + what
		}
		for _, e := range f.Effects {
			what = strings.TrimPrefix(what+", "+e.Value, ", ")
		}
		for _, seen := range [...]struct {
			of   string
			what Text
		}{{"reaches ", f.Reach}, {"walks ", f.Walks}, {"shows ", f.Shows}, {"talks to ", f.Talks}} {
			if seen.what.Value != "" {
				what = strings.TrimPrefix(what+", "+seen.of+seen.what.Value, ", ")
			}
		}
		what = strings.TrimPrefix(what+strings.TrimSuffix(strings.Replace(seen(f.Corruption, f.Secret), " (", ", ", 1), ")"), ", ")
		fmt.Fprintf(p, "\nFact (%s): %s\n", what, strings.ReplaceAll(codes(values(f.Examples), 4), "<br>", ", "))
	}
}

// Unrecoverable returns the rows of a table about the asks of a rule file that
// auto mode blocks: commands, why, rule. The id links to the file's page.
func Unrecoverable(f *File, page string) string {
	var b strings.Builder
	for i := range f.Programs {
		for _, r := range f.Programs[i].Ask {
			if r.Forever {
				fmt.Fprintf(&b, "| %s | %s | [%s](%s) |\n", codes(values(r.Examples), 3), cell(match.Fill(r.Reason.Value, nil)), code(r.ID.Value), page)
			}
		}
	}
	return b.String()
}

func (p *page) rule(w *Rule) {
	r := p.rules[w.At.Line]
	if r == nil {
		return
	}
	why := match.Fill(w.Reason.Value, nil)
	if why == "" {
		why = w.AnyFlags.Value
	}
	if r.Effects != 0 {
		why = strings.TrimSpace(why + " (" + strings.Join(r.Effects.Names(), ", ") + ")")
	}
	if r.AcceptEdits {
		why = strings.TrimSpace(why + " Allowed where edits are accepted, inside the workspace")
	}
	commands := codes(values(w.Examples), 4)
	if not := values(w.Not); len(not) > 0 && r.Decision == policy.Allow {
		commands += "<br>but not " + codes(not, 2)
	}
	fmt.Fprintf(p, "| %s | %s | %s | %s |\n", r.Decision, commands, cell(why), code(r.ID))
}

// tables writes the rows that are about no single program.
func (p *page) tables() {
	f := p.file
	if len(f.Paths) > 0 {
		p.WriteString("\n## Places\n\n| place | read | write | delete | why | id |\n|---|---|---|---|---|---|\n")
		for i := range f.Paths {
			r := &f.Paths[i]
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s | %s |\n", codes(values(r.Path), 6), r.Read.Value, r.Write.Value, r.Delete.Value, cell(r.Reason.Value+seen(r.Corruption, r.Secret)), code(r.ID.Value))
		}
	}
	if len(f.Hosts) > 0 {
		p.WriteString("\n## Hosts\n\n| host | answer | why | id |\n|---|---|---|---|\n")
		for i := range f.Hosts {
			r := &f.Hosts[i]
			fmt.Fprintf(p, "| %s | %s | %s | %s |\n", codes(values(r.Host), 6), cmp.Or(r.Decision.Value, hostMark(r)), cell(r.Reason.Value), code(r.ID.Value))
		}
	}
	if len(f.Env) > 0 {
		p.WriteString("\n## Environment variables\n\n| name | setting it | taking it away | read by | why |\n|---|---|---|---|---|\n")
		for i := range f.Env {
			r := &f.Env[i]
			set := r.Set.Value
			if r.Others.Value != "" {
				set += "; other values: " + r.Others.Value
			}
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s |\n", codes(values(r.Name), 12), set, r.Unset.Value, codes(values(r.Steers), 4), cell(r.Reason.Value))
		}
	}
	if len(f.Pipes) > 0 {
		p.WriteString("\n## Pipes\n\n| pipe | answer | why | id |\n|---|---|---|---|\n")
		for i := range f.Pipes {
			r := &f.Pipes[i]
			fmt.Fprintf(p, "| %s | %s | %s | %s |\n", codes(values(r.Examples), 4), r.Decision.Value, cell(r.Reason.Value), code(r.ID.Value))
		}
	}
	if len(f.Tools) > 0 {
		p.WriteString("\n## Tools\n\n| tool | arguments | answer | why | id |\n|---|---|---|---|---|\n")
		for i := range f.Tools {
			r := &f.Tools[i]
			var args []string
			for _, a := range r.Args {
				args = append(args, a.Key+" = "+a.Word.Value)
			}
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s |\n", tools(r), codes(args, 6), r.Decision.Value, cell(r.Reason.Value+seen(r.Corruption, r.Secret)), code(r.ID.Value))
		}
	}
	if len(f.Servers) > 0 {
		p.WriteString("\n## MCP servers\n\n| server | public source | secret data | public sink | dangerous writes |\n|---|---|---|---|---|\n")
		for i := range f.Servers {
			r := &f.Servers[i]
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s |\n", codes(values(r.Name), 40), yes(r.PublicSource), yes(r.SecretData), yes(r.PublicSink), yes(r.DangerousWrites))
		}
	}
	if len(f.Sources) > 0 {
		p.WriteString("\n## What commands bring\n\n| rules | corruption |\n|---|---|\n")
		for i := range f.Sources {
			r := &f.Sources[i]
			fmt.Fprintf(p, "| %s | %d |\n", codes(values(r.Rules), 12), r.Corruption)
		}
	}
	if len(f.Shells) > 0 {
		p.WriteString("\n## Shells\n\n| agent | tool | command | further words | directory | language |\n|---|---|---|---|---|---|\n")
		for i := range f.Shells {
			r := &f.Shells[i]
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s | %s |\n", r.Agent.Value, codes(values(r.Name), 12), codes(values(slices.Concat(r.Command, r.Lines, r.Code)), 20), codes(values(r.Words), 12), codes(values(r.Dir), 12), r.Other.Value)
		}
	}
	if len(f.Code) > 0 {
		p.WriteString("\n## Modules and types\n\n| of | calls | values | asks |\n|---|---|---|---|\n")
		for i := range f.Code {
			r := &f.Code[i]
			asks := codes(values(r.Ask), 400)
			if asks != "" {
				asks += ": " + cell(r.Reason.Value)
			}
			fmt.Fprintf(p, "| %s | %s | %s | %s |\n", codes(values(slices.Concat(r.Module, r.Type)), 400), codes(values(slices.Concat(r.Calls, r.Static)), 400), codes(values(r.Values), 400), asks)
		}
	}
	if f.Profile != nil {
		p.WriteString("\n## Settings\n\n| setting | value |\n|---|---|\n")
		for _, s := range []struct {
			key  string
			text Text
		}{
			{"extends", f.Profile.Extends}, {"base", f.Profile.Base}, {"unlisted", f.Profile.Unlisted},
			{"not_understood", f.Profile.NotUnderstood}, {"still_asks", f.Profile.StillAsks},
			{"outside_read", f.Profile.OutsideRead}, {"outside_write", f.Profile.OutsideWrite},
		} {
			if s.text.Value != "" {
				fmt.Fprintf(p, "| `%s` | %s |\n", s.key, s.text.Value)
			}
		}
		for _, e := range f.Profile.Effects {
			fmt.Fprintf(p, "| `effects.%s` | %s |\n", e.Key, e.Word.Value)
		}
		if len(f.Profile.Lifts) > 0 {
			fmt.Fprintf(p, "| `lifts` | %s |\n", codes(values(f.Profile.Lifts), 40))
		}
	}
}

// tools names the tools that a row is about.
func tools(r *ToolRow) string {
	if r.Name != nil {
		return codes(values(r.Name), 4)
	}
	text := "server " + codes(values(r.Server), 4)
	if r.Tool != nil {
		text += ": " + codes(values(r.Tool), 4)
	}
	return text
}

// seen says what a session has seen that reads something.
func seen(corruption, secret int) string {
	var list []string
	if corruption > 0 {
		list = append(list, fmt.Sprintf("corruption %d", corruption))
	}
	if secret > 0 {
		list = append(list, fmt.Sprintf("secret %d", secret))
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// hostMark is what a row without a decision says of machines.
func hostMark(r *HostRow) string {
	if r.Known {
		return "known"
	}
	return "trusted"
}
