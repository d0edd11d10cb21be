package cli

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// rulesShow prints what is in force about a program, about all programs of a
// file, or one rule.
func rulesShow(p *Process, s *situation, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usagef("bashgate rules show git, or git.push", "rules show needs the name of a program, a file or a rule")
	}
	files, err := ruleFiles(p, s)
	if err != nil {
		p.complain(p.firstLine(err), "bashgate rules lint tells more")
	}
	show := shower{style: styleFor(p, p.Stdout), process: p}
	for _, name := range args {
		before := show.Len()
		for _, f := range files {
			show.named(f.Gate, name)
		}
		if o := catalogue.Described(name); o != nil && show.Len() == before {
			show.opinion(name, o)
		}
		if show.Len() == before {
			return 0, usagef(cmp.Or(alike(name, shown(files)), "bashgate rules list names the files"), "no program, file or rule %q", name)
		}
	}
	_, err = io.WriteString(p.Stdout, strings.TrimPrefix(show.String(), "\n"))
	return exitOK, err
}

// shown lists the names that rules show knows.
func shown(files []ruleFile) []string {
	names := ruleIDs(files)
	for _, f := range files {
		names = append(names, path.Base(f.Gate.File))
		for _, p := range f.Gate.Programs() {
			names = append(names, p.Name)
		}
	}
	return names
}

type shower struct {
	strings.Builder
	style   style
	process *Process
}

// named shows what the name means in a file, if anything.
func (w *shower) named(g *match.Gate, name string) {
	if name == g.File || name == path.Base(g.File) || w.process.home(g.File) == name {
		for _, p := range g.Programs() {
			w.program(p)
		}
		w.tables(g, "")
		return
	}
	if p := findProgram(g, name); p != nil {
		w.program(p)
	}
	for _, p := range g.Programs() {
		for i := range p.Rules {
			if p.Rules[i].ID == name {
				w.rule(p, &p.Rules[i])
			}
		}
	}
	w.tables(g, name)
}

// place is where something is written.
func (w *shower) place(file string, line int) string {
	return w.style.paint(dim, fmt.Sprintf("%s:%d", w.process.home(file), line))
}

// opinion prints what the engine itself says under an id.
func (w *shower) opinion(id string, o *catalogue.Opinion) {
	fmt.Fprintf(w, "\n%s  %s\n  %s\n", w.style.paint(bold, id), w.style.paint(dim, "the engine's own"), o.Doc)
	if o.Answer != "" {
		fmt.Fprintf(w, "  → %s\n", o.Answer)
	}
	if !o.Fixed {
		fmt.Fprintf(w, "  lifts = [%q]\n", id)
	}
}

// program prints a program's rules, one a line:
//
//	git  rules/git.toml:11
//	  allow  git.allow.status      status
//	  block  git.push-force   427  push with --force
func (w *shower) program(p *match.Program) {
	names := strings.Join(append([]string{p.Name}, p.Aliases...), ", ")
	fmt.Fprintf(w, "\n%s  %s\n", w.style.paint(bold, names), w.place(p.File, p.Line))
	ids := 0
	for i := range p.Rules {
		ids = max(ids, len(p.Rules[i].ID))
	}
	rules := slices.Clone(p.Rules)
	sort.SliceStable(rules, func(i, k int) bool {
		a, b := &rules[i], &rules[k]
		return a.Decision > b.Decision || a.Decision == b.Decision && a.Line < b.Line
	})
	for i := range rules {
		r := &rules[i]
		text := strings.Join(conditions(r), ", ")
		if r.Reason != "" {
			text = strings.TrimSuffix(match.Fill(r.Reason, nil)+" · "+text, " · ")
		}
		w.row(r.Decision, r.ID, ids, int(r.Line), text)
	}
	w.row(p.Unknown, "else", ids, p.Line, "")
}

func (w *shower) row(d policy.Decision, id string, width, line int, text string) {
	head := w.style.decision(d, fmt.Sprintf("%-5s", d))
	row := fmt.Sprintf("  %s  %-*s  %s  %s", head, width, id, w.style.paint(dim, fmt.Sprintf("%5d", line)), shorten(text, widest))
	w.WriteString(strings.TrimRight(row, " ") + "\n")
}

