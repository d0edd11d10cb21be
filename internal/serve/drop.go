package serve

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/folder"
	"github.com/bashgate/bashgate/internal/system"
)

// drop is the directory of a folder as the server opened it. A container may put
// anything in the place of what lies there, a link too: nothing is looked up again by
// its path, and nothing leads out.
type drop struct {
	path                       string // without links
	root, requests, responses  *os.Root
	lock                       *os.File
	owners                     folder.Owners // whose questions count
	requestsInfo, responseInfo os.FileInfo
}

// openDrop opens a directory for one server, and makes what is not there.
func openDrop(dir string) (d *drop, err error) {
	d = new(drop)
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if err = os.MkdirAll(dir, 0o700); err != nil {
		return d, err
	}
	if d.path, err = filepath.EvalSymlinks(dir); err != nil {
		return d, err
	}
	if d.root, err = os.OpenRoot(d.path); err != nil {
		return d, err
	}
	if d.lock, err = d.root.OpenFile(".lock", os.O_RDWR|os.O_CREATE|system.NoWait, 0o600); err != nil {
		return d, err
	}
	if err = system.Lock(d.lock, system.Exclusive, 0); err != nil {
		who, _ := io.ReadAll(io.LimitReader(d.lock, 20))
		return d, fmt.Errorf("%s is served already, by process %q", dir, strings.TrimSpace(string(who)))
	}
	if err = d.lock.Truncate(0); err == nil {
		_, err = fmt.Fprintln(d.lock, os.Getpid())
	}
	if err != nil {
		return d, err
	}
	if d.requests, d.requestsInfo, err = d.below(folder.Requests); err != nil {
		return d, err
	}
	if d.responses, d.responseInfo, err = d.below(folder.Responses); err != nil {
		return d, err
	}
	d.owners = folder.Owners{uint32(os.Geteuid()), 0}
	if uid, ok := folder.OwnerOf(d.requestsInfo); ok {
		d.owners = append(d.owners, uid)
	}
	return d, nil
}

// below opens a directory in it, which must be one and no link.
func (d *drop) below(name string) (*os.Root, os.FileInfo, error) {
	if err := d.root.Mkdir(name, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, nil, err
	}
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s is no directory", filepath.Join(d.path, name))
	}
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	if opened, err := r.Stat("."); err != nil || !os.SameFile(opened, info) {
		r.Close()
		return nil, nil, fmt.Errorf("%s was another directory a moment ago (%v)", filepath.Join(d.path, name), err)
	}
	return r, info, nil
}

func (d *drop) close() {
	for _, r := range []*os.Root{d.requests, d.responses, d.root} {
		if r != nil {
			r.Close()
		}
	}
	if d.lock != nil {
		d.lock.Close()
	}
}

// whole complains where other directories lie there than were opened. Nobody is told
// then that the folder is served.
func (d *drop) whole() error {
	for name, was := range map[string]os.FileInfo{folder.Requests: d.requestsInfo, folder.Responses: d.responseInfo} {
		info, err := os.Lstat(filepath.Join(d.path, name))
		if err != nil {
			return err
		}
		if !os.SameFile(info, was) {
			return fmt.Errorf("its %s is another directory than at the start: serve it again", name)
		}
	}
	return nil
}

// list returns names in a directory, some of them where there are very many.
func (d *drop) list(in *os.Root) ([]string, error) {
	f, err := in.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(mostListed)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}

// answers lists the ids of the answers that lie there.
func (d *drop) answers() []string {
	names, _ := d.list(d.responses)
	var ids []string
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ".json"); ok && folder.ValidID(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// read returns a question's file, and since when it is there. Some of it may be
// returned with an error.
func (d *drop) read(name string) (data []byte, made time.Time, err error) {
	info, err := d.requests.Lstat(name)
	if err != nil {
		return nil, made, err
	}
	if err := folder.Plain(info, d.owners); err != nil {
		return nil, made, err
	}
	f, err := d.requests.OpenFile(name, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return nil, made, err
	}
	defer f.Close()
	data, err = folder.ReadOpen(f, info, d.owners, folder.MaxQuestion)
	return data, info.ModTime(), err
}

// has reports whether a question is still there.
func (d *drop) has(name string) bool {
	_, err := d.requests.Lstat(name)
	return err == nil
}

// write puts a file in its place in one step. The error does not name it: it is told
// once, however many files it is about.
func (d *drop) write(in *os.Root, name string, data []byte) error {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}
	temporary := "." + hex.EncodeToString(random[:])
	f, err := in.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return bare(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // the container may be another user
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = in.Rename(temporary, name)
	}
	if err != nil {
		in.Remove(temporary)
	}
	return bare(err)
}

// bare is an error without the name of a file.
func bare(err error) error {
	if about, ok := errors.AsType[*os.PathError](err); ok {
		return about.Err
	}
	return err
}

func (d *drop) remove(name string) { d.root.Remove(name) }

// removeIn takes a question away. What can't be removed, a directory that holds
// something, stays.
func (d *drop) removeIn(in *os.Root, name string) { in.Remove(name) }

// sweep takes away answers from before a moment, and what else lies among the
// questions since then.
func (d *drop) sweep(before time.Time, question func(name string) bool) {
	for _, in := range []*os.Root{d.requests, d.responses} {
		names, _ := d.list(in)
		for _, name := range names {
			if in == d.requests && question(name) {
				continue
			}
			if info, err := in.Lstat(name); err == nil && info.ModTime().Before(before) {
				in.Remove(name)
			}
		}
	}
}
