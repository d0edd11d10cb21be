package disk

import (
	"io/fs"
	"path"
	"sort"
	"strings"
	"syscall"
	"time"
)

// Memory is a file tree in memory. The zero value holds the root directory
// only. Building it is for one goroutine; afterwards any number may ask.
type Memory struct {
	nodes map[string]*info // by clean absolute path, without symbolic links in the directories
}

type node struct {
	mode fs.FileMode
	text string // a file's content, a link's target
}

// maxLinks is how many symbolic links one path may lead through, as on Linux.
const maxLinks = 40

// WriteFile puts a file at an absolute path and makes its directories.
func (m *Memory) WriteFile(name, content string) { m.put(name, node{0o644, content}) }

// Mkdir makes a directory and its parents.
func (m *Memory) Mkdir(name string) { m.put(name, node{fs.ModeDir | 0o755, ""}) }

// Symlink makes a symbolic link to target, which need not exist.
func (m *Memory) Symlink(target, name string) { m.put(name, node{fs.ModeSymlink | 0o777, target}) }

// Chmod sets the permission bits (and fs.ModeSticky) of what is at name.
func (m *Memory) Chmod(name string, mode fs.FileMode) {
	name = path.Clean(name)
	n := m.nodes[name].node
	n.mode = n.mode.Type() | mode
	m.nodes[name].node = n
}

func (m *Memory) put(name string, n node) {
	if !path.IsAbs(name) {
		panic("disk: not an absolute path: " + name)
	}
	if m.nodes == nil {
		m.nodes = make(map[string]*info)
	}
	name = path.Clean(name)
	m.nodes[name] = &info{path.Base(name), n}
	for dir := path.Dir(name); dir != "/"; dir = path.Dir(dir) {
		if _, ok := m.nodes[dir]; !ok {
			m.nodes[dir] = &info{path.Base(dir), node{fs.ModeDir | 0o755, ""}}
		}
	}
}

// walk resolves the directories of name, and name itself if follow is set.
// It returns the path under which the node is kept.
func (m *Memory) walk(op, name string, follow bool) (string, node, error) {
	fail := func(err error) (string, node, error) {
		return "", node{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	if !path.IsAbs(name) {
		return fail(syscall.ENOENT)
	}
	todo := strings.Split(name, "/")
	// "x/." and "x/" ask for the directory that x is or leads to.
	last := todo[len(todo)-1]
	follow = follow || last == "" || last == "." || last == ".."
	at, here, links := "/", node{mode: fs.ModeDir | 0o755}, 0
	for len(todo) > 0 {
		step := todo[0]
		todo = todo[1:]
		if !here.mode.IsDir() {
			return fail(syscall.ENOTDIR)
		}
		switch step {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			here = node{mode: fs.ModeDir | 0o755}
			if at != "/" {
				here = m.nodes[at].node
			}
			continue
		}
		next := path.Join(at, step)
		found, ok := m.nodes[next]
		if !ok {
			return fail(syscall.ENOENT)
		}
		n := found.node
		if n.mode&fs.ModeSymlink != 0 && (len(todo) > 0 || follow) {
			if links++; links > maxLinks {
				return fail(syscall.ELOOP)
			}
			if path.IsAbs(n.text) {
				at = "/"
			}
			here = node{mode: fs.ModeDir | 0o755}
			todo = append(strings.Split(n.text, "/"), todo...)
			continue
		}
		at, here = next, n
	}
	return at, here, nil
}

// straight finds a clean path that no link is on, and puts nothing together for
// it; nil: walk tells.
func (m *Memory) straight(name string) (found *info, err error) {
	if name == "/" || path.Clean(name) != name {
		return nil, nil
	}
	for i := 1; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		found = m.nodes[name[:i]]
		switch {
		case found == nil:
			return nil, syscall.ENOENT
		case i < len(name) && !found.node.mode.IsDir():
			return nil, nil
		}
	}
	return found, nil
}

// Lstat implements policy.Files.
func (m *Memory) Lstat(name string) (fs.FileInfo, error) {
	if found, err := m.straight(name); found != nil || err != nil {
		return found, err
	}
	at, n, err := m.walk("lstat", name, false)
	if err != nil {
		return nil, err
	}
	return info{path.Base(at), n}, nil
}

// Readlink implements policy.Files.
func (m *Memory) Readlink(name string) (string, error) {
	_, n, err := m.walk("readlink", name, false)
	if err != nil {
		return "", err
	}
	if n.mode&fs.ModeSymlink == 0 {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: syscall.EINVAL}
	}
	return n.text, nil
}

// ReadFile implements policy.Files.
func (m *Memory) ReadFile(name string, limit int) ([]byte, error) {
	_, n, err := m.walk("open", name, true)
	switch {
	case err != nil:
		return nil, err
	case !n.mode.IsRegular():
		return nil, notRegular(name)
	case len(n.text) > limit:
		return []byte(n.text[:limit]), tooLarge(name, limit)
	}
	return []byte(n.text), nil
}

// ReadDir implements policy.Files.
func (m *Memory) ReadDir(name string, limit int) ([]string, error) {
	at, n, err := m.walk("open", name, true)
	switch {
	case err != nil:
		return nil, err
	case !n.mode.IsDir():
		return nil, &fs.PathError{Op: "readdirent", Path: name, Err: syscall.ENOTDIR}
	}
	var names []string
	for p := range m.nodes {
		if path.Dir(p) == at {
			names = append(names, path.Base(p))
		}
	}
	if len(names) > limit {
		return nil, tooMany(name, limit)
	}
	sort.Strings(names)
	return names, nil
}

type info struct {
	name string
	node node
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(len(i.node.text)) }
func (i info) Mode() fs.FileMode  { return i.node.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.node.mode.IsDir() }
func (i info) Sys() any           { return nil }