// rule prints all of one rule.
func (w *shower) rule(p *match.Program, r *match.Rule) {
	fmt.Fprintf(w, "\n%s  %s  %s\n", w.style.decision(r.Decision, r.Decision.String()), w.style.paint(bold, r.ID), w.place(r.File, int(r.Line)))
	if r.Reason != "" {
		fmt.Fprintf(w, "  %s\n", match.Fill(r.Reason, nil))
	}
	fmt.Fprintf(w, "  program %s\n", p.Name)
	for _, c := range conditions(r) {
		fmt.Fprintf(w, "  %s\n", c)
	}
	if names := r.Effects.Names(); len(names) > 0 {
		fmt.Fprintf(w, "  effects %s\n", strings.Join(names, ", "))
	}
	reach := r.Reach
	if reach == policy.ReachUnset {
		reach = p.Reach
	}
	if reach != policy.ReachUnset {
		fmt.Fprintf(w, "  reach %s\n", reach)
	}
	switch {
	case r.Unrecoverable:
		fmt.Fprintf(w, "  destroys for ever: blocked in mode auto\n")
	case r.Irreversible:
		fmt.Fprintf(w, "  can't be undone\n")
	}
	if r.AcceptEdits {
		fmt.Fprintf(w, "  allowed in mode acceptEdits inside the workspace\n")
	}
	if r.Into != match.IntoNothing {
		fmt.Fprintf(w, "  into the directories that it writes go %s\n", [...]string{match.IntoFiles: "files by their names", match.IntoTrees: "directories as a whole", match.IntoAnything: "names that nobody tells"}[r.Into])
	}
	if r.ByPlace {
		fmt.Fprintf(w, "  allowed where [[paths]] of yours allow the places\n")
	}
	if lifts := r.Lifts(); len(lifts) > 0 {
		fmt.Fprintf(w, "  lifts %s\n", strings.Join(lifts, ", "))
	}
}

// conditions says in words when a rule holds.
func conditions(r *match.Rule) []string {
	var list []string
	if len(r.Paths) > 0 {
		list = append(list, strings.Join(r.Paths, " | "))
	}
	flags := func(words string, tests []match.FlagTest) {
		if len(tests) == 0 {
			return
		}
		var names []string
		for _, t := range tests {
			name := t.Spelling
			if len(t.Values) > 0 {
				name += "=" + strings.Join(t.Values, "|")
			}
			names = append(names, name)
		}
		list = append(list, words+" "+strings.Join(names, " "))
	}
	flags("with any of", r.Any)
	flags("with all of", r.All)
	flags("without", r.Unless)
	if r.HasOnly && len(r.Only) == 0 {
		list = append(list, "without options")
	}
	flags("with no option but", r.Only)
	if r.HasOperands && len(r.Operands) == 0 {
		list = append(list, "without operands")
	}
	if len(r.Operands) > 0 {
		var words []string
		for _, o := range r.Operands {
			word := ruleset.KindName(o.Kind, o.Lang)
			switch {
			case o.Min == 0 && o.Max == 1:
				word += "?"
			case o.Min == 0:
				word += "*"
			case o.Max != 1:
				word += "+"
			}
			if len(o.Values) > 0 {
				word += "=" + strings.Join(o.Values, "|")
			}
			words = append(words, word)
		}
		list = append(list, "operands "+strings.Join(words, " "))
	}
	if len(r.Args) > 0 {
		list = append(list, "an operand like "+strings.Join(r.Args, " "))
	}
	bounds := match.Bounds{}
	if r.Bounds != nil {
		bounds = *r.Bounds
	}
	for _, when := range []struct {
		words string
		globs []string
	}{{"to the remote", bounds.Remote}, {"to the branches", bounds.Branch}, {"in the workspaces", bounds.Workspace}, {"run in", bounds.Directory}} {
		if len(when.globs) > 0 {
			list = append(list, when.words+" "+strings.Join(when.globs, " "))
		}
	}
	if bounds.Unfed {
		list = append(list, "without an input")
	}
	if bounds.Fed {
		list = append(list, "with an input of the line's")
	}
	if bounds.Wrappers != nil {
		list = append(list, strings.TrimSuffix("run by nothing but "+strings.Join(bounds.Wrappers, " "), " but "))
	}
	if r.Named {
		list = append(list, "found by name, or in a directory of the system")
	}
	if r.Otherwise {
		list = append(list, "if nothing else holds")
	}
	return list
}

