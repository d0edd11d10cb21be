package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/system"
)

// To compile rule files takes a hook longer than all else that it does. Kept is
// where it is kept what they came to: a file for each set of files that is compiled
// together, whose name is the sum of all that the result depends on.
//
//	HASH            32 bytes, the sum of HASH as in the name and of what follows
//	LENGTH, GATE    for each file of the set: four bytes, and what match.Gate.Pack writes
//
// What is kept says what is allowed, so that it lies where the rules let no agent
// write, is the user's own and nobody else's to write. Files with faults are not
// kept: they are compiled, and told, each time. Whatever is wrong with what is kept,
// it is as if nothing was: the files are compiled.
//
// The administrator's files are not kept: a user's directory has no say in them.
type Kept struct {
	Dir string // absolute
	By  string // what tells the compiler and the built-in rules from all others
}

const (
	keptSum  = 64      // the length of a name
	mostKept = 16      // files
	maxKept  = 8 << 20 // of one of them, in bytes
)

// Keeping is the same setup, which keeps what the rule files come to that are
// loaded through it. Of a file that was kept, Rules.Files has its name, its layer
// and its gate; nothing is known of its tables and of what does nothing in it.
func (s *Setup) Keeping(k Kept) *Setup {
	keeping := *s
	keeping.kept = nil
	if filepath.IsAbs(k.Dir) && k.By != "" {
		keeping.kept = &k
	}
	return &keeping
}

// name is what a set of files is kept as.
func (k *Kept) name(layer ruleset.Layer, texts []text) string {
	h := sha256.New()
	var length [8]byte
	put := func(parts ...string) {
		for _, part := range parts {
			h.Write(binary.LittleEndian.AppendUint64(length[:0], uint64(len(part))))
			h.Write([]byte(part))
		}
	}
	put(k.By, runtime.Version(), runtime.GOOS, runtime.GOARCH, string(rune(layer)))
	for _, t := range texts {
		put(t.path)
		h.Write(binary.LittleEndian.AppendUint64(length[:0], uint64(len(t.bytes))))
		h.Write(t.bytes)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// read returns what a set of files came to, or nil.
func (k *Kept) read(name string, layer ruleset.Layer, texts []text) []ruleset.Compiled {
	data := k.data(name)
	if len(data) < sha256.Size {
		return nil
	}
	if sum := sumKept(name, data[sha256.Size:]); !bytes.Equal(sum[:], data[:sha256.Size]) {
		return nil
	}
	rest := string(data[sha256.Size:])
	files := make([]ruleset.Compiled, len(texts))
	for i := range files {
		if len(rest) < 4 {
			return nil
		}
		length := binary.LittleEndian.Uint32([]byte(rest[:4]))
		if rest = rest[4:]; uint64(length) > uint64(len(rest)) {
			return nil
		}
		gate := match.Unpack(rest[:length])
		if rest = rest[length:]; gate == nil || gate.File != texts[i].path {
			return nil
		}
		files[i] = ruleset.Compiled{File: &ruleset.File{Name: texts[i].path, Layer: layer}, Gate: gate}
	}
	if rest != "" {
		return nil
	}
	return files
}

// data is what stands in a file, of which nobody else could have written anything;
// nil where there is none.
func (k *Kept) data(name string) []byte {
	dir, err := os.Lstat(k.Dir)
	if err != nil || !dir.IsDir() || !private(k.Dir, dir) {
		return nil
	}
	f, err := system.OpenFile(filepath.Join(k.Dir, name), os.O_RDONLY|system.NoFollow|system.NoWait, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !private(f.Name(), info) || info.Size() > maxKept {
		return nil
	}
	data := make([]byte, info.Size())
	if n, err := f.ReadAt(data, 0); n < len(data) || err != nil {
		return nil
	}
	return data
}

// private reports whether something is this user's, and nobody else may read or
// write it.
func private(path string, info fs.FileInfo) bool {
	return system.Mine(path, info) && system.Perm(path, info)&0o077 == 0
}

// sumKept is what stands before what is kept under a name: other bytes under it, or
// the same under another name, have another one.
func sumKept(name string, data []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(name))
	h.Write(data)
	return [sha256.Size]byte(h.Sum(nil))
}

// write keeps what a set of files came to, where it has no faults and that can be
// done. The file shows itself only as a whole.
func (k *Kept) write(name string, files []ruleset.Compiled) {
	var data []byte
	for i := range files {
		if files[i].Faults != nil || files[i].Gate == nil {
			return
		}
		text := files[i].Gate.Pack()
		data = append(binary.LittleEndian.AppendUint32(data, uint32(len(text))), text...)
		if len(data) > maxKept-sha256.Size {
			return
		}
	}
	if os.MkdirAll(k.Dir, 0o700) != nil {
		return
	}
	if dir, err := os.Lstat(k.Dir); err != nil || !dir.IsDir() || !private(k.Dir, dir) {
		return
	}
	k.sweep()
	f, err := os.CreateTemp(k.Dir, "new*") // 0600
	if err != nil {
		return
	}
	sum := sumKept(name, data)
	_, err = f.Write(append(sum[:], data...))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = system.Replace(f.Name(), filepath.Join(k.Dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
}

// sweep makes room for one more file: it removes the oldest ones, and what hooks have
// left behind that were killed on their way.
func (k *Kept) sweep() {
	names, err := disk.OS{}.ReadDir(k.Dir, 1024)
	if err != nil {
		return
	}
	type kept struct {
		name string
		at   time.Time
	}
	var list []kept
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(k.Dir, name))
		if err != nil {
			continue
		}
		if len(name) == keptSum {
			list = append(list, kept{name, info.ModTime()})
		} else if time.Since(info.ModTime()).Abs() > time.Minute {
			os.Remove(filepath.Join(k.Dir, name))
		}
	}
	slices.SortFunc(list, func(a, b kept) int { return b.at.Compare(a.at) })
	for _, old := range list[min(len(list), mostKept-1):] {
		os.Remove(filepath.Join(k.Dir, old.name))
	}
}
