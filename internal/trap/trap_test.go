//go:build linux

package trap

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain becomes what a test starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Word {
		fmt.Fprintln(os.Stderr, Main(os.Args[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// calls runs a line of sh and lists what it asked for outside of the system's
// own directories.
func calls(t *testing.T, dir, line string) (all []string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: a filter needs root")
	}
	sh, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("SKIPPED: dash is not installed")
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p, err := Start(sh, []string{"sh", "-c", line}, Options{Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Files: []*os.File{null, null, null}})
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(20*time.Second, func() { p.Kill() })
	defer timer.Stop()
	p.Wait()
	for _, c := range p.Take() {
		if c.Kind == Read && !strings.HasPrefix(c.Path, dir) {
			continue
		}
		what := c.Kind.String() + " " + strings.TrimPrefix(c.Path, dir+"/")
		if c.Kind == Run {
			what = c.Kind.String() + " " + strings.Join(c.Argv, " ")
		}
		all = append(all, what)
	}
	return all
}

func TestCalls(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	os.MkdirAll(dir+"/sub", 0o755)
	os.WriteFile(dir+"/a", []byte("text\n"), 0o644)
	os.Symlink("sub", dir+"/link")
	os.Symlink(elsewhere, dir+"/out")
	for _, row := range []struct {
		line string
		want []string
	}{
		{"cat a", []string{"run cat a", "read a"}},
		{": > b", []string{"write b"}},
		{": > link/c", []string{"write sub/c"}},
		{"cd sub; : > ../d", []string{"write d"}},
		{"rm -f b", []string{"run rm -f b", "delete b"}},
		{"mv d link/e", []string{"run mv d link/e", "delete d", "write sub/e"}},
		{"ln -s . new; rm -f new", []string{"write new", "delete new"}},
		{": > out/f", []string{"write " + elsewhere + "/f"}},
		{"chmod 600 link/e", []string{"write sub/e"}},
		{"mkdir m; rmdir m", []string{"write m", "delete m"}},
		{"ls sub >/dev/null", []string{"list sub"}},
		{"sleep 9 & kill $!", []string{"signal"}},
		{"kill -0 1", nil},
		{"nothing-of-this-name x", nil},
		{"./a x y", []string{"run ./a x y"}},
	} {
		line, want := row.line, row.want
		got := calls(t, dir, line)
		for _, w := range want {
			if !slices.ContainsFunc(got, func(s string) bool { return s == w || strings.HasPrefix(s, w+" ") }) {
				t.Errorf("%q: no %q in %q", line, w, got)
			}
		}
		if want == nil && len(slices.DeleteFunc(got, func(s string) bool { return s == "run sh -c "+line })) > 0 {
			t.Errorf("%q: %q", line, got)
		}
	}
}
