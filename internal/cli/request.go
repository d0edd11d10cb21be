package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/expect"
	"github.com/bashgate/bashgate/internal/host"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
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
                           plan, auto, dontAsk, bypassPermissions (default:
                           default)
  --shell SHELL            bash, sh, zsh or unknown (default: bash)
  --attended=false         nobody can be asked
  --profile PROFILE        default, careful, trusting, strict, allowlist,
                           denylist, or one of yours (default: what is set up)
  --packs PACKS            rule packs to switch on: guard-git
  --denied-commands NAMES  what never runs: docker, "git push", ./deploy.sh
  --allowed-dirs DIRS      a path outside of them asks
`

func (s *situation) declare(flags *flag.FlagSet) {
	flags.StringVar(&s.cwd, "cwd", "", "DIR")
	flags.StringVar(&s.workspace, "workspace", "", "DIR")
	s.mode, s.shell = "default", "bash"
	flags.Var(&choice{to: &s.mode, words: expect.Modes()}, "mode", "MODE")
	flags.Var(&choice{to: &s.shell, words: expect.Shells(), also: knownShell}, "shell", "SHELL")
	flags.BoolVar(&s.attended, "attended", true, "")
	flags.StringVar(&s.profile, "profile", "", "PROFILE")
	flags.Var((*list)(&s.packs), "packs", "PACKS")
	flags.Var((*list)(&s.deniedCommands), "denied-commands", "NAMES")
	flags.Var((*list)(&s.allowedDirs), "allowed-dirs", "DIRS")
}

// complete makes the directories absolute and fills in the working directory.
func (s *situation) complete(p *Process) error {
	here, err := p.Getwd()
	if err != nil && !filepath.IsAbs(s.cwd) {
		return err
	}
	for flag, dir := range map[string]*string{"--cwd": &s.cwd, "--workspace": &s.workspace} {
		if *dir != "" && !filepath.IsAbs(*dir) {
			*dir = filepath.Join(here, *dir)
		}
		if info, err := os.Stat(*dir); *dir != "" && (err != nil || !info.IsDir()) {
			// No error: it may be another machine's, or gone since it was logged.
			fmt.Fprintf(p.Stderr, "bashgate: note: %s: no directory %s here, so that nothing is known of what lies there\n", flag, policy.Visible(*dir))
		}
	}
	if s.cwd == "" {
		s.cwd = here
	}
	for i, dir := range s.allowedDirs {
		if !filepath.IsAbs(dir) && !strings.HasPrefix(dir, "~/") {
			s.allowedDirs[i] = filepath.Join(here, dir)
		}
	}
	if what, hint := deniedProblem(s.deniedCommands); what != "" {
		return usagef(hint, "%s", what)
	}
	if s.profile == "" && len(s.packs) == 0 {
		return nil
	}
	if what, hint := unknownName(p.setup(), s.profile, s.packs); what != "" {
		return usagef(hint, "%s", what)
	}
	return nil
}

// unknownName says which of a profile and of packs there is not, and what there
// is; "" where there are all.
func unknownName(setup *config.Setup, profile string, packs []string) (what, hint string) {
	what, hint = setup.NoProfile(profile)
	for _, pack := range packs {
		if what == "" {
			what, hint = setup.NoPack(pack)
		}
	}
	return what, hint
}

// knownShell reports whether a shell's name or path says what it speaks.
func knownShell(path string) bool { return host.ShellName(path) != "" }

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
