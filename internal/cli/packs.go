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
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/policy"
)

const packsHelp = `packs lists rule packs and switches them on and off. A pack only tightens: it
asks and blocks more.

Usage:
  bashgate packs list
  bashgate packs show NAME...
  bashgate packs enable NAME...
  bashgate packs disable NAME...

enable and disable change the list packs of your config.toml, and nothing else
in it. They show the change and ask, on a terminal.

Flags:
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
		words:   append([]string{"list", "show", "enable", "disable"}, gates.Packs[:]...),
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var w settingsWriter
			flags.BoolVar(&w.print, "print", false, "")
			flags.BoolVar(&w.yes, "yes", false, "")
			return func(p *Process, args []string) (int, error) {
				w.process = p
				if len(args) == 0 {
					return 0, usagef("bashgate packs list, show, enable or disable", "packs needs to be told what to do")
				}
				what, names := args[0], args[1:]
				writes := what == "enable" || what == "disable"
				switch {
				case what == "list" && len(names) == 0 && !w.print && !w.yes:
					return exitOK, listPacks(p)
				case what == "list", !writes && (w.print || w.yes):
					return 0, usagef("see bashgate packs --help", "packs %s takes no more than that", what)
				case what != "show" && !writes:
					return 0, usagef("one of list, show, enable, disable", "packs can't %q", what)
				case len(names) == 0:
					return 0, usagef("one of "+strings.Join(gates.Packs[:], ", "), "packs %s takes the name of a pack", what)
				}
				for _, name := range names {
					if gates.Pack(name) == nil && what != "disable" {
						return 0, usagef("one of "+strings.Join(gates.Packs[:], ", "), "no rule pack is called %s", policy.Quote(name))
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
	for _, name := range gates.Packs {
		state := "off"
		if from := on[name]; from != nil {
			state = "on   " + style.paint(dim, strings.Join(from, "; "))
		}
		fmt.Fprintf(&b, "%-20s %s\n", name, state)
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return err
}

// showPacks says in words what packs do, by what rules, and shows lines that
// they are about.
func showPacks(p *Process, names []string) error {
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
		text, examples := gates.PackAbout(name)
		fmt.Fprintf(&b, "%s (%s)\n  %s\n\n", name, state, text)
		g := gates.Pack(name)
		var told []string // one table of several programs is one row
		for _, program := range g.Programs {
			for k := range program.Rules {
				if r := &program.Rules[k]; r.Decision > policy.Allow && !slices.Contains(told, r.ID) {
					told = append(told, r.ID)
					fmt.Fprintf(&b, "  %-5s  %s  (%s)\n", r.Decision, match.Fill(r.Reason, nil), r.ID)
				}
			}
		}
		for k := range g.Tools {
			t := &g.Tools[k]
			fmt.Fprintf(&b, "  %-5s  %s  (%s)\n", t.Decision, match.Fill(t.Reason, nil), t.ID)
		}
		if len(examples) > 0 {
			b.WriteString("\n  it is about lines like these:\n")
		}
		for _, line := range examples {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	_, err = io.WriteString(p.Stdout, b.String())
	return err
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
