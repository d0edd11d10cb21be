package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// Reader goes through a log: the file that is written to, as far as it reached
// when the reader was made, and the full ones that were put aside before. What is
// no line of the log (cut off, foreign, no text, longer than any line is) is
// skipped and counted.
type Reader struct {
	Skipped int

	path string
	now  *os.File // nil where it is not there
	end  int64    // of it
	old  []string // the full ones, the oldest first
}

// Record is a line as it was read.
type Record struct {
	Line
	Raw []byte // as it stands in the log, without the line's end; it holds until the next record
}

// maxLine is how long a line can be that is one of the log, in bytes.
const maxLine = 1 << 20

// chunk is how much is read at a time, in bytes.
const chunk = 64 << 10

// Open makes a reader of the log at a path. Where there is no log, also none that
// was put aside, the error is fs.ErrNotExist.
func Open(path string) (*Reader, error) {
	r := &Reader{path: path}
	info, err := r.open()
	if err != nil {
		return nil, err
	}
	if r.old, err = aside(path); err != nil {
		r.Close()
		return nil, err
	}
	if r.now == nil && len(r.old) == 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	// It may have been put aside since it was opened.
	r.old = slices.DeleteFunc(r.old, func(name string) bool {
		other, err := os.Lstat(name)
		return info != nil && err == nil && os.SameFile(info, other)
	})
	return r, nil
}

