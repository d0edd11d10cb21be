package engine

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A pattern of the line becomes the files that it matches when the command
// runs. For reading they are looked up now: that one appears in between is a
// race which shows no more than the agent could ask for next. What is written
// or removed stays a pattern.

// Looking up a pattern takes no more than this; one that needs more stays as
// it is.
const (
	maxListed      = 4096 // names in a directory
	maxListedDirs  = 64   // directories
	maxListedFiles = 512  // files that match
)

// readRule is the strictest rule about reading a file, or what a pattern
// matches; nil if there is none.
func (j *judge) readRule(t target) *match.PathRule {
	files, all := j.listed(t)
	if all {
		t = looked(t)
	}
	found := j.pathRule(t, opRead)
	if t.pattern && t.known && !all {
		if rule := j.rooted(t); rule != nil && (found == nil || rule.Read > found.Read) {
			found = rule
		}
	}
	if !t.known {
		if rule := j.unrooted(t); rule != nil && (found == nil || rule.Read > found.Read) {
			found = rule
		}
	}
	for _, file := range files {
		if rule := j.pathRule(file, opRead); rule != nil && (found == nil || rule.Read > found.Read) {
			found = rule
		}
	}
	return found
}

// matched is a word whose unknown values are each one match of a pattern, with
// these patterns in their place: in a loop over src/*.go.
func matched(w policy.Word) (policy.Word, bool) {
	if !w.HasHole() {
		return w, false
	}
	parts := make([]policy.Part, len(w.Parts))
	for i, p := range w.Parts {
		if p.Kind == policy.Hole || p.Kind == policy.Split {
			if p.Match == "" {
				return w, false
			}
			p = policy.Part{Kind: policy.Glob, Text: p.Match}
		}
		parts[i] = p
	}
	return policy.Word{Parts: parts, Pos: w.Pos}, true
}

// onlyMatched is a file whose name is, whatever else is not known of it, a match of
// a pattern, as if the pattern stood in its place: in a loop over src/*.go.
func onlyMatched(u *match.Use) *match.Use {
	if !u.Word.HasHole() || u.Word.MaySplit() {
		return u
	}
	for _, p := range u.Word.Parts {
		if p.Kind == policy.Hole && !match.IsGlob(p.Match) {
			return u // Match is one of the values that it may have
		}
	}
	pattern := *u
	pattern.Word, _ = matched(u.Word)
	return &pattern
}

// strays are files that patterns match by links out of the workspace.
func (j *judge) strays(places []target) (out []target) {
	for _, t := range places {
		if !t.pattern || !j.inWorkspace(t) {
			continue
		}
		files, _ := j.listed(t)
		for _, file := range files {
			if !j.inWorkspace(file) && !j.isDir(file.real) {
				out = append(out, file)
			}
		}
	}
	return out
}

// rooted is the strictest row about reading a place that a pattern may name,
// among those that say where the place is: ~/.config/gh/*.yml may be hosts.yml.
func (j *judge) rooted(t target) *match.PathRule {
	if found, known := j.recall(t, opRead, true); known {
		return found
	}
	var found *match.PathRule
	defer func() { j.remember(t, opRead, true, found) }()
	for _, form := range j.spellings(t) {
		if rule := j.places().meets(form, opRead); rule != nil && rule.Read > policy.Allow && (found == nil || rule.Read > found.Read) {
			found = rule
		}
	}
	return found
}

// unrooted is the strictest row about reading what a word names behind a directory
// that is not known, if that is somebody's home, or the root: "$d"/.ssh/config. What
// begins with a wildcard says too little for that.
func (j *judge) unrooted(t target) *match.PathRule {
	var found *match.PathRule
	for rest := t.path; ; {
		name, below, more := strings.Cut(rest[1:], "/")
		if !more {
			return found
		}
		rest = rest[len("/"+name):]
		if !match.IsGlob(name) || below == "" || isWild(below[:1]) {
			continue
		}
		for _, form := range [...]string{"~" + rest, rest} {
			if rule := j.places().meets(form, opRead); rule != nil && rule.Read > policy.Allow && (found == nil || rule.Read > found.Read) {
				found = rule
			}
		}
	}
}

