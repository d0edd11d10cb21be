package handbook

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// patience is how long one command of a page may take.
const patience = 2 * time.Minute

// Stage is a home and a project in it, with a shell in which commands run one
// after the other.
type Stage struct {
	Dir string   // an empty directory; home, project and etc are made there
	Env []string // beside HOME, USER, SHELL

	// Places are what pages call what lies elsewhere here: "/etc/bashgate". "@" in
	// front of the other place is Dir.
	Places map[string]string

	names names // what was printed for a name of the page
	shell *shell
}

// shell is a process that sources the files whose names it gets.
type shell struct {
	*exec.Cmd
	files *os.File
	out   *bufio.Reader
}

// done ends what a command has printed.
const done = '\x1e'

const loop = `while read -r file <&3; do . "$file" 3<&-; printf '\036'; done`

// Home is the home of the person who reads the page.
func (s *Stage) Home() string { return filepath.Join(s.Dir, "home") }

func (s *Stage) project() string { return filepath.Join(s.Home(), "project") }

// Open makes the directories and starts the shell.
func (s *Stage) Open() error {
	s.names = names{}
	for _, dir := range []string{s.project(), filepath.Join(s.Dir, "etc")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	commands, files, err := os.Pipe()
	if err != nil {
		return err
	}
	defer commands.Close()
	out, printed, err := os.Pipe()
	if err != nil {
		return err
	}
	defer printed.Close()
	c := s.command("sh", "-c", loop)
	c.ExtraFiles = []*os.File{commands}
	c.Stdout, c.Stderr = printed, printed
	apart(c)
	s.shell = &shell{c, files, bufio.NewReader(out)}
	return c.Start()
}

// Close ends the shell and what it has started.
func (s *Stage) Close() {
	s.shell.files.Close()
	end(s.shell.Process)
	s.shell.Wait()
}

func (s *Stage) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = s.project()
	c.Env = append([]string{"HOME=" + s.Home(), "USER=u", "SHELL=/bin/bash"}, s.Env...)
	return c
}

// here makes a text of the page one of this stage: with its places, and with
// what was printed for names.
func (s *Stage) here(text string) string {
	for name, place := range s.Places {
		whole := regexp.MustCompile(`(^|[\s:=,'"])` + regexp.QuoteMeta(name) + `\b`)
		text = whole.ReplaceAllString(text, "${1}"+strings.Replace(place, "@", s.Dir, 1))
	}
	return s.names.here(text)
}

// there makes what was printed a text as the page has it.
func (s *Stage) there(text string) string {
	for name, place := range s.Places {
		text = strings.ReplaceAll(text, strings.Replace(place, "@", s.Dir, 1), name)
	}
	return strings.ReplaceAll(text, "\r", "")
}

// Run runs one command in the shell and returns what it prints.
func (s *Stage) Run(command string) (string, error) {
	file, err := os.CreateTemp(s.Dir, "command")
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := file.WriteString(s.here(command) + "\n"); err != nil {
		return "", err
	}
	late := time.AfterFunc(patience, s.Close)
	defer late.Stop()
	if _, err := fmt.Fprintln(s.shell.files, file.Name()); err != nil {
		return "", err
	}
	out, err := s.shell.out.ReadString(done)
	if err != nil {
		return "", fmt.Errorf("the shell ended, or took more than %v: %s", patience, out)
	}
	return s.there(strings.TrimSuffix(out, string(done))), nil
}

// Write writes a file of the page.
func (s *Stage) Write(name, text string) error {
	name = s.here(name)
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(s.Home(), rest)
	} else if !filepath.IsAbs(name) {
		name = filepath.Join(s.project(), name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o600)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	return errors.Join(os.WriteFile(name, []byte(s.here(text)), mode), os.Chmod(name, mode))
}
