//go:build linux

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/internal/ruleset"
	"github.com/bashgate/bashgate/policy"
)

// The kinds that run nothing: what must hold between two verdicts.

// laws is what they look up.
type laws struct {
	programs []*match.Program
	known    ruleset.Known
	layered  map[string]*engine.Engine // by the layers that it has
}

func (w *worker) law() *laws {
	if w.laws == nil {
		w.laws = &laws{known: ruleset.KnownFrom(gates.All[:]), layered: map[string]*engine.Engine{}}
		for _, g := range gates.All {
			for _, p := range g.Programs() {
				if !slices.ContainsFunc(p.Rules, func(r match.Rule) bool { return r.AnyFlags }) && !strings.ContainsAny(p.Name, "/*") {
					w.laws.programs = append(w.laws.programs, p)
				}
			}
		}
	}
	return w.laws
}

// same are forms in which a line does what it does alone; eager ones hold for
// what is allowed, too.
var same = []struct {
	form  string
	eager bool
}{
	{"{ %s\n}", true}, {"(%s\n)", true}, {":\n%s", true}, {"%s\n:", true}, {"if :; then %s\nfi", true}, {"case a in *) %s\n;; esac", true}, {"\n\t%s\n", true}, {"# note\n%s", true},
	{"eval %q", false}, {"bash -c %q", false}, {"g9() { %s\n}; g9", false}, {"true && { %s\n}", false}, {"while %s\ndo break; done", false}, {"x=$(%s\n)", false}, {"{ %s\n} > /dev/null", false}, {"env bash -c %q", false}, {"bash <<'E9'\n%s\nE9", false}, {"trap %q EXIT", false}, {"echo %q | bash", false},
}

// abandoned are lines in which an expansion may be an error: what follows in the
// line is not run, which is more of the text in a form than alone.
var abandoned = regexp.MustCompile(`(?s)\$\{(!|[^}]*\?).*\n`)

// closing are words of the language that are none where a command begins.
var closing = []string{"else", "elif", "fi", "then", "do", "done", "esac", "in", "}"}

var arguments = regexp.MustCompile(`\$\{?[#!]?[0-9@*#_-]|shift|argv|BASH_ARG|local`)

