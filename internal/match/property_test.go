package match_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
	"github.com/rogpeppe/go-internal/txtar"
)

// allRows calls f for each command of testdata/rows with the programs it is
// judged by.
func allRows(t *testing.T, f func(programs []*match.Program, line string)) {
	t.Helper()
	files, err := filepath.Glob("testdata/rows/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no rows:", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		programs := compile(t, string(archive.Files[0].Data))
		for line := range strings.SplitSeq(string(archive.Files[1].Data), "\n") {
			line, _, _ = strings.Cut(line, " => ")
			if line != "" && line[0] != '#' {
				f(programs, line)
			}
		}
	}
}

// decided is the strictest answer of a call. No answer is no opinion.
func decided(c *match.Call) policy.Decision {
	d := policy.Skip
	for _, h := range c.Held {
		d = max(d, h.Decision)
	}
	for _, u := range c.Unknowns {
		d = max(d, u.Decision)
	}
	return d
}

func judged(programs []*match.Program, c *policy.Command) *match.Call {
	call := new(match.Call)
	judge(call, programs, c)
	return call
}

func program(programs []*match.Program, c *policy.Command) *match.Program {
	name, _ := c.Program()
	for _, p := range programs {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// TestUndeclaredOptionNeverLoosens puts an option that no table knows at each
// place of each row.
func TestUndeclaredOptionNeverLoosens(t *testing.T) {
	n := 0
	allRows(t, func(programs []*match.Program, line string) {
		c := parse(line)
		if p := program(programs, c); p.Open || p.Unknown != policy.Ask || p.Levels[0].Style == match.Plain {
			return
		}
		before := judged(programs, c)
		for i := 1; i <= len(c.Words); i++ {
			if i > 1 && strings.HasPrefix(c.Words[i-1].Prefix(), "-") {
				continue // it may be that one's value, and move all others
			}
			d := *c
			d.Words = slices.Insert(slices.Clone(c.Words), i, policy.Const("--not-declared"))
			after := judged(programs, &d)
			if decided(after) < min(decided(before), policy.Ask) && !runs(after, "--not-declared") {
				t.Errorf("%s: %s\n%s: %s", line, describe(before), d.String(), describe(after))
			}
			n++
		}
	})
	if n < 1000 {
		t.Errorf("only %d commands were tried", n)
	}
}

// runs reports whether the word stands in a command that the call runs, which
// the engine judges by itself.
func runs(c *match.Call, word string) bool {
	for _, u := range c.Uses {
		for _, w := range u.Words {
			if text, _ := w.Const(); text == word {
				return true
			}
		}
	}
	return false
}

// TestHoleNeverLoosens puts a hole in place of each word of each row. What
// was asked about is not allowed then; and what is allowed still has
// everything judged that the word was judged as. Two things are meant to be
// looser: an option that no table knows is asked about where a hole is not,
// if all options are harmless; and a value that looks like an option is read
// as one too.
func TestHoleNeverLoosens(t *testing.T) {
	n := 0
	allRows(t, func(programs []*match.Program, line string) {
		c := parse(line)
		before := judged(programs, c)
		for i := 1; i < len(c.Words); i++ {
			text, ok := c.Words[i].Const()
			if !ok || strings.HasPrefix(text, "-") && (strings.HasPrefix(c.Words[i-1].Prefix(), "-") || runs(before, text)) {
				continue
			}
			for _, hole := range []policy.Word{policy.Unknown("$h"), policy.UnknownWords("$h")} {
				d := *c
				d.Words = slices.Clone(c.Words)
				d.Words[i] = hole
				after := judged(programs, &d)
				n++
				if decided(after) > policy.Allow {
					continue
				}
				if decided(before) > policy.Allow && !strings.Contains(before.Objection, "unknown option") && !strings.Contains(before.Objection, "any number") {
					t.Errorf("%s: %s\n%s: %s", line, describe(before), d.String(), describe(after))
				}
				if decided(before) > policy.Allow {
					continue
				}
				for _, u := range before.Uses {
					switch u.Kind {
					case match.Read, match.Path, match.Dir:
						continue // harmless whatever they are
					}
					if !slices.ContainsFunc(after.Uses, func(v match.Use) bool { return v.Kind == u.Kind && v.Lang == u.Lang || turned(u.Kind, v.Kind) }) {
						t.Errorf("%s: %s\n%s: %s\nnothing is judged as %v any more", line, describe(before), d.String(), describe(after), u.Kind)
					}
				}
			}
		}
	})
	if n < 1000 {
		t.Errorf("only %d commands were tried", n)
	}
}

// turned reports whether a hole may be judged as another kind than a constant:
// a source is a machine where it might be one.
func turned(before, after match.Kind) bool {
	return before == match.URL && after == match.Host || before == match.Host && (after == match.URL || after == match.Write)
}

// TestSpellings writes one command in many ways: options glued or apart, in
// clusters, long with and without a sign, before and after the operands.
func TestSpellings(t *testing.T) {
	programs := compile(t, spellingRules)
	p := programs[0]
	r := rand.New(rand.NewPCG(3, 4))
	type given struct {
		option match.Option // of one line of spellings
		value  string
	}
	var known []match.Option
	for _, o := range p.Levels[0].Options {
		for line := range strings.SplitSeq(o.Spellings, "\n") {
			o.Spellings = line
			known = append(known, o)
		}
	}
	for range 300 {
		var options []given
		for range r.IntN(5) {
			options = append(options, given{known[r.IntN(len(known))], []string{"v", "a=b", "x.y", "1"}[r.IntN(4)]})
		}
		operands := []string{"f", "g", "-", "h=1"}[:r.IntN(5)]
		write := func(plain bool) string {
			var words, cluster []string
			flush := func() {
				if len(cluster) > 0 {
					words = append(words, "-"+strings.Join(cluster, ""))
				}
				cluster = nil
			}
			for _, o := range options {
				short, long, _ := strings.Cut(o.option.Spellings, " ")
				switch way := r.IntN(4); {
				case plain || way == 0:
					flush()
					words = append(words, long)
					if o.option.Arity == match.Value {
						words = append(words, o.value)
					}
				case way == 1 && o.option.Arity == match.Value:
					flush()
					words = append(words, long+"="+o.value)
				case o.option.Arity == match.NoValue:
					cluster = append(cluster, short[1:])
				case way == 2:
					cluster = append(cluster, short[1:]+o.value)
					flush()
				default:
					cluster = append(cluster, short[1:])
					flush()
					words = append(words, o.value)
				}
			}
			flush()
			// Options end at any word boundary that is not a value's.
			if plain || r.IntN(2) == 0 {
				words = append(words, operands...)
			} else {
				words = append(slices.Clone(operands), words...)
			}
			return "p " + strings.Join(words, " ")
		}
		line := write(true)
		want := judged(programs, parse(line))
		want.Objection = "" // it names the spelling
		for range 8 {
			other := write(false)
			got := judged(programs, parse(other))
			got.Objection = ""
			if describe(got) != describe(want) {
				t.Fatalf("%s: %s\n%s: %s", line, describe(want), other, describe(got))
			}
		}
	}
}

const spellingRules = `
[[programs]]
name = "p"
[[programs.options]]
flag = ["-a --all", "-b --brief", "-c --count"]
data = ["-m --message", "-n --number"]
read = ["-f --file"]
write = ["-o --output"]
run = ["-x --exec"]
acts = ["-D --destroy", "-s --set="]
[[programs.allow]]
unless_flags = ["-c"]
operands = ["read*"]
[[programs.allow]]
if_flags_all = ["-c", "-D"]
operands = ["data", "write+"]
[[programs.ask]]
id = "p.set"
if_flags_any = ["-s=a*", "--message=1"]
reason = "sets"
[[programs.block]]
id = "p.block"
if_flags_all = ["-a", "-b", "-D"]
reason = "destroys"
`
