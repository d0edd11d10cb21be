package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// copied returns the name of a program that is called by the path of the
// workspace's own copy of it: ./node_modules/.bin/eslint, .venv/bin/pytest,
// ./gradlew. The rules of the file that names the place must know it, so that
// node_modules/.bin/ls stays a file that nobody knows; what runs is code of
// the project. A file that the same line writes is none of them.
func (j *judge) copied(n *Node) (string, bool) {
	text, ok := n.command.Words[0].Const()
	if !ok || n.command.Where != policy.Here || !j.builtInHolds() {
		return "", false
	}
	name := path.Base(text)
	targets := j.resolve(n.command.Words[0], n.command.Dirs)
	for _, t := range targets {
		if !j.ownCopy(n, t, name) {
			return "", false
		}
	}
	if len(targets) == 0 {
		return "", false
	}
	n.Effects |= policy.Executes
	return name, true
}

// ownCopy reports whether a file of the workspace is a copy of the program
// name, or a link to the one of the system, as virtual environments have it.
func (j *judge) ownCopy(n *Node, t target, name string) bool {
	if !t.known || t.pattern || !j.inWorkspace(target{path: t.path, real: t.path, known: true}) {
		return false
	}
	if !j.inWorkspace(t) {
		base, ok := j.identify(policy.Const(t.real), policy.Here)
		if !ok {
			base, ok = j.origin(t.real)
		}
		if !ok || !strings.HasPrefix(base, name) && unversioned(base) != unversioned(name) {
			return false
		}
	}
	if j.rewritten(t.path) != nil || j.rewritten(t.real) != nil {
		return false
	}
	for g := range j.allGates() {
		if len(g.Copies) > 0 && match.AnyGlob(g.Copies, t.path) && g.Has(name) {
			j.opened = append(j.opened, opened{path: t.real, at: len(j.wrote.list)})
			return true
		}
	}
	return false
}

// unversioned is a program's name without a version: python of python3.12.
func unversioned(name string) string { return strings.TrimRight(name, "0123456789.") }

// origin is the name of a program that copies may be links to.
func (j *judge) origin(file string) (string, bool) {
	forms := []string{file}
	if home, ok := j.homeForm(file); ok {
		forms = append(forms, home)
	}
	for _, g := range gates.All {
		for _, form := range forms {
			for _, glob := range g.Origins {
				if match.PathGlob(glob, form) {
					return path.Base(file), true
				}
			}
		}
	}
	return "", false
}
