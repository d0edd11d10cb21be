package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

var (
	_ policy.Files = OS{}
	_ policy.Files = (*Memory)(nil)
)

// describe puts all that policy.Files says of one path into one line.
func describe(files policy.Files, root, name string) string {
	path := root + name
	text := func(v any, err error) string {
		var errno syscall.Errno
		switch {
		case errors.As(err, &errno):
			return errno.Error()
		case err != nil:
			return "error"
		}
		return fmt.Sprintf("%v", v)
	}
	kind := ""
	info, err := files.Lstat(path)
	if err == nil {
		kind = info.Mode().Type().String()
		if info.IsDir() != (info.Mode().Type() == fs.ModeDir) {
			kind += " confused"
		}
	}
	link, linkErr := files.Readlink(path)
	data, dataErr := files.ReadFile(path, 8)
	var names []string
	var dirErr error
	if !strings.HasPrefix(name, "/d/root") { // the machine's root directory holds other things
		names, dirErr = files.ReadDir(path, 20)
	}
	return fmt.Sprintf("lstat %s; readlink %s; read %s; names %s", text(kind, err), text(link, linkErr), text(string(data), dataErr), text(names, dirErr))
}

func TestMemoryAnswersLikeTheDisk(t *testing.T) {
	if system.Windows {
		t.Skip("NOT RUN: the tree in memory is one of other systems, with their errors and links")
	}
	root := t.TempDir()
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	root = resolved
	var m Memory
	m.Mkdir(root)
	file := func(name, content string) {
		m.WriteFile(root+name, content)
		if err := os.MkdirAll(filepath.Dir(root+name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		m.Symlink(target, root+name)
		if err := os.Symlink(target, root+name); err != nil {
			t.Fatal(err)
		}
	}
	file("/a", "hello")
	file("/d/b", "in d")
	file("/d/e/long", "more than eight bytes")
	file("/empty", "")
	link("a", "/la")
	link("d", "/ld")
	link(root+"/d/e", "/labs")
	link("loop2", "/loop1")
	link("loop1", "/loop2")
	link("nowhere", "/dangling")
	link("../a", "/d/up")
	link("ld/../d/b", "/twice")
	link("../../../../../../../../../../..", "/d/root")

	for _, name := range []string{
		"", "/", "/a", "/a/", "/a/b", "/a/..", "/d", "/d/", "/d/.", "/d/..", "/d/b", "/d/../a", "/none", "/none/x", "/d/none",
		"/la", "/la/", "/la/x", "/ld", "/ld/", "/ld/b", "/ld/up", "/ld/../a", "/labs", "/labs/", "/labs/long", "/labs/../b",
		"/loop1", "/loop1/x", "/dangling", "/dangling/x", "/d/up", "/twice", "//d//b", "/d/./b", "/empty", "/d/root", "/d/root/",
	} {
		if got, want := describe(&m, root, name), describe(OS{}, root, name); got != want {
			t.Errorf("%q\n  memory: %s\n  disk:   %s", name, got, want)
		}
	}
}

func TestReadDirLimit(t *testing.T) {
	dir := system.Slash(t.TempDir())
	var m Memory
	for _, name := range []string{"/b", "/a", "/c"} {
		m.WriteFile(dir+name, "")
		if err := os.WriteFile(system.Native(dir+name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, files := range []policy.Files{OS{}, &m} {
		names, err := files.ReadDir(dir, 3)
		if fmt.Sprint(names) != "[a b c]" || err != nil {
			t.Errorf("%T: %v, %v", files, names, err)
		}
		if _, err := files.ReadDir(dir, 2); err == nil {
			t.Errorf("%T: more names than the limit", files)
		}
	}
}

func TestMemoryChmod(t *testing.T) {
	var m Memory
	m.Mkdir("/tmp")
	m.Chmod("/tmp", 0o777|fs.ModeSticky)
	info, err := m.Lstat("/tmp")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := info.Mode(), fs.ModeDir|fs.ModeSticky|0o777; got != want {
		t.Errorf("mode %v, want %v", got, want)
	}
}

func TestReadFileLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("12345678"), 0o644); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]bool{0: false, 7: false, 8: true, 9: true, 1 << 30: true} {
		data, err := OS{}.ReadFile(path, limit)
		if (err == nil) != want || want && string(data) != "12345678" {
			t.Errorf("limit %d: %q, %v", limit, data, err)
		}
	}
}
