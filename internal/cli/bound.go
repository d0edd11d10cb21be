package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/approval"
	"github.com/bashgate/bashgate/internal/catalogue"
	"github.com/bashgate/bashgate/internal/cop"
	"github.com/bashgate/bashgate/internal/system"
	"github.com/bashgate/bashgate/policy"
)

// What an answer is bound to: whatever could make the same bytes do something else.

// bound is what an answer to the question holds for.
func (g *gate) bound(r *engine.Request, v *engine.Verdict) (approval.Bound, error) {
	command, err := g.given(r)
	if err != nil {
		return approval.Bound{}, err
	}
	b := approval.Bound{
		Host: r.Host, Session: g.name, Command: command, Cwd: r.Cwd, Workspace: r.Workspace, Labels: g.counted(), Asker: g.process.Asker,
	}
	if g.alone {
		b.Session = ""
	}
	if !g.question.Shell || g.question.Aside {
		b.Tool = g.question.Tool.Name
	}
	for i := range v.Reasons {
		// What the session has seen is in the labels, and a reviewer may say today
		// what it did not say yesterday.
		if id := v.Reasons[i].ID; v.Reasons[i].Counts() > policy.Allow && id != "mode.unattended" && !ofTaint(id) {
			b.Rules = append(b.Rules, id)
		}
	}
	if g.review.Kind == cop.Flag { // whoever approved before did not know
		b.Rules = append(b.Rules, flaggedMark)
	}
	files := newBindings(r, g.store.Away)
	words(command, files.names)
	spoken := maps.Clone(files.names)
	files.line(v.Tree)
	listed, err := files.list()
	if err != nil {
		return approval.Bound{}, err
	}
	variables := g.variables(r.Getenv, files.names)
	b.Env = append(hashes(r.Getenv, variables), "(shell)="+r.Shell)
	// A variable may name a file that a program obeys: GIT_CONFIG_GLOBAL.
	files.values(r.Getenv, variables, spoken)
	again, err := files.list()
	if err != nil {
		return approval.Bound{}, err
	}
	b.Files = append(listed, again...)
	if real, err := filepath.EvalSymlinks(system.Native(r.Cwd)); err == nil && !g.store.Away {
		b.Env = append(b.Env, "(directory)="+hashed([]byte(real))) // Cwd may be a link
	}
	b.Does = g.told(v)
	for _, list := range [...]*[]string{&b.Env, &b.Files, &b.Does, &b.Labels, &b.Rules} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return b, nil
}

// flaggedMark stands among the rules where a reviewer has flagged what is asked.
const flaggedMark = "(flagged by the reviewer)"

// counted is what counts of what the session has seen, in words, and of what is
// known of it elsewhere.
func (g *gate) counted() []string {
	list := g.session().Seen(g.judge.taintRules().From)
	if s := g.question.Seen; s.Corruption+s.Secret > 0 {
		list = append(list, fmt.Sprintf("where it runs: corruption %d, secret %d", s.Corruption, s.Secret))
	}
	if g.question.Seen.Damaged {
		list = append(list, "where it runs: a record that can't be trusted")
	}
	return list
}

// steering are variables that change what any line does.
var steering = [...]string{"PATH", "HOME", "SHELL", "IFS", "BASH_ENV", "ENV", "ZDOTDIR", "CDPATH", "SHELLOPTS", "BASHOPTS", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"}

// variables names the variables that change what a line does: those that shells and
// programs obey, and those whose names stand in what it runs.
func (g *gate) variables(getenv func(string) string, named map[string]bool) (list []string) {
	if getenv == nil {
		return nil
	}
	for _, name := range steering {
		named[name] = true
	}
	names := g.question.Vars
	if names == nil {
		environ := os.Environ
		if g.process.Environ != nil {
			environ = g.process.Environ
		}
		for _, pair := range environ() {
			name, _, _ := strings.Cut(pair, "=")
			names = append(names, name)
		}
	}
	for _, name := range names {
		if name != "" && (catalogue.Obeyed(name) || steersShell(name)) {
			named[name] = true
		}
	}
	delete(named, "_") // the program that the agent has started, which is the hook
	for name := range named {
		if getenv(name) != "" {
			list = append(list, name)
		}
	}
	return list
}

// hashes lists variables with hashes of their values.
func hashes(getenv func(string) string, names []string) (list []string) {
	for _, name := range names {
		list = append(list, name+"="+hashed([]byte(getenv(name))))
	}
	return list
}

func hashed(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// words adds the words of a text that could be names of variables.
func words(text string, to map[string]bool) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		if word[0] > '9' && len(word) < 100 {
			to[word] = true
		}
	}
}
