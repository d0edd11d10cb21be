//go:build unix

package cli

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bashgate/bashgate/internal/manual"
)

// The help of each command fits a terminal, and tells each of its flags as it is
// declared: by its name, with the word for its value, and with its default.
func TestHelpTellsFlags(t *testing.T) {
	hook := command{name: "", help: usage, setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
		(&hookFlags{}).declareAll(flags, new(bool))
		return nil
	}}
	for _, c := range append(commands(), hook) {
		var asked []string
		for _, args := range [][]string{{"help", c.name}, {c.name, "--help"}, {c.name, "-h"}} {
			if c.own != nil && args[1] == "-h" { // a shell's own
				continue
			}
			p, stdout, _ := process(t, nil, slices.DeleteFunc(args, func(arg string) bool { return arg == "" })...)
			if status := Run(p); status != exitOK {
				t.Errorf("%q: status %d", args, status)
			}
			asked = append(asked, stdout.String())
		}
		help := asked[0]
		if slices.ContainsFunc(asked, func(text string) bool { return text != help }) {
			t.Errorf("%s: help, --help and -h differ", c.name)
		}
		for line := range strings.Lines(help) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 80 || strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
				t.Errorf("%s: a line of %d characters: %q", c.name, utf8.RuneCountInString(line), line)
			}
		}
		if !strings.HasPrefix(help, cmpOr(c.name, "bashgate")+" ") || !strings.Contains(help, "\nUsage:\n") || !strings.Contains(help, "\nExample:\n  $ ") {
			t.Errorf("%s: its help has no first sentence, usage or example", c.name)
		}
		told := map[string]manual.Option{}
		read := manual.ReadHelp(help)
		for _, o := range append(read.Options, read.Unclear...) {
			for _, name := range o.Spellings {
				told[name] = o
			}
		}
		flags := newFlags(c.name)
		c.setup(flags)
		flags.VisitAll(func(f *flag.Flag) {
			name := spelt(f.Name)
			o, ok := told[name]
			if !ok {
				t.Errorf("%s: its help does not tell %s", c.name, name)
				return
			}
			delete(told, name)
			want := name + " " + f.Usage
			switch {
			case f.Usage == "" && f.DefValue == "true":
				want = name + "=false"
			case f.Usage == "":
				want = name
			case takesNone(f):
				want = name + "[=" + f.Usage + "]"
			}
			if !strings.Contains(" "+help, " "+want+"\n") && !strings.Contains(help, " "+want+" ") && !strings.Contains(help, " "+want+",") {
				t.Errorf("%s: its help does not write %q", c.name, want)
			}
			if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "0s" && !strings.Contains(want, "=false") && !strings.Contains(o.Text, "default: "+d) && !strings.Contains(o.Text, "default "+d) {
				t.Errorf("%s: its help does not say that %s is %s by default, but %q", c.name, name, d, o.Text)
			}
		})
		for name := range told {
			if name != "--help" && name != "-h" {
				t.Errorf("%s: its help tells %s, which it does not take", c.name, name)
			}
		}
		// Each verb has its line, and its help is the command's.
		for _, v := range c.verbs {
			if v.name == "" {
				continue
			}
			if !strings.Contains(help, "\n  bashgate "+c.name+" "+v.name) {
				t.Errorf("%s: its usage does not tell %s", c.name, v.name)
			}
			for _, args := range [][]string{{"help", c.name, v.name}, {c.name, v.name, "--help"}} {
				p, stdout, _ := process(t, nil, args...)
				if status := Run(p); status != exitOK || stdout.String() != help {
					t.Errorf("%q: status %d, %.80q", args, status, stdout.String())
				}
			}
		}
		if c.name != "" && !strings.Contains(usage, "\n  bashgate "+c.name+" ") {
			t.Errorf("bashgate help does not tell %s", c.name)
		}
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// What is misspelt is told with what was meant.
func TestMisspelt(t *testing.T) {
	for _, row := range []struct{ line, what, hint string }{
		{"chekc x", `unknown command "chekc"`, "did you mean check?"},
		{"help explian", `unknown command "explian"`, "did you mean explain?"},
		{"frobnicate", `unknown command "frobnicate"`, "see bashgate help"},
		{"check --moed plan ls", "unknown flag: --moed", "did you mean --mode?"},
		{"check --frob ls", "unknown flag: --frob", "see bashgate check --help"},
		{"hook claude --unatended", "unknown flag: --unatended", "did you mean --unattended?"},
		{"--unatended", "unknown flag: --unatended", "did you mean --unattended?"},
		{"hook cluade", "unknown host \"cluade\"", "did you mean claude?"},
		{"rules lnit", `rules can't "lnit"`, `did you mean "lint"?`},
		{"rules", "rules needs to know what to do", "one of list, show, lint"},
		{"config shwo", `config can't "shwo"`, `did you mean "show"?`},
		{"packs show guard-gti", "no rule pack is called guard-gti", "did you mean \"guard-git\"?"},
		{"doctor cluade", `"cluade" is no agent`, "did you mean \"claude\"?"},
		{"install cluade", "cluade", "did you mean \"claude\"?"},
		{"export gemnii", `no export for "gemnii"`, `did you mean "gemini"?`},
		{"check --profile stirct ls", "no profile is called stirct", "did you mean \"strict\"?"},
		{"check --packs gaurd-git ls", "no rule pack is called gaurd-git", "did you mean \"guard-git\"?"},
		{"check --mode acceptedits ls", "one of default,", "did you mean acceptEdits?"},
		{"init --agents claude,gemnii --preset usual --yes", "one of claude,", "did you mean gemini?"},
		{"install claude cluade", `"cluade" is no agent`, "did you mean \"claude\"?"},
		{"rules show git.psuh", `no program, file or rule "git.psuh"`, "did you mean git.push?"},
		{"rules show kubeclt", `no program, file or rule "kubeclt"`, "did you mean kubectl?"},
		{"completion bsah", `no completion for "bsah"`, `did you mean "bash"?`},
		{"rules list --tap", "--tap is for rules test", "see bashgate rules --help"},
		{"packs show --yes guard-git", "--yes is for packs enable and packs disable", "see bashgate packs --help"},
		{"log verify --here", "--here is for log alone", "see bashgate log --help"},
		{"log --head 1:2", "--head is for log verify", "see bashgate log --help"},
	} {
		p, stdout, stderr := process(t, strings.NewReader(""), strings.Fields(row.line)...)
		status := Run(p)
		what, hint, _ := strings.Cut(stderr.String(), "\n")
		if status != exitUsage || stdout.Len() > 0 || !strings.Contains(what, row.what) || !strings.Contains(hint, row.hint) {
			t.Errorf("%s: status %d, %q", row.line, status, stderr.String())
		}
	}
}

