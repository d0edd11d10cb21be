package cli

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/internal/export"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

const exportHelp = `export writes the rules as a policy file of an agent's own engine, for where a
hook does not fire. The file is never weaker than the rules: it allows only what
they allow whatever the rest of the line is, and leaves everything else to a
question.

Usage:
  bashgate export AGENT [FLAGS]

AGENT is one of gemini, codex, claude, opencode, qwen, amp, zed, vscode,
copilot, cursor, droid, agy. docs/exports.md tells what each of them can hold.

Your rules, settings and profile are in it, and the project's rules. What a
session has seen, checkers and the agent's own settings are not.

Flags:
  --out FILE        write it there (default: standard output)
  --merge FILE      put the rules into a file with other settings
  --check FILE      is this file current, and would it load; write nothing
  --stats           how much of the rules it holds, and why not more
  --mode MODE       useful, or strict: leave out what reads files, for it holds
                    only where the agent stands in a project (default: useful)
  --workspace DIR   the project's directory (default: here)
  --sandbox         claude: all settings of a session in Claude's sandbox
  --extension DIR   gemini: a folder of an extension, with a policy and the hook

Example:
  $ bashgate export gemini --out ~/.gemini/policies/bashgate.toml
  $ bashgate export claude --merge ~/.claude/settings.json
`

func exportCommand() command {
	var targets []string
	for _, t := range export.Targets() {
		targets = append(targets, t.Name)
	}
	return command{
		name:     "export",
		summary:  "write the rules as an agent's own policy file",
		help:     exportHelp,
		operands: "AGENT",
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			var x exporter
			mode := "useful"
			flags.Var(&choice{to: &mode, words: []string{"useful", "strict"}}, "mode", "MODE")
			flags.StringVar(&x.workspace, "workspace", "", "DIR")
			flags.StringVar(&x.out, "out", "", "FILE")
			flags.StringVar(&x.merge, "merge", "", "FILE")
			flags.StringVar(&x.check, "check", "", "FILE")
			flags.StringVar(&x.extension, "extension", "", "DIR")
			flags.BoolVar(&x.stats, "stats", false, "")
			flags.BoolVar(&x.options.Sandbox, "sandbox", false, "")
			return func(p *Process, args []string) (int, error) {
				names := strings.Join(targets, ", ")
				if len(args) != 1 {
					return 0, usagef("one of "+names, "export takes the name of an agent")
				}
				x.process, x.target = p, export.Find(args[0])
				if x.target == nil {
					return 0, usagef(ruleset.DidYouMean(args[0], targets), "no export for %q", args[0])
				}
				x.options.Strict = mode == "strict"
				return x.run()
			}
		},
	}
}

// exportTOML is --export-toml in place of a subcommand: export gemini.
func exportTOML(p *Process) int {
	c := exportCommand()
	args := slices.DeleteFunc(slices.Clone(p.Args), func(arg string) bool { return arg == "--export-toml" })
	return p.finish(c.run(p, append([]string{"gemini"}, args...)))
}

// exporter is one run of export.
type exporter struct {
	process   *Process
	target    *export.Target
	options   export.Options
	workspace string
	out       string
	merge     string
	check     string
	extension string
	stats     bool
}

func (x *exporter) run() (int, error) {
	t := x.target
	switch {
	case x.merge != "" && !t.Merges:
		return 0, usagef("--out writes it", "the file of %s holds nothing but the rules: there is nothing to merge with", t.Title)
	case x.options.Sandbox && t.Name != "claude":
		return 0, usagef("it is for claude", "%s takes no --sandbox", t.Name)
	case x.extension != "" && t.Name != "gemini":
		return 0, usagef("it is for gemini", "%s takes no --extension", t.Name)
	case x.check != "" && (x.merge != "" || x.out != "" || x.extension != ""), x.extension != "" && (x.merge != "" || x.out != ""):
		return 0, usagef("see bashgate export --help", "too much at once: only one of --out, --merge, --check and --extension")
	}
	debug.SetGCPercent(1000) // what is made here is kept until the end
	rules, err := x.rules()
	if err != nil {
		return 0, err
	}
	switch {
	case x.check != "":
		return x.checkFile(rules)
	case x.extension != "":
		return exitOK, x.writeExtension(rules)
	}
	var result *export.Result
	if x.merge != "" {
		existing, err := os.ReadFile(x.merge)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		if result, err = t.Merge(rules, x.options, existing); err != nil {
			return 0, fmt.Errorf("%s: %w", x.process.home(x.merge), err)
		}
	} else {
		result = t.Export(rules, x.options)
	}
	if x.stats {
		_, err := io.WriteString(x.process.Stdout, statsText(&result.Stats))
		return exitOK, err
	}
	to := cmp.Or(x.out, x.merge)
	if to == "" || to == "-" {
		_, err := x.process.Stdout.Write(result.Text)
		return exitOK, err
	}
	return exitOK, put(to, result.Text)
}