// meet reports whether some path matches two patterns, of which the first
// crosses no directory and names hidden files only by their dot.
func meet(form, glob string) bool {
	if apart(form, glob) {
		return false
	}
	for {
		name, below, more := strings.Cut(form, "/")
		part, rest, deeper := strings.Cut(glob, "/")
		switch {
		case part == "**":
			return true
		case strings.HasPrefix(part, ".") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "["), !overlap(name, part):
			return false
		case more != deeper:
			return false
		case !more:
			return true
		}
		form, glob = below, rest
	}
}

// mayShow notes that a file which is not known may hold a secret: weakly, as it
// rarely does, and so that it counts where the word names a directory in which
// there are some.
func (j *judge) mayShow(n *Node, t target, w policy.Word) {
	if t.known {
		return
	}
	s := Sight{Secret: weak, What: fileLabel(w), Why: "A file whose name is not known"}
	dir := match.FixedDir(t.path)
	if dir != "" && path.Dir(t.path) == dir && strings.Contains(w.Prefix(), "/") && (j.walked(dir) || j.holdsSecrets(dir)) {
		s.Secret, s.Why = ordinary, "A file whose name is not known, in a directory with secrets"
	}
	n.sight(s)
}

// walked reports whether reading all of a directory is asked about.
func (j *judge) walked(dir string) bool {
	rule := j.pathRule(j.target(dir, false, true), opRead)
	return rule != nil && rule.Read > policy.Allow
}

// holdsSecrets reports whether reading some file of a directory is asked about.
func (j *judge) holdsSecrets(dir string) bool {
	if j.engine.opts.Files == nil || dir == "" || strings.HasPrefix(dir, unknownDir) {
		return false
	}
	names, err := j.engine.opts.Files.ReadDir(dir, maxListed)
	if err != nil {
		return false
	}
	for _, name := range names {
		if rule := j.pathRule(j.target(path.Join(dir, name), false, true), opRead); rule != nil && rule.Read > policy.Allow {
			return true
		}
	}
	return false
}

// listed returns the files that a pattern matches, and whether these are all.
func (j *judge) listed(t target) (files []target, all bool) {
	if j.engine.opts.Files == nil || !t.pattern || !t.known || strings.ContainsAny(t.path, "({|") {
		return nil, false
	}
	fixed := match.FixedDir(t.path)
	dirs, rest := []string{fixed}, strings.TrimPrefix(t.path[len(fixed):], "/")
	all = len(j.wrote.list) == 0 && !strings.Contains(rest, "**")
	looked := 0
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		var next []string
		for _, dir := range dirs {
			if looked++; looked > maxListedDirs || len(next) > maxListedFiles {
				return nil, false
			}
			if !match.IsGlob(part) {
				next = append(next, path.Join(dir, part))
				continue
			}
			names, err := j.engine.opts.Files.ReadDir(slashed(dir), maxListed)
			if err != nil {
				all = all && dir != fixed && !j.isDir(j.follow(dir))
				continue
			}
			for _, name := range names {
				if (name[0] != '.' || part[0] == '.' || part[0] == '[' || j.wide) && match.PathGlob(part, name) {
					next = append(next, path.Join(slashed(dir), name))
				}
			}
		}
		dirs = next
	}
	if len(dirs) > maxListedFiles {
		return nil, false
	}
	for _, file := range dirs {
		files = append(files, j.target(file, false, true))
	}
	return files, all
}

// slashed is a directory as it is opened; "" is the root.
func slashed(dir string) string {
	if dir == "" {
		return "/"
	}
	return dir
}

// looked is a pattern all of whose matches are known: *.json names no special
// file only because there are some whose names end so.
func looked(t target) target {
	t.path, t.real = saysMore(t.path), saysMore(t.real)
	return t
}

// saysMore separates the ending of a pattern, so that it is held to name those
// special files alone that have no more than the ending: *.env, and not *.json
// for a.tfvars.json.
func saysMore(pattern string) string {
	slash := strings.LastIndexByte(pattern, '/')
	name := pattern[slash+1:]
	star := strings.LastIndexByte(name, '*')
	if star < 0 || name[0] == '.' || strings.ContainsAny(name, "?[") || !strings.HasPrefix(name[star+1:], ".") {
		return pattern
	}
	return pattern[:slash+1+star+1] + "\x00" + name[star+1:]
}
