package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// Where a user's file allows something at a place, a path must surely lie
// there: as it is written and with all links followed, and nothing that the
// same line does may change where it leads (steady.go).

// lies reports whether a path surely lies where one of the globs says: ./ is
// the workspace, ~/ the home directory. "!" excludes.
func (j *judge) lies(n *Node, t target, globs []string) bool {
	if strings.ContainsAny(t.path, "*?{") {
		return false // a pattern, for some programs
	}
	return t.known && !t.pattern && j.written(globs, t.path) && j.meant(globs, t.real, true) && j.steady(n, t)
}

// written reports whether globs mean a path as it is written. It may be written
// with the links to the workspace followed, too.
func (j *judge) written(globs []string, p string) bool {
	return j.meant(globs, p, false) || j.meant(globs, p, true)
}

// meant reports whether globs mean a path, which has its links followed or
// not.
func (j *judge) meant(globs []string, p string, followed bool) bool {
	in := false
	for _, glob := range globs {
		text, exclude := strings.CutPrefix(glob, "!")
		switch text = j.absolute(text, followed); {
		case exclude && (match.PathGlob(text, p) || match.PathGlob(strings.ToLower(text), strings.ToLower(p))):
			return false
		case !exclude:
			in = in || match.PathGlob(text, p)
		}
	}
	return in
}

// absolute writes a glob of a user's file as one over absolute paths. Where
// links are followed, those that lead to the workspace and to what lies
// outside of it are too: nobody but the user makes these.
func (j *judge) absolute(glob string, followed bool) string {
	workspace := path.Clean(j.request.Workspace)
	if glob == "." {
		glob = "./"
	}
	if rest, ok := strings.CutPrefix(glob, "./"); ok {
		if j.request.Workspace == "" {
			return ""
		}
		if followed {
			workspace = j.follow(workspace)
		}
		return strings.TrimSuffix(plainGlob(workspace)+"/"+rest, "/")
	}
	if glob == "~" {
		glob = "~/"
	}
	if rest, ok := strings.CutPrefix(glob, "~/"); ok {
		glob = strings.TrimSuffix(plainGlob(j.expandHome("~"))+"/"+rest, "/")
	}
	if !followed || !strings.HasPrefix(glob, "/") {
		return glob
	}
	dir := match.FixedDir(glob)
	switch {
	case strings.Contains(dir, `\`):
		return glob
	case j.request.Workspace != "" && within(dir, workspace):
		return plainGlob(j.follow(workspace)) + glob[len(workspace):]
	case dir == glob:
		dir = path.Dir(dir) // what the last name leads to is another file
	}
	if dir == "" || dir == "/" {
		return glob
	}
	return plainGlob(j.follow(dir)) + glob[len(dir):]
}

// plainGlob is a glob that matches a text alone.
func plainGlob(text string) string {
	if !strings.ContainsAny(text, match.Wildcards) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(match.Wildcards, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// grants notes the rows that allow what happens to the files that a word
// means, and returns what one of them lifts, nil if there is none.
func (j *judge) grants(n *Node, w policy.Word, places []target, o op) *lift {
	var granted *lift
	if l := j.makes(n, w, places, o); l != nil {
		n.lifts, granted = append(n.lifts, *l), l
	}
	for _, own := range j.lenientPaths() {
		row := own.row
		if ruleDecision(row, o) != policy.Allow || len(places) == 0 ||
			slices.ContainsFunc(places, func(t target) bool {
				return !j.lies(n, t, row.Globs) && !(o == opDelete && j.allLie(n, w, t, row.Globs))
			}) {
			continue
		}
		l := own.lift(row.ID, row.Lifts, row.File, row.Line, o.about(w))
		l.edits = o != opRead
		n.lifts = append(n.lifts, l)
		granted = &l
	}
	return granted
}

// lenientPaths are the rows about places that drop asks: those of the profile
// and, as the last word, of users' files.
func (j *judge) lenientPaths() []own[match.PathRule] {
	var all []own[match.PathRule]
	for _, g := range j.profiles {
		for i := range g.Paths {
			if len(g.Paths[i].Lifts) > 0 {
				all = append(all, own[match.PathRule]{&g.Paths[i], ofProfile})
			}
		}
	}
	if all == nil {
		return j.engine.lenient().paths
	}
	return append(all, j.engine.lenient().paths...)
}

// about is what a reason about a file says that it is about.
func (o op) about(w policy.Word) string {
	return [...]string{"read ", "write ", "delete "}[o] + w.String()
}

// allLie reports whether all files that a pattern of the line matches surely
// lie where one of the globs says. Only the last name may be one: what lies
// behind another could be a link. So may be what matches, but to remove a link
// leaves alone what it leads to.
func (j *judge) allLie(n *Node, w policy.Word, t target, globs []string) bool {
	dir, name := path.Split(t.path)
	dir = strings.TrimSuffix(dir, "/")
	if !t.known || !t.pattern || match.FixedDir(t.path) != dir || name == "" || name[0] == '.' || strings.Trim(name, plainName+"*?") != "" {
		return false
	}
	if last := w.Parts[len(w.Parts)-1]; strings.HasSuffix(last.Text, "/") {
		return false // what the links among them lead to
	}
	if slices.ContainsFunc(globs, func(glob string) bool { return glob[0] == '!' }) {
		return false
	}
	in := j.target(dir, false, true)
	// A name that no glob has stands for all that the pattern matches.
	const any = "\x00"
	return j.written(globs, in.path+"/"+any) && j.meant(globs, in.real+"/"+any, true) && j.steady(n, in)
}

const plainName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// InWorkspace tells whether the request's workspace is one that globs mean. All
// below a directory means the directory, too.
func (j *judge) InWorkspace(globs []string) policy.Tri {
	if j.request.Workspace == "" {
		return policy.Maybe
	}
	workspace := path.Clean(j.request.Workspace)
	globs = reaching(globs)
	if j.meant(globs, workspace, false) || j.meant(globs, j.follow(workspace), true) {
		return policy.Yes
	}
	return policy.No
}

// InDirectory reports whether a directory, with links followed, is one that globs
// mean.
func (j *judge) InDirectory(dir string, globs []string) policy.Tri {
	if !path.IsAbs(dir) {
		return policy.Maybe
	}
	dir = path.Clean(dir)
	real := j.follow(dir)
	if !j.meant(reaching(globs), real, true) {
		return policy.No
	}
	if j.wrote.covering(dir, linking).some() || j.wrote.covering(real, linking).some() {
		return policy.Maybe // the same line may have put a link there
	}
	j.relied = append(j.relied, relied{path: real})
	return policy.Yes
}

// reaching adds to globs over all that lies below directories the directories
// themselves.
func reaching(globs []string) []string {
	for _, glob := range globs[:len(globs):len(globs)] {
		if dir, ok := strings.CutSuffix(glob, "/**"); ok {
			globs = append(globs, dir)
		}
	}
	return globs
}