// tables prints a file's rows about paths, hosts, variables, pipes and tools:
// all of them, or those with an id.
func (w *shower) tables(g *match.Gate, id string) {
	row := func(rowID, subject, opinions, reason string, line int) {
		if id != "" && id != rowID {
			return
		}
		fmt.Fprintf(w, "\n%s  %s  %s\n", w.style.paint(bold, rowID), opinions, w.place(g.File, line))
		if reason != "" {
			fmt.Fprintf(w, "  %s\n", reason)
		}
		fmt.Fprintf(w, "  %s\n", shorten(subject, 2*widest))
	}
	for _, r := range g.Paths {
		var opinions []string
		for _, o := range []struct {
			what string
			d    policy.Decision
		}{{"read", r.Read}, {"write", r.Write}, {"delete", r.Delete}} {
			if o.d != policy.Skip {
				opinions = append(opinions, o.what+" "+w.style.decision(o.d, o.d.String()))
			}
		}
		opinions = append(opinions, levels(r.Corruption, r.Secret)...)
		row(r.ID, strings.Join(r.Globs, " "), strings.Join(append(opinions, lifted(r.Lifts)...), ", "), r.Reason, r.Line)
	}
	for _, r := range g.Hosts {
		opinion := w.style.decision(r.Decision, r.Decision.String())
		if r.Trusted {
			opinion = "trusted"
		}
		row(r.ID, strings.Join(r.Globs, " "), strings.Join(append([]string{opinion}, lifted(r.Lifts)...), ", "), r.Reason, r.Line)
	}
	for _, r := range g.Env {
		var names []string
		for _, n := range r.Names {
			names = append(names, strings.TrimSuffix(n.Glob+"="+strings.Join(n.Values, "|"), "="))
		}
		if id == "" || slices.ContainsFunc(r.Names, func(n match.EnvName) bool { return "env."+n.Glob == id }) {
			row(id, strings.Join(names, " "), "set "+w.style.decision(r.Set, r.Set.String()), r.Reason, r.Line)
		}
	}
	for _, r := range g.Pipes {
		row(r.ID, pipeEnd(r.From)+" | "+pipeEnd(r.To), w.style.decision(r.Decision, r.Decision.String()), r.Reason, r.Line)
	}
	for _, r := range g.Tools {
		opinions := levels(r.Corruption, r.Secret)
		if r.Decision != policy.Skip || opinions == nil {
			opinions = append([]string{w.style.decision(r.Decision, r.Decision.String())}, opinions...)
		}
		row(r.ID, r.Title(), strings.Join(opinions, ", "), r.Reason, r.Line)
	}
	for _, r := range g.Servers {
		var words []string
		for _, f := range []struct {
			is   bool
			word string
		}{{r.PublicSource, "public source"}, {r.SecretData, "secret data"}, {r.PublicSink, "public sink"}, {r.DangerousWrites, "dangerous writes"}} {
			if f.is {
				words = append(words, f.word)
			}
		}
		if words == nil {
			words = []string{"harmless"}
		}
		names := strings.Join(r.Names, " ")
		row("server "+names, "the tools of "+names, strings.Join(words, ", "), "", r.Line)
	}
	for _, r := range g.Overrides {
		subject := "any program"
		if len(r.Programs) > 0 {
			subject = strings.Join(r.Programs, " ")
		}
		row("override", subject, "what blocks under "+strings.Join(r.IDs, ", ")+" asks", r.Reason, r.Line)
	}
	for _, r := range g.Sources {
		row("source", strings.Join(r.Rules, " "), fmt.Sprintf("corruption %d", r.Corruption), "", r.Line)
	}
	if n := strings.Count(g.Code, "\n"); n > 0 {
		row("code", "programs in other languages", plural(n, "fact")+" about modules and functions", "", 0)
	}
	for _, r := range g.Shells {
		what := "judged as a shell's commands"
		if r.Other != "" {
			what = "asks: " + r.Other + " is not understood"
		}
		row(strings.TrimSpace("shell "+r.Agent), strings.Join(r.Names, " ")+": "+strings.Join(r.Commands, " "), what, "", r.Line)
	}
}

// lifted says which asks a row drops.
func lifted(ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	return []string{"lifts " + strings.Join(ids, " ")}
}

// levels says what a session has seen that reads something.
func levels(corruption, secret int) []string {
	var list []string
	if corruption > 0 {
		list = append(list, fmt.Sprintf("corruption %d", corruption))
	}
	if secret > 0 {
		list = append(list, fmt.Sprintf("secret %d", secret))
	}
	return list
}

func pipeEnd(e match.PipeEnd) string {
	var words []string
	if len(e.Programs) > 0 {
		words = append(words, strings.Join(e.Programs, " "))
	}
	if names := e.Effects.Names(); len(names) > 0 {
		words = append(words, "what "+strings.Join(names, " or "))
	}
	if e.Stdin != "" {
		words = append(words, "what takes its input as "+e.Stdin)
	}
	if len(words) == 0 {
		return "anything"
	}
	return strings.Join(words, ", ")
}
