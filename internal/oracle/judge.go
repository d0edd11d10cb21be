//go:build linux

package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/policy"
)

// judge asks the engine about lines, as it would be asked in the jail.
type judge struct {
	engine  *engine.Engine
	files   policy.Files
	judging struct{ line, shell string } // what is judged, or was the last
}

func newJudge(tree map[string]string) *judge {
	files := new(disk.Memory)
	for name, text := range tree {
		if !path.IsAbs(name) {
			name = path.Join(jailWork, name)
		}
		files.WriteFile(name, text)
	}
	return &judge{engine: engine.New(engine.Options{Files: files}), files: files}
}

func (j *judge) verdict(line, shell string) engine.Verdict {
	return j.evaluate(engine.Request{Command: line, Shell: shell})
}

// evaluate answers a request where the jail is.
func (j *judge) evaluate(r engine.Request) engine.Verdict {
	j.judging.line, j.judging.shell = r.Command, r.Shell
	r.Cwd, r.Workspace, r.Home = jailWork, jailWork, jailHome
	return j.engine.Evaluate(r)
}

// aspect is one thing of what a command got that is compared with what the
// engine believed. That a variable is set at all is always compared.
type aspect struct {
	name string
	// differs says how a start is not what the node stands for, or "".
	differs func(*engine.Node, started) string
}

// aspects are compared beside the arguments. What the engine does not claim to
// know, nothing differs from.
var aspects = []aspect{{"dir", dirDiffers}, {"env", envDiffers}, {"input", inputDiffers}}

// unseen says what happened that an allowed line's verdict does not show, or
// "". A line that is not allowed promises nothing. Aspects that are named are
// not compared; "builtins" is one of them.
func unseen(v engine.Verdict, happened truth, but ...string) string {
	if v.Decision != policy.Allow {
		return ""
	}
	for _, p := range happened.Changed {
		if !strings.HasPrefix(p, "/tmp/zsh") && !strings.HasPrefix(p, "/tmp/sh-thd") {
			return "changed " + p
		}
		// The shells keep the text of here-documents there.
	}
	var nodes []*engine.Node
	collect(v.Tree, &nodes)
	sets := map[string]bool{}
	for _, n := range nodes {
		for _, name := range n.Sets() {
			sets[name] = true
		}
	}
	gives := givesFunctions(nodes)
	for _, run := range happened.Runs {
		if gives { // in variables of their own; what they run is judged as what may run
			run.Env = slices.DeleteFunc(slices.Clone(run.Env), func(pair string) bool { return strings.HasPrefix(pair, "BASH_FUNC_") })
		}
		for _, pair := range run.Env {
			if name, _, _ := strings.Cut(pair, "="); !shellOwn[name] && !sets[name] && !sets[""] {
				return fmt.Sprintf("set %s for %q", name, run.Argv)
			}
		}
		var those []*engine.Node
		beside := false
		for _, n := range nodes {
			switch {
			case matches(n.Words(), run):
				those = append(those, n)
			case repeats(n.Words(), run), pipes(n.Words(), run):
				beside = true
			}
		}
		if len(those) == 0 && !beside {
			return fmt.Sprintf("ran %q", run.Argv)
		}
		if what := differs(those, run, but); what != "" && !beside {
			return fmt.Sprintf("ran %q %s", run.Argv, what)
		}
	}
	if slices.Contains(but, "builtins") {
		return ""
	}
	for _, words := range happened.Builtin {
		for (words[0] == "builtin" || words[0] == "command") && len(words) > 1 {
			words = words[1:]
		}
		if watched[words[0]] && !slices.ContainsFunc(nodes, func(n *engine.Node) bool { return given(n.Words(), words) }) {
			return fmt.Sprintf("gave %q", words)
		}
	}
	return ""
}

// differs says in what none of the nodes that have a program's arguments is what
// was started, or "". One node has to explain all of it; the one that explains
// most is named.
func differs(those []*engine.Node, run started, but []string) string {
	what, most := "", -1
	for _, n := range those {
		at := slices.IndexFunc(aspects, func(a aspect) bool { return !slices.Contains(but, a.name) && a.differs(n, run) != "" })
		if at < 0 {
			return ""
		}
		if at > most {
			what, most = aspects[at].differs(n, run), at
		}
	}
	return what
}

