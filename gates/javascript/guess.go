package javascript

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bashgate/bashgate/internal/code"
	"github.com/bashgate/bashgate/internal/javascript"
	"github.com/bashgate/bashgate/internal/match"
	"github.com/bashgate/bashgate/policy"
)

// A file of which the name is not known may be any that the text names, and a directory
// the home directory.

// noteValue keeps the texts that expressions may be, one behind the other.
func (s *sight) noteValue(parts ...javascript.Expr) {
	if s.gather {
		return
	}
	whole := text("")
	for _, e := range parts {
		whole = s.bounded(concat(whole, textOf(s.value(e, 0))))
	}
	for _, w := range whole.Words("...") {
		if name, known := w.Const(); known {
			s.note(name)
		}
	}
}

// note keeps a text that may be the name of a file. Those in sentences are none.
func (s *sight) note(text string) {
	if s.gather {
		return
	}
	names := code.Names
	if s.cuts {
		names = code.Words
	}
	for _, name := range names(text) {
		if len(s.texts) <= maxGuessed && !slices.Contains(s.texts, name) {
			s.texts = append(s.texts, name)
		}
	}
}

// maxGuessed bounds the texts that are held for names of files.
const maxGuessed = 500

// guessed notes as read what the text names, where it reads something of which the
// name is not known: that may be any of them.
func (s *sight) guessed() {
	in := s.in
	i := slices.IndexFunc(in.report.Effects, func(e code.Effect) bool { return e.Kind == match.Read && e.Word.HasHole() })
	if i < 0 || s.strange != "" {
		return
	}
	if s.cuts = s.cuts || in.met("str.slice", "str.substring", "str.substr"); s.cuts {
		for _, text := range in.program.Texts {
			s.note(text)
		}
	}
	s.hidden()
	if len(s.texts) > maxGuessed {
		s.refuse("very many names, and reading of which no text shows the name")
	}
	reads := func(w policy.Word) {
		in.report.Use(code.Effect{Use: match.Use{Kind: match.Read, Word: w}, Line: in.report.Effects[i].Line})
	}
	for _, piece := range s.pieces() {
		reads(policy.Const(piece))
	}
	globs := in.met("node:fs.globSync") // elsewhere no text is a pattern, and regular expressions look like some
	for _, text := range s.texts {
		reads(policy.Const(text))
		if globs && match.IsGlob(text) {
			reads(policy.Word{Parts: []policy.Part{{Kind: policy.Glob, Text: text}}})
		}
	}
	for _, e := range in.report.Effects {
		if e.Kind != match.Path {
			continue
		}
		if reads(e.Word); len(s.listings) > 0 && e.Word.HasHole() && in.text.Home != "" && in.leadsHome() {
			reads(policy.Const(in.text.Home)) // what is listed may be that
		}
	}
}

// pieces are what is left of the names where something is taken away: what stands at one
// side of a sign in them, or of another text of the program, which may be what they are
// cut at.
func (s *sight) pieces() (list []string) {
	seen := map[string]bool{"": true}
	add := func(piece string) {
		if piece = strings.TrimSpace(piece); !seen[piece] && !strings.ContainsAny(piece, " \t\n") && strings.Trim(piece, "./") != "" {
			seen[piece] = true
			list = append(list, piece)
		}
	}
	for _, name := range s.texts {
		for _, piece := range code.Pieces(name) {
			add(piece)
		}
	}
	pads := s.in.met("str.padStart") || s.in.met("str.padEnd")
	texts := s.in.program.Texts
	for _, text := range slices.Concat(texts, s.texts) {
		for _, by := range texts {
			if len(list) > maxGuessedPieces || !s.in.step() {
				s.refuse("very many names, and reading of which no text shows the name")
				return nil
			}
			if by == "" || strings.TrimSpace(by) == "" && by != "\t" || by == "," {
				continue // lists and words are looked at as such
			}
			if pads && len(by) <= 2 {
				add(by + text)
				add(text + by)
			}
			if by == text || !strings.Contains(text, by) {
				continue
			}
			for piece := range strings.SplitSeq(text, by) {
				add(piece)
			}
			add(strings.Replace(text, by, "", 1))
			add(strings.ReplaceAll(text, by, ""))
		}
	}
	return list
}

// noteCut keeps what slice, substring and substr give of a text, where all of it is known.
func (s *sight) noteCut(method string, self *code.Shape, args arguments) {
	if s.gather || self == nil || self.Word == nil || args.open {
		return
	}
	text, known := self.Word.Const()
	places := []int{0, len(text)}
	for i, v := range args.positional {
		number, is := v.Const("number")
		n, err := strconv.Atoi(number)
		if !is || err != nil || i > 1 {
			return
		}
		if n < 0 && method != "substring" {
			n += len(text)
		}
		if i == 1 && method == "substr" {
			n += places[0]
		}
		places[i] = min(max(n, 0), len(text))
	}
	switch from, to := places[0], places[1]; {
	case !known:
	case from <= to:
		s.note(text[from:to])
	case method == "substring":
		s.note(text[to:from])
	}
}

// maxGuessedPieces bounds the pieces of names.
const maxGuessedPieces = 3000

// isListing reports whether a function tells what is in a directory.
func isListing(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return strings.HasPrefix(name, "readdir") || strings.HasPrefix(name, "glob")
}

// leadsHome reports whether a text may come by the home directory, or one above it,
// without naming it.
func (in *reader) leadsHome() bool {
	return in.cut || in.met(
		"node:os.homedir", "node:os.userInfo", "node:path.dirname", "node:path.parse", "process.config",
		"Child.stdout", "Child.stderr", "DenoCommand.output", "DenoCommand.outputSync",
	) || slices.ContainsFunc(in.report.Effects, func(e code.Effect) bool { return isPrintenv(&e) })
}

// met reports whether a text has anything of some full names.
func (in *reader) met(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, met := in.known[name]; return met })
}
