package match

import (
	"strings"

	"github.com/bashgate/bashgate/policy"
)

// vector is the command that words run: placeholders are holes, and what the
// program appends follows. byOption says that an option brought it; single
// that a placeholder stands for one value at a time. passes says that there
// are such words.
func (c *Call) vector(words []policy.Word, byOption, single bool) (out []policy.Word, passes bool) {
	if len(words) == 0 {
		return nil, false
	}
	runs := &c.p.Runs
	out = words
	replaced := false
	if len(runs.Places) > 0 {
		for i, w := range words {
			if s, ok := c.substitute(w, single); ok {
				if !replaced {
					out = append([]policy.Word(nil), words...)
				}
				out[i], replaced = s, true
			}
		}
	}
	// A program without a table of what it runs runs the words it was given;
	// one that is given them by an option is not trusted to.
	adds := runs.Adds
	if !byOption && adds == Flag && runs.plain() {
		adds = Data
	}
	if replaced || adds == Data || c.exact() {
		return out, replaced
	}
	added := policy.UnknownWords("<more words>")
	if adds == Path {
		added.Parts[0].Shape = policy.ShapePaths
	}
	return append(out[:len(out):len(out)], added), true
}

// plain reports whether nothing is said about what a program runs.
func (r *Runs) plain() bool {
	return r.Where == policy.Here && r.Adds == Flag && len(r.Exact) == 0 && len(r.Places) == 0 && r.Stdin == ""
}

// exact reports whether an option surely keeps the program from appending.
func (c *Call) exact() bool {
	for _, name := range c.p.Runs.Exact {
		t := FlagTest{Spelling: name}
		if is, _ := c.present(&t, true); is == policy.Yes {
			return true
		}
	}
	return false
}

// single reports whether the command of an option is run for one value at a
// time: find's, ended by a semicolon where a plus sign would mean many.
func (c *Call) single(f *flag) bool {
	if f.many {
		return false
	}
	for _, end := range c.until {
		if end == "+" {
			return true
		}
	}
	return false
}

// substitute puts holes in place of the placeholders in a word, and reports
// whether there are any.
func (c *Call) substitute(w policy.Word, single bool) (policy.Word, bool) {
	changed := false
	for _, place := range c.p.Runs.Places {
		if place == "" {
			continue
		}
		if place[0] != '-' {
			w, changed = c.holes(w, place, single, changed)
			continue
		}
		t := FlagTest{Spelling: place}
		for i := range c.flags {
			f := &c.flags[i]
			if f.neg || !f.means(&t) {
				continue
			}
			text := "{}"
			if f.has {
				var known bool
				if text, known = f.value.Const(); !known {
					return policy.UnknownWords(f.value.String()), true
				}
			}
			if text != "" {
				w, changed = c.holes(w, text, true, changed)
			}
		}
	}
	return w, changed
}

// holes puts a hole in place of each occurrence of text.
func (c *Call) holes(w policy.Word, text string, single, changed bool) (policy.Word, bool) {
	shape := policy.ShapeAny
	if c.p.Runs.Adds == Path {
		shape = policy.ShapePaths
	}
	if w.Parts == nil {
		if !strings.Contains(w.Text, text) {
			return w, changed
		}
		if w.Text == text && !single {
			return policy.Word{Parts: []policy.Part{{Kind: policy.Split, Text: text, Shape: shape}}, Pos: w.Pos}, true
		}
		w.Parts = []policy.Part{{Text: w.Text}}
		w.Text = ""
	}
	var parts []policy.Part
	for _, p := range w.Parts {
		if p.Kind != policy.Lit {
			parts = append(parts, p)
			continue
		}
		for {
			before, after, ok := strings.Cut(p.Text, text)
			if before != "" {
				parts = append(parts, policy.Part{Text: before})
			}
			if !ok {
				break
			}
			parts = append(parts, policy.Part{Kind: policy.Hole, Text: text, Shape: shape})
			p.Text, changed = after, true
		}
	}
	return policy.Word{Parts: parts, Pos: w.Pos}, changed
}