func dirDiffers(n *engine.Node, run started) string {
	dirs := n.Simple().Dirs
	if len(dirs) == 0 || slices.Contains(dirs, run.Dir) {
		return ""
	}
	return fmt.Sprintf("in %s, not in %q", run.Dir, dirs)
}

// envDiffers compares what a program got beside what every line has. A value
// that the engine knows must be the one: where it names a variable twice, it
// means the last.
func envDiffers(n *engine.Node, run started) string {
	c := n.Simple()
	believed := slices.Concat(c.Env, c.Assigns)
	last := func(name string) *policy.Assign {
		for i := range slices.Backward(believed) {
			if believed[i].Name == name {
				return &believed[i]
			}
		}
		return nil
	}
	anything := last("") != nil
	for _, pair := range run.Env {
		name, value, _ := strings.Cut(pair, "=")
		switch a := last(name); {
		case shellOwn[name], anything:
		case a == nil:
			return "with " + pair
		case !a.Taken && !wordMatches(a.Value.Parts, a.Value.Text, value):
			return fmt.Sprintf("with %s, not %s", pair, a.Value)
		}
	}
	// What was exported earlier may have been on one way only; what stands before
	// the program is there.
	for _, a := range c.Assigns {
		begins := func(pair string) bool { return strings.HasPrefix(pair, a.Name+"=") }
		if a.Value.IsConst() && !a.Taken && !slices.ContainsFunc(run.Env, begins) && !slices.ContainsFunc(baseEnv, begins) {
			return "without " + a.Name
		}
	}
	for _, name := range run.Lost {
		if a := last(name); !anything && a != nil && !a.Taken && a.Value.IsConst() {
			return fmt.Sprintf("without %s, not with %s", name, a.Value)
		}
	}
	return ""
}

// inputDiffers compares standard input. Nothing at all gives no orders, so it is
// no difference.
func inputDiffers(n *engine.Node, run started) string {
	in := n.Simple().Stdin
	if run.Peeked && run.Input == "" || run.Stdin == "/dev/null" || run.Stdin == "" {
		return ""
	}
	switch in.Kind {
	case policy.InputText:
		if run.Peeked && !wordMatches(in.Text.Parts, in.Text.Text, run.Input) {
			return fmt.Sprintf("with input %q, not %q", run.Input, in.Text)
		}
	case policy.InputFile:
		name, known := in.Text.Const()
		if !known || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/") {
			return ""
		}
		// A relative name is seen from where the file was opened.
		is, base := run.Stdin, path.Base(path.Clean(name))
		if path.IsAbs(name) && is != path.Clean(name) || base != "." && base != ".." && path.Base(is) != base {
			return fmt.Sprintf("with input from %s, not from %s", run.Stdin, name)
		}
	case policy.InputHost:
		if run.Peeked {
			return fmt.Sprintf("with input %q, and not the host's", run.Input)
		}
	}
	return ""
}

// given reports whether a builtin's arguments are those that words stand for. A
// shell writes down declare x=(a) as declare x, or as its elements.
func given(words []policy.Word, argv []string) bool {
	if len(words) > 0 {
		if name, _ := words[0].Const(); name == "builtin" {
			words = words[1:]
		}
	}
	if matches(words, started{Path: argv[0], Argv: argv}) {
		return true
	}
	short := slices.Clone(words)
	for i, w := range short {
		name, _, ok := strings.Cut(w.Prefix(), "=")
		if name = strings.TrimSuffix(name, "+"); ok && i > 0 && i < len(argv) && (argv[i] == name || strings.HasPrefix(argv[i], name+"+=")) {
			short[i] = policy.Const(argv[i]) // what it comes to is compared as a value
		}
	}
	if i := slices.IndexFunc(argv, func(s string) bool { return strings.HasSuffix(s, "=(") }); i > 0 {
		return true
	}
	return slices.Contains(declaring, argv[0]) && matches(short, started{Path: argv[0], Argv: argv})
}

