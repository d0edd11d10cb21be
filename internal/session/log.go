package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// The modes of what is written here.
const (
	fileMode = 0o600
	dirMode  = 0o700
	markMode = 0o400 // of a log that misses an event
)

// maxLog is how large a log may be, in bytes. What is in it is not repeated,
// so that a year's work stays far below.
const maxLog = 8 << 20

// log is a file to which lines are appended, and its seal.
type log struct{ path string }

func (l log) seal() string { return l.path[:len(l.path)-len(filepath.Ext(l.path))] + ".seal" }

// write appends events with one write(2). Where that fails, the log is marked
// as damaged if it can be.
func (l log) write(events []Event) error {
	var text []byte
	for i := range events {
		text = appendEvent(text, &events[i])
	}
	err := appendTo(l.path, text)
	if errors.Is(err, fs.ErrPermission) && l.marked() {
		// It misses an event already, and its owner can't write to it. That the
		// seal goes on without it says for good that it misses these.
		err = nil
	}
	if err == nil {
		err = appendTo(l.seal(), bytes.Repeat([]byte{'\n'}, len(events)))
	}
	if err == nil {
		return nil
	}
	return l.mark(err)
}

// mark marks a log as one that misses an event, for that an event could not be
// written.
func (l log) mark(err error) error {
	if markErr := os.Chmod(l.path, markMode); markErr != nil && !errors.Is(markErr, fs.ErrNotExist) {
		err = errors.Join(err, markErr)
	}
	return err
}

// marked reports whether the log is one that misses an event.
func (l log) marked() bool {
	info, err := os.Lstat(l.path)
	return err == nil && info.Mode().IsRegular() && system.Perm(l.path, info) == markMode
}

// appendTo appends to a file with one write(2), and makes the file and its
// directories where they are missing.
func appendTo(path string, text []byte) error {
	const flags = os.O_WRONLY | os.O_APPEND | system.NoFollow | system.NoWait
	f, err := system.OpenFile(path, flags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if begin(path, text) == nil {
			return nil
		}
		// Another hook was faster, or it can't be done like that here. Where
		// the disk is full, an empty file is left, which can be marked.
		f, err = system.OpenFile(path, flags|os.O_CREATE, fileMode)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fmt.Errorf("%s: not a regular file", path))
	}
	// A short write is an error of os.File; what is there stays there, as a
	// damaged line.
	_, err = f.Write(text)
	return err
}

// begin makes a file that begins with a text. It never shows itself without:
// an empty one would be damaged to whoever reads it just then.
func begin(path string, text []byte) error {
	fresh := filepath.Join(filepath.Dir(path), "new")
	if err := os.MkdirAll(fresh, dirMode); err != nil {
		return err
	}
	if info, err := os.Lstat(fresh); err != nil || !info.IsDir() {
		return errors.Join(err, fmt.Errorf("%s: not a directory", fresh))
	}
	sweep(fresh)
	f, err := os.CreateTemp(fresh, "*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

// abandoned is the age of a file without a name of its own whose hook is gone:
// none lives that long.
const abandoned = time.Minute

// sweep removes what hooks have left behind that were killed on their way. A
// clock that was set makes a file's age wrong either way. One that is taken
// away too early costs its hook another way of writing.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()).Abs() > abandoned {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// settle is how long a line of another hook may take until it is seen whole.
const settle = 2 * time.Millisecond

// each hands a log's text to a reader, which may get it more than once: the
// last one counts. The reader returns what eachLine does.
func (l log) each(limit int, read func(text string) (int, error)) (exists bool, damage string) {
	for try := 0; ; try++ {
		var text string
		text, exists, damage = l.readOnce(limit, read)
		// Another hook may be writing just now. Where the last line has no
		// end that is likely, and on a busy machine takes its time.
		patience := 3
		if len(text) > 0 && text[len(text)-1] != '\n' {
			patience = 8
		}
		if damage == "" || try >= patience {
			return exists, damage
		}
		time.Sleep(settle << try)
	}
}

func (l log) readOnce(limit int, read func(text string) (int, error)) (text string, exists bool, damage string) {
	// The seal grows after the log, so it is looked at before.
	sealed := int64(0)
	info, err := os.Lstat(l.seal())
	switch {
	case err == nil:
		sealed = info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return "", true, err.Error()
	}
	info, err = os.Lstat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		if sealed > 0 {
			return "", true, "the record is gone"
		}
		return "", false, ""
	}
	if err != nil {
		return "", true, err.Error()
	}
	text, err = readText(l.path, limit)
	if err != nil {
		return "", true, err.Error()
	}
	lines, err := read(text)
	switch {
	case err != nil:
		return text, true, err.Error()
	case lines == 0:
		return text, true, "the record is empty"
	case int64(lines) < sealed:
		return text, true, fmt.Sprintf("the record has %d of %d lines", lines, sealed)
	case !info.Mode().IsRegular():
		return text, true, "the record is a link"
	case system.Perm(l.path, info) == markMode:
		return text, true, "an event could not be written"
	case system.Perm(l.path, info) != fileMode:
		return text, true, "others could have written the record"
	}
	return text, true, ""
}

// readText reads a regular file of at most limit bytes.
func readText(name string, limit int) (string, error) {
	f, err := system.OpenFile(name, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file", name)
	}
	var b strings.Builder // a long text is not copied once more
	b.Grow(int(min(info.Size(), int64(limit))))
	part := make([]byte, min(info.Size()+512, 16<<10)) // in a hook, memory costs more than system calls
	for {
		n, err := f.Read(part)
		b.Write(part[:n])
		switch {
		case b.Len() > limit:
			return "", fmt.Errorf("%s: larger than %d bytes", name, limit)
		case err == io.EOF:
			return b.String(), nil
		case err != nil:
			return "", err
		}
	}
}
