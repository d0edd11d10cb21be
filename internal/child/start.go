package child

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/system"
)

// Start starts the program for somebody else and goes on: nobody waits for it, takes
// what it writes, or ends it. It has a session of its own, so that what ends this
// process does not end it. Its input is read from a file without a name, of a
// directory that is to be private: however long it is, nobody waits for its reader.
// Limit and Timeout say nothing here. The error is of starting it.
func Start(c Command, dir string) error {
	in, err := system.Nameless(dir)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := in.Write(c.Input); err != nil {
		return err
	}
	if _, err := in.Seek(0, 0); err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	if !filepath.IsAbs(c.Path) {
		return errors.New(c.Path + " is no absolute path")
	}
	process, err := os.StartProcess(c.Path, append([]string{c.Path}, c.Args...), &os.ProcAttr{
		Dir:   c.Dir,
		Env:   append([]string{}, c.Env...), // nil would be this process's own
		Files: []*os.File{in, null, null},
		Sys:   system.Detached(),
	})
	if err != nil {
		return err
	}
	go process.Wait() // for a process that goes on: otherwise a dead child would stay
	return nil
}
