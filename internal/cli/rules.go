package cli

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/manual"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

const rulesHelp = `rules lists, shows and checks rules: the built-in ones, yours and the project's.

Usage:
  bashgate rules list              the rule files that are in force
  bashgate rules show NAME...      the rules of a program, of a file, or one
  bashgate rules lint [FILE...]    what is wrong with rule files
  bashgate rules test [FILE...]    judge the examples of rule files, and tables
                                   of tests
  bashgate rules fmt [FILE...]     give rule files and tables of tests one form
  bashgate rules new PROGRAM       begin a rule file with PROGRAM --help
  bashgate rules schema            the JSON schema of rule files, for editors
  bashgate rules docs [FILE...]    rule files as Markdown; "reasons" for the
                                   engine's own opinions
  bashgate rules ids               every id that an answer can carry
  bashgate rules audit WHAT...     where the option tables of programs or rule
                                   files disagree with manual pages

FILE is yours in $XDG_CONFIG_HOME/bashgate/rules or profiles, the project's in
.bashgate/rules, which only tightens, or the administrator's in
/etc/bashgate. Without FILE all of them are meant.

new runs PROGRAM --help, if you say yes: the one in PATH, never one of the
workspace, in an empty directory, for 5 seconds at most. In the file every use
asks but help and version, options are declared, and comments say what is next.

A table of tests is a TOML file with [[test]], or a .jsonl file, in tests
beside the rules: command and decision, and where it matters cwd, workspace,
mode, shell, profile, unattended, id (of a reason) and note. A directory that
is named stands for its tables. Each test is judged as check would.

Flags:
  --workspace DIR   the project's directory (default: here)
  --tap             test: report in the Test Anything Protocol
  --junit FILE      test: write a report as JUnit's XML, too
  --check           fmt: name the files that have another form, write nothing
  --diff            fmt: show what would change, write nothing
  --yes             new: run the program without asking
  --stdin           new: the text is on standard input, run nothing
  -o FILE           new: write it there (default: standard output)
  --write           new: write it to your own rules, as PROGRAM.toml
  --force           new: also about a program that the built-in rules know
  --facts FILE      audit: a file of option tables to compare with as well, a
                    line of JSON for each subcommand
  --only KINDS      audit: arity (a value is read otherwise), harm (what the
                    manual describes does harm), unknown (not in the table)

Example:
  $ cat ~/.config/bashgate/rules/mine.toml
  [[programs]]
  name = "mylint"
  unknown_action = "allow"
  $ bashgate check 'mylint build.sh'
  allow
`

func rulesCommand() command {
	return command{
		name:    "rules",
		summary: "list, show, check and test rules",
		help:    rulesHelp,
		verbs: []verb{
			{name: "list", summary: "the rule files that are in force"},
			{name: "show", summary: "the rules of a program, of a file, or one", operands: "RULE"},
			{name: "lint", summary: "what is wrong with rule files", operands: "FILE"},
			{name: "test", summary: "judge the examples of rule files, and tables", operands: "FILE", own: "tap junit"},
			{name: "fmt", summary: "give rule files and tables of tests one form", operands: "FILE", own: "check diff"},
			{name: "new", summary: "begin a rule file with PROGRAM --help", operands: "PROGRAM", own: "force o stdin write yes"},
			{name: "schema", summary: "the JSON schema of rule files, for editors"},
			{name: "docs", summary: "rule files as Markdown", operands: "FILE"},
			{name: "ids", summary: "every id that an answer can carry"},
			{name: "audit", summary: "compare option tables with manual pages", operands: "PROGRAM", own: "facts only"},
		},
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			workspace := flags.String("workspace", "", "DIR")
			facts := flags.String("facts", "", "FILE")
			var only list
			flags.Var(&choices{&only, manual.Kinds()}, "only", "KINDS")
			var how testReport
			flags.BoolVar(&how.tap, "tap", false, "")
			flags.StringVar(&how.junit, "junit", "", "FILE")
			var begin newRules
			flags.BoolVar(&begin.yes, "yes", false, "")
			flags.BoolVar(&begin.force, "force", false, "")
			flags.BoolVar(&begin.stdin, "stdin", false, "")
			flags.BoolVar(&begin.write, "write", false, "")
			flags.StringVar(&begin.out, "o", "", "FILE")
			check := flags.Bool("check", false, "")
			diff := flags.Bool("diff", false, "")
			return func(p *Process, args []string) (int, error) {
				s := situation{workspace: *workspace}
				if err := s.complete(p); err != nil {
					return 0, err
				}
				if s.workspace == "" {
					s.workspace = s.cwd
				}
				switch what, args := args[0], args[1:]; what {
				case "list":
					return rulesList(p, &s, args)
				case "show":
					return rulesShow(p, &s, args)
				case "lint":
					return rulesLint(p, &s, args)
				case "test":
					return rulesTest(p, &s, args, how)
				case "fmt":
					return rulesFmt(p, &s, args, *check, *diff)
				case "new":
					return rulesNew(p, &s, args, begin)
				case "ids":
					return rulesIDs(p, &s, args)
				case "audit":
					return rulesAudit(p, &s, *facts, only, args)
				case "schema":
					return rulesSchema(p, args)
				default:
					return rulesDocs(p, &s, args)
				}
			}
		},
	}
}

