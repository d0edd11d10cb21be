package shell

import (
	"fmt"
	"slices"
	"testing"
)

func at(dirs ...string) ending { return ending{location: location{dirs: dirs, old: []string{"/old"}}} }

var nowhere = ending{dead: true}

// String says an ending: where it is, "?" for what is not known, "-" for nowhere.
func (e ending) String() string {
	switch {
	case e.dead:
		return "-"
	case len(e.dirs) == 0:
		return "?"
	}
	return fmt.Sprint(e.dirs)
}

func TestEndings(t *testing.T) {
	for _, c := range []struct {
		a, b ending
		want string
	}{
		{at("/a"), at("/a"), "[/a]"},
		{at("/a"), at("/b"), "[/a /b]"},
		{at("/a", "/b"), at("/b", "/c"), "[/a /b /c]"},
		{at("/a"), nowhere, "[/a]"},
		{nowhere, at("/a"), "[/a]"},
		{nowhere, nowhere, "-"},
		{at("/a"), at(), "?"},
		{at(), nowhere, "?"},
		{at("1", "2", "3", "4", "5"), at("6", "7", "8", "9"), "?"}, // too many
	} {
		if got := c.a.join(c.b).String(); got != c.want {
			t.Errorf("%v or %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestOutcomes holds how outcomes are put together: each row is a text, and where it
// succeeds and fails.
func TestOutcomes(t *testing.T) {
	cd := outcome{ok: at("/to"), fail: at("/w"), printer: 1}
	exit := always(nowhere)
	ls := always(at("/w"))
	yes := outcome{ok: at("/w"), fail: nowhere, printer: -1}
	for _, c := range []struct {
		text     string
		got      outcome
		ok, fail string
	}{
		{"cd /to", cd, "[/to]", "[/w]"},
		{"! cd /to", cd.not(), "[/w]", "[/to]"},
		{"ls && cd /to", ls.and(cd), "[/to]", "[/w]"},
		{"ls || cd /to", ls.or(cd), "[/w /to]", "[/w]"},
		{"cd /to || exit", cd.or(exit), "[/to]", "-"},
		{"cd /to && exit", cd.and(exit), "-", "[/w]"},
		{"true && cd /to", yes.and(cd), "[/to]", "[/w]"},
		{"true || cd /to", yes.or(ls), "[/w]", "[/w]"},
		{"exit || ls", exit.or(ls), "[/w]", "[/w]"},
		{"exit >file", exit.unless(at("/w")), "-", "[/w]"},
		{"cd /to, or ls", cd.join(ls), "[/to /w]", "[/w]"},
		{"exit, or ls", exit.join(ls), "[/w]", "[/w]"},
	} {
		if c.got.ok.String() != c.ok || c.got.fail.String() != c.fail {
			t.Errorf("%s: %v and %v, want %s and %s", c.text, c.got.ok, c.got.fail, c.ok, c.fail)
		}
	}
	if got := cd.end().String(); got != "[/to /w]" {
		t.Errorf("after cd: %s", got)
	}
	if !exit.dead() || cd.dead() || yes.dead() || cd.and(exit).dead() {
		t.Error("only what exits both ways is dead")
	}
}

// What prints is known of one command only, and what may not run may print nothing.
func TestOutcomesPrint(t *testing.T) {
	one, other := always(at("/w")), always(at("/w"))
	one.printer, other.printer = 1, 2
	for text, c := range map[string]struct {
		got  outcome
		want int
	}{
		"one":             {one, 1},
		"! one":           {one.not(), 1},
		"one >file":       {one.unless(at("/w")), 1},
		"one or itself":   {one.join(one), 1},
		"one or other":    {one.join(other), -1},
		"one && other":    {one.and(other), -1},
		"one || other":    {one.or(other), -1},
		"one or a cd":     {one.join(always(at("/w"))), -1},
		"nothing at all":  {always(at("/w")), -1},
		"other or itself": {other.join(other), 2},
	} {
		if c.got.printer != c.want {
			t.Errorf("%s: command %d prints, want %d", text, c.got.printer, c.want)
		}
	}
	if one.silent || !one.unless(at("/w")).silent || !one.unless(at("/w")).join(one).silent {
		t.Error("what may not have run may be silent, and so may either of two")
	}
	exec := one
	exec.kept = true
	if !exec.join(one).kept || exec.and(one).kept {
		t.Error("what exec does to the streams belongs to its own command")
	}
}

// TestSurroundings holds that whatever is put around something is gone behind it.
func TestSurroundings(t *testing.T) {
	r := &run{surroundings: surroundings{unrolled: 1, via: []string{"eval"}}}
	ran := 0
	a, b := r.through("command"), r.through("exec")
	a.depth++
	r.inside(a, func() {
		x := r.within(ofLoop, func() {
			ran++
			if r.depth != 1 || len(r.exits) != 1 || !slices.Equal(r.via, []string{"eval", "command"}) {
				t.Errorf("inside: %+v", r.surroundings)
			}
			r.leaves(ofLoop)
		})
		if x.f == nil || len(r.exits) != 0 {
			t.Error("the way out is not that of its own construct")
		}
	})
	r.inside(b, func() {
		ran++
		if !slices.Equal(r.via, []string{"eval", "exec"}) {
			t.Errorf("by %v", r.via)
		}
	})
	if ran != 2 || r.depth != 0 || len(r.exits) != 0 || !slices.Equal(r.via, []string{"eval"}) {
		t.Errorf("behind: %+v", r.surroundings)
	}
}

// What a substitution becomes is known where one command surely ran once and printed
// all of it.
func TestCaptured(t *testing.T) {
	for text, want := range map[string]bool{
		"echo x":                    true,
		"echo x 2>/dev/null":        true,
		"echo x <file":              false,
		"! echo x":                  true,
		"{ echo x; }":               false,
		"repeat 2 echo x":           false,
		"cat /dev/null | echo x":    false,
		"false || echo x":           false,
		"command echo x":            true,
		"eval echo x":               false,
		"f() { echo x; }; f":        false,
		"if ls; then echo x; fi":    false,
		"declare -p x":              false,
		"builtin command -- echo x": true,
	} {
		got := New().Read(Input{Text: "cat $(" + text + ")", Dialect: Bash, Dirs: []string{"/w"}})
		last := got.Commands[len(got.Commands)-1]
		s, known := last.Words[len(last.Words)-1].Const()
		if known != want || known && s != "x" {
			t.Errorf("$(%s) is believed to be %q: %v", text, s, known)
		}
	}
	got := New().Read(Input{Text: "cat $(repeat 2 echo x)", Dialect: Zsh, Dirs: []string{"/w"}})
	if last := got.Commands[len(got.Commands)-1]; last.Words[1].IsConst() {
		t.Errorf("what is printed twice is believed to be %s", last.String())
	}
}
