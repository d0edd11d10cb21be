package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

const packsHelp = `packs lists rule packs and switches them on and off. A pack only tightens: it
asks and blocks more.

Usage:
  bashgate packs list [--names]
  bashgate packs show NAME...
  bashgate packs enable NAME...
  bashgate packs disable NAME...

A pack is built in, or a file NAME.toml in a directory that packs_dir in
config.toml names.

enable and disable change the list packs of your config.toml, and nothing else
in it. They show the change and ask, on a terminal.

Flags:
  --names   list: the names alone, a line each
  --print   show the change and write nothing
  --yes     write without asking

Example:
  $ bashgate packs show guard-git
  guard-git (off)
    git push, pull and rebase are kept for the tool that coordinates them
  ...
`

func packsCommand() command {
	return command{
		name:    "packs",
		summary: "list rule packs and switch them on",
		help:    packsHelp,
		verbs: []verb{
			{name: "list", summary: "which there are, and which are on", own: "names"},
			{name: "show", summary: "what they do", operands: "PACK"},
			{name: "enable", summary: "switch them on", operands: "PACK", own: "print yes"},
			{name: "disable", summary: "switch them off", operands: "PACK", own: "print yes"},
		},
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var w settingsWriter
			bare := flags.Bool("names", false, "")
			flags.BoolVar(&w.print, "print", false, "")
			flags.BoolVar(&w.yes, "yes", false, "")
			return func(p *Process, args []string) (int, error) {
				w.process = p
				what, names := args[0], args[1:]
				switch {
				case what == "list" && len(names) > 0:
					return 0, usagef("see bashgate packs --help", "packs list takes no more than that")
				case what == "list" && *bare:
					_, err := io.WriteString(p.Stdout, strings.Join(packNames(p), "\n")+"\n")
					return exitOK, err
				case what == "list":
					return exitOK, listPacks(p)
				case len(names) == 0:
					return 0, usagef("one of "+strings.Join(gates.Packs[:], ", "), "packs %s takes the name of a pack", what)
				}
				known := packNames(p)
				for _, name := range names {
					if !slices.Contains(known, name) && what != "disable" {
						return 0, usagef(ruleset.DidYouMean(name, known), "no rule pack is called %s", policy.Quote(name))
					}
				}
				if what == "show" {
					return exitOK, showPacks(p, names)
				}
				return exitOK, w.change(what, what+"d", func(text string) (string, error) {
					if what == "enable" {
						return edit.List(text, "packs", names, nil)
					}
					return edit.List(text, "packs", nil, names)
				})
			}
		},
	}
}

// packNames lists the built-in packs, and those of the directories that packs_dir
// names. What can't be read of these is complained about.
func packNames(p *Process) []string {
	setup := p.setup()
	names, missing := setup.PackNames()
	for _, err := range missing {
		p.complain("packs_dir: "+err.Error(), "")
	}
	all := slices.Clone(gates.Packs[:])
	for _, name := range names {
		if gates.Pack(name) == nil {
			all = append(all, name)
		}
	}
	return all
}

// packsOn lists the packs that are on here, each with whose files say so.
func packsOn(p *Process) (map[string][]string, error) {
	s := situation{}
	if err := s.complete(p); err != nil {
		return nil, err
	}
	s.workspace = s.cwd
	on := map[string][]string{}
	for _, f := range inForce(p, &s).files {
		for _, name := range f.Packs() {
			from := f.Layer.String()
			if f.Path != "" {
				from += ", " + p.home(f.Path)
			}
			on[name] = append(on[name], from)
		}
	}
	return on, nil
}

func listPacks(p *Process) error {
	on, err := packsOn(p)
	if err != nil {
		return err
	}
	var b strings.Builder
	style := styleFor(p, p.Stdout)
	setup := p.setup()
	for _, name := range packNames(p) {
		state := "off"
		if from := on[name]; from != nil {
			state = "on   " + style.paint(dim, policy.Visible(strings.Join(from, "; ")))
		}
		if gates.Pack(name) == nil {
			state = fmt.Sprintf("%-4s %s", state, style.paint(dim, "("+policy.Visible(p.home(setup.PackFiles(name)[0]))+")"))
		}
		fmt.Fprintf(&b, "%-20s %s\n", policy.Visible(name), state)
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return err
}

// shownPack is a pack as packs show tells of it.
type shownPack struct {
	about    string
	examples []string // lines that it asks about or blocks
	gate     *match.Gate
	notes    []string // what is wrong with its file, or does nothing
}

// mostPackExamples is how many examples of a pack are shown.
const mostPackExamples = 12

// showPacks says in words what packs do, by what rules, and shows lines that
// they are about.
func showPacks(p *Process, names []string) error {
	s := situation{}
	if err := s.complete(p); err != nil {
		return err
	}
	on, err := packsOn(p)
	if err != nil {
		return err
	}
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString("\n")
		}
		state := "off"
		if on[name] != nil {
			state = "on: " + strings.Join(on[name], "; ")
		}
		shown := shownPack{gate: gates.Pack(name)}
		if shown.gate == nil {
			shown = sharedPack(p, name, s.cwd)
		} else {
			shown.about, shown.examples = gates.PackAbout(name)
		}
		fmt.Fprintf(&b, "%s (%s)\n", policy.Visible(name), policy.Visible(state))
		shown.write(&b)
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return err
}

