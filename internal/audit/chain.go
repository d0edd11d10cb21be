package audit

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bashgate/bashgate/internal/system"
)

// The lines of a log are chained, so that a later change of it is seen. Each ends
// with a number and a code,
//
//	...,"seq":12,"mac":"3f7a22b19c04d5e63f7a22b19c04d5e6"}
//
// which is HMAC-SHA256 with the log's key, cut to 16 bytes, over the code of the
// line before (zeros before the first), over what stands between the two in the
// same file and is no line of the chain (a line that a crash has cut, each with a
// line's end), and over the line itself up to `,"mac":`. Beside the log lies its
// head, a file that says which line is the last one, and where the first one that
// is kept goes on from; whoever holds its lock writes.

// macLength is how long a code is, in bytes, and keyLength how long the key.
const (
	macLength = 16
	keyLength = 32
)

// tip is a line's place in the chain. The zero value is that before the first.
type tip struct {
	seq uint64
	mac [macLength]byte
}

// lost marks a line before which there was no head though there was a chain.
const lost = `,"head":"lost"`

// UnchainedError says that a line is written, but without its place in the chain,
// and why.
type UnchainedError struct{ Err error }

func (e *UnchainedError) Error() string { return "a line is not chained: " + e.Err.Error() }

// Unwrap returns why.
func (e *UnchainedError) Unwrap() error { return e.Err }

// sum is a line's code: after another one, and what stands between them.
func sum(key []byte, after [macLength]byte, between, line []byte) (mac [macLength]byte) {
	h := hmac.New(sha256.New, key)
	h.Write(after[:])
	h.Write(between)
	h.Write(line)
	var out [sha256.Size]byte
	copy(mac[:], h.Sum(out[:0]))
	return mac
}

// place returns what a line says of its place in the chain, and the part of it that
// its code is about. Within a text quotes are escaped, so that no text looks so.
func place(line []byte) (t tip, about []byte, ok bool) {
	const end = `,"mac":"` + "0123456789abcdef0123456789abcdef" + `"}`
	at := len(line) - len(end)
	if at < 0 || string(line[at:at+len(`,"mac":"`)]) != `,"mac":"` || string(line[len(line)-2:]) != `"}` {
		return t, nil, false
	}
	text := line[at+len(`,"mac":"`) : len(line)-2]
	if _, err := hex.Decode(t.mac[:], text); err != nil || bytes.ContainsAny(text, "ABCDEF") {
		return t, nil, false
	}
	about = line[:at]
	digits := bytes.LastIndexByte(about, ':') + 1
	if digits == 0 || !bytes.HasSuffix(about[:digits], []byte(`,"seq":`)) {
		return t, nil, false
	}
	var err error
	t.seq, err = strconv.ParseUint(string(about[digits:]), 10, 63)
	return t, about, err == nil && t.seq > 0 && about[digits] != '0' && about[digits] != '+'
}

// chain is the chain of a log, for whoever holds its lock.
type chain struct {
	key  []byte
	file *os.File // the head's, which is locked
	head head
	good bool // the head is whole, and sealed with the key
}

// head is what the file beside a log says.
type head struct {
	tip               // of the last line
	inode, size int64 // of the file that it stands in, once it stood there
	before      tip   // what the first line that is kept follows
}

const headName = "bashgate-head 1"

// headPath is where a log's head lies.
func headPath(log string) string { return log + ".head" }

// append appends the head as it stands in its file; it is always equally long.
func (h *head) append(dst, key []byte) []byte {
	dst = append(dst, headName...)
	number := func(n uint64) {
		var digits [20]byte
		text := strconv.AppendUint(digits[:0], n, 10)
		dst = append(dst, ' ')
		for range len(digits) - len(text) {
			dst = append(dst, '0')
		}
		dst = append(dst, text...)
	}
	code := func(mac [macLength]byte) { dst = hex.AppendEncode(append(dst, ' '), mac[:]) }
	number(h.seq)
	code(h.mac)
	number(uint64(h.inode))
	number(uint64(h.size))
	number(h.before.seq)
	code(h.before.mac)
	dst = append(dst, ' ')
	mac := sum(key, [macLength]byte{}, nil, dst)
	return append(hex.AppendEncode(dst, mac[:]), '\n')
}

