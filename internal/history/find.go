package history

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/bashgate/bashgate/internal/install"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/internal/wire"
)

// Place is where histories of one kind are kept.
type Place struct {
	Kind string
	Path string // a file or a directory: absolute, or with ~ for the home directory
	// Names are globs over the files' names that count below a directory, and Flat
	// says that they lie in it, and not in directories of it.
	Names []string
	Flat  bool
}

// places lists where agents and shells keep what they ran. Those of agents move
// with the variables that move the agents' settings.
var places = [...]Place{
	{Kind: "claude", Path: "~/.claude/projects", Names: []string{"*.jsonl"}},
	{Kind: "codex", Path: "~/.codex/sessions", Names: []string{"rollout-*"}},
	{Kind: "codex", Path: "~/.codex/archived_sessions", Names: []string{"rollout-*"}},
	{Kind: "gemini", Path: "~/.gemini/tmp", Names: []string{"session-*.jsonl", "session-*.json"}},
	{Kind: "qwen", Path: "~/.qwen/projects", Names: []string{"*.jsonl"}},
	{Kind: "qwen", Path: "~/.qwen/tmp", Names: []string{"session-*.json"}},
	{Kind: "opencode", Path: "~/.local/share/opencode", Names: []string{"opencode*.db"}, Flat: true},
	{Kind: "opencode", Path: "~/.local/share/opencode/storage/part", Names: []string{"prt_*.json"}},
	{Kind: "pi", Path: "~/.pi/agent/sessions", Names: []string{"*.jsonl"}},
	{Kind: "bash", Path: "~/.bash_history"},
	{Kind: "zsh", Path: "~/.zsh_history"},
	{Kind: "zsh", Path: "~/.histfile"},
	{Kind: "fish", Path: "~/.local/share/fish", Names: []string{"*_history"}, Flat: true},
}

// Where lists the places on this machine. Log is the decision log's file; "" =
// there is none. It comes last, for Reader leaves out of it what it has read
// before.
func Where(at install.Place, log string) []Place {
	var list []Place
	for _, p := range places {
		p.Path = expand(at, p.Path)
		list = append(list, p)
	}
	if file := at.Getenv("HISTFILE"); filepath.IsAbs(file) {
		known := false
		for _, p := range list {
			known = known || p.Path == file
		}
		kind := "bash"
		if strings.Contains(filepath.Base(at.Getenv("SHELL")), "zsh") {
			kind = "zsh"
		}
		if !known {
			list = append(list, Place{Kind: kind, Path: file})
		}
	}
	if log != "" {
		list = append(list, Place{Kind: "bashgate", Path: filepath.Dir(log), Names: []string{filepath.Base(log), filepath.Base(log) + ".????????T??????.?????????"}, Flat: true})
	}
	return list
}

func expand(at install.Place, path string) string {
	const data = "~/.local/share"
	if rest, is := strings.CutPrefix(path, data); is {
		if dir := at.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
			return dir + rest
		}
	}
	return at.Expand(path)
}

// Find lists the sources in a place. A place that is not there has none.
func Find(p Place, skipped func(Skipped)) []Source {
	info, err := os.Stat(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil
	case err != nil:
		skipped(Skipped{p.Path, 0, reason(err), 1})
		return nil
	case !info.IsDir():
		return []Source{{p.Path, p.Kind, info.Size()}}
	}
	var list []Source
	walk(p.Path, p.Flat, skipped, func(path string, size int64) {
		if name := filepath.Base(path); !matches(p.Names, name) {
			return
		}
		list = append(list, Source{path, p.Kind, size})
	})
	return list
}

func matches(globs []string, name string) bool {
	for _, glob := range globs {
		if ok, _ := filepath.Match(glob, name); ok {
			return true
		}
	}
	return false
}

// maxDepth is how deep directories are looked into, below the one that was named.
const maxDepth = 8