// rewrite writes a line in another form. It is not looser there, and one that
// means the same to everybody is not stricter either.
func (w *worker) rewrite() (*find, error) {
	line, _ := w.line()
	form := same[w.IntN(len(same))]
	breaks := func(line string) (string, string) {
		// Of a text's own arguments a reader knows more than of the host's.
		if !form.eager && arguments.MatchString(line) {
			return "", ""
		}
		if abandoned.MatchString(line) {
			return "", ""
		}
		if strings.HasSuffix(line, `\`) || strings.Contains(line, "<<") || strings.ContainsAny(line, "\x00\r") {
			return "", ""
		}
		bare, wrapped := w.verdict(line, "bash"), w.verdict(wrap(form.form, line), "bash")
		for _, r := range slices.Concat(bare.Reasons, wrapped.Reasons) {
			switch r.ID {
			case "shell.parse-error", "shell.limit", "shell.guard": // these are about the text, not about what it does
				return "", ""
			}
			if word, _, _ := strings.Cut(r.Command(), " "); slices.Contains(closing, word) { // it ends the form
				return "", ""
			}
			if strings.HasPrefix(form.form, "while") && strings.HasPrefix(r.ID, "paths.") { // from turn to turn the directory is another one
				return "", ""
			}
		}
		switch {
		case bare.Decision > policy.Allow && wrapped.Decision == policy.Allow:
			return "not_allow", "asks alone: " + bare.Reason
		case form.eager && bare.Decision == policy.Allow && wrapped.Decision > policy.Allow:
			return "allow", "is allowed alone, asks in another form: " + wrapped.Reason
		}
		return "", ""
	}
	want, _ := breaks(line)
	if want == "" {
		return nil, nil
	}
	small := shrink(line, func(s string) bool { now, _ := breaks(s); return now == want })
	_, note := breaks(small)
	return &find{Shell: "bash", Line: wrap(form.form, small), Want: want, Note: note}, nil
}

// option gives a program of the tables options, one of which the table does not
// have or says to change or run something: that is never allowed.
func (w *worker) option() (*find, error) {
	l := w.law()
	p := l.programs[w.IntN(len(l.programs))]
	level := &p.Levels[w.IntN(len(p.Levels))]
	if level.Style != match.GNU || match.IsGlob(level.Path) || level.Path == "" && p.Levels[0].Table == nil {
		return nil, nil
	}
	words := strings.Fields(p.Name + " " + level.Path)
	var harmless, harmful []string
	open := false // the table takes options that it does not name
	for i := range level.Options {
		o := &level.Options[i]
		if len(o.Cases()) > 0 || o.More != nil {
			continue
		}
		for s := range strings.FieldsSeq(o.Spellings) {
			value := "1"
			if o.Kind != match.Flag && o.Kind != match.Data {
				value = "/etc/v"
			}
			spelled := s
			switch {
			case match.IsGlob(s):
				open = true
				continue
			case o.Arity == match.NoValue:
			case strings.HasPrefix(s, "--"):
				spelled += "=" + value
			default:
				spelled += value
			}
			switch o.Kind {
			case match.Flag, match.Data, match.Name:
				harmless = append(harmless, spelled)
			case match.Write, match.Delete, match.Move, match.Run, match.Script, match.Command:
				if o.Arity == match.Value && strings.HasPrefix(s, "-") {
					harmful = append(harmful, spelled)
				}
			}
		}
	}
	note := "the table says that the option changes or runs what it names"
	bad := ""
	if len(harmful) > 0 && w.chance(0.7) {
		bad = harmful[w.IntN(len(harmful))]
	} else if open {
		return nil, nil
	} else {
		bad, note = "--zz-no-such-option", "no table has the option"
	}
	for range w.IntN(3) {
		if len(harmless) > 0 {
			words = append(words, harmless[w.IntN(len(harmless))])
		}
	}
	words = append(words, bad)
	for range w.IntN(3) {
		words = append(words, []string{"a.txt", "src", "1"}[w.IntN(3)])
	}
	line := strings.Join(words, " ")
	v := w.verdict(line, "bash")
	if v.Decision != policy.Allow || reads(v.Tree, "/etc/v") { // by a rule in whose use the option reads
		return nil, nil
	}
	for i := len(words) - 1; i > 0; i-- {
		if shorter := slices.Delete(slices.Clone(words), i, i+1); words[i] != bad && w.verdict(strings.Join(shorter, " "), "bash").Decision == policy.Allow {
			words = shorter
		}
	}
	return &find{Shell: "bash", Line: strings.Join(words, " "), Want: "not_allow", Note: note + ": " + bad}, nil
}

// reads reports whether a command of a tree reads a file.
func reads(tree []engine.Node, file string) bool {
	var nodes []*engine.Node
	collect(tree, &nodes)
	return slices.ContainsFunc(nodes, func(n *engine.Node) bool {
		return slices.ContainsFunc(n.Reads, func(p engine.Place) bool { return p.Path == file })
	})
}

// tighter are rules that only tighten, about the program of a line.
var tighter = []string{
	"[[programs]]\nname = \"NAME\"\n[[programs.ask]]\nreason = \"Mine\"\n",
	"[[programs]]\nname = \"NAME\"\n[[programs.block]]\nreason = \"Mine\"\n",
	"[[paths]]\nid = \"mine\"\npath = [\"**/*.txt\"]\nread = \"ask\"\nreason = \"Mine\"\n",
	"[[paths]]\nid = \"mine\"\npath = [\"./src/**\", \"/etc/**\"]\nread = \"block\"\nreason = \"Mine\"\n",
	"[[env]]\nname = [\"x\", \"FOO\", \"A\"]\nset = \"ask\"\nreason = \"Mine\"\n",
}

// layer judges a line by more rules, or in a stricter profile: nothing gets
// looser.
func (w *worker) layer() (*find, error) {
	line, _ := w.line()
	at := engine.Request{Command: line, Cwd: jailWork, Workspace: jailWork, Home: jailHome, Shell: "bash"}
	before := w.evaluate(at)
	name := "ls"
	var nodes []*engine.Node
	collect(before.Tree, &nodes)
	if len(nodes) > 0 {
		if words := nodes[w.IntN(len(nodes))].Words(); len(words) > 0 {
			if s, ok := words[0].Const(); ok && s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == "" {
				name = s
			}
		}
	}
	which, text := w.IntN(4), ""
	stricter := w.engine
	switch which {
	case 0, 1:
		text = strings.ReplaceAll(tighter[w.IntN(len(tighter))], "NAME", name)
		e, err := w.with(which, text)
		if err != nil {
			return nil, err
		}
		stricter = e
	case 2:
		at.Profile = "strict"
	case 3:
		at.Unattended = true
	}
	breaks := func(line string) string {
		was := w.verdict(line, "bash")
		at.Command = line
		if is := stricter.Evaluate(at); is.Decision < was.Decision {
			return fmt.Sprintf("%v, and %v with %s%s%q", was.Decision, is.Decision, [...]string{"the project's", "the administrator's", "profile ", "nobody to ask"}[which], at.Profile, text)
		}
		return ""
	}
	note := breaks(line)
	if note == "" {
		return nil, nil
	}
	small := shrink(line, func(s string) bool { return breaks(s) != "" })
	return &find{Shell: "bash", Line: small, Want: "not_allow", Note: breaks(small)}, nil
}

// with is an engine that has further rules.
func (w *worker) with(which int, text string) (*engine.Engine, error) {
	l := w.law()
	key := fmt.Sprint(which, text)
	if e := l.layered[key]; e != nil {
		return e, nil
	}
	source := ruleset.Project
	if which == 1 {
		source = ruleset.User
	}
	compiled, err := ruleset.Compile([]*ruleset.File{ruleset.Load("more.toml", []byte(text), source)}, l.known)
	if err != nil {
		return nil, fmt.Errorf("%s\n%w", text, err)
	}
	o := engine.Options{Files: w.files}
	if rules := []*interp.Rules{interp.New(compiled)}; which == 0 {
		o.Project = rules
	} else {
		o.Managed = rules
	}
	if len(l.layered) > 500 {
		clear(l.layered)
	}
	l.layered[key] = engine.New(o)
	return l.layered[key], nil
}
