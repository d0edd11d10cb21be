//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/internal/trap"
	"github.com/bashgate/bashgate/policy"
)

// TestMain is the jail's inside, where the test was started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == trap.Word {
		os.Stderr.WriteString(trap.Main(os.Args[1:]).Error() + "\n")
		os.Exit(1)
	}
	if len(os.Args) == 5 && os.Args[1] == "-jail" {
		if err := inside(os.Args[2], os.Args[4]); err != nil {
			os.Stderr.WriteString("jail: " + err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestComparisons holds that each thing in which a start can differ from what is
// believed is found, where nothing else differs.
func TestComparisons(t *testing.T) {
	const line = "export FOO=a; cd src; A=1 jq . <<< hi; jq -r . < x.go; echo b c"
	v := newJudge(fixture).verdict(line, "bash")
	if v.Decision != policy.Allow {
		t.Fatalf("%q: %s", line, v.Reason)
	}
	happens := func() truth {
		at := started{Path: "/bin/jq", Argv: []string{"jq", "."}, Dir: jailWork + "/src", Env: []string{"FOO=a", "PWD=" + jailWork + "/src"}}
		first, second := at, at
		first.Env = append(slices.Clone(at.Env), "A=1")
		second.Argv = []string{"jq", "-r", "."}
		first.Stdin, first.Input, first.Peeked = "pipe:[1]", "hi\n", true
		second.Stdin, second.Input, second.Peeked = jailWork+"/src/x.go", "package src\n", true
		return truth{Runs: []started{first, second}, Builtin: [][]string{{"export", "FOO=a"}, {"cd", "src"}, {"echo", "b", "c"}}}
	}
	if what := unseen(v, happens()); what != "" {
		t.Fatalf("the truth itself: %s", what)
	}
	for _, row := range []struct {
		aspect, says string
		change       func(*truth)
	}{
		{"", "ran", func(h *truth) { h.Runs[0].Argv = []string{"jq", "x"} }},
		{"", "changed", func(h *truth) { h.Changed = []string{jailWork + "/a.txt"} }},
		{"dir", "in /tmp,", func(h *truth) { h.Runs[0].Dir = "/tmp" }},
		{"env", "with FOO=b, not a", func(h *truth) { h.Runs[0].Env[0] = "FOO=b" }},
		{"env", "with A=1", func(h *truth) { h.Runs[1].Env = append(h.Runs[1].Env, "A=1") }},
		{"env", "without A", func(h *truth) { h.Runs[0].Env = h.Runs[0].Env[:2] }},
		{"", "set NEW", func(h *truth) { h.Runs[1].Env = append(h.Runs[1].Env, "NEW=") }},
		{"input", "with input", func(h *truth) { h.Runs[0].Input = "i\n" }},
		{"input", "from /etc/passwd", func(h *truth) { h.Runs[1].Stdin = "/etc/passwd" }},
		{"builtins", "gave", func(h *truth) { h.Builtin[1] = []string{"cd", "/etc"} }},
		{"builtins", "gave", func(h *truth) { h.Builtin[2] = []string{"echo", "b c"} }},
	} {
		h := happens()
		row.change(&h)
		if what := unseen(v, h); !strings.Contains(what, row.says) {
			t.Errorf("%s: found %q, want %q", row.aspect, what, row.says)
		}
		if row.aspect != "" {
			if what := unseen(v, h, row.aspect); what != "" {
				t.Errorf("%s is not compared, but found %q", row.aspect, what)
			}
		}
	}
	// One command has to explain all of a start: not the variables of one and
	// the input of another.
	h := happens()
	h.Runs[0].Env, h.Runs[1].Env = h.Runs[1].Env, h.Runs[0].Env
	if unseen(v, h) == "" {
		t.Error("two commands explain one start")
	}
}

// TestLostVariable takes a variable of the host's away from a program.
func TestLostVariable(t *testing.T) {
	v := newJudge(fixture).verdict("export USER=a; ls", "bash")
	run := started{Path: "/bin/ls", Argv: []string{"ls"}, Dir: jailWork, Lost: []string{"USER"}}
	if what := unseen(v, truth{Runs: []started{run}}); !strings.Contains(what, "without USER") {
		t.Errorf("found %q", what)
	}
}

func TestTraced(t *testing.T) {
	for trace, want := range map[string][][]string{
		"\x01cd src\n\x01\x01echo 'a b' ''\n":                          {{"cd", "src"}, {"echo", "a b", ""}},
		"\x01echo 'a\n\x01b'\n\x01x=1\n":                               {{"echo", "a\n\x01b"}, {"x=1"}},
		"\x01printf $'a\\nb\\'\\001' \\'x\nls: no such file\n\x01cd\n": {{"printf", "a\nb'\x01", "'x"}, {"cd"}},
		"noise \x01 x\n\x01cd\n":                                       {{"cd"}},
		"\x01echo 'cut off":                                            nil,
		"\x01[ -n a ']'\n":                                             {{"[", "-n", "a", "]"}},
	} {
		if got := traced(trace); !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Errorf("%q: %q, want %q", trace, got, want)
		}
	}
}

// TestSeen runs the lines of which something was once not seen: none of them
// may be allowed and do what its verdict does not show. Those of open.jsonl do
// so still; one that does not any more moves to the others.
func TestSeen(t *testing.T) {
	j := inJail(t)
	what := func(row find) string {
		happened, err := j.run(task{Shell: row.Shell, Line: row.Line, Trace: traceable(row.Shell, row.Line)})
		if err != nil {
			t.Fatal(err)
		}
		return unseen(newJudge(fixture).verdict(row.Line, dialect(row.Shell)), happened)
	}
	var runs, closed, open []find
	for _, row := range append(rows(t, "testdata/seen.jsonl"), rows(t, "testdata/open.jsonl")...) {
		if _, err := exec.LookPath(program(row.Shell)); err != nil {
			t.Logf("SKIPPED: %s is not installed: %q", row.Shell, row.Line)
			return
		}
		switch is := what(row); {
		case row.Want == "open" && is != "":
			open = append(open, row)
		case row.Want == "open":
			row.Want = "seen"
			closed = append(closed, row)
		case is != "":
			t.Errorf("%s: %q (%s): %s", row.Shell, row.Line, row.Note, is)
			fallthrough
		default:
			runs = append(runs, row)
		}
	}
	t.Logf("%d lines are seen, %d are open", len(runs), len(open))
	switch {
	case len(closed) > 0 && *update:
		write(t, "testdata/seen.jsonl", append(runs, closed...))
		write(t, "testdata/open.jsonl", open)
	case len(closed) > 0:
		for _, row := range closed {
			t.Logf("closed: %s: %q", row.Shell, row.Line)
		}
		t.Errorf("%d lines of testdata/open.jsonl are closed\nhint: go test ./internal/oracle -run Seen -update moves them to seen.jsonl", len(closed))
	}
}

func write(t *testing.T, file string, all []find) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	for _, row := range all {
		out.Encode(row)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// inJail is a jail for the test.
func inJail(t *testing.T) *jail {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: the jail needs root and name spaces")
	}
	stub, err := buildStub(t.TempDir())
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	j, err := newJail(stub, plain())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	return j
}

// TestJail runs lines in a jail and holds what of them is written down.
func TestJail(t *testing.T) {
	j := inJail(t)
	for _, row := range []struct {
		shell, line, dir, input string
		env, lost               []string
	}{
		{"bash", "cd /etc; A=1 jq .", "/etc", "", []string{"A=1"}, nil},
		{"bash", "{ read l; jq .; } <<'E'\none\ntwo\nE", jailWork, "two\n", nil, nil},
		{"bash", "unset HOME; printf 'a\\0b' | jq .", jailWork, "a\x01b", nil, []string{"HOME"}},
		{"bash", "{ read l; cd src; jq .; } < a.txt", jailWork + "/src", "two\n", nil, nil},
		{"sh", "FOO=x :; jq . < src/x.go", jailWork, "package src\n", []string{"FOO=x"}, nil},
		{"posix", "FOO=x jq . < src/x.go", jailWork, "package src\n", []string{"FOO=x"}, nil},
	} {
		happened, err := j.run(task{Shell: row.shell, Line: row.line, Trace: traceable(row.shell, row.line)})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(happened.Runs, func(r started) bool { return r.Argv[0] == "jq" })
		if i < 0 {
			t.Errorf("%q: jq did not run: %v", row.line, happened.Runs)
			continue
		}
		run := happened.Runs[i]
		own := slices.DeleteFunc(slices.Clone(run.Env), func(pair string) bool { name, _, _ := strings.Cut(pair, "="); return shellOwn[name] })
		if run.Dir != row.dir || run.Input != row.input || !run.Peeked || !slices.Equal(own, row.env) || !slices.Equal(run.Lost, row.lost) {
			t.Errorf("%q: %+v", row.line, run)
		}
		if !slices.ContainsFunc(happened.Builtin, func(words []string) bool { return slices.Contains(words, "jq") }) && !strings.Contains(row.line, "set ") {
			t.Errorf("%q: no trace: %q", row.line, happened.Builtin)
		}
	}
}

// TestLaws tries the kinds of search that run nothing, the same lines each time.
func TestLaws(t *testing.T) {
	for _, k := range kinds {
		if k.jail {
			continue
		}
		w := &worker{search: &search{}, grammar: newGrammar(1, 1), judge: newJudge(fixture)}
		for range 3000 {
			f, err := k.tries(w)
			if err != nil {
				t.Fatal(err)
			}
			if f != nil {
				t.Errorf("%s: %q: %s", k.name, f.Line, f.Note)
			}
		}
	}
}

// TestLawsBreak gives the laws an engine that breaks them.
func TestLawsBreak(t *testing.T) {
	finds := func(w *worker, try func(*worker) (*find, error)) (lines []string) {
		for range 3000 {
			f, err := try(w)
			if err != nil {
				t.Fatal(err)
			}
			if f != nil {
				lines = append(lines, f.Line)
			}
		}
		return lines
	}
	broken := func() *worker { return &worker{search: &search{}, grammar: newGrammar(1, 1), judge: newJudge(fixture)} }

	// One that knows less than with a layer more.
	w := broken()
	less, err := w.with(1, "[[programs]]\nname = \"ls\"\n[[programs.block]]\nreason = \"Mine\"\n")
	if err != nil {
		t.Fatal(err)
	}
	w.engine = less
	if got := finds(w, (*worker).layer); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "ls") }) {
		t.Errorf("layers: nothing was found, only %q", got)
	}

	// One that allows whatever options a program is given.
	w = broken()
	l := w.law()
	l.programs = slices.DeleteFunc(l.programs, func(p *match.Program) bool { return p.Name != "sort" })
	compiled, err := ruleset.Compile([]*ruleset.File{ruleset.Load("user.toml", []byte("[[programs]]\nname = \"sort\"\n[[programs.allow]]\nany_flags = \"mine\"\noperands = [\"data*\"]\nlifts = [\"unknown-use\"]\n"), ruleset.User)}, l.known)
	if err != nil {
		t.Fatal(err)
	}
	w.engine = engine.New(engine.Options{User: []*interp.Rules{interp.New(compiled)}})
	if got := finds(w, (*worker).option); len(got) == 0 {
		t.Error("rules: nothing was found")
	}
}

// TestTwist holds that a twist makes another line, and the same for a seed.
func TestTwist(t *testing.T) {
	a, b := newGrammar(1, 1), newGrammar(1, 1)
	changed := 0
	for range 500 {
		if line := a.twist("cd src; ls 'a b'"); line != b.twist("cd src; ls 'a b'") {
			t.Fatal("one seed twists in two ways")
		} else if line != "cd src; ls 'a b'" {
			changed++
		}
	}
	if changed < 400 {
		t.Errorf("only %d of 500 lines were changed", changed)
	}
	for _, form := range append(slices.Clone(nests), same[0].form) {
		if wrap(form, "ls") == form {
			t.Errorf("%q holds no line", form)
		}
	}
}