// sharedPack reads a pack of a directory of packs.
func sharedPack(p *Process, name, workspace string) shownPack {
	c := forces{process: p}
	shown := shownPack{gate: &match.Gate{}}
	packs, _ := p.setup().SharedPacks([]string{name}, workspace, catalogue.Known)
	for _, fault := range packs.Unread() {
		for _, n := range c.faults(fault.Err) {
			shown.notes = append(shown.notes, n.kind+": "+policy.Visible(n.text))
		}
	}
	for i := range packs.Files {
		f := &packs.Files[i]
		shown.about = f.Description()
		for _, n := range c.ruleNotes(f) {
			shown.notes = append(shown.notes, n.kind+": "+n.text)
		}
		if f.Gate == nil {
			continue
		}
		shown.gate = f.Gate
		for _, e := range ruleset.Examples(f.File, f.Gate) {
			if len(e.Rules) > 0 && e.Rules[0].Decision > policy.Allow && len(shown.examples) < mostPackExamples {
				shown.examples = append(shown.examples, policy.Visible(e.Command))
			}
		}
	}
	return shown
}

func (s *shownPack) write(b *strings.Builder) {
	if s.about != "" {
		fmt.Fprintf(b, "  %s\n", policy.Visible(s.about))
	}
	b.WriteString("\n")
	var told []string // one table of several programs is one row
	tell := func(d policy.Decision, reason, id string) {
		line := fmt.Sprintf("  %-5s  %s  (%s)\n", d, policy.Visible(match.Fill(reason, nil)), id)
		if d > policy.Allow && !slices.Contains(told, line) {
			told = append(told, line)
			b.WriteString(line)
		}
	}
	g := s.gate
	for _, program := range g.Programs() {
		for k := range program.Rules {
			r := &program.Rules[k]
			tell(r.Decision, r.Reason, r.ID)
		}
	}
	for k := range g.Tools {
		tell(g.Tools[k].Decision, g.Tools[k].Reason, g.Tools[k].ID)
	}
	for k := range g.Paths {
		r := &g.Paths[k]
		tell(max(r.Read, r.Write, r.Delete), r.Reason, r.ID)
	}
	for k := range g.Hosts {
		tell(g.Hosts[k].Decision, g.Hosts[k].Reason, g.Hosts[k].ID)
	}
	for k := range g.Env {
		r := &g.Env[k]
		tell(max(r.Set, r.Unset, r.Read), r.Reason, "env."+r.Names[0].Glob)
	}
	for k := range g.Pipes {
		tell(g.Pipes[k].Decision, g.Pipes[k].Reason, g.Pipes[k].ID)
	}
	for _, note := range s.notes {
		fmt.Fprintf(b, "  %s\n", note)
	}
	if len(s.examples) > 0 {
		b.WriteString("\n  it is about lines like these:\n")
	}
	for _, line := range s.examples {
		fmt.Fprintf(b, "    %s\n", line)
	}
}

// settingsWriter changes the user's config.toml, with consent.
type settingsWriter struct {
	process    *Process
	print, yes bool
}

// path is where the file is.
func (w *settingsWriter) path() (string, error) {
	places := config.Places{Getenv: w.process.Getenv}
	path := places.Below(config.User, "config.toml")
	if path == "" {
		return "", errors.New("neither XDG_CONFIG_HOME nor HOME names a directory for it")
	}
	return path, nil
}

// change shows what becomes of the file, asks and writes it. The verb and its
// participle are for the question.
func (w *settingsWriter) change(verb, done string, to func(text string) (string, error)) error {
	path, err := w.path()
	if err != nil {
		return err
	}
	old, err := disk.OS{}.ReadFile(path, maxInput)
	name := w.process.home(path)
	was := name
	if errors.Is(err, fs.ErrNotExist) {
		was = "/dev/null"
	} else if err != nil {
		return err
	}
	text, err := to(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	diff := edit.Diff(string(old), text, was, name)
	if diff == "" {
		_, err := io.WriteString(w.process.Stdout, "nothing to change\n")
		return err
	}
	if _, err := io.WriteString(w.process.Stdout, visibleLines(diff)); err != nil || w.print {
		return err
	}
	if !w.yes {
		if !isTerminal(w.process.Stdin) {
			return usagef("--yes writes without asking", "nobody is there to say yes")
		}
		if _, err := w.process.person("Write that?", verb, done); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := edit.Replace(path, []byte(text), 0o600); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.process.Stdout, "wrote %s\n", policy.Visible(name))
	return err
}

// visibleLines shows a text whose letters steer no terminal.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = policy.Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}
