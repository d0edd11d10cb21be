package session

import (
	"path"
	"strings"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/internal/match"
)

// overlap reports whether reading a place may read a file that was written: the
// file, one below it, or all of a directory.
func overlap(p engine.Place, e *Event) bool {
	read, wrote := p.Path, e.What
	for {
		a, restA, moreA := segment(read, p.Pattern)
		b, restB, moreB := segment(wrote, e.Pattern)
		switch {
		case !moreA: // the file, or a directory that it lies in
			return true
		case !moreB: // a directory that was written; a pattern names files
			return !e.Pattern || !strings.ContainsAny(path.Base(e.What), wild)
		case p.Pattern && strings.Contains(a, "**") || e.Pattern && strings.Contains(b, "**"):
			return true
		case !meet(a, p.Pattern, b, e.Pattern):
			return false
		}
		read, wrote = restA, restB
	}
}

// wild are the characters by which a part of a pattern is not just a name.
const wild = "*?[]{}()\\"

// segment cuts the first name off a path. Alternatives may hold slashes: from
// them on anything may stand there.
func segment(name string, pattern bool) (first, rest string, more bool) {
	name = strings.TrimLeft(name, "/")
	if name == "" {
		return "", "", false
	}
	first, rest, _ = strings.Cut(name, "/")
	if pattern && strings.ContainsAny(first, "{}()") {
		return "**", "", true
	}
	return first, rest, true
}

// meet reports whether two names may be the same.
func meet(a string, aPattern bool, b string, bPattern bool) bool {
	aPattern = aPattern && strings.ContainsAny(a, wild)
	bPattern = bPattern && strings.ContainsAny(b, wild)
	switch {
	case aPattern && bPattern:
		return true
	case aPattern:
		return match.PathGlob("/"+a, "/"+b)
	case bPattern:
		return match.PathGlob("/"+b, "/"+a)
	}
	return a == b
}

// fixed is the directory before a pattern's first wildcard.
func fixed(pattern string) string {
	if i := strings.IndexAny(pattern, wild); i >= 0 {
		pattern = pattern[:i]
	}
	return path.Dir(pattern + "x")
}