// A directory that is not there is told, and judged: it may be another machine's.
func TestNoDirectory(t *testing.T) {
	for line, want := range map[string]string{
		"check --cwd /no/such ls": "note: --cwd: no directory /no/such here", "explain --workspace /dev/null ls": "note: --workspace: no directory /dev/null here", "check --cwd / ls": "",
	} {
		p, stdout, stderr := process(t, strings.NewReader(""), strings.Fields(line)...)
		if status := Run(p); status != exitOK || !strings.HasPrefix(stdout.String(), "allow") || want == "" && stderr.Len() > 0 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: status %d, %q %q", line, status, stdout, stderr)
		}
	}
}

// Help has help, however it is asked for.
func TestHelpOfHelp(t *testing.T) {
	for _, line := range []string{"help help", "help --help", "help -h"} {
		p, stdout, stderr := process(t, strings.NewReader(""), strings.Fields(line)...)
		if status := Run(p); status != exitOK || stderr.Len() > 0 || stdout.String() != helpHelp {
			t.Errorf("%s: status %d, %q %q", line, status, stdout, stderr)
		}
	}
}

// anything are the words of the help for values that any text fits, or of which
// nobody can know beforehand whether it does.
var anything = strings.Fields("DIR DIRS FILE PATH TEXT NAME RULE SESSION CODE ID")