// put writes a file, with its directory where an agent has not made it yet.
func put(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return edit.Replace(path, text, 0o644)
}

// rules are the Forms of the rules in force. What is broken is not exported:
// it might have held something stricter.
func (x *exporter) rules() (*export.Rules, error) {
	p := x.process
	s := situation{workspace: x.workspace}
	if err := s.complete(p); err != nil {
		return nil, err
	}
	workspace := cmp.Or(s.workspace, s.cwd)
	setup := p.setup()
	user, managed := setup.UserRules(catalogue.Known), setup.ManagedRules(catalogue.Known)
	project := setup.Project(config.Projects(workspace, workspace, p.Getenv("HOME")), catalogue.Known)
	settings := setup.Config.With(project)
	profile, _ := settings.Choose("")
	var profiles *interp.Rules
	packs, builtInPacks := setup.SharedPacks(settings.Packs, workspace, catalogue.Known)
	faults := slices.Concat(setup.Faults(), user.Faults(), managed.Faults(), project.Faults(), packs.Faults())
	if gates.Profile(profile) == nil {
		var broken []config.Fault
		profiles, broken = setup.Profiles(catalogue.Known).Chain(profile)
		faults = append(faults, broken...)
	}
	if len(faults) > 0 {
		var errs []error
		for _, fault := range faults {
			errs = append(errs, fault.Err)
		}
		return nil, errors.Join(errs...)
	}
	info, _ := debug.ReadBuildInfo()
	x.options.Version = version(info)

	options := engine.Options{
		User: layer(user.Whole()), Managed: layer(managed.Whole()), Profiles: layer(profiles),
		NoLifts: setup.NoLifts, NoOverrides: setup.NoOverrides, Project: layer(packs.Whole()),
	}
	for _, rules := range project.Rules {
		if rules.Trust == config.IsTrusted {
			options.User = join(options.User, layer(rules.Whole()))
		} else {
			options.Project = join(options.Project, layer(rules.Whole()))
		}
	}
	all := gates.All[:]
	all = all[:len(all):len(all)]
	for _, list := range [...][]*interp.Rules{options.User, options.Project, options.Managed} {
		for _, rules := range list {
			for _, g := range interp.Gates(rules) {
				all = append(all, everywhere(g))
			}
		}
	}
	for _, name := range builtInPacks {
		if g := gates.Pack(name); g != nil {
			all = join(all, []*match.Gate{g})
		}
	}
	profiled := profile != "default"
	for name := profile; name != "" && name != "default"; {
		g := gates.Profile(name)
		own := interp.Gates(profiles)
		if i := slices.IndexFunc(own, func(own *match.Gate) bool { return own.Name == name }); g == nil && i >= 0 {
			g = own[i]
		}
		if g == nil || g.Profile == nil {
			break // everything will be asked about
		}
		all, name = join(all, []*match.Gate{g}), g.Profile.Extends
	}

	// The file speaks for all directories. Where it matters which, the answers
	// are those of a project that nothing is known of and, if a profile keeps to
	// certain directories, of a place outside them.
	e := engine.New(options)
	builtIn := len(all) == len(gates.All) && !profiled && settings.AllowedDirs == nil && settings.DeniedCommands == nil && settings.ScratchDirs == nil
	home := "/home/user" // of which the built-in rules say what they say of all
	if !builtIn {
		home = cmp.Or(p.Getenv("HOME"), home)
	}
	inside := home + "/project"
	if len(settings.AllowedDirs) > 0 {
		inside = settings.AllowedDirs[0]
	}
	places := []string{inside}
	if profiled || settings.AllowedDirs != nil {
		places = append(places, "/opt/elsewhere")
	}
	return export.Collect(&export.Source{
		Gates:   all,
		ByName:  profiled,
		BuiltIn: builtIn,
		Judge: func(command string) policy.Decision {
			strictest := policy.Allow
			for _, cwd := range places {
				v := e.Evaluate(engine.Request{
					Command: command, Cwd: cwd, Workspace: inside, Home: home,
					Profile: profile, Packs: builtInPacks, PackSettings: settings.PackSettings,
					DeniedCommands: settings.DeniedCommands, AllowedDirs: settings.AllowedDirs, ScratchDirs: settings.ScratchDirs,
				})
				strictest = max(strictest, v.Decision)
			}
			return strictest
		},
	}, x.options.Strict), nil
}

