package task

import "slices"

// This file tells which branch of the repository at hand a git command changes:
// the one that is checked out, or the one that git rebase is told to check out
// first. Source: git-commit(1), git-merge(1), git-rebase(1) and their like.

// changesHead are the subcommands that move the branch that is checked out.
var changesHead = [...]string{"commit", "merge", "rebase", "cherry-pick", "revert", "am", "pull", "reset"}

// ChangesHead reports whether a subcommand of git moves the branch that is
// checked out.
func ChangesHead(subcommand string) bool { return slices.Contains(changesHead[:], subcommand) }

// here finds the branch that a command changes in the repository itself.
func (p *push) here(workspace string) {
	for i := range p.Call.Options {
		if o := &p.Call.Options[i]; !o.Off && (o.Is("--git-dir") || o.Is("--work-tree") || o.Is("--bare") || o.Is("--namespace") || o.Is("--super-prefix")) {
			p.doubt("an option may name another repository")
		}
	}
	p.environment()
	if !p.read(workspace) {
		return
	}
	rebase := p.Call.Path[0] == "rebase"
	switch {
	case rebase && len(p.Call.Operands) > 1:
		branch, known := p.Call.Operands[1].Const()
		if !known || !isBranch(branch) {
			p.doubt("it is not known what %s is", p.Call.Operands[1].String())
			return
		}
		p.branches = append(p.branches, branch)
	case p.head != "":
		p.branches = append(p.branches, p.head)
	case rebase:
		p.doubt("no branch is checked out")
	}
}
