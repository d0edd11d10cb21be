package shell

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bashgate/bashgate/policy"
	"mvdan.cc/sh/v3/syntax"
)

// parse returns the tree of a text and the text that its offsets point into.
// With an error the tree holds the statements before it.
//
// comments says that comments need a second look. mvdan joins the line after a
// comment that ends in a backslash to the comment's command, where bash runs
// it: such a backslash is overwritten and the text parsed again.
func (r *run) parse(text string, comments bool) (*syntax.File, string, error) {
	rd := r.reader
	if !comments {
		if rd.plain == nil {
			rd.plain = syntax.NewParser(syntax.Variant(syntax.LangBash))
		}
		file, err := rd.parse(rd.plain, text)
		if err != nil && r.surely(moreWords) {
			return rd.ofZsh(file, text, err)
		}
		return file, text, err
	}
	if rd.commented == nil {
		rd.commented = syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	}
	const rounds = 4
	for range rounds {
		file, err := rd.parse(rd.commented, text)
		fixed := r.comments(file, text)
		if fixed == text {
			return file, text, err
		}
		text = fixed
	}
	r.report(policy.Finding{ID: idParse, Reason: "its comments cannot be told from its commands", Source: policy.Clip(text, maxSource), Pos: r.src.base})
	file, err := rd.parse(rd.commented, text)
	return file, text, err
}

// ofZsh reads a text again at which the parser gave up, where that is for forms of
// zsh. It returns what came of it, and the text that the tree's offsets point into.
func (rd *Reader) ofZsh(file *syntax.File, text string, gaveUp error) (*syntax.File, string, error) {
	const rounds = 8
	seen, err := text, gaveUp // what the parser sees
	var loops []*shortLoop
	for range rounds {
		var parse syntax.ParseError
		if !errors.As(err, &parse) {
			break
		}
		at := int(parse.Pos.Offset())
		plain, is := unqualified(seen, at)
		if is {
			text, is = unqualified(text, at)
		} else {
			var loop *shortLoop
			if plain, loop, is = zshLoop(seen, parse.Pos); loop != nil {
				loops = append(loops, loop)
			}
		}
		if !is {
			break
		}
		seen = plain
		file, err = rd.parse(rd.plain, seen)
	}
	for _, l := range loops {
		if file != nil && !l.restore(rd, file, text) && err == nil {
			err = gaveUp
		}
	}
	return file, text, err
}

// parse never panics: the parser is fuzzed, but an answer is due for any text.
func (rd *Reader) parse(p *syntax.Parser, text string) (file *syntax.File, err error) {
	defer func() {
		if v := recover(); v != nil {
			rd.plain, rd.commented = nil, nil
			file, err = nil, fmt.Errorf("the parser failed: %v", v)
		}
	}()
	rd.src.Reset(text)
	return p.Parse(&rd.src, "")
}

// comments checks every comment of the tree, and returns the text with the
// backslashes at their ends blanked.
func (r *run) comments(file *syntax.File, text string) string {
	if file == nil {
		return text
	}
	var fixed []byte
	quoted := 0 // where the backquotes end
	syntax.Walk(file, func(n syntax.Node) bool {
		if sub, ok := n.(*syntax.CmdSubst); ok && sub.Backquotes {
			quoted = max(quoted, int(sub.End().Offset()))
		}
		c, ok := n.(*syntax.Comment)
		if !ok {
			return true
		}
		hash := int(c.Hash.Offset())
		if hash >= len(text) || text[hash] != '#' {
			r.doubtfulComment(c, text, hash)
			return true
		}
		before := hash
		for before >= 2 && text[before-1] == '\n' && text[before-2] == '\\' {
			before -= 2 // a joined line
		}
		if before > 0 && (before != hash || !startsComment(text[before-1])) && !startsComment(text[before-1]) {
			r.doubtfulComment(c, text, hash)
		}
		if strings.HasSuffix(c.Text, "\\\n") {
			end := hash + 1 + len(c.Text) - 2
			if end+1 >= len(text) || text[end] != '\\' || text[end+1] != '\n' || hash < quoted {
				// Between backquotes lines are joined before anything is read.
				r.doubtfulComment(c, text, hash)
				return true
			}
			if fixed == nil {
				fixed = []byte(text)
			}
			fixed[end] = ' '
		}
		return true
	})
	if fixed == nil {
		return text
	}
	return string(fixed)
}

// startsComment reports whether "#" after the byte is a comment for bash too.
// For mvdan it is one after a quoted or expanded part of a word as well.
func startsComment(before byte) bool {
	switch before {
	case ' ', '\t', '\n', ';', '&', '|', '(', '<', '>':
		return true
	}
	return false
}

func (r *run) doubtfulComment(c *syntax.Comment, text string, hash int) {
	hash = min(hash, len(text))
	r.report(policy.Finding{
		ID:     idGuard,
		Reason: "a # may start a comment or be part of a word",
		Source: policy.Clip(text[max(0, hash-20):], maxSource),
		Pos:    r.at(c.Hash),
	})
}

// reportParse records why a text, or its end, could not be parsed.
func (r *run) reportParse(err error) {
	f := policy.Finding{ID: idParse, Source: policy.Clip(r.src.text, maxSource), Pos: r.src.base}
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		f.Reason = "cannot be read as shell: " + parse.Text
		f.Source, f.Pos = r.line(parse.Pos), r.at(parse.Pos)
	case errors.As(err, &lang):
		f.Reason = "cannot be read as shell: " + lang.Feature
		f.Source, f.Pos = r.line(lang.Pos), r.at(lang.Pos)
	default:
		f.Reason = "cannot be read as shell: " + err.Error()
	}
	r.report(f)
}

// line returns the line of a place.
func (r *run) line(p syntax.Pos) string {
	at := min(int(p.Offset()), len(r.src.text))
	start := strings.LastIndexByte(r.src.text[:at], '\n') + 1
	end := len(r.src.text)
	if i := strings.IndexByte(r.src.text[at:], '\n'); i >= 0 {
		end = at + i
	}
	return policy.Clip(r.unmap(r.src.text[start:end]), maxSource)
}
