//go:build linux

// Command oracle proves the gate against real shells: it makes lines from a
// grammar, lets bash, dash and zsh run them in a jail where every program is a
// stub that writes down how it was started, and fails when a line that the
// engine allowed started a program, changed a file, or gave a program another
// directory, other variables or another input than the engine had seen.
//
//	go run ./internal/oracle -n 100000
//	go run ./internal/oracle -hunt 30m -kinds oracle,rules -dir /tmp/finds
//	go run ./internal/oracle -line 'cd src; ls'
//	go run ./internal/oracle -texts 20000
//	go run ./internal/oracle -code 'import os; os.remove("a")'
//
// Texts of Python and JavaScript run there, too, in real interpreters: what they
// ask of the kernel (internal/trap) has to be in the verdict.
//
// It needs root, name spaces and a C compiler, and leaves nothing behind.
// Failures are shrunk and printed as rows for testdata/regressions.jsonl.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/trap"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == trap.Word {
		fmt.Fprintln(os.Stderr, "oracle: error:", trap.Main(os.Args[1:]))
		os.Exit(1)
	}
	n := flag.Int("n", 100_000, "executions: lines times shells")
	seed := flag.Uint64("seed", 0, "seed; 0 takes one from the clock")
	need := flag.Float64("allowed", 0.3, "the share of executions that must be of allowed lines")
	workers := flag.Int("jails", 8, "jails at a time; each has its own stream of lines")
	only := flag.String("shells", "bash,dash,zsh,sh", "the shells; the first one gets most lines; sh is bash called by that name, posix is bash --posix, bash53=PATH another build")
	but := flag.String("but", "", "aspects that are not compared, by commas: dir, env, input, builtins")
	show := flag.Int("show", 0, "print so many lines and run nothing")
	production := flag.String("production", "", "make lines of this production of the grammar alone: environ, shared, numbers")
	line := flag.String("line", "", "judge and run this line alone, and print what was believed and what happened")
	text := flag.String("code", "", "judge and run this text alone, of the first language, and print what was believed and what happened")
	texts := flag.Int("texts", 0, "try so many texts of other languages in place of lines of shells")
	langs := flag.String("langs", "python,javascript", "these languages; the first one gets most texts")
	long := flag.Duration("hunt", 0, "search for so long with random seeds and harder lines, from where the last search ended")
	which := flag.String("kinds", kindNames(), "kinds of search for -hunt")
	corpus := flag.String("corpus", "", "JSONL files, by blanks, of whose code -hunt makes further code")
	dir := flag.String("dir", "", "directory in which -hunt keeps its finds and where it ended")
	root := flag.String("jail", "", "")
	stub := flag.String("stub", "", "")
	flag.Parse()
	s := search{workers: *workers, but: strings.Split(*but, ",")}
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "oracle: error:", err)
			os.Exit(1)
		}
	}
	if *production != "" {
		if allProductions[*production] == nil {
			fail(fmt.Errorf("-production %s: the grammar has none of that name", *production))
		}
		allProductions["line"] = []string{"«" + *production + "»"}
	}
	switch {
	case *root != "":
		fail(inside(*root, *stub))
		return
	case *show > 0:
		g := newGrammar(*seed, 0)
		for range *show {
			line, _ := g.line()
			fmt.Printf("%q\n", line)
		}
		return
	}
	names := *only
	if *long > 0 && !flagGiven("shells") {
		names += ",posix"
	}
	if s.shells = installed(names); len(s.shells) == 0 {
		fail(fmt.Errorf("none of the shells is installed"))
	}
	s.langs = runnable(*langs)
	if os.Geteuid() != 0 {
		fmt.Fprintln(os.Stderr, "oracle: SKIPPED: shells run only as root and with name spaces; nothing was proved by them")
		if *long == 0 {
			return
		}
	} else {
		work, err := os.MkdirTemp("", "oracle")
		fail(err)
		defer os.RemoveAll(work)
		s.stub, err = buildStub(work)
		fail(err)
	}
	debug.SetGCPercent(800) // what is made for a line is thrown away with it
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	var err error
	status := 0
	switch {
	case *line != "":
		fail(s.one(*line))
	case *texts > 0:
		status = s.proveCode(*texts, *seed, *need)
	case *text != "":
		fail(s.oneCode(snippet{Lang: strings.Split(*langs, ",")[0], Text: *text}))
	case *long > 0:
		s.bases, err = basesOf(strings.Fields(*corpus), s.langs)
		fail(err)
		status = s.hunt(*long, strings.Split(*which, ","), *dir, *seed)
	default:
		status = s.prove(*n, *seed, *need)
	}
	if s.stub != "" {
		os.RemoveAll(filepath.Dir(s.stub))
	}
	os.Exit(status)
}

func flagGiven(name string) (given bool) {
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

// one prints what is believed of a line, and what shells do with it.
func (s *search) one(line string) error {
	j, err := newJail(s.stub, plain())
	if err != nil {
		return err
	}
	defer j.close()
	for _, shell := range s.shells {
		v := newJudge(fixture).verdict(line, dialect(shell))
		fmt.Printf("%s: %s %s\n", shell, v.Decision, v.Reason)
		var nodes []*engine.Node
		collect(v.Tree, &nodes)
		for _, n := range nodes {
			if c := n.Simple(); c != nil {
				fmt.Printf("  believed %s in %q with %v, input %d %q\n", c, c.Dirs, c.Env, c.Stdin.Kind, c.Stdin.Text)
			}
		}
		happened, err := j.run(task{Shell: shell, Line: line, Trace: traceable(shell, line)})
		if err != nil {
			return err
		}
		for _, r := range happened.Runs {
			fmt.Printf("  started %q in %s with %q, without %q, input %s %q\n", r.Argv, r.Dir, r.Env, r.Lost, r.Stdin, r.Input)
		}
		fmt.Printf("  traced %q\n  changed %q\n", happened.Builtin, happened.Changed)
		if what := unseen(v, happened, s.but...); what != "" {
			fmt.Println("  UNSEEN:", what)
		}
	}
	return nil
}

// plain is what is in the jail of a shell.
func plain() kit { return kit{stubNames(), fixture} }

// stubNames are the programs of the jail: all that a rule knows, the one that
// no rule knows, and the builds of shells.
func stubNames() []string {
	names := append([]string{hidden}, through...)
	for _, g := range gates.All {
		for _, p := range g.Programs() {
			names = append(names, p.Name)
			names = append(names, p.Aliases...)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, "=") })
	for name, path := range builds {
		names = append(names, name+"="+path)
	}
	return names
}

//go:embed stub/stub.c
var stubSource []byte

// buildStub compiles the stub into a directory.
func buildStub(dir string) (string, error) {
	stub := filepath.Join(dir, "stub")
	build := exec.Command("cc", "-O2", "-static", "-nostdlib", "-fno-stack-protector", "-fno-builtin", "-o", stub, "-x", "c", "-")
	build.Stdin = bytes.NewReader(stubSource)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the stub needs a C compiler as cc: %w\n%s", err, out)
	}
	return stub, nil
}
