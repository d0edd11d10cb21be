package engine

import (
	"errors"
	"io/fs"
	"strings"
)

// onDisk is what a request has found out about a path. The next request finds it out
// again: the disk may change.
type onDisk struct {
	real   string // the path with its links followed; "": nobody has asked for that
	absent bool   // the disk has said that nothing is there
}

// lstat asks the disk about a path, unless it has said in this request that nothing is
// there. Most files that are looked for are not there, and each command of a line looks for
// the same ones.
func (j *judge) lstat(p string) (info fs.FileInfo, err error) {
	if j.absent(p) {
		err = fs.ErrNotExist
	} else {
		info, err = j.engine.opts.Files.Lstat(p)
	}
	if err != nil && errors.Is(err, fs.ErrNotExist) {
		known := j.disk[p]
		known.absent = true
		j.disk[p] = known
	}
	return info, err
}

// absent reports whether the disk has said that nothing is at a path, or nothing in which
// it would lie.
func (j *judge) absent(p string) bool {
	slash := strings.LastIndexByte(p, '/')
	return j.disk[p].absent || slash > 0 && j.disk[p[:slash]].absent
}

// readDir lists a directory of so many names at most, and asks the disk once in a request.
// The list is not to be changed.
func (j *judge) readDir(dir string, limit int) ([]string, error) {
	if j.absent(dir) {
		return nil, fs.ErrNotExist
	}
	if l, asked := j.lists[dir]; asked && l.limit == limit {
		return l.names, l.err
	}
	names, err := j.engine.opts.Files.ReadDir(dir, limit)
	if j.lists == nil {
		j.lists = make(map[string]dirNames)
	}
	j.lists[dir] = dirNames{names, err, limit}
	return names, err
}

// dirNames is what readDir has answered.
type dirNames struct {
	names []string
	err   error
	limit int
}
