package javascript

import (
	"slices"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// What a text lists it may read, also names that begin with a dot, which are secrets' more
// often than others. Which name goes where nobody follows: each file that is read, and of
// whose name something is not known, may be one of those in each directory that is listed.
// The engine looks up what is there.

// listing is a directory that the text lists.
type listing struct {
	dir  string // "" for that in which it runs, and for one that is not known
	deep bool   // what lies below it is listed, too
}

// notesListing notes what a call lists.
func (s *sight) notesListing(name string, args arguments) {
	deep := len(args.positional) > 1 && s.mayBeDeep(args.positional[1])
	glob := strings.Contains(strings.ToLower(name), "glob")
	for _, w := range args.arg(0).Words("...") {
		l := listing{deep: deep}
		if text, known := w.Const(); known && glob {
			l.dir, l.deep = match.FixedDir(text), strings.Contains(text, "**")
		} else if known {
			l.dir = text
		}
		if l.dir = strings.TrimSuffix(l.dir, "/"); !slices.Contains(s.listings, l) {
			s.listings = append(s.listings, l)
		}
	}
}

// mayBeDeep reports whether options may have recursive set.
func (s *sight) mayBeDeep(options code.Value) bool {
	return slices.ContainsFunc(options, func(o code.Shape) bool {
		if o.Kind != code.Object || o.Box == nil || !o.Box.Exact {
			return o.Type == "plain" || o.Type == "dict"
		}
		return slices.ContainsFunc(o.Box.Keys, func(key code.Value) bool { k, known := constKey(key); return !known || k == "recursive" })
	})
}

// hidden notes as read the names beginning with a dot that a text lists.
func (s *sight) hidden() {
	for _, e := range slices.Clone(s.in.report.Effects) {
		if e.Kind != match.Read || len(s.listings) == 0 {
			continue
		}
		parts := e.Word.Parts
		for at, p := range parts {
			begins := at == 0 || parts[at-1].Kind == policy.Lit && strings.HasSuffix(parts[at-1].Text, "/")
			if p.Kind != policy.Lit && begins { // else what the name begins with is known
				s.hiddenAt(&e, at)
			}
		}
	}
}

// hiddenAt notes them in the place of a part that is not known.
func (s *sight) hiddenAt(e *code.Effect, at int) {
	before, rest := anyOf(e.Word.Parts[:at]), anyOf(e.Word.Parts[at+1:])
	for _, l := range s.listings {
		dirs := [][]policy.Part{before}
		if at == 0 && l.dir != "" && l.dir != "." {
			dirs = append(dirs, []policy.Part{{Text: l.dir + "/"}})
		}
		for _, dir := range dirs {
			name, behind := ".*", rest
			if l.deep {
				name, behind = "**/.*/**/*", nil
			}
			word := slices.Concat(dir, []policy.Part{{Kind: policy.Hole, Text: name, Match: name}}, behind)
			s.in.report.Use(code.Effect{Use: match.Use{Kind: match.Read, Word: policy.Word{Parts: word}}, Line: e.Line})
		}
	}
}

// anyOf are parts of a path with any name in the place of what is not known.
func anyOf(parts []policy.Part) []policy.Part {
	out := slices.Clone(parts)
	for i := range out {
		if out[i].Kind != policy.Lit {
			out[i] = policy.Part{Kind: policy.Hole, Text: "*", Match: "*"}
		}
	}
	return out
}