// declaring are the builtins that take assignments.
var declaring = []string{"declare", "typeset", "local", "export", "readonly"}

// watched are the builtins whose arguments are compared, where a shell wrote
// them down.
var watched = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(". alias cd declare echo eval export hash kill let local mapfile popd printf pushd read readarray readonly set shift shopt source test [ trap type typeset ulimit umask unalias unset wait") {
		set[name] = true
	}
	return set
}()

// shellOwn are the variables that shells and the real programs set for their
// children unasked.
var shellOwn = map[string]bool{"_": true, "SHLVL": true, "PWD": true, "OLDPWD": true, "_STDBUF_O": true, "_STDBUF_I": true, "_STDBUF_E": true}

func collect(tree []engine.Node, into *[]*engine.Node) {
	for i := range tree {
		*into = append(*into, &tree[i])
		collect(tree[i].Children, into)
	}
}

// repeats reports whether a program is the one that xargs starts where it is
// given none: it prints what xargs reads.
func repeats(words []policy.Word, run started) bool {
	if len(words) == 0 || path.Base(run.Path) != "echo" {
		return false
	}
	name, _ := words[0].Const()
	return name == "xargs"
}

// pipes reports whether a program is the shell that awk or sed starts for a
// command in the text of its program: awk '{"ls" | getline}' runs sh -c ls.
// What that starts must be seen on its own.
func pipes(words []policy.Word, run started) bool {
	if len(words) == 0 || path.Base(run.Path) != "sh" || len(run.Argv) != 3 || run.Argv[1] != "-c" {
		return false
	}
	name, _ := words[0].Const()
	return strings.HasSuffix(path.Base(name), "awk") || path.Base(name) == "sed"
}

// matches reports whether a program that was started is the command that the
// words stand for.
func matches(words []policy.Word, run started) bool {
	if len(words) == 0 || len(run.Argv) == 0 {
		return false
	}
	name, ok := words[0].Const()
	if !ok || path.Base(name) != path.Base(run.Path) {
		return false
	}
	return wordsMatch(words[1:], run.Argv[1:])
}

func wordsMatch(words []policy.Word, argv []string) bool {
	if len(words) == 0 {
		return len(argv) == 0
	}
	w := words[0]
	if w.MaySplit() {
		for i := range len(argv) + 1 {
			if wordsMatch(words[1:], argv[i:]) {
				return true
			}
		}
		return false
	}
	if len(argv) == 0 || !wordsMatch(words[1:], argv[1:]) {
		return false
	}
	if wordMatches(w.Parts, w.Text, argv[0]) {
		return true
	}
	// The home of another user stays as it is written: the tables know it so.
	rest, ok := strings.CutPrefix(argv[0], "/root")
	return ok && wordMatches(w.Parts, w.Text, "~root"+rest)
}

// wordMatches reports whether a word may have the value.
func wordMatches(parts []policy.Part, text, value string) bool {
	if parts == nil {
		return text == value
	}
	if len(parts) == 0 {
		return value == ""
	}
	p := parts[0]
	if p.Kind == policy.Lit {
		rest, ok := strings.CutPrefix(value, p.Text)
		return ok && wordMatches(parts[1:], "", rest) || ok && len(parts) == 1 && rest == ""
	}
	for i := range len(value) + 1 {
		if len(parts) == 1 {
			return true
		}
		if wordMatches(parts[1:], "", value[i:]) {
			return true
		}
	}
	return false
}

// givesFunctions reports whether a command exports functions to the shells that come.
func givesFunctions(nodes []*engine.Node) bool {
	return slices.ContainsFunc(nodes, func(n *engine.Node) bool {
		words := n.Words()
		return len(words) > 1 && words[0].String() == "export" && slices.ContainsFunc(words[1:], func(w policy.Word) bool {
			return strings.HasPrefix(w.String(), "-") && strings.Contains(w.String(), "f")
		})
	})
}
