package cop

import (
	"io/fs"

	"github.com/bashgate/bashgate/engine"
	"github.com/bashgate/bashgate/policy"
)

// Where a session that has read untrusted content changes a project and runs its
// tests, what the tests do stands in what it changed. So that is shown, and where
// all of it is, an answer that clears holds for every line that runs code of the
// project and nothing else, until something there changes again.

// maxChanged is how many changed files are shown.
const maxChanged = 8

// changes lists the files of the project that such sessions wrote. All reports
// whether every one is there whole.
func (c *Cop) changes(r *engine.Request) (list []script, all bool) {
	if len(c.Changed) == 0 || c.Files == nil || r.Workspace == "" {
		return nil, false
	}
	all = len(c.Changed) <= maxChanged
	room := maxScriptText
	for _, p := range c.Changed[:min(len(c.Changed), maxChanged)] {
		s, ok := c.shown(r, p.Path)
		if !ok || p.Pattern {
			all = false
			continue
		}
		if room -= len(s.text); room < 0 {
			s.text, s.why, room = "", "too long to be shown", room+len(s.text)
		}
		all = all && s.why == ""
		list = append(list, s)
	}
	return list, all
}

// lstat looks at a file, where files can be looked at.
func (c *Cop) lstat(path string) (fs.FileInfo, error) {
	if c.Files == nil {
		return nil, fs.ErrNotExist
	}
	return c.Files.Lstat(path)
}

// cover is the key of what clears all code of a project as it is; nil where a line
// is more than that, or where not all was shown.
func (c *Cop) cover(r *engine.Request, v *engine.Verdict, q *Question) []byte {
	if q.changed == nil || c.Moving || v.Beyond(true) != policy.ReachLocal {
		return nil
	}
	var w writer
	w.open('{')
	c.asker(&w)
	w.raw("session", r.Session)
	w.raw("workspace", r.Workspace)
	w.number("corruption", r.Taint.Corruption)
	w.number("secret", r.Taint.Secret)
	w.texts("seen", c.Labels)
	for _, s := range q.changed {
		w.raw("path", s.path)
		w.raw("text", s.text)
	}
	w.close('}')
	return w.out
}
