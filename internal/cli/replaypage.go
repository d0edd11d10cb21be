package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bashgate/bashgate/internal/replay"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// writePage writes a report's page, for nobody else to read. What is there and is
// no such page stays, unless force is set.
func writePage(p *Process, path string, force bool, report *replay.Report) error {
	here, err := p.Getwd()
	if err != nil && !filepath.IsAbs(path) {
		return err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(here, path)
	}
	if err := replaceable(path, replay.PageMark, force); err != nil {
		return err
	}
	page := report.Page()
	if err := writePrivately(path, page); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s: %s, %d kB\n", policy.Visible(p.home(path)), plural(report.Commands, "command"), (len(page)+1023)/1024)
	return err
}

// replaceable says whether a file may be written where something lies already: a
// file that begins like it is an older one.
func replaceable(path, mark string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return usagef("name a file", "%s is a directory", policy.Visible(path))
	case force:
		return nil
	case !info.Mode().IsRegular():
		return usagef("choose another name, or --force", "%s is no ordinary file", policy.Visible(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	begin, err := io.ReadAll(io.LimitReader(f, int64(len(mark))))
	if err != nil {
		return err
	}
	if !bytes.Equal(begin, []byte(mark)) {
		return usagef("choose another name, or --force", "%s is no such file of bashgate's", policy.Visible(path))
	}
	return nil
}

// writePrivately makes a file that only the user reads, so that nobody sees half
// of it. A link that lies there is replaced, not followed.
func writePrivately(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".bashgate-*") // for nobody else to read
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = system.Replace(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
