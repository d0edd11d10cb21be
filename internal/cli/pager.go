package cli

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/system"
)

// terminalWidth is how many characters a line of the terminal has to which a
// stream leads; 0 where it is none.
func terminalWidth(stream any) int {
	columns, _ := terminalSize(stream)
	return columns
}

// terminalSize is how many characters a line has, and how many lines there are; 0
// where that is not known.
func terminalSize(stream any) (columns, rows int) {
	f, ok := stream.(*os.File)
	if !ok {
		return 0, 0
	}
	return system.TerminalSize(f)
}

// page becomes the pager of a text, or prints it where there is no pager, or an
// agent has the terminal. It returns only then. less runs nothing by itself then,
// whatever other variables say.
func page(p *Process, text string) error {
	words := strings.Fields(cmp.Or(p.Getenv("PAGER"), "less -FRX"))
	path := ""
	if len(words) > 0 && words[0] != "cat" && p.Getenv("CLAUDECODE") == "" && p.Getenv("AI_AGENT") == "" {
		path = lookUp(p, words[0])
	}
	if path == "" || text == "" || asInput(text) != nil {
		_, err := io.WriteString(p.Stdout, text)
		return err
	}
	exec, environ := replace, os.Environ
	if p.Exec != nil {
		exec = p.Exec
	}
	if p.Environ != nil {
		environ = p.Environ
	}
	env := slices.DeleteFunc(slices.Clone(environ()), func(pair string) bool {
		return strings.HasPrefix(pair, "LESSSECURE=") || pair == "LESS="
	})
	if p.Getenv("LESS") == "" {
		env = append(env, "LESS=FRX")
	}
	return exec(path, words, append(env, "LESSSECURE=1"))
}

// lookUp finds a program as a shell does; "" where there is none.
func lookUp(p *Process, name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	for _, dir := range filepath.SplitList(p.Getenv("PATH")) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && system.Perm(file, info)&0o111 != 0 {
			return file
		}
	}
	return ""
}

// asInput makes a text this process's standard input, for the program that it
// becomes: a file without a name, for a pipe holds no more than 64 KiB.
func asInput(text string) error {
	f, err := os.CreateTemp("", "bashgate-log-")
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(f.Name())
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return system.Input(f.Name())
}