// open opens the file that is written to, if there is one.
func (r *Reader) open() (os.FileInfo, error) {
	f, err := openRegular(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	r.now, r.end = f, info.Size()
	return info, nil
}

func openRegular(path string) (*os.File, error) {
	f, err := system.OpenFile(path, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is not a regular file", path))
	}
	return f, nil
}

// Close ends reading.
func (r *Reader) Close() {
	if r.now != nil {
		r.now.Close()
	}
}

// Last yields the records, the newest first, until yield returns false. No more is
// read than that takes.
func (r *Reader) Last(yield func(*Record) bool) error {
	if r.now != nil {
		if more, err := r.backward(r.now, r.end, yield); !more || err != nil {
			return err
		}
	}
	for _, name := range slices.Backward(r.old) {
		if more, err := r.file(name, yield, r.backward); !more || err != nil {
			return err
		}
	}
	return nil
}

// All yields the records, the oldest first, until yield returns false.
func (r *Reader) All(yield func(*Record) bool) error {
	for _, name := range r.old {
		if more, err := r.file(name, yield, r.whole); !more || err != nil {
			return err
		}
	}
	if r.now == nil {
		return nil
	}
	_, err := r.whole(r.now, r.end, yield)
	return err
}

// whole reads the lines of a file up to its end.
func (r *Reader) whole(f *os.File, end int64, yield func(*Record) bool) (more bool, err error) {
	from, more, err := r.forward(f, 0, end, yield)
	if !more || err != nil || from == end {
		return more, err
	}
	rest := make([]byte, min(end-from, maxLine+1)) // of a line without an end
	n, err := f.ReadAt(rest, from)
	if err != nil && err != io.EOF {
		return false, err
	}
	return r.line(rest[:n], yield), nil
}

// file reads one of the full files. One that is not there any more had its time.
func (r *Reader) file(name string, yield func(*Record) bool, read func(*os.File, int64, func(*Record) bool) (bool, error)) (more bool, err error) {
	f, err := openRegular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	return read(f, info.Size(), yield)
}

// Follow yields the records that are written after the reader was made, until
// yield returns false. It looks every so often, and goes on where the log is put
// aside, or begins only now.
func (r *Reader) Follow(every time.Duration, yield func(*Record) bool) error {
	for at := r.end; ; time.Sleep(every) {
		info, _ := os.Stat(r.path) // before the end is read, so that nothing follows it; nil: not there
		if r.now != nil {
			held, err := r.now.Stat()
			if err != nil {
				return err
			}
			if held.Size() < at { // somebody has emptied it
				at = 0
			}
			var more bool
			if at, more, err = r.forward(r.now, at, held.Size(), yield); !more || err != nil {
				return err
			}
			if info == nil || os.SameFile(info, held) {
				continue
			}
			r.now.Close()
			r.now = nil
			if more, err = r.between(held, yield); !more || err != nil {
				return err
			}
			at = 0
			continue
		}
		if _, err := r.open(); err != nil {
			return err
		}
		at = 0
	}
}

// between yields the records of the files that were put aside after another one,
// and opens the one that is written to now.
func (r *Reader) between(held os.FileInfo, yield func(*Record) bool) (more bool, err error) {
	now, err := r.open()
	if err != nil {
		return false, err
	}
	names, err := aside(r.path)
	if err != nil {
		return false, err
	}
	next := len(names) // of the file that was put aside after the one that was read
	for i, name := range names {
		if info, err := os.Lstat(name); err == nil && os.SameFile(info, held) {
			next = i + 1
		}
	}
	for _, name := range names[next:] {
		if info, err := os.Lstat(name); err == nil && now != nil && os.SameFile(info, now) {
			break // put aside since, and read next
		}
		if more, err := r.file(name, yield, r.whole); !more || err != nil {
			return false, err
		}
	}
	return true, nil
}

// line yields a record of a line, and returns whether more is wanted. Where a
// line was cut off, the next one stands behind what is left of it: within a text
// the quotes are escaped, so that nothing else looks like a line's beginning.
func (r *Reader) line(raw []byte, yield func(*Record) bool) bool {
	if len(raw) == 0 {
		return true
	}
	if len(raw) > maxLine {
		r.Skipped++
		return true
	}
	l, err := Parse(raw)
	if err != nil {
		r.Skipped++
		begin := bytes.LastIndex(raw, []byte(`{"v":1,"time":"`))
		if begin <= 0 {
			return true
		}
		raw = raw[begin:]
		if l, err = Parse(raw); err != nil {
			return true
		}
	}
	return yield(&Record{l, raw})
}

// forward reads whole lines from one place of a file to another. It returns where
// the first line begins that has no end there, and whether more is wanted.
func (r *Reader) forward(f io.ReaderAt, from, to int64, yield func(*Record) bool) (int64, bool, error) {
	var held []byte // of a line whose end is not read yet
	long := false   // that line is too long, and the rest of it is not held
	part := make([]byte, chunk)
	for at := from; at < to; {
		n, err := f.ReadAt(part[:min(chunk, to-at)], at)
		at += int64(n)
		for text := part[:n]; len(text) > 0; {
			line, rest, ended := bytes.Cut(text, []byte{'\n'})
			if !long {
				held = append(held, line...)
				long = len(held) > maxLine
			}
			if !ended {
				break
			}
			more := r.line(held, yield)
			held, long, text = held[:0], false, rest
			if from = at - int64(len(rest)); !more {
				return from, false, nil
			}
		}
		if err != nil && err != io.EOF {
			return from, false, err
		}
		if n == 0 {
			break // it is shorter than it was
		}
	}
	return from, true, nil
}

// backward reads the lines before a place of a file, the last one first.
func (r *Reader) backward(f *os.File, end int64, yield func(*Record) bool) (more bool, err error) {
	var held []byte // from the last place where something was read, without what is yielded
	long := false   // the line that held is the end of is too long
	for at := end; at > 0; {
		n := min(chunk, at)
		at -= n
		part := make([]byte, n, int(n)+len(held))
		if _, err := f.ReadAt(part, at); err != nil && err != io.EOF {
			return false, err
		}
		held = append(part, held...)
		for {
			i := bytes.LastIndexByte(held, '\n')
			if i < 0 {
				break
			}
			switch {
			case long:
				r.Skipped++
				long = false
			case !r.line(held[i+1:], yield):
				return false, nil
			}
			held = held[:i]
		}
		if len(held) > maxLine {
			held, long = held[:0], true
		}
	}
	if long {
		r.Skipped++
		return true, nil
	}
	return r.line(held, yield), nil
}
