package cli

import (
	"bufio"
	"cmp"
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
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

const initHelp = `init sets bashgate up: how careful it is, which agents ask it, and by which
rules it starts.

Usage:
  bashgate init
  bashgate init --preset PRESET [--agents HOSTS] --yes

On a terminal it asks, shows the config.toml that it would write, and writes it
after a yes; then it does what bashgate install does for each agent and, if you
like, what bashgate suggest does: it looks through what your agents have run so
far for rules that would have saved questions, and writes those that you keep.
With a config.toml it shows what it would write and stops.

Flags:
  --preset PRESET    how careful: careful, usual or trusting
  --agents HOSTS     the agents to install the hook into (default: none)
  --yes              write without asking
  --print            show what would be written and write nothing
  --force            replace a config.toml; a copy stays as config.toml.old

Example:
  $ bashgate init --preset trusting --agents claude --yes
`

func initCommand() command {
	return command{
		name:    "init",
		summary: "set bashgate up",
		help:    initHelp,
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var s starter
			flags.Var(&choice{to: &s.preset, words: gates.Presets[:]}, "preset", "PRESET")
			flags.Var(&choices{&s.agents, agentNames()}, "agents", "HOSTS")
			flags.BoolVar(&s.yes, "yes", false, "")
			flags.BoolVar(&s.print, "print", false, "")
			flags.BoolVar(&s.force, "force", false, "")
			return func(p *Process, args []string) (int, error) {
				s.process = p
				if len(args) > 0 {
					return 0, usagef("see bashgate init --help", "init takes no arguments, found %s", policy.Quote(args[0]))
				}
				return s.run()
			}
		},
	}
}

// starter is one run of init.
type starter struct {
	process *Process
	preset  string
	agents  list
	yes     bool
	print   bool
	force   bool
	history bool // start with rules from what was run so far
}

func (s *starter) run() (int, error) {
	asks := isTerminal(s.process.Stdin) && !s.yes && !s.print
	switch {
	case asks:
		if err := s.ask(); err != nil {
			return 0, err
		}
	case s.preset == "":
		return 0, usagef("--preset usual, say: one of "+strings.Join(gates.Presets[:], ", "), "nobody is there to say how careful to be")
	case !s.yes && !s.print:
		return 0, usagef("--yes writes without asking, --print shows only", "nobody is there to say yes")
	}
	if done, err := s.settings(); !done || err != nil {
		return exitOK, err
	}
	if len(s.agents) > 0 {
		w := wirer{yes: s.yes, print: s.print}
		w.options.FailClosed = true // as install does
		agents, err := w.begin(s.process, "install", s.agents)
		if err != nil {
			return 0, err
		}
		if status, err := w.finish(w.install(agents)); status != exitOK || err != nil {
			return status, err
		}
	}
	if s.history {
		if err := s.suggest(); err != nil {
			return 0, err
		}
	}
	if !s.print {
		io.WriteString(s.process.Stdout, "bashgate replay shows what your agents have run so far, and what is asked about it now\n")
	}
	return exitOK, nil
}

// ask asks a person what no flag says.
func (s *starter) ask() error {
	p := s.process
	if p.Getenv("CLAUDECODE") != "" || p.Getenv("AI_AGENT") != "" {
		return usagef("run it yourself, in a terminal of your own", "an agent can't set bashgate up")
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return usagef("run it yourself, in a terminal", "only a person at a terminal can set bashgate up")
	}
	defer tty.Close()
	in := bufio.NewReader(tty)
	answer := func(question string) (string, error) {
		fmt.Fprint(tty, question)
		line, err := in.ReadString('\n')
		return strings.TrimSpace(line), err
	}
	if s.preset == "" {
		fmt.Fprintln(tty, "How careful shall bashgate be?")
		for _, name := range gates.Presets {
			_, about := gates.Preset(name)
			fmt.Fprintf(tty, "  %-9s %s\n", name, about)
		}
		err := again(tty, "Type one of them (usual): ", answer, func(word string) error {
			if s.preset = cmp.Or(word, "usual"); slices.Contains(gates.Presets[:], s.preset) {
				return nil
			}
			return usagef(ruleset.DidYouMean(s.preset, gates.Presets[:]), "no preset is called %s", policy.Quote(s.preset))
		})
		if err != nil {
			return err
		}
	}
	place := install.Place{Home: p.Getenv("HOME"), Getenv: p.Getenv}
	var here []string
	for _, a := range install.Agents() {
		if a.Has(install.User) && a.Installed(place) {
			here = append(here, a.Host)
		}
	}
	if len(s.agents) == 0 && len(here) > 0 {
		if err := s.askAgents(tty, here, answer); err != nil {
			return err
		}
	}
	yes, err := answer("Shall rules be looked for in what your agents and shells have run so far?\nEach is shown, and you keep or skip it. Type yes or no (no): ")
	s.history = yes == "yes" || yes == "y"
	return err
}