// No flag takes a value that it can't use, whatever the command: the error names
// the flag and what fits, and nothing else is done.
func TestBadValues(t *testing.T) {
	hook := command{name: "", setup: func(flags *flag.FlagSet) func(*Process, []string) (int, error) {
		(&hookFlags{}).declareAll(flags, new(bool))
		return nil
	}}
	home := t.TempDir()
	bad := map[string]string{"NAMES": "git push|x", "ADDR": "0.0.0.0:80", "HASH:SEQ": "x"}
	flagsSeen := 0
	for _, c := range append(commands(), hook) {
		declared := newFlags(c.name)
		c.setup(declared)
		declared.VisitAll(func(f *flag.Flag) {
			if slices.Contains(anything, f.Usage) && f.Name != "with" {
				return
			}
			verbs := []verb{{}}
			if len(c.verbs) > 0 {
				verbs = c.verbs
			}
			for i := range verbs {
				v := &verbs[i]
				if _, ok := c.takes(v, f.Name); !ok && len(c.verbs) > 0 {
					continue
				}
				value := "no-such-thing"
				if b, ok := bad[f.Usage]; ok {
					value = b
				}
				args := slices.DeleteFunc([]string{c.name, v.name, spelt(f.Name) + "=" + value}, func(arg string) bool { return arg == "" })
				kind := v.operands
				if v.name == "" {
					kind = c.operands
				}
				switch {
				case c.name == "shell":
					args = append(args, "-c", "ls")
				case c.name == "hook" || c.name == "install" || c.name == "uninstall" || kind == "HOST":
					args = append(args, "claude")
				case kind == "AGENT":
					args = append(args, "gemini")
				case c.name == "check", c.name == "explain", c.name == "exec", c.name == "allow", c.name == "block", c.name == "cop" && v.name != "replay":
					args = append(args, "ls")
				}
				p, stdout, stderr := process(t, strings.NewReader(""), args...)
				p.Getenv = func(name string) string { return map[string]string{"HOME": home}[name] }
				p.Getwd = func() (string, error) { return home, nil }
				status := Run(p)
				flagsSeen++
				what := stderr.String()
				if status != exitUsage || stdout.Len() > 0 {
					t.Errorf("%q passes: status %d, %.200q %.200q", args, status, stdout.String(), what)
					continue
				}
				if one, ok := f.Value.(interface{ choices() []string }); ok && !strings.Contains(what, "one of "+strings.Join(one.choices(), ", ")) {
					t.Errorf("%q: the error does not name the choices: %q", args, what)
				}
				if words := p.valuesOf(f.Usage); len(words) > 0 && f.Usage != "NAME" {
					for _, word := range words {
						if !strings.Contains(what, word.word) {
							t.Errorf("%q: the error does not name %s: %q", args, word.word, what)
						}
					}
				}
			}
		})
	}
	if flagsSeen < 60 {
		t.Errorf("only %d values were tried", flagsSeen)
	}
}

// Letters may be written together, as other commands take them.
func TestLetters(t *testing.T) {
	declare := func() (*flag.FlagSet, *bool, *bool, *int) {
		flags := newFlags("x")
		n := new(int)
		flags.Var(&number{n, 0, 100}, "n", "N")
		return flags, flags.Bool("f", false, ""), flags.Bool("q", false, ""), n
	}
	for _, row := range []struct {
		args     string
		f, q     bool
		n        int
		operands string
		wrong    bool
	}{
		{args: "-fq", f: true, q: true},
		{args: "-fn20", f: true, n: 20},
		{args: "-fn 20 a", f: true, n: 20, operands: "a"},
		{args: "-n20", n: 20},
		{args: "-n=20", n: 20},
		{args: "-fn=20", f: true, n: 20},
		{args: "a -- -fq", operands: "a -fq"},
		{args: "-fx", wrong: true},
		{args: "-n101", wrong: true},
		{args: "-nf", wrong: true},
	} {
		flags, f, q, n := declare()
		operands, err := parseFlags(flags, strings.Fields(row.args))
		if (err != nil) != row.wrong || err == nil && (*f != row.f || *q != row.q || *n != row.n || strings.Join(operands, " ") != row.operands) {
			t.Errorf("%s: -f %v, -q %v, -n %d, %q, %v", row.args, *f, *q, *n, operands, err)
		}
	}
}