// walk calls each for the regular files below a directory, by their names. The
// directory itself may be a link; those in it are not followed, so that nothing
// comes twice, and of a flat one no directories are looked into.
func walk(dir string, flat bool, skipped func(Skipped), each func(path string, size int64)) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			skipped(Skipped{path, 0, reason(err), 1})
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			if flat && path != dir {
				return fs.SkipDir
			}
			if rest, err := filepath.Rel(dir, path); err == nil && strings.Count(rest, "/") >= maxDepth {
				skipped(Skipped{path, 0, "a directory too deep", 1})
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		if info, err := d.Info(); err == nil {
			each(path, info.Size())
		}
		return nil
	})
}

// Open lists the sources of a path that somebody names: a file, of which what it
// holds says what it is, or all that are known below a directory. An error is
// about the path itself.
func Open(path string, skipped func(Skipped)) ([]Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		kind, why := Kind(path)
		if why != "" {
			skipped(Skipped{path, 0, why, 1})
			return nil, nil
		}
		if kind == "" {
			kind = "list"
		}
		return []Source{{path, kind, info.Size()}}, nil
	}
	var list, logs []Source
	walk(path, false, skipped, func(file string, size int64) {
		if strings.HasSuffix(file, ".db-wal") || strings.HasSuffix(file, ".db-shm") {
			return // read with the database, or not needed
		}
		kind, why := Kind(file)
		switch {
		case why == "" && kind == "":
			why = noHistory
			fallthrough
		case why != "":
			skipped(Skipped{file, 0, why, 1})
		case kind == "bashgate":
			logs = append(logs, Source{file, kind, size})
		default:
			list = append(list, Source{file, kind, size})
		}
	})
	return append(list, logs...), nil
}

// Kind tells of what kind a file is by its beginning: "" if it may be a plain list
// or anything else, and why it can't be read.
func Kind(path string) (kind, why string) {
	in, err := system.OpenFile(path, os.O_RDONLY|system.NoWait, 0)
	if err != nil {
		return "", reason(err)
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil {
		return "", reason(err)
	} else if !info.Mode().IsRegular() {
		return "", "not a regular file"
	}
	head := make([]byte, 256<<10)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", reason(err)
	}
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return "opencode", ""
	case compressed(head[:min(n, 5)]):
		return "", packed
	case bytes.IndexByte(head, 0) >= 0:
		return "", isBinary
	case bytes.HasPrefix(head, []byte("- cmd: ")):
		return "fish", ""
	}
	name := filepath.Base(path)
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if line[0] == '{' {
			if v, err := wire.Parse(line); err == nil {
				if kind := recordKind(v); kind != "" {
					return kind, ""
				}
				continue
			}
			if strings.HasPrefix(name, "session-") && bytes.Contains(head, []byte(`"projectHash"`)) {
				return "gemini", ""
			}
			if strings.HasPrefix(name, "prt_") {
				return "opencode", ""
			}
		}
		if _, at := zshTime(string(line)); !at.IsZero() {
			return "zsh", ""
		}
		if _, is := bashTime(line); is {
			return "bash", ""
		}
		break
	}
	switch {
	case strings.HasSuffix(name, "bash_history"):
		return "bash", ""
	case strings.HasSuffix(name, "zsh_history"), name == ".histfile":
		return "zsh", ""
	}
	return "", ""
}

// recordKind tells what a file is by a record in it; "" if that does not tell.
func recordKind(v wire.Value) string {
	o, err := v.Object()
	if err != nil {
		return ""
	}
	has := func(keys ...string) bool {
		for _, key := range keys {
			if o.Get(key).Kind() == "nothing" {
				return false
			}
		}
		return true
	}
	switch {
	case has("v", "time", "event"):
		return "bashgate"
	case has("payload", "type", "timestamp"):
		return "codex"
	case has("projectHash", "sessionId"):
		return "gemini"
	case has("sessionID", "messageID", "type"):
		return "opencode"
	case text(v, "type") == "session" && has("cwd", "version"):
		return "pi"
	case has("sessionId", "message") && has("uuid") && get(v, "message", "parts").Kind() == "array":
		return "qwen"
	case has("sessionId", "type", "uuid", "message"):
		return "claude"
	case (has("command") || has("cmd")) && !has("sessionId"):
		return "list"
	}
	return ""
}
