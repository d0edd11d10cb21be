package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/bashgate/bashgate/internal/child"
	"github.com/bashgate/bashgate/internal/system"
)

// What a file held before a session wrote it, as the list of files says it:
// the sum of its content, or one of these.
const (
	unknown = ""  // nobody looked, or it is not one plain file
	absent  = "-" // it was not there
	fresh   = "+" // of a directory or a pattern: nothing is moved there, all that is written is new
)

// maxContent is how large a file may be whose content is compared, in bytes.
const maxContent = 1 << 20

// content says what a file holds: the sum of it, absent, or unknown.
func content(name string) string {
	data, err := plain(name)
	switch {
	case err == nil:
		return sumOf(data)
	case errors.Is(err, fs.ErrNotExist):
		return absent
	}
	return unknown
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:20])
}

// plain reads a regular file, which is no link, of at most maxContent bytes.
func plain(name string) ([]byte, error) {
	f, err := system.OpenFile(system.Native(name), os.O_RDONLY|system.NoWait|system.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxContent {
		return nil, errNotPlain
	}
	data, err := io.ReadAll(io.LimitReader(f, maxContent+1))
	if err == nil && len(data) > maxContent {
		err = errNotPlain
	}
	return data, err
}

var errNotPlain = errors.New("not a small regular file")

// gone reports whether nothing is there under a name.
func gone(name string) bool {
	_, err := os.Lstat(system.Native(name))
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// older reports whether a plain file was changed, renamed or linked for the
// last time before a moment. No program can set that time back.
func older(name string, at time.Time) bool {
	info, err := os.Lstat(system.Native(name))
	if err != nil || !info.Mode().IsRegular() || at.IsZero() {
		return false
	}
	const slack = 2 * time.Second // a file system's clock is coarse
	changed, ok := system.ChangeTime(info)
	return ok && changed.Before(at.Add(-slack))
}

// repository is the directory above a file that holds a repository, "" if
// there is none.
func repository(name string) string {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if _, err := os.Lstat(system.Native(dir + "/.git")); err == nil {
			return dir
		}
		if dir == "/" || dir == "." {
			return ""
		}
	}
}

// gits are the places where a system has git. What stands in PATH may be
// anybody's.
var gits = [...]string{"/usr/bin/git", "/bin/git", "/run/current-system/sw/bin/git"}

// gitPatience is how long git may take for all files of a question.
const gitPatience = 500 * time.Millisecond

// committed returns those of some files that hold just what the last commit of
// their repository holds. A repository can be anybody's: git reads its objects
// and runs nothing that it names. Whatever goes wrong, the file is not one of
// them.
func committed(files []string) map[string]bool {
	var git string
	for _, name := range gits {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			git = name
			break
		}
	}
	if git == "" {
		return nil
	}
	inside := map[string][]string{}
	for _, name := range files {
		if dir := repository(name); dir != "" && !strings.ContainsAny(name, "\n\r") {
			inside[dir] = append(inside[dir], name)
		}
	}
	same := map[string]bool{}
	deadline := time.Now().Add(gitPatience)
	for dir, list := range inside {
		var question bytes.Buffer
		for _, name := range list {
			question.WriteString("HEAD:" + strings.TrimPrefix(strings.TrimPrefix(name, dir), "/") + "\n")
		}
		out, err := child.Run(child.Command{
			Path: git,
			Args: []string{
				"--no-replace-objects", "-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
				"-c", "protocol.allow=never", "cat-file", "--batch",
			},
			Env: []string{
				"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_GLOBAL=/dev/null",
				"GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=",
				"GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
			},
			Dir:     "/",
			Input:   question.Bytes(),
			Limit:   16 << 20,
			Timeout: time.Until(deadline),
		})
		if err != nil {
			continue
		}
		for _, name := range list {
			var blob []byte
			var ok bool
			if blob, ok, out = nextObject(out); out == nil {
				break
			}
			if data, err := plain(name); ok && err == nil && bytes.Equal(data, blob) {
				same[name] = true
			}
		}
	}
	return same
}

// nextObject reads one answer of git cat-file --batch: "ID blob SIZE", what it
// holds, and the end of the line. Another answer is one line. The rest is nil
// where it can't be read.
func nextObject(out []byte) (blob []byte, ok bool, rest []byte) {
	line, rest, found := bytes.Cut(out, []byte{'\n'})
	if !found {
		return nil, false, nil
	}
	fields := strings.Fields(string(line))
	if len(fields) == 2 && fields[1] == "missing" || strings.HasSuffix(string(line), " missing") {
		return nil, false, rest
	}
	if len(fields) != 3 {
		return nil, false, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size >= len(rest) || rest[size] != '\n' {
		return nil, false, nil
	}
	return rest[:size], fields[1] == "blob", rest[size+1:]
}
