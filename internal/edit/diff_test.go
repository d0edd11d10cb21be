package edit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for name, row := range map[string]struct{ before, after, want string }{
		"equal":             {"a\n", "a\n", ""},
		"a new file":        {"", "a\nb\n", "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"a file that goes":  {"a\n", "", "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n"},
		"no line end":       {"a", "a\nb", "--- x\n+++ y\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		"in the middle":     {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "--- x\n+++ y\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		"two far apart":     {"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n", "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
		"two near together": {"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n", "--- x\n+++ y\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
	} {
		if got := Diff(row.before, row.after, "x", "y"); got != row.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, row.want)
		}
	}
}

// patch(1) makes of the first text and the diff the second one.
func FuzzDiff(f *testing.F) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		f.Skip("there is no patch(1) to apply diffs with")
	}
	f.Add("a\nb\nc\n", "a\nc\nd\n")
	f.Add("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n")
	f.Add("x\ny", "x\ny\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if before == after || before == "" || after == "" || strings.ContainsAny(before+after, "\x00\r") {
			return
		}
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(patch, "--force", "--quiet", "--binary", file)
		c.Stdin = strings.NewReader(Diff(before, after, "f", "f"))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("patch: %v\n%s", err, out)
		}
		if got, _ := os.ReadFile(file); string(got) != after {
			t.Fatalf("%q and the diff make %q, want %q", before, got, after)
		}
	})
}

func TestMarks(t *testing.T) {
	m := Marks{"# begin", "# end"}
	for _, text := range []string{"", "a = 1\n", "a = 1", "\n", "a\r\nb"} {
		put, err := m.Put(text, "x = 1\n")
		if err != nil {
			t.Fatal(err)
		}
		if block, _, err := m.Find(put); block != "x = 1\n" || err != nil {
			t.Errorf("%q: found %q, %v", put, block, err)
		}
		again, err := m.Put(put, "x = 2\n")
		if err != nil || again != strings.Replace(put, "x = 1", "x = 2", 1) {
			t.Errorf("%q, put again: %q, %v", put, again, err)
		}
		if got, err := m.Take(again); got != text || err != nil {
			t.Errorf("%q became %q and then %q, %v", text, again, got, err)
		}
	}
	for text, want := range map[string]string{
		"a\n\n# begin\nx\n# end\nb\n": "a\nb\n",
		"a\n# begin\nx\n# end\nb\n":   "a\nb\n",
		"# begin\nx\n# end":           "",
		"a # begin\n":                 "a # begin\n",
	} {
		if got, err := m.Take(text); got != want || err != nil {
			t.Errorf("taken from %q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, broken := range []string{"# begin\nx\n", "x\n# end\n", "# end\n# begin\n"} {
		if _, err := m.Put(broken, "x\n"); err == nil {
			t.Errorf("%q: no error", broken)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real", "f"), filepath.Join(dir, "link")
	if made, err := MakeDirs(filepath.Join(dir, "real"), 0o755); err != nil || len(made) != 1 {
		t.Fatalf("made %q: %v", made, err)
	}
	if err := os.Symlink("real/f", link); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o640, 0o600} { // the second is not asked for, for the file is there
		if err := Replace(link, []byte(mode.String()), mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(link)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Fatalf("the link is none any more: %v, %v", info, err)
		}
		if info, err = os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("the file: %v, %v", info, err)
		}
	}
	if text, _ := os.ReadFile(file); string(text) != os.FileMode(0o600).String() {
		t.Errorf("the file says %q", text)
	}
	if err := Replace(dir, nil, 0o644); err == nil {
		t.Error("a directory was replaced")
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "real")); len(entries) != 1 {
		t.Errorf("temporary files are left: %v", entries)
	}
}
