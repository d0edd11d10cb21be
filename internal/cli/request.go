package cli

import (
	"flag"
	"path/filepath"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/system"
)

// situation is what is known beside the command: the flags of check and
// explain, and the defaults of check's input lines.
type situation struct {
	cwd, workspace string
	mode, shell    string
	attended       bool
	profile        string
	packs          []string
	deniedCommands []string
	allowedDirs    []string
	taint          engine.Taint // of check's input lines only
	review         cop.Review   // likewise: a recorded reviewer
}

const situationHelp = `  --cwd DIR                where it would run (default: here)
  --workspace DIR          the project's directory (default: cwd)
  --mode MODE              the agent's permission mode: default, acceptEdits,
                           plan, auto, dontAsk, bypassPermissions
  --shell NAME             bash, sh, zsh or unknown (default: bash)
  --attended=false         nobody can be asked
  --profile NAME           default, strict, allowlist, denylist, or one of yours
  --packs NAMES            rule packs to switch on: guard-git
  --denied-commands NAMES  what never runs: docker, "git push", ./deploy.sh
  --allowed-dirs DIRS      a path outside of them asks
`

func (s *situation) declare(flags *flag.FlagSet) {
	flags.StringVar(&s.cwd, "cwd", "", "")
	flags.StringVar(&s.workspace, "workspace", "", "")
	flags.StringVar(&s.mode, "mode", "default", "")
	flags.StringVar(&s.shell, "shell", "bash", "")
	flags.BoolVar(&s.attended, "attended", true, "")
	flags.StringVar(&s.profile, "profile", "", "")
	flags.Var((*list)(&s.packs), "packs", "")
	flags.Var((*list)(&s.deniedCommands), "denied-commands", "")
	flags.Var((*list)(&s.allowedDirs), "allowed-dirs", "")
}

// complete makes the directories absolute and fills in the working directory.
func (s *situation) complete(p *Process) error {
	here, err := p.Getwd()
	if err != nil && !filepath.IsAbs(s.cwd) {
		return err
	}
	for _, dir := range []*string{&s.cwd, &s.workspace} {
		if *dir != "" && !filepath.IsAbs(*dir) {
			*dir = filepath.Join(here, *dir)
		}
	}
	if s.cwd == "" {
		s.cwd = here
	}
	if what, hint := deniedProblem(s.deniedCommands); what != "" {
		return usagef(hint, "%s", what)
	}
	return nil
}

// deniedProblem says which of the denied commands could never match, and what
// to write instead.
func deniedProblem(entries []string) (what, hint string) {
	for _, entry := range entries {
		if _, what, hint := match.ParseDenied(entry); what != "" {
			return what, hint
		}
	}
	return "", ""
}

// request makes the engine's request.
func (s *situation) request(p *Process, command string) engine.Request {
	r := engine.Request{
		Command:        command,
		Cwd:            system.Slash(s.cwd),
		Workspace:      system.Slash(s.workspace),
		Home:           system.Slash(p.Getenv("HOME")),
		Mode:           s.mode,
		Shell:          host.ShellName(s.shell),
		Unattended:     !s.attended,
		Profile:        s.profile,
		Packs:          s.packs,
		DeniedCommands: s.deniedCommands,
		AllowedDirs:    s.allowedDirs,
		Taint:          s.taint,
	}
	if r.Workspace == "" {
		r.Workspace = r.Cwd
	}
	return r
}
