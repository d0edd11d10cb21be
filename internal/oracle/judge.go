//go:build linux

package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/disk"
	"github.com/bashgate/bashgate/internal/policy"
)

// judge asks the engine about lines, as it would be asked in the jail.
type judge struct {
	engine *engine.Engine
}

func newJudge() *judge {
	files := new(disk.Memory)
	for name, text := range fixture {
		files.WriteFile(path.Join(jailWork, name), text)
	}
	return &judge{engine.New(engine.Options{Files: files})}
}

func (j *judge) verdict(line, shell string) engine.Verdict {
	return j.engine.Evaluate(engine.Request{
		Command: line, Cwd: jailWork, Workspace: jailWork, Home: jailHome, Shell: shell,
	})
}

// unseen says what happened that an allowed line's verdict does not show, or
// "". A line that is not allowed promises nothing.
func unseen(v engine.Verdict, happened truth) string {
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
	for _, run := range happened.Runs {
		if !slices.ContainsFunc(nodes, func(n *engine.Node) bool {
			return matches(n.Words(), run) || repeats(n.Words(), run) || pipes(n.Words(), run)
		}) {
			return fmt.Sprintf("ran %q", run.Argv)
		}
		for _, pair := range run.Env {
			name, _, _ := strings.Cut(pair, "=")
			if !shellOwn[name] && !sets[name] && !sets[""] {
				return fmt.Sprintf("set %s for %q", name, run.Argv)
			}
		}
	}
	return ""
}

// shellOwn are the variables that shells and the real programs set for their
// children unasked.
var shellOwn = map[string]bool{"_": true, "SHLVL": true, "PWD": true, "OLDPWD": true, "_STDBUF_O": true, "_STDBUF_I": true, "_STDBUF_E": true, "LD_PRELOAD": false}

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
	return len(argv) > 0 && wordMatches(w.Parts, w.Text, argv[0]) && wordsMatch(words[1:], argv[1:])
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