// everywhere is what a rule file says in all workspaces, which the exported
// file speaks of: one that counts in some allows nothing there.
func everywhere(g *match.Gate) *match.Gate {
	if len(g.Workspaces) == 0 {
		return g
	}
	strict := *g
	strict.Own, strict.Index, strict.Packed = nil, nil, nil
	for _, p := range g.Programs() {
		p := *p
		p.Rules = slices.DeleteFunc(slices.Clone(p.Rules), func(r match.Rule) bool { return r.Decision == policy.Allow })
		if p.Unknown == policy.Allow {
			p.Unknown = policy.Ask
		}
		strict.Own = append(strict.Own, &p)
	}
	return &strict
}

// checkFile says whether a file would load, and whether it is what would be
// written now.
func (x *exporter) checkFile(rules *export.Rules) (int, error) {
	text, err := disk.OS{}.ReadFile(x.check, maxInput)
	if err != nil {
		return 0, err
	}
	name := x.process.home(x.check)
	fresh, current, err := x.compare(rules, text, name)
	if err != nil {
		return 0, err
	}
	if !current {
		x.process.complain(name+" is not what would be written now", "write it again, with the flags that you wrote it with")
		return exitError, nil
	}
	_, err = fmt.Fprintf(x.process.Stdout, "%s: current, %s\n", name, plural(fresh.Stats.Rules, "rule"))
	return exitOK, err
}

// compare checks a file's text and says whether it is what would be written now.
// The name is for errors, which say why the file would not load.
func (x *exporter) compare(rules *export.Rules, text []byte, name string) (fresh *export.Result, current bool, err error) {
	if err := x.target.Check(text, name); err != nil {
		return nil, false, err
	}
	fresh = x.target.Export(rules, x.options)
	if x.target.Merges {
		if fresh, err = x.target.Merge(rules, x.options, text); err != nil {
			return nil, false, fmt.Errorf("%s: %w", name, err)
		}
	}
	return fresh, bytes.Equal(text, fresh.Text), nil
}

// writeExtension writes the folder of a Gemini extension.
func (x *exporter) writeExtension(rules *export.Rules) error {
	for _, file := range export.GeminiExtension(rules, x.options) {
		if err := put(filepath.Join(x.extension, filepath.FromSlash(file.Name)), file.Text); err != nil {
			return err
		}
	}
	return nil
}

// statsText shows what became of the rules.
func statsText(s *export.Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in the file\n", plural(s.Rules, "rule"))
	fmt.Fprintf(&b, "%d of %d sets of command lines that are allowed as a whole\n", s.Kept, s.Forms)
	list := func(title string, counts map[string]int) {
		if len(counts) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s\n", title)
		var whys []string
		for why := range counts {
			whys = append(whys, why)
		}
		slices.SortFunc(whys, func(a, b string) int {
			return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
		})
		for _, why := range whys {
			fmt.Fprintf(&b, "%6d  %s\n", counts[why], why)
		}
	}
	list("of them, missing or only in part:", s.Lost)
	list("allows that are no such set:", s.Dropped)
	b.WriteString("\nby rule file:\n")
	for _, file := range slices.Sorted(maps.Keys(s.Families)) {
		f := s.Families[file]
		fmt.Fprintf(&b, "%6d of %4d  %s\n", f.Kept, f.Forms, file)
	}
	return b.String()
}
