package cli

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
)

const rulesHelp = `rules lists, shows and checks rules: the built-in ones, yours and the project's.

Usage:
  bashgate rules list              the rule files that are in force
  bashgate rules show NAME...      the rules of a program, of a file, or one rule
  bashgate rules lint [FILE...]    what is wrong with rule files
  bashgate rules test [FILE...]    judge the examples of rule files
  bashgate rules schema            the JSON schema of rule files, for editors
  bashgate rules docs [FILE...]    rule files as Markdown; "reasons" for the
                                   engine's own opinions
  bashgate rules ids               every id that an answer can carry

FILE is yours in $XDG_CONFIG_HOME/bashgate/rules, or the project's in
.bashgate/rules, which may only tighten. Without FILE all of them are meant.

Flags:
  --workspace DIR   the project's directory (default: here)

Example:
  $ cat ~/.config/bashgate/rules/mine.toml
  [[programs]]
  name = "mylint"
  unknown_action = "allow"

  $ bashgate rules lint && bashgate check 'mylint build.sh'
  allow
`

// rulesWords are the subcommands of rules.
func rulesWords() []string { return []string{"list", "show", "lint", "test", "schema", "docs", "ids"} }

func rulesCommand() command {
	return command{
		name:    "rules",
		summary: "list, show, check and test rules",
		help:    rulesHelp,
		words:   rulesWords(),
		setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
			workspace := flags.String("workspace", "", "")
			return func(p *Process, args []string) (int, error) {
				if len(args) == 0 {
					return 0, usagef("one of "+strings.Join(rulesWords(), ", "), "rules needs to know what to do")
				}
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
					return rulesTest(p, &s, args)
				case "ids":
					return rulesIDs(p, &s, args)
				case "schema":
					return rulesSchema(p, args)
				case "docs":
					return rulesDocs(p, &s, args)
				default:
					return 0, usagef("one of "+strings.Join(rulesWords(), ", "), "rules can't %q", what)
				}
			}
		},
	}
}

// ruleFile is one rule file that is in force, or should be.
type ruleFile struct {
	*match.Gate
	layer string // "built-in", "pack", "profile", "user", "project"
}

// ruleFiles lists the files that are in force. Those that don't load are left
// out and in the error.
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
	user, userErr := config.Rules(config.UserRules(p.Getenv), ruleset.User, builtIn)
	project, projectErr := config.Rules(config.ProjectRules(s.workspace), ruleset.Project, builtIn)
	if user != nil {
		for _, g := range user.Gates {
			files = append(files, ruleFile{g, "user"})
		}
	}
	if project != nil {
		for _, g := range project.Gates {
			files = append(files, ruleFile{g, "project"})
		}
	}
	return files, errors.Join(userErr, projectErr)
}

// written is rule files as they were written, by layer, with what is wrong
// with them and what they mean where nothing is.
type written struct {
	layer ruleset.Layer
	files []*ruleset.File
	gates []*match.Gate
	err   error
}

// readRules reads the named files, or all of the user's and the project's. A
// named file is the project's if it lies in a directory .bashgate/rules.
func readRules(p *Process, s *situation, names []string) ([]written, error) {
	user, project := written{layer: ruleset.User}, written{layer: ruleset.Project}
	if len(names) == 0 {
		user.files, user.err = config.Files(config.UserRules(p.Getenv), ruleset.User)
		project.files, project.err = config.Files(config.ProjectRules(s.workspace), ruleset.Project)
	}
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.cwd, name)
		}
		text, err := disk.OS{}.ReadFile(path, maxInput)
		if err != nil {
			if path, ok := errors.AsType[*os.PathError](err); ok {
				path.Path = name
			}
			return nil, err
		}
		to := &user
		if dir := filepath.Dir(path); filepath.Base(dir) == "rules" && filepath.Base(filepath.Dir(dir)) == ".bashgate" {
			to = &project
		}
		to.files = append(to.files, ruleset.Load(name, text, to.layer))
	}
	layers := slices.DeleteFunc([]written{user, project}, func(w written) bool { return len(w.files) == 0 && w.err == nil })
	for i := range layers {
		w := &layers[i]
		var err error
		w.gates, err = ruleset.Compile(w.files, builtIn())
		w.err = errors.Join(w.err, err)
	}
	return layers, nil
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