// suggest looks for rules in what was run so far, by what is set up now.
func (s *starter) suggest() error {
	r, err := newReplayer(s.process, &replayOptions{top: mostRules})
	if err != nil {
		return err
	}
	if err := r.read(nil); err != nil {
		return err
	}
	report := r.judgeAll()
	found := suggester{replayer: r, least: leastPrompts}
	found.suggest(report)
	if len(found.choices) == 0 || !found.person() {
		return found.print(report, true)
	}
	kept, err := found.ask(report)
	if err == nil && !kept {
		_, err = io.WriteString(s.process.Stdout, "no rule is written\n")
	}
	return err
}

// askAgents asks which of the agents that are here shall have the hook.
func (s *starter) askAgents(tty io.Writer, here []string, answer func(question string) (string, error)) error {
	return again(tty, "Agents found here: "+strings.Join(here, ", ")+"\nWhich of them shall ask bashgate? Type names, all or none (none): ", answer, func(names string) error {
		s.agents = nil
		switch names {
		case "", "none":
		case "all":
			s.agents = here
		default:
			for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
				if install.Find(name) == nil {
					return usagef(ruleset.DidYouMean(name, here), "%q is no agent that bashgate is a hook of", name)
				}
				s.agents = append(s.agents, name)
			}
		}
		return nil
	})
}

// again asks until an answer is understood, three times at most.
func again(tty io.Writer, question string, answer func(string) (string, error), understand func(string) error) error {
	for try := 1; ; try++ {
		text, err := answer(question)
		if err != nil {
			return err
		}
		err = understand(text)
		usage, ok := errors.AsType[*usageError](err)
		if !ok || try == 3 {
			return err
		}
		fmt.Fprintf(tty, "%s: %s\n", policy.Visible(usage.what), usage.hint)
	}
}

// settings writes config.toml. It reports whether init goes on: where there is
// one, it shows the difference and stops.
func (s *starter) settings() (done bool, err error) {
	w := settingsWriter{process: s.process, yes: s.yes, print: s.print}
	path, err := w.path()
	if err != nil {
		return false, err
	}
	text := s.text()
	was, err := disk.OS{}.ReadFile(path, maxInput)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	case string(was) == text:
		return true, nil
	case !s.force:
		name := s.process.home(path)
		if _, err := io.WriteString(s.process.Stdout, visibleLines(edit.Diff(string(was), text, name, name))); err != nil {
			return false, err
		}
		return false, usagef(`write preset = "`+s.preset+`" into it yourself, or say --force: a copy stays`, "%s is there already, and stays as it is", policy.Visible(name))
	case !s.print:
		old := path + ".old"
		for n := 2; n < 100; n++ {
			if _, err := os.Lstat(old); errors.Is(err, fs.ErrNotExist) {
				break
			}
			old = fmt.Sprintf("%s.old%d", path, n)
		}
		fmt.Fprintln(s.process.Stderr, "bashgate: the old file stays as "+s.process.home(old))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return false, err
		}
		if err := edit.Replace(old, was, 0o600); err != nil {
			return false, err
		}
	}
	return true, w.change("write", "written", func(string) (string, error) { return text, nil })
}

// text is the config.toml that is written.
func (s *starter) text() string {
	_, about := gates.Preset(s.preset)
	return "# Settings of bashgate. bashgate config show --origin says what is in force.\n\n" +
		comment(about+" The presets are "+strings.Join(gates.Presets[:], ", ")+". What else is said here counts before them.") +
		"preset = \"" + s.preset + "\"\n\n" +
		"# Packs ask and block more: bashgate packs list, bashgate packs enable NAME.\n\n" +
		"# Commands that never run:\n# denied_commands = [\"docker\", \"git push\", \"./deploy.sh\"]\n\n" +
		"# Directories that are harmless to write, ./build in each workspace:\n# scratch_dirs = [\"./build\"]\n"
}

// comment writes a text as lines of a comment.
func comment(text string) string {
	var b strings.Builder
	line := "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 79 {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