// parseHead reads what append has written.
func parseHead(text, key []byte) (h head, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(headName+" "))
	if !ok {
		return h, false
	}
	field := func() []byte {
		var f []byte
		f, rest, _ = bytes.Cut(rest, []byte{' '})
		return f
	}
	number := func() uint64 {
		n, err := strconv.ParseUint(string(field()), 10, 63)
		ok = ok && err == nil
		return n
	}
	code := func() (mac [macLength]byte) {
		f := field()
		if ok = ok && len(f) == 2*macLength; ok {
			_, err := hex.Decode(mac[:], f)
			ok = err == nil
		}
		return mac
	}
	h.seq, h.mac = number(), code()
	h.inode, h.size = int64(number()), int64(number())
	h.before = tip{number(), code()}
	return h, ok && bytes.Equal(h.append(nil, key), text)
}

// lockTime is how long others may hold the lock. Each holds it for as long as it
// takes to write a line.
const lockTime = time.Second

// lock opens the chain of the log and locks it; exclusively to write,
// shared to look.
func (l Log) lock(how system.Mode) (*chain, error) {
	flags := os.O_RDWR | os.O_CREATE
	if how == system.Shared {
		flags = os.O_RDONLY
	}
	path := headPath(l.Path)
	file, err := system.OpenFile(path, flags|system.NoFollow|system.NoWait, 0o600)
	if errors.Is(err, fs.ErrNotExist) && how == system.Exclusive {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		file, err = system.OpenFile(path, flags|system.NoFollow|system.NoWait, 0o600)
	}
	if err != nil {
		return nil, err
	}
	c := &chain{file: file}
	if err := system.Lock(file, how, lockTime); err != nil {
		c.close()
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	if c.key, err = l.key(how == system.Exclusive); err != nil {
		c.close()
		return nil, err
	}
	var text [512]byte
	n, err := file.Read(text[:])
	if err != nil && err != io.EOF {
		c.close()
		return nil, err
	}
	c.head, c.good = parseHead(text[:n], c.key)
	return c, nil
}

func (c *chain) close() {
	c.file.Close()
}

// key reads the log's key, 64 hexadecimal digits, and makes one where there is none
// and one is wanted.
func (l Log) key(fresh bool) ([]byte, error) {
	file, err := system.OpenFile(l.Key, os.O_RDONLY|system.NoWait, 0)
	if errors.Is(err, fs.ErrNotExist) && fresh {
		if err := makeKey(l.Key); err != nil {
			return nil, err
		}
		file, err = system.OpenFile(l.Key, os.O_RDONLY|system.NoWait, 0)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || system.Perm(l.Key, info)&0o027 != 0 {
		return nil, errors.New(l.Key + " is no key: it has to be a file that others can't read, and the group can't write")
	}
	var text [2*keyLength + 2]byte
	n, err := file.Read(text[:])
	if err != nil && err != io.EOF {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSuffix(string(text[:max(n, 0)]), "\n"))
	if err != nil || len(key) != keyLength {
		return nil, fmt.Errorf("%s is no key: it has to be %d hexadecimal digits", l.Key, 2*keyLength)
	}
	return key, nil
}

// Unchainable says why lines could not be chained now: a key or a head that can't be
// used. nil = they can, or there is neither yet. Nothing is made.
func (l Log) Unchainable() error {
	if l.Key == "" {
		return errors.New("there is no place for a key")
	}
	if _, err := l.key(false); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := system.OpenFile(headPath(l.Path), os.O_RDWR|system.NoFollow|system.NoWait, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// makeKey makes a key. Nobody sees half of it, and of two that are made at a time
// one counts.
func makeKey(path string) error {
	var key [keyLength]byte
	if _, err := rand.Read(key[:]); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*") // for nobody else to read
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(hex.EncodeToString(key[:]) + "\n")
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// link gives a line its place in the chain: at the end of the file that the log is.
func (c *chain) link(path string, file *os.File, info os.FileInfo, line []byte) ([]byte, error) {
	inode, size := system.Number(file, info), info.Size()
	var between []byte
	var mark, begin string
	if h := &c.head; !c.good || (h.inode != inode || h.size != size) && (h.inode == inode || size > 0) {
		var err error
		if between, mark, begin, err = c.heal(path, inode, size); err != nil {
			return nil, err
		}
	}
	c.head.seq++
	line = line[:len(line)-len("}\n")]
	line = append(line, mark+`,"seq":`...)
	line = strconv.AppendUint(line, c.head.seq, 10)
	c.head.mac = sum(c.key, c.head.mac, between, line)
	line = hex.AppendEncode(append(line, `,"mac":"`...), c.head.mac[:])
	line = append(line, "\"}\n"...)
	if begin == "" {
		return line, nil
	}
	return append([]byte(begin), line...), nil
}

// heal finds the chain's end where the head does not say it: after a crash between
// a line and its head, a line of somebody who had no key, a log that was emptied or
// put back. It returns what stands behind that end, the mark of the next line, and
// how it has to begin.
func (c *chain) heal(path string, inode, size int64) (between []byte, mark, begin string, err error) {
	h := &c.head
	if !c.good {
		*h = head{}
	}
	from := int64(0)
	if c.good && h.inode == inode && h.size <= size {
		from = h.size
	}
	scan := func(path string, from, to int64) error {
		between, begin = nil, ""
		f, err := openRegular(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return lines(io.NewSectionReader(f, from, to-from), func(line []byte, ended bool) {
			begin = ""
			if !ended {
				begin = "\n"
			}
			if t, about, ok := place(line); ok {
				switch {
				case !c.good, t == h.tip, t.seq == h.seq+1 && t.mac == sum(c.key, h.mac, between, about):
					h.tip, between = t, nil
					return
				}
			}
			between = append(append(between, line...), '\n')
		})
	}
	if err := scan(path, from, size); err != nil {
		return nil, "", "", err
	}
	if c.good {
		return between, "", begin, nil
	}
	if h.seq == 0 { // nor in this file: then in the last one that was put aside
		old, err := aside(path)
		if err != nil {
			return nil, "", "", err
		}
		was, start := between, begin
		for i := len(old) - 1; i >= 0 && h.seq == 0; i-- {
			if err := scan(old[i], 0, 1<<62); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, "", "", err
			}
		}
		between, begin = was, start
	}
	if h.seq > 0 {
		mark = lost
	}
	return between, mark, begin, nil
}

// lines yields lines without their ends. The last one may have none.
func lines(from io.Reader, yield func(line []byte, ended bool)) error {
	r := bufio.NewReaderSize(from, chunk)
	for {
		line, err := r.ReadBytes('\n')
		if err == nil {
			yield(line[:len(line)-1], true)
			continue
		}
		if len(line) > 0 {
			yield(line, false)
		}
		if err == io.EOF {
			return nil
		}
		return err
	}
}

// written notes where the log ends now.
func (c *chain) written(f *os.File, info os.FileInfo) error {
	end, err := f.Seek(0, io.SeekCurrent) // behind this line, also where somebody has no lock
	if err != nil {
		return err
	}
	c.head.inode, c.head.size = system.Number(f, info), end
	return c.save()
}

func (c *chain) save() error {
	text := c.head.append(nil, c.key)
	_, err := c.file.WriteAt(text, 0)
	return err
}

// drop notes that a full file is about to be removed: the log begins behind it.
func (c *chain) drop(path string) error {
	f, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	found := false
	r := Reader{}
	if _, err := r.backward(f, info.Size(), func(rec *Record) bool {
		t, _, ok := place(rec.Raw)
		if found = ok && t.seq <= c.head.seq; found {
			c.head.before = t
		}
		return !found
	}); err != nil || !found {
		return err
	}
	return c.save()
}
