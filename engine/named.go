package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/gates"
	"github.com/bashgate/bashgate/internal/interp"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A program that a line names by a path is judged three ways: by the tables
// that files give to this path, by the text of the script that it is, and by
// what blocks a program called so, wherever it lies.
//
//	./scripts/check.sh    [[programs]] name = "./scripts/check.sh"
//	./acme destroy        what blocks acme destroy

// filed is a table about a file, and how far the program of a command is that
// file.
type filed struct {
	program *match.Program
	layer   layer
	sure    bool   // it surely is: an allow may hold
	why     string // what keeps it from that
}

// files lists the tables about the file that a command runs. sure says that
// one of them surely is about it.
func (j *judge) files(n *Node) (list []filed, sure bool) {
	text, known := n.command.Words[0].Const()
	if !known || !strings.Contains(text, "/") || n.command.Where != policy.Here || len(n.command.Dirs) == 0 && text[0] != '/' {
		return nil, false
	}
	var targets []target
	add := func(programs []*match.Program, of layer) {
		for _, p := range programs {
			if targets == nil {
				targets = j.resolve(n.command.Words[0], n.command.Dirs)
			}
			if f, is := j.isFile(n, p, targets); is {
				f.layer, f.sure = of, f.sure && of != ofProject
				list, sure = append(list, f), sure || f.sure
			}
		}
	}
	for _, owner := range j.engine.layers() {
		for _, rules := range owner.rules {
			add(interp.Files(rules), owner.layer)
		}
	}
	for _, g := range j.profiles {
		add(g.Files(), ofProfile)
	}
	return list, sure
}

// isFile tells whether a table is about the file that a command runs: for
// certain if all that it may mean is, as it is written and with links followed.
func (j *judge) isFile(n *Node, p *match.Program, targets []target) (filed, bool) {
	f := filed{program: p, sure: len(targets) > 0}
	globs := append([]string{anywhere(p.Name)}, p.Aliases...)
	for i := range globs[1:] {
		globs[1+i] = anywhere(globs[1+i])
	}
	is := false
	for _, t := range targets {
		if t.pattern || !t.known {
			f.sure = false
			continue
		}
		written, followed := j.written(globs, t.path), j.meant(globs, t.real, true)
		is = is || written || followed
		switch {
		case !written:
			f.sure = false
		case !followed:
			f.sure, f.why = false, "it leads to "+j.shown(t.real, 0)
		case f.sure && !(j.steady(n, t) && j.untouched(n, t)):
			f.sure, f.why = false, "the same line changes it"
		}
	}
	return f, is
}

// anywhere writes */init.sh, which is anywhere in the workspace, as a glob of
// paths tables.
func anywhere(name string) string {
	if rest, ok := strings.CutPrefix(name, "*/"); ok {
		return "./**/" + rest
	}
	return name
}

// judge judges a command by the table. Where the program only may be the file,
// its allows don't count. It reports whether the table lets it pass where only
// what is listed does.
func (f *filed) judge(c *match.Call) bool {
	held, unknowns := len(c.Held), len(c.Unknowns)
	c.Layer = uint8(f.layer)
	c.Judge(f.program)
	if f.sure {
		return f.layer == ofProfile ||
			slices.ContainsFunc(c.Held[held:], func(h match.Held) bool { return h.Decision == policy.Allow }) ||
			slices.ContainsFunc(c.Unknowns[unknowns:], func(u match.Undecided) bool { return u.Decision == policy.Allow })
	}
	c.Held = slices.DeleteFunc(c.Held, func(h match.Held) bool {
		held--
		return held < 0 && h.Decision == policy.Allow
	})
	c.Unknowns = slices.DeleteFunc(c.Unknowns, func(u match.Undecided) bool {
		unknowns--
		return unknowns < 0 && u.Decision < policy.Block
	})
	return false
}

// filed judges a command by tables about files of which its program only may
// be one: what asks or blocks counts.
func (j *judge) filed(n *Node, files []filed) {
	for i := range files {
		f := &files[i]
		if f.why != "" {
			n.Near = append(n.Near, Near{f.program.Name, f.program.File, f.program.Line, f.why})
		}
		call := j.newCall(n.command, path.Base(n.command.Words[0].Text))
		f.judge(call)
		j.held(n, call)
		j.free(call)
	}
}

// file notes the file that a command runs, for which a table speaks, and what
// blocks it all the same: programs called so, and the text of the script that
// it is. It returns the name without its directory.
func (j *judge) file(n *Node, depth int) string {
	w := n.command.Words[0]
	n.Effects |= policy.Executes
	j.runs(n, w, n.command.Dirs)
	j.called(n, depth)
	script := Node{command: n.command, Pos: n.Pos, since: n.since}
	j.scriptFile(&script, depth)
	keepBlocks(n, &script)
	return path.Base(w.Text)
}

// called judges a program that is named by a path by the rules of programs
// called like it, and keeps what they block: the file at hand may be one.
func (j *judge) called(n *Node, depth int) {
	for _, name := range j.callings(n) {
		call := j.newCall(n.command, name)
		j.gates(call)
		for _, handler := range call.Handlers {
			gates.Handle(handler, call)
		}
		call.Held = slices.DeleteFunc(call.Held, func(h match.Held) bool { return h.Decision < policy.Block || h.Rule.Named })
		call.Unknowns = slices.DeleteFunc(call.Unknowns, func(u match.Undecided) bool { return u.Decision < policy.Block })
		j.moved(call)
		j.held(n, call)
		j.blocks(n, call, call.Uses, depth)
		j.free(call)
	}
}

// callings lists what the program of a command may be called: the last name of
// its path, and of what a link leads to.
func (j *judge) callings(n *Node) []string {
	w := n.command.Words[0]
	var names []string
	if name, ok := calling(w); ok {
		names = append(names, name)
	}
	if w.Parts == nil && n.command.Where == policy.Here && len(n.command.Dirs) > 0 {
		for _, t := range j.resolve(w, n.command.Dirs) {
			if name := path.Base(t.real); t.known && !slices.Contains(names, name) && name != "/" {
				names = append(names, name)
			}
		}
	}
	return names
}

// calling is the last name of the path that a word is, where that is known.
func calling(w policy.Word) (string, bool) {
	text := w.Text
	if w.Parts != nil {
		last := w.Parts[len(w.Parts)-1]
		if last.Kind != policy.Lit {
			return "", false
		}
		text = last.Text
	}
	slash := strings.LastIndexByte(text, '/')
	return text[slash+1:], slash >= 0 && slash+1 < len(text)
}

// callName is the name that rules which ask or block know a program by: its own,
// in whatever directory it lies.
func (j *judge) callName(c *policy.Command) (string, bool) {
	w := c.Words[0]
	if name, ok := j.identify(w, c.Where); ok {
		return name, true
	}
	return calling(w)
}
