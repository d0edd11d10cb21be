package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/config"
	"github.com/bashgate/bashgate/internal/draft"
	"github.com/bashgate/bashgate/internal/edit"
	"github.com/bashgate/bashgate/policy"
)

// What a program may take to say what it is.
const (
	helpTime = 5 * time.Second
	helpSize = 1 << 20 // bytes, of each stream
)

// newRules is how a rule file is begun.
type newRules struct {
	yes   bool   // run the program without asking
	force bool   // also about one that the built-in rules know
	stdin bool   // the text is on standard input, and nothing is run
	out   string // the file; "" = standard output
	write bool   // the user's own, called like the program
}

// rulesNew begins a rule file about a program.
func rulesNew(p *Process, s *situation, args []string, how newRules) (int, error) {
	if len(args) != 1 {
		return 0, usagef("bashgate rules new acme", "rules new takes the name of one program, found %d", len(args))
	}
	name := args[0]
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") != "" || name == "" || strings.IndexByte("-.", name[0]) >= 0 {
		return 0, usagef("the name by which it is found in PATH", "%q is no name of a program", name)
	}
	if known := gates.Program(name); known != nil && !how.force {
		return 0, usagef("bashgate rules show "+name+"; --force begins a file all the same", "the built-in rules know %s (%s)", name, known.File)
	}
	path, err := how.file(p, s, name)
	if err != nil {
		return 0, err
	}
	var text []byte
	if how.stdin {
		text, err = io.ReadAll(io.LimitReader(p.Stdin, helpSize+1))
		if err == nil && len(text) > helpSize {
			err = &tooLarge{helpSize}
		}
	} else {
		text, err = helpOf(p, s, name, how.yes)
	}
	if err != nil {
		return 0, err
	}
	rules, err := draft.Rules(name, strings.ToValidUTF8(string(text), ""), catalogue.Known())
	if errors.Is(err, draft.ErrNothing) {
		return 0, usagef("give it another text: "+name+" help | bashgate rules new "+name+" --stdin", "what %s says has neither options nor subcommands in it", name)
	}
	if err != nil {
		return 0, err
	}
	if path == "" {
		_, err := p.Stdout.Write(rules)
		return exitOK, err
	}
	if how.write {
		if _, err := edit.MakeDirs(filepath.Dir(path), 0o755); err != nil {
			return 0, err
		}
	}
	if err := create(path, rules); err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(p.Stdout, "wrote %s\n", policy.Visible(p.home(path)))
	return exitOK, err
}

// file is where the rules go, "" for standard output. What is there already
// stays, and then nothing is run either.
func (how *newRules) file(p *Process, s *situation, name string) (string, error) {
	path := ""
	switch {
	case how.write && how.out != "":
		return "", usagef("see bashgate rules --help", "--write and -o name two files")
	case how.write:
		if path = p.setup().Places.Below(config.User, filepath.Join("rules", name+".toml")); path == "" {
			return "", usagef("-o FILE", "there is no home directory")
		}
	case how.out != "":
		path = s.under(how.out)
	}
	if path == "" {
		return "", nil
	}
	if _, err := os.Lstat(path); err == nil {
		return "", usagef("-o FILE for another", "%s is there already", p.home(path))
	}
	return path, nil
}

// create writes a file that is not there yet, and leaves nothing where that
// fails.
func create(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// helpOf runs a program with --help, if a person wants that: in no shell, in an
// empty directory that is its home as well, without input, and not for long. A
// program that says it on its standard error has said it too.
func helpOf(p *Process, s *situation, name string, yes bool) ([]byte, error) {
	program, dirs, err := outside(p.Getenv("PATH"), name, s.workspace)
	if err != nil {
		return nil, err
	}
	what := policy.Quote(program) + " --help"
	if !yes {
		if _, err := p.person("Shall this be run, in an empty directory: "+policy.Visible(what)+"?", "run", "run"); err != nil {
			if usage, ok := errors.AsType[*usageError](err); ok {
				usage.what += ": " + policy.Visible(what)
				usage.hint = "say --yes, or give it the text: " + name + " --help | bashgate rules new " + name + " --stdin"
			}
			return nil, err
		}
	} else {
		fmt.Fprintf(p.Stderr, "running %s\n", policy.Visible(what))
	}
	dir, err := os.MkdirTemp("", "bashgate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out, err := child.Try(child.Command{
		Path: program, Args: []string{"--help"}, Dir: dir,
		Env:   []string{"PATH=" + strings.Join(dirs, ":"), "HOME=" + dir, "TMPDIR=" + dir, "PWD=" + dir, "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "COLUMNS=120", "PAGER=cat"},
		Limit: helpSize, Timeout: helpTime,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", policy.Visible(what), err)
	}
	if len(strings.TrimSpace(string(out.Stdout))) == 0 {
		return out.Stderr, nil
	}
	return out.Stdout, nil
}

// outside finds a program in the directories of a PATH. Relative ones don't
// count, and neither does what lies in the workspace: an agent can put any
// program there. It returns the directories that count as well.
func outside(path, name, workspace string) (program string, dirs []string, err error) {
	for dir := range strings.SplitSeq(path, ":") {
		if !filepath.IsAbs(dir) || len(config.Outside([]string{dir}, workspace)) == 0 {
			continue
		}
		dirs = append(dirs, dir)
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if program != "" || err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			continue
		}
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			continue
		}
		if len(config.Outside([]string{filepath.Dir(real)}, workspace)) == 0 {
			return "", nil, fmt.Errorf("%s leads into the workspace, from where nothing is run", policy.Visible(file))
		}
		program = file
	}
	if program == "" {
		return "", nil, &fs.PathError{Op: "find", Path: name, Err: errors.New("no program of that name in PATH outside of the workspace")}
	}
	return program, dirs, nil
}