// ruleFile is one rule file that is in force, or should be.
type ruleFile struct {
	*match.Gate
	layer string // "built-in", "pack", "profile", "shared pack", "user", "project", "managed"
}

// ruleFiles lists the files that are in force. What of them can't be used is in
// the error.
func ruleFiles(p *Process, s *situation) ([]ruleFile, error) {
	var files []ruleFile
	for _, g := range gates.All {
		files = append(files, ruleFile{g, "built-in"})
	}
	for _, name := range gates.Packs {
		files = append(files, ruleFile{gates.Pack(name), "pack"})
	}
	for _, name := range gates.Profiles {
		files = append(files, ruleFile{gates.Profile(name), "profile"})
	}
	var errs []error
	for _, rules := range setRules(p, p.setup(), s) {
		for i := range rules.Files {
			if g := rules.Files[i].Gate; g != nil {
				files = append(files, ruleFile{g, layerName(rules)})
			}
		}
		for _, fault := range rules.Faults() {
			errs = append(errs, fault.Err)
		}
	}
	return files, errors.Join(errs...)
}

// setRules loads the rule files that are not built in: profiles and the packs
// that are on, then the layers as they have the last word.
func setRules(p *Process, setup *config.Setup, s *situation) []*config.Rules {
	project := setup.Project(config.Projects(s.cwd, s.workspace, p.Getenv("HOME")), catalogue.Known)
	packs, _ := setup.SharedPacks(setup.Config.With(project).Packs, s.workspace, catalogue.Known)
	list := append([]*config.Rules{setup.Profiles(catalogue.Known), packs, setup.UserRules(catalogue.Known)}, project.Rules...)
	return append(list, setup.ManagedRules(catalogue.Known))
}

func layerName(r *config.Rules) string {
	switch {
	case r.Layer == ruleset.OwnProfiles:
		return "profile"
	case r.Layer == ruleset.Shared:
		return "shared pack"
	case r.Project != "" || r.Layer == ruleset.Project:
		return "project"
	case r.Layer == ruleset.Managed:
		return "managed"
	}
	return "user"
}

// readRules reads the named files, or all that are not built in. A named file
// is of the layer whose directory it lies in; of any other, the user's.
func readRules(p *Process, s *situation, names []string) ([]*config.Rules, error) {
	if len(names) == 0 {
		return setRules(p, p.setup(), s), nil
	}
	setup := p.setup()
	files := map[ruleset.Layer][]*ruleset.File{}
	var list []*config.Rules
	for _, name := range names {
		path := s.under(name)
		text, err := disk.OS{}.ReadFile(path, maxInput)
		if err != nil {
			return nil, named(err, name)
		}
		layer := p.layerOf(path)
		if setup.InPacksDir(path) { // packs know nothing of each other
			list = append(list, config.Of(ruleset.Shared, []*ruleset.File{ruleset.Load(name, text, ruleset.Shared)}, catalogue.Known()))
			continue
		}
		files[layer] = append(files[layer], ruleset.Load(name, text, layer))
	}
	for _, layer := range [...]ruleset.Layer{ruleset.OwnProfiles, ruleset.User, ruleset.Project, ruleset.Managed} {
		if len(files[layer]) > 0 {
			list = append(list, config.Of(layer, files[layer], catalogue.Known()))
		}
	}
	return list, nil
}

// layerOf tells whose a rule file is by where it lies.
func (p *Process) layerOf(path string) ruleset.Layer {
	dir := filepath.Dir(path)
	above, in := filepath.Dir(dir), filepath.Base(dir)
	switch {
	case in == "rules" && filepath.Base(above) == ".bashgate":
		return ruleset.Project
	case in == "profiles" && (above == p.SystemDir || filepath.Base(above) == "bashgate"):
		return ruleset.OwnProfiles
	case in == "rules" && p.SystemDir != "" && above == p.SystemDir:
		return ruleset.Managed
	}
	return ruleset.User
}

// home shows a path below the user's home directory with a tilde.
func (p *Process) home(path string) string { return tilde(p.Getenv("HOME"), path) }

func tilde(home, path string) string {
	if home != "" {
		if rest, ok := strings.CutPrefix(path, filepath.Clean(home)+"/"); ok {
			return "~/" + rest
		}
	}
	return path
}
