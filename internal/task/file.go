package task

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// The limits of what is read for one request.
const (
	maxFile  = 512 << 10 // bytes of one file; the largest makefiles have 150 KB
	maxFiles = 64        // files
	maxNames = 1000      // names in one directory
	maxUp    = 40        // directories above the first
)

// Cache keeps the files of one request as their readers understood them. The
// zero value is empty.
type Cache struct {
	files map[string]cached
}

type cached struct {
	text []byte
	err  error
	read any // what a reader made of it
}

// text returns a file's content.
func (s *search) text(name string) ([]byte, error) {
	if c, ok := s.Cache.files[name]; ok {
		return c.text, c.err
	}
	if len(s.Cache.files) >= maxFiles {
		return nil, errors.New("too many files for one command")
	}
	var c cached
	c.text, c.err = s.Files.ReadFile(name, maxFile)
	s.keep(name, c)
	return c.text, c.err
}

func (s *search) keep(name string, c cached) {
	if s.Cache.files == nil {
		s.Cache.files = make(map[string]cached)
	}
	s.Cache.files[name] = c
}

// parsed returns what read makes of a file, once for each request.
func parsed[T any](s *search, name string, read func(text []byte) (T, error)) (T, error) {
	var zero T
	text, err := s.text(name)
	if err != nil {
		return zero, err
	}
	c := s.Cache.files[name]
	if v, ok := c.read.(T); ok {
		return v, c.err
	}
	v, err := read(text)
	c.read, c.err = v, err
	s.keep(name, c)
	return v, err
}

// tree reads a file of values. One that can't be read is a problem.
func (s *search) tree(name string, read func(text []byte) (*node, error)) (root *node, ok bool) {
	root, err := parsed(s, name, read)
	if err != nil {
		s.unreadable(name, err)
	}
	return root, err == nil
}

// readError is a mistake in a task file.
type readError struct {
	line int
	text string
}

func (e *readError) Error() string { return e.text }

// unreadable adds the problem that a file can't be read or parsed.
func (s *search) unreadable(file string, err error) {
	line := 0
	var at *readError
	if errors.As(err, &at) {
		line = at.line
	}
	text := err.Error()
	var pe *fs.PathError
	if errors.As(err, &pe) {
		text = pe.Err.Error()
	}
	s.problem(file, line, "Can't be read: %s", strings.TrimPrefix(text, file+": "))
}

// inside reports whether a file lies in the workspace.
func (s *search) inside(name string) bool { return s.Inside == nil || s.Inside(name) }

// exists reports whether there is something of a name. What can't be looked
// at exists.
func (s *search) exists(name string) bool {
	_, err := s.Files.Lstat(name)
	return err == nil || !absent(err)
}

// absent reports whether an error says that there is no such file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || strings.HasSuffix(err.Error(), "not a directory")
}

// up calls f for a directory and those above it, until f returns true.
func up(dir string, f func(dir string) bool) {
	for range maxUp {
		if f(dir) || dir == "/" {
			return
		}
		dir = path.Dir(dir)
	}
}

// nearest returns the first of the names in dir, or in the nearest directory
// above it that has one; "" if none has.
func (s *search) nearest(dir string, names ...string) string {
	found := ""
	up(dir, func(d string) bool {
		found = s.first(d, names...)
		return found != ""
	})
	return found
}

// first returns the first of the names that is in dir, or "".
func (s *search) first(dir string, names ...string) string {
	for _, name := range names {
		if file := join(dir, name); s.exists(file) {
			return file
		}
	}
	return ""
}

// join is a path seen from a directory.
func join(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// constant makes a variable of known value.
func constant(name, value string) policy.Assign {
	return policy.Assign{Name: name, Value: policy.Const(value), Exported: true}
}

// unknown makes a variable whose value is not known.
func unknown(name string) policy.Assign {
	return policy.Assign{Name: name, Value: policy.Unknown("$" + name), Exported: true}
}

// assigned makes a variable of a text.
func assigned(name string, value policy.Word) policy.Assign {
	if text, ok := value.Const(); ok {
		return constant(name, text)
	}
	return unknown(name)
}

// dotenv reads the names of the variables that a file of NAME=VALUE lines
// sets. The values, which may be secret, are not looked at.
func (s *search) dotenv(file string) []policy.Assign {
	data, err := s.text(file)
	if err != nil {
		if !absent(err) {
			s.unreadable(file, err)
		}
		return nil
	}
	var vars []policy.Assign
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, _, found := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if name = strings.TrimSpace(name); !found || !isName(name) {
			s.problem(file, i+1, "A line that sets no variable")
			return vars
		}
		vars = append(vars, unknown(name))
	}
	return vars
}
