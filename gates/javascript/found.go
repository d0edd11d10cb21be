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
		if e.Kind != match.Read || !e.Word.HasHole() {
			continue
		}
		at := slices.IndexFunc(e.Word.Parts, func(p policy.Part) bool { return p.Kind != policy.Lit })
		before, rest := e.Word.Prefix(), e.Word.Parts[at+1:]
		if name := before[strings.LastIndexByte(before, '/')+1:]; name != "" {
			continue // what the name begins with is known
		}
		for _, l := range s.listings {
			dirs := []string{before}
			if before == "" && l.dir != "" && l.dir != "." {
				dirs = append(dirs, l.dir+"/")
			}
			for _, dir := range dirs {
				parts := []policy.Part{{Text: dir}, {Kind: policy.Hole, Text: ".*", Match: ".*"}}
				if l.deep {
					parts[1].Text, parts[1].Match = "**/.*/**/*", "**/.*/**/*"
				} else {
					for _, p := range rest {
						if p.Kind != policy.Lit {
							p = policy.Part{Kind: policy.Hole, Text: "*", Match: "*"}
						}
						parts = append(parts, p)
					}
				}
				if dir == "" {
					parts = parts[1:]
				}
				s.in.report.Use(code.Effect{Use: match.Use{Kind: match.Read, Word: policy.Word{Parts: parts}}, Line: e.Line})
			}
		}
	}
}
