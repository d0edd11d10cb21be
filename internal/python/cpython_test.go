package python

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// cpython is a Python that tells the trees it makes.
type cpython struct {
	name  string
	minor int // of its version
	asked io.WriteCloser
	told  *bufio.Reader
}

// startPython starts a Python, which the test ends. It is nil where there is
// none of that name.
func startPython(t *testing.T, name string) *cpython {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	c := exec.Command(path, "-I", "testdata/tree.py")
	asked, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	told, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &cpython{name: name, asked: asked, told: bufio.NewReader(told)}
	t.Cleanup(func() {
		asked.Close()
		c.Wait()
	})
	if _, err := fmt.Fscanf(p.told, "%d\n", &p.minor); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// standard is the directory of its standard library, or empty.
func (p *cpython) standard() string {
	out, err := exec.Command(p.name, "-I", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (p *cpython) ask(t *testing.T, kind, text string) (answer string, ok bool) {
	t.Helper()
	go fmt.Fprintf(p.asked, "%s %d\n%s", kind, len(text), text)
	var status string
	var n int
	if _, err := fmt.Fscanf(p.told, "%s %d\n", &status, &n); err != nil {
		t.Fatalf("%s died of %q: %v", p.name, cut(text), err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(p.told, b); err != nil {
		t.Fatal(err)
	}
	return string(b), status == "ok"
}

// tree is what Python makes of a text, or its error.
func (p *cpython) tree(t *testing.T, text string) (tree string, ok bool) {
	t.Helper()
	return p.ask(t, "a", text)
}

// compiles says whether Python would run a text.
func (p *cpython) compiles(t *testing.T, text string) bool {
	t.Helper()
	_, ok := p.ask(t, "c", text)
	return ok
}

func cut(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}

// agreement is how texts were read by Parse and by a Python.
type agreement struct {
	same    int // trees
	refused int // by both
	newer   int // read, and refused by the Python
	unread  int // refused, though the Python runs it
	faulty  int // refused, as the Python refuses it, though only when compiling
	wrong   int
}

func (a *agreement) String() string {
	return fmt.Sprintf("%d trees are the same, both refuse %d; only Python reads %d, of which it compiles %d; only Parse reads %d; %d differ",
		a.same, a.refused, a.unread+a.faulty, a.unread, a.newer, a.wrong)
}

var parenthesized = regexp.MustCompile(`\bwith\s*\(`)

// compare compares what Parse and a Python make of a text, and reports a text
// of which they make different trees.
func (a *agreement) compare(t *testing.T, p *cpython, name, text string) {
	t.Helper()
	theirs, ok := p.tree(t, text)
	m, err := Parse(text)
	switch {
	case err != nil && !ok:
		a.refused++
	case err != nil:
		if !p.compiles(t, text) {
			a.faulty++
			return
		}
		a.unread++
		if testing.Verbose() {
			t.Logf("%s: only %s reads it: %v", name, p.name, err)
		}
	case !ok:
		a.newer++
		if testing.Verbose() && strings.HasSuffix(name, ".py") {
			t.Logf("%s: only Parse reads it: %s", name, cut(theirs))
		}
	default:
		ours := dump(m, p.minor)
		if sameTree(ours, theirs) {
			a.same++
			return
		}
		if p.minor == 8 && parenthesized.MatchString(text) {
			return // See itemsInParentheses.
		}
		a.wrong++
		t.Errorf("%s: %s reads another tree: %s", name, p.name, firstDifference(ours, theirs))
	}
}

func firstDifference(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] && !strings.HasSuffix(a[i], " ?") {
			from := max(0, i-3)
			return fmt.Sprintf("\n%s\nours:   %s\ntheirs: %s", strings.Join(a[from:i], "\n"), cut(a[i]), cut(strings.Join(b[min(i, len(b)):min(i+1, len(b))], "")))
		}
	}
	return "theirs is longer"
}
